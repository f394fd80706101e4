// Package observe26 observes the queue sets of 1.26 and later.
package observe26

import (
	"context"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/eventclock"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
)

// Factory makes queue sets that note every question.
type Factory struct{ fairqueuing.QueueSetFactory }

// BeginConstruction is the real factory's, observed.
func (f Factory) BeginConstruction(
	c fairqueuing.QueuingConfig, requests metrics.RatioedGaugePair, seats metrics.RatioedGauge, demand metrics.Gauge,
) (fairqueuing.QueueSetCompleter, error) {
	inner, err := f.QueueSetFactory.BeginConstruction(c, requests, seats, demand)
	return driver.Observe(inner, err, c, func(s *driver.Set) fairqueuing.QueueSet { return set{s} })
}

type set struct{ *driver.Set }

func (s set) StartRequest(
	ctx context.Context, e *request.WorkEstimate, hash uint64, flow, schema string, descr1, descr2 any, note fairqueuing.QueueNoteFn,
) (fairqueuing.Request, bool) {
	s.Asked(ctx, schema, flow, driver.Estimate{
		Initial: int(e.InitialSeats), Final: int(e.FinalSeats), AdditionalLatency: e.AdditionalLatency,
	})
	answer, idle := s.QueueSet.StartRequest(ctx, e, hash, flow, schema, descr1, descr2, note)
	s.Answered(ctx, answer)
	return answer, idle
}

// BeginQueueSet begins a queue set that is not observed.
func BeginQueueSet(c fairqueuing.QueuingConfig) (fairqueuing.QueueSetCompleter, error) {
	return queueset.NewQueueSetFactory(eventclock.Real{}).BeginConstruction(c, metrics.RatioedGaugePair{RequestsWaiting: driver.NoGauge{}, RequestsExecuting: driver.NoGauge{}}, driver.NoGauge{}, driver.NoGauge{})
}

// StartRequest brings a request to a queue set that is not observed.
func StartRequest(ctx context.Context, s fairqueuing.QueueSet, hash uint64, e driver.Estimate) fairqueuing.Request {
	estimate := &request.WorkEstimate{
		InitialSeats: uint64(e.Initial), FinalSeats: uint64(e.Final), AdditionalLatency: e.AdditionalLatency,
	}
	r, _ := s.StartRequest(ctx, estimate, hash, "", "schema", nil, nil, func(bool) {})
	return r
}

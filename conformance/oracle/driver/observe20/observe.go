// Package observe20 observes the queue sets of 1.20 and 1.21, which are told nothing of
// a request's width.
package observe20

import (
	"context"
	"k8s.io/apimachinery/pkg/util/clock"
	"k8s.io/apiserver/pkg/util/flowcontrol/counter"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
)

// Factory makes queue sets that note every question.
type Factory struct{ fairqueuing.QueueSetFactory }

// BeginConstruction is the real factory's, observed.
func (f Factory) BeginConstruction(c fairqueuing.QueuingConfig, requests metrics.TimedObserverPair) (fairqueuing.QueueSetCompleter, error) {
	inner, err := f.QueueSetFactory.BeginConstruction(c, requests)
	return driver.Observe(inner, err, c, func(s *driver.Set) fairqueuing.QueueSet { return set{s} })
}

type set struct{ *driver.Set }

func (s set) StartRequest(
	ctx context.Context, hash uint64, flow, schema string, descr1, descr2 any, note fairqueuing.QueueNoteFn,
) (fairqueuing.Request, bool) {
	s.Asked(ctx, schema, flow, driver.Estimate{Initial: 1})
	answer, idle := s.QueueSet.StartRequest(ctx, hash, flow, schema, descr1, descr2, note)
	s.Answered(ctx, answer)
	return answer, idle
}

// BeginQueueSet begins a queue set that is not observed.
func BeginQueueSet(c fairqueuing.QueuingConfig) (fairqueuing.QueueSetCompleter, error) {
	return queueset.NewQueueSetFactory(clock.RealClock{}, counter.NoOp{}).BeginConstruction(c, metrics.TimedObserverPair{RequestsWaiting: driver.NoGauge{}, RequestsExecuting: driver.NoGauge{}})
}

// StartRequest brings a request to a queue set that is not observed.
func StartRequest(ctx context.Context, s fairqueuing.QueueSet, hash uint64, e driver.Estimate) fairqueuing.Request {
	r, _ := s.StartRequest(ctx, hash, "", "schema", nil, nil, func(bool) {})
	return r
}

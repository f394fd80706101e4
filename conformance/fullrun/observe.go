package fullrun

import (
	"context"
	"reflect"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"
)

// The filter's answer tells neither the flow nor the queue nor the reason for a
// rejection. The types below stand between the controller and its queue sets, note
// what is asked and answered, and change nothing.

// observedFactory makes queue sets that note every question in the request's attempt.
type observedFactory struct{ fairqueuing.QueueSetFactory }

func (f observedFactory) BeginConstruction(
	config fairqueuing.QueuingConfig, requests metrics.RatioedGaugePair, seats metrics.RatioedGauge, demand metrics.Gauge,
) (fairqueuing.QueueSetCompleter, error) {
	completer, err := f.QueueSetFactory.BeginConstruction(config, requests, seats, demand)
	if err != nil {
		return nil, err
	}
	return observedCompleter{completer, config, &observedSet{}}, nil
}

type observedCompleter struct {
	fairqueuing.QueueSetCompleter
	config fairqueuing.QueuingConfig
	set    *observedSet
}

func (c observedCompleter) Complete(config fairqueuing.DispatchingConfig) fairqueuing.QueueSet {
	c.set.QueueSet = c.QueueSetCompleter.Complete(config)
	c.set.config = c.config
	return c.set
}

type observedSet struct {
	fairqueuing.QueueSet
	config fairqueuing.QueuingConfig
}

func (s *observedSet) BeginConfigChange(config fairqueuing.QueuingConfig) (fairqueuing.QueueSetCompleter, error) {
	completer, err := s.QueueSet.BeginConfigChange(config)
	if err != nil {
		return nil, err
	}
	return observedCompleter{completer, config, s}, nil
}

func (s *observedSet) StartRequest(
	ctx context.Context, estimate *request.WorkEstimate, hash uint64, flow, schema string, descr1, descr2 any, note fairqueuing.QueueNoteFn,
) (fairqueuing.Request, bool) {
	a := ctx.Value(attemptKey{}).(*attempt)
	a.asked = true
	a.question = question{
		queues:  s.config,
		initial: estimate.InitialSeats, final: estimate.FinalSeats, additionalLatency: estimate.AdditionalLatency,
		flow: flow,
	}
	answer, idle := s.QueueSet.StartRequest(ctx, estimate, hash, flow, schema, descr1, descr2, note)
	if answer != nil && s.config.DesiredNumQueues > 0 {
		a.queued, a.queue = true, queueIndex(answer)
	}
	return answer, idle
}

// attemptKey is the context's key of a request's *attempt.
type attemptKey struct{}

// queueIndex reads the index of the queue that a request was put into from the
// private fields of the real request. It may change later, if the level loses queues.
func queueIndex(r fairqueuing.Request) int {
	queue := reflect.ValueOf(r).Elem().FieldByName("queue")
	return int(queue.Elem().FieldByName("index").Int())
}

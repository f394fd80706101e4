package driver

import (
	"context"
	"reflect"
	"time"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
)

// The filter's answer tells neither the flow nor the queue nor the reason for a
// rejection, and that of 1.20 not even the level. The types below stand between the
// controller and its queue sets, note what is asked and answered, and change nothing.

// Estimate is what a release takes a request to cost.
type Estimate struct {
	Initial, Final    int
	AdditionalLatency time.Duration
}

// Set is a queue set under observation. The package of each group of releases embeds
// it in a type of its own, whose StartRequest has the signature of those releases and
// calls Asked before the real one and Answered after it.
type Set struct {
	fairqueuing.QueueSet
	config fairqueuing.QueuingConfig
	wrap   func(*Set) fairqueuing.QueueSet
}

// BeginConfigChange notes the new configuration once it is complete.
func (s *Set) BeginConfigChange(config fairqueuing.QueuingConfig) (fairqueuing.QueueSetCompleter, error) {
	inner, err := s.QueueSet.BeginConfigChange(config)
	if err != nil {
		return nil, err
	}
	return completer{inner, config, s}, nil
}

// Asked notes in the request's attempt what the queue set is asked.
func (s *Set) Asked(ctx context.Context, schema, flow string, estimate Estimate) {
	a := ctx.Value(attemptKey{}).(*attempt)
	a.asked = true
	a.schema, a.level, a.flow = schema, s.config.Name, flow
	a.queues, a.estimate = s.config.DesiredNumQueues, estimate
}

// Answered notes the request that the queue set returned, nil if it rejected it.
func (s *Set) Answered(ctx context.Context, answer fairqueuing.Request) {
	if answer == nil || s.config.DesiredNumQueues <= 0 {
		return
	}
	a := ctx.Value(attemptKey{}).(*attempt)
	a.queued, a.queue = true, queueIndex(answer)
}

// queueIndex reads the index of the queue that a request was put into from the private
// fields of the real request. The number of queues does not change during a replay, so
// neither does the index.
func queueIndex(r fairqueuing.Request) int {
	queue := reflect.ValueOf(r).Elem().FieldByName("queue")
	return int(queue.Elem().FieldByName("index").Int())
}

type completer struct {
	fairqueuing.QueueSetCompleter
	config fairqueuing.QueuingConfig
	set    *Set
}

// Complete puts the configuration into force.
func (c completer) Complete(config fairqueuing.DispatchingConfig) fairqueuing.QueueSet {
	c.set.QueueSet = c.QueueSetCompleter.Complete(config)
	c.set.config = c.config
	return c.set.wrap(c.set)
}

// Observe is what a factory's BeginConstruction has to return: the completer of a queue
// set whose questions are noted. The first two arguments are what the real factory
// answered to config.
func Observe(
	inner fairqueuing.QueueSetCompleter, err error, config fairqueuing.QueuingConfig, wrap func(*Set) fairqueuing.QueueSet,
) (fairqueuing.QueueSetCompleter, error) {
	if err != nil {
		return nil, err
	}
	return completer{inner, config, &Set{wrap: wrap}}, nil
}

// attemptKey is the context's key of a request's *attempt.
type attemptKey struct{}

// attempt is what the driver notes of one request on its way through the server. Only
// the request's own goroutines write it.
type attempt struct {
	schema, level, flow string
	// asked tells that the request came before a queue set. A long-running request
	// passes by, and up to 1.27 an exempt one.
	asked    bool
	queues   int
	estimate Estimate

	queued     bool
	queue      int
	executed   bool
	dispatched time.Duration
	finished   time.Duration
	retryAfter string
}

// decision renders the attempt as a line of the log.
func (a *attempt) decision(id int64, arrival time.Duration) Decision {
	d := Decision{
		ID: id, Arrival: arrival.String(), FlowSchema: a.schema, PriorityLevel: a.level,
		Outcome: "executed", Finished: a.finished.String(), RetryAfter: a.retryAfter,
	}
	if a.asked {
		d.InitialSeats, d.FinalSeats = a.estimate.Initial, a.estimate.Final
		if a.estimate.AdditionalLatency != 0 {
			d.AdditionalLatency = a.estimate.AdditionalLatency.String()
		}
		if a.queues > 1 {
			d.Flow = &a.flow
		}
		if a.queued {
			d.Queue = &a.queue
		}
	}
	if a.executed {
		d.Dispatched = a.dispatched.String()
		return d
	}
	d.Outcome, d.Reason = "rejected", a.reason()
	return d
}

// reason tells why the request was rejected, as far as it follows: only a level without
// queues knows no queue that is full. Whether a request that got a place was ejected by
// the queue set or by its context, the server's counters tell.
func (a *attempt) reason() string {
	switch {
	case a.queued:
		return ""
	case a.queues > 0:
		return "queue-full"
	default:
		return "concurrency-limit"
	}
}

package driver

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
)

// QueueSetCase is a list of operations on one queue set, in order of time.
type QueueSetCase struct {
	Operations []Operation `json:"operations"`
}

// Operation is one step. The first one configures. Requests are named by the number of
// the operation that brought them.
type Operation struct {
	At Duration `json:"at"`
	// One of the following is set.
	Configure *Configuration `json:"configure,omitempty"`
	Arrive    *Arrival       `json:"arrive,omitempty"`
	// Finish ends the execution of a request, Expire the context of a waiting one. Nothing
	// happens if there is no such request.
	Finish *int `json:"finish,omitempty"`
	Expire *int `json:"expire,omitempty"`
}

// Configuration is that of a queue set.
type Configuration struct {
	Queues           int `json:"queues"`
	HandSize         int `json:"handSize,omitempty"`
	QueueLengthLimit int `json:"queueLengthLimit,omitempty"`
	Limit            int `json:"limit"`
	// WaitLimit is how long a request may have waited when another one comes. Releases
	// from 1.28.5 on have no such limit.
	WaitLimit Duration `json:"waitLimit,omitempty"`
}

// Arrival is a request that comes.
type Arrival struct {
	Hash              uint64   `json:"hash"`
	Initial           int      `json:"initial"`
	Final             int      `json:"final,omitempty"`
	AdditionalLatency Duration `json:"additionalLatency,omitempty"`
}

// Outcome is what an operation brought about, with all that came to pass by itself since
// the one before, and what the queue set holds then.
type Outcome struct {
	// Queue is the index of the queue that an arriving request got into, absent if it was
	// rejected or there are no queues.
	Queue    *int `json:"queue,omitempty"`
	Rejected bool `json:"rejected,omitempty"`
	// Dispatched and Ejected are requests, in order of their numbers.
	Dispatched []int `json:"dispatched,omitempty"`
	Ejected    []int `json:"ejected,omitempty"`
	Waiting    int   `json:"waiting"`
	Executing  int   `json:"executing"`
	// SeatsInUse is -1 in releases that do not count them.
	SeatsInUse int `json:"seatsInUse"`
	// R is the progress meter in whole seat-seconds, "" in releases with a float.
	R string `json:"r,omitempty"`
}

// operate carries out the operations.
func operate(t *testing.T, release *Release, c *QueueSetCase) (out []Outcome, err error) {
	synctest.Test(t, func(*testing.T) {
		o := &operator{release: release, start: time.Now(), requests: map[int]*present{}}
		for i, op := range c.Operations {
			time.Sleep(time.Duration(op.At) - time.Since(o.start))
			var outcome Outcome
			if outcome, err = o.step(i, op); err != nil {
				break
			}
			out = append(out, outcome)
		}
		o.end()
	})
	return out, err
}

// operator is a queue set in its bubble.
type operator struct {
	release  *Release
	start    time.Time
	set      fairqueuing.QueueSet
	requests map[int]*present
	over     bool
	// What the goroutines of requests note since the last outcome:
	lock                sync.Mutex
	dispatched, ejected []int
}

// present is a request that was not rejected.
type present struct {
	cancel context.CancelFunc
	finish chan struct{}
}

func (o *operator) step(number int, op Operation) (Outcome, error) {
	var out Outcome
	switch {
	case op.Configure != nil:
		if err := o.configure(op.Configure); err != nil {
			return out, err
		}
	case op.Arrive != nil:
		out.Queue, out.Rejected = o.arrive(number, op.Arrive)
	case op.Finish != nil:
		if r := o.requests[*op.Finish]; r != nil {
			close(r.finish)
			delete(o.requests, *op.Finish)
		}
	case op.Expire != nil:
		if r := o.requests[*op.Expire]; r != nil {
			r.cancel()
		}
	default:
		return out, fmt.Errorf("operation %d does nothing", number)
	}
	synctest.Wait()
	slices.Sort(o.dispatched)
	slices.Sort(o.ejected)
	out.Dispatched, out.Ejected = o.dispatched, o.ejected
	for _, number := range o.ejected {
		delete(o.requests, number)
	}
	o.dispatched, o.ejected = nil, nil
	o.state(&out)
	return out, nil
}

func (o *operator) configure(c *Configuration) error {
	q := fairqueuing.QueuingConfig{
		Name: "level", DesiredNumQueues: c.Queues, HandSize: c.HandSize, QueueLengthLimit: c.QueueLengthLimit,
	}
	setField(&q, "RequestWaitLimit", time.Duration(c.WaitLimit))
	d := fairqueuing.DispatchingConfig{ConcurrencyLimit: c.Limit}
	setField(&d, "ConcurrencyDenominator", max(1, c.Limit))
	var completer fairqueuing.QueueSetCompleter
	var err error
	if o.set == nil {
		completer, err = o.release.BeginQueueSet(q)
	} else {
		completer, err = o.set.BeginConfigChange(q)
	}
	if err == nil {
		o.set = completer.Complete(d)
	}
	return err
}

// setField sets a field that not every release has.
func setField(p any, name string, value any) {
	if f := reflect.ValueOf(p).Elem().FieldByName(name); f.IsValid() {
		f.Set(reflect.ValueOf(value))
	}
}

func (o *operator) arrive(number int, a *Arrival) (queue *int, rejected bool) {
	ctx, cancel := context.WithCancel(context.Background())
	request := o.release.StartRequest(ctx, o.set, a.Hash,
		Estimate{Initial: a.Initial, Final: a.Final, AdditionalLatency: time.Duration(a.AdditionalLatency)})
	if request == nil {
		cancel()
		return nil, true
	}
	if p := reflect.ValueOf(request).Elem().FieldByName("queue"); !p.IsNil() {
		index := int(p.Elem().FieldByName("index").Int())
		queue = &index
	}
	r := &present{cancel, make(chan struct{})}
	o.requests[number] = r
	go func() {
		executed := false
		request.Finish(func() {
			executed = true
			o.note(&o.dispatched, number)
			if !o.over {
				<-r.finish
			}
		})
		cancel()
		if !executed {
			o.note(&o.ejected, number)
		}
	}()
	// The goroutine has to be where it waits before anything else happens.
	synctest.Wait()
	return queue, false
}

func (o *operator) note(list *[]int, number int) {
	o.lock.Lock()
	defer o.lock.Unlock()
	*list = append(*list, number)
}

// state reads the private fields of the real queue set.
func (o *operator) state(out *Outcome) {
	set := reflect.ValueOf(o.set).Elem()
	out.Waiting = int(set.FieldByName("totRequestsWaiting").Int())
	out.Executing = int(set.FieldByName("totRequestsExecuting").Int())
	out.SeatsInUse = -1
	if f := set.FieldByName("totSeatsInUse"); f.IsValid() {
		out.SeatsInUse = int(f.Int())
	}
	if f := set.FieldByName("currentR"); f.IsValid() {
		out.R = strconv.FormatUint(f.Uint(), 10)
	}
}

// end lets every goroutine of the queue set end.
func (o *operator) end() {
	o.over = true
	for _, r := range o.requests {
		r.cancel()
	}
	synctest.Wait()
	for _, number := range o.ejected {
		delete(o.requests, number)
	}
	for _, r := range o.requests {
		close(r.finish)
	}
	synctest.Wait()
	time.Sleep(time.Hour)
}

// NoGauge drops what it is told; it is a gauge or observer of every release.
type NoGauge struct{}

// Set and the rest drop what they are told.
func (NoGauge) Set(float64) {}

// Add drops it.
func (NoGauge) Add(float64) {}

// Inc drops it.
func (NoGauge) Inc() {}

// Dec drops it.
func (NoGauge) Dec() {}

// Observe drops it.
func (NoGauge) Observe(float64) {}

// SetX1 drops it.
func (NoGauge) SetX1(float64) {}

// SetDenominator drops it.
func (NoGauge) SetDenominator(float64) {}

// SetToCurrentTime drops it.
func (NoGauge) SetToCurrentTime() {}

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

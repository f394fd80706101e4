package queueset

import (
	"context"
	"fmt"
	"time"

	fq "k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	upstream "k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	fcrequest "k8s.io/apiserver/pkg/util/flowcontrol/request"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Real is the real queue set, driven from one goroutine.
type Real struct {
	Clock      Clock
	set        fq.QueueSet
	factory    fq.QueueSetFactory
	integrator fq.Integrator
	// dispatched collects the tags that the operation under way has dispatched.
	dispatched []uint32
	// expiring is the request being ejected: its leaving the queue is no dispatch.
	expiring *RealRequest
}

// RealRequest is one request present in the real queue set.
type RealRequest struct {
	Tag      uint32
	owner    *Real
	request  fq.Request
	context  requestContext
	estimate fcrequest.WorkEstimate
	note     fq.QueueNoteFn
	// release ends the lingering; set by Finish if the seats linger.
	release event
}

// requestContext is never done but for a request that expires.
type requestContext struct {
	context.Context
	done <-chan struct{}
}

// Done implements context.Context.
func (c *requestContext) Done() <-chan struct{} { return c.done }

// over is the Done channel of every expired request.
var over = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// noGauge drops what it is told.
type noGauge struct{}

var _ metrics.RatioedGauge = noGauge{}

func (noGauge) Set(float64)            {}
func (noGauge) Add(float64)            {}
func (noGauge) Inc()                   {}
func (noGauge) Dec()                   {}
func (noGauge) SetToCurrentTime()      {}
func (noGauge) SetDenominator(float64) {}

// NewReal returns a real queue set at a virtual time. It exists from the first
// Configure on. Its demand is integrated if integrate is set.
func NewReal(now time.Duration, integrate bool) *Real {
	r := &Real{}
	r.Clock.now = now
	r.factory = upstream.NewQueueSetFactory(&r.Clock)
	if integrate {
		r.integrator = fq.NewNamedIntegrator(&r.Clock, "demand")
	}
	return r
}

// demandGauge is where the queue set reports its demand.
func (r *Real) demandGauge() metrics.Gauge {
	if r.integrator == nil {
		return noGauge{}
	}
	return r.integrator
}

// Configure sets queues and limit, as the controller does at each change and at each
// adjustment of the limits.
func (r *Real) Configure(cfg fairqueue.Config, limit int) {
	r.begin()
	q := fq.QueuingConfig{
		Name:             "level",
		DesiredNumQueues: cfg.Queues,
		HandSize:         cfg.HandSize,
		QueueLengthLimit: cfg.QueueLengthLimit,
	}
	var completer fq.QueueSetCompleter
	var err error
	if r.set == nil {
		gauges := metrics.RatioedGaugePair{RequestsWaiting: noGauge{}, RequestsExecuting: noGauge{}}
		completer, err = r.factory.BeginConstruction(q, gauges, noGauge{}, r.demandGauge())
	} else {
		completer, err = r.set.BeginConfigChange(q)
	}
	if err != nil {
		panic(fmt.Sprintf("queueset: upstream refuses the configuration %+v: %v", cfg, err))
	}
	r.set = completer.Complete(fq.DispatchingConfig{ConcurrencyLimit: limit, ConcurrencyDenominator: max(limit, 1)})
}

// Arrive brings a request; nil means that it was rejected. Whether and when it is
// dispatched is told by Dispatched.
func (r *Real) Arrive(e fairqueue.Estimate, hash uint64, tag uint32, queued bool) *RealRequest {
	req := r.NewRequest(tag)
	if !r.ArriveInto(req, e, hash, queued) {
		return nil
	}
	return req
}

// ArriveInto is Arrive with a record of the caller's, which a benchmark uses again.
func (r *Real) ArriveInto(req *RealRequest, e fairqueue.Estimate, hash uint64, queued bool) bool {
	r.begin()
	req.estimate = fcrequest.WorkEstimate{
		InitialSeats:      uint64(e.InitialSeats),
		FinalSeats:        uint64(e.FinalSeats),
		AdditionalLatency: e.AdditionalLatency,
	}
	req.context = requestContext{Context: context.Background()}
	request, _ := r.set.StartRequest(&req.context, &req.estimate, hash, "", "schema", nil, nil, req.note)
	if request == nil {
		return false
	}
	req.request = request
	if !queued { // upstream does not call back for what never waited
		r.dispatched = append(r.dispatched, req.Tag)
	}
	return true
}

// NewRequest returns a record for ArriveInto.
func (r *Real) NewRequest(tag uint32) *RealRequest {
	req := &RealRequest{Tag: tag, owner: r}
	req.note = req.noteQueued
	return req
}

// noteQueued is upstream's QueueNoteFn.
func (q *RealRequest) noteQueued(inQueue bool) {
	if !inQueue && q.owner.expiring != q {
		q.owner.dispatched = append(q.owner.dispatched, q.Tag)
	}
}

// Finish ends the execution of a dispatched request and tells when its seats are
// free, and whether they linger until then.
func (r *Real) Finish(req *RealRequest) (freeAt time.Duration, lingers bool) {
	r.begin()
	executed := false
	req.request.Finish(func() { executed = true })
	if !executed {
		panic(fmt.Sprintf("queueset: request %d was taken to be dispatched and is not", req.Tag))
	}
	req.release = r.Clock.take()
	if req.release.fn == nil {
		return r.Clock.now, false
	}
	return req.release.at, true
}

// Release frees the seats of a request at the end of its lingering.
func (r *Real) Release(req *RealRequest) {
	r.begin()
	req.release.fn(r.Clock.Now())
}

// Expire ejects a waiting request, whose context ends now.
func (r *Real) Expire(req *RealRequest) {
	r.begin()
	r.expiring = req
	req.context.done = over
	req.request.Finish(func() {
		panic(fmt.Sprintf("queueset: request %d was taken to wait and executes", req.Tag))
	})
	r.expiring = nil
}

// TakeDemand returns the demand statistics and starts the next period.
func (r *Real) TakeDemand() Demand {
	r.begin()
	res := r.integrator.Reset()
	return Demand{Seconds: res.Duration, Avg: res.Average, StdDev: res.Deviation, Max: res.Max}
}

// Idle tells whether nothing waits or executes.
func (r *Real) Idle() bool { return r.set.IsIdle() }

// Dispatched returns the tags that the last operation has dispatched, in order.
func (r *Real) Dispatched() []uint32 { return r.dispatched }

func (r *Real) begin() { r.dispatched = r.dispatched[:0] }

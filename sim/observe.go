package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Request is what the world knows of one attempt of one request. Observers get a
// pointer to the world's own record: they may read it during the call, and must
// copy what they want to keep.
type Request struct {
	// ID is the line number in a trace, counted from 0, or else the place in the
	// order of arrival.
	ID int64
	// Population, Client and Template tell who sent it: indexes into
	// Config.Populations, the clients of that population, and its requests
	// (-1 for a traced request).
	Population, Client, Template int32
	// Attempt is 0 for the first try and counts the retries after it.
	Attempt int32
	// Schema and Level are indexes into Server.Schemas and Server.Levels, -1 for a
	// long-running request, which passes APF by. They stay what they were on arrival if the
	// configuration changes.
	Schema, Level int32
	// Flow is -1 where the server computes no flow, Queue is -1 where there is none.
	Flow  scheduler.FlowID
	Queue int32
	// Estimate is the one made on arrival.
	Estimate fairqueue.Estimate
	// Execution is how long the request executes once it is dispatched.
	Execution time.Duration
	// WaitLimit is how long it may wait in a queue.
	WaitLimit time.Duration
	// Arrival, Dispatched and Finished are times since the start. Finished is the end
	// of execution or the moment of rejection. The later two are -1 until they come.
	Arrival, Dispatched, Finished time.Duration
	// Reason tells why the request was rejected, NotRejected if it was not.
	Reason fairqueue.Reason
	// RetryAfter is the header's value of a rejection, in seconds.
	RetryAfter int32
}

// Wait returns how long the request waited: until its dispatch or its rejection.
func (r *Request) Wait() time.Duration {
	if r.Dispatched >= 0 {
		return r.Dispatched - r.Arrival
	}
	return r.Finished - r.Arrival
}

// ClientEvent is something that happens to a client and not to a request.
type ClientEvent uint8

// The client events.
const (
	// Retried: a rejected request will be sent again.
	Retried ClientEvent = iota
	// GaveUp: a rejected request will not be sent again.
	GaveUp
	// LeaseRenewed: a leader election lease was renewed in time.
	LeaseRenewed
	// LeaseLost: the renew deadline passed without a successful renewal.
	LeaseLost
)

// Observer is told everything that happens, in the order of the events. The world
// calls it from one goroutine; it must not change anything that it is shown.
//
// At one event the world first lets the server decide and then tells the outcomes,
// so a call sees the server's state after the whole event.
type Observer interface {
	// Start is called once, before the first event.
	Start(w *World)
	// Arrived is called for every attempt, once classified and estimated. Exactly one
	// of Rejected, Dispatched or nothing (it waits) follows at the same time.
	Arrived(now time.Duration, r *Request)
	// Dispatched is called when the request starts to execute.
	Dispatched(now time.Duration, r *Request)
	// Rejected is called when the request is answered with 429.
	Rejected(now time.Duration, r *Request)
	// Finished is called at the end of execution; its seats may linger.
	Finished(now time.Duration, r *Request)
	// Released is called when the seats of the request are free: right after Finished,
	// or when the additional latency is over. Long-running requests hold no seats and
	// get no call.
	Released(now time.Duration, r *Request)
	// Adjusted is called after the limits of all levels were adjusted, at time 0 for
	// the first time.
	Adjusted(now time.Duration)
	// Reconfigured is called after the server has put another configuration into force, or
	// has ended a level that was quiescing; Server.Changes tells what has changed. The limits
	// of all levels were adjusted with it, and no call of Adjusted follows.
	Reconfigured(now time.Duration)
	// Client is called for what happens to a client of a population.
	Client(now time.Duration, e ClientEvent, population, client int32)
	// End is called once, after the last event; partial tells that the run was
	// stopped before its end.
	End(now time.Duration, partial bool)
}

// Silent is an Observer that ignores everything. Embed it to observe a few things.
type Silent struct{}

var _ Observer = Silent{}

// Start does nothing.
func (Silent) Start(*World) {}

// Arrived does nothing.
func (Silent) Arrived(time.Duration, *Request) {}

// Dispatched does nothing.
func (Silent) Dispatched(time.Duration, *Request) {}

// Rejected does nothing.
func (Silent) Rejected(time.Duration, *Request) {}

// Finished does nothing.
func (Silent) Finished(time.Duration, *Request) {}

// Released does nothing.
func (Silent) Released(time.Duration, *Request) {}

// Adjusted does nothing.
func (Silent) Adjusted(time.Duration) {}

// Reconfigured does nothing.
func (Silent) Reconfigured(time.Duration) {}

// Client does nothing.
func (Silent) Client(time.Duration, ClientEvent, int32, int32) {}

// End does nothing.
func (Silent) End(time.Duration, bool) {}

package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/workload"
)

// Request is what the world knows of one attempt of one request. Observers get a
// pointer to the world's own record: they may read it during the call, and must
// copy what they want to keep.
type Request struct {
	// Server is the number of the API server, -1 until one is chosen.
	Server int32
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
	// Subject and Target are who asks for what, and Name the object's, as the servers know them.
	Subject scheduler.SubjectID
	Target  scheduler.TargetID
	Name    string
	// Options are the list options as its client has put them, and Timeout the deadline that it
	// has asked for, 0 if none.
	Options *workload.RawOptions
	Timeout time.Duration
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
	// Status is how the execution ended, once it has.
	Status workload.Status
	// Late tells that the server went on when the time of the request was over, and its client
	// had been told so.
	Late bool
	// Alone is how long it would execute if nothing else was going on in the backend, and
	// InStorage how long it has been waiting for etcd; both 0 without a backend.
	Alone, InStorage time.Duration
	// Watch tells that it is a watch, Mutating that it is no watch, get or list.
	Watch, Mutating bool
	// Calls is for how much of the time since its dispatch it has waited for what it has called
	// for, once that is over.
	Calls time.Duration
}

// Work returns how long the request would execute if nothing else was going on: for as long as
// it does, without a backend.
func (r *Request) Work() time.Duration { return max(r.Execution, r.Alone) }

// Wait returns how long the request waited: until its dispatch or its rejection.
func (r *Request) Wait() time.Duration {
	if r.Dispatched >= 0 {
		return r.Dispatched - r.Arrival
	}
	return r.Finished - r.Arrival
}

// ClientEvent is something that happens to a client and not to a request.
type ClientEvent = workload.ClientEvent

// Refusal is why an attempt never reached the APF of a server.
type Refusal uint8

// The refusals.
const (
	// NoServer: the balancer has no server to send it to, or the one that it chose is down.
	NoServer Refusal = iota
	// GatewayRate and GatewayInFlight: a limit of a rule of the gateway was reached.
	GatewayRate
	GatewayInFlight
	// GatewayDegraded: the gateway does not let this kind of request pass for the time being.
	GatewayDegraded
	// GatewayNoRule: no rule of the gateway is for this kind of request.
	GatewayNoRule
	// Refusals is how many there are.
	Refusals
)

// String returns a short name.
func (r Refusal) String() string {
	return [...]string{"no-server", "gateway-rate", "gateway-in-flight", "gateway-degraded", "gateway-no-rule"}[r]
}

// Operation is something that a client wanted done, at its end: one request, and all attempts
// at it.
type Operation struct {
	// Population, Client and Template are as in Request.
	Population, Client, Template int32
	// Attempts counts how often it was sent, or would have been: those that no server could
	// be found for count too.
	Attempts int32
	// Began is when the client wanted it, before its own limiter.
	Began time.Duration
	// Throttled is how long the client's own limiter has held it back.
	Throttled time.Duration
	// Paused is how long the client has waited between attempts, as its retry policy says.
	Paused time.Duration
	// Queued and Executing are how long its attempts have waited in queues, and have executed
	// while the client waited for them. What is left of the time since Began was spent on the
	// way.
	Queued, Executing time.Duration
	// Unsent tells that it ended while it waited to be sent, for the first time or again.
	Unsent bool
	// Status is how it ended.
	Status workload.Status
}

// ServerEvent is something that happens to an API server.
type ServerEvent uint8

// The server events.
const (
	// ServerStopped: the server is gone, with all that was in flight.
	ServerStopped ServerEvent = iota
	// ServerDraining: the server takes no new requests and finishes those that it has.
	ServerDraining
	// ServerStarted: the server serves requests.
	ServerStarted
	// CacheReady: the watch cache of a server that has started is filled.
	CacheReady
	// OutOfMemory: the server was killed because it needed more memory than it may have; that
	// it has stopped is told after that.
	OutOfMemory
)

// String returns a short name.
func (e ServerEvent) String() string {
	return [...]string{"stopped", "draining", "started", "cache-ready", "out-of-memory"}[e]
}

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
	// WatchEnded is called when a watch ends that a request has opened, be it before the request
	// has finished its initialisation. A watch that outlives the run has no call.
	WatchEnded(now time.Duration, id int64, server int32)
	// Refused is called for an attempt that reaches no server. Nothing else is called for it:
	// it has no schema, no level and no queue, and its Server is -1 unless one was chosen.
	Refused(now time.Duration, r *Request, why Refusal)
	// Cut is called for each request in a server that stops. It waited, executed, or its seats
	// lingered, as Dispatched and Finished tell, and nothing else is called for it.
	Cut(now time.Duration, r *Request)
	// Concluded is called when an operation ends: after Finished, Rejected, Refused or Cut of
	// its last attempt, or when its client gives it up.
	Concluded(now time.Duration, o *Operation)
	// Adjusted is called after the limits of all levels of a server were adjusted, at time 0
	// for the first time.
	Adjusted(now time.Duration, server int32)
	// Reconfigured is called after a server has put another configuration into force, or
	// has ended a level that was quiescing; Server.Changes tells what has changed. The limits
	// of all levels were adjusted with it, and no call of Adjusted follows.
	Reconfigured(now time.Duration, server int32)
	// Server is called for what happens to a server. All servers that are there at the
	// beginning have started at time 0, and no call tells so.
	Server(now time.Duration, e ServerEvent, server int32)
	// Client is called for what happens to a client of a population; the value is as with the
	// declaration of the event.
	Client(now time.Duration, e ClientEvent, population, client int32, value time.Duration)
	// Inverted is called when a request that another one has called for, and that had to wait in
	// a queue for some time, does not wait there any more: the caller has held its seats for
	// that time while others were served before the called one. The levels of the two may be
	// the same. When the caller ends first, the called one leaves its queue after this call.
	Inverted(now time.Duration, caller, called *Request, wait time.Duration)
	// Stuck is called when a deadlock is found, and once more when it is over and all requests
	// that were caught in it have gone on or failed, or when the run ends. It is the same
	// Deadlock both times, an observer may keep it, and its Ended and By tell how it ended.
	Stuck(now time.Duration, d *Deadlock)
	// Look is called at each time of Config.Looks, after all events of that time, unless the run
	// is over before. What an observer sees of the world then is its state at that time.
	Look(now time.Duration)
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

// WatchEnded does nothing.
func (Silent) WatchEnded(time.Duration, int64, int32) {}

// Refused does nothing.
func (Silent) Refused(time.Duration, *Request, Refusal) {}

// Cut does nothing.
func (Silent) Cut(time.Duration, *Request) {}

// Concluded does nothing.
func (Silent) Concluded(time.Duration, *Operation) {}

// Adjusted does nothing.
func (Silent) Adjusted(time.Duration, int32) {}

// Reconfigured does nothing.
func (Silent) Reconfigured(time.Duration, int32) {}

// Server does nothing.
func (Silent) Server(time.Duration, ServerEvent, int32) {}

// Client does nothing.
func (Silent) Client(time.Duration, ClientEvent, int32, int32, time.Duration) {}

// Inverted does nothing.
func (Silent) Inverted(time.Duration, *Request, *Request, time.Duration) {}

// Stuck does nothing.
func (Silent) Stuck(time.Duration, *Deadlock) {}

// Look does nothing.
func (Silent) Look(time.Duration) {}

// End does nothing.
func (Silent) End(time.Duration, bool) {}

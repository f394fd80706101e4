package workload

import "time"

// Behaviour is how the clients of a population behave, where neither an arrival process nor
// a closed loop can tell it: an informer, a node, a controller. It is data, and shared by all
// replications of a run; what changes is in the Machine that it makes.
type Behaviour interface {
	// Machine returns the machine of one run, for a number of clients that have these requests.
	Machine(clients int, requests []Template) Machine
	// Validate returns all that is wrong with the data, each a *FieldError.
	Validate() []error
	// Requests is the least number of requests that the population has to have: the machine
	// sends them by their index.
	Requests() int
	// String returns the behaviour as a scenario file has it.
	String() string
}

// Machine is the state of all clients of a population. The simulation calls it when
// something happens to one of them, and the machine tells the world what the client does
// then. What it asks for happens after the call, so it may ask in any order. Nothing is
// called for an operation that the machine has withdrawn.
type Machine interface {
	// Start begins the life of a client, once, at time 0.
	Start(w World, client int32)
	// Due is called at the time of a Wake. A machine that has changed its mind compares the
	// time with its own state: calls cannot be taken back.
	Due(w World, client, timer int32)
	// Answered ends an operation: with OK, or when it will not be sent again.
	Answered(w World, client int32, op Operation, a Answer)
	// WatchEnded is called when a watch ends that had been opened and that the client has not
	// closed itself: the connection broke, or the server went away.
	WatchEnded(w World, client, request int32, a Answer)
}

// Operation names something that a client wants done: one request, and all attempts at it.
// It is made of an index and a serial number, and is never 0.
type Operation uint64

// World is what a machine can learn and do. Simulations are worlds, and tests.
type World interface {
	// Now is the time.
	Now() time.Duration
	// Random is the stream from which a client draws what it decides.
	Random(client int32) *Stream
	// Send begins an operation: one of the population's requests, sent at a time, which may be
	// now, through the client's limiter. A watch or LIST asks for what is newer than since.
	Send(client, request int32, at, since time.Duration) Operation
	// Withdraw ends an operation: it is not sent, or its connection is closed, and the server
	// is told.
	Withdraw(op Operation)
	// CloseWatch ends the open watch of a request, if there is one.
	CloseWatch(client, request int32)
	// Wake calls Due at a time, which may be now, with the number of a timer.
	Wake(client, timer int32, at time.Duration)
	// Tell tells the observers what has happened to a client, and a duration that belongs to it.
	Tell(client int32, e ClientEvent, value time.Duration)
}

// ClientEvent is something that happens to a client and not to a request.
type ClientEvent uint8

// The client events. The value that comes with one is 0 unless said otherwise.
const (
	// Retried: an attempt that failed will be followed by another one.
	Retried ClientEvent = iota
	// GaveUp: an attempt that failed will not be followed by another one.
	GaveUp
	// LeaseRenewed: a leader election lease was renewed in time.
	LeaseRenewed
	// LeaseLost: the renew deadline passed without a successful renewal.
	LeaseLost
	// Throttled: the client's own limiter has held an attempt back, for the value.
	Throttled
	// Restarted: the process of the client has ended and begins anew.
	Restarted
	// Synced: the client has listed what it watches; the value is the time since it began to.
	Synced
	// Relisted: the client could not go on with its watch and begins with a LIST again.
	Relisted
	// BecameNotReady: a node's heartbeats have been missing for the grace period; the value is
	// the time since the last one.
	BecameNotReady
	// BecameReady: a heartbeat of a node that was not ready has arrived; the value is for how
	// long it was not.
	BecameReady
	// Dropped: the client has thrown away what it had to tell (an event, a key of its queue).
	Dropped
	// ClientEvents is how many kinds there are.
	ClientEvents
)

// clientEvents are the names of the events, in their order.
var clientEvents = [ClientEvents]string{
	"retried", "gave-up", "lease-renewed", "lease-lost", "throttled", "restarted", "synced", "relisted", "not-ready", "ready", "dropped",
}

// String returns a short name.
func (e ClientEvent) String() string { return clientEvents[e] }

package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/limiter"
)

// Population is a number of identical clients. Exactly one of Open, Closed, Behaviour,
// Called, Trace and Present tells when they send.
type Population struct {
	// Name identifies the population, also in the names of its random streams.
	Name string
	// Preset names the preset that it was made from, "" for none.
	Preset string
	// Clients is how many there are. A trace has no clients of its own: 0.
	Clients int
	// User may contain {index}, the number of the client from 0; Groups are verbatim,
	// none is implied. A trace brings its own.
	User   string
	Groups []string
	// Requests are what a client sends, chosen by weight. A trace brings its own.
	Requests []Template
	// Duration is how long a request executes, unless its template says so itself.
	Duration Distribution
	// Retry is the reaction to a rejection.
	Retry Retry
	// Limiter is each client's own rate limit, through which every attempt goes; nil is none.
	Limiter *limiter.Limiter
	// Timeout is how long the client waits for an operation with all its attempts, from the
	// first one on; 0 is for ever. It is also what it asks the server for, where the template says
	// nothing. (client-go's rest.Config.Timeout.)
	Timeout time.Duration
	// Deadline tells what a server does with a request that executes when its time is over.
	Deadline Deadline

	// Open: requests arrive whatever the answers are, for each client.
	Open *Arrivals
	// Closed: each client keeps a number of requests in flight.
	Closed *Closed
	// Behaviour: each client is a state machine.
	Behaviour Behaviour
	// Called: the clients send when a request of another population calls them (Template.Calls).
	Called bool
	// Trace: recorded requests.
	Trace *Trace
	// Present: the requests that are there when a run begins. Nobody sends anything.
	Present bool
}

// Steady tells that the population asks for as much at any time, once it has begun: of one that
// is not, no part of a run stands for the rest of it.
func (p *Population) Steady() bool {
	switch {
	case p.Open != nil:
		return p.Open.Kind == KindPoisson || p.Open.Kind == KindPeriodic
	case p.Behaviour != nil:
		switch p.Behaviour.(type) {
		case Lease, Heartbeat:
			return true
		}
		return false
	}
	return p.Closed != nil || p.Called
}

// Deadline tells what becomes of a request that executes when its deadline comes: the time
// that the client asked for, the server's own request timeout, or the end of the client's
// patience.
type Deadline uint8

// The ways to treat a deadline.
const (
	// NoDeadline lets execution and client go on as if there were none: an execution time is
	// then a fact, as in a trace.
	NoDeadline Deadline = iota
	// DeadlineStops ends the execution: what waits for storage heeds its context. The client
	// is told TimedOut.
	DeadlineStops
	// DeadlineIgnored tells the client TimedOut, while the server goes on and holds the seats:
	// what encodes a large answer does not look at its context.
	DeadlineIgnored
)

// String returns the name that scenario files use.
func (d Deadline) String() string { return [...]string{"none", "stops", "ignored"}[d] }

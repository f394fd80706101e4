package dump

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// State is what the pages of one server show at one moment. Its levels are in the order of their
// names.
type State struct {
	// Minor is the minor release of the server, 37 for 1.37.
	Minor  int
	Levels []Level
}

// Level is a priority level.
type Level struct {
	Name string
	// Bare tells that the level has no queue set: it is exempt, up to 1.27.
	Bare                                      bool
	Idle, Quiescing                           bool
	Waiting, Executing                        int
	Dispatched, Rejected, TimedOut, Cancelled int
	Queues                                    []Queue
	// Queueless are the requests that execute and have never been in a queue.
	Queueless []Request
}

// Queue is one queue of a level.
type Queue struct {
	// Waiting are in the order of the queue.
	Waiting, Executing []Request
	fairqueue.QueueState
	// VirtualStart is shown up to 1.22.
	VirtualStart float64
}

// Request is a request that waits or executes.
type Request struct {
	FlowSchema, Flow string
	// Arrival is when it arrived, Start when it was dispatched: zero while it waits.
	Arrival, Start time.Time
	// Estimate is trimmed to the limit at the dispatch.
	Estimate fairqueue.Estimate
	Details
}

// Details are what a page shows of a request if they are asked for.
type Details struct {
	User, Verb, Path, Namespace, Name     string
	Group, Version, Resource, Subresource string
}

package dump

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// State is what the pages of one server show at one moment. Its levels are in the order of their
// names.
type State struct {
	// Minor is the minor release of the server, 37 for 1.37.
	Minor int
	// Now is the moment, and NextAdjustment when the limits are adjusted next, since the start of
	// the run.
	Now, NextAdjustment time.Duration
	Levels              []Level
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
	// Lingering have executed and hold their seats. No page of the server shows them.
	Lingering []Lingering
	// Saved is the state of the level, as it can be restored. Lends tells that the release adjusts
	// limits.
	Saved scheduler.LevelMoment
	Lends bool
}

// Lingering is a request whose seats linger, with its queue, -1 for none.
type Lingering struct {
	Request
	Queue int
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
	// WaitLimit is how long it may wait in all, Rest how long it goes on to execute or to linger, or will
	// execute once dispatched. The server's pages do not show them.
	WaitLimit, Rest time.Duration
	// Order is the place in the order of dispatch, or of arrival while it waits.
	Order int64
	Details
}

// Details are what a page shows of a request if they are asked for.
type Details struct {
	User, Verb, Path, Namespace, Name     string
	Group, Version, Resource, Subresource string
}

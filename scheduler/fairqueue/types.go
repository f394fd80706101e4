package fairqueue

import "time"

// Estimate is the work that a request is expected to bring, before it runs:
// the seats it needs while it executes, and the seats that its after-effects
// (notifying watchers) hold for a while longer.
// It is upstream's WorkEstimate (pkg/util/flowcontrol/request/width.go).
type Estimate struct {
	// InitialSeats are held while the request executes; at least 1.
	InitialSeats int
	// FinalSeats are what the after-effects are worth; 0 means none.
	FinalSeats int
	// AdditionalLatency is how long the seats stay taken after the execution.
	AdditionalLatency time.Duration
}

// Width is the number of seats that the request occupies from its dispatch until
// its seats are free: the larger of the two phases, for both of them.
func (e Estimate) Width() int { return max(e.InitialSeats, e.FinalSeats) }

// Unlimited as Config.Queues makes a set that admits everything at once: the
// exempt level, whose seats are counted and never limited.
const Unlimited = -1

// Config is the queuing configuration of one priority level.
type Config struct {
	// Queues is the number of queues: positive for queuing, 0 for a level that
	// rejects at its limit, Unlimited for the exempt level.
	Queues int
	// HandSize is the number of queues dealt to each flow.
	HandSize int
	// QueueLengthLimit is how many requests may wait in one queue.
	QueueLengthLimit int
}

// Reason tells why a request was rejected, in the words of the `reason` label of
// apiserver_flowcontrol_rejected_requests_total.
type Reason uint8

// The reasons for a rejection.
const (
	NotRejected Reason = iota
	QueueFull
	ConcurrencyLimit
	TimeOut
)

// String returns the label value, "" for NotRejected.
func (r Reason) String() string {
	return [...]string{"", "queue-full", "concurrency-limit", "time-out"}[r]
}

// Handle names a request that is present in a Set, from Arrive until its seats are
// free or it has been ejected. Handles are small and are used again.
type Handle int32

// None is no handle: the request was rejected on arrival.
const None Handle = -1

// Dispatch is one request that left its queue, or never had to wait, and executes
// from now on.
type Dispatch struct {
	Handle Handle
	// Tag is what the caller gave at Arrive.
	Tag uint32
}

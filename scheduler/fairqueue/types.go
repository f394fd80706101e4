package fairqueue

import (
	"fmt"
	"time"
)

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

// Trimmed returns the estimate as it is after the dispatch from a queue under a limit: final seats
// above the limit are trimmed to it, and the latency is stretched to match.
func (e Estimate) Trimmed(limit int) Estimate {
	if e.FinalSeats > limit {
		e.AdditionalLatency = latencyPerSeat(e, limit)
		e.FinalSeats = limit
	}
	return e
}

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
	// WaitLimit is how long a request may have waited in a queue when another one arrives
	// there: the older ones are ejected then, and at no other time. With 0 nothing is.
	// Releases up to 1.28.4 limit waits in this way.
	WaitLimit time.Duration
}

// check panics if the configuration is impossible.
func (c Config) check() {
	if c.Queues > 0 && (c.HandSize < 1 || c.HandSize > c.Queues || c.QueueLengthLimit < 1 || c.WaitLimit < 0) {
		panic(fmt.Sprintf("fairqueue: hand of %d from %d queues of length %d, wait limit %v", c.HandSize, c.Queues, c.QueueLengthLimit, c.WaitLimit))
	}
}

// Reason tells why a request was rejected, in the words of the `reason` label of
// apiserver_flowcontrol_rejected_requests_total, and one of our own.
type Reason uint8

// The reasons for a rejection.
const (
	NotRejected Reason = iota
	QueueFull
	ConcurrencyLimit
	// TimeOut: it waited for too long.
	TimeOut
	// Cancelled: its context ended while it waited, in releases that tell that apart from
	// TimeOut.
	Cancelled
	// Ejected: the same in older releases, in which no metric counts it.
	Ejected
	// Reasons is their number, NotRejected included.
	Reasons int = iota
)

// Waited tells that a request which was rejected for this reason had been in a queue.
func (r Reason) Waited() bool { return r >= TimeOut }

// String returns the label value, "" for NotRejected and "ejected" for Ejected.
func (r Reason) String() string {
	return [...]string{"", "queue-full", "concurrency-limit", "time-out", "cancelled", "ejected"}[r]
}

// Handle names a request that is present in a Set, from Arrive until its seats are
// free or it has been ejected. Handles are small and are used again.
type Handle int32

// None is no handle: the request was rejected on arrival.
const None Handle = -1

// Dispatch is one request that left its queue, or never had to wait, and executes
// from now on; among those Ejected it is one that left its queue for good.
type Dispatch struct {
	// Handle names the request.
	Handle Handle
	// Tag is what the caller gave at Arrive.
	Tag uint32
}

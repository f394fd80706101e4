package fairqueue

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// Rules are how the queue sets of a release of kube-apiserver work. The zero value is
// that of the oldest releases. Package release knows which rules belong to which release.
type Rules struct {
	// SeatSeconds tells that virtual time is counted in whole SeatSeconds, that the queue
	// with the least work waiting is chosen for a request, and that a request is guessed to
	// last 3 ms. Otherwise it is seconds in floating point, the queue with the fewest seats
	// waiting, and a minute.
	SeatSeconds bool
	// BoundsExpiry tells that an expiry, too, keeps a queue from being dispatched from before
	// its head arrived. It was forgotten at first.
	BoundsExpiry bool
}

// QueueSet is the queue set of one priority level. It is passive: it never reads a clock,
// is told the time by each call, and times must not go back. It is not safe for concurrent
// use. What its methods promise is told at those of Set.
type QueueSet interface {
	Configure(now time.Duration, cfg Config, limit int) []Dispatch
	Arrive(now time.Duration, e Estimate, hand []int32, tag uint32) (Handle, int, Reason, []Dispatch)
	Ejected() []Dispatch
	Finish(now time.Duration, h Handle) (freeAt time.Duration, lingers bool, out []Dispatch)
	Release(now time.Duration, h Handle) []Dispatch
	Expire(now time.Duration, h Handle)
	Tag(h Handle) uint32
	Waiting(h Handle) bool
	Idle() bool
	TakeDemand(now time.Duration) borrowing.Demand
	State() State
	QueueState(index int) QueueState
	// VirtualStart is the virtual time at which the next request of a queue begins, in seconds; 0
	// in releases that count in SeatSeconds.
	VirtualStart(index int) float64
	Panics() int
	// RecordDispatches makes Progress tell of dispatches, from now on.
	RecordDispatches()
	Progress() Progress
	// QueueLength is the number of requests in the queue of the one that was put into a queue last,
	// itself included, before any of them was dispatched.
	QueueLength() int
	// Save returns the state of the set, and Restore puts a new one into it.
	Save() Saved
	Restore(m *Saved) []Handle
	// Refused is the request that the last call did not dispatch although it was its turn, because
	// it did not fit; None if there was none.
	Refused() Handle
}

var (
	_ QueueSet = (*Set)(nil)
	_ QueueSet = (*secondsSet)(nil)
)

// New returns a set of a release, without queues and with a limit of 0, which Configure
// has to set before the first request.
func New(now time.Duration, r Rules) QueueSet {
	if r.SeatSeconds {
		return NewSet(now, r)
	}
	return newSecondsSet(now)
}

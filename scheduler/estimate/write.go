package estimate

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Upstream's constants (request/mutating_work_estimator.go and config.go).
const (
	watchersPerSeat = 10
	writeSeatsLimit = 10
	// notifyTime is how long a seat is busy with notifying its watchers.
	notifyTime = 5 * time.Millisecond
)

// Write estimates a create, update, patch or delete of an object that so many
// watchers are interested in, as WatchCounts.Interested tells. maxSeats is the limit
// of the priority level, 0 if it sets none.
//
// With ten watchers and more the write goes on to hold seats after its execution: one
// for each ten watchers, rounded up, for 5 ms. If these are more than ten, or than the
// level's limit, fewer of them are held for longer, so that the work stays the same.
func (r *Rules) Write(watchers, maxSeats int) fairqueue.Estimate {
	e := fairqueue.Estimate{InitialSeats: minSeats}
	if !r.Writes || watchers < watchersPerSeat {
		return e
	}
	seats := (watchers + watchersPerSeat - 1) / watchersPerSeat
	work := fairqueue.SeatsTimesDuration(float64(seats), notifyTime)
	e.FinalSeats = min(seats, limited(maxSeats, writeSeatsLimit))
	e.AdditionalLatency = work.DurationPerSeat(float64(e.FinalSeats))
	return e
}

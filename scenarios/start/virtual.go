package start

import (
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/retryafter"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// guess is what a queue is charged for at a dispatch: estimatedServiceDuration upstream.
const guess = 3 * time.Millisecond

// virtualTime sets R and all that is measured on its axis.
func (k *maker) virtualTime(out *sim.StartLevel, l *dump.Level) {
	set := &out.Moment.Set
	set.R, set.Virtual = fairqueue.SeatSeconds(l.R), l.Virtual
	if l.Whole != nil {
		set.Synced = k.since(l.Whole.Synced)
	}
	if !l.KnowsR && len(set.Queues) > 0 {
		k.account.Assume(AssumedR)
		set.R, set.Virtual = estimateR(set), estimateVirtual(set)
	}
	if !k.seatSeconds {
		return
	}
	// Whoever waits arrived before now and after the one before it in its queue, and a queue is not
	// dispatched from before its head has arrived.
	speed := speedOf(set, limitOf(l, set))
	queue, last := -1, fairqueue.SeatSeconds(0)
	for i := range set.Requests {
		r := &set.Requests[i]
		if r.Phase != fairqueue.Waits {
			break
		}
		if l.Whole == nil {
			r.ArrivalR = set.R - min(fairqueue.SeatsTimesDuration(speed, -r.Started), set.R)
		}
		head := r.Queue != queue
		queue = r.Queue
		if head {
			r.ArrivalR = min(r.ArrivalR, set.Queues[queue].NextDispatchR)
		} else {
			r.ArrivalR = max(r.ArrivalR, last)
		}
		last = r.ArrivalR
	}
}

// limitOf is the limit in force, or else what is in use.
func limitOf(l *dump.Level, set *fairqueue.Saved) int {
	if l.Limit >= 0 {
		return l.Limit
	}
	used, _ := seats(set)
	return used
}

// seats are those in use and those waited for.
func seats(set *fairqueue.Saved) (used, waited int) {
	for i := range set.Requests {
		if r := &set.Requests[i]; r.Phase == fairqueue.Waits {
			waited += r.Estimate.Width()
		} else {
			used += r.Estimate.Width()
		}
	}
	return used, waited
}

// speedOf is how fast R goes under a limit.
func speedOf(set *fairqueue.Saved, limit int) float64 {
	active := map[int]bool{}
	for i := range set.Requests {
		if r := &set.Requests[i]; r.Queue >= 0 && r.Phase != fairqueue.Lingers {
			active[r.Queue] = true
		}
	}
	if len(active) == 0 {
		return 0
	}
	used, waited := seats(set)
	return float64(min(used+waited, limit)) / float64(len(active))
}

// had is what a queue has had of the axis of R.
type had struct {
	seatSeconds fairqueue.SeatSeconds
	seconds     float64
	waits, busy bool
}

// hads tells of each queue what it has had: what it was charged for, and what its executing requests
// have used beyond that.
func hads(set *fairqueue.Saved) []had {
	all := make([]had, len(set.Queues))
	for i := range all {
		all[i].seatSeconds, all[i].seconds = set.Queues[i].NextDispatchR, set.Queues[i].VirtualStart
	}
	for i := range set.Requests {
		r := &set.Requests[i]
		if r.Queue < 0 || r.Queue >= len(all) {
			continue
		}
		h := &all[r.Queue]
		switch r.Phase {
		case fairqueue.Waits:
			h.waits = true
		case fairqueue.Executes:
			h.busy = true
			h.seatSeconds += fairqueue.SeatsTimesDuration(float64(r.Estimate.InitialSeats), -r.Started-guess)
			// Up to 1.22 a queue is charged for a minute, which is the guess of then.
			h.seconds += float64(float64(r.Estimate.InitialSeats) * (-r.Started - time.Minute).Seconds())
		}
	}
	return all
}

// estimateR is the median of what the queues have had in which something waits, or else of those that
// execute something; without any it is the furthest place of a queue.
func estimateR(set *fairqueue.Saved) fairqueue.SeatSeconds {
	all := hads(set)
	for _, of := range []func(h *had) bool{func(h *had) bool { return h.waits }, func(h *had) bool { return h.busy }} {
		var list []fairqueue.SeatSeconds
		for i := range all {
			if of(&all[i]) {
				list = append(list, all[i].seatSeconds)
			}
		}
		if len(list) > 0 {
			slices.Sort(list)
			return list[len(list)/2]
		}
	}
	most := fairqueue.SeatSeconds(0)
	for i := range all {
		most = max(most, all[i].seatSeconds)
	}
	return most
}

// estimateVirtual is the same in seconds.
func estimateVirtual(set *fairqueue.Saved) float64 {
	all := hads(set)
	for _, of := range []func(h *had) bool{func(h *had) bool { return h.waits }, func(h *had) bool { return h.busy }} {
		var list []float64
		for i := range all {
			if of(&all[i]) {
				list = append(list, all[i].seconds)
			}
		}
		if len(list) > 0 {
			slices.Sort(list)
			return list[len(list)/2]
		}
	}
	most := 0.0
	for i := range all {
		most = max(most, all[i].seconds)
	}
	return most
}

// demand sets the statistics of the seat demand. Without any that of the moment has lasted.
func (k *maker) demand(out *sim.StartLevel, l *dump.Level) {
	set := &out.Moment.Set
	used, waited := seats(set)
	now := float64(used + waited)
	set.Demand = borrowing.Sums{Value: now, Max: now}
	out.Moment.Stats = borrowing.Stats{Avg: now, Smoothed: now, HighWatermark: used + waited}
	if l.KnowsDemand {
		d := &l.Demand
		out.Moment.Stats = borrowing.Stats{Avg: d.Average, StdDev: d.StdDev, Smoothed: d.Smoothed, HighWatermark: d.HighWatermark}
	}
	if w := l.Whole; w != nil {
		set.Trimmed = w.Trimmed
		set.Demand = borrowing.Sums{Since: k.since(w.Since), Value: now + float64(w.Trimmed), Max: w.Max, Seconds: w.Seconds, Integral: w.Integral, Squares: w.Squares}
	}
	if l.Limit < 0 {
		k.account.Assume(AssumedLimits)
	}
}

// rest sets what is left: where the round robin is, how many hands were dealt, and what was rejected.
func (k *maker) rest(out *sim.StartLevel, l *dump.Level) {
	set, fraction := &out.Moment.Set, time.Duration(k.at.Nanosecond())
	out.Moment.RetryAfter = retryafter.Saved{Fraction: fraction, Raised: dump.Unknown}
	if w := l.Whole; w != nil {
		set.Robin, set.Arrivals = w.Robin, w.Enqueued
		out.Moment.RetryAfter.Answer, out.Moment.RetryAfter.Raised = w.RetryAfter, int64(w.Raised)
		for _, d := range w.Drops {
			out.Moment.RetryAfter.Recent = append(out.Moment.RetryAfter.Recent, retryafter.Drops{Ago: d.Ago, Count: d.Count})
		}
		return
	}
	k.account.Assume(AssumedRetryAfter)
	if len(set.Queues) == 0 {
		return
	}
	k.account.Assume(AssumedRobin)
	latest := time.Duration(-1 << 62)
	for i := range set.Requests {
		if r := &set.Requests[i]; r.Phase == fairqueue.Executes && r.Queue >= 0 && r.Started >= latest {
			latest, set.Robin = r.Started, r.Queue
		}
	}
	if l.Dispatched < 0 || l.Rejected < 0 {
		k.account.Assume(AssumedEnqueued)
		return
	}
	set.Arrivals = l.Dispatched + l.Rejected + max(l.Waiting, 0)
}

package sim

import (
	"time"

	"github.com/apfsim/apfsim/workload"
)

// stage is how far the execution of a request has come.
type stage uint8

const (
	// stageWork: it does its own work.
	stageWork stage = iota
	// stageCalls: it waits for what it has called for.
	stageCalls
)

// execute begins the execution of a request that was dispatched.
func (w *World) execute(slot int32) {
	if w.graph.used && len(w.calls(&w.slots[slot])) > 0 {
		w.beginCalls(slot)
		return
	}
	w.work(slot)
}

// work lets a request do its own work.
func (w *World) work(slot int32) {
	r := &w.slots[slot]
	begin := w.now
	if w.now < w.servers[r.Server].cacheFrom {
		var rejected bool
		if begin, rejected = w.fillCache(r); rejected {
			w.finishAt(slot, w.now)
			return
		}
		if w.behind != nil && r.list && begin == w.now {
			w.priceFromStorage(slot)
		}
	}
	if r.watch {
		w.openWatch(r)
	}
	if w.behind != nil {
		w.beginJob(slot, begin)
		return
	}
	end := begin + r.Execution
	if r.limit > 0 && end > r.limit {
		end = w.cutShort(slot, end)
	}
	w.finishAt(slot, end)
}

// stageEnded is the end of what an executing request was doing.
func (w *World) stageEnded(slot int32, order uint64) {
	r := &w.slots[slot]
	if r.pending != order {
		w.background--
		return
	}
	switch {
	case r.stage == stageCalls:
		r.pending = 0
		w.nextCalls(slot)
	case w.hasJob(slot):
		r.pending = 0
		w.nextStep(slot)
	default:
		w.finish(slot)
	}
}

// leaveStage takes a request out of what it is doing, for good.
func (w *World) leaveStage(slot int32) {
	r := &w.slots[slot]
	w.forget(r)
	switch {
	case r.stage == stageCalls:
		w.leaveCalls(slot)
	case w.hasJob(slot):
		w.leaveJob(slot)
	}
}

// limitExecution notes when a request that has arrived will be over at the latest: when its
// client's patience ends, and where deadlines count, when the server's time for it does.
// Long-running requests have no deadline.
func (w *World) limitExecution(r *slotRecord, timeout time.Duration) {
	r.limit = r.errand.patience
	def := w.populations[r.Population].def
	if def.Deadline == workload.NoDeadline || r.watch || r.Level < 0 {
		return
	}
	allowed := w.cfg.Scheduler.RequestTimeout
	if timeout > 0 {
		allowed = min(allowed, timeout)
	}
	if end := r.Arrival + allowed; r.limit == 0 || end < r.limit {
		r.limit = end
	}
}

// cutShort decides when the execution of a request ends that would take longer than it may.
func (w *World) cutShort(slot int32, end time.Duration) time.Duration {
	r := &w.slots[slot]
	if w.populations[r.Population].def.Deadline == workload.DeadlineIgnored {
		w.awaitDeadline(slot, max(r.limit, w.now))
		return end
	}
	r.Status = workload.TimedOut
	return max(r.limit, w.now)
}

// watchPatience makes sure that a request which now waits leaves its queue when its client
// has lost patience, if that comes before the server's own limit.
func (w *World) watchPatience(slot int32, r *slotRecord) {
	if p := r.errand.patience; p > 0 && p-r.Arrival < r.WaitLimit {
		w.awaitDeadline(slot, max(p, w.now))
	}
}

// awaitDeadline schedules the end of somebody's patience with a request.
func (w *World) awaitDeadline(slot int32, at time.Duration) {
	r := &w.slots[slot]
	if w.queue.grain > 0 && r.state == stateExecuting && w.heeds(r) {
		r.deadline = w.pushTurn(slot, at, actDeadline)
	} else {
		r.deadline = w.queue.push(at, classClient, actDeadline, slot)
	}
	w.background++
}

// deadlineReached is the end of somebody's patience with a request, if it is still there.
func (w *World) deadlineReached(slot int32, order uint64) {
	w.background--
	r := &w.slots[slot]
	if r.deadline != order {
		return
	}
	r.deadline = 0
	if r.stage == stageCalls {
		w.graph.breaks(BrokenByDeadline)
	}
	w.abandon(slot, workload.TimedOut)
}

// What a request does when its client has gone is up to the code that executes it. etcd's
// client heeds its context, so a request that waits for storage ends at once; one that
// encodes a large answer notices only when it writes. Which of the two it is, the population
// says (workload.Deadline).

// abandon ends a request from the client's side. One that waits leaves its queue; one that
// executes ends, unless the server takes no notice.
func (w *World) abandon(slot int32, s workload.Status) {
	r := &w.slots[slot]
	switch {
	case r.state == stateWaiting:
		r.gone, r.Status = true, s
		w.eject(slot)
	case r.state == stateExecuting && w.heeds(r) && s == workload.Withdrawn && w.queue.grain > 0:
		r.Status = s
		w.leaveStage(slot)
		w.finishAt(slot, w.now+w.queue.grain)
		w.answer(r, workload.Answer{Status: s})
	case r.state == stateExecuting && w.heeds(r):
		r.Status = s
		w.leaveStage(slot)
		w.finish(slot)
	default:
		// The server goes on for nobody, and what it makes of a watch is not one.
		if r.state == stateExecuting && r.watch {
			w.dropWatch(r)
		}
		r.Late = r.state == stateExecuting && s == workload.TimedOut
		w.answer(r, workload.Answer{Status: s})
	}
}

// heeds tells whether an executing request ends when nobody waits for it any more. What waits
// for a call does so with the request's own context, whatever it does without one.
func (w *World) heeds(r *slotRecord) bool {
	return r.stage == stageCalls || w.populations[r.Population].def.Deadline != workload.DeadlineIgnored
}

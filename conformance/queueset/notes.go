package queueset

import (
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// guess is upstream's estimatedServiceDuration.
const guess = 3 * time.Millisecond

// noteArrival counts what an arrival has reached.
func (r *Runner) noteArrival(l *live, hand []int32, queue int, reason string, dispatched []uint32) {
	h, before, after := &r.Hits, &r.before, &r.after
	width := l.estimate.Width()
	if hand == nil {
		h.hit(ConcurrencyLimit, l.real == nil)
		h.hit(LimitZeroAdmitsOne, l.real != nil && before.Limit == 0 && r.cfg.Queues == 0)
		h.hit(WiderThanLimitRuns, l.real != nil && width > before.Limit && r.cfg.Queues == 0)
		h.hit(Exempt, l.real != nil && r.cfg.Queues < 0 && before.SeatsInUse+width > before.Limit)
		return
	}
	if reason != "" {
		h[QueueFull]++
		h[RejectedMovesRotation] += int64(after.arrivals - before.arrivals)
		h.hit(RejectedSyncsR, after.R != before.R)
	}
	first := before.queues[hand[0]].Work
	h.hit(ChoiceTieRotated, queue != int(hand[0]) && first == before.queues[queue].Work)
	if reason != "" {
		return
	}
	q, now := &before.queues[queue], &after.queues[queue]
	h.hit(LimitZeroQueues, before.Limit == 0)
	h.hit(OverlongQueue, q.Waiting >= r.cfg.QueueLengthLimit)
	h.hit(LingeringQueueReused, q.idle() && q.SeatsInUse > 0)
	h.hit(BoundOnEnqueue, len(dispatched) == 0 && !q.idle() && q.Waiting == 0 && now.NextDispatchR > q.NextDispatchR)
	own := slices.Contains(dispatched, l.tag)
	h.hit(DispatchedAtOnce, own)
	if !own || len(dispatched) > 1 {
		r.noteTie(dispatched)
	}
	r.noteDispatches(dispatched)
}

// noteFinish counts what the end of an execution has reached.
func (r *Runner) noteFinish(l *live, lingers bool, dispatched []uint32) {
	h := &r.Hits
	service := r.now - l.started
	h.hit(LongerThanGuess, service > guess)
	h.hit(Lingering, lingers)
	h.hit(DispatchedOnFinish, len(dispatched) > 0)
	h.hit(DispatchedWhileLingering, lingers && len(dispatched) > 0)
	if q := queueByID(&r.before, l.queueID); q != nil && q.Waiting > 0 {
		moved := q.NextDispatchR - fairqueue.SeatsTimesDuration(float64(l.estimate.InitialSeats), guess-service)
		h.hit(BoundOnFinish, r.before.R <= r.after.R && moved < q.head.arrivalR)
	}
	r.noteRemoval(l)
	r.noteTie(dispatched)
	r.noteDispatches(dispatched)
}

// noteRelease counts what the end of a lingering has reached.
func (r *Runner) noteRelease(l *live, dispatched []uint32) {
	r.Hits.hit(DispatchedOnRelease, len(dispatched) > 0)
	r.noteRemoval(l)
	r.noteTie(dispatched)
	r.noteDispatches(dispatched)
}

// noteExpire counts what an expiry has reached.
func (r *Runner) noteExpire(l *live) {
	h, st := &r.Hits, &r.after
	h[TimeOut]++
	now, q := queueByID(st, l.queueID), queueByID(&r.before, l.queueID)
	if now == nil {
		return
	}
	head := now.Waiting == 0 || now.head != q.head
	h.hit(ExpiredHead, head)
	h.hit(ExpiredBehindHead, !head)
	h.hit(BoundOnExpire, r.before.R <= st.R && now.NextDispatchR > q.NextDispatchR)
	if next := nextQueue(st); next != nil && st.SeatsInUse < st.Limit {
		h.hit(ExpiryUnblocks, st.SeatsInUse+next.head.width <= st.Limit)
	}
}

// noteConfigure counts what a configuration change has reached; r.cfg is the old one.
func (r *Runner) noteConfigure(cfg fairqueue.Config, limit int) {
	if r.ended {
		return
	}
	h, old, before := &r.Hits, r.cfg, &r.before
	h.hit(DispatchedOnConfigure, len(r.real.Dispatched()) > 0)
	h.hit(LimitBelowInUse, limit < before.SeatsInUse && limit < before.Limit)
	h.hit(QueuesRaised, r.after.State.Queues > before.State.Queues)
	h.hit(QueuesLowered, cfg.Queues < before.State.Queues && cfg.Queues > 0)
	h.hit(QueuingToReject, old.Queues > 0 && cfg.Queues == 0 && before.State.Queues > 0)
	h.hit(RejectToQueuing, old.Queues == 0 && cfg.Queues > 0)
	h.hit(HandSizeChanged, old.Queues > 0 && cfg.Queues > 0 && old.HandSize != cfg.HandSize)
	h.hit(LengthLimitChanged, old.Queues > 0 && cfg.Queues > 0 && old.QueueLengthLimit != cfg.QueueLengthLimit)
	r.noteTie(r.real.Dispatched())
	r.noteDispatches(r.real.Dispatched())
}

// noteDemand counts what the taking of the demand has reached.
func (r *Runner) noteDemand(d Demand) {
	r.Hits[DemandTaken]++
	r.Hits.hit(DemandOverNoTime, d.Seconds == 0)
	r.Hits.hit(DemandVarianceNegative, d.Seconds > 0 && math.IsNaN(d.StdDev))
}

// noteTie counts whether the first dispatch was one of several equals. They are
// looked for in the state before the operation, which is that of the first dispatch
// only if the operation itself changed no queue that could win.
func (r *Runner) noteTie(dispatched []uint32) {
	if len(dispatched) == 0 {
		return
	}
	won := queueByID(&r.before, r.requests[dispatched[0]].queueID)
	if won == nil || won.Waiting == 0 {
		return
	}
	equals := 0
	for i := range r.before.queues {
		q := &r.before.queues[i]
		if q.Waiting == 0 {
			continue
		}
		if q.virtualFinish() < won.virtualFinish() {
			return
		}
		if q.virtualFinish() == won.virtualFinish() {
			equals++
		}
	}
	r.Hits.hit(TieBrokenByRobin, equals > 1)
	r.Hits.hit(RefusedThenTie, equals > 1 && r.before.SeatsInUse < r.before.Limit)
}

// noteDispatches counts what can be told of each dispatch.
func (r *Runner) noteDispatches(dispatched []uint32) {
	h, limit := &r.Hits, r.after.Limit
	h.hit(SeveralDispatchedAtOnce, len(dispatched) > 1)
	for _, tag := range dispatched {
		l := r.requests[tag]
		h.hit(Trimmed, l.estimate.FinalSeats > limit && l.queueID != 0)
		h.hit(TrimLeaks, l.estimate.FinalSeats > limit && l.estimate.InitialSeats < l.estimate.FinalSeats && l.queueID != 0)
		h.hit(WiderThanLimitRuns, l.estimate.Width() > limit && l.queueID != 0)
		h.hit(RejectDrains, r.cfg.Queues == 0 && l.queueID != 0)
		h.hit(ExemptDrains, r.cfg.Queues < 0 && l.queueID != 0)
	}
	if len(dispatched) == 1 && r.after.R >= r.before.R {
		r.noteBound(r.requests[dispatched[0]])
	}
}

// noteBound counts whether the one dispatch of an operation moved its queue further
// than the work of the request.
func (r *Runner) noteBound(l *live) {
	q, now := queueByID(&r.before, l.queueID), queueByID(&r.after, l.queueID)
	if q == nil || now == nil || q.Waiting == 0 || now.Waiting == 0 {
		return
	}
	work := fairqueue.SeatsTimesDuration(float64(l.estimate.InitialSeats), guess) +
		fairqueue.SeatsTimesDuration(float64(l.estimate.FinalSeats), l.estimate.AdditionalLatency)
	r.Hits.hit(BoundOnDispatch, now.NextDispatchR == now.head.arrivalR && now.NextDispatchR > q.NextDispatchR+work)
}

// noteRemoval counts whether the end of a request has removed a queue, and which.
func (r *Runner) noteRemoval(l *live) {
	h, before, after := &r.Hits, &r.before, &r.after
	if after.State.Queues >= before.State.Queues {
		return
	}
	h[QueueRemoved]++
	h.hit(RobinShifted, after.robin < before.robin)
	h.hit(WrongQueueRemoved, queueByID(before, l.queueID) == nil || queueByID(after, l.queueID) != nil)
}

// noteState counts what shows in the state after any operation.
func (r *Runner) noteState() {
	h, before, after := &r.Hits, &r.before, &r.after
	if after.R < before.R {
		r.noteEpoch()
	}
	r.noteRobin()
	h.hit(RStandsStill, after.R == before.R && before.ActiveQueues > 0 && before.Limit > 0 && r.now > r.synced)
	r.synced = r.now
	if after.Waiting == 0 {
		return
	}
	waiting := 0
	for i := range after.queues {
		waiting += after.queues[i].Waiting
	}
	h.hit(Orphaned, waiting < after.Waiting)
	next := nextQueue(after)
	if next == nil {
		return
	}
	wide := next.head.width > after.Limit
	h.hit(HeadTooWide, after.SeatsInUse < after.Limit)
	h.hit(WiderThanLimitWaits, wide && after.SeatsInUse < after.Limit)
	h.hit(GuardHolds, wide && after.Executing == 0 && after.SeatsInUse >= after.Limit && after.Limit > 0)
}

// noteRobin counts what becomes of a round robin index of -1.
func (r *Runner) noteRobin() {
	h, before, after := &r.Hits, &r.before, &r.after
	h.hit(RobinNegative, after.robin < 0)
	if len(r.real.Dispatched()) > 0 {
		r.wrapped = false
		return
	}
	h.hit(RobinWrapShows, r.wrapped && before.State.Queues != after.State.Queues)
	removed := after.State.Queues < before.State.Queues && after.State.Queues > 0 && before.queues[0].id != after.queues[0].id
	if (before.robin < 0 || before.robin == 0 && removed) && after.robin >= 0 {
		h[RobinWraps]++
		r.wrapped = true
	}
}

// noteEpoch counts what an epoch advance has done to the queues.
func (r *Runner) noteEpoch() {
	const epoch = fairqueue.SeatSeconds(math.MaxUint64) / 2
	h := &r.Hits
	h[EpochAdvance]++
	for i := range r.before.queues {
		q := &r.before.queues[i]
		h.hit(EpochUnderflow, !q.idle() && q.NextDispatchR < epoch)
		h.hit(IdleQueueForgets, q.idle() && q.NextDispatchR > 0)
	}
}

// queueByID finds a queue whatever its index.
func queueByID(st *realState, id uintptr) *realQueue {
	for i := range st.queues {
		if st.queues[i].id == id {
			return &st.queues[i]
		}
	}
	return nil
}

// nextQueue is the queue that the next dispatch would come from, ties aside.
func nextQueue(st *realState) *realQueue {
	var next *realQueue
	for i := range st.queues {
		if q := &st.queues[i]; q.Waiting > 0 && (next == nil || q.virtualFinish() < next.virtualFinish()) {
			next = q
		}
	}
	return next
}

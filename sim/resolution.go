package sim

import "time"

// A record of a real server holds times in whole microseconds, or coarser. With a resolution
// (Config.Resolution) all that such a record can hold happens at multiples of it: whatever would
// happen between two of them is put off to the later one. What nobody outside of a machine or of a
// client can see keeps its time: how far a core or a disk is with its work, and when a client
// wakes up to think of what it does next.
//
// Events that come to lie on one instant by that keep the order of their class and, within it, the
// order in which they were scheduled. Only executions that end together are different: they end
// in the order in which they have begun, whatever they were busy with, since that is the order
// that can be told from a record. For the same reason one that ends because its time is over
// ends among them, and the server notices the end of a client that gives its request up while it
// executes one grain later.

// turnFlag makes an execution end after all other events of its class and instant.
const turnFlag = 1 << 55

// shows tells whether a record can hold when an event happens.
func (a action) shows() bool {
	switch a {
	case actCPU, actStorage, actWake, actLook:
		return false
	}
	return true
}

// whole returns the first multiple of the grain that is not before a time.
func (q *eventQueue) whole(at time.Duration) time.Duration {
	if q.grain == 0 {
		return at
	}
	if rest := at % q.grain; rest > 0 {
		at += q.grain - rest
	}
	return at
}

// takeTurn notes that a request is dispatched after all that were dispatched before it.
func (w *World) takeTurn(r *slotRecord) {
	if w.queue.grain > 0 {
		w.queue.sequence++
		r.turn = w.queue.sequence
	}
}

// endClass is the class of the end of an execution.
func (r *slotRecord) endClass() class {
	if r.endsLast {
		return classLast
	}
	return classFinish
}

// finishAt schedules the end of an execution.
func (w *World) finishAt(slot int32, at time.Duration) {
	r := &w.slots[slot]
	if w.queue.grain == 0 {
		r.pending = w.queue.push(at, r.endClass(), actFinish, slot)
		return
	}
	r.pending = w.pushTurn(slot, at, actFinish)
}

// finishNow ends an execution that has nothing more to do: at once, or when it is its turn
// among those that end at the same instant.
func (w *World) finishNow(slot int32) {
	if w.queue.grain == 0 {
		w.finish(slot)
		return
	}
	w.finishAt(slot, w.now)
}

// pushTurn schedules the end of an execution, or the end of the time that it has, which comes
// after it if both are at the same instant.
func (w *World) pushTurn(slot int32, at time.Duration, a action) uint64 {
	r := &w.slots[slot]
	order := uint64(r.endClass())<<56 | turnFlag | r.turn<<1
	if a == actDeadline {
		order |= 1
	}
	w.queue.add(event{at: w.queue.whole(at), order: order, ref: slot, act: a})
	return order
}

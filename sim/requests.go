package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// none marks the absence of an index.
const none = -1

// state is where a present request is in its life.
type state uint8

const (
	stateFree state = iota
	stateWaiting
	stateExecuting
	stateLingering
)

// slotRecord is a request in flight, with what the world needs beside what observers
// see. Slots are used again; serial tells two users of one slot apart, for those who
// remember a slot for longer than the request may live: deadlines and lease clients.
type slotRecord struct {
	Request
	// id is the server's name for the request.
	id     scheduler.ID
	serial uint64
	// next links free slots.
	next int32
	// round is the renewal round of a lease client that sent the request.
	round int32
	state state
	// watch tells that the dispatch opens a watch. What follows is what a traced request
	// asked for, which is needed to count its watch and to send it again; a client's
	// request is found by its client and template instead.
	watch   bool
	target  scheduler.TargetID
	options scheduler.ListOptions
	name    string
	subject scheduler.SubjectID
	timeout time.Duration
}

// draft is a request that a client is going to send: one more try, or what a closed
// client asks after its think time.
type draft struct {
	client   int32
	template int32 // none: yet to be chosen
	attempt  int32
	// round is the lease round that the request belongs to, if it is a lease client's.
	round int32
	// execution stays the same from one attempt to the next: it is the same request.
	execution time.Duration
	// traced is the rejected request of a trace, to be sent again.
	traced *tracedRequest
	next   int32 // links free drafts
}

// arrive brings a request to the server and acts on what the server decides.
// All but what the server determines has been filled into the slot.
func (w *World) arrive(slot int32, q *scheduler.Request) {
	r := &w.slots[slot]
	r.Arrival, r.Dispatched, r.Finished = w.now, -1, -1
	r.Reason, r.RetryAfter = fairqueue.NotRejected, 0
	r.state = stateWaiting
	// The tag brings the slot back in every decision about this request, so that no table
	// from the server's ids to slots is needed.
	q.Tag = uint32(slot)
	a, decisions := w.server.Arrive(w.now, q)
	r.id = a.ID
	r.Schema, r.Level, r.Flow, r.Queue = a.Schema, a.Level, a.Flow, a.Queue
	r.Estimate, r.WaitLimit = a.Estimate, a.WaitLimit
	w.present++
	w.counts.arrived++
	w.fingerprint.add(factArrived, r.ID, w.now, int64(r.Queue))
	w.observer.Arrived(w.now, &r.Request)
	w.decide(decisions)
	// Most requests have been dispatched by now, and never get a deadline.
	if r.state == stateWaiting {
		w.watchDeadline(slot, r)
	}
}

// decide acts on decisions of the server, in their order. Nothing that it does asks the
// server for others: clients react by events of their own, be it at the same instant, so
// the decisions stay valid until all are carried out.
func (w *World) decide(decisions []scheduler.Decision) {
	for i := range decisions {
		d := &decisions[i]
		if d.Kind == scheduler.Dispatched {
			w.dispatched(int32(d.Tag))
		} else {
			w.rejected(int32(d.Tag), d)
		}
	}
}

// dispatched starts the execution of a request.
func (w *World) dispatched(slot int32) {
	r := &w.slots[slot]
	r.Dispatched = w.now
	r.state = stateExecuting
	w.counts.dispatched++
	w.fingerprint.add(factDispatched, r.ID, w.now, int64(r.Queue))
	if r.watch {
		w.openWatch(r)
	}
	w.queue.push(w.now+r.Execution, classFinish, actFinish, slot)
	w.observer.Dispatched(w.now, &r.Request)
}

// rejected answers a request with 429.
func (w *World) rejected(slot int32, d *scheduler.Decision) {
	r := &w.slots[slot]
	r.Finished = w.now
	r.Reason, r.RetryAfter = d.Reason, d.RetryAfter
	w.present--
	w.counts.rejected++
	w.fingerprint.add(factRejected, r.ID, w.now, int64(d.Reason)<<8|int64(d.RetryAfter))
	w.observer.Rejected(w.now, &r.Request)
	w.answerRejected(r)
	w.freeRecord(slot)
}

// finish ends the execution of a request and answers its client. The client is answered
// now, whether the seats linger or not: the additional latency is the server's affair.
func (w *World) finish(slot int32) {
	r := &w.slots[slot]
	r.Finished = w.now
	r.state = stateLingering
	w.present--
	w.counts.finished++
	w.fingerprint.add(factFinished, r.ID, w.now, 0)
	freeAt, lingers, decisions := w.server.Finish(w.now, r.id)
	w.observer.Finished(w.now, &r.Request)
	if r.watch {
		w.endInitialisation(r)
	}
	w.answerFinished(r)
	switch {
	case lingers:
		w.queue.push(freeAt, classRelease, actRelease, slot)
	case r.Level >= 0:
		w.released(slot)
	default:
		w.freeRecord(slot)
	}
	w.decide(decisions)
	w.noticeDigest()
}

// release frees the seats of a request at the end of its additional latency. The client
// had its answer when the execution ended.
func (w *World) release(slot int32) {
	decisions := w.server.Release(w.now, w.slots[slot].id)
	w.released(slot)
	w.decide(decisions)
}

// released tells that the seats of a request are free, and forgets the request. The
// server's name for it has become void, and the next arrival may take the slot.
func (w *World) released(slot int32) {
	r := &w.slots[slot]
	w.fingerprint.add(factReleased, r.ID, w.now, 0)
	w.observer.Released(w.now, &r.Request)
	w.freeRecord(slot)
}

// Slots are given out last in, first out, so that few of them are warm in the caches
// however many there once were.

// newRecord returns an unused slot with a new serial number. Records may move: take
// pointers to them anew after each call.
func (w *World) newRecord() int32 {
	w.serial++
	slot := w.freeSlot
	if slot == none {
		slot = int32(len(w.slots))
		w.slots = append(w.slots, slotRecord{})
	} else {
		w.freeSlot = w.slots[slot].next
	}
	w.slots[slot].serial = w.serial
	return slot
}

// freeRecord makes a slot available again.
func (w *World) freeRecord(slot int32) {
	r := &w.slots[slot]
	r.state, r.watch = stateFree, false
	r.name = ""
	r.next = w.freeSlot
	w.freeSlot = slot
}

package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/workload"
)

// none marks the absence of an index.
const none = -1

// state is where a present request is in its life.
type state uint8

const (
	stateFree state = iota
	// stateSent: it is on its way to a server.
	stateSent
	stateWaiting
	stateExecuting
	stateLingering
)

// slotRecord is a request in flight, with what the world needs beside what observers
// see. Slots are used again; serial tells two users of one slot apart, for those who
// remember a slot for longer than the request may live.
type slotRecord struct {
	Request
	// id is the server's name for the request.
	id     scheduler.ID
	serial uint64
	// pending is the order of the event that ends what the request is doing: a stage of its
	// execution or the lingering of its seats. deadline is that of its deadlineReached. 0 is
	// none.
	pending, deadline uint64
	// turn is where it stands in the order of dispatches, if there is a resolution.
	turn uint64
	// limit is when its execution is over at the latest, 0 for never.
	limit time.Duration
	// errand is what the client wants by it.
	errand errand
	// way is what it holds between the client and the server.
	way way
	// next links free slots.
	next  int32
	state state
	// method is what its client knows of it when it fails.
	method workload.Method
	// stage is how far its execution has come, and calling its place in World.callings while it
	// waits for calls.
	stage   stage
	calling int32
	// watch tells that the dispatch opens a watch, and opened that it has; list that it is a
	// LIST. answered tells that the client waits no
	// longer; gone that this is why the request ends; endsLast that it ends as classLast.
	watch, opened, list, answered, gone, endsLast bool
	// What follows is what a traced request asked for, which is needed to count its watch and
	// to send it again; a client's request is found by its client and template instead.
	target  scheduler.TargetID
	options scheduler.ListOptions
	name    string
	subject scheduler.SubjectID
	// lives is when its watch ends, 0 if the trace does not tell.
	lives time.Duration
	// recordedAt is the server that the trace tells, none if it does not.
	recordedAt int32
}

// arrive brings a request to its server and acts on what the server decides.
// All but what the server determines has been filled into the slot.
func (w *World) arrive(slot int32, q *scheduler.Request) {
	r := &w.slots[slot]
	r.Arrival = w.now
	r.state = stateWaiting
	// The tag brings the slot back in every decision about this request, so that no table
	// from the server's ids to slots is needed.
	q.Tag = uint32(slot)
	r.Subject, r.Target, r.Name = q.Subject, q.Target, q.Name
	w.callArrives(r)
	a, decisions := w.servers[r.Server].apf.Arrive(w.now, q)
	r.id = a.ID
	r.Schema, r.Level, r.Flow, r.Queue = a.Schema, a.Level, a.Flow, a.Queue
	r.Estimate, r.WaitLimit = a.Estimate, a.WaitLimit
	r.Watch, r.Mutating = a.Watch, a.Mutating
	w.present++
	w.servers[r.Server].inFlight++
	w.counts.arrived++
	if m := w.cfg.Matches; m != nil {
		m.note(q, a.Schema)
	}
	w.limitExecution(r, q.Timeout)
	w.fingerprint.add(factArrived, r.ID, w.now, int64(r.Queue))
	if w.behind != nil {
		w.price(slot)
	}
	w.observer.Arrived(w.now, &r.Request)
	w.decide(decisions)
	// Most requests have been dispatched by now, and never get a deadline.
	if r.state == stateWaiting {
		w.watchDeadline(slot, r)
		w.watchPatience(slot, r)
		w.callWaits(r)
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
	w.takeTurn(r)
	w.callMoves(r)
	w.counts.dispatched++
	w.fingerprint.add(factDispatched, r.ID, w.now, int64(r.Queue))
	w.execute(slot)
	w.observer.Dispatched(w.now, &r.Request)
}

// rejected answers a request with 429.
func (w *World) rejected(slot int32, d *scheduler.Decision) {
	r := &w.slots[slot]
	r.Finished = w.now
	r.Reason, r.RetryAfter = d.Reason, d.RetryAfter
	w.left(r)
	w.counts.rejected++
	w.fingerprint.add(factRejected, r.ID, w.now, int64(d.Reason)<<8|int64(d.RetryAfter))
	if w.behind != nil {
		w.chargeRejection(r.Server)
	}
	w.observer.Rejected(w.now, &r.Request)
	call := w.callOf(r)
	w.answer(r, rejection(r))
	w.callRejected(call, r)
	w.freeRecord(slot)
}

// rejection is what the client of a rejected request is told. Up to 1.28.4 one that runs out
// of time in a queue does so at the very moment at which the server's time limit for the
// whole request is over, which answers first (WithTimeoutForNonLongRunningRequests in
// pkg/server/filters/timeout.go).
func rejection(r *slotRecord) workload.Answer {
	switch {
	case r.gone:
		return workload.Answer{Status: r.Status}
	case r.Reason == fairqueue.Cancelled:
		return workload.Answer{Status: workload.TimedOut}
	}
	return workload.Answer{Status: workload.TooManyRequests, RetryAfter: r.RetryAfter}
}

// finish ends the execution of a request and answers its client. The client is answered
// now, whether the seats linger or not: the additional latency is the server's affair.
func (w *World) finish(slot int32) {
	r := &w.slots[slot]
	server := r.Server
	r.Finished = w.now
	r.state = stateLingering
	r.pending = 0
	w.left(r)
	w.counts.finished++
	w.fingerprint.add(factFinished, r.ID, w.now, int64(r.Status))
	freeAt, lingers, decisions := w.servers[server].apf.Finish(w.now, r.id)
	w.observer.Finished(w.now, &r.Request)
	if r.watch {
		w.endInitialisation(r)
	}
	w.answer(r, workload.Answer{Status: r.Status, RetryAfter: r.RetryAfter})
	switch {
	case lingers:
		r.pending = w.queue.push(freeAt, classRelease, actRelease, slot)
	case r.Level >= 0:
		w.released(slot)
	default:
		w.freeRecord(slot)
	}
	w.decide(decisions)
	w.noticeDigest(server)
}

// A request is counted where it is: present from its arrival at the server to the end of its
// execution, and in flight at its server for as long. What is on its way to a server, or
// lingers there, is neither.

// left notes that a request is neither waiting nor executing any more.
func (w *World) left(r *slotRecord) {
	w.callMoves(r)
	w.present--
	w.servers[r.Server].inFlight--
}

// release frees the seats of a request at the end of its additional latency. The client
// had its answer when the execution ended.
func (w *World) release(slot int32, order uint64) {
	r := &w.slots[slot]
	if r.pending != order {
		w.background--
		return
	}
	r.pending = 0
	decisions := w.servers[r.Server].apf.Release(w.now, r.id)
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

// cut ends a request whose server has stopped. Its seats, its place in a queue and its wait
// limit are gone with the server, and no APF is told: none is there.
func (w *World) cut(slot int32) {
	r := &w.slots[slot]
	was := r.state
	w.forget(r)
	if was == stateSent {
		// It has not arrived yet, and is refused when it does.
		return
	}
	if was == stateExecuting {
		w.leaveStage(slot)
		if r.watch {
			w.dropWatch(r)
		}
		w.counts.cutExecuting++
	}
	w.fingerprint.add(factCut, r.ID, w.now, int64(was))
	if was != stateLingering {
		w.counts.cut++
		r.Status = workload.Lost
		w.left(r)
		w.observer.Cut(w.now, &r.Request)
		w.answer(r, workload.Answer{Status: workload.Lost})
	} else {
		w.observer.Cut(w.now, &r.Request)
	}
	w.freeRecord(slot)
}

// forget makes a request's pending event void: it will find that nobody waits for it.
func (w *World) forget(r *slotRecord) {
	if r.pending != 0 {
		r.pending = 0
		w.background++
	}
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
	r := &w.slots[slot]
	r.serial = w.serial
	r.Arrival, r.Dispatched, r.Finished, r.Calls = w.now, -1, -1, 0
	r.Reason, r.RetryAfter, r.Status = fairqueue.NotRejected, 0, workload.OK
	return slot
}

// freeRecord makes a slot available again.
func (w *World) freeRecord(slot int32) {
	r := &w.slots[slot]
	r.state, r.watch, r.opened, r.list, r.answered, r.gone, r.endsLast = stateFree, false, false, false, false, false, false
	r.name, r.Name = "", ""
	r.deadline, r.limit, r.Late = 0, 0, false
	r.next = w.freeSlot
	w.freeSlot = slot
}

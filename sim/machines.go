package sim

import (
	"time"

	"github.com/apfsim/apfsim/workload"
)

// operation is an errand that somebody waits for: a machine, or a request that has called
// for it. It tells where the errand is.
type operation struct {
	serial     uint32
	population int32
	client     int32 // within the population
	// slot and draft tell where the errand is; none if it is not there.
	slot, draft int32
	// caller is the calling that waits for it, none for a machine's.
	caller int32
	// before and after link what one caller waits for; ignore tells that it may fail, and
	// template is what it asks for.
	before, after, template int32
	ignore                  bool
	// blockade is where a call waits.
	blockade blockade
	// withdrawn tells that nobody waits for it any more.
	withdrawn bool
	next      int32 // links free operations
}

// Operations are used again like slots, and their serial numbers tell two users of one apart.
// A machine may keep the name of an operation that has ended and withdraw it in vain. The
// serial number counts both the making and the ending, so that a name is good for as long as
// the errand lasts.

// name is how a machine knows an operation.
func (o *operation) name(index int32) workload.Operation {
	return workload.Operation(uint64(o.serial)<<32 | uint64(uint32(index+1)))
}

// newOperation returns an unused operation.
func (w *World) newOperation() int32 {
	i := w.freeOperation
	if i == none {
		i = int32(len(w.operations))
		w.operations = append(w.operations, operation{})
	} else {
		w.freeOperation = w.operations[i].next
	}
	o := &w.operations[i]
	*o = operation{serial: o.serial + 1, slot: none, draft: none, caller: none, before: none, after: none}
	return i
}

// freeOp makes an operation available again.
func (w *World) freeOp(i int32) {
	o := &w.operations[i]
	o.serial++
	o.withdrawn, o.caller, o.draft = false, none, none
	o.next = w.freeOperation
	w.freeOperation = i
}

// withdrawn tells whether an operation is one that nobody waits for any more.
func (w *World) withdrawn(i int32) bool { return i != none && w.operations[i].withdrawn }

// operationEnded tells whoever waits for an operation how it has ended.
func (w *World) operationEnded(i int32, a workload.Answer) {
	o := w.operations[i]
	if o.caller != none {
		w.callEnded(i, a)
		return
	}
	name := o.name(i)
	w.freeOp(i)
	if o.withdrawn {
		return
	}
	p := &w.populations[o.population]
	p.machine.Answered(p.hands, o.client, name, a)
}

// withdraw ends the errand of an operation that its client has withdrawn, unless it has ended
// at the same instant by itself.
func (w *World) withdraw(i int32) {
	o := &w.operations[i]
	if !o.withdrawn {
		return
	}
	if o.slot != none {
		w.abandon(o.slot, workload.Withdrawn)
		return
	}
	if o.draft != none {
		d := &w.drafts[o.draft]
		d.dropped = true
		w.unthrottle(d)
		d.interrupt(w.now)
		w.concludeDraft(d, workload.Withdrawn)
		return
	}
	w.withdrawComing(i)
}

// A wake cannot be taken back, and there is no search for it: a machine that does not want it
// any more finds that its own state says another time. That costs an event each time that a
// client changes its mind, which is seldom against the number of requests.

// wake is a call of Due that a machine waits for.
type wake struct {
	population, client, timer int32
	next                      int32 // links unused ones
}

// wakeUp calls the machine that waits for it.
func (w *World) wakeUp(i int32) {
	k := w.wakes[i]
	w.wakes[i].next = w.freeWake
	w.freeWake = i
	p := &w.populations[k.population]
	p.machine.Due(p.hands, k.client, k.timer)
}

// hands are what the machine of a population acts with.
type hands struct {
	world      *World
	population int32
}

var _ workload.World = (*hands)(nil)

// Now is part of workload.World.
func (h *hands) Now() time.Duration { return h.world.now }

func (h *hands) client(client int32) *client {
	return &h.world.clients[h.world.populations[h.population].first+client]
}

// Random is part of workload.World.
func (h *hands) Random(client int32) *workload.Stream { return &h.client(client).arrivals }

// Send is part of workload.World.
func (h *hands) Send(client, request int32, at, since time.Duration) workload.Operation {
	w := h.world
	ref := w.populations[h.population].first + client
	i := w.newOperation()
	o := &w.operations[i]
	o.population, o.client = h.population, client
	at = w.queue.whole(at)
	w.sendLater(at, draft{
		errand:    errand{began: at, since: since, operation: i},
		client:    ref,
		template:  request,
		execution: w.executionOf(ref, request),
	})
	return o.name(i)
}

// Withdraw is part of workload.World.
func (h *hands) Withdraw(op workload.Operation) {
	w := h.world
	i := int32(uint32(op)) - 1
	if op == 0 || w.operations[i].name(i) != op || w.operations[i].withdrawn {
		return
	}
	w.operations[i].withdrawn = true
	w.queue.push(w.now, classClient, actWithdraw, i)
}

// CloseWatch is part of workload.World.
func (h *hands) CloseWatch(client, request int32) {
	h.world.watchAsked(&h.world.populations[h.population], client, request)
}

// Wake is part of workload.World.
func (h *hands) Wake(client, timer int32, at time.Duration) {
	w := h.world
	i := w.freeWake
	if i == none {
		i = int32(len(w.wakes))
		w.wakes = append(w.wakes, wake{})
	} else {
		w.freeWake = w.wakes[i].next
	}
	w.wakes[i] = wake{population: h.population, client: client, timer: timer}
	w.queue.push(at, classClient, actWake, i)
}

// Tell is part of workload.World.
func (h *hands) Tell(client int32, e workload.ClientEvent, value time.Duration) {
	w := h.world
	if e == workload.LeaseLost {
		w.fingerprint.add(factLeaseLost, int64(h.population)<<32|int64(client), w.now, 0)
	}
	w.observer.Client(w.now, e, h.population, client, value)
}

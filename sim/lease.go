package sim

import "time"

// leaseState is a leader that keeps its lease, as client-go's leaderelection does: in
// rounds, each of which must succeed within the renew deadline
// (tools/leaderelection/leaderelection.go, renew).
//
// A round begins with a request. If it is executed, the round is over, and the next one
// begins a retry period later. If the client gives up on it, there is another try at the
// next tick of the retry period, counted from the beginning of the round. When the
// deadline passes first, the lease is lost and the leader starts anew.
type leaseState struct {
	// round counts the rounds; answers to requests of an earlier one are of no interest.
	round int32
	// started is when the round began, deadline when it is lost. deadline is 0 between
	// rounds.
	started, deadline time.Duration
	// armed tells that a deadline event is in the event queue, at the deadline or before.
	armed bool
	// slot and serial tell the request in flight.
	slot   int32
	serial uint64
}

// startLease lets a leader begin within the first retry period: leaders that have been
// elected at different times do not renew in step.
func (w *World) startLease(ref int32) {
	c := &w.clients[ref]
	period := w.populations[c.population].def.Lease.RetryPeriod
	first := time.Duration(c.arrivals.Float64() * float64(period))
	c.lease.slot = none
	w.sendLater(first, draft{client: ref, template: none})
}

// leaseOver tells whether a draft is of a round that has been lost meanwhile. A draft
// that opens a round begins it.
func (w *World) leaseOver(d *draft) bool {
	c := &w.clients[d.client]
	lease := w.populations[c.population].def.Lease
	if lease == nil {
		return false
	}
	l := &c.lease
	if l.round != d.round {
		return true
	}
	if l.deadline == 0 {
		l.round++
		d.round = l.round
		l.started, l.deadline = w.now, w.now+lease.RenewDeadline
		if !l.armed {
			l.armed = true
			w.queue.push(l.deadline, classClient, actLease, d.client)
		}
	}
	return false
}

// renewed ends a round well. The next one begins a retry period later.
func (w *World) renewed(ref int32) {
	c := &w.clients[ref]
	c.lease.deadline, c.lease.slot = 0, none
	w.observer.Client(w.now, LeaseRenewed, c.population, c.index)
	w.nextRound(ref)
}

// nextRound schedules the request that opens the next round.
func (w *World) nextRound(ref int32) {
	c := &w.clients[ref]
	period := w.populations[c.population].def.Lease.RetryPeriod
	w.sendLater(w.now+period, draft{client: ref, template: none, round: c.lease.round})
}

// renewalFailed is the end of a try that was rejected for good. It lets the leader try again at the next tick of its retry period.
func (w *World) renewalFailed(ref int32) {
	c := &w.clients[ref]
	period := w.populations[c.population].def.Lease.RetryPeriod
	ticks := (w.now-c.lease.started)/period + 1
	c.lease.slot = none
	w.sendLater(c.lease.started+ticks*period, draft{client: ref, template: none, round: c.lease.round})
}

// renewDeadline is the deadline event of a leader: the lease is lost, unless a later
// round has moved the deadline.
//
// A leader that misses the deadline cancels its request, so one that waits leaves its
// queue; then it starts anew.
func (w *World) renewDeadline(ref int32) {
	c := &w.clients[ref]
	l := &c.lease
	l.armed = false
	if l.deadline == 0 {
		return
	}
	if l.deadline > w.now {
		l.armed = true
		w.queue.push(l.deadline, classClient, actLease, ref)
		return
	}
	l.round++
	l.deadline = 0
	w.fingerprint.add(factLeaseLost, int64(ref), w.now, int64(l.round))
	w.observer.Client(w.now, LeaseLost, c.population, c.index)
	if l.slot != none {
		if r := &w.slots[l.slot]; r.serial == l.serial && r.state == stateWaiting {
			w.decide(w.server.Expire(w.now, r.id))
		}
		l.slot = none
	}
	w.nextRound(ref)
}

package sim

import (
	"time"

	"github.com/apfsim/apfsim/workload"
)

// leaseState is a leader that keeps its lease, as client-go's leaderelection does: in
// rounds, each of which must succeed within the renew deadline
// (tools/leaderelection/leaderelection.go, renew).
//
// A round begins with a request. If it is executed, the round is over, and the next one
// begins a retry period later. If the client gives up on it, there is another try at the
// next tick of the retry period, counted from the beginning of the try. When the
// deadline passes first, the lease is lost and the leader starts anew.
type leaseState struct {
	// round counts the rounds; answers to requests of an earlier one are of no interest.
	round int32
	// deadline is when the round is lost, 0 between rounds. tried is when its latest try
	// began, which the client may have sent several times since.
	deadline, tried time.Duration
	// armed tells that a deadline event is in the event queue, at the deadline or before.
	armed bool
	// slot and serial tell the request in flight.
	slot   int32
	serial uint64
}

// The deadline of a round is an event of the client, and each renewal moves it. Instead of
// one event for each round, which would stay in the event queue for the whole deadline, a
// leader has one at a time: it finds that the deadline has moved and waits for that.

// startLease lets a leader begin within the first retry period: leaders that have been
// elected at different times do not renew in step.
func (w *World) startLease(ref int32) {
	c := &w.clients[ref]
	period := w.populations[c.population].def.Lease.RetryPeriod
	first := time.Duration(c.arrivals.Float64() * float64(period))
	c.lease.slot = none
	w.sendLater(first, draft{errand: errand{began: first, operation: none}, client: ref, template: none})
}

// beginsOrGoesOn tells whether a draft is still to be sent, which it is not if it belongs
// to a round that has been lost meanwhile. A draft that comes between rounds begins the
// next one. Drafts of clients without a lease are always sent.
func (w *World) beginsOrGoesOn(d *draft) bool {
	c := &w.clients[d.client]
	lease := w.populations[c.population].def.Lease
	if lease == nil {
		return true
	}
	l := &c.lease
	if l.round != d.round {
		return false
	}
	if l.deadline == 0 {
		w.beginRound(d.client, l, lease.RenewDeadline)
		d.round = l.round
	}
	if d.template == none {
		l.tried = w.now
	}
	return true
}

// beginRound begins a round and makes sure that its deadline will be noticed.
func (w *World) beginRound(ref int32, l *leaseState, limit time.Duration) {
	l.round++
	l.deadline = w.now + limit
	if !l.armed {
		l.armed = true
		w.queue.push(l.deadline, classClient, actLease, ref)
	}
}

// renewed ends a round well. The next one begins a retry period later.
func (w *World) renewed(ref int32) {
	c := &w.clients[ref]
	c.lease.deadline, c.lease.slot = 0, none
	w.observer.Client(w.now, workload.LeaseRenewed, c.population, c.index, 0)
	w.nextRound(ref)
}

// nextRound schedules the request that opens the next round.
func (w *World) nextRound(ref int32) {
	c := &w.clients[ref]
	period := w.populations[c.population].def.Lease.RetryPeriod
	w.sendRenewal(w.now+period, ref)
}

// renewalFailed is the end of a try that was rejected for good. The next one begins a
// retry period after the beginning of this one, or at once if it took longer than that:
// the ticker of client-go's poll has fired meanwhile
// (k8s.io/apimachinery/pkg/util/wait/loop.go).
func (w *World) renewalFailed(ref int32) {
	c := &w.clients[ref]
	period := w.populations[c.population].def.Lease.RetryPeriod
	c.lease.slot = none
	next := max(w.now, c.lease.tried+period)
	w.sendRenewal(next, ref)
}

// sendRenewal schedules a try to renew in the round that a leader is in.
func (w *World) sendRenewal(at time.Duration, ref int32) {
	w.sendLater(at, draft{errand: errand{began: at, operation: none, round: w.clients[ref].lease.round}, client: ref, template: none})
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
	l.round++ // so that nobody waits for the answer to the request in flight
	l.deadline = 0
	if l.slot != none {
		if r := &w.slots[l.slot]; r.serial == l.serial && r.state == stateWaiting {
			w.eject(l.slot)
		}
		l.slot = none
	}
	w.fingerprint.add(factLeaseLost, int64(ref), w.now, int64(l.round))
	w.observer.Client(w.now, workload.LeaseLost, c.population, c.index, 0)
	w.nextRound(ref)
}

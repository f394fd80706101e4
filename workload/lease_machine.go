package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/backoff"
)

// leaseMachine is the machine of a Lease: candidates, the leases that they contend for, and what
// their processes list and watch.
//
// A lease is updated when the answer to the update comes, as far as other candidates can tell.
// An update whose answer never came has not happened.
type leaseMachine struct {
	Lease
	reflectors
	candidates []candidate
	leases     []leaseRecord
	processes  int32 // how many there have been
}

// The requests of a leader, and its timers beside that of the start.
const (
	leaseUpdate int32 = iota
	leaseGet

	leaseRequests = 2
)

const (
	timerDeadline int32 = -2
	timerRestart  int32 = -3
)

// leaseRecord is what a lease holds, and which version it is. The times in the original are
// written in whole seconds, and two records with the same text are the same.
type leaseRecord struct {
	leaseText
	version int32
}

type leaseText struct {
	holder, seconds, transitions int32
	acquired, renewed            int64
}

// candidate is what a client knows that stands for election.
type candidate struct {
	op Operation
	// process is the number of its process: a new one does not know that the lease was its
	// predecessor's.
	process int32
	phase   leasePhase
	step    leaseStep
	// armed tells that a wake at the deadline is under way.
	armed bool
	// version is the version of the lease that it would update.
	version int32
	// tried is when the try in flight, or the next one, begins.
	tried time.Duration
	// round is when the round of renewal began, and ticked when its last try was let go by the
	// ticker that paces them.
	round, ticked time.Duration
	// observed is the record it has last taken notice of, at what time; raw the one that it has
	// last read.
	observed, raw leaseText
	observedAt    time.Duration
	crashes       backoff.ItemState
}

// leasePhase is what a candidate is about, and leaseStep the request of a try that is in flight.
type (
	leasePhase uint8
	leaseStep  uint8
)

const (
	phaseDown leasePhase = iota // the process is not there
	phaseSyncing
	phaseAcquiring
	phaseRenewing
	phaseReleasing
)

const (
	stepFast leaseStep = iota // an update of the record that it believes to be there
	stepGet
	stepUpdate
)

// acquireJitter is client-go's JitterFactor.
const acquireJitter = 1.2

// crashLoop is the kubelet's backoff of a container that ends (doBackOff in
// pkg/kubelet/kuberuntime, v1.37.2: initialCrashLoopBackOff and MaxContainerBackOff).
var crashLoop = backoff.Item{Initial: 10 * time.Second, Max: 5 * time.Minute}

// Requests is part of Behaviour.
func (l Lease) Requests() int { return leaseRequests }

// Machine is part of Behaviour.
func (l Lease) Machine(clients int, requests []Template) Machine {
	l.Candidates = max(l.Candidates, 1)
	return &leaseMachine{
		Lease:      l,
		reflectors: newReflectors(clients, requests, leaseRequests),
		candidates: make([]candidate, clients),
		leases:     make([]leaseRecord, (clients+l.Candidates-1)/l.Candidates),
	}
}

// Start is part of Machine. The first candidate of each lease has held it for a while, and the
// clients are somewhere in their periods: those that began at different times do not act in
// step.
func (m *leaseMachine) Start(w World, client int32) {
	first := within(w, client, m.RetryPeriod)
	c := &m.candidates[client]
	m.processes++
	c.process = m.processes
	holds := int(client)%m.Candidates == 0
	if holds {
		m.write(client, 0)
		c.phase = phaseRenewing
		m.beginRound(w, client, first)
	} else {
		c.phase = phaseAcquiring
		m.try(w, client, first)
	}
	if holds || !m.ListWhenLeading {
		m.resume(w, client, first)
	}
}

// lease is the lease that a client stands for.
func (m *leaseMachine) lease(client int32) *leaseRecord {
	return &m.leases[int(client)/m.Candidates]
}

// leads tells whether a candidate believes that it holds the lease (IsLeader).
func (c *candidate) leads() bool { return c.observed.holder == c.process }

// valid tells whether the lease that a candidate knows of is in force at a time (isLeaseValid).
func (c *candidate) valid(at time.Duration) bool {
	return c.observedAt+time.Duration(c.observed.seconds)*time.Second > at
}

// observe notes a record (setObservedRecord).
func (c *candidate) observe(t leaseText, now time.Duration) { c.observed, c.observedAt = t, now }

// try begins a try to acquire or renew the lease at a time (tryAcquireOrRenew).
func (m *leaseMachine) try(w World, client int32, at time.Duration) {
	c := &m.candidates[client]
	c.tried, c.step = at, stepGet
	request := leaseGet
	if c.leads() && c.valid(at) {
		c.step, request = stepFast, leaseUpdate
	}
	c.op = w.Send(client, request, at, 0)
}

// send sends the next request of a try.
func (m *leaseMachine) send(w World, client int32, step leaseStep) {
	c := &m.candidates[client]
	c.step = step
	request := leaseUpdate
	if step == stepGet {
		request = leaseGet
	}
	c.op = w.Send(client, request, w.Now(), 0)
}

// Answered is part of Machine.
func (m *leaseMachine) Answered(w World, client int32, op Operation, a Answer) {
	c := &m.candidates[client]
	if op != c.op {
		if _, synced := m.answered(w, client, op, a); synced {
			m.synced(w, client)
		}
		return
	}
	c.op = 0
	if c.phase == phaseReleasing {
		m.releasing(w, client, a)
		return
	}
	m.tryGoesOn(w, client, a)
}

// tryGoesOn goes on with a try after the answer to one of its requests.
func (m *leaseMachine) tryGoesOn(w World, client int32, a Answer) {
	c := &m.candidates[client]
	switch {
	case c.step == stepFast:
		if a.Status == OK && m.write(client, w.Now()) {
			m.tried(w, client, true)
			return
		}
		m.send(w, client, stepGet)
	case c.step == stepUpdate:
		m.tried(w, client, a.Status == OK && m.write(client, w.Now()))
	case a.Status != OK:
		m.tried(w, client, false)
	default:
		m.read(client, w.Now())
		if c.observed.holder != 0 && c.valid(c.tried) && !c.leads() {
			m.tried(w, client, false)
			return
		}
		m.send(w, client, stepUpdate)
	}
}

// read takes notice of the lease as it is. A record that is the same as at the last time is no
// news: its holder may have gone.
func (m *leaseMachine) read(client int32, now time.Duration) {
	c, l := &m.candidates[client], m.lease(client)
	c.version = l.version
	if c.raw != l.leaseText {
		c.raw = l.leaseText
		c.observe(l.leaseText, now)
	}
}

// write lets an update happen, unless the lease has changed since its candidate knew it: that is
// a conflict.
func (m *leaseMachine) write(client int32, now time.Duration) bool {
	c, l := &m.candidates[client], m.lease(client)
	if c.version != l.version {
		return false
	}
	t := leaseText{
		holder:   c.process,
		seconds:  int32(m.Duration / time.Second),
		acquired: int64(c.tried / time.Second),
		renewed:  int64(c.tried / time.Second),
	}
	if c.leads() {
		t.acquired, t.transitions = c.observed.acquired, c.observed.transitions
	} else {
		t.transitions = l.transitions + 1
	}
	m.store(client, t)
	c.observe(t, now)
	return true
}

func (m *leaseMachine) store(client int32, t leaseText) {
	c, l := &m.candidates[client], m.lease(client)
	l.leaseText = t
	l.version++
	c.version = l.version
}

// tried goes on after a try.
func (m *leaseMachine) tried(w World, client int32, won bool) {
	c := &m.candidates[client]
	if c.phase == phaseRenewing {
		m.renewed(w, client, won)
		return
	}
	// The original draws the pause before it looks whether it has won.
	pause := backoff.Jitter(m.RetryPeriod, acquireJitter, w.Random(client).Float64())
	if !won {
		m.try(w, client, w.Now()+pause)
		return
	}
	c.phase = phaseRenewing
	m.beginRound(w, client, w.Now())
	if m.ListWhenLeading {
		m.start(w, client)
	}
}

// beginRound begins a round of renewal at a time, and makes sure that its deadline will be
// noticed. Instead of a wake for each round, which would be there for the whole of the deadline,
// a leader has one at a time: it finds that the deadline has moved and waits for that.
func (m *leaseMachine) beginRound(w World, client int32, at time.Duration) {
	c := &m.candidates[client]
	c.round, c.ticked = at, at
	if !c.armed {
		c.armed = true
		w.Wake(client, timerDeadline, at+m.RenewDeadline)
	}
	m.try(w, client, at)
}

// renewed goes on after a try to renew: to the next round, or to the next tick of this one.
func (m *leaseMachine) renewed(w World, client int32, won bool) {
	c := &m.candidates[client]
	if won {
		w.Tell(client, LeaseRenewed, 0)
		m.beginRound(w, client, w.Now()+m.RetryPeriod)
		return
	}
	c.ticked = nextTick(c.round, c.ticked, w.Now(), m.RetryPeriod)
	if c.ticked < c.round+m.RenewDeadline {
		m.try(w, client, c.ticked)
	}
}

// nextTick returns when a ticker that began at a time lets the next one go, if the last one was
// let go at ticked: now if it has ticked since. It remembers one tick and no more
// (PollUntilContextTimeout in apimachinery's pkg/util/wait).
func nextTick(began, ticked, now, period time.Duration) time.Duration {
	last := (ticked - began) / period
	if (now-began)/period > last {
		return now
	}
	return began + (last+1)*period
}

// Due is part of Machine.
func (m *leaseMachine) Due(w World, client, timer int32) {
	switch timer {
	case timerDeadline:
		m.deadline(w, client)
	case timerRestart:
		m.restart(w, client)
	default:
		m.due(w, client, int(timer))
	}
}

// deadline ends the leadership of a client whose deadline has come, or its attempt to give the
// lease back, for which it has as much time again.
func (m *leaseMachine) deadline(w World, client int32) {
	c := &m.candidates[client]
	c.armed = false
	if c.phase != phaseRenewing && c.phase != phaseReleasing {
		return
	}
	if at := c.round + m.RenewDeadline; at > w.Now() {
		c.armed = true
		w.Wake(client, timerDeadline, at)
		return
	}
	if c.op != 0 {
		w.Withdraw(c.op)
		c.op = 0
	}
	if c.phase == phaseReleasing {
		m.exit(w, client)
		return
	}
	w.Tell(client, LeaseLost, 0)
	if !m.Release {
		m.exit(w, client)
		return
	}
	c.phase, c.round, c.armed = phaseReleasing, w.Now(), true
	w.Wake(client, timerDeadline, w.Now()+m.RenewDeadline)
	m.send(w, client, stepGet)
}

// WatchEnded is part of Machine.
func (m *leaseMachine) WatchEnded(w World, client, request int32, a Answer) {
	m.watchEnded(w, client, request, a)
}

package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/backoff"
)

// heartbeatMachine is the machine of a Heartbeat: the kubelets, and what the node lifecycle
// controller knows of their nodes.
//
// The lease is that of component-helpers' apimachinery/lease/controller.go (v0.37.2), the status
// that of pkg/kubelet/kubelet_node_status.go, and the judgement that of
// pkg/controller/nodelifecycle/node_lifecycle_controller.go (v1.37.2). There may be a hundred
// thousand nodes, so a node costs no event but those of its requests: a status that has not
// changed is sent at one of the kubelet's looks at it, and those before are only counted.
type heartbeatMachine struct {
	Heartbeat
	reflectors
	nodes  []node
	status bool
}

// The requests of a node, and the timer of the controller's look at all nodes, which is one of
// client 0.
const (
	nodeUpdateLease int32 = iota
	nodeGetLease
	nodePatchStatus
	nodeGetStatus
)

const timerMonitor int32 = -2

// node is a node: what its kubelet is about, and what the controller knows of it.
type node struct {
	lease, report Operation
	// reportAt is when the report in flight or the next one was or will be sent.
	reportAt time.Duration
	// reported is when the latest report arrived, and again after how long the next one is due.
	reported, again time.Duration
	// sleep is the latest pause of a kubelet that cannot read its lease.
	sleep time.Duration
	// beat is when the latest heartbeat arrived, probed when the controller saw it, and seen
	// which one that was.
	beat, seen, probed time.Duration
	// lost is when the node became not ready.
	lost time.Duration

	step     leaseSync
	tries    uint8 // at updating the lease
	reports  uint8 // tries at reporting the status
	reading  bool  // the node is being read, for another try
	notReady bool
	changed  bool // the status has to be sent
}

// leaseSync is what a kubelet does about its lease.
type leaseSync uint8

const (
	leaseRenewing  leaseSync = iota // updates the lease that it knows
	leaseEnsuring                   // reads it, until it can
	leaseRenewing2                  // updates the lease that it has read
)

const (
	// heartbeatTries is how often an update or a report is tried, one right after the other
	// (maxUpdateRetries, nodeStatusUpdateRetry).
	heartbeatTries = 5
	// ensureFirst and ensureMax are the pauses between tries to read the lease: they double
	// (backoffEnsureLease).
	ensureFirst, ensureMax = 100 * time.Millisecond, 7 * time.Second
	// heartbeatJitter is what is added to the intervals.
	heartbeatJitter = 0.04
	// monitorPass is how long one look at all nodes takes. It takes some time always, so that the
	// looks are a little more than their period apart, and a grace period that is a multiple of
	// the period ends at one look and not at the one after it.
	monitorPass = time.Millisecond
)

// Machine is part of Behaviour.
func (h Heartbeat) Machine(clients int, requests []Template) Machine {
	first := int(nodePatchStatus)
	status := hasStatus(requests)
	if status {
		first = int(nodeGetStatus) + 1
	}
	return &heartbeatMachine{
		Heartbeat:  h,
		reflectors: newReflectors(clients, requests, first),
		nodes:      make([]node, clients),
		status:     status,
	}
}

// Start is part of Machine. The node has been there for long.
func (m *heartbeatMachine) Start(w World, client int32) {
	n := &m.nodes[client]
	n.lease = w.Send(client, nodeUpdateLease, within(w, client, m.LeaseInterval), 0)
	if m.status {
		n.again = m.StatusInterval
		n.reported = -within(w, client, m.StatusInterval)
		m.reportAfter(w, client, within(w, client, m.UpdateInterval))
	}
	m.resume(w, client, within(w, client, m.LeaseInterval))
	if client == 0 {
		w.Wake(0, timerMonitor, m.MonitorPeriod)
	}
}

// Due is part of Machine.
func (m *heartbeatMachine) Due(w World, client, timer int32) {
	if timer == timerMonitor {
		m.monitor(w)
		return
	}
	m.due(w, client, int(timer))
}

// Answered is part of Machine.
func (m *heartbeatMachine) Answered(w World, client int32, op Operation, a Answer) {
	switch n := &m.nodes[client]; op {
	case n.lease:
		m.leaseAnswered(w, client, a.Status == OK)
	case n.report:
		m.reportAnswered(w, client, a.Status == OK)
	default:
		m.answered(w, client, op, a)
	}
}

// WatchEnded is part of Machine.
func (m *heartbeatMachine) WatchEnded(w World, client, request int32, a Answer) {
	m.watchEnded(w, client, request, a)
}

// leaseAnswered goes on with the lease (sync).
func (m *heartbeatMachine) leaseAnswered(w World, client int32, ok bool) {
	n := &m.nodes[client]
	switch {
	case n.step == leaseEnsuring && ok:
		n.step, n.tries = leaseRenewing2, 0
		m.renew(w, client, w.Now())
	case n.step == leaseEnsuring:
		m.ensureAgain(w, client)
	case ok:
		m.beats(w, client, !m.status)
		m.nextLease(w, client)
	case n.tries+1 < heartbeatTries:
		n.tries++
		m.renew(w, client, w.Now())
	case n.step == leaseRenewing:
		n.step, n.sleep = leaseEnsuring, ensureFirst
		n.lease = w.Send(client, nodeGetLease, w.Now(), 0)
	default:
		m.nextLease(w, client)
	}
}

func (m *heartbeatMachine) renew(w World, client int32, at time.Duration) {
	m.nodes[client].lease = w.Send(client, nodeUpdateLease, at, 0)
}

func (m *heartbeatMachine) ensureAgain(w World, client int32) {
	n := &m.nodes[client]
	n.sleep = min(2*n.sleep, ensureMax)
	n.lease = w.Send(client, nodeGetLease, w.Now()+n.sleep, 0)
}

// nextLease schedules the next renewal.
func (m *heartbeatMachine) nextLease(w World, client int32) {
	n := &m.nodes[client]
	n.step, n.tries = leaseRenewing, 0
	m.renew(w, client, w.Now()+m.jittered(w, client, m.LeaseInterval))
}

func (m *heartbeatMachine) jittered(w World, client int32, d time.Duration) time.Duration {
	return backoff.Jitter(d, heartbeatJitter, w.Random(client).Float64())
}

// beats notes a heartbeat. One that brings the node back tells so.
func (m *heartbeatMachine) beats(w World, client int32, ready bool) {
	n := &m.nodes[client]
	n.beat = w.Now()
	if n.notReady && ready {
		n.notReady = false
		w.Tell(client, BecameReady, w.Now()-n.lost)
	}
}

// reportAfter schedules the next report: at the first look at the status at which it is due, the
// next look being at a time (isUpdateStatusPeriodExpired).
func (m *heartbeatMachine) reportAfter(w World, client int32, look time.Duration) {
	n := &m.nodes[client]
	if !n.changed {
		for look-n.reported < n.again {
			look += m.jittered(w, client, m.UpdateInterval)
		}
	}
	n.reportAt, n.reports, n.reading = look, 0, false
	n.report = w.Send(client, nodePatchStatus, look, 0)
}

// reportAnswered goes on with a report (updateNodeStatus). The first try is about the node as the
// kubelet knows it; before each other one it reads the node.
func (m *heartbeatMachine) reportAnswered(w World, client int32, ok bool) {
	n := &m.nodes[client]
	switch {
	case ok && n.reading:
		n.reading = false
		n.report = w.Send(client, nodePatchStatus, w.Now(), 0)
		return
	case ok:
		m.reportDone(w, client)
	case n.reports+1 < heartbeatTries:
		n.reports++
		n.reading = true
		n.report = w.Send(client, nodeGetStatus, w.Now(), 0)
		return
	}
	m.reportAfter(w, client, w.Now()+m.jittered(w, client, m.UpdateInterval))
}

// reportDone notes that a report has arrived. One that tells something new makes the time until
// the next one random, so that nodes which changed together do not report together.
func (m *heartbeatMachine) reportDone(w World, client int32) {
	n := &m.nodes[client]
	n.reported, n.again = w.Now(), m.StatusInterval
	if n.changed {
		n.again += time.Duration(float64(m.StatusInterval) * (w.Random(client).Float64() - 0.5))
		n.changed = false
	}
	m.beats(w, client, true)
}

// monitor is the look of the node lifecycle controller at all nodes (monitorNodeHealth). The time
// of a heartbeat is that at which it is seen.
func (m *heartbeatMachine) monitor(w World) {
	now := w.Now()
	for i := range m.nodes {
		n := &m.nodes[i]
		if n.beat != n.seen {
			n.seen, n.probed = n.beat, now
		}
		if !n.notReady && now > n.probed+m.GracePeriod {
			m.notReady(w, int32(i))
		}
	}
	w.Wake(0, timerMonitor, now+m.MonitorPeriod+monitorPass)
}

// notReady marks a node. Its kubelet sees that at its next look, and reports the status. When
// that look is was not kept, so it is drawn again: at any time within a period.
func (m *heartbeatMachine) notReady(w World, client int32) {
	n := &m.nodes[client]
	n.notReady, n.lost = true, w.Now()
	w.Tell(client, BecameNotReady, w.Now()-n.beat)
	if !m.status {
		return
	}
	n.changed = true
	if n.reportAt > w.Now() {
		w.Withdraw(n.report)
		m.reportAfter(w, client, w.Now()+within(w, client, m.UpdateInterval))
	}
}

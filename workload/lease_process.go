package workload

import "time"

// releasing goes on with the release of a lease: it is read, and given back if it is still the
// client's; a conflict begins anew (tryRelease).
func (m *leaseMachine) releasing(w World, client int32, a Answer) {
	c, l := &m.candidates[client], m.lease(client)
	switch {
	case a.Status != OK:
		m.exit(w, client)
	case c.step == stepGet:
		c.version = l.version
		if c.leads() {
			m.send(w, client, stepUpdate)
			return
		}
		m.exit(w, client)
	case c.version != l.version:
		m.send(w, client, stepGet)
	default:
		seconds := int64(w.Now() / time.Second)
		m.store(client, leaseText{seconds: 1, transitions: l.transitions, acquired: seconds, renewed: seconds})
		m.exit(w, client)
	}
}

// exit ends the process of a client, which begins anew after a while: at once as the kubelet sees
// it, but for one that has ended not long before.
func (m *leaseMachine) exit(w World, client int32) {
	c := &m.candidates[client]
	m.stop(w, client)
	c.phase = phaseDown
	begins := w.Now()
	if crashLoop.Waits(c.crashes, begins, begins) {
		begins += c.crashes.Delay
	}
	c.crashes = crashLoop.Next(c.crashes, w.Now(), begins, 0)
	w.Wake(client, timerRestart, begins+m.Restart)
}

// restart begins a new process, which knows nothing. It lists what it watches and then stands for
// election, or the other way round.
func (m *leaseMachine) restart(w World, client int32) {
	c := &m.candidates[client]
	m.processes++
	*c = candidate{process: m.processes, crashes: c.crashes, armed: c.armed, phase: phaseSyncing}
	w.Tell(client, Restarted, 0)
	if m.ListWhenLeading || m.start(w, client) {
		m.synced(w, client)
	}
}

// synced lets a process stand for election that has listed what it watches.
func (m *leaseMachine) synced(w World, client int32) {
	if c := &m.candidates[client]; c.phase == phaseSyncing {
		c.phase = phaseAcquiring
		m.try(w, client, w.Now())
	}
}

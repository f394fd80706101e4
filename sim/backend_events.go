package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/workload/backoff"
)

// The events of the machines are of the class of what ends: a stage of an execution ends, and
// so may the execution. Of those of one instant the one that was set first comes first. That
// is not by itself in the order of the servers, but it is the same in every run.

// setCPUAlarm makes sure that the next job of a server's CPU is noticed when it is done.
func (w *World) setCPUAlarm(server int32) {
	m := &w.behind.machines[server]
	at, ok := m.cpu.Next()
	w.setAlarm(&m.alarm, at, ok, actCPU, server)
}

// setStorageAlarm makes sure that the next operation of the storage is noticed when it is
// done.
func (w *World) setStorageAlarm() {
	at, ok := w.behind.storage.Next()
	w.setAlarm(&w.behind.alarm, at, ok, actStorage, 0)
}

// setAlarm sets an alarm, unless there is one that is early enough. An alarm without need
// becomes one that nobody waits for: a run that ends with its traces does not wait for it.
func (w *World) setAlarm(a *alarm, at time.Duration, needed bool, act action, ref int32) {
	if a.order != 0 && needed && a.at <= at {
		return
	}
	if a.order != 0 {
		a.order = 0
		w.background++
	}
	if needed {
		a.at, a.order = at, w.queue.push(at, classFinish, act, ref)
	}
}

// rings tells whether an alarm event is the one that was set last.
func (w *World) rings(a *alarm, order uint64) bool {
	if a.order != order {
		w.background--
		return false
	}
	a.order = 0
	return true
}

// cpuDone lets those go on whose work a CPU has done.
func (w *World) cpuDone(server int32, order uint64) {
	if m := &w.behind.machines[server]; w.rings(&m.alarm, order) {
		w.goOn(m.cpu.Take(w.now))
		w.setCPUAlarm(server)
	}
}

// storageDone lets those go on whom the storage has answered.
func (w *World) storageDone(order uint64) {
	if !w.rings(&w.behind.alarm, order) {
		return
	}
	done := w.behind.storage.Take(w.now)
	for _, slot := range done {
		w.slots[slot].InStorage += w.now - w.behind.jobs[slot].since
	}
	w.goOn(done)
	w.setStorageAlarm()
}

// What is done at one instant goes on in the order in which the model has it, which for cores
// is that of the work and for etcd that of the members. Each of the requests may end, free its
// seats and let others be dispatched, which start on the same cores at the same instant; none
// of them can be done before the loop is through, as even no work takes an event.

// goOn lets requests take their next step. What one of them does at its end may end another
// one, whose slot may be somebody else's then.
func (w *World) goOn(slots []int32) {
	b := w.behind
	b.done = b.done[:0]
	for _, slot := range slots {
		b.done = append(b.done, doneJob{slot, w.slots[slot].serial})
	}
	for _, d := range b.done {
		if r := &w.slots[d.slot]; r.serial == d.serial && r.state == stateExecuting {
			w.nextStep(d.slot)
		}
	}
}

// A stall is a change of the class of changes: what is done at its first nanosecond was done
// at the old speed, and what arrives at that nanosecond meets the new one.

// awaitStall schedules the next time at which a stall begins or ends.
func (w *World) awaitStall(number int32) {
	if w.behind != nil && int(number) < len(w.behind.stalls) {
		w.queue.push(w.behind.stalls[number], classChange, actStall, number)
		w.background++
	}
}

// stall makes all machines as slow as the stalls say that are going on from now on. What ends
// now has ended before.
func (w *World) stall(number int32) {
	w.background--
	w.awaitStall(number + 1)
	b := w.behind
	for i := range b.machines {
		b.machines[i].cpu.Slow(w.now, backend.FactorAt(b.cfg.Stalls, w.now, backend.OfCPU, i))
		w.setCPUAlarm(int32(i))
	}
	for i := range b.storage.Members() {
		b.storage.Slow(w.now, i, backend.FactorAt(b.cfg.Stalls, w.now, backend.OfEtcd, i))
	}
	w.setStorageAlarm()
}

// outOfMemory kills a server that needed more memory than it may have. The kubelet of its
// node starts it again.
func (w *World) outOfMemory(server int32) {
	m := &w.behind.machines[server]
	if !w.servers[server].up {
		return // it was killed or stopped at the same instant
	}
	w.fingerprint.add(factServer, int64(server), w.now, int64(OutOfMemory))
	w.observer.Server(w.now, OutOfMemory, server)
	w.stopServer(server)
	m.memory.Kill()
	m.restart = w.queue.push(w.now+m.pause(w.now)+w.behind.cfg.Memory.Startup, classChange, actRestart, server)
}

// crashLoop is the kubelet's pause before it starts a container again: none after the first exit,
// then from ten seconds on twice as long each time up to five minutes, and none again for one
// that ran for more than twice that (doBackOff in pkg/kubelet/kuberuntime, v1.37.2:
// initialCrashLoopBackOff and MaxContainerBackOff).
var crashLoop = backoff.Item{Initial: 10 * time.Second, Max: 5 * time.Minute}

// A server that is killed as soon as it is back is the livelock in which clients relist
// after each restart: the pauses grow, but the burst that meets the server is the same.

// pause is how long the kubelet waits with the restart of a server that was killed now. What it
// remembers is when it went about each restart, and not when the kill was.
func (m *machine) pause(now time.Duration) time.Duration {
	begins := now
	if crashLoop.Waits(m.crashes, now, now) {
		begins += m.crashes.Delay
	}
	m.crashes = crashLoop.Next(m.crashes, now, begins, 0)
	return begins - now
}

// restart starts a server again that was killed, unless somebody else has.
func (w *World) restart(server int32, order uint64) {
	m := &w.behind.machines[server]
	if m.restart != order || w.servers[server].up {
		return
	}
	m.restart = 0
	w.servers[server].apf.Restart(w.now, release.Version{})
	w.startServer(server)
}

// handleBackend lets an event of the backend happen.
func (w *World) handleBackend(e event) {
	switch e.act {
	case actCPU:
		w.cpuDone(e.ref, e.order)
	case actStorage:
		w.storageDone(e.order)
	case actStall:
		w.stall(e.ref)
	case actOutOfMemory:
		w.outOfMemory(e.ref)
	case actRestart:
		w.restart(e.ref, e.order)
	}
}

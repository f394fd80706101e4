package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/backoff"
)

// behind is what is behind the API servers, if the configuration has a backend. The models are
// in package backend; here they are tied to requests and events.
type behind struct {
	cfg     *backend.Config
	prices  *backend.Prices
	storage *backend.Storage
	// machines are those of the API servers, by their numbers.
	machines []machine
	// jobs tells what the request in each slot needs.
	jobs []job
	// targets are those that the servers have been told of, by their numbers.
	targets []scheduler.Target
	// stalls are the times at which one begins or ends.
	stalls []time.Duration
	alarm  alarm // of the storage
	done   []doneJob
}

// machine is the one that an API server runs on.
type machine struct {
	cpu    *backend.CPU
	memory *backend.Memory
	alarm  alarm // of the CPU
	// restart is the order of the event that starts it again after a kill, 0 if there is none.
	restart uint64
	// crashes is what the kubelet remembers of its kills.
	crashes backoff.ItemState
}

// job is what a request needs from the machines, and how far it has come.
type job struct {
	cost backend.Cost
	step step
	held bool
	// since is when the present step began.
	since time.Duration
}

// step is what an executing request does.
type step uint8

// The steps, in their order. A request that asks nothing of the storage has one step of CPU,
// stepAfter.
const (
	// stepNone: the slot has no job.
	stepNone step = iota
	// stepReady: nothing yet.
	stepReady
	// stepBefore: CPU, until the storage is asked.
	stepBefore
	stepRead
	stepWrite
	// stepAfter: CPU, from the answer of the storage on.
	stepAfter
	// stepOwn: what the population says that it takes beside all that.
	stepOwn
	// stepEnd: nothing more; with a resolution it may have to wait for a whole time.
	stepEnd
)

// doneJob is a request whose step is over.
type doneJob struct {
	slot   int32
	serial uint64
}

// alarm is the event at which something of a machine will be done. There is one at a time,
// which may be too early: when the machine has become slower it is let happen and set anew,
// since taking it out of the event queue would cost a search. When something will be done
// before that, another one is set, and nobody waits for the first one.
type alarm struct {
	at    time.Duration
	order uint64 // 0 if none is set
}

// openBackend makes the machines, if there are any.
func (w *World) openBackend() {
	c := w.cfg.Backend
	if c == nil {
		return
	}
	b := &behind{cfg: c, prices: backend.NewPrices(c, w.servers[0].apf), storage: backend.NewStorage(&c.Etcd, len(w.servers))}
	for range w.servers {
		b.machines = append(b.machines, machine{cpu: backend.NewCPU(c.CPU.MilliCores()), memory: backend.NewMemory(&c.Memory)})
	}
	b.stalls = backend.StallTimes(c.Stalls)
	w.behind = b
}

// noteTarget keeps a target that the servers were told of.
func (b *behind) noteTarget(id scheduler.TargetID, t scheduler.Target) {
	for int(id) >= len(b.targets) {
		b.targets = append(b.targets, scheduler.Target{})
	}
	b.targets[id] = t
}

// price tells what a request that arrives will cost. The stored objects are the same all the
// time, and a server that is restarted with another release takes no request along, so this
// holds until it is executed.
func (w *World) price(slot int32) {
	b, r := w.behind, &w.slots[slot]
	for int(slot) >= len(b.jobs) {
		b.jobs = append(b.jobs, job{})
	}
	b.jobs[slot] = job{cost: w.costOf(r, false)}
	r.Alone, r.InStorage = b.jobs[slot].cost.Alone()+r.Execution, 0
}

// priceFromStorage prices a LIST anew that is about to execute on a server whose watch cache is
// not filled, so that storage answers it. What it would take alone stays: that is on a server
// that has been up for a while.
func (w *World) priceFromStorage(slot int32) {
	w.behind.jobs[slot].cost = w.costOf(&w.slots[slot], true)
}

// beginJob begins to execute a request behind its server. How long that will take nobody
// knows, so its deadline is an event of its own. begin is when it may start at the earliest.
func (w *World) beginJob(slot int32, begin time.Duration) {
	b, r := w.behind, &w.slots[slot]
	b.jobs[slot].step = stepReady
	if r.limit > 0 {
		w.awaitDeadline(slot, max(r.limit, w.now))
	}
	if begin > w.now {
		r.pending = w.queue.push(begin, classFinish, actStage, slot)
		return
	}
	w.nextStep(slot)
}

// hasJob tells whether the request in a slot executes behind its server. One that calls for
// others, or that its server cannot serve yet, does not.
func (w *World) hasJob(slot int32) bool {
	b := w.behind
	return b != nil && int(slot) < len(b.jobs) && b.jobs[slot].step != stepNone
}

// costOf returns what a request costs, as its server knows the stored objects: read from where
// its options say, or from storage in any case.
func (w *World) costOf(r *slotRecord, storage bool) backend.Cost {
	b := w.behind
	id, name, options := r.target, r.name, r.options
	if r.Template != none {
		p := &w.populations[r.Population]
		q := &p.prepared[int(r.Client)*len(p.def.Requests)+int(r.Template)]
		id, name, options = q.Target, q.Name, q.Options
	}
	t := &b.targets[id]
	known := w.servers[r.Server].apf.ReadFacts(*t, name, options)
	known.FromStorage = known.FromStorage || storage
	facts := b.prices.Facts(t, &known)
	return b.prices.Of(&facts)
}

// A step that takes no time is an event too: what a dispatch sets off must not finish the
// request while the server is still telling what it has decided. Two stretches of CPU with
// nothing between them are one job, which costs half of the events and is the same.

// nextStep lets a request do what comes next, and finishes it if nothing does.
func (w *World) nextStep(slot int32) {
	b, r := w.behind, &w.slots[slot]
	j := &b.jobs[slot]
	was, c := j.step, &j.cost
	j.since = w.now
	switch {
	case was < stepBefore && (c.Reads || c.Writes):
		j.step = stepBefore
		w.compute(slot, c.Before)
	case was < stepRead && c.Reads:
		j.step = stepRead
		b.storage.Read(w.now, r.Server, slot, c.Read)
		w.setStorageAlarm()
	case was < stepWrite && c.Writes:
		j.step = stepWrite
		b.storage.Write(w.now, r.Server, slot, c.Write)
		w.setStorageAlarm()
	case was < stepAfter:
		j.step = stepAfter
		w.hold(slot)
		if was == stepReady {
			w.compute(slot, c.Before+c.After)
		} else {
			w.compute(slot, c.After)
		}
	case was < stepOwn && r.Execution > 0:
		j.step = stepOwn
		r.pending = w.queue.push(w.now+r.Execution, classFinish, actStage, slot)
	case was < stepEnd && w.queue.grain > 0:
		j.step = stepEnd
		w.finishAt(slot, w.now)
	default:
		w.giveBack(slot)
		j.step = stepNone
		w.finish(slot)
	}
}

// The slot of a request is its number as a job, for the CPU as well as for the storage. It has
// one job at a time, so no table leads from the one to the other; and as slots are used again
// last in, first out, the tables of the machines stay as small as the most that were ever in
// flight.

// compute gives a request's work to the CPU of its server.
func (w *World) compute(slot int32, work time.Duration) {
	server := w.slots[slot].Server
	w.behind.machines[server].cpu.Add(w.now, slot, work)
	w.setCPUAlarm(server)
}

// hold takes the memory of a request's answer, whose objects are there now. What is too much
// kills the server, at this instant but after all that ends now: one event changes a server
// at most once, and this may be the middle of one.
func (w *World) hold(slot int32) {
	j, server := &w.behind.jobs[slot], w.slots[slot].Server
	m := &w.behind.machines[server]
	if j.cost.Held == 0 {
		return
	}
	j.held = true
	if !m.memory.Hold(j.cost.Held) {
		w.queue.push(w.now, classChange, actOutOfMemory, server)
	}
}

// giveBack gives a request's memory back.
func (w *World) giveBack(slot int32) {
	if j := &w.behind.jobs[slot]; j.held {
		j.held = false
		w.behind.machines[w.slots[slot].Server].memory.Free(j.cost.Held)
	}
}

// Who waits for the storage heeds its context, and leaves at once; a read that etcd has begun
// ends, and a write that was proposed goes on for nobody. Encoding an answer heeds nothing in
// the real server until it is written. A population for which that matters says so by its
// Deadline, and its requests stay to the end.

// leaveJob takes a request out of what it does behind its server.
func (w *World) leaveJob(slot int32) {
	b, server := w.behind, w.slots[slot].Server
	j := &b.jobs[slot]
	switch j.step {
	case stepBefore, stepAfter:
		b.machines[server].cpu.Remove(w.now, slot)
		w.setCPUAlarm(server)
	case stepRead, stepWrite:
		w.slots[slot].InStorage += w.now - j.since
		b.storage.Remove(w.now, slot)
		w.setStorageAlarm()
	}
	w.giveBack(slot)
	j.step = stepNone
}

// What a request costs that is rejected is paid after its answer: the client of the real server
// gets the 429 as soon as the handler chain has come that far, and the server is busy with it
// for as long. Here it is a job that nobody waits for. Under a flood these jobs are what is
// left of the cores for others: 10,000 rejections a second at 50 µs are half a core.

// chargeRejection lets a server work for a request that it has answered with 429. The client
// has its answer at once.
func (w *World) chargeRejection(server int32) {
	if work := w.behind.prices.Rejected(); work > 0 {
		w.behind.machines[server].cpu.Add(w.now, none, work)
		w.setCPUAlarm(server)
	}
}

// machineStopped empties the machine of a server that has stopped. Its requests have left it.
func (w *World) machineStopped(server int32) {
	m := &w.behind.machines[server]
	m.cpu.Clear(w.now)
	m.memory.Clear()
	w.setCPUAlarm(server)
}

// withOwnTime returns a population as its validation has to see it: behind a server, requests
// take time even if the population gives none.
func withOwnTime(p *workload.Population) *workload.Population {
	if !p.Duration.IsZero() && p.Duration.Mean() > 0 {
		return p
	}
	timed := *p
	timed.Duration, _ = workload.Constant(1) // 1 ns is legal
	return &timed
}

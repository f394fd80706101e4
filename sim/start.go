package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/workload"
)

// StartState is what the servers are doing when a run begins: without it nothing.
type StartState struct {
	// Population is the index of the population that the requests count to. It is Present.
	Population int32
	// Duration is how long requests execute of which it is not told.
	Duration workload.Distribution
	Servers  []ServerStart
}

// ServerStart is what one server is doing when a run begins.
type ServerStart struct {
	Server int32
	// Adjustment is when its limits are adjusted next; 0 is a whole period after the start.
	Adjustment time.Duration
	// Whole is as in scheduler.Moment.
	Whole  bool
	Levels []StartLevel
}

// StartLevel is what a level is doing. Times are since the start, so none is after 0.
type StartLevel struct {
	// Moment is without Requests.
	Moment scheduler.LevelMoment
	// Requests tell more of each request of Moment.Set.
	Requests []StartRequest
}

// StartRequest is a request that is present when a run begins.
type StartRequest struct {
	Schema string
	// User, Target, Name and Options are as a client asks. A list or watch has the Name of
	// its field selector.
	User    string
	Groups  []string
	Target  scheduler.Target
	Name    string
	Options scheduler.RawListOptions
	// WaitLimit is how long it may wait in all, 0 for as long as any request without a deadline.
	WaitLimit time.Duration
	// Arrival is when it arrived, at most 0.
	Arrival time.Duration
	// Rest is how long it will execute if it waits, go on to execute if it executes, and hold its
	// seats if they linger. Unknown asks for a draw: of one that executes, among the durations
	// that are longer than it has executed already.
	Rest time.Duration
	// StartUnknown tells that Started of one that executes is no more than a guess.
	StartUnknown bool
	// Order tells who comes first of those that were dispatched, or have arrived if they wait, at the same
	// time.
	Order int
}

// Unknown is a duration that is not known.
const Unknown time.Duration = -1

// started is a present request on its way into the world.
type started struct {
	server, level, number int
	slot                  int32
	request               *StartRequest
	saved                 fairqueue.SavedRequest
}

// validateStart returns what makes the start impossible for the world. Levels, schemas and queues
// are the scheduler's to judge, which panics: who makes a start holds it against the configuration.
func (c *Config) validateStart() []error {
	if c.Start == nil {
		return nil
	}
	var faults []error
	if p := c.Start.Population; p < 0 || int(p) >= len(c.Populations) || !c.Populations[p].Present {
		faults = append(faults, fmt.Errorf("the start counts to population %d; legal: one that is Present", p))
	}
	seen := map[int32]bool{}
	for i := range c.Start.Servers {
		s := &c.Start.Servers[i]
		if s.Server < 0 || int(s.Server) >= max(c.Servers, 1) || seen[s.Server] {
			faults = append(faults, fmt.Errorf("start.servers[%d] is about server %d; legal: 0 to %d, each once", i, s.Server, max(c.Servers, 1)-1))
		}
		seen[s.Server] = true
		if s.Adjustment < 0 || s.Adjustment > AdjustmentPeriod {
			faults = append(faults, fmt.Errorf("start.servers[%d] adjusts after %v; legal: 0s to %v", i, s.Adjustment, AdjustmentPeriod))
		}
		for j := range s.Levels {
			l := &s.Levels[j]
			if len(l.Requests) != len(l.Moment.Set.Requests) {
				faults = append(faults, fmt.Errorf("start.servers[%d].levels[%d] tells of %d of %d requests", i, j, len(l.Requests), len(l.Moment.Set.Requests)))
			}
			for k := range l.Requests {
				if r := &l.Requests[k]; r.Arrival > 0 || r.Rest < 0 && c.Start.Duration.IsZero() {
					faults = append(faults, fmt.Errorf("start.servers[%d].levels[%d].requests[%d] arrives at %v and has %v left", i, j, k, r.Arrival, r.Rest))
				}
			}
		}
	}
	return faults
}

// How a run begins in the middle:
//
//  1. Every present request gets a slot and an id, in the order of arrival, which is the order
//     in which a run from the beginning would have numbered them.
//  2. Each server is put into its state at once, with the slots as tags, so that nothing is
//     decided anew that was decided before: no queue is chosen, no work is estimated, R does not move.
//  3. The observer is told of them as if they came at the start, after their servers' state is
//     complete. An observer that counts along sees arrivals and dispatches, and needs to
//     know nothing of this.
//  4. What ends first is scheduled in the order in which it would have been: executions by their
//     dispatch, wait limits by arrival. At the same nanosecond that order decides.
//
// The wait of a request that executes is known, and so is told; that it was dispatched before the
// start is not shown, since many an observer takes a time before 0 for none.

// startServers puts the servers into the state that they begin in. It returns the requests in the
// order of their arrival, and what is decided about them.
func (w *World) startServers() ([]started, [][]scheduler.Decision) {
	if w.cfg.Start == nil {
		return nil, nil
	}
	present := w.presentRequests()
	durations := NewStream(w.cfg.Seed, w.replication, "start/durations")
	for i := range present {
		p := &present[i]
		p.slot = w.newPresent(p, &durations)
	}
	var decided [][]scheduler.Decision
	for i := range w.cfg.Start.Servers {
		s := &w.cfg.Start.Servers[i]
		arrivals, out := w.servers[s.Server].apf.Restore(0, w.momentOf(i, present))
		decided = append(decided, slices.Clone(out))
		for j := range present {
			if p := &present[j]; p.server == i {
				w.classified(p, &arrivals[p.level][p.number])
			}
		}
	}
	return present, decided
}

// presentRequests lists the requests of all servers in the order of their arrival. Those of one
// server at the same nanosecond have an order of their own; between servers it makes no difference,
// since they share nothing.
func (w *World) presentRequests() []started {
	var all []started
	for i := range w.cfg.Start.Servers {
		for j := range w.cfg.Start.Servers[i].Levels {
			l := &w.cfg.Start.Servers[i].Levels[j]
			for k := range l.Requests {
				all = append(all, started{server: i, level: j, number: k, request: &l.Requests[k], saved: l.Moment.Set.Requests[k]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b started) int {
		return cmp.Or(cmp.Compare(a.request.Arrival, b.request.Arrival), cmp.Compare(a.request.Order, b.request.Order))
	})
	return all
}

// momentOf makes the moment of a server, whose requests have slots by now. Replications share the
// configuration, and the slots of a request differ, so what is written to is a copy.
func (w *World) momentOf(i int, present []started) *scheduler.Moment {
	s := &w.cfg.Start.Servers[i]
	m := &scheduler.Moment{Whole: s.Whole}
	for j := range s.Levels {
		l := s.Levels[j].Moment
		l.Set.Requests = slices.Clone(l.Set.Requests)
		l.Requests = make([]scheduler.PresentRequest, len(l.Set.Requests))
		m.Levels = append(m.Levels, l)
	}
	for j := range present {
		p := &present[j]
		if p.server != i {
			continue
		}
		l, r := &m.Levels[p.level], &w.slots[p.slot]
		l.Set.Requests[p.number].Tag = uint32(p.slot)
		l.Requests[p.number] = scheduler.PresentRequest{Schema: p.request.Schema, Subject: r.subject, Target: r.target, WaitLimit: p.request.WaitLimit}
	}
	return m
}

// newPresent gives a present request a slot, with all that the server has no part in.
func (w *World) newPresent(p *started, durations *workload.Stream) int32 {
	q := p.request
	subject, target := w.subject(q.User, q.Groups), w.target(q.Target)
	slot := w.newRecord()
	r := &w.slots[slot]
	r.ID = w.nextID
	w.nextID++
	r.Server = w.cfg.Start.Servers[p.server].Server
	r.Population, r.Client, r.Template, r.Attempt = w.cfg.Start.Population, 0, none, 0
	r.method = workload.MethodOf(q.Target.Verb)
	r.watch, r.list = r.method == workload.MethodWatch, q.Target.Verb == "list"
	r.subject, r.target, r.name, r.options = subject, target, q.Name, scheduler.ParseListOptions(q.Options)
	r.Options, r.Timeout, r.recordedAt, r.lives = nil, 0, none, 0
	r.Subject, r.Target, r.Name = subject, target, q.Name
	r.errand = errand{began: q.Arrival, operation: none}
	r.Arrival, r.Execution = q.Arrival, q.Rest
	// Observers see one that executes as dispatched at the start, after the wait that it has had.
	if p.saved.Phase != fairqueue.Waits {
		r.Arrival = min(q.Arrival-p.saved.Started, 0)
	}
	if q.Rest < 0 {
		r.Execution = w.drawRest(p, durations)
	}
	r.Execution = w.queue.whole(r.Execution)
	return slot
}

// restTries is how many durations are drawn in search of one that is longer than a request has
// executed already.
const restTries = 1000

// drawRest draws how long a request will execute, or go on to execute. If it has executed for
// longer than the distribution gives in restTries draws, it begins anew.
//
// A request that is found executing is likely to be a long one, since those are there for
// longer. To draw among the durations beyond what it has executed takes account of that: given
// when it began, nothing else is known of its duration than that it is longer. For the
// exponential distribution the rest is distributed as the whole is.
func (w *World) drawRest(p *started, durations *workload.Stream) time.Duration {
	d := &w.cfg.Start.Duration
	elapsed := time.Duration(0)
	if p.saved.Phase == fairqueue.Executes && !p.request.StartUnknown {
		elapsed = -p.saved.Started
	}
	for range restTries {
		if whole := d.Sample(durations); whole > elapsed || elapsed == 0 {
			return whole - elapsed
		}
	}
	return d.Sample(durations)
}

// classified takes over what the server tells of a present request. Its queue and its estimate are
// those that it had, whatever the configuration would make of it today; its flow is what its schema
// makes of its user or namespace now, as the next request of the same kind is told apart.
func (w *World) classified(p *started, a *scheduler.Arrival) {
	r := &w.slots[p.slot]
	r.id = a.ID
	r.Schema, r.Level, r.Flow, r.Queue = a.Schema, a.Level, a.Flow, a.Queue
	r.Estimate, r.WaitLimit = a.Estimate, a.WaitLimit
	r.Watch, r.Mutating = a.Watch, a.Mutating
	r.state = stateWaiting
}

// startRequests tells the observer of the present requests as if they came now, in the order of
// their arrival, and then lets those execute that do, in the order of their dispatch.
func (w *World) startRequests(present []started, decided [][]scheduler.Decision) {
	for i := range present {
		p := &present[i]
		r := &w.slots[p.slot]
		w.present++
		w.servers[r.Server].inFlight++
		w.counts.arrived++
		w.limitExecution(r, 0)
		w.fingerprint.add(factArrived, r.ID, r.Arrival, int64(r.Queue))
		if w.behind != nil {
			w.price(p.slot)
		}
		w.observer.Arrived(w.now, &r.Request)
		if p.saved.Phase == fairqueue.Waits {
			w.watchDeadline(p.slot, r)
		}
	}
	slices.SortStableFunc(present, func(a, b started) int {
		return cmp.Or(cmp.Compare(a.saved.Started, b.saved.Started), cmp.Compare(a.request.Order, b.request.Order))
	})
	for i := range present {
		switch p := &present[i]; p.saved.Phase {
		case fairqueue.Executes:
			w.dispatched(p.slot)
		case fairqueue.Lingers:
			w.startLingering(p.slot)
		}
	}
	for _, decisions := range decided {
		w.decide(decisions)
	}
}

// startLingering lets the seats of a request linger on. It passes through its execution at the
// start, so that the books of the run balance: what was dispatched is finished. No client is
// answered, since it was before the start.
func (w *World) startLingering(slot int32) {
	r := &w.slots[slot]
	rest := r.Execution
	r.Dispatched, r.Finished, r.Execution = w.now, w.now, 0
	w.counts.dispatched++
	w.fingerprint.add(factDispatched, r.ID, w.now, int64(r.Queue))
	w.observer.Dispatched(w.now, &r.Request)
	r.state, r.answered = stateLingering, true
	w.left(r)
	w.counts.finished++
	w.fingerprint.add(factFinished, r.ID, w.now, int64(r.Status))
	w.observer.Finished(w.now, &r.Request)
	r.pending = w.queue.push(w.now+rest, classRelease, actRelease, slot)
}

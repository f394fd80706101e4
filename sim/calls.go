package sim

import (
	"fmt"

	"github.com/apfsim/apfsim/workload"
)

// A request that calls for others (workload.Template.Calls) does so when it has been
// dispatched, before its own execution: admission asks webhooks before anything is stored, and
// an aggregated server asks who may do what before it works. It holds its seats meanwhile, since
// APF lets go of them when the handler returns
// (priorityAndFairnessHandler.Handle in pkg/server/filters/priority-and-fairness.go).
//
// Each call is an errand of a client of the called population, with all that belongs to one: the
// limiter, the retries, the user and so the level. It begins with an event of its own, at the
// instant at which the caller asks for it.

// calling is an executing request that waits for its calls.
type calling struct {
	slot int32
	// call is the index in the template's Calls of the next one to begin, and begun how many of
	// its Count have begun.
	call, begun int32
	// open begins the list of the operations that it waits for.
	open int32
	// failed tells that a call has failed that must not.
	failed bool
	// deadlock is the number of the deadlock that it was caught in, none for none.
	deadlock int32
	next     int32 // links unused ones
}

// resolveCalls looks up the populations that calls are for. They may come after those that call,
// so it is done when all of them are known.
func (w *World) resolveCalls() {
	numbers := map[string]int32{}
	for i := range w.populations {
		numbers[w.populations[i].def.Name] = int32(i)
	}
	for i := range w.populations {
		p := &w.populations[i]
		for t := range p.def.Requests {
			calls := p.def.Requests[t].Calls
			if len(calls) == 0 {
				continue
			}
			w.graph.used = true
			if p.callees == nil {
				p.callees = make([][]int32, len(p.def.Requests))
			}
			for c := range calls {
				p.callees[t] = append(p.callees[t], numbers[calls[c].Population])
			}
		}
	}
}

// calls returns what a request calls for.
func (w *World) calls(r *slotRecord) []workload.Call {
	p := &w.populations[r.Population]
	if p.callees == nil {
		return nil
	}
	return p.def.Requests[r.Template].Calls
}

// beginCalls lets a request that was dispatched call for others. What it may take altogether
// ends during the calls, too.
func (w *World) beginCalls(slot int32) {
	i := w.newCalling()
	r := &w.slots[slot]
	w.callings[i] = calling{slot: slot, open: none, deadlock: none}
	r.stage, r.calling = stageCalls, i
	w.graph.hold(r, +1)
	if r.limit > 0 {
		w.awaitDeadline(slot, max(r.limit, w.now))
	}
	w.nextCalls(slot)
}

// nextCalls begins the next call of a request, or all those that are made side by side. When
// none is left, the request does its own work.
func (w *World) nextCalls(slot int32) {
	r := &w.slots[slot]
	c := &w.callings[r.calling]
	calls := w.calls(r)
	switch {
	case c.failed:
		w.endCalls(slot, true)
		r.Status = workload.Failed
		w.finishNow(slot)
	case int(c.call) == len(calls):
		w.endCalls(slot, false)
		w.work(slot)
	case calls[c.call].Parallel:
		for int(c.call) < len(calls) && calls[c.call].Parallel {
			for range calls[c.call].Count {
				w.callFor(r, c.call)
			}
			c.call++
		}
	default:
		w.callFor(r, c.call)
		if c.begun++; int(c.begun) == calls[c.call].Count {
			c.call, c.begun = c.call+1, 0
		}
	}
}

// The webhooks that may change an object are asked one after the other, since each one sees what
// the one before it has made of the object. Those that only judge it are asked side by side
// (pkg/admission/plugin/webhook/mutating/dispatcher.go and validating/dispatcher.go). So the
// calls of a template follow each other in their order, and neighbours that are Parallel begin
// together.

// callFor begins one call of a request. Who calls again and again meets the same client of the
// called population, as one user meets one connection.
func (w *World) callFor(r *slotRecord, call int32) {
	def := &w.calls(r)[call]
	callee := w.populations[r.Population].callees[r.Template][call]
	p := &w.populations[callee]
	client := r.Client % int32(p.def.Clients)
	template := int32(def.Request)
	i := w.newOperation()
	o := &w.operations[i]
	o.population, o.client = callee, client
	o.caller, o.ignore, o.template = r.calling, def.Ignore, template
	c := &w.callings[r.calling]
	o.after, c.open = c.open, i
	if o.after != none {
		w.operations[o.after].before = i
	}
	d := draft{
		errand:    errand{began: w.now, operation: i},
		client:    p.first + client,
		template:  template,
		execution: w.executionOf(p.first+client, template),
	}
	if def.Timeout > 0 {
		d.patience = w.queue.whole(w.now + def.Timeout)
	}
	w.sendLater(w.now, d)
}

// callEnded tells a request how one of its calls has ended. It goes on by an event of its own,
// since the server may be in the middle of its decisions: at once when that call was the last
// one that it waits for. Those that were made side by side are all waited for, even if one has
// failed (Dispatch in pkg/admission/plugin/webhook/validating/dispatcher.go).
func (w *World) callEnded(i int32, a workload.Answer) {
	o := w.operations[i]
	w.leaveLevel(i)
	w.unlinkCall(i)
	w.freeOp(i)
	c := &w.callings[o.caller]
	c.failed = c.failed || a.Status != workload.OK && !o.ignore
	if c.open == none {
		w.slots[c.slot].pending = w.queue.push(w.now, classFinish, actStage, c.slot)
	}
	switch a.Status {
	case workload.TooManyRequests:
		w.graph.breaks(BrokenByRetries)
	case workload.TimedOut:
		w.graph.breaks(BrokenByCallTimeout)
	}
}

// unlinkCall takes an operation out of the list of its caller.
func (w *World) unlinkCall(i int32) {
	o := &w.operations[i]
	if o.before != none {
		w.operations[o.before].after = o.after
	} else {
		w.callings[o.caller].open = o.after
	}
	if o.after != none {
		w.operations[o.after].before = o.before
	}
}

// leaveCalls withdraws what a request waits for that is over itself. The server that is called
// learns it as from any client that closes its connection: what waits leaves its queue, and what
// executes ends if it heeds that. Each withdrawal is an event of its own, because this one may
// be in the middle of a server's decisions.
func (w *World) leaveCalls(slot int32) {
	c := &w.callings[w.slots[slot].calling]
	for i := c.open; i != none; {
		w.leaveLevel(i)
		o := &w.operations[i]
		o.withdrawn, o.caller = true, none
		w.queue.push(w.now, classClient, actWithdraw, i)
		i = o.after
	}
	w.endCalls(slot, true)
}

// endCalls forgets that a request has called for others. The caller does its own work now, or
// fails: in both cases its seats are nothing that a deadlock could hold fast any more.
func (w *World) endCalls(slot int32, failed bool) {
	r := &w.slots[slot]
	i := r.calling
	w.graph.hold(r, -1)
	w.graph.released(w.callings[i].deadlock, failed)
	r.stage, r.calling, r.Calls = stageWork, none, w.now-r.Dispatched
	w.callings[i] = calling{slot: none, open: none, next: w.freeCalling}
	w.freeCalling = i
}

// Records are used again like slots, last in, first out.

// newCalling returns an unused record.
func (w *World) newCalling() int32 {
	i := w.freeCalling
	if i == none {
		w.callings = append(w.callings, calling{})
		return int32(len(w.callings) - 1)
	}
	w.freeCalling = w.callings[i].next
	return i
}

// validateCalls returns what is wrong with calls as such: who is called for must be there, and
// no request may call for itself, by whatever detour, or its execution would never begin.
func (c *Config) validateCalls() []error {
	v := callsChecker{cfg: c, populations: map[string]int{}, seen: map[[2]int]visit{}}
	for i := range c.Populations {
		v.populations[c.Populations[i].Name] = i
	}
	for i := range c.Populations {
		for t := range c.Populations[i].Requests {
			v.visit(i, t)
		}
	}
	return v.faults
}

// visit is how far the check has come with a request.
type visit uint8

const (
	visitBegun visit = iota + 1
	visitDone
)

// The check is a search in depth. A request that it comes back to while it is still on the way
// from there has a cycle; one that it has been through already is not looked at again, so that
// its faults are told once.

// callsChecker walks from request to request along their calls.
type callsChecker struct {
	cfg         *Config
	populations map[string]int
	seen        map[[2]int]visit // by population and request
	faults      []error
}

func (v *callsChecker) visit(population, request int) {
	at := [2]int{population, request}
	if v.seen[at] != 0 {
		return
	}
	v.seen[at] = visitBegun
	p := &v.cfg.Populations[population]
	for i := range p.Requests[request].Calls {
		call := &p.Requests[request].Calls[i]
		callee, known := v.populations[call.Population]
		var what string
		switch {
		case !known:
			what = fmt.Sprintf("there is no population %q", call.Population)
		case !v.cfg.Populations[callee].Called:
			what = fmt.Sprintf("population %q sends by itself; legal: one that is called", call.Population)
		case call.Request < 0 || call.Request >= len(v.cfg.Populations[callee].Requests):
			what = fmt.Sprintf("request %d; legal: 0 to %d", call.Request, len(v.cfg.Populations[callee].Requests)-1)
		case v.seen[[2]int{callee, call.Request}] == visitBegun:
			what = fmt.Sprintf("request %d of population %q calls for itself in the end, which never ends", call.Request, call.Population)
		default:
			v.visit(callee, call.Request)
			continue
		}
		v.faults = append(v.faults, fmt.Errorf("population %q: requests[%d].calls[%d]: %s", p.Name, request, i, what))
	}
	v.seen[at] = visitDone
}

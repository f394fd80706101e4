//go:build apfsim_invariants

package sim

import "fmt"

// invariants switches the checks on. Those of the queue sets are in package fairqueue.
const invariants = true

// check panics if the books do not balance: what arrived has been executed or rejected, or
// is still there.
func (w *World) check() {
	c := &w.counts
	if c.arrived != c.finished+c.rejected+c.cut+w.present {
		panic(fmt.Sprintf("sim: %d arrived, but %d finished, %d rejected and %d present", c.arrived, c.finished, c.rejected, w.present))
	}
	// What waits and what executes is counted slot by slot, so that a slot which was given back
	// too early, or never, is found here and not by its consequences.
	waiting, executing := int64(0), int64(0)
	for i := range w.slots {
		switch w.slots[i].state {
		case stateWaiting:
			waiting++
		case stateExecuting:
			executing++
		}
	}
	if w.present != waiting+executing || c.dispatched != c.finished+c.cutExecuting+executing {
		panic(fmt.Sprintf("sim: %d present, but %d wait and %d execute; %d dispatched, %d finished", w.present, waiting, executing, c.dispatched, c.finished))
	}
	w.checkCalls()
}

// The graph of waits is kept by small steps at many places: a call arrives, waits, is rejected, is
// sent again, is withdrawn. One that is forgotten would let a deadlock pass unseen, or report one
// that is none. So the sums are made anew here, from the callers and their operations alone.

// checkCalls panics if what the graph keeps of the levels is not what the callers hold and where
// their calls wait, or if a request waits for a call that does not know it.
func (w *World) checkCalls() {
	var want waitGraph
	for i := range w.callings {
		slot := w.callings[i].slot
		if slot == none {
			continue
		}
		r := &w.slots[slot]
		if r.state != stateExecuting || r.stage != stageCalls || r.calling != int32(i) {
			panic(fmt.Sprintf("sim: calling %d of slot %d, which is in state %d and stage %d of calling %d", i, slot, r.state, r.stage, r.calling))
		}
		want.hold(r, +1)
		for op := w.callings[i].open; op != none; op = w.operations[op].after {
			o := &w.operations[op]
			if o.caller != int32(i) || o.withdrawn || o.slot == none && o.draft == none && w.routing == nil {
				panic(fmt.Sprintf("sim: calling %d waits for operation %d of calling %d, at slot %d and draft %d", i, op, o.caller, o.slot, o.draft))
			}
			if o.blockade.kind != notBlocked {
				want.at(o.blockade.levelRef).calls++
			}
		}
	}
	for server := range w.graph.levels {
		for level := range w.graph.levels[server] {
			ref := levelRef{int32(server), int32(level)}
			if got, sum := w.graph.at(ref), want.at(ref); got.seats != sum.seats || got.calls != sum.calls {
				panic(fmt.Sprintf("sim: level %v has %d seats of callers and %d calls, but they are %d and %d", ref, got.seats, got.calls, sum.seats, sum.calls))
			}
		}
	}
}

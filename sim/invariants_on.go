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
}

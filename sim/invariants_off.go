//go:build !apfsim_invariants

package sim

// invariants switches the checks on. Those of the queue sets are in package fairqueue.
const invariants = false

func (w *World) check() {}

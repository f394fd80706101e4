//go:build !apfsim_invariants

package sim

// invariants switches the checks on.
const invariants = false

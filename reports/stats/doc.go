// Package stats says how sure a simulation is of its figures. Its functions are small and pure,
// and know nothing of requests: they get the figures of independent replications, or of the
// slices of one run.
//
// Replications are independent and identically distributed, each with random numbers of its
// own, so Student's intervals hold for their figures, however much the requests within one
// replication depend on each other. That dependence is what EffectiveSize measures, and the
// beginning of a run that is not like the rest of it is what Settled looks for.
//
// Products that are added to something are rounded first, by a conversion, so that no
// processor fuses the two and the answers are the same on all of them.
package stats

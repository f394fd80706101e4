// Package compare holds two results against each other: which figures differ, by how much, and
// how sure that is.
//
// Results with one seed share their random numbers: what a client wants at which time is the
// same on both sides, replication by replication, so the differences of the pairs are looked
// at. That tells far smaller changes apart than the difference of two means of which each
// varies by itself. Results that share nothing are compared by Welch's interval.
//
// All intervals are of 95 %, each for itself: of twenty figures that nothing changes, one will
// seem to have changed. A Comparison says how many it has looked at.
package compare

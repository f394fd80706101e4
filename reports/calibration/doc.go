// Package calibration holds what was simulated against what was recorded, and says where the two
// disagree, by how much, and what the likely reason is.
//
// Both are brought into one shape first, a Side: of each priority level, flow schema, group of users
// and server, and in each span of time, how many requests came, were executed and were rejected,
// how long they waited and executed, and what seats they held. A record is one of two kinds.
//
//   - A trace tells of single requests. What the server made of each is in the trace; to which
//     level a request went, where the record does not tell, and how many seats it took, follow from
//     the configuration of the scenario. Requests count where they arrived.
//   - Metrics are sums between scrapes. The simulated servers are scraped at the same times, and
//     requests count where the server counts them.
//
// Like is compared with like: what a record cannot tell is hidden from the simulation too. An audit
// log tells the waits of slow requests alone; so those of fast simulated requests are taken for a
// part of their execution, as who reads the log has to.
//
// A figure agrees if the record lies where another replication would lie (the prediction interval
// of Student's t), or within the tolerance. Two distributions agree if their Kolmogorov-Smirnov
// distance is within the tolerance, or is what chance makes of samples of these sizes, or is no larger
// than that of a replication from all of them.
//
// Reasons are found by rules, each of which looks for the traces that one kind of fault leaves in the
// figures; what no rule explains is said to be unexplained.
package calibration

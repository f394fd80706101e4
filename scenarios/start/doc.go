// Package start makes the state in which a run begins of what debug pages tell (package
// workload/recording/dump), and of assumptions about what they do not.
//
// Nothing has to be assumed of pages with the further columns of a simulated server. Of those that a
// real server writes:
//
//   - R, the progress meter of a level, is taken from a scrape if there is one. Otherwise it is
//     estimated: each queue in which something waits has had its share, as far as fair queuing can
//     divide it, so R is about what the queue has had: its NextDispatchR, and for each of its
//     executing requests the seats times the time beyond the guess of 3 ms that it was charged.
//   - R at the arrival of a request that waits is what R was then if its speed has always been what it is.
//   - The limits are those of a scrape, if its nominal limits are those of the configuration. Otherwise they
//     are adjusted at the start to the demand of the moment, which is taken to have lasted.
//   - The queue last dispatched from is that of the request that began last, of those that still
//     execute.
//   - How many requests were dealt a hand follows from the counts of dump_priority_levels from 1.27
//     on.
//   - Seats that a queue uses beyond those of its requests linger, for half of the 5 ms that a write
//     adds at least. The pages do not show lingering seats of levels without queues.
//   - Up to 1.27 requests that execute are not shown, but counted: each has its part of the seats, and began
//     when nobody knows.
//   - Nobody was rejected before.
package start

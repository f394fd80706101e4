// Package exposition tells what a kube-apiserver of the simulated release would answer to a scrape
// of /metrics: the metrics of API Priority and Fairness and their nearest neighbours, with the release's
// names, labels, types, help texts and buckets.
//
// An Observer counts from time 0, without a warm-up, as a process does from its start. A server
// that stops takes its counts with it.
//
// # What is as in a real server, and what cannot be
//
// Counters, gauges and histograms have the values that the real code has at the same time of the
// same run. A series is there once the real code would have made it. These are different:
//
//   - The sums of histograms are exact here. A real server adds floats up, in the order in
//     which its goroutines come by, so that the last digits differ.
//   - target_seats of the exempt level is, from 1.31 on, that of any other level, by the
//     order of a map. Here it is the first level by name.
//   - Numbers of requests by kind are always the newest. A real server counts a request in one step and tells the
//     metric in another, so that of two in the same nanosecond the older number may stay in force.
//   - The samples and watermarks of releases up to 1.24 are taken at every millisecond of the
//     process. Here these are the whole milliseconds since the start of the process.
//   - current_inflight_requests and current_inqueue_requests look back over one second. Here
//     the seconds are whole ones since the start of the process.
//   - Up to 1.28.4 requests that have waited for too long leave just before another one queues. Here they
//     leave just after, so that the highest and lowest numbers of waiting requests may be off by them.
//
// Metrics that a release has deprecated for longer than one minor release are hidden, as
// without --show-hidden-metrics-for-version.
package exposition

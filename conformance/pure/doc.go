// Package pure compares the functions of the scheduler that keep no queues with the
// real ones in k8s.io/apiserver: the same random input to both, no difference in the
// answer.
//
//   - shuffle: the dealer and the flow hash
//   - borrowing: nominal limits, demand statistics, the allocation problem
//   - estimate: the width of every request, the watch counts
//   - classify: matching, distinguishers, long-running requests
//   - retryafter: the Retry-After header
//   - scheduler: the wait limit
//   - scenarios: the built-in objects
//
// Every test draws from a fixed seed; -times multiplies how much it draws.
package pure

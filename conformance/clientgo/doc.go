// Package clientgo compares how clients behave, as package workload has it, with the real code
// of k8s.io/client-go and k8s.io/apimachinery, in the virtual time of testing/synctest: the same
// random input to both, every time equal to the nanosecond.
//
//   - workload/limiter: the token bucket, with waiting requests, deadlines and cancellation
//   - workload/backoff: wait.Backoff and what resets it, flowcontrol.Backoff, the rate limiters
//     of work queues
//   - workload: the retries of the rest client, alone and behind the token bucket
//   - workload: whole clients, which must send the same requests at the same times: leader
//     election, reflectors, event recorders, controllers with a work queue, and the lease of
//     a node (of k8s.io/component-helpers)
//
// Every test draws from a fixed seed; -times multiplies how much it draws. That the tests
// notice what is wrong is shown by package mutation, which has a group of wrong clients.
package clientgo

// Package sim is virtual time: a discrete-event simulation of clients, requests and
// an API server, on one goroutine and without a clock.
//
// Time is a time.Duration since the start of the run, in whole nanoseconds. Events
// have a total order, (time, class, sequence), so that a run is a function of its
// configuration, its seed and its replication: the same input gives the same
// trajectory everywhere, which the fingerprint in the Summary stands for.
//
// The World asks package workload who asks what and when, tells package scheduler,
// acts on its decisions, and tells an Observer all that happens.
package sim

// Package fullrun replays whole traces of requests through kube-apiserver's own
// API Priority and Fairness and compares every decision with the simulator's.
//
// What runs is the real code of k8s.io/apiserver, unmodified: the request deadline
// filter, the priority-and-fairness filter, the controller with its informers (fed
// from a fake clientset), the work estimator, the watch tracker and the queue sets.
// All of it lives in a testing/synctest bubble, so time is virtual: every request is
// a goroutine, its execution is a time.Sleep, and the clock moves only when nothing
// else can run.
//
// The files:
//
//   - scenario.go: what a server is told before the first request
//   - manifests.go: its FlowSchemas and priority levels, built-in and the user's
//   - trace.go, request.go: the requests, on file and as the filters see them
//   - decisions.go: the decision log, in the format of `apfsim run --decisions`
//   - server.go: the real server
//   - observe.go: what the queue sets are asked and what they answer
//   - replay.go: virtual time
//   - ours.go, events.go, record.go: the simulator, and what is written down of a run
//   - compare.go: the two runs, field by field
//   - scrape.go, scrapecompare.go: what the two tell Prometheus
//   - swarm.go, swarmtrace.go: scenarios and traces drawn at random
//   - nudge.go: how a trace gets rid of coincidences
//
// Go's scheduler decides the order of goroutines that wake in the same nanosecond,
// so the decisions of the real server are defined only for runs in which no two
// events coincide. The recorded vectors are such runs; Nudge makes a drawn trace one.
//
// A longer swarm, from another seed, and one failing case again:
//
//	go test ./fullrun -run Swarm -swarm 1000 -seed 5000 -timeout 1h
//	go test ./fullrun -run Folder -folder /path/that/the/failure/printed
package fullrun

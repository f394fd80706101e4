// Package releases compares the simulator with several releases of kube-apiserver.
//
// Each release under test has a small module in conformance/oracle that builds its real
// code into a program which answers questions: what are the built-in objects, what becomes
// of the requests of a trace. This package builds these programs, draws servers and
// traffic with the generator of conformance/fullrun, asks, and compares every decision,
// every limit, every counter of rejections and what Prometheus is told with the simulator's. Both sides get the
// same objects, in the version of the API that the release's controller reads.
//
// The files:
//
//   - oracle.go: building the programs and asking them
//   - objects.go: objects in the version of a release
//   - cases.go: a drawn case, as either side gets it
//   - compare.go: the two runs, field by field
//   - metrics_test.go, epoch_test.go: what is told to Prometheus
//   - queueset.go: the queue sets alone, operation by operation
//
// More cases, from another seed, of some releases only, and one failing case again:
//
//	go test ./releases -releases 1.24,1.28.4 -swarm 200 -seed 5000 -timeout 1h
//	go test ./releases -releases 1.24 -swarm 1 -seed 5017
//	go test ./releases -releases all -run QueueSets -sequences 2000
package releases

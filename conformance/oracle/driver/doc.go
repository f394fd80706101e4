// Package driver asks one release of kube-apiserver what it does with a trace of
// requests, or with operations on one of its queue sets.
//
// The package is compiled once for each release under test, by that release's small
// module next to this folder, which says what the import paths of Kubernetes mean: the
// driver's own module requires nothing. It may therefore use only what has kept its
// signature from k8s.io/apiserver 0.20 on. What has not is in the packages below this
// one, apf20, apf22 and so on, each of which is good from the release of its name to
// that of the next.
//
// What runs is the real code: the request deadline filter, the priority-and-fairness
// filter, the controller with its informers (fed from a fake clientset), the work
// estimator, the watch tracker and the queue sets. All of it lives in a testing/synctest
// bubble, so time is virtual.
//
// Serve answers questions in JSON, one a line, until its input ends; they are the types of
// package wire. The package conformance/releases builds the test binaries, asks, and compares
// the answers with the simulator's. The packages wire, traffic and scrape also serve
// conformance/fullrun, which runs the newest release in its own process.
package driver

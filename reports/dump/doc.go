// Package dump writes what the debug pages of API Priority and Fairness of kube-apiserver show,
// dump_priority_levels, dump_queues and dump_requests, in the server's own format, to the byte.
//
// The format is that of pkg/util/flowcontrol/apf_controller_debug.go of k8s.io/apiserver, which
// has had four forms: up to 1.22, from 1.23, from 1.27 and from 1.28 on. Where the server shows
// things in the order of a map, which is another one each time, they are in order here: levels by
// name, and requests that execute by their dispatch.
package dump

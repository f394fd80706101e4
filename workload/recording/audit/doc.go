// Package audit reads audit logs of kube-apiserver: audit.k8s.io events of version v1, or v1beta1,
// which has the same fields.
//
// # Parts and requests
//
// An event tells of one stage of a request: that it was received, that the answer began, that it
// was complete, or that the handler panicked. The policy of the log leaves stages out, shippers
// send events twice and out of order, and a watch ends hours after it began. So each event is
// taken as a part of a request, and parts come together when they are sorted: all stages of a
// request tell the same time of its arrival and the same auditID.
//
// # Times
//
// A request arrives at requestReceivedTimestamp. Its execution ends with the stage
// ResponseComplete, which the audit filter writes when the filters within it have returned, flow
// control among them. It began when the wait was over, and of the wait an event tells by the
// annotation apiserver.latency.k8s.io/apf-queue-wait: servers of 1.31 and later write it on
// requests that took more than 500 ms and waited. Where it is missing, the time from the arrival to
// the end is an upper bound of the execution, which is reached if the request did not wait.
//
// What flow control sees of a watch is its initialisation, and the stage ResponseStarted is the
// nearest to its end.
//
// # What is asked for
//
// The target comes from the URI as the server takes it apart, not from objectRef: handlers complete
// objectRef from the object that was sent, so that the creation of an object has a name there which
// flow control has not seen.
package audit

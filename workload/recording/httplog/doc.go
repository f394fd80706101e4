// Package httplog is about the HTTP lines of kube-apiserver's own log, which klog prints with -v=3
// or more: one for each request, when its answer is complete.
//
// # What a line tells
//
// The time of the line less its latency is the arrival: both are of the outermost filter but for
// those that recover from panics and note the time of arrival (pkg/server/httplog/httplog.go). The
// key apf_execution_time, which servers of 1.24 and later write, is the execution as flow control
// measures it, and the rest of the latency is the wait, with the little that the filters around
// take. Of a watch apf_init_latency is the initialisation, which is what flow control sees, and the
// latency its life. A request that flow control rejects has neither.
//
// The verb is that of metrics: LIST and WATCH, but APPLY for some patches and CONNECT for whatever
// is done to exec, log or proxy. Flow control's own verb follows from the URI and the method
// (RequestInfoFactory.NewRequestInfo), so that it is made anew from these.
//
// # What it does not tell
//
// There is no user. Each user agent at each address is taken for one, with a name and groups by
// which the configuration sends its requests to the FlowSchema that the line names (Users).
//
// There is no year, and no time zone (clock).
package httplog

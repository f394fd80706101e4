package httplog

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload/recording"
)

// Writer writes the HTTP lines of a server's own log, as klog prints them with -v=3 or more: one
// for each request, when its answer is complete (withLogging in pkg/server/httplog/httplog.go,
// v0.37.2). The order of the keys, and which there are, is that of the version.
//
// Addresses, auditIDs and versions of resources are those of package audit's Writer, and no
// request has a content type.
type Writer struct {
	seed uint64
	out  io.Writer
	err  error
	line []byte
}

// NewWriter returns a writer. What it writes is not buffered.
func NewWriter(out io.Writer, seed uint64) *Writer { return &Writer{out: out, seed: seed} }

// Err returns the first error of what is written to.
func (w *Writer) Err() error { return w.err }

// Stage writes the line of a request at its end.
func (w *Writer) Stage(s recording.Stages, q *recording.Request, v release.Version) {
	if s != recording.StageComplete {
		return
	}
	l := lineWriter{w.line[:0]}
	l.head(q.Received+int64(q.Total), v)
	l.pair("verb", verb(q, v))
	l.dst = append(l.dst, ` URI=`...)
	l.uri(q)
	l.pair("latency", q.Total.String())
	l.pair("userAgent", q.Client)
	if v.Minor >= contentTypeSince {
		l.pair("contentType", "")
	}
	if v.Minor >= auditIDSince {
		l.dst = append(l.dst, ` audit-ID="`...)
		l.dst = append(recording.AppendAuditID(l.dst, w.seed, q), '"')
	}
	l.dst = append(l.dst, ` srcIP="`...)
	l.dst = recording.AppendAddress(l.dst, q)
	l.dst = strconv.AppendUint(append(l.dst, ':'), recording.Port(q), 10)
	l.dst = append(l.dst, '"')
	l.flowControl(q, v)
	if q.Code == switching {
		l.dst = append(l.dst, " hijacked=true\n"...)
	} else {
		l.number("resp", int64(q.Code))
		l.dst = append(l.dst, '\n')
	}
	w.line = l.dst
	if w.err == nil {
		_, w.err = w.out.Write(l.dst)
	}
}

// switching is the code of a connection that goes on with another protocol.
const switching = 101

// The releases from which on there are keys, as minor versions of k8s.io/apiserver.
const (
	auditIDSince     = 22
	classSince       = 23 // apf_pl, apf_fs and apf_init_latency
	widthSince       = 24 // apf_iseats, apf_fseats, apf_additionalLatency and apf_execution_time
	contentTypeSince = 37
)

// flowControl appends the keys of flow control, in the order in which it learns their values. What
// was rejected has no execution, and what passes flow control by has nothing.
func (l *lineWriter) flowControl(q *recording.Request, v release.Version) {
	if q.PriorityLevel == "" || v.Minor < classSince {
		return
	}
	l.pair("apf_pl", truncated(q.PriorityLevel))
	l.pair("apf_fs", truncated(q.FlowSchema))
	if v.Minor >= widthSince {
		l.number("apf_iseats", q.InitialSeats)
		l.number("apf_fseats", q.FinalSeats)
		l.pair("apf_additionalLatency", q.AdditionalLatency.String())
	}
	if !q.Handled {
		return
	}
	if q.Verb == "watch" {
		l.pair("apf_init_latency", q.Execution.String())
	}
	if v.Minor >= widthSince {
		l.pair("apf_execution_time", q.Execution.String())
	}
}

// truncated is what the server logs of a name (truncateLogField in
// pkg/server/filters/priority-and-fairness.go).
func truncated(name string) string { return name[:min(len(name), 64)] }

// lineWriter appends parts of a line.
type lineWriter struct{ dst []byte }

// threads is what klog shows as the number of the thread: it always shows that of the process.
const threads = "       1"

// head appends what klog puts before the message.
func (l *lineWriter) head(ns int64, v release.Version) {
	l.dst = append(l.dst, 'I')
	l.dst = time.Unix(0, ns).UTC().AppendFormat(l.dst, "0102 15:04:05.000000")
	l.dst = append(append(l.dst, threads...), " httplog.go:"...)
	l.dst = strconv.AppendInt(l.dst, int64(sourceLine(v)), 10)
	l.dst = append(l.dst, `] "HTTP"`...)
}

// sourceLine is the line of httplog.go that logs.
func sourceLine(v release.Version) int {
	switch {
	case v.Minor >= 37:
		return 135
	case v.Minor >= 31:
		return 134
	case v.Minor >= 26:
		return 132
	case v.Minor >= 24:
		return 131
	case v.Minor == 23:
		return 129
	case v.Minor == 22:
		return 109
	}
	return 94
}

// pair appends a key with a text.
func (l *lineWriter) pair(key, text string) {
	l.dst = append(append(append(l.dst, ' '), key...), '=')
	l.dst = strconv.AppendQuote(l.dst, text)
}

func (l *lineWriter) number(key string, n int64) {
	l.dst = append(append(append(l.dst, ' '), key...), '=')
	l.dst = strconv.AppendInt(l.dst, n, 10)
}

func (l *lineWriter) uri(q *recording.Request) {
	begin := len(l.dst)
	l.dst = recording.AppendURI(l.dst, q)
	uri := string(l.dst[begin:]) // quoting needs it apart
	l.dst = strconv.AppendQuote(l.dst[:begin], uri)
}

// verb is the verb that the server logs: that of metrics (NormalizedVerb in
// pkg/endpoints/metrics/metrics.go), or up to 1.21 the method.
func verb(q *recording.Request, v release.Version) string {
	method := method(q)
	switch {
	case v.Minor < auditIDSince:
		return method
	case q.Verb == "watch":
		return "WATCH"
	case q.Path == "" && connects(q.Subresource):
		return "CONNECT"
	case q.Path == "" && method == "GET" && q.Name == "":
		return "LIST"
	}
	return method
}

// connects tells whether a subresource is one of those that connect to something
// (validConnectRequests).
func connects(subresource string) bool {
	switch subresource {
	case "log", "exec", "portforward", "attach", "proxy":
		return true
	}
	return false
}

// method is the method of HTTP that a client uses.
func method(q *recording.Request) string {
	if q.Path != "" {
		return strings.ToUpper(q.Verb)
	}
	switch q.Verb {
	case "create":
		return "POST"
	case "update":
		return "PUT"
	case "patch":
		return "PATCH"
	case "delete", "deletecollection":
		return "DELETE"
	}
	return "GET"
}

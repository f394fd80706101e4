package audit

import (
	"io"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload/recording"
)

// Writer writes the audit log of a server at level Metadata: JSON Lines, one for each stage of a
// request, with what kube-apiserver of the version writes there (WithAudit in
// pkg/endpoints/filters/audit.go, LogRequestMetadata in pkg/audit/request.go, v0.37.2).
//
// Some of it nothing simulates: addresses are those that are reserved for documentation, all
// resources are of version v1, an object that is created has no name, every request is authorized
// without a reason, and all failures of one code have one message.
type Writer struct {
	// Seed makes auditIDs differ from those of other runs.
	Seed uint64
	// Waits lets every event tell how long the request waited. A real server tells it only of
	// requests that took more than 500 ms and waited, from 1.31 on.
	Waits bool

	out  io.Writer
	err  error
	line []byte
}

// NewWriter returns a writer. What it writes is not buffered.
func NewWriter(out io.Writer, seed uint64) *Writer { return &Writer{out: out, Seed: seed} }

// Err returns the first error of what is written to.
func (w *Writer) Err() error { return w.err }

// Stage writes the event of a stage.
func (w *Writer) Stage(s recording.Stages, q *recording.Request, v release.Version) {
	l := eventWriter{w.line[:0]}
	l.raw(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"`)
	l.dst = recording.AppendAuditID(l.dst, w.Seed, q)
	l.raw(`","stage":"`)
	l.raw(stageName(s))
	l.raw(`","requestURI":`)
	l.uri(q)
	l.field(`,"verb":`, q.Verb)
	l.who(q)
	l.object(q)
	if s != recording.StageReceived {
		l.status(q)
	}
	l.raw(`,"requestReceivedTimestamp":"`)
	l.time(q.Received)
	l.raw(`","stageTimestamp":"`)
	l.time(q.Received + int64(elapsed(s, q)))
	l.raw(`"`)
	if s != recording.StageReceived {
		w.annotations(&l, s, q, v)
	}
	l.raw("}\n")
	w.line = l.dst
	if w.err == nil {
		_, w.err = w.out.Write(l.dst)
	}
}

func stageName(s recording.Stages) string {
	switch s {
	case recording.StageReceived:
		return "RequestReceived"
	case recording.StageStarted:
		return "ResponseStarted"
	case recording.StageComplete:
		return "ResponseComplete"
	}
	return "Panic"
}

// elapsed is from the arrival to a stage.
func elapsed(s recording.Stages, q *recording.Request) time.Duration {
	switch s {
	case recording.StageReceived:
		return 0
	case recording.StageStarted:
		return q.Started
	}
	return q.Total
}

// The releases from which on a server annotates slow requests: with the time that they took, and
// with the time that they waited (0.24 and 0.31 of k8s.io/apiserver).
const (
	totalSince = 24
	waitSince  = 31
)

// annotations writes what the server notes of a request, in the order of the names. The authorizer
// is asked behind flow control, so that what is rejected has no decision.
func (w *Writer) annotations(l *eventWriter, s recording.Stages, q *recording.Request, v release.Version) {
	tells := s == recording.StageComplete && q.Total > slow
	begin := len(l.dst)
	l.raw(`,"annotations":{`)
	empty := len(l.dst)
	if w.Waits && q.Waited != recording.Unknown || tells && v.Minor >= waitSince && q.Waited > 0 {
		l.annotation("apiserver.latency.k8s.io/apf-queue-wait", q.Waited.String())
	}
	if tells && v.Minor >= totalSince {
		l.annotation("apiserver.latency.k8s.io/total", q.Total.String())
	}
	if q.Handled {
		l.annotation("authorization.k8s.io/decision", "allow")
		l.annotation("authorization.k8s.io/reason", "")
	}
	if len(l.dst) == empty {
		l.dst = l.dst[:begin]
		return
	}
	l.dst[len(l.dst)-1] = '}' // the last comma
}

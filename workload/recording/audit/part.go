package audit

import (
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// What an account says of audit logs.
const (
	notePassed    = "lines passed over after a malformed one"
	noteWrapped   = "events taken out of objects of a log shipper"
	noteDuplicate = "events that were there twice (same auditID and stage)"
	noteGarbled   = "annotations of the wait that make no sense, left aside"
	noteThin      = "record of five minutes or more without any request of kube-scheduler, kube-controller-manager or a node: they were left out of it"
	noteBackwards = "events with a stage before the request was received, whose duration is taken as 0"
)

// requestID returns the ID of the parts of a request: the hash of its auditID and of the server.
func requestID(auditID []byte, server int32) uint64 {
	h := recording.Hash(recording.View(auditID))
	h = recording.MixNumber(h, uint64(server+1))
	if h == 0 {
		return 1 // 0 is no ID
	}
	return h
}

// stage reads which stage an event tells of, and when it was.
func (r *Reader) stage(e *event, q *recording.Request) bool {
	staged, ok := recording.ParseTime(e.staged)
	if !ok {
		staged = q.Received
	}
	after := time.Duration(staged - q.Received)
	if after < 0 {
		r.Account.Note(noteBackwards)
		after = 0
	}
	switch string(e.stage) {
	case "RequestReceived":
		q.Stages = recording.StageReceived
	case "ResponseStarted":
		q.Stages, q.Started = recording.StageStarted, after
	case "ResponseComplete":
		q.Stages, q.Total = recording.StageComplete, after
	case "Panic":
		q.Stages, q.Total = recording.StagePanic, after
	default:
		r.Account.Fault(r.name, r.line, "an unknown stage", e.stage)
		return false
	}
	if !ok && q.Stages != recording.StageReceived {
		r.Account.Fault(r.name, r.line, "stageTimestamp is no time", e.staged)
		return false
	}
	r.Account.Span(q.Received, q.Received+int64(after))
	r.lives.Add(q.Server, q.Received, q.Received+int64(after))
	if q.Stages.Ended() && !r.ends[q.Server] {
		r.ends[q.Server] = true
	}
	r.wait(e, q)
	return true
}

// wait reads how long the request waited in a queue, where the event tells.
func (r *Reader) wait(e *event, q *recording.Request) {
	if len(e.wait) == 0 {
		if len(e.authentic) > 0 && q.Stages.Ended() {
			q.Waited = 0 // a server that tells this tells each wait that is not zero
		}
		return
	}
	d, err := time.ParseDuration(recording.View(e.wait))
	if err != nil || d < 0 || d > max(q.Total, q.Started)+recording.WaitSlack {
		r.Account.Note(noteGarbled)
		return
	}
	q.Waited = d
	r.waits[r.server] = true
}

// who fills in for whom the server took the client: the filter of impersonation comes before flow
// control.
func (r *Reader) who(e *event, q *recording.Request) {
	s := &e.user
	if len(e.impersonated.name) > 0 {
		s = &e.impersonated
	}
	q.User = recording.View(s.name)
	for _, g := range s.groups {
		q.Groups = append(q.Groups, recording.View(g))
	}
}

// what fills in what was asked for: from the URI, or from the reference if there is no URI. The
// reference is the second choice since handlers complete it from the object that was sent, and
// flow control sees the request before.
func (r *Reader) what(e *event, q *recording.Request) {
	if len(e.uri) > 0 {
		r.locator.Locate(e.uri, q)
		return
	}
	o := &e.object
	if !o.there {
		return
	}
	q.APIGroup, q.Resource, q.Subresource = recording.View(o.group), recording.View(o.resource), recording.View(o.subresource)
	q.Namespace = recording.View(o.namespace)
	if q.Verb != "create" || q.Subresource != "" {
		q.Name = recording.View(o.name)
	}
}

// join adds a part to a request. What a later stage tells counts: only then is known whom the
// client impersonates, and what was answered.
func (r *Reader) join(into, part *recording.Request) {
	if into.Stages&part.Stages != 0 {
		r.Account.Note(noteDuplicate)
	}
	earlier, later := *into, *part
	if earlier.Stages > later.Stages {
		earlier, later = later, earlier
	}
	stages, order := earlier.Stages|later.Stages, later.Received
	*into = later
	into.Stages, into.Received = stages, order
	into.Started = known(later.Started, earlier.Started)
	into.Total = known(later.Total, earlier.Total)
	into.Waited = known(later.Waited, earlier.Waited)
	into.EndsLast = later.EndsLast || earlier.EndsLast
	into.Handled = later.Handled || earlier.Handled
	if into.Code == 0 {
		into.Code = earlier.Code
	}
}

// known returns the first figure, or the second if that is unknown.
func known(a, b time.Duration) time.Duration {
	if a == recording.Unknown {
		return b
	}
	return a
}

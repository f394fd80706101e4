package audit

import (
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/traceline"
)

// What an account says of requests.
const (
	leftNobody  = "no user: refused before flow control, since authentication failed"
	leftVerb    = "a verb that flow control does not know, such as OPTIONS for a resource"
	leftRelayed = "relayed to an aggregated server, which has the same auditID in its log"
	leftTarget  = "neither requestURI nor objectRef"

	assumedWatchStart = "watches: initialisation taken as the time to ResponseStarted"
	assumedWatch      = "watches without ResponseStarted: initialisation taken from watches like it"
	assumedOpen       = "watches without an end: open until the record ends"
	assumedRejected   = "answered 429 by flow control: execution time taken from requests like it"
	assumedLeft       = "answered 429 after a wait, but before the wait limit of a server with the default request timeout: given up by the client"
	assumedUnfinished = "no end in the record: executing until the record ends"
	assumedStopped    = "no end in the record: executing until their server stopped"
	assumedLost       = "no end in the record, begun long before its end: execution time taken from requests like it"
	assumedLongLived  = "exec, log, proxy and the like without an end: taken to last until the record ends"
	slow              = 500 * time.Millisecond
	inFlight          = time.Minute
	thin              = 5 * time.Minute
)

// The verbs that a trace may have, made once.
var (
	resourceVerbs = traceline.ResourceVerbs()
	pathVerbs     = traceline.PathVerbs()
)

// Next gives the next request, and returns false after the last one. It is valid until the next
// call.
func (r *Reader) Next(q *recording.Request) (bool, error) {
	for {
		more, err := r.sorter.Next(q)
		if !more || err != nil {
			r.thinnedOut()
			return false, err
		}
		r.system = r.system || ofSystem(q.User)
		why := unfit(q)
		if why == "" && r.recent.again(q) {
			why = leftRelayed
		}
		if why == "" {
			why = r.Selection.Unwanted(q)
		}
		if why != "" {
			r.Account.LeaveOut(why)
			continue
		}
		r.finish(q)
		r.Account.Requests++
		r.Account.Evidence[q.HowExecution]++
		return true, nil
	}
}

// ofSystem tells whether a user is the control plane itself or a node, which ask all the time.
func ofSystem(user string) bool {
	return strings.HasPrefix(user, "system:node:") || user == "system:kube-scheduler" || user == "system:kube-controller-manager"
}

// thinnedOut notes that a record of some length has no request of the control plane, nor of nodes:
// managed services leave them out, and what they took of the server is not in the trace.
func (r *Reader) thinnedOut() {
	if !r.system && r.Account.Requests > 0 && r.Account.Last-r.Account.First >= int64(thin) {
		r.Account.Note(noteThin)
		r.system = true // once
	}
}

// Close removes the scratch file.
func (r *Reader) Close() error { return r.sorter.Close() }

// unfit tells why a request cannot be in a trace, "" if it can.
func unfit(q *recording.Request) string {
	verbs := resourceVerbs
	if q.Path != "" {
		verbs = pathVerbs
	}
	switch {
	case q.User == "":
		return leftNobody
	case q.Path == "" && q.Resource == "":
		return leftTarget
	case q.Path != "" && !strings.HasPrefix(q.Path, "/"), !slices.Contains(verbs, q.Verb):
		return leftVerb
	}
	return ""
}

// bypasses tells whether flow control does not concern a request, however long it lasts.
func bypasses(q *recording.Request) bool {
	return classify.LongRunning(classify.Target{Verb: q.Verb, Path: q.Path, Subresource: q.Subresource})
}

// finish fills in the execution time of a request, and where that comes from.
func (r *Reader) finish(q *recording.Request) {
	if q.Waited == recording.Unknown && q.Total > slow && r.waits[q.Server] {
		q.Waited = 0 // the server annotates slow requests with the wait unless that is zero
	}
	switch {
	case q.Rejected():
		// Nothing is concluded where the record does not tell of a wait: a server that is busy needs
		// some time for what it rejects at once.
		if q.LeftWaiting() {
			q.Left = q.Waited
			r.Account.Assume(assumedLeft)
		}
		r.assume(q, r.typical.Of(q), assumedRejected)
	case bypasses(q):
		r.longLived(q)
	case q.Verb == "watch":
		r.watch(q)
	case q.Stages.Ended():
		q.Execution, q.HowExecution = executed(q, q.Total)
	default:
		r.unfinished(q)
	}
}

// executed is what is left of a span from the arrival without the wait.
func executed(q *recording.Request, span time.Duration) (time.Duration, recording.Evidence) {
	if q.Waited == recording.Unknown {
		return span, recording.UpperBound
	}
	return max(span-q.Waited, 0), recording.Derived
}

func (r *Reader) assume(q *recording.Request, execution time.Duration, why string) {
	q.Execution, q.HowExecution = execution, recording.Assumed
	r.Account.Assume(why)
}

// longLived is for what flow control does not see: it lasts as long as the client wants.
func (r *Reader) longLived(q *recording.Request) {
	if q.Total == recording.Unknown {
		r.assume(q, r.age(q), assumedLongLived)
		return
	}
	q.Execution, q.HowExecution = q.Total, recording.Derived
}

// age is how long after its arrival the record has ended: just after the last thing that it tells,
// so that what is taken to end with it does not act on anything that the record tells.
func (r *Reader) age(q *recording.Request) time.Duration {
	return time.Duration(r.Account.Last-q.Received) + time.Microsecond
}

// watch estimates the initialisation of a watch, which is what flow control sees of it. The
// answer begins when the watch is registered, and the objects that exist are sent after that.
func (r *Reader) watch(q *recording.Request) {
	if q.Total == recording.Unknown {
		q.Total = time.Duration(r.Account.Last - q.Received)
		r.Account.Assume(assumedOpen)
	}
	if q.Started == recording.Unknown {
		r.assume(q, r.typical.Of(q), assumedWatch)
		return
	}
	q.Execution, q.HowExecution = executed(q, q.Started)
	r.Account.Assume(assumedWatchStart)
}

// unfinished is for a request whose end the record does not have. If it began in the last minute
// of the record it may have been executing then: by default no request lasts longer. If not, but in
// the last minute before its server fell silent, that server is taken to have stopped, unless its record
// has no ends at all, or it is often silent for about as long. Otherwise its end was lost.
func (r *Reader) unfinished(q *recording.Request) {
	age := r.age(q)
	if age <= inFlight {
		r.assume(q, age, assumedUnfinished)
		return
	}
	last, next := r.lives.After(q.Server, q.Received)
	switch {
	case !r.ends[q.Server], last-q.Received > int64(inFlight), next == recording.Never && r.Account.Last-last <= int64(recording.Silence),
		next != recording.Never && r.lives.Ordinary(q.Server, next-last):
		r.assume(q, r.typical.Of(q), assumedLost)
	default:
		r.Account.Stop(q.Server, last, next)
		// When it stopped within its silence is not known. What lasts as long as that was executing
		// then, whenever it was: but not for longer than any request lasts, as what is missing may be
		// hours of the log and not the server.
		end := min(next, r.Account.Last+int64(time.Microsecond), last+int64(inFlight))
		r.assume(q, time.Duration(end-q.Received), assumedStopped)
	}
}

// learn notes how long a request executed, for those of which that is not known.
func (r *Reader) learn(e *event, q *recording.Request) {
	if q.Rejected() || bypasses(q) {
		return
	}
	span := q.Total
	if q.Verb == "watch" {
		span = q.Started
	}
	if span == recording.Unknown {
		return
	}
	execution, _ := executed(q, span)
	r.typical.Learn(q, execution)
}

package httplog

import (
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/traceline"
)

// What an account says of lines.
const (
	noteOther       = "other lines of the log, passed over"
	noteForeign     = "lines that are not klog's, passed over"
	noteContinued   = "lines of values of several lines (stacks, answers), passed over"
	noteYear        = "lines without a year, of which the first is taken to be of --year"
	noteYearCreated = "lines without a year, taken from the head of the file"
	noteYearBefore  = "lines without a year, taken from the lines before"
	noteYearUnknown = "lines without a year, of which the first is taken to be of 2000; --year tells another"
	noteUTC         = "lines without a time zone, taken for UTC; --timezone tells another"
	noteShifted     = "lines whose time zone follows from the time before them"
	noteGarbled     = "lines with a key of flow control that makes no sense, left aside"
	noteBackwards   = "lines whose execution is longer than their latency, taken to be as long"
	noteConnect     = "CONNECT, whose method lines do not tell: taken for POST, of log and proxy for GET"
	noteMisfit      = "requests that the configuration gives to another FlowSchema than the line, whoever sends them; -f tells another configuration"

	noPiece = "the end of a line is missing, which a container runtime has cut"

	leftNobody = "answered 401: refused before flow control, since authentication failed"
	leftBefore = "no apf_fs, unlike others of the server: answered before flow control"
	leftVerb   = "a verb that flow control does not know, such as OPTIONS for a resource"

	assumedUsers    = "users and groups: one for each user agent and address, fitting to the FlowSchema"
	assumedPerAgent = "users and groups: one for each user agent, fitting to the FlowSchema"
	assumedRejected = "answered 429 by flow control: execution time taken from requests like it"
	assumedLeft     = "answered 429 after 100 ms or more, but before the wait limit of a server with the default request timeout: given up by the client"
	assumedWatch    = "watches without apf_init_latency: initialisation taken from watches like it"
	assumedNoEnd    = "no apf_execution_time, unlike others of the server: executing for all of the latency"
)

// busy is more than a server under load needs for what it rejects at once: what it rejects later
// was in a queue.
const busy = 100 * time.Millisecond

// The verbs that a trace may have, made once.
var (
	resourceVerbs = traceline.ResourceVerbs()
	pathVerbs     = traceline.PathVerbs()
)

// when returns the time of a line.
func (r *Reader) when(h *head, before int64) int64 {
	if before == 0 {
		if !r.clock.known {
			r.year = noteYear
			if r.Year == 0 {
				r.year = noteYearUnknown
			}
			year := r.Year
			if year == 0 {
				year = assumedYear
			}
			r.clock.begin(year, h)
		}
		if r.year == "" {
			r.year = noteYearBefore
		}
		r.Account.Note(r.year)
		if r.Zone == nil {
			r.Account.Note(noteUTC)
		}
	}
	t, shifted := r.clock.at(h, before)
	if shifted {
		r.Account.Note(noteShifted)
	}
	return t
}

// add adds the request of the line that was parsed, which was written at a time.
func (r *Reader) add(written int64) error {
	e, q := &r.entry, &r.request
	method := methodOf(e)
	*q = recording.Request{
		Received: written - int64(e.latency), Server: r.server, Groups: q.Groups[:0],
		Client: recording.View(e.agent), Code: e.code, Total: e.latency,
		Waited: recording.Unknown, Started: recording.Unknown,
		FlowSchema: recording.View(e.schema), PriorityLevel: recording.View(e.level),
		InitialSeats: e.iseats, FinalSeats: e.fseats, AdditionalLatency: e.additional,
		HowExecution: recording.Absent,
	}
	r.locator.LocateMethod(method, e.uri, q)
	if e.hijacked {
		q.Code = 101
	}
	r.times[r.server] = r.times[r.server] || e.has&hasExecution != 0
	r.classes[r.server] = r.classes[r.server] || len(e.schema) > 0
	r.course(e, q)
	if string(e.verb) == "CONNECT" {
		r.Account.Note(noteConnect)
	}
	if e.has&garbled != 0 {
		r.Account.Note(noteGarbled)
	}
	if !r.Users.fill(q, e.address) {
		r.Account.Note(noteMisfit)
	}
	if q.HowExecution == recording.Recorded || q.HowExecution == recording.UpperBound {
		r.typical.Learn(q, q.Execution)
	}
	r.Account.Span(q.Received, written)
	return r.sorter.Add(q)
}

// methodOf returns the method of HTTP that a line is of.
func methodOf(e *entry) string {
	switch string(e.verb) {
	case "LIST", "WATCH", "WATCHLIST":
		return "GET"
	case "APPLY":
		return "PATCH"
	case "CONNECT":
		path, _, _ := strings.Cut(recording.View(e.uri), "?")
		if strings.HasSuffix(path, "/log") || strings.Contains(path, "/proxy") {
			return "GET"
		}
		return "POST"
	}
	return recording.View(e.verb)
}

// course fills in how the request went, as far as its line tells by itself. Execution times that
// follow from other lines stay Absent.
func (r *Reader) course(e *entry, q *recording.Request) {
	executed := e.has&(hasExecution|hasInitial) != 0
	q.Handled = executed || e.hijacked || q.Subresource == "eviction" && len(e.schema) == 0
	switch {
	case bypasses(q):
		q.Handled = true
		q.Execution, q.HowExecution = e.latency, recording.Derived
	case executed:
		q.Execution, q.HowExecution = e.execution, recording.Recorded
		if q.Verb == "watch" && e.has&hasInitial != 0 || e.has&hasExecution == 0 {
			q.Execution = e.initial
		}
		if q.Execution > e.latency {
			r.Account.Note(noteBackwards)
			q.Execution = e.latency
		}
		if q.Verb != "watch" {
			q.Waited = e.latency - q.Execution
		}
	case q.Code == 429:
		if len(e.schema) > 0 {
			q.Waited = e.latency
		}
	case q.Verb != "watch" || q.Code >= 400:
		q.Execution, q.HowExecution = e.latency, recording.UpperBound
	}
}

// bypasses tells whether flow control does not concern a request, however long it lasts.
func bypasses(q *recording.Request) bool {
	return classify.LongRunning(classify.Target{Verb: q.Verb, Path: q.Path, Subresource: q.Subresource})
}

// Next gives the next request, and returns false after the last one. It is valid until the next
// call.
func (r *Reader) Next(q *recording.Request) (bool, error) {
	for {
		more, err := r.sorter.Next(q)
		if !more || err != nil {
			return false, err
		}
		why := r.unfit(q)
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

// unfit tells why a request cannot be in a trace, "" if it can.
func (r *Reader) unfit(q *recording.Request) string {
	verbs := resourceVerbs
	if q.Path != "" {
		verbs = pathVerbs
	}
	switch {
	case q.Path == "" && q.Resource == "", q.Path != "" && !strings.HasPrefix(q.Path, "/"), !slices.Contains(verbs, q.Verb):
		return leftVerb
	case q.FlowSchema != "" || bypasses(q):
	case q.Code == 401:
		return leftNobody
	case r.classes[q.Server]:
		return leftBefore
	}
	return ""
}

// finish fills in the execution times that lines do not tell.
func (r *Reader) finish(q *recording.Request) {
	if r.Users.PerAgent {
		r.Account.Assume(assumedPerAgent)
	} else {
		r.Account.Assume(assumedUsers)
	}
	switch {
	case q.HowExecution == recording.Absent && q.Verb == "watch" && !q.Rejected():
		r.assume(q, assumedWatch)
	case q.HowExecution == recording.Absent:
		if q.Waited >= busy && q.LeftWaiting() {
			q.Left = q.Waited
			r.Account.Assume(assumedLeft)
		}
		r.assume(q, assumedRejected)
	case q.HowExecution == recording.UpperBound && q.FlowSchema != "" && r.times[q.Server]:
		r.Account.Assume(assumedNoEnd)
	}
}

// assume takes an execution time from requests like this one.
func (r *Reader) assume(q *recording.Request, why string) {
	q.Execution, q.HowExecution = r.typical.Of(q), recording.Assumed
	r.Account.Assume(why)
}

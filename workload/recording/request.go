package recording

import "time"

// Unknown stands for a duration that a record does not tell.
const Unknown time.Duration = -1

// Request is one request as a server has recorded it. Its strings and slices are the reader's,
// and valid until the next request is read.
type Request struct {
	// Received is when the server got it, in nanoseconds since 1970.
	Received int64
	// Server is the number of the server that recorded it, -1 if there is only one.
	Server int32
	// ID is for a record that tells of one request in several places, its parts: parts with the
	// same ID and Received are of the same request. 0 is no ID.
	ID uint64
	// Stages are what the record tells of its course, if it tells of stages.
	Stages Stages

	// User and Groups are who the server took the client for: after impersonation. Groups are
	// verbatim.
	User   string
	Groups []string
	// Client is what the client calls itself: its user agent. Place is a number that clients at
	// different addresses differ in, for writers.
	Client string
	Place  uint32

	// Verb is RequestInfo's for a resource, and the method in lower case for a Path.
	Verb, APIGroup, Resource, Subresource, Namespace, Name, Path string
	Options                                                      Options
	// Timeout is the deadline that the client asked for, 0 if none.
	Timeout time.Duration

	// Execution is how long it executed once dispatched, for a watch its initialisation, and
	// HowExecution where that comes from.
	Execution    time.Duration
	HowExecution Evidence
	// Waited is how long it was in a queue, Unknown if the record does not tell.
	Waited time.Duration
	// Started is from its arrival to the beginning of the answer, and Total to its end, Unknown if
	// the record does not tell. The total of a watch is its life.
	Started, Total time.Duration
	// Code is the status code of the answer, 0 if the record does not tell. Handled tells that a
	// handler is known to have given it, and so that the request was executed.
	Code    int
	Handled bool
	// Left is how long after its arrival its client gave it up, 0 if it did not or the record does
	// not tell: the server works for nobody then.
	Left time.Duration
	// EndsLast tells that its execution ended after something else at the same instant that could not
	// have come first otherwise: an arrival or a rejection.
	EndsLast bool
	// FlowSchema, PriorityLevel and the seats are how the server classified it and what it
	// estimated; empty and -1 if the record does not tell.
	FlowSchema, PriorityLevel string
	InitialSeats, FinalSeats  int64
	AdditionalLatency         time.Duration

	// HashSchema and Hash are the hash of the flow under the FlowSchema of that name, for a request
	// whose names are not those that the server hashed; empty otherwise.
	HashSchema string
	Hash       uint64
}

// Options are the options of a list or watch that the API server's flow control reads, as the
// client has sent them.
type Options struct {
	Limit                                           int64
	ResourceVersion, ResourceVersionMatch, Continue string
	FieldSelector, LabelSelector                    string
	SendInitialEvents                               bool
}

// Evidence is where a figure comes from.
type Evidence uint8

// The evidence, from the best to the worst.
const (
	// Recorded: the record has the figure itself.
	Recorded Evidence = iota
	// Derived: it is the difference of figures that the record has, such as the time from
	// arrival to end less the wait.
	Derived
	// UpperBound: it may hold some wait that the record does not tell.
	UpperBound
	// Assumed: nothing in the record tells it, and it was taken from requests like it.
	Assumed
	// Absent: nothing tells it.
	Absent
)

// String returns a word for people.
func (e Evidence) String() string {
	return [...]string{"recorded", "derived", "upper bound", "assumed", "absent"}[e]
}

// Rejected tells whether the server's flow control has rejected the request, as far as its
// answer shows.
func (r *Request) Rejected() bool { return r.Code == 429 && !r.Handled }

// LeftWaiting tells whether a rejected request was taken out of its queue before the server would
// have done so, which only its client can do. The server waits for a quarter of the deadline at
// least, which is that of the client or, by default, a minute.
func (r *Request) LeftWaiting() bool {
	deadline := defaultDeadline
	if r.Timeout > 0 && r.Verb != "watch" {
		deadline = min(deadline, r.Timeout)
	}
	return r.Waited > 0 && r.Waited < deadline/4-WaitSlack
}

// defaultDeadline is the request timeout that servers have by default, and WaitSlack how much
// longer than the whole request a wait may seem, since time stamps have microseconds only.
const (
	defaultDeadline = time.Minute
	WaitSlack       = 10 * time.Microsecond
)

// Stages is a set of points of the way of a request through a server.
type Stages uint8

// The stages, as audit logs have them.
const (
	StageReceived Stages = 1 << iota
	StageStarted
	StageComplete
	StagePanic
)

// Ended tells whether the record holds the end of the request.
func (s Stages) Ended() bool { return s&(StageComplete|StagePanic) != 0 }

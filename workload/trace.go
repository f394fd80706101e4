package workload

import (
	"io"
	"time"
)

// Trace is a recorded trace, opened and found to be without fault. It holds no records;
// make a reader for each run. It may be used by several goroutines.
//
// A trace is text, plain or compressed with gzip, with one JSON object on each line (see
// package traceline), in any order. Requests are numbered by their lines, from 0; blank
// lines are passed over but have their numbers, so that a number always leads to the line
// that an editor shows.
type Trace struct {
	name        string
	open        func() (io.ReadCloser, error)
	requests    int64
	lines       int64
	lastArrival time.Duration
	lateness    time.Duration
	servers     int32
	hashes      flowHashes
}

// Name returns the name that OpenTrace was given.
func (t *Trace) Name() string { return t.name }

// Requests returns the number of requests.
func (t *Trace) Requests() int64 { return t.requests }

// Lines returns the number of lines, blank ones included: the first number that is no
// line's.
func (t *Trace) Lines() int64 { return t.lines }

// LastArrival returns the latest arrival, 0 if there is no request.
func (t *Trace) LastArrival() time.Duration { return t.lastArrival }

// Lateness tells how far out of order the lines are: the most that a line arrives before
// the latest one above it. A reader has to hold what arrives within such a span.
func (t *Trace) Lateness() time.Duration { return t.lateness }

// Servers returns the number of API servers that the lines are for: one more than the largest
// number of a server, 0 if no line tells.
func (t *Trace) Servers() int32 { return t.servers }

// FlowHashes returns the hashes of flows that the lines tell, in place of those that follow from
// their names: first for FlowSchemas that tell flows apart by user, then by namespace.
func (t *Trace) FlowHashes() (byUser, byNamespace []FlowHash) {
	return t.hashes.byUser.list, t.hashes.byNamespace.list
}

// TraceSubject is who sent a traced request. Groups are verbatim.
type TraceSubject struct {
	User   string
	Groups []string
}

// TraceTarget is what a traced request asks for, but for its name and options. Path is
// empty for a request for a resource.
type TraceTarget struct {
	Verb, APIGroup, Resource, Subresource, Namespace, Path string
}

// Record is one request of a trace.
type Record struct {
	// Line is the number of the line, from 0, and the id of the request.
	Line int64
	// Arrival is since the start. Duration is how long it executes once dispatched.
	// Timeout is the deadline that the client asked for, 0 if none.
	Arrival, Duration, Timeout time.Duration
	// Left and Life are when its client gave it up and when a watch ended, after the arrival; 0 if
	// the line does not tell.
	Left, Life time.Duration
	// EndsLast is as in traceline.Line.
	EndsLast bool
	// Subject, Target and Options are indexes into the reader's Subjects, Targets and
	// Options.
	Subject, Target, Options int32
	// Server is the number of the API server that the request was sent to, -1 if the line does
	// not tell; a balancer chooses then.
	Server int32
	// Code and Waited are what was observed, as in traceline.Line.
	Code   int32
	Waited time.Duration
	// Name is the name of the object as the line gives it, empty if it gives none; a field
	// selector may then demand one. It and the selectors are valid until the next call of
	// Next.
	Name []byte
	// FieldSelector and LabelSelector are the texts of a list or watch, whether the API
	// server can parse them or not; empty for all other verbs, with which it does not look
	// at them. They are not among the Options, because there may be one for each object.
	FieldSelector, LabelSelector []byte
}

// TraceFault is something wrong with a trace.
type TraceFault struct {
	// File is the name that OpenTrace was given. Line and Column count from 1, the column
	// in characters; they are 0 where the fault is not in a line.
	File   string
	Line   int64
	Column int
	// Code is a stable name for the kind of fault: those of package traceline, and the
	// codes below.
	Code string
	// Problem says what is wrong, Legal what would be right, and Hint, unless it is empty,
	// what was probably meant.
	Problem, Legal, Hint string
}

package traceline

import "time"

// Line is what one line says. Its byte slices are valid until the next call of Parse.
type Line struct {
	// Arrival, Duration and Timeout are the fields of that name, 0 if absent.
	Arrival, Duration, Timeout time.Duration
	// Left is how long after its arrival the client gave the request up, if it waited or executed
	// still, and Life how long after its arrival a watch ended; 0 if the line does not tell.
	Left, Life time.Duration
	// EndsLast tells that the execution ended after what else happened at the same instant, which is
	// otherwise the other way round.
	EndsLast bool
	// Text holds the strings by field; absent ones are empty.
	Text [TextFields][]byte
	// Groups are verbatim.
	Groups [][]byte
	// Limit may be negative, which means no limit, as for the API server.
	Limit             int64
	SendInitialEvents bool
	// Server is the number of the API server that the request was sent to, -1 if the line does
	// not tell.
	Server int32
	// Code and Waited are what was observed: the status code of the answer, 0 if the line does
	// not tell, and how long the request waited in a queue, -1 if it does not tell. Nothing that
	// is simulated depends on them, nor on the texts of ClientName, FlowSchema and PriorityLevel.
	Code   int32
	Waited time.Duration
	// HashSchema and Hash are what FlowHash says: the hash of the request's flow under the
	// FlowSchema of that name. The name is empty if the line does not tell.
	HashSchema []byte
	Hash       uint64

	// start holds where the value of each field begins in the line, -1 if it is absent.
	start [fields]int32
}

// reset makes l an empty line, and keeps its memory.
func (l *Line) reset() {
	groups := l.Groups[:0]
	*l = Line{Groups: groups, Server: -1, Waited: -1}
	for i := range l.start {
		l.start[i] = -1
	}
}

// Code is a stable name for a kind of fault.
type Code string

// The kinds of faults in a line.
const (
	Syntax         Code = "trace-syntax"          // not JSON, or more than one value
	WrongType      Code = "trace-type"            // JSON, but not of the type that the field has
	UnknownField   Code = "trace-unknown-field"   // a name that no field has
	DuplicateField Code = "trace-duplicate-field" // the same name twice
	BadDuration    Code = "trace-duration"        // not a duration, negative or too long
	MissingField   Code = "trace-missing-field"   // a field that every line, or this kind of line, needs
	Conflict       Code = "trace-conflict"        // fields that exclude each other
	BadVerb        Code = "trace-verb"            // a verb that the API server does not know
	BadPath        Code = "trace-path"            // a path that does not begin with a slash
	BadHash        Code = "trace-hash"            // not the hash of a flow
)

// Fault is something wrong in a line.
type Fault struct {
	// Offset is the byte of the line, from 0, at or after which it is.
	Offset int
	Code   Code
	// Problem says what is wrong, Legal what would be right, and Hint, unless it is empty,
	// what was probably meant.
	Problem, Legal, Hint string
}

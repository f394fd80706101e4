package workload

// Status is how an attempt ends for its client, in the words of HTTP where it has them.
type Status uint8

// The statuses.
const (
	// OK: the request was executed.
	OK Status = iota
	// TooManyRequests is a 429, which says when to come back: of APF or of a gateway.
	TooManyRequests
	// Unavailable is a 503: of a gateway, or of what calls a service that is not there.
	Unavailable
	// TimedOut is a 504, or the client's own deadline: the client has no answer and does not
	// know what became of the request.
	TimedOut
	// Expired is a 410: the resource version that a watch or a LIST begins at is no longer
	// known to the server.
	Expired
	// Failed is a 500: something that the request depends on has failed.
	Failed
	// Refused: no connection could be made.
	Refused
	// Lost: the connection broke before the answer came.
	Lost
	// Withdrawn: the client itself has given up the request. No client is told that.
	Withdrawn
)

// statuses are the names of the statuses, in their order.
var statuses = [...]string{"ok", "429", "503", "timed-out", "410", "500", "refused", "lost", "withdrawn"}

// String returns a short name.
func (s Status) String() string { return statuses[s] }

// Answer is what a client is told at the end of an attempt.
type Answer struct {
	Status Status
	// RetryAfter is the header's value in seconds; 0 if there is no such header.
	RetryAfter int32
	// Own tells that it is the client's own time limit that made the status TimedOut: an error
	// of its transport, and not the 504 of a server.
	Own bool
}

package fullrun

import (
	"io"
	"time"

	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
)

// ReadDecisions reads a decision log, plain or gzip.
func ReadDecisions(name string) ([]Decision, error) { return readLines[Decision](name) }

// WriteDecisions writes a decision log.
func WriteDecisions(w io.Writer, log []Decision) error { return writeLines(w, log) }

// attempt is what the harness notes of one request on its way through the server.
// Only the request's own goroutines write it.
type attempt struct {
	schema, level string
	// asked tells that the request came before a queue set, with what it was
	// asked there; long-running requests pass by.
	asked bool
	question
	queued     bool
	queue      int
	executed   bool
	dispatched time.Duration
	finished   time.Duration
	retryAfter string
}

// question is what a queue set is asked about a request.
type question struct {
	queues            fairqueuing.QueuingConfig
	initial, final    uint64
	additionalLatency time.Duration
	flow              string
}

// decision renders the attempt as a line of the log.
func (a *attempt) decision(id int64, arrival time.Duration) Decision {
	d := Decision{
		ID: id, Arrival: arrival.String(), FlowSchema: a.schema, PriorityLevel: a.level,
		Outcome: "executed", Finished: a.finished.String(), RetryAfter: a.retryAfter,
	}
	if a.asked {
		d.InitialSeats, d.FinalSeats = int(a.initial), int(a.final)
		if a.additionalLatency != 0 {
			d.AdditionalLatency = a.additionalLatency.String()
		}
		if a.queues.DesiredNumQueues > 1 {
			d.Flow = &a.flow
		}
		if a.queued {
			d.Queue = &a.queue
		}
	}
	if a.executed {
		d.Dispatched = a.dispatched.String()
		return d
	}
	d.Outcome, d.Reason = "rejected", a.reason()
	return d
}

// reason tells why the request was rejected: only a request that got a place can
// time out, and only a level without queues knows no queue that is full.
func (a *attempt) reason() string {
	switch {
	case a.queued:
		return "time-out"
	case a.queues.DesiredNumQueues > 0:
		return "queue-full"
	default:
		return "concurrency-limit"
	}
}

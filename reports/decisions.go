package reports

import (
	"bufio"
	"io"
	"strconv"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
)

// DecisionLog observes one replication and writes what was decided on every request:
// JSON Lines in the order of id, with the fields
//
//	id, arrival, flowSchema, priorityLevel, flow, queue, initialSeats, finalSeats,
//	additionalLatency, outcome, reason, dispatched, finished, retryAfter
//
// Times are Go duration text since the start. Seats and latency are the estimate that
// was made on arrival. The outcome is "executed" or "rejected"; finished is the end of
// the execution or the moment of the rejection; retryAfter is the text of the header.
// What there is none of is left out: the reason and retryAfter of a request that was not
// rejected, its dispatch if it was, final seats and additional latency of 0, the flow
// where the server computes none, the queue where there is none, and all that has to
// do with a level for a long-running request, which APF does not concern.
//
// A request that is still executing at the end of the run is "executed" and has no
// finished; one that still waits has no outcome. The warm-up is not left out.
//
// Lines have to wait for those with smaller ids. Memory follows the requests that are
// in flight, and those that arrived in another order than that of their ids.
type DecisionLog struct {
	sim.Silent
	out    *bufio.Writer
	err    error
	server server
	// schemas and levels hold the parts of a line that name a flow schema and a level.
	schemas, levels []string
	line            []byte
	lines           reorder
}

var _ sim.Observer = (*DecisionLog)(nil)

// NewDecisionLog returns a log that writes to w. Close tells whether that worked.
func NewDecisionLog(w io.Writer) *DecisionLog {
	l := &DecisionLog{out: bufio.NewWriterSize(w, 1<<16)}
	l.lines = newReorder(l.writeLine)
	return l
}

// Close writes what is still buffered and returns the first error of the writer. It
// does not close the writer.
func (l *DecisionLog) Close() error {
	if err := l.out.Flush(); l.err == nil {
		l.err = err
	}
	return l.err
}

// Start is called before the first event.
func (l *DecisionLog) Start(w *sim.World) {
	l.start(w.Server())
	if pops := w.Config().Populations; len(pops) == 1 && pops[0].Trace != nil {
		l.lines.numbersLines(pops[0].Trace.Lateness())
	}
}

func (l *DecisionLog) start(s server) {
	l.server = s
	l.meet()
}

// meet takes over the names of the schemas and levels that are new.
func (l *DecisionLog) meet() {
	for _, name := range l.server.Schemas()[len(l.schemas):] {
		l.schemas = append(l.schemas, string(appendString([]byte(`,"flowSchema":`), name)))
	}
	for _, info := range l.server.Levels()[len(l.levels):] {
		l.levels = append(l.levels, string(appendString([]byte(`,"priorityLevel":`), info.Name)))
	}
}

// Arrived opens the entry of a request.
func (l *DecisionLog) Arrived(now time.Duration, r *sim.Request) {
	*l.lines.open(now, r.ID) = entry{
		arrival:      r.Arrival,
		dispatched:   -1,
		finished:     -1,
		latency:      r.Estimate.AdditionalLatency,
		initialSeats: int32(r.Estimate.InitialSeats),
		finalSeats:   int32(r.Estimate.FinalSeats),
		schema:       r.Schema,
		level:        r.Level,
		flow:         int32(r.Flow),
		queue:        r.Queue,
		again:        r.Attempt > 0,
		state:        present,
	}
}

// Dispatched notes the dispatch of a request.
func (l *DecisionLog) Dispatched(now time.Duration, r *sim.Request) {
	l.lines.at(r.ID).dispatched = now
}

// Rejected settles a request.
func (l *DecisionLog) Rejected(now time.Duration, r *sim.Request) {
	e := l.lines.at(r.ID)
	e.finished, e.reason, e.retryAfter, e.state = now, r.Reason, r.RetryAfter, settled
	l.lines.flush(r.ID)
}

// Finished settles a request.
func (l *DecisionLog) Finished(now time.Duration, r *sim.Request) {
	e := l.lines.at(r.ID)
	e.finished, e.state = now, settled
	l.lines.flush(r.ID)
}

// Reconfigured makes names known.
func (l *DecisionLog) Reconfigured(time.Duration, int32) { l.meet() }

// End writes all that is left, of requests that are still present too.
func (l *DecisionLog) End(time.Duration, bool) { l.lines.drain() }

// writeLine writes the line of one request.
func (l *DecisionLog) writeLine(id int64, e *entry) {
	b := strconv.AppendInt(append(l.line[:0], `{"id":`...), id, 10)
	b = appendTime(b, `,"arrival":"`, e.arrival)
	if e.schema >= 0 {
		b = l.appendEstimate(b, e)
	}
	switch {
	case e.reason != fairqueue.NotRejected:
		b = append(b, `,"outcome":"rejected","reason":"`...)
		b = append(append(b, e.reason.String()...), '"')
	case e.dispatched >= 0:
		b = append(b, `,"outcome":"executed"`...)
		b = appendTime(b, `,"dispatched":"`, e.dispatched)
	}
	if e.finished >= 0 {
		b = appendTime(b, `,"finished":"`, e.finished)
	}
	if e.retryAfter > 0 {
		b = append(b, `,"retryAfter":"`...)
		b = append(strconv.AppendInt(b, int64(e.retryAfter), 10), '"')
	}
	b = append(b, "}\n"...)
	l.line = b
	if l.err == nil {
		_, l.err = l.out.Write(b)
	}
}

// appendEstimate appends what the server made of the request on arrival.
func (l *DecisionLog) appendEstimate(b []byte, e *entry) []byte {
	b = append(append(b, l.schemas[e.schema]...), l.levels[e.level]...)
	if e.flow >= 0 {
		b = appendString(append(b, `,"flow":`...), l.server.Flow(scheduler.FlowID(e.flow)).Distinguisher)
	}
	if e.queue >= 0 {
		b = strconv.AppendInt(append(b, `,"queue":`...), int64(e.queue), 10)
	}
	b = strconv.AppendInt(append(b, `,"initialSeats":`...), int64(e.initialSeats), 10)
	if e.finalSeats > 0 {
		b = strconv.AppendInt(append(b, `,"finalSeats":`...), int64(e.finalSeats), 10)
	}
	if e.latency > 0 {
		b = appendTime(b, `,"additionalLatency":"`, e.latency)
	}
	return b
}

// appendTime appends a field whose name and opening quote are given.
func appendTime(b []byte, field string, d time.Duration) []byte {
	return append(appendDuration(append(b, field...), d), '"')
}

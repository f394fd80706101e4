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
// With several servers the field server, after arrival, tells which one the request came to.
// A request in a server that stopped has the outcome "cut"; it was dispatched if it says so,
// and finished is when the server stopped. An attempt that reached no server has the outcome
// "refused", and the reason "no-server", or one of the gateway: "gateway-rate",
// "gateway-in-flight", "gateway-degraded" or "gateway-no-rule".
//
// A request that is still executing at the end of the run is "executed" and has no
// finished; one that still waits has no outcome. The warm-up is not left out.
//
// Lines have to wait for those with smaller ids. Memory follows the requests that are
// in flight, and those that arrived in another order than that of their ids.
type DecisionLog struct {
	sim.Silent
	out     *bufio.Writer
	err     error
	servers []server
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
	servers := make([]server, w.Servers())
	for i := range servers {
		servers[i] = w.ServerAt(int32(i))
	}
	l.start(servers)
	if pops := w.Config().Populations; len(pops) == 1 && pops[0].Trace != nil {
		l.lines.numbersLines(pops[0].Trace.Lateness())
	}
}

func (l *DecisionLog) start(servers []server) {
	l.servers = servers
	l.meet(0)
}

// meet takes over the names of the schemas and levels that are new at a server. All of them
// number these alike.
func (l *DecisionLog) meet(server int32) {
	s := l.servers[server]
	for _, name := range later(s.Schemas(), len(l.schemas)) {
		l.schemas = append(l.schemas, string(appendString([]byte(`,"flowSchema":`), name)))
	}
	for _, info := range later(s.Levels(), len(l.levels)) {
		l.levels = append(l.levels, string(appendString([]byte(`,"priorityLevel":`), info.Name)))
	}
}

// later returns what a list has beyond so many.
func later[T any](list []T, known int) []T { return list[min(known, len(list)):] }

// Arrived opens the entry of a request.
func (l *DecisionLog) Arrived(now time.Duration, r *sim.Request) {
	*l.lines.open(now, r.ID) = entry{
		arrival:      r.Arrival,
		server:       r.Server,
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

// Refused writes of an attempt that has reached no server.
func (l *DecisionLog) Refused(now time.Duration, r *sim.Request, why sim.Refusal) {
	*l.lines.open(now, r.ID) = entry{
		arrival: now, dispatched: -1, finished: now, retryAfter: r.RetryAfter,
		server: r.Server, schema: -1, level: -1, flow: -1, queue: -1,
		again: r.Attempt > 0, fate: refused, why: why, state: settled,
	}
	l.lines.flush(r.ID)
}

// Cut settles a request whose server has stopped, unless only its seats were left.
func (l *DecisionLog) Cut(now time.Duration, r *sim.Request) {
	if r.Finished >= 0 {
		return
	}
	e := l.lines.at(r.ID)
	e.finished, e.fate, e.state = now, cut, settled
	l.lines.flush(r.ID)
}

// Reconfigured makes names known.
func (l *DecisionLog) Reconfigured(_ time.Duration, server int32) { l.meet(server) }

// End writes all that is left, of requests that are still present too.
func (l *DecisionLog) End(time.Duration, bool) { l.lines.drain() }

// writeLine writes the line of one request.
func (l *DecisionLog) writeLine(id int64, e *entry) {
	b := strconv.AppendInt(append(l.line[:0], `{"id":`...), id, 10)
	b = appendTime(b, `,"arrival":"`, e.arrival)
	if len(l.servers) > 1 && e.server >= 0 {
		b = strconv.AppendInt(append(b, `,"server":`...), int64(e.server), 10)
	}
	if e.schema >= 0 {
		b = l.appendEstimate(b, e)
	}
	b = appendOutcome(b, e)
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

// appendOutcome appends what became of the request.
func appendOutcome(b []byte, e *entry) []byte {
	switch {
	case e.fate == refused:
		b = append(b, `,"outcome":"refused","reason":"`...)
		b = append(append(b, e.why.String()...), '"')
	case e.fate == cut:
		b = append(b, `,"outcome":"cut"`...)
	case e.reason != fairqueue.NotRejected:
		b = append(b, `,"outcome":"rejected","reason":"`...)
		b = append(append(b, e.reason.String()...), '"')
	case e.dispatched >= 0:
		b = append(b, `,"outcome":"executed"`...)
	}
	if e.dispatched >= 0 && e.reason == fairqueue.NotRejected {
		b = appendTime(b, `,"dispatched":"`, e.dispatched)
	}
	return b
}

// appendEstimate appends what the server made of the request on arrival.
func (l *DecisionLog) appendEstimate(b []byte, e *entry) []byte {
	b = append(append(b, l.schemas[e.schema]...), l.levels[e.level]...)
	if e.flow >= 0 {
		b = appendString(append(b, `,"flow":`...), l.servers[e.server].Flow(scheduler.FlowID(e.flow)).Distinguisher)
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

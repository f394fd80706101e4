package workload

import (
	"fmt"
	"io"
	"time"
)

// TraceReader reads the records of a trace in the order of (arrival, line). It is for one
// goroutine.
//
// A line may be late: below one that arrives after it. No line of the trace is later than
// Trace.Lateness, so a record may go out as soon as a line has been read that arrives so
// much after it. Records that have to wait for that are held in a heap: none at all if the
// lines are in order, and else as many as arrive within that span.
type TraceReader struct {
	trace *Trace
	lines *lineReader
	// newest is the latest arrival that has been read, requests the number of records.
	newest   time.Duration
	requests int64
	ended    bool
	err      error
	held     heldRecords
	// lent is the slot whose record the last call of Next returned, none (-1) if it held
	// none.
	lent int32
}

// none is no slot.
const none = -1

// Reader returns a reader that begins at the beginning. The caller closes it.
func (t *Trace) Reader() (*TraceReader, error) {
	file, err := t.open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	lines, err := newLineReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	return &TraceReader{trace: t, lines: lines, lent: none}, nil
}

// Next reads the next record into rec, and returns false after the last one. Subjects,
// Targets and Options may have grown, never changed. The error says that the trace could
// not be read or has changed since it was opened; it stays.
func (r *TraceReader) Next(rec *Record) (bool, error) {
	r.takeBack()
	for r.err == nil {
		if r.held.ready(r.newest-r.trace.lateness, r.ended) {
			r.lent = r.held.pop(rec)
			return true, nil
		}
		if r.ended {
			return false, nil
		}
		direct, err := r.read(rec)
		if err != nil {
			r.err = err
			break
		}
		if direct {
			return true, nil
		}
	}
	return false, r.err
}

// takeBack ends the life of the texts of the last record.
func (r *TraceReader) takeBack() {
	if r.lent != none {
		r.held.release(r.lent)
		r.lent = none
	}
}

// read reads one line. If its record can go out at once it is left in rec, and the result
// is true; otherwise it is held.
func (r *TraceReader) read(rec *Record) (bool, error) {
	faults, err := r.lines.next(rec)
	if err == io.EOF {
		r.ended = true
		if r.requests != r.trace.requests {
			return false, r.trace.changed(r.lines.source.number, nil, nil)
		}
		return false, nil
	}
	if err != nil || len(faults) > 0 {
		return false, r.trace.changed(r.lines.source.number, faults, err)
	}
	r.requests++
	if rec.Arrival < r.newest-r.trace.lateness || rec.Arrival > r.trace.lastArrival {
		return false, r.trace.changed(rec.Line, nil, nil)
	}
	r.newest = max(r.newest, rec.Arrival)
	if r.held.empty() && rec.Arrival <= r.newest-r.trace.lateness {
		return true, nil
	}
	r.held.push(rec)
	return false, nil
}

// Subjects returns the users and groups met so far; Record.Subject is an index into it.
func (r *TraceReader) Subjects() []TraceSubject { return r.lines.intern.subjects }

// Targets returns what has been asked for so far; Record.Target is an index into it.
func (r *TraceReader) Targets() []TraceTarget { return r.lines.intern.targets }

// Options returns the list options met so far; Record.Options is an index into it, and
// index 0 is no options. They are reduced to what the API server reads of them: a
// resourceVersion other than "" and "0" is "1", a continue token is one letter, and an
// unknown resourceVersionMatch is "Unknown". Selectors are not among them, but in the
// Record. So there are few of them, however different the requests.
func (r *TraceReader) Options() []RawOptions { return r.lines.intern.options }

// Held returns how many records are waiting for their turn.
func (r *TraceReader) Held() int { return len(r.held.heap) }

// Close closes the file.
func (r *TraceReader) Close() error { return r.lines.source.close() }

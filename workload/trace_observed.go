package workload

import (
	"io"
	"time"

	"github.com/apfsim/apfsim/workload/traceline"
)

// Observed is what a line of a trace tells of what became of its request, which does not act on a
// replay.
type Observed struct {
	// Line is the number of the line, from 0: the ID of the request where it is replayed alone.
	Line int64
	// Arrival and Duration are as in Record.
	Arrival, Duration time.Duration
	// Code and Waited are as in traceline.Line.
	Code   int32
	Waited time.Duration
	// FlowSchema and PriorityLevel are how the server classified it, empty if the line does not
	// tell. They are valid until the next call of Next.
	FlowSchema, PriorityLevel []byte
}

// ObservedReader reads what was observed, in the order of the lines.
type ObservedReader struct {
	trace  *Trace
	source *traceSource
	parser traceline.Parser
	line   traceline.Line
}

// Observed returns a reader of what the lines tell of what was observed.
func (t *Trace) Observed() (*ObservedReader, error) {
	file, err := t.open()
	if err != nil {
		return nil, t.changed(0, nil, err)
	}
	source, err := newTraceSource(file)
	if err != nil {
		return nil, t.changed(0, nil, err)
	}
	return &ObservedReader{trace: t, source: source}, nil
}

// Next reads the next line. It returns false after the last one.
func (r *ObservedReader) Next(o *Observed) (bool, error) {
	for {
		text, err := r.source.next()
		switch {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, r.trace.changed(r.source.number, nil, err)
		case blank(text):
			continue
		}
		if faults := r.parser.Parse(text, &r.line); len(faults) > 0 {
			return false, r.trace.changed(r.source.number, faults, nil)
		}
		l := &r.line
		*o = Observed{
			Line: r.source.number, Arrival: l.Arrival, Duration: l.Duration, Code: l.Code, Waited: l.Waited,
			FlowSchema: l.Text[traceline.FlowSchema], PriorityLevel: l.Text[traceline.PriorityLevel],
		}
		return true, nil
	}
}

// Close closes the file.
func (r *ObservedReader) Close() error { return r.source.close() }

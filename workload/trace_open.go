package workload

import (
	"errors"
	"fmt"
	"io"

	"github.com/apfsim/apfsim/workload/traceline"
)

// OpenTrace reads a whole trace once, and returns it, or else its faults: the first 20, and
// a last one that counts the others. name is for messages. open is called here and for each
// reader, perhaps by several goroutines at once, and must give the same text each time; it
// is what touches the file system.
//
// The memory that it needs does not grow with the number of lines.
func OpenTrace(name string, open func() (io.ReadCloser, error)) (*Trace, []TraceFault) {
	t := &Trace{name: name, open: open}
	s := traceScan{trace: t, faults: faultList{file: name}}
	file, err := open()
	if err != nil {
		s.faults.add(readFault(err))
		return nil, s.faults.list()
	}
	lines, err := newLineReader(file)
	if err != nil {
		s.faults.add(readFault(err))
		return nil, s.faults.list()
	}
	s.run(lines)
	lines.source.close()
	if faults := s.faults.list(); len(faults) > 0 {
		return nil, faults
	}
	return t, nil
}

// traceScan is the reading of a trace when it is opened.
type traceScan struct {
	trace  *Trace
	faults faultList
}

// run reads all lines, as far as that is possible.
func (s *traceScan) run(lines *lineReader) {
	var rec Record
	for {
		faults, err := lines.next(&rec)
		number := lines.source.number
		switch {
		case err == io.EOF:
			return
		case err != nil:
			if !s.failed(number, err) {
				return
			}
		case len(faults) > 0:
			s.faults.addLine(number, lines.text, faults)
		default:
			s.trace.learn(&rec)
			s.trace.hashes.learn(&lines.line)
			s.trace.lines = number + 1
		}
	}
}

// learn counts a request.
func (t *Trace) learn(rec *Record) {
	t.requests++
	t.lastArrival = max(t.lastArrival, rec.Arrival)
	t.lateness = max(t.lateness, t.lastArrival-rec.Arrival)
	t.servers = max(t.servers, rec.Server+1)
}

// failed notes an error and tells whether reading may go on.
func (s *traceScan) failed(number int64, err error) bool {
	f := TraceFault{}
	switch {
	case errors.Is(err, errLineTooLong):
		f.Code = TraceLineLength
		f.Problem = fmt.Sprintf("the line has more than %d bytes", LineMax)
		f.Legal = "one JSON object on each line"
	case errors.Is(err, errTooManyOptions):
		f.Code = TraceOptionCount
		f.Problem = fmt.Sprintf("the lists and watches have more than %d different sets of options", optionsMax)
		f.Legal = "fewer different values of limit"
	default:
		f = readFault(err)
	}
	f.Line, f.Column = number+1, 1
	s.faults.add(f)
	return f.Code == TraceLineLength
}

// changed is the error of a reader whose text is not what OpenTrace read.
func (t *Trace) changed(number int64, faults []traceline.Fault, err error) error {
	f := &TraceFault{
		File: t.name, Line: number + 1, Column: 1, Code: TraceChanged,
		Problem: "the trace has changed since it was opened",
		Legal:   "a file that nobody writes to while it is read",
	}
	switch {
	case len(faults) > 0:
		f.Problem += ": " + faults[0].Problem
	case err != nil:
		f.Problem += ": " + err.Error()
	}
	return f
}

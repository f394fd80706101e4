package workload

import (
	"bytes"
	"errors"
	"io"

	"github.com/apfsim/apfsim/workload/traceline"
)

// errTooManyOptions is what lineReader.next fails with when optionsMax is passed.
var errTooManyOptions = errors.New("too many different list options")

// lineReader turns the lines of a trace into records, in the order of the lines.
type lineReader struct {
	source *traceSource
	parser traceline.Parser
	line   traceline.Line
	intern interner
	// text is the line that next read last.
	text []byte
}

// newLineReader takes over file: the caller closes the reader's source instead.
func newLineReader(file io.ReadCloser) (*lineReader, error) {
	source, err := newTraceSource(file)
	if err != nil {
		return nil, err
	}
	return &lineReader{source: source, intern: newInterner()}, nil
}

// next reads the next record into rec; its texts are valid until the next call. If the line
// has faults it returns them, and rec means nothing. The error is io.EOF after the last
// line, errLineTooLong or errTooManyOptions, after which reading may go on, or what the
// reading of the file failed with.
func (r *lineReader) next(rec *Record) ([]traceline.Fault, error) {
	for {
		text, err := r.source.next()
		if err != nil {
			return nil, err
		}
		if blank(text) {
			continue
		}
		r.text = text
		if faults := r.parser.Parse(text, &r.line); len(faults) > 0 {
			return faults, nil
		}
		return nil, r.fill(rec)
	}
}

// blank tells whether a line has nothing but the white space of JSON.
func blank(text []byte) bool {
	return len(text) == 0 || text[0] != '{' && len(bytes.TrimLeft(text, " \t\r")) == 0
}

// fill makes a record of a line without faults.
func (r *lineReader) fill(rec *Record) error {
	l := &r.line
	options, ok := r.intern.option(l)
	if !ok {
		return errTooManyOptions
	}
	*rec = Record{
		Line:     r.source.number,
		Arrival:  l.Arrival,
		Duration: l.Duration,
		Timeout:  l.Timeout,
		Left:     l.Left,
		Life:     l.Life,
		EndsLast: l.EndsLast,
		Subject:  r.intern.subject(l),
		Target:   r.intern.target(l),
		Options:  options,
		Server:   l.Server,
		Code:     l.Code,
		Waited:   l.Waited,
		Name:     l.Text[traceline.Name],
	}
	if listsOrWatches(l) {
		rec.FieldSelector = l.Text[traceline.FieldSelector]
		rec.LabelSelector = l.Text[traceline.LabelSelector]
	}
	return nil
}

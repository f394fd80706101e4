package workload

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// LineMax is the most bytes that a line of a trace may have. A request needs a few
// hundred; a file without newlines should not be read into memory whole.
const LineMax = 1 << 20

// errLineTooLong is what traceSource.next returns for a line longer than LineMax. The next
// call goes on with the line after it.
var errLineTooLong = errors.New("line too long")

// traceSource cuts the text of a trace, plain or gzip, into lines. Its memory is one
// buffer, which grows to the longest line.
type traceSource struct {
	file   io.ReadCloser
	text   io.Reader
	buffer []byte
	// buffer[begin:end] has been read and not yet returned.
	begin, end int
	// err is why there is no more to read: io.EOF, or what went wrong.
	err error
	// number is that of the line that next returned, -1 before the first call.
	number int64
}

// The sizes of the buffers of lines and of bytes of the file. The second is the smaller
// one, so that plain text is read past it.
const (
	sourceBuffer = 1 << 17
	fileBuffer   = 1 << 15
)

// newTraceSource takes over file: the caller closes the source instead.
func newTraceSource(file io.ReadCloser) (*traceSource, error) {
	s := &traceSource{file: file, buffer: make([]byte, sourceBuffer), number: -1}
	plain := bufio.NewReaderSize(file, fileBuffer)
	s.text = plain
	if magic, _ := plain.Peek(2); string(magic) == "\x1f\x8b" {
		unzipped, err := gzip.NewReader(plain)
		if err != nil {
			file.Close()
			return nil, err
		}
		s.text = unzipped
	}
	return s, nil
}

// next returns the next line without its newline, valid until the next call; io.EOF after
// the last; errLineTooLong; or what the reading of the file failed with.
func (s *traceSource) next() ([]byte, error) {
	s.number++
	searched := 0
	for {
		rest := s.buffer[s.begin:s.end]
		if i := bytes.IndexByte(rest[searched:], '\n'); i >= 0 {
			s.begin += searched + i + 1
			return rest[:searched+i], nil
		}
		searched = len(rest)
		switch {
		case s.err == io.EOF && searched > 0:
			s.begin = s.end
			return rest, nil
		case s.err != nil:
			return nil, s.err
		case searched > LineMax:
			return nil, s.skipLine()
		}
		s.fill()
	}
}

// fill reads more, after making room for it. An error counts once all lines before it have
// been returned.
func (s *traceSource) fill() {
	if s.begin > 0 {
		s.end = copy(s.buffer, s.buffer[s.begin:s.end])
		s.begin = 0
	}
	if s.end == len(s.buffer) {
		s.buffer = append(s.buffer, make([]byte, len(s.buffer))...)
	}
	var n int
	n, s.err = s.text.Read(s.buffer[s.end:])
	s.end += n
}

// skipLine drops the rest of a line, and returns errLineTooLong. What else went wrong comes
// with the next line.
func (s *traceSource) skipLine() error {
	for {
		rest := s.buffer[s.begin:s.end]
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			s.begin += i + 1
			return errLineTooLong
		}
		s.begin = s.end
		if s.err != nil {
			return errLineTooLong
		}
		s.fill()
	}
}

// close closes the file.
func (s *traceSource) close() error { return s.file.Close() }

// readFault describes an error of reading: line and column are where the text ends.
func readFault(err error) TraceFault {
	var damaged flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return TraceFault{
			Code: TraceCompression, Problem: "the compressed text is cut off",
			Legal: "a whole gzip file", Hint: "copy or compress it again; gzip -t FILE tests it",
		}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &damaged):
		return TraceFault{
			Code: TraceCompression, Problem: "the compressed text is damaged: " + err.Error(),
			Legal: "a whole gzip file", Hint: "copy or compress it again; gzip -t FILE tests it",
		}
	}
	return TraceFault{Code: TraceUnreadable, Problem: err.Error(), Legal: "a file that can be read"}
}

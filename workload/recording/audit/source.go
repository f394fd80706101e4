package audit

import (
	"bytes"
	"io"

	"github.com/apfsim/apfsim/workload/recording"
)

// ObjectMax is the most bytes that one event may have. Events that hold what was written or
// read can be large; one that never ends should not be read into memory whole.
const ObjectMax = 32 << 20

const sourceBuffer = 1 << 20

// source gives the text of a file, plain or gzip, in a window that moves over it.
type source struct {
	from   io.Reader
	buffer []byte
	// buffer[begin:end] has been read and not yet taken.
	begin, end int
	// err is why there is no more to read: io.EOF, or what went wrong.
	err error
	// line is that of buffer[begin], from 1.
	line int64
}

// reset begins with another file, and keeps the memory.
func (s *source) reset(file io.Reader) {
	buffer := s.buffer
	if buffer == nil {
		buffer = make([]byte, sourceBuffer)
	}
	*s = source{buffer: buffer, line: 1}
	s.from, s.err = recording.Plain(file)
}

// window returns what has been read and not yet taken.
func (s *source) window() []byte { return s.buffer[s.begin:s.end] }

// take goes past n bytes of the window.
func (s *source) take(n int) {
	s.line += int64(bytes.Count(s.buffer[s.begin:s.begin+n], []byte{'\n'}))
	s.begin += n
}

// more reads more into the window, after making room for it. It returns false if there is no
// more, or no room within the bound.
func (s *source) more() bool {
	if s.err != nil {
		return false
	}
	if s.begin > 0 {
		s.end = copy(s.buffer, s.buffer[s.begin:s.end])
		s.begin = 0
	}
	if s.end == len(s.buffer) {
		if len(s.buffer) > ObjectMax {
			return false
		}
		s.buffer = append(s.buffer, make([]byte, len(s.buffer))...)
	}
	var n int
	for n == 0 && s.err == nil {
		n, s.err = s.from.Read(s.buffer[s.end:])
	}
	s.end += n
	return n > 0
}

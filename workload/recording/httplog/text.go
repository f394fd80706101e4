package httplog

import (
	"bufio"
	"bytes"
	"io"

	"github.com/apfsim/apfsim/workload/recording"
)

// LineMax is the most bytes that a line may have, with all that container runtimes have cut it
// into. Lines with a stack have 60 KB.
const LineMax = 4 << 20

// text gives the lines of a file, plain or gzip.
type text struct {
	from *bufio.Reader
	long []byte
	// line is the number of the last line, from 1, and cut tells that it was longer than LineMax,
	// and is not whole.
	line int64
	cut  bool
}

// reset begins with another file, and keeps the memory.
func (t *text) reset(file io.Reader) error {
	t.line = 0
	plain, err := recording.Plain(file)
	if err != nil {
		return err
	}
	if t.from == nil {
		t.from = bufio.NewReaderSize(plain, 1<<17)
	}
	t.from.Reset(plain)
	return nil
}

// next returns the next line without its end, valid until the next call. It returns io.EOF after
// the last.
func (t *text) next() ([]byte, error) {
	t.line++
	t.cut = false
	line, err := t.from.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = t.longer(line)
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return nil, err
	}
	if t.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), nil
}

// longer reads a line that is longer than the buffer, of which it has the beginning.
func (t *text) longer(line []byte) ([]byte, error) {
	t.long = append(t.long[:0], line...)
	for {
		part, err := t.from.ReadSlice('\n')
		if len(t.long)+len(part) > LineMax {
			t.cut = true
		} else {
			t.long = append(t.long, part...)
		}
		if err != bufio.ErrBufferFull {
			return t.long, err
		}
	}
}

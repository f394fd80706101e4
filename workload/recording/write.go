package recording

import (
	"bufio"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Requests gives requests in the order of their arrivals.
type Requests interface {
	// Next gives the next request, valid until the next call, and returns false after the last
	// one.
	Next(r *Request) (bool, error)
}

// WriteTrace writes requests as lines of a trace, perhaps compressed. start is when the trace
// begins, in nanoseconds since 1970: no request arrives earlier.
func WriteTrace(w io.Writer, compressed bool, start int64, from Requests) error {
	if !compressed {
		return writeLines(w, start, from)
	}
	zipped := gzip.NewWriter(w)
	if err := writeLines(zipped, start, from); err != nil {
		return err
	}
	return zipped.Close()
}

func writeLines(w io.Writer, start int64, from Requests) error {
	lines := bufio.NewWriterSize(w, 1<<16)
	var r Request
	var line []byte
	for {
		more, err := from.Next(&r)
		if err != nil {
			return err
		}
		if !more {
			return lines.Flush()
		}
		line = AppendHead(line[:0], time.Duration(r.Received-start))
		line = append(AppendTail(line, &r), '\n')
		if _, err := lines.Write(line); err != nil {
			return err
		}
	}
}

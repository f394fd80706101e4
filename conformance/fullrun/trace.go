package fullrun

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
)

// What a trace is, and what becomes of its requests, is said in the words of package wire, in which the real code
// of other releases is asked, too.
type (
	// Request is one line of a trace.
	Request = wire.Request
	// Duration is a time whose text is that of Go.
	Duration = wire.Duration
	// Objects is what the server knows of the stored objects of a resource.
	Objects = wire.Objects
	// Watch is a number of equal watches.
	Watch = wire.Watch
	// Decision is one line of a decision log.
	Decision = wire.Decision
	// Scrape is what the server told of its metrics at a time.
	Scrape = wire.Scrape
)

// ReadTrace reads a trace file, plain or gzip.
func ReadTrace(name string) ([]Request, error) { return readLines[Request](name) }

// WriteTrace writes a trace, one request a line.
func WriteTrace(w io.Writer, trace []Request) error { return writeLines(w, trace) }

// readLines reads a file of JSON Lines, plain or gzip. Unknown fields are errors.
func readLines[T any](name string) ([]T, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var r io.Reader = bytes.NewReader(content)
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	lines, err := parseLines[T](r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lines, nil
}

// parseLines reads JSON Lines to the end.
func parseLines[T any](r io.Reader) ([]T, error) {
	decoder := json.NewDecoder(bufio.NewReaderSize(r, 1<<16))
	decoder.DisallowUnknownFields()
	var lines []T
	for {
		var line T
		switch err := decoder.Decode(&line); err {
		case nil:
			lines = append(lines, line)
		case io.EOF:
			return lines, nil
		default:
			return nil, fmt.Errorf("line %d: %w", len(lines)+1, err)
		}
	}
}

func writeLines[T any](w io.Writer, lines []T) error {
	b := bufio.NewWriter(w)
	encoder := json.NewEncoder(b)
	for i := range lines {
		if err := encoder.Encode(&lines[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

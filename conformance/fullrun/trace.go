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
	"time"
)

// Request is one line of a trace.
type Request struct {
	Arrival  Duration `json:"arrival"`
	Duration Duration `json:"duration"`
	// Timeout is the deadline that the client asks for, 0 for none.
	Timeout     Duration `json:"timeout,omitempty"`
	User        string   `json:"user,omitempty"`
	Groups      []string `json:"groups,omitempty"`
	Verb        string   `json:"verb"`
	APIGroup    string   `json:"apiGroup,omitempty"`
	Resource    string   `json:"resource,omitempty"`
	Subresource string   `json:"subresource,omitempty"`
	Namespace   string   `json:"namespace,omitempty"`
	Name        string   `json:"name,omitempty"`
	// Path makes it a non-resource request.
	Path string `json:"path,omitempty"`

	Limit                int64  `json:"limit,omitempty"`
	ResourceVersion      string `json:"resourceVersion,omitempty"`
	ResourceVersionMatch string `json:"resourceVersionMatch,omitempty"`
	Continue             string `json:"continue,omitempty"`
	FieldSelector        string `json:"fieldSelector,omitempty"`
	LabelSelector        string `json:"labelSelector,omitempty"`
	SendInitialEvents    bool   `json:"sendInitialEvents,omitempty"`
}

// Duration is a time.Duration whose text is Go's duration text.
type Duration time.Duration

// UnmarshalText reads Go's duration text.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// MarshalText writes Go's duration text.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

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

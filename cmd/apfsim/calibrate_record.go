package main

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
)

// observedRecord is a record that a scenario is held against: one of the two.
type observedRecord struct {
	name    string
	trace   *workload.Trace
	metrics *recording.Observed
}

// observedMark stands near the beginning of every observed file, and in no line of a trace.
var observedMark = regexp.MustCompile(`^\s*\{\s*"apiVersion"\s*:\s*"[^"]*"\s*,\s*"kind"\s*:\s*"` + recording.ObservedKind + `"`)

// openObserved reads a record, and tells of which kind it is.
func openObserved(p *Process, file string) (*observedRecord, error) {
	out := &observedRecord{name: inputName(file)}
	open := func() (io.ReadCloser, error) { return p.FS.Open(file) }
	if file == "-" {
		text, err := io.ReadAll(p.Stdin)
		if err != nil {
			return nil, inputf("", "%s: cannot read: %s", out.name, fileReason(err))
		}
		open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	}
	beginning, err := peek(open)
	if err != nil {
		return nil, inputf("", "%s: cannot read the file: %s", out.name, fileReason(err))
	}
	if observedMark.Match(beginning) {
		return out, out.readMetrics(open)
	}
	trace, faults := workload.OpenTrace(out.name, open)
	if len(faults) > 0 {
		return nil, badInput{traceDiagnostics(faults)}
	}
	if trace.Requests() == 0 {
		return nil, inputf("a trace of apfsim import, or the observed file of apfsim import metrics", "%s: it holds no request", out.name)
	}
	out.trace = trace
	return out, nil
}

// peekSize is how much of a file tells of which kind it is.
const peekSize = 512

// peek reads the beginning of a file.
func peek(open func() (io.ReadCloser, error)) ([]byte, error) {
	file, err := open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, peekSize))
	return text, err
}

// readMetrics reads an observed file.
func (o *observedRecord) readMetrics(open func() (io.ReadCloser, error)) error {
	file, err := open()
	if err != nil {
		return inputf("", "%s: cannot read the file: %s", o.name, fileReason(err))
	}
	defer file.Close()
	var seen recording.Observed
	if err := json.NewDecoder(file).Decode(&seen); err != nil {
		return inputf("apfsim import metrics -o observed=FILE writes such files", "%s: it cannot be read as JSON: %v", o.name, err)
	}
	if problem := seen.Problem(); problem != "" {
		return inputf("apfsim import metrics -o observed=FILE writes such files", "%s: %s", o.name, problem)
	}
	o.metrics = &seen
	return nil
}

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// imported are the outputs of an import.
type imported struct {
	files *outputs
	// account tells of the servers that stopped, once all requests are through.
	account       *recording.Account
	trace, replay *target
	// to is where the trace goes, and scenario where the replay does.
	to, scenario io.Writer
	// fitted is the scenario of -o scenario, nil if it is not wanted.
	fitted *fitted
}

// newImported opens the outputs, so that it is known before the work that they can be written.
func newImported(p *Process, targets []target) (*imported, error) {
	m := &imported{files: newOutputs(p)}
	for i := range targets {
		t := &targets[i]
		var w io.Writer = p.Stdout
		if t.file != "" {
			var err error
			if w, err = m.files.create(t.file); err != nil {
				return nil, err
			}
		}
		switch t.form {
		case formTrace:
			m.trace, m.to = t, w
		case formReplay:
			m.replay, m.scenario = t, w
		case formScenario:
			m.fitted = &fitted{to: w, file: t.file}
		}
	}
	if m.trace == nil && m.fitted == nil || m.replay != nil && (m.trace == nil || m.trace.file == "") {
		m.files.discard()
		return nil, usagef("name both, as in -o trace=incident.jsonl.gz -o replay=incident.yaml", "-o replay is a scenario that replays the trace of -o trace=FILE")
	}
	return m, nil
}

// write writes all outputs.
func (m *imported) write(start int64, from recording.Requests, servers int) error {
	from = m.fitted.over(from)
	if m.trace == nil {
		return drain(from)
	}
	over := &ending{Requests: from, last: start}
	if err := recording.WriteTrace(m.to, strings.HasSuffix(m.trace.file, ".gz"), start, over); err != nil {
		return cannotWrite(inputName(m.trace.file), err)
	}
	if m.replay == nil {
		return nil
	}
	_, err := io.WriteString(m.scenario, replayScenario(m.path(), start, time.Duration(over.last-start), servers, m.account.Stops))
	if err != nil {
		return cannotWrite(m.replay.file, err)
	}
	return nil
}

// ending gives requests and notes when the last of them ends, if all goes as recorded.
type ending struct {
	recording.Requests
	last int64
}

// Next implements recording.Requests.
func (e *ending) Next(q *recording.Request) (bool, error) {
	more, err := e.Requests.Next(q)
	if more {
		e.last = max(e.last, q.Received+int64(max(q.Total, max(q.Waited, 0)+q.Execution)))
	}
	return more, err
}

// path is the trace as the scenario names it: relative to its own folder.
func (m *imported) path() string {
	if filepath.IsAbs(m.trace.file) {
		return m.trace.file
	}
	if relative, err := filepath.Rel(filepath.Dir(m.replay.file), m.trace.file); err == nil {
		return filepath.ToSlash(relative)
	}
	return m.trace.file
}

// next says what to do now.
func (m *imported) next(w io.Writer) {
	switch {
	case m.fitted != nil && m.fitted.file != "":
		fmt.Fprintf(w, "next: apfsim run %s\n", shellWord(m.fitted.file))
	case m.trace == nil || m.trace.file == "":
	case m.replay == nil || m.replay.file == "":
		fmt.Fprintf(w, "next: a scenario with the client  {name: recorded, trace: {file: %s}}\n", m.trace.file)
	default:
		fmt.Fprintf(w, "next: apfsim run %s\n", shellWord(m.replay.file))
	}
}

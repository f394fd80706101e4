package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/seats"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// readRequests reads the distinct requests of a trace, in the order in which each is first
// met, with how many there are of each. What a request asks for is what a FlowSchema can
// look at: the name of an object and the options of a LIST are not.
func readRequests(fs FS, file string, stdin []byte) ([]seats.Request, error) {
	open := func() (io.ReadCloser, error) {
		if file == "-" {
			return io.NopCloser(bytes.NewReader(stdin)), nil
		}
		return fs.Open(file)
	}
	trace, faults := workload.OpenTrace(inputName(file), open)
	if len(faults) > 0 {
		return nil, badInput{traceDiagnostics(faults)}
	}
	if trace.Requests() == 0 {
		return nil, inputf("one request a line, as JSON", "%s: the trace holds no request", inputName(file))
	}
	r, err := trace.Reader()
	if err != nil {
		return nil, inputf("", "%s", err)
	}
	list, err := distinctRequests(r)
	if closing := r.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, inputf("", "%s", err)
	}
	return list, nil
}

// distinctRequests reads a trace to its end.
func distinctRequests(r *workload.TraceReader) ([]seats.Request, error) {
	type kind struct{ subject, target int32 }
	var list []seats.Request
	index := map[kind]int{}
	var rec workload.Record
	for {
		more, err := r.Next(&rec)
		if err != nil || !more {
			return list, err
		}
		k := kind{rec.Subject, rec.Target}
		at, known := index[k]
		if !known {
			at = len(list)
			index[k] = at
			list = append(list, tracedRequest(r.Subjects()[k.subject], r.Targets()[k.target]))
		}
		list[at].Count++
	}
}

// tracedRequest makes a request of what a trace says.
func tracedRequest(s workload.TraceSubject, t workload.TraceTarget) seats.Request {
	r := seats.Request{User: s.User, Groups: s.Groups, Verb: t.Verb, APIGroup: t.APIGroup, Resource: t.Resource,
		Subresource: t.Subresource, Namespace: t.Namespace, Path: t.Path}
	r.What = seats.Describe(s.User, scheduler.Target(t))
	return r
}

// traceDiagnostics puts the faults of a trace into the form of all others.
func traceDiagnostics(faults []workload.TraceFault) scenarios.Diagnostics {
	var list scenarios.Diagnostics
	for _, f := range faults {
		list = append(list, scenarios.Diagnostic{
			File: f.File, Line: max(int(f.Line), 1), Column: max(f.Column, 1), Code: scenarios.CodeTrace, Severity: scenarios.Error,
			Message: f.Problem, Legal: f.Legal, Hint: strings.TrimSpace(f.Hint),
		})
	}
	return list
}

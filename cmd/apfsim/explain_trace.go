package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/explain"
	"github.com/apfsim/apfsim/workload/traceline"
)

// onlyConfiguration refuses the flags that describe a request, which a trace does itself.
func onlyConfiguration(c *cobra.Command) error {
	for _, name := range append(slices.Clone(whoFlags), whatFlags...) {
		if c.Flags().Changed(name) {
			return usagef("a line of a trace says it all", "--%s has no meaning with a line of a trace", name)
		}
	}
	return nil
}

// oneTraceLine explains the line of --trace-line.
func (f *explainFlags) oneTraceLine(p *Process, c *cobra.Command, form string) error {
	if err := onlyConfiguration(c); err != nil {
		return err
	}
	requests, faults := traceRequests("--trace-line", []byte(f.traceLine))
	if len(faults) > 0 {
		return badInput{faults}
	}
	if len(requests) != 1 {
		return usagef("give many lines to apfsim explain -", "--trace-line takes one line, got %d", len(requests))
	}
	return f.requests(p, requests, form, false)
}

// traces explains the lines of the standard input.
func (f *explainFlags) traces(p *Process, c *cobra.Command, form string) error {
	if err := onlyConfiguration(c); err != nil {
		return err
	}
	if slices.Contains(f.configuration.filenames, "-") {
		return usagef("", "- is there twice, and the standard input can be read once")
	}
	text, err := readInput(p, "-")
	if err != nil {
		return inputf("", "%s: cannot read: %s", stdinName, fileReason(err))
	}
	requests, faults := traceRequests(stdinName, text)
	if len(faults) > 0 {
		return badInput{faults}
	}
	if len(requests) == 0 {
		return inputf("one JSON object on each line, as in a trace", "%s: no line is there", stdinName)
	}
	return f.requests(p, requests, form, true)
}

// traceRequests reads the lines of a trace. Empty lines are left out.
func traceRequests(name string, text []byte) ([]explain.Request, scenarios.Diagnostics) {
	var parser traceline.Parser
	var line traceline.Line
	var requests []explain.Request
	var faults scenarios.Diagnostics
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		raw = bytes.TrimRight(raw, "\r\n")
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		for _, fault := range parser.Parse(raw, &line) {
			faults = append(faults, scenarios.Diagnostic{
				File: name, Line: number, Column: len([]rune(string(raw[:fault.Offset]))) + 1,
				Code: scenarios.CodeTrace, Severity: scenarios.Error,
				Message: fmt.Sprintf("%s (%s)", fault.Problem, fault.Code), Legal: fault.Legal, Hint: fault.Hint,
			})
		}
		r := explain.FromLine(&line)
		r.From = fmt.Sprintf("%s:%d", name, number)
		requests = append(requests, r)
	}
	return requests, faults
}

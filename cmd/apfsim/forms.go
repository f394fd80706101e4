package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/ci"
	"github.com/apfsim/apfsim/reports/html"
	"github.com/apfsim/apfsim/reports/markdown"
	"github.com/apfsim/apfsim/reports/sheets"
	"github.com/apfsim/apfsim/reports/yaml"
)

// resultForm is one way to write results. Whatever it shows is in the results, so that a saved
// result can be written in any form.
type resultForm struct {
	name string
	// write writes one result or more.
	write func(w io.Writer, results []*reports.Result, screen screen) error
}

// screen is what a form for people may use of where it is shown.
type screen struct {
	// width is the number of columns, 0 if it does not matter.
	width int
	color bool
	// moment is when the form is about, if it is about a moment.
	moment moment
}

// resultForms are all forms; the first one is the default.
var resultForms = []resultForm{
	{formText, writeTexts},
	{formJSON, unscreened(writeResults)},
	{formYAML, unscreened(func(w io.Writer, results []*reports.Result) error { return yaml.Write(w, reports.Document(results)) })},
	{formCSV, unscreened(sheets.WriteFigures)},
	{"csv-series", unscreened(sheets.WriteSeries)},
	{formHTML, unscreened(html.Write)},
	{"markdown", unscreened(markdown.Write)},
	{formJUnit, unscreened(func(w io.Writer, results []*reports.Result) error { return ci.WriteJUnit(w, ci.Suites(results)) })},
	{formGitHub, unscreened(func(w io.Writer, results []*reports.Result) error { return ci.WriteGitHub(w, results) })},
	{formPrometheus, writePrometheus},
	{formOpenMetrics, writeOpenMetrics},
	{formDumpLevels, writePage(formDumpLevels, func(d *reports.Dump) string { return d.PriorityLevels })},
	{formDumpQueues, writePage(formDumpQueues, func(d *reports.Dump) string { return d.Queues })},
	{formDumpRequests, writePage(formDumpRequests, func(d *reports.Dump) string { return d.Requests })},
	{formDumpDetails, writePage(formDumpDetails, func(d *reports.Dump) string { return d.RequestsWithDetails })},
	{formDumpWhole, writePage(formDumpWhole, func(d *reports.Dump) string { return d.Whole })},
}

// unscreened makes the writer of a form that looks the same wherever it is shown.
func unscreened(write func(io.Writer, []*reports.Result) error) func(io.Writer, []*reports.Result, screen) error {
	return func(w io.Writer, results []*reports.Result, _ screen) error { return write(w, results) }
}

// formNames lists the names of the forms.
func formNames() []string {
	names := make([]string, len(resultForms))
	for i := range resultForms {
		names[i] = resultForms[i].name
	}
	return names
}

// formsHelp says in the help of -o what there is, with forms of one verb alone.
func formsHelp(more ...string) string {
	return strings.Join(append(formNames(), more...), ", ") + "; FORM=FILE writes a file, and -o may repeat"
}

// render writes results to a target.
func render(p *Process, w io.Writer, t target, results []*reports.Result) error {
	for i := range resultForms {
		if f := &resultForms[i]; f.name == t.form {
			return f.write(w, results, screenOf(p, t))
		}
	}
	panic("a target has passed that has no form: " + t.form)
}

// screenOf tells what a target is shown on.
func screenOf(p *Process, t target) screen {
	var terminal Terminal // of a file
	if t.file == "" {
		terminal = p.StdoutTerminal
	}
	return screen{
		width: p.columns(terminal), color: terminal.Attended && p.Env("NO_COLOR") == "" && p.Env("TERM") != "dumb", moment: t.moment,
	}
}

// writeTexts writes the reports for people, one after the other.
func writeTexts(w io.Writer, results []*reports.Result, s screen) error {
	for i, r := range results {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := reports.WriteText(w, r, reports.TextOptions{Width: s.width, Color: s.color}); err != nil {
			return err
		}
	}
	return nil
}

// failures writes the expectations and tests that failed.
func failures(w io.Writer, results []*reports.Result) {
	for _, r := range results {
		for i := range r.Expectations {
			if j := &r.Expectations[i]; j.Outcome != reports.Passed {
				fmt.Fprintln(w, j)
			}
		}
		for i := range r.Tests {
			if t := &r.Tests[i]; t.Outcome != reports.Passed {
				fmt.Fprintln(w, t)
			}
		}
	}
}

// writeResults writes one result as it is, and several as a list.
func writeResults(w io.Writer, results []*reports.Result) error {
	return reports.WriteIndented(w, reports.Document(results))
}

package main

import (
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/html"
	"github.com/apfsim/apfsim/reports/study"
)

// tableForms are the forms of the table of a sweep; the first one is the default.
var tableForms = []string{formText, formMarkdown, formCSV, formJSON, formHTML}

// allHelp is the help of --all.
const allHelp = "in text and markdown, show all points, in place of the best 20"

// tableFormsHelp lists them.
func tableFormsHelp() string {
	return strings.Join(tableForms, ", ") + ",\neach as FORM or FORM=FILE; may repeat"
}

// writeTable renders a table to all targets. With all the forms for people show every point.
func writeTable(p *Process, t *study.Table, all bool, targets []target, writers []io.Writer) error {
	for i, to := range targets {
		if err := renderTable(p, writers[i], to, t, all); err != nil {
			return renderFault(to.file, err)
		}
	}
	return nil
}

// renderTable renders a table in one form.
func renderTable(p *Process, w io.Writer, to target, t *study.Table, all bool) error {
	switch to.form {
	case formText:
		return t.WriteText(w, study.TextOptions{Width: screenOf(p, to).width, All: all})
	case formMarkdown:
		return t.WriteMarkdown(w, all)
	case formCSV:
		return t.WriteCSV(w)
	case formJSON:
		return reports.WriteIndented(w, t)
	case formHTML:
		return html.WriteSweep(w, t)
	}
	panic("a target has passed that has no form: " + to.form)
}

package main

import (
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
)

// tableForms are the forms of the table of a sweep.
var tableForms = []string{formText, formCSV, formJSON}

// tableFormsHelp lists them.
func tableFormsHelp() string {
	return strings.Join(tableForms, ", ") + ",\neach as FORM or FORM=FILE; may repeat"
}

// writeTable renders a table to all targets.
func writeTable(p *Process, t *study.Table, targets []target, writers []io.Writer) error {
	for i, to := range targets {
		if err := renderTable(p, writers[i], to, t); err != nil {
			return cannotWrite(to.file, err)
		}
	}
	return nil
}

// renderTable renders a table in one form.
func renderTable(p *Process, w io.Writer, to target, t *study.Table) error {
	switch to.form {
	case formCSV:
		return t.WriteCSV(w)
	case formJSON:
		return reports.WriteIndented(w, t)
	}
	width := 0
	if to.file == "" {
		width = p.columns(p.StdoutTerminal)
	}
	return t.WriteText(w, width)
}

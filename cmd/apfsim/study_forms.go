package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/html"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/spf13/pflag"
)

// tableForms are the forms of the table of a sweep; the first one is the default.
var tableForms = []string{formText, formMarkdown, formCSV, formJSON, formHTML}

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

// elsewhere are the flags that say where a sweep runs and what is written, and nothing of what comes out.
var elsewhere = map[string]bool{"output": true, "results": true, "shard": true, "workers": true, "all": true, "emit-job": true}

// sweepCommandLine is the command that makes the same table again.
func sweepCommandLine(flags *pflag.FlagSet, args []string) string {
	words := []string{"apfsim", "sweep"}
	for _, arg := range args {
		words = append(words, shellWord(arg))
	}
	// In the order of their names, so that the same flags give the same bytes.
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Changed || elsewhere[f.Name] {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if f.Value.Type() == "bool" {
				words = append(words, fmt.Sprintf("--%s=%s", f.Name, v))
				continue
			}
			words = append(words, "--"+f.Name, shellWord(v))
		}
	})
	return strings.Join(words, " ")
}

package main

import (
	"io"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/html"
)

// compareForm is one way to write a comparison.
type compareForm struct {
	name string
	// write writes a comparison that has kept its results.
	write func(w io.Writer, c *compare.Comparison, s screen, all bool) error
}

// comparisonForms are all forms; the first one is the default.
var comparisonForms = []compareForm{
	{formText, func(w io.Writer, c *compare.Comparison, s screen, all bool) error {
		return compare.WriteText(w, c, compare.TextOptions{Width: s.width, Color: s.color, All: all})
	}},
	{formMarkdown, func(w io.Writer, c *compare.Comparison, _ screen, all bool) error {
		return compare.WriteMarkdown(w, c, all)
	}},
	{formJSON, func(w io.Writer, c *compare.Comparison, _ screen, _ bool) error { return reports.WriteIndented(w, c) }},
	{formCSV, func(w io.Writer, c *compare.Comparison, _ screen, _ bool) error { return writeCSV(w, c.Table()) }},
	{formHTML, func(w io.Writer, c *compare.Comparison, _ screen, _ bool) error {
		return html.WriteComparison(w, c, c.Results[0], c.Results[1])
	}},
}

// compareFormNames lists the names of the forms.
func compareFormNames() []string {
	names := make([]string, len(comparisonForms))
	for i := range comparisonForms {
		names[i] = comparisonForms[i].name
	}
	return names
}

// compareFormsHelp says in the help of -o what there is.
func compareFormsHelp() string {
	return strings.Join(append(compareFormNames(), proposalForms...), ", ") + "; FORM=FILE writes a file, and -o may repeat"
}

// renderComparison writes a comparison to a target.
func renderComparison(p *Process, w io.Writer, t target, c *compare.Comparison, all bool) error {
	for i := range comparisonForms {
		if f := &comparisonForms[i]; f.name == t.form {
			return f.write(w, c, screenOf(p, t), all)
		}
	}
	panic("a target has passed that has no form: " + t.form)
}

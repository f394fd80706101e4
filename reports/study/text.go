package study

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/reports"
)

// defaultWidth is the width of a text that nobody looks at right now.
const defaultWidth = 80

// WriteText writes the table for people, in so many columns; 0 is the default.
func (t *Table) WriteText(w io.Writer, width int) error {
	if width == 0 {
		width = defaultWidth
	}
	b := &strings.Builder{}
	for i := range t.Study.Scenarios {
		if i > 0 {
			b.WriteString("\n")
		}
		t.scenarioText(b, &t.Study.Scenarios[i], width)
	}
	for _, line := range t.legend(width) {
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// scenarioText writes the rows of one scenario.
func (t *Table) scenarioText(b *strings.Builder, s *Scenario, width int) {
	fmt.Fprintf(b, "%s, seed %d, %s\n\n", s.Name, s.Seed, replications(s.Replications))
	names := max(1, len(t.Study.Factors))
	heading := []string{}
	for i := range t.Study.Factors {
		heading = append(heading, shortPath(t.Study.Factors[i].Path))
	}
	for range names - len(heading) {
		heading = append(heading, "point")
	}
	for range t.Study.Columns {
		heading = append(heading, "mean", "±", "change")
	}
	tab := table.New(names, heading...)
	for i, c := range t.Study.Columns {
		tab.Group(names+3*i, names+3*i+2, c.Text)
	}
	for i := range t.Rows {
		if row := &t.Rows[i]; row.Scenario == s.Name {
			tab.Add(row.cells(names, len(t.Study.Columns))...)
		}
	}
	for _, line := range tab.Folded(width) {
		b.WriteString(line + "\n")
	}
}

// replications counts them in words.
func replications(n int) string {
	if n == 1 {
		return "1 replication"
	}
	return strconv.Itoa(n) + " replications"
}

// shortPath leaves out of the path of an object what tells the kind of it.
func shortPath(path string) string {
	path = strings.TrimPrefix(path, "priorityLevel/")
	return strings.TrimPrefix(path, "flowSchema/")
}

// cells are the row as text.
func (r *Row) cells(names, columns int) []string {
	out := make([]string, 0, names+3*columns)
	out = append(out, r.Values...)
	if r.Point == AsItIs {
		out = append(out, "as it is")
	}
	for len(out) < names {
		out = append(out, "")
	}
	for i := range columns {
		switch {
		case r.Missing:
			out = append(out, "missing", "", "")
		case r.Invalid != "":
			out = append(out, "invalid", "", "")
		default:
			out = append(out, r.Cells[i].text()...)
		}
	}
	return out
}

// text is the mean, its half-width and the change in words.
func (c *Cell) text() []string {
	if c.Mean == nil {
		return []string{"-", "", ""}
	}
	out := []string{c.Metric.Text(*c.Mean), "", c.Change()}
	if c.FewSamples {
		out[0] += "?"
	}
	if c.HalfWidth != nil {
		out[1] = c.Metric.Text(*c.HalfWidth)
	}
	return out
}

// Change is the difference from the scenario as it is, in words: "~" where it may be by chance, and
// "" where there is none.
func (c *Cell) Change() string {
	switch {
	case c.Difference == nil:
		return ""
	case *c.Difference == 0:
		return "="
	case c.DifferenceHalfWidth != nil && math.Abs(float64(*c.Difference)) <= float64(*c.DifferenceHalfWidth):
		return "~"
	}
	sign := "+"
	if *c.Difference < 0 {
		sign = "-"
	}
	before := float64(*c.Mean) - float64(*c.Difference)
	if before == 0 {
		return sign + c.Metric.Text(reports.Value(math.Abs(float64(*c.Difference))))
	}
	part := math.Abs(float64(*c.Difference) / before * 100)
	return sign + strconv.FormatFloat(part, 'f', decimals(part), 64) + "%"
}

// decimals is how many decimals a percentage has.
func decimals(percent float64) int {
	if percent < 10 {
		return 1
	}
	return 0
}

// legend explains what the table has.
func (t *Table) legend(width int) []string {
	lines := []string{""}
	add := func(text string) { lines = append(lines, table.Wrap(text, width)...) }
	add("± is half of the interval of 95 % over the replications; change is against the scenario as it is, on the same traffic, ~ where it may be chance.")
	few, invalid := false, map[string]int{}
	var reasons []string
	for i := range t.Rows {
		if why := t.Rows[i].Invalid; why != "" {
			if invalid[why]++; invalid[why] == 1 {
				reasons = append(reasons, why)
			}
		}
		for j := range t.Rows[i].Cells {
			few = few || t.Rows[i].Cells[j].FewSamples
		}
	}
	if few {
		add("? is a quantile of so few requests that it is a hint at most.")
	}
	for _, why := range reasons {
		add(fmt.Sprintf("invalid (%d): %s.", invalid[why], why))
	}
	if t.Missing > 0 {
		add(fmt.Sprintf("missing (%d): not run yet.", t.Missing))
	}
	return lines
}

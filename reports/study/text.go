package study

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/reports"
)

const (
	// defaultWidth is the width of a text that nobody looks at right now.
	defaultWidth = 80
	// shownRows is how many points a text shows of a scenario, unless it is asked for all.
	shownRows = 20
	// shownReasons is how many reasons for invalid points a text tells.
	shownReasons = 5
)

// TextOptions tell how a table is shown.
type TextOptions struct {
	// Width is the number of columns; 0 is the default.
	Width int
	// All shows every point, in place of the best.
	All bool
}

// WriteText writes the table for people.
func (t *Table) WriteText(w io.Writer, o TextOptions) error {
	width := cmp.Or(o.Width, defaultWidth)
	b := &strings.Builder{}
	for i := range t.Study.Scenarios {
		if i > 0 {
			b.WriteString("\n")
		}
		v := t.view(&t.Study.Scenarios[i], o.All)
		v.text(b, width)
	}
	b.WriteString("\n")
	for _, note := range t.notes() {
		for _, line := range table.Wrap(note, width) {
			b.WriteString(line + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// view is what is shown of one scenario: some rows, and the columns in which they differ.
type view struct {
	*Table
	scenario *Scenario
	// rows are shown, of all rows.
	rows, all []*Row
	best      *Row
	// columns are the numbers of those that differ from row to row, constant of the others.
	columns, constant []int
	// spread and changed tell that some cell has an interval, or a difference.
	spread, changed bool
	reasons         []string
}

// view makes the view of a scenario.
func (t *Table) view(s *Scenario, all bool) *view {
	v := &view{Table: t, scenario: s, all: t.Of(s.Name), best: t.Best(s.Name)}
	v.rows = v.all
	if !all && len(v.all) > shownRows+1 {
		v.rows = append([]*Row{v.all[0]}, t.Ranked(v.all[1:])[:shownRows]...)
	}
	for i := range t.Study.Columns {
		if c := &t.Study.Columns[i]; c.Scenario != "" && c.Scenario != s.Name {
			continue
		}
		if t.Everywhere(v.all, i) && len(t.Study.Columns) > 1 {
			v.constant = append(v.constant, i)
			continue
		}
		v.columns = append(v.columns, i)
	}
	for _, r := range v.all {
		for i := range r.Cells {
			v.spread = v.spread || r.Cells[i].HalfWidth != nil
			v.changed = v.changed || r.Cells[i].Difference != nil
		}
		if r.Invalid != "" && !slices.Contains(v.reasons, r.Invalid) {
			v.reasons = append(v.reasons, r.Invalid)
		}
	}
	return v
}

// title says what was run.
func (v *view) title() string {
	return fmt.Sprintf("%s, seed %d, %s", v.scenario.Name, v.scenario.Seed, replications(v.scenario.Replications))
}

// varied names the factors in full.
func (v *view) varied() string {
	var paths []string
	for i := range v.Study.Factors {
		paths = append(paths, v.Study.Factors[i].Path)
	}
	return strings.Join(paths, ", ")
}

// perColumn are the headings of the cells of one column.
func (v *view) perColumn() []string {
	out := []string{"mean"}
	if v.spread {
		out = append(out, "±")
	}
	if v.changed {
		out = append(out, "change")
	}
	return out
}

// text writes the view.
func (v *view) text(b *strings.Builder, width int) {
	b.WriteString(v.title() + "\n")
	if varied := v.varied(); varied != "" {
		for _, line := range table.Wrap("varied: "+varied, width) {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("\n")
	for _, line := range v.table().Folded(width) {
		b.WriteString(line + "\n")
	}
	remarks := v.remarks()
	if len(remarks) > 0 {
		b.WriteString("\n")
	}
	for _, remark := range remarks {
		for _, line := range table.Wrap(remark, width) {
			b.WriteString(line + "\n")
		}
	}
}

// table lays the rows out.
func (v *view) table() *table.Table {
	heading := v.Study.Headings()
	if len(heading) == 0 {
		heading = []string{"point"}
	}
	names, per := len(heading), v.perColumn()
	for range v.columns {
		heading = append(heading, per...)
	}
	out := table.New(names, heading...)
	for i, c := range v.columns {
		out.Group(names+len(per)*i, names+len(per)*(i+1)-1, v.Study.Columns[c].Text)
	}
	for _, r := range v.rows {
		cells := slices.Clone(r.Values)
		if r.Point == AsItIs {
			cells = append(cells, "as it is")
		}
		for len(cells) < names {
			cells = append(cells, "")
		}
		if r == v.best {
			cells[slices.IndexFunc(append(cells, ""), func(s string) bool { return s == "" })-1] += " *"
		}
		for i, c := range v.columns {
			cells = append(cells, v.cell(r, c, i == 0)...)
		}
		out.Add(cells...)
	}
	return out
}

// cell is a row under one column: the mean, its half-width and the change, as far as the view has
// them. The first one says why there is none.
func (v *view) cell(r *Row, column int, first bool) []string {
	out := make([]string, len(v.perColumn()))
	switch {
	case r.Runnable():
		text := r.Cells[column].text()
		out[0] = v.figure(r, column)
		if v.spread {
			out[1] = text[1]
		}
		if v.changed {
			out[len(out)-1] = text[2]
		}
	case !first:
	case r.Missing:
		out[0] = "missing"
	default:
		out[0] = "invalid"
		if len(v.reasons) > 1 {
			out[0] += " " + strconv.Itoa(slices.Index(v.reasons, r.Invalid)+1)
		}
	}
	return out
}

// figure is a mean with what is to be said of it: ? if it rests on few requests, ! if it misses what
// is expected.
func (t *Table) figure(r *Row, column int) string {
	c := &r.Cells[column]
	out := c.text()[0]
	if c.Mean != nil && len(t.Study.Columns[column].Missed(r.Scenario, c)) > 0 {
		out += "!"
	}
	return out
}

// text is the mean, its half-width and the change in words. The mean has a ? if it rests on few requests.
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

// replications counts them in words.
func replications(n int) string {
	if n == 1 {
		return "1 replication"
	}
	return strconv.Itoa(n) + " replications"
}

// factorFrom is how many times as much is told as a factor, and not in percent.
const factorFrom = 10

// Change is the difference from the scenario as it is, in words: "~" where it may be by chance, and
// "" where there is none; ×12 is twelve times as much, and ÷12 a twelfth.
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
	mean := float64(*c.Mean)
	before := mean - float64(*c.Difference)
	if before == 0 {
		return sign + c.Metric.Text(reports.Value(math.Abs(float64(*c.Difference))))
	}
	switch ratio := math.Abs(mean / before); {
	case ratio >= factorFrom:
		return "×" + times(ratio)
	case ratio > 0 && 1/ratio >= factorFrom:
		return "÷" + times(1/ratio)
	}
	part := math.Abs(float64(*c.Difference) / before * 100)
	return sign + strconv.FormatFloat(part, 'f', decimals(part), 64) + "%"
}

// times writes a factor whole.
func times(x float64) string { return reports.MetricExecuted.Text(reports.Value(math.Round(x))) }

// decimals is how many decimals a percentage has.
func decimals(percent float64) int {
	if percent < 10 {
		return 1
	}
	return 0
}

// remarks say of a scenario what the rows do not.
func (v *view) remarks() []string {
	var out []string
	if v.best != nil {
		out = append(out, "* is the best: "+v.RankedBy(v.scenario.Name)+".")
	}
	if len(v.rows) < len(v.all) {
		out = append(out, fmt.Sprintf("These are the best %d of %d points; --all shows all of them, and so do the forms csv and json.", len(v.rows)-1, len(v.all)-1))
	}
	if goals := v.goals(); goals != "" {
		out = append(out, "! misses what the scenario expects: "+goals+".")
	}
	for _, i := range v.constant {
		for _, r := range v.all {
			if r.Runnable() {
				out = append(out, "The same at all points: "+v.Study.Columns[i].Text+" "+v.figure(r, i)+".")
				break
			}
		}
	}
	return append(out, v.invalid()...)
}

// goals are those of the scenario that some row misses.
func (v *view) goals() string {
	var missed []string
	for i := range v.Study.Columns {
		for _, r := range v.all {
			if i >= len(r.Cells) {
				continue
			}
			for _, g := range v.Study.Columns[i].Missed(v.scenario.Name, &r.Cells[i]) {
				if text := v.Study.Columns[i].Text + " " + g.Text; !slices.Contains(missed, text) {
					missed = append(missed, text)
				}
			}
		}
	}
	return strings.Join(missed, ", ")
}

// invalid says why points cannot be run.
func (v *view) invalid() []string {
	var out []string
	for i, why := range v.reasons {
		if i == shownReasons {
			return append(out, fmt.Sprintf("And %d more reasons, which the forms csv and json tell.", len(v.reasons)-i))
		}
		n := 0
		for _, r := range v.all {
			if r.Invalid == why {
				n++
			}
		}
		name := "invalid"
		if len(v.reasons) > 1 {
			name += " " + strconv.Itoa(i+1)
		}
		out = append(out, fmt.Sprintf("%s (%d): %s.", name, n, strings.TrimSuffix(why, ".")))
	}
	return out
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// notes explain the signs of a table.
func (t *Table) notes() []string {
	var few, spread, changed bool
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			c := &t.Rows[i].Cells[j]
			few, spread, changed = few || c.FewSamples, spread || c.HalfWidth != nil, changed || c.Difference != nil
		}
	}
	var out []string
	if spread {
		out = append(out, "± is half of the interval of 95 % over the replications.")
	}
	switch {
	case changed && spread:
		out = append(out, "change is against the scenario as it is, on the same traffic: ~ may be chance, = is none, ×12 is twelve times as much.")
	case changed:
		out = append(out, "change is against the scenario as it is, on the same traffic, of one replication alone: nothing tells what is chance.")
	}
	if few {
		out = append(out, "? is a quantile of so few requests that it is a hint at most.")
	}
	if t.Missing > 0 {
		out = append(out, fmt.Sprintf("missing (%d): not run yet.", t.Missing))
	}
	if len(out) > 0 {
		out = []string{strings.Join(out, " ")}
	}
	return out
}

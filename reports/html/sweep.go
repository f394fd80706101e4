package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/plots"
	"github.com/apfsim/apfsim/reports/study"
)

// WriteSweep writes one page about what a sweep showed: a table of the points, curves, heat maps, and how to
// make it again. The same table gives the same bytes.
func WriteSweep(w io.Writer, t *study.Table) error {
	made := make([][]drawing, len(t.Study.Scenarios))
	for i := range t.Study.Scenarios {
		var err error
		if made[i], err = drawCharts(plots.SweepCharts(t, t.Study.Scenarios[i].Name)); err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
	}
	for _, limits := range ladder {
		text, err := renderSweep(t, made, limits)
		if err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
		if len(text) < MaxSize {
			_, err := w.Write(text)
			return err
		}
	}
	return fmt.Errorf("writing a page: the sweep does not fit into %d bytes, not even in short: sweep fewer scenarios", MaxSize)
}

// renderSweep makes the page within limits.
func renderSweep(t *study.Table, made [][]drawing, l limits) ([]byte, error) {
	d := &document{
		Title: "Sweep", Several: len(t.Study.Scenarios) > 1,
		Style: template.CSS(plots.Style() + "\n" + pageStyle), Script: template.JS(pageScript), Policy: policy(),
	}
	for i := range t.Study.Scenarios {
		a := &article{Level: 1, Name: "Sweep: " + t.Study.Scenarios[i].Name}
		if d.Several {
			a.Level, a.ID = 2, "r"+strconv.Itoa(i+1)
			a.Prefix = a.ID + "-"
		} else {
			d.Title = a.Name
		}
		b := &sweep{builder: builder{article: a, limits: l}, table: t, scenario: &t.Study.Scenarios[i]}
		b.build(made[i])
		d.Results = append(d.Results, a)
	}
	if d.Several {
		d.Title = fmt.Sprintf("Sweep of %d scenarios", len(t.Study.Scenarios))
	}
	var out bytes.Buffer
	if err := page.Execute(&out, d); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// sweep makes the article of one scenario.
type sweep struct {
	builder
	table    *study.Table
	scenario *study.Scenario
	rows     []*study.Row
	best     *study.Row
	// numbers are those of the values of each factor, nil where they are none.
	numbers [][]float64
}

// build makes the article with the charts that were drawn.
func (b *sweep) build(charts []drawing) {
	b.rows, b.best = b.table.Of(b.scenario.Name), b.table.Best(b.scenario.Name)
	for i := range b.table.Study.Factors {
		b.numbers = append(b.numbers, b.table.Study.Factors[i].Numbers())
	}
	b.article.Verdict = b.verdict()
	b.facts()
	b.draw(charts)
	b.part("summary", "What came out", b.summary)
	b.part("points", "All points", b.points)
	for _, name := range b.sections {
		b.part(strings.ReplaceAll(strings.ToLower(name), " ", "-"), name, func() {
			for _, f := range b.charts[name] {
				b.add(item{Chart: f})
			}
		})
	}
	b.part("invalid", "What cannot be run", b.invalid)
	b.part("reproduce", "How to reproduce this", b.reproduce)
}

// part adds a section, unless there is nothing in it.
func (b *sweep) part(id, title string, fill func()) {
	b.current = &section{ID: b.article.Prefix + id, Title: title, Level: b.article.Level + 1}
	fill()
	if len(b.current.Items) > 0 {
		b.article.Sections = append(b.article.Sections, b.current)
	}
}

// verdict says which point is the best.
func (b *sweep) verdict() verdict {
	switch {
	case b.best == nil:
		return verdict{"", fmt.Sprintf("%s; none is better than all others.", plural(len(b.rows)-1, "point"))}
	case b.table.Missed(b.best) > 0:
		return verdict{"warning", "No point meets all expectations; the best is " + b.table.At(b.best) + "."}
	case b.best.Point == study.AsItIs:
		return verdict{"good", "No point is better than the scenario as it is."}
	}
	return verdict{"good", "The best point: " + b.table.At(b.best) + "."}
}

// facts say what was run.
func (b *sweep) facts() {
	var varied []string
	for i := range b.table.Study.Factors {
		f := &b.table.Study.Factors[i]
		varied = append(varied, f.Path+" ("+plural(len(f.Values), "value")+")")
	}
	b.article.Facts = []fact{
		{"points", strconv.Itoa(len(b.rows) - 1)},
		{"varied", strings.Join(varied, ", ")},
		{"replications", strconv.Itoa(b.scenario.Replications)},
		{"seed", strconv.FormatUint(b.scenario.Seed, 10)},
		{"program", "apfsim " + b.table.Study.Program.String()},
	}
}

// summary holds the best point against the scenario as it is.
func (b *sweep) summary() {
	if by := b.table.RankedBy(b.scenario.Name); by != "" {
		b.say("", "The best point is the one with %s.", by)
	}
	if b.table.Missing > 0 {
		b.say("warning", "%s of the sweep have not been run yet.", plural(b.table.Missing, "row"))
	}
	if len(b.rows) == 0 || b.best == nil {
		return
	}
	heading := []string{"figure", "expected", "as it is"}
	if b.best.Point != study.AsItIs {
		heading = append(heading, b.table.At(b.best), "change")
	}
	var rows [][]string
	for i := range b.table.Study.Columns {
		row := []string{b.table.Study.Columns[i].Text, b.expected(i), b.figure(b.rows[0], i)}
		if b.best.Point != study.AsItIs {
			row = append(row, b.figure(b.best, i), b.best.Cells[i].Change())
		}
		rows = append(rows, row)
	}
	g := b.cells("The best point and the scenario as it is", heading, rows)
	g.Names = 2
	b.add(item{Table: g})
	b.say("note", "Means over the replications, ± half of the interval of 95 %%. The change is on the same traffic: ~ may be chance, = is none, ×12 is twelve times as much.")
}

// expected are the goals of a column.
func (b *sweep) expected(column int) string {
	var out []string
	for _, g := range b.table.Study.Columns[column].Goals {
		if g.Scenario == b.scenario.Name {
			out = append(out, g.Text)
		}
	}
	return strings.Join(out, ", ")
}

// figure is a mean with its interval.
func (b *sweep) figure(r *study.Row, column int) string {
	if column >= len(r.Cells) || r.Cells[column].Mean == nil {
		return "-"
	}
	c := &r.Cells[column]
	out := c.Metric.Text(*c.Mean)
	if c.HalfWidth != nil && *c.HalfWidth != 0 {
		out += " ± " + c.Metric.Text(*c.HalfWidth)
	}
	if len(b.table.Study.Columns[column].Missed(r.Scenario, c)) > 0 {
		out += " (missed)"
	}
	return out
}

// points is the table of all points, the best first where there are too many of them.
func (b *sweep) points() {
	rows := b.rows
	left := ""
	if len(rows) > b.limits.rows {
		rows = append([]*study.Row{rows[0]}, b.table.Ranked(rows[1:])[:b.limits.rows-1]...)
		left = fmt.Sprintf("The best %d of %d points. The forms csv and json have all of them.", len(rows)-1, len(b.rows)-1)
	}
	g := &grid{Title: "All points", Quiet: true, Sortable: true, Names: len(b.table.Study.Factors) + 1, Left: left}
	g.Heading = append([]string{"point"}, b.table.Study.Headings()...)
	for i := range b.table.Study.Columns {
		g.Heading = append(g.Heading, b.table.Study.Columns[i].Text, "±", "change")
		if i == 0 {
			g.Spans = []span{{g.Names, ""}}
		}
		g.Spans = append(g.Spans, span{3, b.table.Study.Columns[i].Text})
		g.Heading[len(g.Heading)-3] = "mean"
	}
	for _, r := range rows {
		g.Rows = append(g.Rows, b.pointRow(r))
	}
	b.say("note", "A click on a heading sorts by that column.")
	b.current.Items[len(b.current.Items)-1].Paragraph.Scripted = true
	b.add(item{Table: g})
}

// pointRow is one row, with what it is sorted by.
func (b *sweep) pointRow(r *study.Row) []cell {
	first := cell{Text: strconv.Itoa(r.Point + 1), Key: strconv.Itoa(r.Point + 1)}
	switch {
	case r.Point == study.AsItIs:
		first.Text = "as it is"
	case r.Same:
		first.Text += " as it is"
	}
	if r == b.best {
		first.Text += " (best)"
	}
	out := []cell{first}
	for i := range b.table.Study.Factors {
		if i < len(r.Values) {
			out = append(out, cell{Text: b.clip(r.Values[i]), Key: b.valueKey(i, b.table.Study.Points[r.Point][i])})
			continue
		}
		out = append(out, cell{})
	}
	for i := range b.table.Study.Columns {
		out = append(out, b.pointCells(r, i)...)
	}
	return out
}

// valueKey is what a value of a factor is sorted by: its number, or its place in the list.
func (b *sweep) valueKey(factor, value int) string {
	if b.numbers[factor] == nil {
		return strconv.Itoa(value)
	}
	return key(reports.Value(b.numbers[factor][value]))
}

// pointCells are a mean, its half-width and its change.
func (b *sweep) pointCells(r *study.Row, column int) []cell {
	if !r.Runnable() {
		text := "cannot be run"
		if r.Missing {
			text = "missing"
		}
		if column > 0 {
			text = ""
		}
		return []cell{{Text: text}, {}, {}}
	}
	c := &r.Cells[column]
	if c.Mean == nil {
		return []cell{{Text: "-"}, {}, {}}
	}
	mean := cell{Text: c.Metric.Text(*c.Mean), Key: key(*c.Mean)}
	if c.FewSamples {
		mean.Text += "?"
	}
	if len(b.table.Study.Columns[column].Missed(r.Scenario, c)) > 0 {
		mean.Text, mean.Missed = mean.Text+"!", true
	}
	half, change := cell{}, cell{Text: c.Change()}
	if c.HalfWidth != nil {
		half = cell{Text: c.Metric.Text(*c.HalfWidth), Key: key(*c.HalfWidth)}
	}
	if c.Difference != nil {
		change.Key = key(*c.Difference)
	}
	return []cell{mean, half, change}
}

// key is what a figure is sorted by, as the script reads it.
func key(v reports.Value) string {
	if math.IsInf(float64(v), 1) {
		return "1e999"
	}
	return strconv.FormatFloat(float64(v), 'g', -1, 64)
}

// mostInvalid is how many points are named for one reason.
const mostInvalid = 6

// invalid says of the points that cannot be run why.
func (b *sweep) invalid() {
	var reasons []string
	points := map[string][]string{}
	for _, r := range b.rows {
		if r.Invalid == "" {
			continue
		}
		if !slices.Contains(reasons, r.Invalid) {
			reasons = append(reasons, r.Invalid)
		}
		points[r.Invalid] = append(points[r.Invalid], b.table.At(r))
	}
	var rows [][]string
	for _, why := range reasons {
		at := points[why]
		if n := len(at) - mostInvalid; n > 0 {
			at = append(at[:mostInvalid:mostInvalid], fmt.Sprintf("and %d more", n))
		}
		rows = append(rows, []string{strings.Join(at, "; "), why})
	}
	if len(rows) > 0 {
		g := b.cells("Points whose settings do not go together", []string{"points", "why"}, rows)
		g.Names = 2
		b.add(item{Table: g})
	}
}

// reproduce says what makes the table again.
func (b *sweep) reproduce() {
	if b.table.Study.Command != "" {
		b.add(item{Code: &code{Title: "The same sweep, to the last byte", Copy: true, Text: b.table.Study.Command}})
	}
	b.add(item{Facts: []fact{
		{"scenario", b.scenario.Name},
		{"digest of its files", b.scenario.Digest},
		{"seed", strconv.FormatUint(b.scenario.Seed, 10)},
		{"program", "apfsim " + b.table.Study.Program.String()},
	}})
	b.say("note", "All points meet the same traffic: what differs between two of them is what was varied, and what follows from it.")
}

package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/plots"
)

// WriteComparison writes one page about a comparison of two results, with both in each chart.
// The same comparison gives the same bytes.
func WriteComparison(w io.Writer, c *compare.Comparison, a, b *reports.Result) error {
	charts, err := drawCharts(plots.Compared(a, b, "A", "B"))
	if err != nil {
		return fmt.Errorf("writing a page: %w", err)
	}
	var text []byte
	for _, limits := range ladder {
		if text, err = renderComparison(c, charts, limits); err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
		if len(text) < MaxSize {
			_, err := w.Write(text)
			return err
		}
	}
	return fmt.Errorf("writing a page: the comparison does not fit into %d bytes, not even in short", MaxSize)
}

// renderComparison makes the page within limits.
func renderComparison(c *compare.Comparison, charts []drawing, l limits) ([]byte, error) {
	a := &article{Level: 1, Name: comparedName(c), Verdict: comparedVerdict(c), Facts: comparedFacts(c)}
	b := &comparison{builder{article: a, limits: l}, c}
	b.draw(charts)
	b.part("conditions", "Conditions", b.conditions)
	b.part("differs", "What differs", b.differs)
	b.part("configuration", "What is configured otherwise", b.configuration)
	for _, name := range b.sections {
		b.part("charts-"+strings.ReplaceAll(strings.ToLower(name), " ", "-"), name, func() {
			for _, f := range b.charts[name] {
				b.add(item{Chart: f})
			}
		})
	}
	b.part("all", "All figures", b.all)
	b.part("reproduce", "How to reproduce this", b.reproduce)
	d := &document{
		Title: a.Name, Results: []*article{a},
		Style: template.CSS(plots.Style() + "\n" + pageStyle), Script: template.JS(pageScript), Policy: policy(),
	}
	var out bytes.Buffer
	if err := page.Execute(&out, d); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// comparison makes the article of a comparison.
type comparison struct {
	builder
	*compare.Comparison
}

// part adds a section, unless there is nothing in it.
func (b *comparison) part(id, title string, fill func()) {
	b.current = &section{ID: id, Title: title, Level: b.article.Level + 1}
	fill()
	if len(b.current.Items) > 0 {
		b.article.Sections = append(b.article.Sections, b.current)
	}
}

func comparedName(c *compare.Comparison) string {
	if c.A.Scenario == c.B.Scenario {
		return "Comparison: " + c.A.Scenario
	}
	return "Comparison: " + c.A.Scenario + " and " + c.B.Scenario
}

// comparedVerdict says how the conditions went, or what there is to see.
func comparedVerdict(c *compare.Comparison) verdict {
	failed := 0
	for i := range c.Conditions {
		if !c.Conditions[i].Passed() {
			failed++
		}
	}
	switch {
	case failed > 0:
		return verdict{"bad", fmt.Sprintf("%d of %d conditions failed. %s", failed, len(c.Conditions), c.Summary())}
	case c.Counts.Worse > 0 && len(c.Conditions) == 0:
		return verdict{"warning", c.Summary()}
	case len(c.Conditions) > 0:
		return verdict{"good", "All conditions passed. " + c.Summary()}
	}
	return verdict{"good", c.Summary()}
}

// comparedFacts say what the two sides are.
func comparedFacts(c *compare.Comparison) []fact {
	side := func(s *compare.Side) string {
		return fmt.Sprintf("%s (Kubernetes %s, %d seats, %d replications, %d of %d expectations passed)", s.Name, s.KubernetesVersion, s.Seats, s.Replications, s.Passed, s.Expected)
	}
	return []fact{{"A", side(&c.A)}, {"B", side(&c.B)}, {"seed", strconv.FormatUint(c.A.Seed, 10)}}
}

// conditions lists what became of each condition.
func (b *comparison) conditions() {
	var list []outcome
	for i := range b.Conditions {
		j := &b.Conditions[i]
		o := outcome{Tone: "good", Outcome: string(j.Outcome), Text: strings.TrimPrefix(j.String(), string(j.Outcome)+": ")}
		if !j.Passed() {
			o.Tone = "bad"
		}
		list = append(list, o)
	}
	if len(list) > 0 {
		b.add(item{Outcomes: list})
	}
}

// differs has the headlines that differ, and those that may.
func (b *comparison) differs() {
	b.say("", "%s", b.MethodText())
	for _, n := range b.Notes {
		b.say("note", "Note: %s.", n)
	}
	for _, s := range b.Sections(false) {
		b.table(s.Title, s, false)
	}
	for _, s := range b.MayBeChance() {
		b.table(s.Title+": may be chance", s, false)
	}
}

// table adds a table of figures.
func (b *comparison) table(title string, s compare.Section, folded bool) {
	g := b.cells(title, s.Heading, s.Rows)
	g.Names, g.Folded = 2, folded
	b.add(item{Table: g})
}

// configuration lists what is configured otherwise, and which requests go elsewhere.
func (b *comparison) configuration() {
	var rows [][]string
	for _, s := range b.Configuration {
		rows = append(rows, []string{s.Path, s.A, s.B})
	}
	if len(rows) > 0 {
		g := b.cells("Settings", []string{"setting", "A", "B"}, rows)
		g.Names = 3
		b.add(item{Table: g})
	}
	rows = nil
	for _, m := range b.Moved {
		rows = append(rows, []string{m.Client, m.FlowSchema, m.PriorityLevel, strconv.FormatFloat(float64(m.A), 'f', -1, 64), strconv.FormatFloat(float64(m.B), 'f', -1, 64)})
	}
	if len(rows) > 0 {
		g := b.cells("Requests that go elsewhere, per replication", []string{"client", "flow schema", "level", "A", "B"}, rows)
		g.Names = 3
		b.add(item{Table: g})
	}
}

// all has every figure, folded.
func (b *comparison) all() {
	for _, s := range b.Sections(true) {
		b.table(s.Title, s, true)
	}
}

// reproduce says what makes the results again.
func (b *comparison) reproduce() {
	for _, s := range []struct{ name, command string }{{"A", b.A.Command}, {"B", b.B.Command}} {
		if s.command != "" {
			b.add(item{Code: &code{Title: "The result " + s.name, Copy: true, Text: s.command}})
		}
	}
}

package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// tests lists the tests of the configuration, what failed first.
func (b *builder) tests() {
	list := b.result.Tests
	if len(list) == 0 {
		return
	}
	b.heading("Tests of the configuration")
	order := make([]*reports.Tested, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortStableFunc(order, func(x, y *reports.Tested) int { return rank(x.Outcome) - rank(y.Outcome) })
	var out []outcome
	for _, t := range order[:min(len(order), b.limits.rows)] {
		line, column := t.At()
		o := outcome{
			Tone: good, Outcome: string(t.Outcome), Text: b.clip(strings.TrimPrefix(t.Verdict, string(t.Outcome)+": ")),
			Place: fmt.Sprintf("%s:%d:%d", t.File, line, column),
		}
		if t.Outcome != reports.Passed {
			o.Tone = bad
		}
		out = append(out, o)
	}
	b.outcomes(out, len(order), "test")
}

// coverage tells which rules and levels anything came to, those first that nothing did.
func (b *builder) coverage() {
	c := b.result.Coverage
	if c == nil {
		return
	}
	matched, of, written := c.Share()
	whose := "of the release"
	if written {
		whose = "that somebody wrote"
	}
	b.say("", "%d of %s %s matched.", matched, plural(of, "rule")+" "+whose, were(of))
	var rows, builtin [][]string
	for i := range c.Rules {
		r := &c.Rules[i]
		row := []string{r.FlowSchema, r.Rule, r.At, strconv.FormatInt(r.Requests, 10), strconv.FormatInt(r.Tests, 10), yes(r.Matched())}
		if r.At == "" {
			row[2], builtin = "built in", append(builtin, row)
			continue
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(x, y []string) int { return strings.Compare(x[5], y[5]) }) // "NO" is before "yes"
	for _, part := range []struct {
		title string
		rows  [][]string
	}{{"Rules that somebody wrote", rows}, {"Rules of the release", builtin}} {
		if len(part.rows) > 0 {
			g := b.cells(part.title, []string{"flow schema", "rule", "at", "kinds of requests", "tests", "matched"}, part.rows)
			g.Names, g.Folded = 3, written && part.title != "Rules that somebody wrote"
			b.add(item{Table: g})
		}
	}
	b.coveredLevels(c)
}

func (b *builder) coveredLevels(c *reports.Coverage) {
	var rows [][]string
	for i := range c.PriorityLevels {
		l := &c.PriorityLevels[i]
		rows = append(rows, []string{l.Name, strconv.FormatInt(l.Arrivals, 10), strconv.FormatInt(l.Tests, 10), l.Words()})
	}
	if len(rows) > 0 {
		b.add(item{Table: b.cells("Levels", []string{"level", "requests", "tests", "saturated"}, rows)})
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "NO"
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// fairness tells how evenly each level served its flows.
func (b *builder) fairness() {
	var rows [][]string
	for i := range b.result.PriorityLevels {
		l := &b.result.PriorityLevels[i]
		if f := l.Fairness; f != nil && f.Flows > 0 {
			rows = append(rows, []string{l.Name, strconv.Itoa(f.Flows), index(float64(f.Jain)), index(1 / float64(f.Flows))})
		}
	}
	if len(rows) == 0 {
		return
	}
	b.heading("How evenly flows were served")
	b.say("note", "Jain's fairness index of what each flow got of the seats that it was due: 1 is even, and the least possible is that of one flow that gets everything.")
	g := b.cells("Fairness of levels with two flows or more", []string{"level", "flows", "fairness index", "least possible"}, rows)
	g.Quiet = len(rows) <= unfolded
	b.add(item{Table: g})
}

// index writes a fairness index, of which not more than three decimals tell anything.
func index(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

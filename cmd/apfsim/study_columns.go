package main

import (
	"slices"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/study"
)

// columnsOf finds the columns of a table: those that the user names, or what the scenarios
// expect, or else how long was waited and how much rejected.
func columnsOf(sources []*studied, texts []string) ([]wantedColumn, error) {
	var out []wantedColumn
	add := func(c wantedColumn) {
		if !slices.ContainsFunc(out, func(o wantedColumn) bool { return o.text == c.text }) {
			out = append(out, c)
		}
	}
	for _, text := range texts {
		c, err := namedColumn(sources, text)
		if err != nil {
			return nil, err
		}
		add(c)
	}
	if len(texts) > 0 {
		return out, nil
	}
	for _, s := range sources {
		for i := range s.base.Expect {
			e := expectation(&s.base.Expect[i])
			goals := boundsOf(s.id.Name, &e)
			e.Equals, e.Below, e.Above, e.AllowNoData, e.Confident = nil, nil, nil, false, false
			c := wantedColumn{text: e.Subject()}
			for range sources {
				c.of = append(c.of, e)
			}
			add(c)
			known := slices.IndexFunc(out, func(o wantedColumn) bool { return o.text == c.text })
			out[known].goals = append(out[known].goals, goals...)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	for _, text := range []string{"wait{p99}", "rejected"} {
		c, err := namedColumn(sources, text)
		if err != nil {
			return nil, err
		}
		add(c)
	}
	return out, nil
}

// boundsOf are the bounds of an expectation, as a table has them.
func boundsOf(scenario string, e *reports.Expectation) []study.Goal {
	var out []study.Goal
	for _, g := range compare.GoalOf(e) {
		out = append(out, study.Goal{Scenario: scenario, Op: g.Op, Value: reports.Value(g.Value), Text: g.Bound(), AllowNoData: e.AllowNoData})
	}
	return out
}

// namedColumn reads a column. Each scenario has it, with its own names.
func namedColumn(sources []*studied, text string) (wantedColumn, error) {
	c := wantedColumn{text: text}
	for _, s := range sources {
		m, err := compare.ParseMeasure(text)
		if err == nil {
			err = m.Resolve((&comparedSide{scenario: s.base}).names())
		}
		if err != nil {
			return c, markedFault("--column", err)
		}
		c.of = append(c.of, reports.Expectation(m.Of))
	}
	return c, nil
}

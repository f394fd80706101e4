package study

import (
	"slices"
)

// Table is the growth as the table of a sweep over factors and configurations, which charts are made of.
func (g *Growth) Table() *Table {
	s := &Study{
		APIVersion: APIVersion, Kind: StudyKind,
		Scenarios: []Scenario{{Name: g.Scenario, Seed: g.Seed, Replications: g.Replications}},
		Factors:   []Factor{{Path: "growth"}, {Path: "configuration"}},
	}
	for _, goal := range g.Goals {
		s.Columns = append(s.Columns, Column{Text: goal})
	}
	t := &Table{Study: s}
	for c := range g.Curves {
		curve := &g.Curves[c]
		s.Factors[1].Values = append(s.Factors[1].Values, curve.Name)
		for i := range curve.Steps {
			step := &curve.Steps[i]
			factor := formatFactor(step.Factor)
			at := slices.Index(s.Factors[0].Values, factor)
			if at < 0 {
				at = len(s.Factors[0].Values)
				s.Factors[0].Values = append(s.Factors[0].Values, factor)
			}
			t.Rows = append(t.Rows, Row{Scenario: g.Scenario, Point: len(s.Points),
				Values: []string{factor, curve.Name}, Invalid: step.Invalid, Cells: step.Cells})
			s.Points = append(s.Points, []int{at, c})
		}
	}
	return t
}

package study

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Differs says what of another study is something else, "" for nothing.
func (s *Study) Differs(o *Study) string {
	switch {
	case o.APIVersion != s.APIVersion || o.Kind != s.Kind:
		return fmt.Sprintf("it is a %s of %s", o.Kind, o.APIVersion)
	case o.Program != s.Program:
		return fmt.Sprintf("it is of apfsim %s, and not %s", o.Program, s.Program)
	case len(o.Scenarios) != len(s.Scenarios):
		return fmt.Sprintf("it has %d scenarios, and not %d", len(o.Scenarios), len(s.Scenarios))
	}
	for i := range s.Scenarios {
		if what := s.Scenarios[i].differs(&o.Scenarios[i]); what != "" {
			return what
		}
	}
	if what := factorsDiffer(s.Factors, o.Factors); what != "" {
		return what
	}
	switch {
	case !reflect.DeepEqual(s.Points, o.Points):
		return fmt.Sprintf("its %d points are other combinations than these %d", len(o.Points), len(s.Points))
	case !reflect.DeepEqual(s.Columns, o.Columns):
		return fmt.Sprintf("its columns are %s, and not %s", columnTexts(o.Columns), columnTexts(s.Columns))
	case !reflect.DeepEqual(s.Search, o.Search):
		return "it searches for something else"
	}
	return ""
}

// factorsDiffer says what of other factors is something else.
func factorsDiffer(mine, its []Factor) string {
	if len(mine) != len(its) {
		return fmt.Sprintf("it varies %d paths, and not %d", len(its), len(mine))
	}
	for i := range mine {
		switch {
		case mine[i].Path != its[i].Path:
			return fmt.Sprintf("it varies %s, and not %s", its[i].Path, mine[i].Path)
		case !slices.Equal(mine[i].Values, its[i].Values):
			return fmt.Sprintf("its values of %s are %s, and not %s", mine[i].Path, listed(its[i].Values), listed(mine[i].Values))
		}
	}
	return ""
}

// columnTexts lists columns.
func columnTexts(columns []Column) string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Text)
	}
	return listed(out)
}

// listedMost is how many of many texts are listed.
const listedMost = 8

// listed lists texts, the first ones of many.
func listed(texts []string) string {
	if len(texts) > listedMost {
		return strings.Join(texts[:listedMost], ",") + ",..."
	}
	return strings.Join(texts, ",")
}

// differs says what of another scenario is something else.
func (s *Scenario) differs(o *Scenario) string {
	switch {
	case o.Name != s.Name:
		return fmt.Sprintf("its scenario is %s, and not %s", o.Name, s.Name)
	case o.Digest != s.Digest:
		return fmt.Sprintf("the scenario %s, its manifests or its traces are others", s.Name)
	case o.Seed != s.Seed:
		return fmt.Sprintf("the seed of %s is %d, and not %d", s.Name, o.Seed, s.Seed)
	case o.Replications != s.Replications:
		return fmt.Sprintf("%s has %d replications, and not %d", s.Name, o.Replications, s.Replications)
	}
	return ""
}

// String is the version with the revision.
func (p Program) String() string {
	if p.Revision == "" {
		return p.Version
	}
	return p.Version + " (" + p.Revision + ")"
}

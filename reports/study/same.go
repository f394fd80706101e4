package study

import (
	"fmt"
	"reflect"
)

// Differs says what of another study is something else, "" for nothing.
func (s *Study) Differs(o *Study) string {
	switch {
	case o.APIVersion != s.APIVersion || o.Kind != s.Kind:
		return fmt.Sprintf("it is a %s of %s", o.Kind, o.APIVersion)
	case o.Program != s.Program:
		return fmt.Sprintf("apfsim %s made it, and this is %s", o.Program, s.Program)
	case len(o.Scenarios) != len(s.Scenarios):
		return fmt.Sprintf("it has %d scenarios, and not %d", len(o.Scenarios), len(s.Scenarios))
	}
	for i := range s.Scenarios {
		if what := s.Scenarios[i].differs(&o.Scenarios[i]); what != "" {
			return what
		}
	}
	for _, part := range []struct {
		name      string
		mine, its any
	}{
		{"factors", s.Factors, o.Factors}, {"points", s.Points, o.Points},
		{"columns", s.Columns, o.Columns}, {"search", s.Search, o.Search},
	} {
		if !reflect.DeepEqual(part.mine, part.its) {
			return fmt.Sprintf("its %s are others", part.name)
		}
	}
	return ""
}

// differs says what of another scenario is something else.
func (s *Scenario) differs(o *Scenario) string {
	switch {
	case o.Name != s.Name:
		return fmt.Sprintf("its scenario is %s, and not %s", o.Name, s.Name)
	case o.Digest != s.Digest:
		return fmt.Sprintf("the scenario %s, its manifests or its traces have changed since", s.Name)
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

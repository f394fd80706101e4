package study

import (
	"errors"
	"fmt"
)

// Place is one row of a sweep: a scenario and a point, both as numbers.
type Place struct{ Scenario, Point int }

// Places are all of them, in the order in which they are run and dealt to shards: point by point, so
// that what is there early is of all scenarios.
func (s *Study) Places() []Place {
	out := make([]Place, 0, len(s.Scenarios)*(len(s.Points)+1))
	for point := AsItIs; point < len(s.Points); point++ {
		for i := range s.Scenarios {
			out = append(out, Place{i, point})
		}
	}
	return out
}

// Bare is the run of a place, but for what was asked. No two places with different settings have the same one.
func (s *Study) Bare(at Place) Run {
	of := &s.Scenarios[at.Scenario]
	run := Run{Scenario: of.Name, Digest: of.Digest, Seed: of.Seed, Replications: of.Replications, Settings: []Setting{}}
	for i, value := range s.Values(at.Point) {
		run.Settings = append(run.Settings, Setting{Path: s.Factors[i].Path, Value: value})
	}
	return run
}

// Bare is the run but for what was asked.
func (r *Run) Bare() Run {
	bare := *r
	bare.Asked = nil
	return bare
}

// Sweep tells whether the points are said beforehand, and are not what a search chooses.
func (s *Study) Sweep() bool { return len(s.Points) > 0 }

// Sound finds what a study that was read from a file may not have.
func (s *Study) Sound() error {
	switch {
	case s.APIVersion != APIVersion || s.Kind != StudyKind:
		return fmt.Errorf("it is a %q of %q, and a %s of %s is needed", s.Kind, s.APIVersion, StudyKind, APIVersion)
	case len(s.Scenarios) == 0:
		return errors.New("it has no scenario")
	}
	for i, point := range s.Points {
		if len(point) != len(s.Factors) {
			return fmt.Errorf("its point %d has %d values, and there are %d factors", i, len(point), len(s.Factors))
		}
		for f, v := range point {
			if v < 0 || v >= len(s.Factors[f].Values) {
				return fmt.Errorf("its point %d has the value number %d of %s, which has %d", i, v, s.Factors[f].Path, len(s.Factors[f].Values))
			}
		}
	}
	return nil
}

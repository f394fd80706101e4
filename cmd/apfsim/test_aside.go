package main

import (
	"fmt"
	"io"

	"github.com/apfsim/apfsim/internal/actions"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/ci"
	"github.com/apfsim/apfsim/scenarios"
)

// aside is what `apfsim test` tells CI systems that is in no result, and so in no saved one:
// scenarios that were not run, and how much of the configuration is covered by all of them.
type aside struct {
	suites      []ci.Suite
	annotations []actions.Annotation
}

// render writes results to a target, with what is beside them where the form can tell it.
func (o *runOutput) render(w io.Writer, t target, results []*reports.Result) error {
	switch {
	case t.form == formJUnit && len(o.aside.suites) > 0:
		return ci.WriteJUnit(w, append(ci.Suites(results), o.aside.suites...))
	case t.form == formGitHub && len(o.aside.annotations) > 0:
		return ci.WriteGitHub(w, results, o.aside.annotations...)
	}
	return render(o.process, w, t, results)
}

// Why a scenario is not run.
const (
	notAfterFailure = "not run: --fail-fast, and a file before this one failed"
	notInterrupted  = "not run: interrupted"
)

// skip notes that a scenario is not run, with the tests that would have been.
func (a *aside) skip(s *scenarios.Scenario, traffic bool, tests []scenarios.Test, why string) {
	var demands []ci.Case
	if traffic {
		for i, e := range expectationsOf(s) {
			demands = append(demands, ci.Case{Name: e.String(), File: s.Expect[i].File, Line: s.Expect[i].Line})
		}
	}
	for i := range tests {
		for _, v := range tests[i].Releases {
			demands = append(demands, ci.Case{Name: ci.TestName(tests[i].Name, v.String()), File: tests[i].Place.File, Line: tests[i].Place.Line})
		}
	}
	a.suites = append(a.suites, ci.NotRun(s.Name, s.File, why, traffic, demands))
	a.annotations = append(a.annotations, actions.Annotation{Level: actions.LevelNotice, Title: "apfsim: " + s.Name, Message: why})
}

// cover notes whether as much is covered as is demanded.
func (a *aside) cover(least, text string, enough bool) {
	test := ci.Case{Name: fmt.Sprintf("coverage of %s or more", least), Output: text}
	if !enough {
		test.Failure = &ci.Problem{Kind: "coverage", Message: text}
		a.annotations = append(a.annotations, actions.Annotation{Level: actions.LevelError, Title: "apfsim: coverage", Message: text})
	}
	a.suites = append(a.suites, ci.Suite{Name: "coverage", Cases: []ci.Case{test}})
}

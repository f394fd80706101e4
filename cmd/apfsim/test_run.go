package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/explain"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// tester runs the scenarios of `apfsim test` one after the other.
type tester struct {
	*testFlags
	process *Process
	runner  *runner
	// out are the texts, which grow with each scenario.
	out []io.Writer
	// others is how many files hold no scenario.
	others  int
	results []*reports.Result
	// covered tells that enough is covered, or that nobody asks.
	covered bool
	aside   *aside
}

// testTexts returns the writers of the forms that are text, which this verb has of its own.
func testTexts(o *runOutput) []io.Writer {
	var out []io.Writer
	for i, t := range o.targets {
		if t.form == formText {
			out = append(out, o.writers[i])
		}
	}
	o.textDone = true
	return out
}

// printf writes to all texts.
func (t *tester) printf(format string, args ...any) error {
	for _, w := range t.out {
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return err
		}
	}
	return nil
}

// all runs the scenarios until one fails, if that is to be the end.
func (t *tester) all(loaded []*scenarios.Scenario) error {
	t.process.stopper.onStop(t.runner.stop)
	over := "" // why no more are run
	for _, s := range loaded {
		traffic, tests := t.selects(s)
		if !traffic && len(tests) == 0 {
			continue
		}
		if t.runner.interrupted.Load() {
			over = notInterrupted
		}
		if over != "" {
			t.aside.skip(s, traffic, tests, over)
			continue
		}
		r, err := t.one(s, traffic, tests)
		if err != nil {
			return err
		}
		if r == nil {
			t.aside.skip(s, traffic, tests, notInterrupted)
			continue
		}
		t.results = append(t.results, r)
		if err := t.show(s, r); err != nil {
			return err
		}
		if t.failFast && !r.Passed() {
			over = notAfterFailure
		}
	}
	if len(t.results) == 0 && !t.runner.interrupted.Load() {
		return inputf("it is matched against SCENARIO and SCENARIO/TEST; -v lists the scenarios", "--run %s matches nothing", t.pattern)
	}
	return nil
}

// one runs one scenario, with or without its traffic, and some of its tests; nil if it was stopped
// before it began.
func (t *tester) one(s *scenarios.Scenario, traffic bool, tests []scenarios.Test) (*reports.Result, error) {
	if t.confident {
		for i := range s.Expect {
			s.Expect[i].Confident = true
		}
	}
	c := &configurations{scenario: s, known: map[release.Version]*explain.Explainer{}}
	tested, matched, err := c.tests(tests)
	if err != nil {
		return nil, err
	}
	if !traffic {
		r := reports.NewTestsResult(reports.Info{Scenario: s.Name, KubernetesVersion: s.KubernetesVersion}, tested)
		r.Source = sourceOf(s, t.runner.overrides)
		testAgain(r)
		return r, t.cover(r, s, matched)
	}
	r, err := t.runner.one(s)
	if r != nil {
		r.Tests = tested
		if len(tested) > 0 {
			testAgain(r)
		}
		err = t.cover(r, s, matched)
	}
	return r, err
}

// testAgain lets a result say that apfsim test makes it again: run makes no tests.
func testAgain(r *reports.Result) {
	r.Source.Command = strings.Replace(r.Source.Command, "apfsim run", "apfsim test", 1)
}

// show prints how a scenario did.
func (t *tester) show(s *scenarios.Scenario, r *reports.Result) error {
	word := "PASS"
	if !r.Passed() {
		word = "FAIL"
	}
	if r.Partial {
		word = "STOP"
	}
	if err := t.printf("%s  %s: %s\n", word, display(s), r.Tally()); err != nil {
		return err
	}
	for i := range r.Tests {
		if test := &r.Tests[i]; t.verbose || test.Outcome != reports.Passed {
			if err := t.printf("      %s\n", test); err != nil {
				return err
			}
		}
	}
	for i := range r.Expectations {
		if j := &r.Expectations[i]; t.verbose || j.Outcome != reports.Passed || j.Warning != "" {
			if err := t.printf("      %s\n", j); err != nil {
				return err
			}
		}
	}
	return nil
}

// summary says how all of them did.
func (t *tester) summary(files int) error {
	coverage, err := t.coverageOf()
	if err != nil {
		return err
	}
	if coverage != "" {
		if err := t.printf("\n%s\n", coverage); err != nil {
			return err
		}
	}
	bad := 0
	for _, r := range t.results {
		if !r.Passed() {
			bad++
		}
	}
	expectations, failed, tests, missed := sum(t.results)
	text := fmt.Sprintf("PASS: %s, %s, %s", quantity(len(t.results), "scenario"), quantity(expectations, "expectation"), quantity(tests, "test"))
	if bad > 0 {
		text = fmt.Sprintf("FAIL: %s, %s, %s", failedOf(bad, len(t.results), "scenario"), failedOf(failed, expectations, "expectation"), failedOf(missed, tests, "test"))
	}
	if n := files - len(t.results); n > 0 {
		text += fmt.Sprintf("; %s not run", quantity(n, "scenario"))
	}
	if t.others > 0 {
		text += fmt.Sprintf("; %s without a scenario", quantity(t.others, "file"))
	}
	return t.printf("%s\n", text)
}

// configurations are those that the tests of a scenario are held against, by release.
type configurations struct {
	scenario *scenarios.Scenario
	known    map[release.Version]*explain.Explainer
}

// tests runs tests, and returns the rules that their requests have matched.
func (c *configurations) tests(tests []scenarios.Test) (out []reports.Tested, matched []*explain.Explanation, err error) {
	for i := range tests {
		test := &tests[i]
		for _, v := range test.Releases {
			e, err := c.of(v)
			if err != nil {
				return nil, nil, err
			}
			x, checks := e.Test(test)
			out, matched = append(out, tested(test, v, x, checks)), append(matched, x)
		}
	}
	return out, matched, nil
}

// of returns the configuration under a release.
func (c *configurations) of(v release.Version) (*explain.Explainer, error) {
	if e := c.known[v]; e != nil {
		return e, nil
	}
	loaded, faults := c.scenario.Configuration(v)
	if loaded == nil {
		return nil, badInput{faults}
	}
	e, err := explain.New(loaded, serverOf(loaded))
	if err != nil {
		return nil, inputf("", "%s: with Kubernetes %s: %v", c.scenario.File, v, err)
	}
	c.known[v] = e
	return e, nil
}

// serverOf is the server of a scenario with its configuration.
func serverOf(c *scenarios.Configuration) scheduler.Config {
	cfg := c.Compile()
	s := c.Server
	cfg.Release, cfg.Seats, cfg.RequestTimeout = c.Release, s.MaxRequestsInflight+s.MaxMutatingRequestsInflight, s.RequestTimeout
	cfg.ConsistentReadsFromCache, cfg.Objects, cfg.Watches = s.ConsistentReadsFromCache, s.Objects, s.Watches
	return cfg
}

// tested renders what became of a test.
func tested(t *scenarios.Test, v release.Version, x *explain.Explanation, checks []explain.Check) reports.Tested {
	out := reports.Tested{
		Name: t.Name, KubernetesVersion: v.String(), Request: x.Request.Sentence(), Cause: x.Cause(),
		File: t.Place.File, Line: t.Place.Line, Column: t.Place.Column,
	}
	for _, c := range slices.Clone(checks) {
		out.Checks = append(out.Checks, reports.Checked{
			Field: c.Field, Want: c.Want, Got: c.Got, Hint: c.Hint,
			File: c.Place.File, Line: c.Place.Line, Column: c.Place.Column,
		})
	}
	out.Judge()
	return out
}

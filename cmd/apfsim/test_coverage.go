package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/explain"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/sim"
	"github.com/spf13/pflag"
)

// coverageFlags are the flags of coverage.
type coverageFlags struct {
	wanted bool
	least  string
	// percent is what least says, NaN if it was not given.
	percent float64
}

func (f *coverageFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.wanted, "coverage", false, "tell which rules of FlowSchemas and which levels nothing has used")
	flags.StringVar(&f.least, "coverage-min", "", "fail if less than this `percentage` of the rules is matched, as in 80%")
}

// check reads the percentage.
func (f *coverageFlags) check(given func(string) bool) error {
	f.percent = math.NaN()
	if !given("coverage-min") {
		return nil
	}
	x, err := strconv.ParseFloat(strings.TrimSuffix(f.least, "%"), 64)
	if err != nil || !(x >= 0 && x <= 100) {
		return usagef("as in --coverage-min 80%", "--coverage-min %s: a percentage from 0 to 100 is needed", f.least)
	}
	f.wanted, f.percent = true, x
	return nil
}

// cover leaves in a result what of the configuration was used.
func (t *tester) cover(r *reports.Result, s *scenarios.Scenario, tests []*explain.Explanation) error {
	if !t.coverage.wanted {
		return nil
	}
	loaded, faults := s.Configuration(s.Release)
	if loaded == nil {
		return badInput{faults}
	}
	c := newCoverage(loaded)
	if s.HasTraffic() && !r.TestsAlone() {
		for _, m := range t.runner.found {
			c.traffic(m, s.Config.Scheduler.FlowSchemas)
		}
	}
	for i := range r.PriorityLevels {
		c.level(&r.PriorityLevels[i], len(r.Replications))
	}
	for _, x := range tests {
		c.test(x)
	}
	r.Coverage = &c.out
	return nil
}

// covering is the coverage of one scenario in the making.
type covering struct {
	out reports.Coverage
	// schemas are those of the configuration, first the index of the first rule of each, by name.
	schemas map[string]*scheduler.FlowSchema
	first   map[string]int
	levels  map[string]int
	// seen are the kinds of requests of earlier replications.
	seen map[string]bool
}

func newCoverage(loaded *scenarios.Configuration) *covering {
	c := &covering{schemas: map[string]*scheduler.FlowSchema{}, first: map[string]int{}, levels: map[string]int{}, seen: map[string]bool{}}
	compiled := loaded.Compile()
	at := func(s scenarios.Source, path string) string {
		if s.BuiltIn {
			return ""
		}
		return s.At(path).String()
	}
	for i := range loaded.Schemas {
		s, rules := &loaded.Schemas[i], &compiled.FlowSchemas[i]
		c.schemas[rules.Name], c.first[rules.Name] = rules, len(c.out.Rules)
		for k := range rules.Rules {
			path := fmt.Sprintf("spec.rules[%d]", k)
			c.out.Rules = append(c.out.Rules, reports.RuleCoverage{FlowSchema: rules.Name, Rule: path, At: at(s.Source, path)})
		}
	}
	for i := range loaded.Levels {
		l := &loaded.Levels[i]
		c.levels[l.Object.Name] = len(c.out.PriorityLevels)
		c.out.PriorityLevels = append(c.out.PriorityLevels, reports.LevelCoverage{
			Name: l.Object.Name, At: at(l.Source, "metadata.name"), Exempt: compiled.PriorityLevels[i].Exempt,
		})
	}
	return c
}

// traffic adds the requests of one replication. Of a schema that has changed during the run, what
// its first rules do not match counts for nothing.
func (c *covering) traffic(m *sim.Matches, schemas []scheduler.FlowSchema) {
	if m == nil {
		return
	}
	m.Each(func(who *sim.Asker, what *scheduler.Target, schema int) {
		if schema >= len(schemas) {
			return // it came during the run
		}
		key := fmt.Sprintf("%q %q %+v %d", who.User, who.Groups, *what, schema)
		if c.seen[key] {
			return
		}
		c.seen[key] = true
		name := schemas[schema].Name
		if rules := c.schemas[name]; rules != nil {
			if v := classify.Explain(rules, who.User, who.Groups, what); v.Matches() {
				c.out.Rules[c.first[name]+v.Rule].Requests++
			}
		}
	})
}

// level adds what became of a level.
func (c *covering) level(l *reports.PriorityLevel, replications int) {
	if i, known := c.levels[l.Name]; known {
		of := &c.out.PriorityLevels[i]
		of.Arrivals, of.Saturated, of.SaturatedIn, of.Replications = l.Requests.Arrivals, l.SaturatedIn > 0, l.SaturatedIn, replications
	}
}

// test adds the request of a test.
func (c *covering) test(x *explain.Explanation) {
	if x.Match == nil {
		return
	}
	if i, known := c.levels[x.Level.Name]; known {
		c.out.PriorityLevels[i].Tests++
	}
	first, known := c.first[x.Match.FlowSchema]
	if !known || x.Match.Rule == nil {
		return // a schema of another release, or nobody's request
	}
	for i := first; i < len(c.out.Rules) && c.out.Rules[i].FlowSchema == x.Match.FlowSchema; i++ {
		if c.out.Rules[i].Rule == x.Match.Rule.Path {
			c.out.Rules[i].Tests++
		}
	}
}

// coverageOf returns the coverage of all results as text, "" if nobody asks, and judges it.
func (t *tester) coverageOf() (string, error) {
	t.covered = true
	if !t.coverage.wanted {
		return "", nil
	}
	all := reports.CoverageOf(t.results)
	matched, of, written := all.Share()
	whose := "that come with the release"
	if written {
		whose = "of your FlowSchemas"
	}
	percent := 100.0
	if of > 0 {
		percent = float64(matched) / float64(of) * 100
	}
	text := fmt.Sprintf("Coverage: %d of %d rules %s matched (%.0f%%)", matched, of, whose, math.Floor(percent))
	t.covered = !(percent < t.coverage.percent)
	if !t.covered {
		text = fmt.Sprintf("%s, wanted are %s or more", text, t.coverage.least)
	}
	if t.coverage.least != "" {
		t.aside.cover(t.coverage.least, text, t.covered)
	}
	if !t.covered {
		text = "FAIL  " + text
		if len(t.out) == 0 {
			fmt.Fprintln(t.process.Stderr, text)
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, text)
	for _, tab := range []*table.Table{t.ruleTable(all, written), levelTable(all)} {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(tab.Lines(math.MaxInt), "\n"))
	}
	return b.String(), nil
}

// ruleTable shows the rules; those of the release only if nobody wrote any, or with -v.
func (t *tester) ruleTable(c *reports.Coverage, written bool) *table.Table {
	tab := table.New(3, "flow schema", "rule", "at", "kinds of requests", "tests", "matched")
	for i := range c.Rules {
		r := &c.Rules[i]
		at := r.At
		if at == "" {
			at = "built in"
		}
		if r.At != "" || !written || t.verbose {
			tab.Add(r.FlowSchema, r.Rule, at, strconv.FormatInt(r.Requests, 10), strconv.FormatInt(r.Tests, 10), yesOrNo(r.Matched()))
		}
	}
	return tab
}

// levelTable shows the levels.
func levelTable(c *reports.Coverage) *table.Table {
	tab := table.New(1, "level", "requests", "tests", "saturated")
	for i := range c.PriorityLevels {
		l := &c.PriorityLevels[i]
		tab.Add(l.Name, strconv.FormatInt(l.Arrivals, 10), strconv.FormatInt(l.Tests, 10), l.Words())
	}
	return tab
}

func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "NO"
}

package reports

import (
	"cmp"
	"fmt"
	"slices"
)

// Coverage tells which parts of the configuration that a scenario begins with have been used: by
// the requests of its traffic, of all replications, and by the tests of its configuration.
type Coverage struct {
	// Rules are in the order of matching, PriorityLevels in the order of their names.
	Rules          []RuleCoverage  `json:"rules"`
	PriorityLevels []LevelCoverage `json:"priorityLevels"`
}

// RuleCoverage is one rule of a FlowSchema.
type RuleCoverage struct {
	FlowSchema string `json:"flowSchema"`
	// Rule is its path in the object, such as spec.rules[0].
	Rule string `json:"rule"`
	// At is file:line:column of the rule, "" for one that comes with the release.
	At string `json:"at,omitempty"`
	// Requests is how many kinds of requests of the traffic it was the first to match: who asks
	// for what, each counted once. Tests is how many tests.
	Requests int64 `json:"requests"`
	Tests    int64 `json:"tests"`
}

// LevelCoverage is one priority level.
type LevelCoverage struct {
	Name string `json:"name"`
	// At is file:line:column of the object, "" for one that comes with the release.
	At string `json:"at,omitempty"`
	// Exempt levels are never saturated.
	Exempt bool `json:"exempt,omitempty"`
	// Arrivals counts the requests of the traffic, Tests the tests that came to it.
	Arrivals int64 `json:"arrivals"`
	Tests    int64 `json:"tests"`
	// Saturated tells that all of its seats were in use, or a request had to wait or was rejected, in
	// any replication; SaturatedIn is in how many of Replications that was so.
	Saturated    bool `json:"saturated"`
	SaturatedIn  int  `json:"saturatedIn"`
	Replications int  `json:"replications"`
}

// Matched tells whether anything matched the rule.
func (c *RuleCoverage) Matched() bool { return c.Requests+c.Tests > 0 }

// Words says whether the level was saturated: "NO", "yes", or in how many replications if not in all
// of them; "-" for an exempt level.
func (c *LevelCoverage) Words() string {
	switch {
	case c.Exempt:
		return "-"
	case !c.Saturated:
		return "NO"
	case c.SaturatedIn == c.Replications:
		return "yes"
	}
	return fmt.Sprintf("in %d of %d runs", c.SaturatedIn, c.Replications)
}

// CoverageOf adds up the coverage of results: rules and levels of one place, or of one name if
// they come with the release, are one.
func CoverageOf(results []*Result) *Coverage {
	out := &Coverage{Rules: []RuleCoverage{}, PriorityLevels: []LevelCoverage{}}
	rules, levels := map[[3]string]int{}, map[[2]string]int{}
	for _, r := range results {
		if r.Coverage == nil {
			continue
		}
		for _, c := range r.Coverage.Rules {
			key := [3]string{c.At, c.FlowSchema, c.Rule}
			i, known := rules[key]
			if !known {
				rules[key] = len(out.Rules)
				out.Rules = append(out.Rules, c)
				continue
			}
			out.Rules[i].Requests += c.Requests
			out.Rules[i].Tests += c.Tests
		}
		for _, c := range r.Coverage.PriorityLevels {
			i, known := levels[[2]string{c.At, c.Name}]
			if !known {
				levels[[2]string{c.At, c.Name}] = len(out.PriorityLevels)
				out.PriorityLevels = append(out.PriorityLevels, c)
				continue
			}
			l := &out.PriorityLevels[i]
			l.Arrivals, l.Tests, l.Saturated = l.Arrivals+c.Arrivals, l.Tests+c.Tests, l.Saturated || c.Saturated
			l.SaturatedIn, l.Replications = l.SaturatedIn+c.SaturatedIn, l.Replications+c.Replications
		}
	}
	slices.SortStableFunc(out.PriorityLevels, func(a, b LevelCoverage) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Share returns how many rules anything matched, and of how many: of those that somebody wrote,
// or if there are none, of those that come with the release.
func (c *Coverage) Share() (matched, of int, written bool) {
	written = slices.ContainsFunc(c.Rules, func(r RuleCoverage) bool { return r.At != "" })
	for i := range c.Rules {
		if r := &c.Rules[i]; r.At != "" || !written {
			of++
			if r.Matched() {
				matched++
			}
		}
	}
	return matched, of, written
}

package reports

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestCoverageOf: a rule is one with itself in other results, where two files have the same name
// for a FlowSchema they are two, and only rules that somebody wrote count, if there are any.
func TestCoverageOf(t *testing.T) {
	rule := func(schema, rule, at string, requests, tests int64) RuleCoverage {
		return RuleCoverage{FlowSchema: schema, Rule: rule, At: at, Requests: requests, Tests: tests}
	}
	const first, second = "spec.rules[0]", "spec.rules[1]"
	results := []*Result{
		{Coverage: &Coverage{
			Rules: []RuleCoverage{
				rule("robots", first, "a.yaml:9:5", 2, 0), rule("robots", second, "a.yaml:12:5", 0, 0), rule("exempt", first, "", 3, 0),
			},
			PriorityLevels: []LevelCoverage{{Name: "work", Arrivals: 7, Replications: 5}, {Name: "exempt", Exempt: true}},
		}},
		{}, // nobody asked for its coverage
		{Coverage: &Coverage{
			Rules: []RuleCoverage{
				rule("robots", first, "a.yaml:9:5", 1, 4), rule("robots", first, "b.yaml:9:5", 0, 0), rule("robots", second, "a.yaml:12:5", 0, 0), rule("exempt", first, "", 0, 1),
			},
			PriorityLevels: []LevelCoverage{{Name: "work", Arrivals: 3, Tests: 2, Saturated: true, SaturatedIn: 2, Replications: 3}, {Name: "idle"}},
		}},
	}
	want := &Coverage{
		Rules: []RuleCoverage{
			rule("robots", first, "a.yaml:9:5", 3, 4), rule("robots", second, "a.yaml:12:5", 0, 0), rule("exempt", first, "", 3, 1), rule("robots", first, "b.yaml:9:5", 0, 0),
		},
		PriorityLevels: []LevelCoverage{
			{Name: "exempt", Exempt: true}, {Name: "idle"}, {Name: "work", Arrivals: 10, Tests: 2, Saturated: true, SaturatedIn: 2, Replications: 8},
		},
	}
	got := CoverageOf(results)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if matched, of, written := got.Share(); matched != 1 || of != 3 || !written {
		t.Errorf("%d of %d rules matched, written %v; want 1 of 3 that somebody wrote", matched, of, written)
	}
	builtIn := &Coverage{Rules: []RuleCoverage{rule("exempt", first, "", 0, 1), rule("probes", first, "", 0, 0)}}
	if matched, of, written := builtIn.Share(); matched != 1 || of != 2 || written {
		t.Errorf("%d of %d rules matched, written %v; want 1 of 2 that come with the release", matched, of, written)
	}
	if matched, of, _ := CoverageOf(nil).Share(); matched != 0 || of != 0 {
		t.Errorf("%d of %d rules of nothing", matched, of)
	}
}

// TestCoverageWords: a level that was not saturated in all replications says in how many it was.
func TestCoverageWords(t *testing.T) {
	for want, l := range map[string]LevelCoverage{
		"-": {Exempt: true}, "NO": {Replications: 5}, "yes": {Saturated: true, SaturatedIn: 5, Replications: 5},
		"in 2 of 5 runs": {Saturated: true, SaturatedIn: 2, Replications: 5},
	} {
		if got := l.Words(); got != want {
			t.Errorf("%+v: %q, want %q", l, got, want)
		}
	}
}

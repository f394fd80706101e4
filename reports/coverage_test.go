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
			PriorityLevels: []LevelCoverage{{Name: "work", Arrivals: 7}, {Name: "exempt", Exempt: true}},
		}},
		{}, // nobody asked for its coverage
		{Coverage: &Coverage{
			Rules: []RuleCoverage{
				rule("robots", first, "a.yaml:9:5", 1, 4), rule("robots", first, "b.yaml:9:5", 0, 0), rule("robots", second, "a.yaml:12:5", 0, 0), rule("exempt", first, "", 0, 1),
			},
			PriorityLevels: []LevelCoverage{{Name: "work", Arrivals: 3, Tests: 2, Saturated: true}, {Name: "idle"}},
		}},
	}
	want := &Coverage{
		Rules: []RuleCoverage{
			rule("robots", first, "a.yaml:9:5", 3, 4), rule("robots", second, "a.yaml:12:5", 0, 0), rule("exempt", first, "", 3, 1), rule("robots", first, "b.yaml:9:5", 0, 0),
		},
		PriorityLevels: []LevelCoverage{
			{Name: "exempt", Exempt: true}, {Name: "idle"}, {Name: "work", Arrivals: 10, Tests: 2, Saturated: true},
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

// TestSaturated: a level is saturated if all of its seats were in use under any limit, or somebody
// had to wait, waits still, or was rejected.
func TestSaturated(t *testing.T) {
	under := func(limit, peak int64) []Adjustment {
		return []Adjustment{{Current: 10, SeatsPeak: 3}, {Current: limit, SeatsPeak: peak}}
	}
	for name, c := range map[string]struct {
		level PriorityLevel
		want  bool
	}{
		"without traffic":      {PriorityLevel{Adjustments: under(10, 0)}, false},
		"a seat is free":       {PriorityLevel{Adjustments: under(5, 4)}, false},
		"no seat is free":      {PriorityLevel{Adjustments: under(5, 5)}, true},
		"wider than the level": {PriorityLevel{Adjustments: under(5, 8)}, true},
		"without seats":        {PriorityLevel{Adjustments: under(0, 0)}, false},
		"somebody waited":      {PriorityLevel{Wait: &Wait{Waited: 1}}, true},
		"nobody waited":        {PriorityLevel{Wait: &Wait{}}, false},
		"somebody waits":       {PriorityLevel{Requests: Requests{Waiting: 1}}, true},
		"rejected":             {PriorityLevel{Requests: Requests{Rejected: Rejected{Total: 1}}}, true},
		"exempt":               {PriorityLevel{Exempt: true, Adjustments: under(5, 5)}, false},
	} {
		if got := c.level.Saturated(); got != c.want {
			t.Errorf("%s: saturated %v, want %v", name, got, c.want)
		}
	}
}

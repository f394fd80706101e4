package html

import (
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// tested is a test of the configuration that fails, beside one that passes.
func tested() []reports.Tested {
	list := []reports.Tested{
		{
			Name: "pods", KubernetesVersion: "1.37", Cause: "no schema matches it first", File: "crowd.yaml", Line: 7, Column: 3,
			Checks: []reports.Checked{{Field: "flowSchema", Want: "workers", Got: "workers"}},
		},
		{
			Name: "leases", KubernetesVersion: "1.37", Cause: "workers matches it first", File: "crowd.yaml", Line: 9, Column: 3,
			Checks: []reports.Checked{{Field: "priorityLevel", Want: "leader-election", Got: "work", File: "crowd.yaml", Line: 12, Column: 5}},
		},
	}
	for i := range list {
		list[i].Judge()
	}
	return list
}

// coverage is of a configuration of which one rule is never matched.
func coverage() *reports.Coverage {
	return &reports.Coverage{
		Rules: []reports.RuleCoverage{
			{FlowSchema: "workers", Rule: "spec.rules[0]", At: "crowd.yaml:20:5", Requests: 3},
			{FlowSchema: "idle", Rule: "spec.rules[0]", At: "crowd.yaml:30:5"},
			{FlowSchema: "catch-all", Rule: "spec.rules[0]"},
		},
		PriorityLevels: []reports.LevelCoverage{{Name: "exempt", Exempt: true}, {Name: "work", Arrivals: 100, Saturated: true}},
	}
}

// A result of tests alone has a page of what there is, and of nothing else.
func TestTestsAlone(t *testing.T) {
	t.Parallel()
	r := reports.NewTestsResult(reports.Info{Scenario: "crowd", KubernetesVersion: "1.37"}, tested())
	r.Source = &reports.Source{Command: "apfsim test crowd.yaml", Files: []reports.SourceFile{{Name: "crowd.yaml", Text: "metadata: {name: crowd}\n"}}}
	r.Coverage = coverage()
	page := written(t, r)
	for _, want := range []string{
		"1 of 2 tests failed", "want priorityLevel leader-election, got work", "crowd.yaml:12:5", "apfsim test crowd.yaml",
		"1 of 2 rules that somebody wrote were matched.", "crowd.yaml:30:5", "none, tests of the configuration alone",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, never := range []string{"replication", "Priority levels", "In short", "<svg role", "Nothing is expected"} {
		if strings.Contains(page, never) {
			t.Errorf("the page of a result without traffic says %q", never)
		}
	}
	if failed, passed := strings.Index(page, "test &#34;leases&#34;"), strings.Index(page, "test &#34;pods&#34;"); failed < 0 || passed < failed {
		t.Errorf("the test that failed is at %d, the one that passed at %d, want it first", failed, passed)
	}
}

// What servers were asked is shown, with the moment.
func TestServed(t *testing.T) {
	t.Parallel()
	r := simulated(t, crowd(t, 1), 1)
	at := reports.Duration(90 * time.Second)
	r.Expositions = []reports.Exposition{{Time: at, Families: []reports.MetricFamily{
		{
			Name: "apiserver_flowcontrol_nominal_limit_seats", Type: "gauge", Labels: []string{"priority_level"},
			Series: []reports.MetricSeries{{Labels: []string{"work"}, Value: 28}},
		},
		{
			Name: "apiserver_flowcontrol_request_wait_duration_seconds", Type: "histogram", Labels: []string{"execute", "priority_level"}, Buckets: []float64{1},
			Series: []reports.MetricSeries{{Labels: []string{"true", "work"}, Sum: 1.5, Counts: []uint64{40, 2}}},
		},
	}}}
	r.Dumps = []reports.Dump{{Time: at, Queues: "PriorityLevelName, Index\nwork, 0\n"}}
	r.Coverage = coverage()
	page := written(t, r)
	for _, want := range []string{
		"apiserver_flowcontrol_… after 1m30s", "nominal_limit_seats", "priority_level=&#34;work&#34;", "42 with the sum 1.5",
		"dump_queues after 1m30s", "PriorityLevelName, Index", "Rules of the release",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "dump_requests") {
		t.Error("the page shows a debug page that the release does not have")
	}
}

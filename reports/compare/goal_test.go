package compare

import (
	"errors"
	"math"
	"testing"

	"github.com/apfsim/apfsim/reports"
)

var goalNames = Names{PriorityLevels: []string{"leader-election"}, FlowSchemas: []string{"probes"}, Clients: []string{"mice", "probes"}, Servers: 1}

func TestParseGoal(t *testing.T) {
	for text, want := range map[string]struct {
		of     reports.Expectation
		op     string
		value  float64
		holds  float64
		misses float64
	}{
		"wait{leader-election,p99} < 100ms": {reports.Expectation{Metric: "wait", PriorityLevel: "leader-election", Quantile: 0.99}, "<", 0.1, 0.0999, 0.1},
		"wait{mice}<=1.5s":                  {reports.Expectation{Metric: "wait", Client: "mice"}, "<=", 1.5, 1.5, 1.51},
		"p95 < 1s":                          {reports.Expectation{Metric: "wait", Quantile: 0.95}, "<", 1, 0, 2},
		"rejected = 0":                      {reports.Expectation{Metric: "rejected"}, "=", 0, 0, 1},
		"rejected == 0":                     {reports.Expectation{Metric: "rejected"}, "=", 0, 0, 1},
		"rejectedFraction{mice} < 5%":       {reports.Expectation{Metric: "rejectedFraction", Client: "mice"}, "<", 0.05, 0.04, 0.05},
		"executed{client=probes} > 3":       {reports.Expectation{Metric: "executed", Client: "probes"}, ">", 3, 4, 3},
		"fairness{leader-election} >= 0.9":  {reports.Expectation{Metric: "fairness", PriorityLevel: "leader-election"}, ">=", 0.9, 0.9, 0.8},
	} {
		g, err := ParseGoal(text)
		if err == nil {
			err = g.Resolve(goalNames)
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if g.Of != want.of || g.Op != want.op || g.Value != want.value {
			t.Errorf("%s: got %+v %s %v", text, g.Of, g.Op, g.Value)
		}
		if !g.Holds(want.holds) || g.Holds(want.misses) {
			t.Errorf("%s: %v holds: %v; %v holds: %v", text, want.holds, g.Holds(want.holds), want.misses, g.Holds(want.misses))
		}
		if g.Excess(want.holds) != 0 || g.Excess(want.misses) < 0 {
			t.Errorf("%s: excess %v and %v", text, g.Excess(want.holds), g.Excess(want.misses))
		}
	}
}

func TestGoalFaults(t *testing.T) {
	for text, want := range map[string]struct {
		at   int
		hint string
	}{
		"wiat < 1s":            {0, "did you mean wait?"},
		"wait{mice,p99}":       {14, "a goal says what is wanted, as in wait{leader-election,p99} < 100ms"},
		"wait{mice,p99} <":     {16, ""},
		"wait{mice,p99} < 100": {17, "a time has a unit: 100ms, or 100s"},
		"wait{mice,p99} < -1s": {17, ""},
		"rejected{p99} < 1":    {9, ""},
		"rejected < many":      {11, ""},
		"rejected < -1":        {11, ""},
	} {
		_, err := ParseGoal(text)
		var bad *Fault
		if !errors.As(err, &bad) || bad.At != want.at || bad.Hint != want.hint {
			t.Errorf("%s: got %+v", text, bad)
		}
	}
}

func TestParseMeasure(t *testing.T) {
	m, err := ParseMeasure("wait{mice,p99}")
	if err == nil {
		err = m.Resolve(goalNames)
	}
	if err != nil || m.Of != (reports.Expectation{Metric: "wait", Client: "mice", Quantile: 0.99}) {
		t.Errorf("got %+v, %v", m, err)
	}
	var bad *Fault
	if _, err := ParseMeasure("rejected < 3"); !errors.As(err, &bad) || bad.At != 9 {
		t.Errorf("got %v", err)
	}
}

func TestGoalOf(t *testing.T) {
	e := reports.Expectation{Metric: "wait", Client: "mice", Quantile: 0.99, Below: new(float64), Above: new(float64)}
	*e.Below, *e.Above = 2e9, 1e6
	goals := GoalOf(&e)
	if len(goals) != 2 || goals[0].Bound() != "< 2s" || goals[1].Bound() != "> 1ms" || goals[0].Of.Below != nil {
		t.Errorf("got %+v", goals)
	}
	if x := goals[0].Excess(3); math.Abs(x-0.5) > 1e-12 {
		t.Errorf("3 s in place of 2 are %v too much", x)
	}
}

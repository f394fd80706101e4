package main

import (
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/stats"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/sim"
)

// ranWith runs a library scenario with settings.
func ranWith(t *testing.T, name string, settings ...string) *reports.Result {
	t.Helper()
	var o scenarios.Options
	for _, text := range settings {
		o.Settings = append(o.Settings, scenarios.Setting{Flag: setFlag, Text: text})
	}
	s, found, _ := scenarios.LoadLibraryWith(name, o)
	if s == nil {
		t.Fatal(found)
	}
	p := newProcess(nil)
	p.stopper = &stopper{}
	result, err := (&runner{process: &p.Process, workers: 2}).one(s)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestCommonRandomNumbers: of a small change, 2 % more seats of the server, the interval of the
// paired differences is clearly narrower than that of the difference of two means. The ratios
// stand in docs/compare.md.
func TestCommonRandomNumbers(t *testing.T) {
	t.Parallel()
	a := ranWith(t, "elephants-and-mice", "replications=10")
	b := ranWith(t, "elephants-and-mice", "replications=10", "server.maxRequestsInflight=412")
	for _, c := range []struct {
		of    reports.Expectation
		least float64
	}{
		{reports.Expectation{Metric: reports.MetricSeats, Client: "mice"}, 100},
		{reports.Expectation{Metric: reports.MetricLatency, Client: "mice", Quantile: 0.99}, 2},
		{reports.Expectation{Metric: reports.MetricExecuted, Client: "elephants"}, 1.5},
		{reports.Expectation{Metric: reports.MetricLatency, Client: "elephants"}, 1.5},
		{reports.Expectation{Metric: reports.MetricWait, PriorityLevel: "workload-low"}, 1.5},
		{reports.Expectation{Metric: reports.MetricWait, PriorityLevel: "workload-low", Quantile: 0.99}, 1.5},
		{reports.Expectation{Metric: reports.MetricRejected, PriorityLevel: "workload-low"}, 1.3},
	} {
		as, bs := replicationsOf(t, a, c.of), replicationsOf(t, b, c.of)
		paired, unpaired := stats.Paired(as, bs), stats.Welch(as, bs)
		ratio := unpaired.HalfWidth / paired.HalfWidth
		t.Logf("%s: %.4g, paired ± %.3g, unpaired ± %.3g: %.1f times as wide", c.of.Subject(), paired.Mean, paired.HalfWidth, unpaired.HalfWidth, ratio)
		if ratio < c.least {
			t.Errorf("%s: the unpaired interval is %.2f times as wide as the paired one, want %v", c.of.Subject(), ratio, c.least)
		}
	}
}

// replicationsOf returns what each replication has of a figure.
func replicationsOf(t *testing.T, r *reports.Result, of reports.Expectation) []float64 {
	t.Helper()
	f, why := r.Measure(of)
	if why != "" {
		t.Fatal(why)
	}
	var out []float64
	for _, v := range f.Replications {
		out = append(out, float64(*v))
	}
	return out
}

// wishes is an observer that writes down what clients want: the first attempts, with their
// time and how long they take.
type wishes struct {
	*reports.Collector
	list []wish
}

type wish struct {
	population, client, template int32
	at, takes                    time.Duration
}

// Arrived is part of sim.Observer.
func (w *wishes) Arrived(now time.Duration, r *sim.Request) {
	if r.Attempt == 0 {
		w.list = append(w.list, wish{r.Population, r.Client, r.Template, now, r.Execution})
	}
	w.Collector.Arrived(now, r)
}

// TestSameTraffic: clients that do not react want the same at the same times whatever the
// configuration of the servers, be it other levels, another release or fewer seats.
func TestSameTraffic(t *testing.T) {
	t.Parallel()
	base := []string{"duration=30s", "warmup=0s", "clients/elephants.retry={policy: none}", "clients/mice.retry={policy: none}"}
	want := wishesWith(t, base...)
	if len(want) < 1000 {
		t.Fatalf("only %d requests", len(want))
	}
	for _, set := range []string{
		"server.maxRequestsInflight=100", "priorityLevel/workload-low.handSize=2", "kubernetesVersion=1.28",
		"flowSchema/service-accounts.priorityLevel=global-default", "clients/leaders.count=5",
	} {
		got := wishesWith(t, append(slices.Clone(base), set)...)
		if !slices.Equal(got, want) {
			t.Errorf("%s: other traffic: %d requests and %d", set, len(got), len(want))
		}
	}
}

// wishesWith runs a library scenario with settings, and returns what elephants and mice want.
func wishesWith(t *testing.T, settings ...string) []wish {
	t.Helper()
	var o scenarios.Options
	for _, text := range settings {
		o.Settings = append(o.Settings, scenarios.Setting{Flag: setFlag, Text: text})
	}
	s, found, _ := scenarios.LoadLibraryWith("elephants-and-mice", o)
	if s == nil {
		t.Fatal(found)
	}
	w := &wishes{Collector: reports.NewCollector()}
	if _, err := sim.Run(&s.Config, 0, w, nil); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(w.list, func(w wish) bool { return s.Config.Populations[w.population].Name == "leaders" })
}

package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/apfsim/apfsim/sim"
)

func info(replications int) Info {
	return Info{Scenario: "crowded", KubernetesVersion: "1.37", Replications: replications}
}

func jsonOf(t testing.TB, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func textOf(t testing.TB, r *Result) string {
	t.Helper()
	var b strings.Builder
	if err := WriteText(&b, r, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Replications end in any order, and runs are repeated; the bytes are the same.
func TestMergeDoesNotDependOnOrder(t *testing.T) {
	cfg := crowdedConfig(t, 20*time.Second)
	runs := func() []*Collected {
		return []*Collected{collect(t, cfg, 0), collect(t, cfg, 1), collect(t, cfg, 2)}
	}
	first := runs()
	want := jsonOf(t, Merge(info(3), first))
	for _, order := range [][]int{{2, 1, 0}, {1, 2, 0}} {
		again, mixed := runs(), []*Collected(nil)
		for _, i := range order {
			mixed = append(mixed, again[i])
		}
		given := slices.Clone(mixed)
		if got := jsonOf(t, Merge(info(3), mixed)); got != want {
			t.Errorf("in the order %v:\n%s", order, cmp.Diff(want, got))
		}
		if !slices.Equal(given, mixed) {
			t.Error("Merge has sorted its argument")
		}
	}
	if got := jsonOf(t, Merge(info(3), first)); got != want {
		t.Error("merging twice gives another result")
	}
}

// Counts of a merge are the sums of those of its replications, extremes their extremes.
func TestMergeAddsUp(t *testing.T) {
	cfg := crowdedConfig(t, 20*time.Second)
	runs := []*Collected{collect(t, cfg, 0), collect(t, cfg, 1)}
	whole, a, b := Merge(info(2), runs), Merge(info(1), runs[:1]), Merge(info(1), runs[1:])
	for i := range whole.PriorityLevels {
		w, x, y := whole.PriorityLevels[i], a.PriorityLevels[i], b.PriorityLevels[i]
		if w.Requests != plus(x.Requests, y.Requests) {
			t.Errorf("level %s: %+v is not the sum of %+v and %+v", w.Name, w.Requests, x.Requests, y.Requests)
		}
		if w.Occupancy.SeatsUsedPeak != max(x.Occupancy.SeatsUsedPeak, y.Occupancy.SeatsUsedPeak) ||
			!close6(w.Occupancy.SeatsUsedAverage, (x.Occupancy.SeatsUsedAverage+y.Occupancy.SeatsUsedAverage)/2) {
			t.Errorf("level %s: %+v of %+v and %+v", w.Name, *w.Occupancy, *x.Occupancy, *y.Occupancy)
		}
		if !slices.Equal(w.Adjustments, x.Adjustments) || w.Seats.Current != x.Seats.Current {
			t.Errorf("level %s: the series is not that of the first replication", w.Name)
		}
	}
	if whole.Flows.Count != a.Flows.Count || whole.Server.LongRunning != 0 {
		t.Errorf("%d flows, %d in the first replication", whole.Flows.Count, a.Flows.Count)
	}
}

func plus(a, b Requests) Requests {
	return Requests{
		Arrivals: a.Arrivals + b.Arrivals, Executed: a.Executed + b.Executed, Finished: a.Finished + b.Finished,
		Waiting: a.Waiting + b.Waiting, Executing: a.Executing + b.Executing,
		Rejected: Rejected{
			Total:            a.Rejected.Total + b.Rejected.Total,
			QueueFull:        a.Rejected.QueueFull + b.Rejected.QueueFull,
			ConcurrencyLimit: a.Rejected.ConcurrencyLimit + b.Rejected.ConcurrencyLimit,
			TimeOut:          a.Rejected.TimeOut + b.Rejected.TimeOut,
		},
	}
}

// A result that was written and read is the same, also to the text report.
func TestResultsAreReadBack(t *testing.T) {
	cfg := crowdedConfig(t, 20*time.Second)
	r := Merge(info(2), []*Collected{collect(t, cfg, 0), collect(t, cfg, 1)})
	written := jsonOf(t, r)
	back, err := ReadJSON(strings.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, back, cmpopts.IgnoreUnexported(Result{}), cmp.AllowUnexported(Total{})); diff != "" {
		t.Errorf("read back:\n%s", diff)
	}
	if jsonOf(t, back) != written {
		t.Error("written again it differs")
	}
	if diff := cmp.Diff(textOf(t, r), textOf(t, back)); diff != "" {
		t.Errorf("the text differs:\n%s", diff)
	}
	zero := 0.0
	if v := Judge(back, []Expectation{{Metric: MetricRejected, Equals: &zero}})[0]; v.Outcome != NoData || v.Why == "" {
		t.Errorf("judged without distributions: %v", v.String())
	}
}

func TestReadJSONIsStrict(t *testing.T) {
	r := Merge(info(1), []*Collected{collect(t, crowdedConfig(t, 6*time.Second), 0)})
	good := jsonOf(t, r)
	for _, c := range []struct{ name, text, want string }{
		{"an unknown field", strings.Replace(good, `"seed"`, `"sead"`, 1), "sead"},
		{"another version", strings.Replace(good, "v1alpha1", "v1", 1), "apfsim.dev/v1"},
		{"another kind", strings.Replace(good, `"Result"`, `"Scenario"`, 1), "Scenario"},
		{"more after the end", good + "{}", "after its end"},
		{"a cut", good[:len(good)/2], "unexpected EOF"},
		{"a bad duration", strings.Replace(good, `"warmup": "5s"`, `"warmup": "5"`, 1), "5"},
	} {
		if _, err := ReadJSON(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A writer's error is reported by each renderer.
func TestWritersReportErrors(t *testing.T) {
	r := Merge(info(1), []*Collected{collect(t, crowdedConfig(t, 6*time.Second), 0)})
	if err := WriteJSON(broken{}, r); err != errBroken {
		t.Errorf("WriteJSON: %v", err)
	}
	if err := WriteText(broken{}, r, TextOptions{}); err != errBroken {
		t.Errorf("WriteText: %v", err)
	}
}

var errBroken = fmt.Errorf("the disk is full")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// panics tells what a function panics with, "" if it does not.
func panics(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func TestMisusePanics(t *testing.T) {
	cfg := crowdedConfig(t, 6*time.Second)
	one := collect(t, cfg, 0)
	fewer := *cfg
	fewer.Populations = cfg.Populations[:2]
	other := collect(t, &fewer, 1)
	r := Merge(info(1), []*Collected{one})
	judge := func(e Expectation) func() { return func() { Judge(r, []Expectation{e}) } }
	one1 := 1.0
	used := NewCollector()
	if _, err := sim.Run(cfg, 0, used, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"needs a replication", func() { Merge(info(1), nil) }},
		{"not of the same scenario", func() { Merge(info(2), []*Collected{one, other}) }},
		{"before the end", func() { NewCollector().Collected(sim.Summary{}) }},
		{"its second", func() { _, _ = sim.Run(cfg, 0, used, nil) }},
		{"no bound", judge(Expectation{Metric: MetricWait})},
		{"quantile of rejected", judge(Expectation{Metric: MetricRejected, Quantile: 0.5, Equals: &one1})},
		{"the quantile 1.5", judge(Expectation{Metric: MetricWait, Quantile: 1.5, Equals: &one1})},
		{`the metric "weight"`, judge(Expectation{Metric: "weight", Equals: &one1})},
		{"arrives at", func() {
			l := NewDecisionLog(io.Discard)
			l.lines.next = 5
			l.Arrived(time.Second, &sim.Request{ID: 4})
		}},
		{"two requests have the id 4", func() {
			l := NewDecisionLog(io.Discard)
			l.Arrived(time.Second, &sim.Request{ID: 4})
			l.Arrived(time.Second, &sim.Request{ID: 4})
		}},
	} {
		if got := panics(c.f); !strings.Contains(got, c.want) {
			t.Errorf("want a panic that says %q, got %q", c.want, got)
		}
	}
}

// The configuration's hash depends on the server and its APF, not on traffic.
func TestConfigurationDigest(t *testing.T) {
	cfg := crowdedConfig(t, 6*time.Second)
	first := digest(cfg)
	if again := digest(crowdedConfig(t, time.Minute)); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	cfg.Scheduler.PriorityLevels[2].Queuing.HandSize++
	if digest(cfg) == first {
		t.Error("another hand size has the same hash")
	}
	second := digest(cfg)
	cfg.Changes = []sim.Change{{At: time.Second, PriorityLevels: cfg.Scheduler.PriorityLevels, FlowSchemas: cfg.Scheduler.FlowSchemas}}
	if digest(cfg) == second {
		t.Error("with a change the hash is the same")
	}
}

// In the steady state a request costs no allocation.
func TestCollectorDoesNotAllocate(t *testing.T) {
	cfg := crowdedConfig(t, 20*time.Second)
	cfg.Warmup = 0
	var run recorder
	if _, err := sim.Run(cfg, 0, &run, nil); err != nil {
		t.Fatal(err)
	}
	run.complete()
	c := NewCollector()
	c.Start(run.world)
	pass := 0
	again := func() {
		replay(c, run.calls, time.Duration(pass)*20*time.Second, int64(pass*run.requests))
		pass++
	}
	for range 4 { // until every flow has waited often enough to have a histogram
		again()
	}
	allocations := testing.AllocsPerRun(5, again)
	// Two adjustments a pass, each with a list of levels.
	if allocations > 4 {
		t.Errorf("%v allocations for %d requests", allocations, run.requests)
	}
}

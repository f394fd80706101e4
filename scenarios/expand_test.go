package scenarios

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload"
)

// sameRun fails unless the expanded text loads as the same run as s, and expands to
// itself.
func sameRun(t *testing.T, s *Scenario, files memoryFiles, expanded []byte) {
	t.Helper()
	files["expanded.yaml"] = string(expanded)
	again, ds := Load("expanded.yaml", files)
	if again == nil {
		t.Fatalf("the expanded scenario cannot be loaded:\n%s\n%s", ds, expanded)
	}
	if diff := cmp.Diff(runOf(s), runOf(again), sameParts...); diff != "" {
		t.Errorf("the expanded scenario is another run (-original +expanded):\n%s", diff)
	}
	twice, err := again.Expanded()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(expanded, twice) {
		t.Errorf("expanding twice is not the same as once:\n%s", cmp.Diff(string(expanded), string(twice)))
	}
}

// runOf is a scenario without what expansion changes: where it is from, names of presets, and
// positions.
func runOf(s *Scenario) Scenario {
	out := *s
	out.File, out.Sources, out.InLibrary, out.spec = "", nil, false, scenarioSpec{}
	out.Config.Populations = append([]workload.Population(nil), s.Config.Populations...)
	for i := range out.Config.Populations {
		out.Config.Populations[i].Preset = ""
	}
	out.Tests = append([]Test(nil), s.Tests...)
	for i := range out.Tests {
		out.Tests[i].Place, out.Tests[i].Expect.Places = Place{}, nil
	}
	out.Expect = append([]Expectation(nil), s.Expect...)
	for i := range out.Expect {
		out.Expect[i].File, out.Expect[i].Line, out.Expect[i].Column = "", 0, 0
	}
	return out
}

var sameParts = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool {
		return slices.Contains([]string{".spec", ".files", ".options"}, p.Last().String())
	}, cmp.Ignore()),
	cmp.Comparer(func(a, b Written) bool { return a.Text == b.Text }),
	cmp.Comparer(func(a, b workload.Distribution) bool { return a.Equal(b) }),
	// A figure that is left out and its default are the same.
	cmp.Comparer(func(a, b workload.Retry) bool { return a.String() == b.String() }),
	cmp.Comparer(func(a, b *workload.Trace) bool {
		return (a == nil) == (b == nil) && (a == nil || a.Name() == b.Name() && a.Requests() == b.Requests())
	}),
}

// TestPresetsAreWhatTheyWere: a preset goes through the words of a scenario file, and
// must come out as the population that package workload has.
func TestPresetsAreWhatTheyWere(t *testing.T) {
	for _, name := range workload.PresetNames() {
		text := patched("clients: [{name: " + name + ", preset: " + name + "}]")
		s, ds := Load("test.yaml", memoryFiles{"test.yaml": text})
		if s == nil {
			t.Fatalf("%s: %s", name, ds)
		}
		want, err := workload.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, s.Config.Populations[0], sameParts...); diff != "" {
			t.Errorf("%s (-workload +scenario):\n%s", name, diff)
		}
	}
}

// TestBuiltinLimits: the built-in levels on a stock server have the limits of the
// documentation, and of kube-apiserver (shares 245 in all).
func TestBuiltinLimits(t *testing.T) {
	s, _ := Load("test.yaml", memoryFiles{"test.yaml": minimal})
	cfg := &s.Config.Scheduler
	if cfg.Seats != 600 || cfg.RequestTimeout != time.Minute || !cfg.ConsistentReadsFromCache {
		t.Errorf("the stock server has %d seats, a timeout of %v, consistent reads from cache %t", cfg.Seats, cfg.RequestTimeout, cfg.ConsistentReadsFromCache)
	}
	var shares []borrowing.Shares
	var names []string
	for _, l := range cfg.PriorityLevels {
		names = append(names, l.Name)
		shares = append(shares, borrowing.Shares{Shares: l.Shares, LendablePercent: l.LendablePercent, BorrowingLimitPercent: l.BorrowingLimitPercent})
	}
	got := map[string]borrowing.Limits{}
	for i, l := range release.For(release.Last).Borrowing.Nominal(cfg.Seats, shares) {
		got[names[i]] = l
	}
	want := map[string]borrowing.Limits{
		"catch-all": {Nominal: 13, Min: 13, Max: 613}, "exempt": {Nominal: 0, Min: 0, Max: 600},
		"global-default": {Nominal: 49, Min: 24, Max: 649}, "leader-election": {Nominal: 25, Min: 25, Max: 625},
		"node-high": {Nominal: 98, Min: 73, Max: 698}, "system": {Nominal: 74, Min: 50, Max: 674},
		"workload-high": {Nominal: 98, Min: 49, Max: 698}, "workload-low": {Nominal: 245, Min: 24, Max: 845},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("limits of the built-in levels (-want +got):\n%s", diff)
	}
}

// TestLargestHand: the largest legal hand for a number of queues, as the API server's
// validation has it.
func TestLargestHand(t *testing.T) {
	want := map[int32]int32{1: 1, 2: 2, 4: 4, 8: 8, 16: 15, 32: 12, 64: 10, 128: 8, 256: 7, 512: 6, 1024: 6, 4096: 5, 10_000_000: 2}
	got := map[int32]int32{}
	for queues := range want {
		got[queues] = largestHand(queues)
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("largest hands: want %v, got %v", want, got)
	}
}

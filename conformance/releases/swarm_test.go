package releases

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/conformance/fullrun"
	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
	"github.com/apfsim/apfsim/scheduler/release"
)

var (
	onlyReleases = flag.String("releases", "1.22,1.26,1.28.4,1.34", "compare these releases: names of folders of conformance/oracle, separated by commas, or all")
	swarmCases   = flag.Int("swarm", 8, "compare this many drawn cases with each release")
	swarmSeed    = flag.Uint64("seed", 1, "the seed of the first drawn case")
	swarmKeep    = flag.String("keep", "", "write the cases that fail into this folder instead of a temporary one")
)

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "oracles-"); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := os.RemoveAll(programs); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// selected returns the releases under test.
func selected(t *testing.T) []*oracle {
	t.Helper()
	all, err := oracles()
	if err != nil {
		t.Fatal(err)
	}
	if *onlyReleases == "all" {
		return all
	}
	names := strings.Split(*onlyReleases, ",")
	some := slices.DeleteFunc(all, func(o *oracle) bool { return !slices.Contains(names, o.name) })
	if len(some) != len(names) {
		t.Fatalf("not all of %s are folders of conformance/oracle", *onlyReleases)
	}
	return some
}

// TestSwarm draws scenarios with traffic and compares the simulator with each release on
// each of them. That it can tell releases apart, the simulator of another one shows.
func TestSwarm(t *testing.T) {
	for _, o := range selected(t) {
		t.Run(o.name, func(t *testing.T) {
			o.start(t)
			apart := 0
			for i := range *swarmCases {
				if o.compare(t, *swarmSeed+uint64(i)) {
					apart++
				}
			}
			t.Logf("%d cases, of which %d tell it from a release far away", *swarmCases, apart)
			if *swarmCases >= 8 && apart < *swarmCases/3 {
				t.Error("the cases are too tame to show anything")
			}
		})
	}
}

// replays is how often a release gets a trace that it and the simulator take differently:
// see the constant of that name in conformance/fullrun.
const replays = 8

// compare compares the simulator with the release on one drawn case, and tells whether
// the simulator of another release decides otherwise.
func (o *oracle) compare(t *testing.T, seed uint64) (apart bool) {
	t.Helper()
	c, err := o.draw(seed)
	if err != nil {
		t.Fatal(err)
	}
	r, err := o.request(c.Scenario, c.Trace)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := o.writeScenario(folder, r); err != nil {
		t.Fatal(err)
	}
	config, err := fullrun.LoadOurs(folder)
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return false
	}
	ours, err := fullrun.Nudge(c.Random(), config, r.Trace)
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return false
	}
	first := o.ask(t, wire.Question{Replay: r}).Replay
	if text := o.difference(first, ours); text != "" && !o.differently(t, seed, r, first, ours) {
		t.Errorf("seed %d, kept in %s: %s", seed, o.keep(t, seed, r), text)
	}
	config.Scheduler.Release = release.First
	if !o.since(28) {
		config.Scheduler.Release = release.Last
	}
	other, err := fullrun.Nudge(c.Random(), config, slices.Clone(r.Trace))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return fullrun.CompareDecisions(first.Decisions, other.Decisions) != ""
}

// differently tells whether the release does now and then what the simulator did, and not
// what it did at first.
func (o *oracle) differently(t *testing.T, seed uint64, r *wire.Case, first *wire.Run, ours *fullrun.Simulated) bool {
	t.Helper()
	for range replays - 1 {
		again := o.ask(t, wire.Question{Replay: r}).Replay
		if reflect.DeepEqual(first, again) {
			continue
		}
		t.Logf("seed %d: %s does not agree with itself", seed, o.name)
		if o.difference(again, ours) == "" {
			return true
		}
	}
	return false
}

// keep writes a failing case into a folder and returns its name.
func (o *oracle) keep(t *testing.T, seed uint64, r *wire.Case) string {
	t.Helper()
	parent := *swarmKeep
	if parent == "" {
		parent = os.TempDir()
	}
	folder, err := os.MkdirTemp(parent, fmt.Sprintf("release-%s-%d-", o.name, seed))
	if err != nil {
		t.Fatal(err)
	}
	if err := o.writeScenario(folder, r); err != nil {
		t.Fatal(err)
	}
	return folder
}

package fullrun

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
)

var (
	swarmCases = flag.Int("swarm", 40, "compare this many drawn cases")
	swarmSeed  = flag.Uint64("seed", 1, "the seed of the first drawn case")
	swarmKeep  = flag.String("keep", "", "write the cases that fail into this folder instead of a temporary one")
	keptFolder = flag.String("folder", "", "compare the scenario and trace that a failing case left in this folder")
)

// TestSwarm draws scenarios with traffic and compares the simulator with the real
// server on each. A failing case prints its seed and leaves a folder with the
// scenario, the trace and both decision logs.
func TestSwarm(t *testing.T) {
	all := tally{changes: map[scheduler.ChangeKind]int{}}
	for i := range *swarmCases {
		seed := *swarmSeed + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareCase(t, Draw(seed), &all) })
	}
	t.Log(all)
	if !t.Failed() && *swarmCases >= 40 {
		all.check(t)
	}
}

// compareCase adds what the real server decided to the tally.
func compareCase(t *testing.T, c *Case, all *tally) {
	t.Helper()
	folder := t.TempDir()
	name := fmt.Sprintf("swarm-%d", c.Seed)
	if err := c.Scenario.Write(folder, name, c.Trace); err != nil {
		t.Fatal(err)
	}
	config, err := LoadOurs(folder)
	if err != nil {
		t.Fatalf("seed %d: %v", c.Seed, err)
	}
	log, ours := compareNudged(t, name, c.random, config, c.Scenario, c.Trace)
	if ours.Panics > 0 {
		all.panics++
		return
	}
	all.add(log)
	for kind, n := range ours.Changes {
		all.changes[kind] += n
	}
}

// compareNudged compares the simulator with the real server on a trace that it may
// change, and returns what the real server decided, and what the simulator did.
func compareNudged(t *testing.T, name string, r *rand.Rand, config *sim.Config, sc *Scenario, trace []Request) ([]Decision, *Simulated) {
	t.Helper()
	ours, err := Nudge(r, config, trace)
	if err != nil {
		t.Fatal(err)
	}
	if ours.Panics > 0 {
		// In a replay that would be the end of the whole test.
		t.Logf("%s: not replayed, as the real queue set panics when a queue goes in which requests wait", name)
		return nil, ours
	}
	real := Replay(t, sc, trace)
	d := CompareRuns(real, &ours.Run)
	for attempt := 1; d != "" && attempt < replays; attempt++ {
		again := Replay(t, sc, trace)
		other := CompareRuns(real, again)
		if other == "" {
			continue
		}
		t.Logf("%s: the real server does not agree with itself: %s", name, other)
		if CompareRuns(again, &ours.Run) == "" {
			return again.Decisions, ours
		}
	}
	if d != "" {
		t.Errorf("%s, kept in %s: %s", name, keep(t, name, sc, trace, real.Decisions, ours.Decisions), d)
	}
	return real.Decisions, ours
}

// replays is how often the real server gets a trace that it and the simulator take
// differently. It goes through the levels in the random order of a map, and where an
// allocation of seats lies on the edge of a rounding, about once in ten thousand
// adjustments of drawn configurations, that order decides. A difference counts unless
// the real server, too, decides as the simulator does.
const replays = 8

// replayed are scenarios of the library that the real server can play too: one server of the
// release that this module has, with the built-in objects, and requests that take the time that
// was drawn. Those of other releases are left to package releases, which draws its own; where
// nearly all requests take the same time, events coincide however they are nudged.
var replayed = []string{
	"agent-sandbox-burst", "elephants-and-mice", "event-flood-cured", "events-on-catch-all", "leader-election", "list-storm",
	"new-level-under-load", "one-user-floods-global-default", "one-user-floods-live-dump", "zero-shares-jail",
}

// TestLibrary compares the two on what the clients of the library's scenarios send.
func TestLibrary(t *testing.T) {
	for _, name := range replayed {
		t.Run(name, func(t *testing.T) {
			loaded, ok := scenarios.LoadLibrary(name)
			text, found := scenarios.LibraryFile(name)
			if !ok || !found {
				t.Fatal("no such scenario")
			}
			sc, _, err := parseScenario(text, libraryFolder)
			if err != nil {
				t.Fatal(err)
			}
			config := loaded.Config
			config.Duration = min(config.Duration, 45*time.Second+shiftChanges(&config, sc))
			trace, err := Record(&config, 25_000)
			if err != nil {
				t.Fatal(err)
			}
			log, _ := compareNudged(t, name, rand.New(rand.NewPCG(1, 2)), &config, sc, trace)
			if len(log) < 100 {
				t.Errorf("only %d requests", len(log))
			}
		})
	}
}

// libraryFolder is where the library's manifests are.
const libraryFolder = "../../scenarios/library"

// shiftChanges moves the changes of a scenario by a nanosecond, as they like to be at the
// time of an adjustment, and returns the time of the last one.
func shiftChanges(config *sim.Config, sc *Scenario) (last time.Duration) {
	config.Changes = slices.Clone(config.Changes)
	for i := range config.Changes {
		config.Changes[i].At++
	}
	for i := range sc.Changes {
		sc.Changes[i].At++
		last = sc.Changes[i].At
	}
	return last
}

// TestFolder compares the two on a scenario and trace that a failing test kept, if
// the flag names some.
func TestFolder(t *testing.T) {
	if *keptFolder == "" {
		return
	}
	sc, file, err := LoadScenario(*keptFolder)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := ReadTrace(file)
	if err != nil {
		t.Fatal(err)
	}
	config, err := LoadOurs(*keptFolder)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := Simulate(config)
	if err != nil {
		t.Fatal(err)
	}
	if d := CompareRuns(Replay(t, sc, trace), &ours.Run); d != "" {
		t.Error(d)
	}
}

// keep writes a failing case into a folder and returns its name.
func keep(t *testing.T, name string, sc *Scenario, trace []Request, real, ours []Decision) string {
	t.Helper()
	parent := *swarmKeep
	if parent == "" {
		parent = os.TempDir()
	}
	folder, err := os.MkdirTemp(parent, name+"-")
	if err != nil {
		t.Fatal(err)
	}
	if err := sc.Write(folder, name, trace); err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string][]Decision{"decisions.jsonl": real, "simulated.jsonl": ours} {
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteDecisions(f, log); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// tally counts outcomes, to show that a swarm reaches all of them.
type tally struct {
	executed, waited, final, wide, bypassed int
	reasons                                 map[string]int
	longestRetryAfter                       string
	changes                                 map[scheduler.ChangeKind]int
	panics                                  int // cases
}

func (a *tally) add(log []Decision) {
	if a.reasons == nil {
		a.reasons = map[string]int{}
	}
	for _, d := range log {
		switch {
		case d.PriorityLevel == "":
			a.bypassed++
		case d.Outcome == "rejected":
			a.reasons[d.Reason]++
			if len(d.RetryAfter) > len(a.longestRetryAfter) || d.RetryAfter > a.longestRetryAfter {
				a.longestRetryAfter = d.RetryAfter
			}
		default:
			a.executed++
			if d.Dispatched != d.Arrival {
				a.waited++
			}
		}
		if d.InitialSeats > 1 {
			a.wide++
		}
		if d.FinalSeats > 0 {
			a.final++
		}
	}
}

func (a tally) String() string {
	text := fmt.Sprintf("%d executed, %d of them after a wait, %d past APF; rejected %v; %d wide, %d with final seats; Retry-After up to %s",
		a.executed, a.waited, a.bypassed, a.reasons, a.wide, a.final, a.longestRetryAfter)
	for kind := scheduler.LevelAdded; kind <= scheduler.SchemaDeleted; kind++ {
		of := "schemas"
		if kind.OfLevel() {
			of = "levels"
		}
		text += fmt.Sprintf("; %d %s %v", a.changes[kind], of, kind)
	}
	return text + fmt.Sprintf("; %d cases not replayed", a.panics)
}

// check fails a swarm that is too tame to show anything.
func (a *tally) check(t *testing.T) {
	for name, n := range map[string]int{
		"executed": a.executed, "waited": a.waited, "wide": a.wide, "with final seats": a.final, "past APF": a.bypassed,
		"queue-full": a.reasons["queue-full"], "concurrency-limit": a.reasons["concurrency-limit"], "time-out": a.reasons["time-out"],
	} {
		if n < 500 {
			t.Errorf("only %d requests are %s", n, name)
		}
	}
	for kind := scheduler.LevelAdded; kind <= scheduler.SchemaDeleted; kind++ {
		if a.changes[kind] == 0 {
			t.Errorf("no level or schema is %v", kind)
		}
	}
}

package scenarios

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
)

// libraryNames are the scenarios of the library, in order.
var libraryNames = []string{
	"agent-sandbox-burst",
	"agent-sandbox-burst-cured",
	"connectors-start-at-once",
	"connectors-start-at-once-cured",
	"daemonset-restart",
	"daemonset-restart-cured",
	"daemonset-restart-thirsty",
	"elephants-and-mice",
	"event-flood",
	"event-flood-cured",
	"events-on-catch-all",
	"events-on-catch-all-thirsty",
	"leader-election",
	"leases-behind-a-firewall",
	"list-storm",
	"lists-never-finish",
	"lists-never-finish-cured",
	"lists-never-read",
	"lists-never-read-cured",
	"lists-never-read-idle",
	"lists-never-read-seventh",
	"lists-never-read-thirsty",
	"lists-never-read-thirsty-cured",
	"low-levels-larger-share",
	"low-levels-larger-share-allocation",
	"low-levels-larger-share-cured",
	"new-level-under-load",
	"nine-hundred-at-once",
	"nine-hundred-at-once-one-flow",
	"nodes-retry-after-a-second",
	"nodes-retry-at-once",
	"nodes-retry-at-once-cured",
	"nodes-retry-at-once-more-seats",
	"one-server-of-three",
	"one-server-of-three-balanced",
	"one-server-of-three-from-cache",
	"one-server-of-three-namespaces",
	"one-server-of-three-unpinned",
	"one-user-floods-global-default",
	"one-user-floods-global-default-cured",
	"one-user-floods-live-dump",
	"relist-after-restart",
	"relist-after-restart-cured",
	"relist-after-restart-paced",
	"slow-backend",
	"slow-backend-cured",
	"slow-backend-more-shares",
	"slow-backend-stall",
	"telemetry-rollout",
	"telemetry-rollout-cured",
	"telemetry-rollout-staging",
	"three-servers-one-hot",
	"three-servers-one-hot-cured",
	"webhook-deadlock",
	"webhook-deadlock-cured",
	"zero-shares-jail",
	"zero-shares-jail-cured",
}

// TestLibrary: each scenario of the library is named like its file, begins with a story,
// loads without a word, and is the same run when it is expanded.
func TestLibrary(t *testing.T) {
	var names []string
	for _, e := range Library() {
		names = append(names, e.Name)
		text, ok := LibraryFile(e.Name)
		if !ok || !strings.HasPrefix(string(text), "# ") || !bytes.Contains(text, []byte("\n# What to look at:\n")) {
			t.Errorf("%s: no story at the beginning", e.Name)
		}
		s, ok := LoadLibrary(e.Name)
		if !ok || s.Name != e.Name || s.Description != e.Description || e.Description == "" {
			t.Errorf("%s: file and name differ, or there is no description: %+v", e.Name, e)
			continue
		}
		expanded, err := s.Expanded()
		if err != nil {
			t.Fatal(err)
		}
		sameRun(t, s, libraryManifests(t), expanded)
	}
	if !slices.Equal(names, libraryNames) {
		t.Errorf("want the scenarios %q, got %q", libraryNames, names)
	}
}

// libraryManifests returns the manifests that scenarios of the library name.
func libraryManifests(t *testing.T) memoryFiles {
	files := memoryFiles{}
	err := fs.WalkDir(libraryFiles, "library", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := libraryFiles.ReadFile(name)
		files[strings.TrimPrefix(name, "library/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestNoSuchLibraryScenario: also a path does not lead out of the library.
func TestNoSuchLibraryScenario(t *testing.T) {
	for _, name := range []string{"", "nothing", "../builtin/1.37", "../library/list-storm"} {
		if _, ok := LibraryFile(name); ok {
			t.Errorf("there is a file for %q", name)
		}
		if _, ok := LoadLibrary(name); ok {
			t.Errorf("there is a scenario %q", name)
		}
	}
}

// flood watches the level global-default.
type flood struct {
	sim.Silent
	w                *sim.World
	level            int
	before           int // most seats in use until the adjustment at 10 s
	least, most      int // seats in use after it, once they are taken
	waiting, arrived int // most requests of one flow waiting; requests
}

const (
	adjustment = 10 * time.Second
	// settled is when the seats that the adjustment gave have been taken.
	settled = adjustment + 100*time.Millisecond
)

func (f *flood) Start(w *sim.World) {
	f.w, f.least = w, 1<<30
	for i, l := range w.Server().Levels() {
		if l.Name == "global-default" {
			f.level = i
		}
	}
}

func (f *flood) look(now time.Duration) {
	s := f.w.Server().LevelState(f.level)
	switch {
	case now < adjustment:
		f.before = max(f.before, s.SeatsInUse)
	case now >= settled:
		f.least, f.most = min(f.least, s.SeatsInUse), max(f.most, s.SeatsInUse)
	}
}

func (f *flood) Arrived(now time.Duration, r *sim.Request) {
	f.arrived++
	f.look(now)
	if r.Population == 0 && r.Flow >= 0 {
		waiting := 0
		for _, q := range f.w.Server().Flow(r.Flow).Hand {
			waiting += f.w.Server().QueueState(f.level, int(q)).Waiting
		}
		f.waiting = max(f.waiting, waiting)
	}
}

func (f *flood) Dispatched(now time.Duration, _ *sim.Request) { f.look(now) }
func (f *flood) Rejected(now time.Duration, _ *sim.Request)   { f.look(now) }
func (f *flood) Finished(now time.Duration, _ *sim.Request)   { f.look(now) }
func (f *flood) Released(now time.Duration, _ *sim.Request)   { f.look(now) }

// TestOneUserFloods: the figures of the report and of the rules. 56 seats are in use
// until the adjustment at 10 s, then exactly 368, without a gap, and the six queues of
// the user's hand hold 300 requests and a few of others.
func TestOneUserFloods(t *testing.T) {
	s, _ := LoadLibrary("one-user-floods-global-default")
	for replication := range s.Replications {
		f := &flood{}
		if _, err := sim.Run(&s.Config, replication, f, &sim.Control{}); err != nil {
			t.Fatal(err)
		}
		if f.before != 56 || f.least != 368 || f.most != 368 {
			t.Errorf("replication %d: %d seats in use until 10 s, then %d to %d; want 56, then 368", replication, f.before, f.least, f.most)
		}
		if f.waiting < 300 || f.waiting > 310 {
			t.Errorf("replication %d: at most %d requests wait in the user's queues; want about 6 x 50", replication, f.waiting)
		}
		if f.arrived < 1349 {
			t.Errorf("replication %d: %d requests", replication, f.arrived)
		}
	}
}

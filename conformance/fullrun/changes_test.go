package fullrun

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// TestChanges compares a few cases in which a busy level comes, goes and comes back. It is
// what is left of the swarm for those who have little time.
func TestChanges(t *testing.T) {
	all := tally{changes: map[scheduler.ChangeKind]int{}}
	for seed := range uint64(12) {
		c := Draw(seed)
		if len(c.Trace) > 2000 {
			c.Trace = c.Trace[:2000]
		}
		separateArrivals(c.Trace)
		last := time.Duration(c.Trace[len(c.Trace)-1].Arrival)
		r := rand.New(rand.NewPCG(seed, 77))
		d := newChangeDrawer(r, c.Scenario)
		c.Scenario.Changes = d.busy(last/4, last)
		compareCase(t, c, &all)
	}
	t.Log(all)
	for _, kind := range []scheduler.ChangeKind{scheduler.LevelQuiescing, scheduler.LevelRevived, scheduler.LevelGone, scheduler.SchemaDangling} {
		if all.changes[kind] < 3 {
			t.Errorf("%d levels or schemas are %v, want 3", all.changes[kind], kind)
		}
	}
}

// TestChangesOnFile holds that the changes of a case are the same when they are read again.
func TestChangesOnFile(t *testing.T) {
	c := Draw(3)
	d := newChangeDrawer(c.random, c.Scenario)
	c.Scenario.Changes = d.busy(time.Second, 10*time.Second)
	folder := t.TempDir()
	if err := c.Scenario.Write(folder, "changes", c.Trace); err != nil {
		t.Fatal(err)
	}
	again, _, err := LoadScenario(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Changes) != len(c.Scenario.Changes) {
		t.Fatalf("%d changes of %d", len(again.Changes), len(c.Scenario.Changes))
	}
	for i, want := range c.Scenario.Changes {
		got := again.Changes[i]
		if got.At != want.At || len(got.Write) != len(want.Write) || len(got.Delete) != len(want.Delete) {
			t.Errorf("change %d is %+v, want %+v", i, got, want)
		}
		wantText, err := manifestText(want.Write)
		if err != nil {
			t.Fatal(err)
		}
		if gotText, err := manifestText(got.Write); err != nil || gotText != wantText {
			t.Errorf("change %d writes %v\n%s\nwant\n%s", i, err, gotText, wantText)
		}
	}
}

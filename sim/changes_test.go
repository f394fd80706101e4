package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// changeJournal writes down changes and adjustments too.
type changeJournal struct{ journal }

func (j *changeJournal) Adjusted(now time.Duration, _ int32) { j.note(now, "adjusted") }

func (j *changeJournal) Reconfigured(now time.Duration, _ int32) {
	server := j.world.Server()
	var words []string
	for _, c := range server.Changes() {
		name := ""
		if c.Kind.OfLevel() {
			name = "level " + server.Levels()[c.Number].Name
		} else {
			name = "schema " + server.Schemas()[c.Number]
		}
		words = append(words, fmt.Sprintf("%s %v", name, c.Kind))
	}
	j.note(now, "%s", strings.Join(words, ", "))
}

// without returns the objects of a configuration as a change at that time, without a level.
func without(c *scheduler.Config, at time.Duration, level string) sim.Change {
	return sim.Change{
		At: at, FlowSchemas: c.FlowSchemas,
		PriorityLevels: slices.DeleteFunc(slices.Clone(c.PriorityLevels), func(l scheduler.PriorityLevel) bool { return l.Name == level }),
	}
}

// TestChangeAtAnAdjustment deletes a level at the moment of an adjustment, at which a
// request of it ends, and another arrives. What ends comes before, what arrives after, and
// the level goes with the last of its requests.
func TestChangeAtAnAdjustment(t *testing.T) {
	server := smallServer(4, 5)
	level := server.PriorityLevels[2].Name
	cfg := &sim.Config{
		Scheduler: server,
		Populations: []workload.Population{traced(t,
			brief("1s", "9s"), brief("2s", "9s"), brief("10s", "3s"), brief("13s", "3s"))},
		Changes: []sim.Change{without(&server, 10*time.Second, level), without(&server, time.Minute, "nothing")},
	}
	j := &changeJournal{}
	summary, err := sim.Run(cfg, 0, j, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, &j.journal,
		"0s adjusted",
		"1s arrived 0 attempt 0", "1s dispatched 0", "2s arrived 1 attempt 0", "2s dispatched 1",
		"10s finished 0", "10s adjusted", "10s level "+level+" quiescing, schema "+server.FlowSchemas[0].Name+" dangling",
		"10s arrived 2 attempt 0", "10s dispatched 2",
		"11s finished 1", "11s level "+level+" gone",
		"13s finished 2", "13s arrived 3 attempt 0", "13s dispatched 3", "16s finished 3",
	)
	// The change that is due later does not keep the run going.
	if summary.End != 16*time.Second {
		t.Errorf("the run ends at %v, want 16s", summary.End)
	}
}

// TestChangesEnterTheFingerprint compares runs that no request can tell apart.
func TestChangesEnterTheFingerprint(t *testing.T) {
	server := smallServer(4, 5)
	fingerprint := func(changes ...sim.Change) uint64 {
		cfg := &sim.Config{Scheduler: server, Populations: []workload.Population{traced(t, brief("1s", "9s"))}, Changes: changes}
		_, first := run(t, cfg)
		_, again := run(t, cfg)
		if first != again {
			t.Fatalf("%+v, then %+v", first, again)
		}
		return first.Fingerprint
	}
	plain := fingerprint()
	same := sim.Change{At: 3 * time.Second, PriorityLevels: server.PriorityLevels, FlowSchemas: server.FlowSchemas}
	if fingerprint(same) != plain {
		t.Error("a change of nothing shows")
	}
	schemas := slices.Clone(server.FlowSchemas)
	schemas[0].Precedence++
	other := sim.Change{At: 3 * time.Second, PriorityLevels: server.PriorityLevels, FlowSchemas: schemas}
	later := other
	later.At = 4 * time.Second
	if a, b := fingerprint(other), fingerprint(later); a == plain || b == plain || a == b {
		t.Errorf("fingerprints %x without a change, %x and %x with one", plain, a, b)
	}
}

// TestImpossibleChanges are found before the run begins.
func TestImpossibleChanges(t *testing.T) {
	server := smallServer(4, 5)
	cfg := &sim.Config{
		Scheduler: server, Duration: time.Minute,
		Changes: []sim.Change{
			without(&server, 0, "nothing"), without(&server, 2*time.Second, "nothing"),
			without(&server, time.Second, scheduler.Exempt),
		},
	}
	_, err := sim.Run(cfg, 0, sim.Silent{}, nil)
	want := "changes[0] is at 0s; legal: above 0s and not before the change before it, at 0s\n" +
		"changes[2] is at 1s; legal: above 0s and not before the change before it, at 2s\n" +
		`changes[2]: priority level "exempt" is missing`
	if fmt.Sprint(err) != want {
		t.Errorf("the faults are\n%v\nwant\n%s", err, want)
	}
}

// TestALevelGoesWithAnImpatientLeader has a level without seats, in which only a renewal
// waits when it is deleted. The leader gives that up at its renew deadline, before the wait
// limit, and with that the level goes, at once and for all to see.
func TestALevelGoesWithAnImpatientLeader(t *testing.T) {
	server := smallServer(4, 5)
	level := &server.PriorityLevels[2]
	server.PriorityLevels[1].Shares, level.Shares, level.BorrowingLimitPercent = 1, 0, 0
	cfg := &sim.Config{
		Scheduler: server, Populations: []workload.Population{leader(t)}, Duration: 12 * time.Second, Seed: 3,
		Changes: []sim.Change{without(&server, 5*time.Second, level.Name)},
	}
	j := &changeJournal{}
	if _, err := sim.Run(cfg, 0, j, nil); err != nil {
		t.Fatal(err)
	}
	lost := j.arrivals["callers"][0] + 10*time.Second
	wantLines(t, &j.journal,
		"0s adjusted", fmt.Sprintf("%v arrived 0 attempt 0", lost-10*time.Second),
		"5s level "+level.Name+" quiescing, schema "+server.FlowSchemas[0].Name+" dangling", "10s adjusted",
		fmt.Sprintf("%v client 0 lost its lease", lost), fmt.Sprintf("%v rejected 0 time-out retry after 1", lost),
		fmt.Sprintf("%v level %s gone", lost, level.Name),
	)
}

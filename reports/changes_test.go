package reports

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// changingConfig is a crowded server whose configuration changes in every way: the level
// work loses queues, a level is added and takes over a schema, work loses its queues
// altogether and is deleted while it is busy, and comes back in the end.
func changingConfig(t testing.TB) *sim.Config {
	t.Helper()
	cfg := crowdedConfig(t, 40*time.Second)
	levels, schemas := cfg.Scheduler.PriorityLevels, cfg.Scheduler.FlowSchemas
	change := func(at time.Duration, level func([]scheduler.PriorityLevel) []scheduler.PriorityLevel, workers string) {
		levels, schemas = level(slices.Clone(levels)), slices.Clone(schemas)
		for i := range schemas {
			if schemas[i].Name == "workers" {
				schemas[i].PriorityLevel = workers
			}
		}
		cfg.Changes = append(cfg.Changes, sim.Change{At: at, PriorityLevels: levels, FlowSchemas: schemas})
	}
	work := func(q *scheduler.Queuing) func([]scheduler.PriorityLevel) []scheduler.PriorityLevel {
		return func(all []scheduler.PriorityLevel) []scheduler.PriorityLevel {
			i := slices.IndexFunc(all, func(l scheduler.PriorityLevel) bool { return l.Name == "work" })
			all[i].Queuing = q
			return all
		}
	}
	added := scheduler.PriorityLevel{Name: "added", Shares: 40, BorrowingLimitPercent: -1, Queuing: &scheduler.Queuing{Queues: 8, HandSize: 2, QueueLengthLimit: 20}}
	whole := levels[slices.IndexFunc(levels, func(l scheduler.PriorityLevel) bool { return l.Name == "work" })]
	change(7*time.Second, work(&scheduler.Queuing{Queues: 4, HandSize: 2, QueueLengthLimit: 90}), "work")
	change(13*time.Second, func(all []scheduler.PriorityLevel) []scheduler.PriorityLevel { return append(all, added) }, "added")
	change(17*time.Second, work(nil), "work")
	change(20*time.Second, func(all []scheduler.PriorityLevel) []scheduler.PriorityLevel {
		return slices.DeleteFunc(all, func(l scheduler.PriorityLevel) bool { return l.Name == "work" })
	}, "added")
	change(33*time.Second, func(all []scheduler.PriorityLevel) []scheduler.PriorityLevel { return append(all, whole) }, "work")
	return cfg
}

// joiningConfig is a server at which another flow schema comes up that leads to the same level: half of the
// requests of each worker match it from then on, while those that came before still wait. The level loses queues
// with it, and has more than ever later on.
func joiningConfig(t testing.TB) *sim.Config {
	t.Helper()
	cfg := crowdedConfig(t, 20*time.Second)
	for i := range cfg.Populations[:2] {
		cfg.Populations[i].Requests = []workload.Template{
			{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1},
			{Verb: "get", Resource: "configmaps", Namespace: "default", Name: "x", Weight: 1},
		}
	}
	joining := scheduler.FlowSchema{Name: "joining", Precedence: 150, PriorityLevel: "work", Distinguisher: scheduler.ByUser, Rules: everything("workers")}
	joining.Rules[0].Resources[0].Resources = []string{"configmaps"}
	schemas := append(slices.Clone(cfg.Scheduler.FlowSchemas), joining)
	for at, queues := range []int32{8, 24} {
		levels := slices.Clone(cfg.Scheduler.PriorityLevels)
		levels[len(levels)-1].Queuing = &scheduler.Queuing{Queues: queues, HandSize: 4, QueueLengthLimit: 50}
		cfg.Changes = append(cfg.Changes, sim.Change{At: time.Duration(8+4*at) * time.Second, PriorityLevels: levels, FlowSchemas: schemas})
	}
	return cfg
}

// TestCollectorFollowsChanges compares with the ledger, which asks the server for everything
// at every event, and checks that changes are told.
func TestCollectorFollowsChanges(t *testing.T) {
	l, r := ledgered(t, changingConfig(t))
	levels := l.world.Server().Levels()
	for _, level := range r.PriorityLevels {
		i := slices.IndexFunc(levels, func(info scheduler.LevelInfo) bool { return info.Name == level.Name })
		want, waits := l.count(func(q *sim.Request) bool { return int(q.Level) == i })
		if level.Requests != want {
			t.Errorf("level %s: %+v, want %+v", level.Name, level.Requests, want)
		}
		if !level.Exempt {
			checkWait(t, level.Name, level.Wait, waits)
		}
		checkOccupancy(t, level.Name, level.Occupancy, l.occupancy(i))
	}
	for _, f := range r.FlowSchemas {
		want, _ := l.count(func(q *sim.Request) bool {
			return q.Schema == l.schema(f.Name) && levels[q.Level].Name == f.PriorityLevel
		})
		if f.Requests != want {
			t.Errorf("schema %s of level %s: %+v, want %+v", f.Name, f.PriorityLevel, f.Requests, want)
		}
	}
	var told []string
	for i := range r.Changes {
		told = append(told, formatMoment(time.Duration(r.Changes[i].Time))+" "+r.Changes[i].words())
	}
	want := []string{
		"7s level work changed",
		"13s level added added, flow schema workers changed",
		"17s level work changed, flow schema workers changed",
		"20s level work quiescing, flow schema workers changed",
		"20.", // work ends with its last request
		"33s level work added, flow schema workers changed",
	}
	if len(told) != len(want) {
		t.Fatalf("changes: %s", strings.Join(told, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(told[i], want[i]) {
			t.Errorf("change %d is %q, want %q", i, told[i], want[i])
		}
	}
	if !strings.HasSuffix(told[4], " level work gone") {
		t.Errorf("change 4 is %q", told[4])
	}
}

// TestChangesInText looks at the sentences about limits, and at the changes, of which many
// are cut short.
func TestChangesInText(t *testing.T) {
	_, r := ledgered(t, changingConfig(t))
	text := strings.Join(strings.Fields(textOf(t, r)), " ")
	for _, want := range []string{
		"changes 7s: level work changed 13s: level added added, flow schema workers changed 17s",
		"added: no level until 13s, then ", "then no level until 33s, then ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	for range 20 {
		r.Changes = append(r.Changes, r.Changes[0])
	}
	if text := textOf(t, r); !strings.Contains(text, "and 14 times more\n") {
		t.Errorf("all of %d changes are told:\n%s", len(r.Changes), text)
	}
}

// TestMergeOfPartialRuns has a replication that was interrupted before the first change, and
// one that was not: what the first has not met is not held against it.
func TestMergeOfPartialRuns(t *testing.T) {
	short := changingConfig(t)
	short.Duration = 5 * time.Second
	for _, runs := range [][]*Collected{
		{collect(t, short, 0), collect(t, changingConfig(t), 1)},
		{collect(t, changingConfig(t), 0), collect(t, short, 1)},
	} {
		r := Merge(info(2), runs)
		whole, early := Merge(info(1), runs[:1]), Merge(info(1), runs[1:])
		if r.Server.Requests != plus(whole.Server.Requests, early.Server.Requests) {
			t.Errorf("%+v is not the sum of %+v and %+v", r.Server.Requests, whole.Server.Requests, early.Server.Requests)
		}
		if len(r.PriorityLevels) != 5 || len(r.FlowSchemas) != 4 {
			t.Errorf("%d levels, %d schemas", len(r.PriorityLevels), len(r.FlowSchemas))
		}
		textOf(t, r)
	}
}

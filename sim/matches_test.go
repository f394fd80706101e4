package sim_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// asks is a request of a user at a time, which executes for no time worth a word.
func asks(at time.Duration, user, verb, name string) string {
	return fmt.Sprintf(`{"arrival":"%v","duration":"1ms","user":%q,"verb":%q,"resource":"pods","namespace":"n","name":%q}`, at, user, verb, name)
}

// kindsOf lists what a run has noted.
func kindsOf(m *sim.Matches) []string {
	var out []string
	m.Each(func(who *sim.Asker, what *scheduler.Target, schema int) {
		out = append(out, fmt.Sprintf("%s %s %s by %d", who.User, what.Verb, what.Resource, schema))
	})
	return out
}

// TestMatches: each user, what is asked for, and the FlowSchema that takes it are noted once, in
// the order of their coming up, however often they come. Here another schema takes over at 5.5s, as
// the level of the first one goes. Who reads logs matches nothing. A run with notes is the run without.
func TestMatches(t *testing.T) {
	config := func() *sim.Config {
		server := smallServer(5, 5)
		return &sim.Config{
			Scheduler: server,
			Changes:   []sim.Change{without(&server, 5500*time.Millisecond, server.PriorityLevels[2].Name)},
			Populations: []workload.Population{traced(t,
				asks(time.Second, "ann", "get", "a"), asks(2*time.Second, "bob", "get", "a"),
				asks(3*time.Second, "ann", "get", "b"), asks(4*time.Second, "ann", "update", "b"),
				asks(5*time.Second, "bob", "get", "a"), asks(6*time.Second, "ann", "get", "a"),
				`{"arrival":"7s","duration":"1ms","user":"eve","verb":"get","resource":"pods","subresource":"log","namespace":"n","name":"a"}`,
			)},
		}
	}
	plain, err := sim.Run(config(), 0, sim.Silent{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config()
	cfg.Matches = sim.NewMatches()
	noted, err := sim.Run(cfg, 0, sim.Silent{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if noted != plain {
		t.Errorf("with notes: %+v, without: %+v", noted, plain)
	}
	want := []string{"ann get pods by 0", "ann get pods by 1", "ann update pods by 0", "bob get pods by 0"}
	if got := kindsOf(cfg.Matches); !slices.Equal(got, want) {
		t.Errorf("noted %q, want %q", got, want)
	}
}

// TestMatchesAreBounded: the memory of the notes follows what can be asked for, and no request
// costs an allocation once its kind is known.
func TestMatchesAreBounded(t *testing.T) {
	var lines []string
	for i := range 2000 {
		lines = append(lines, asks(time.Duration(i+1)*10*time.Millisecond, []string{"ann", "bob"}[i%2], "get", fmt.Sprint("pod-", i)))
	}
	allocations := func(lines []string, m func() *sim.Matches) float64 {
		return testing.AllocsPerRun(2, func() {
			cfg := &sim.Config{Scheduler: smallServer(5, 5), Populations: []workload.Population{traced(t, lines...)}, Matches: m()}
			if _, err := sim.Run(cfg, 0, sim.Silent{}, nil); err != nil {
				t.Fatal(err)
			}
			if kinds := cfg.Matches; kinds != nil && len(kindsOf(kinds)) != 2 {
				t.Errorf("noted %q of two users", kindsOf(kinds))
			}
		})
	}
	none := func() *sim.Matches { return nil }
	few := allocations(lines[:100], sim.NewMatches) - allocations(lines[:100], none)
	many := allocations(lines, sim.NewMatches) - allocations(lines, none)
	// A few come and go with what the garbage collector does.
	if many > few+50 {
		t.Errorf("notes on 2000 requests of two users cost %.0f allocations, on 100 they cost %.0f", many, few)
	}
}

package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// lookout keeps when it was asked to look, and what had arrived by then.
type lookout struct {
	sim.Silent
	times   []time.Duration
	arrived []int
	n       int
}

func (l *lookout) Arrived(time.Duration, *sim.Request) { l.n++ }

func (l *lookout) Look(now time.Duration) {
	l.times, l.arrived = append(l.times, now), append(l.arrived, l.n)
}

// TestLooks: a look comes after all events of its time, changes nothing, and does not keep a
// run from ending.
func TestLooks(t *testing.T) {
	cfg := &sim.Config{
		Scheduler:   smallServer(1, 5),
		Populations: []workload.Population{traced(t, brief("1s", "1s"), brief("1500ms", "1s"))},
	}
	plain, err := sim.Run(cfg, 0, sim.Silent{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Looks = []time.Duration{0, time.Second, 2500 * time.Millisecond, time.Hour}
	var seen lookout
	looked, err := sim.Run(cfg, 0, &seen, nil)
	if err != nil {
		t.Fatal(err)
	}
	if looked != plain {
		t.Errorf("with looks: %+v, without: %+v", looked, plain)
	}
	if want := cfg.Looks[:3]; !slices.Equal(seen.times, want) {
		t.Errorf("looked at %v, want %v", seen.times, want)
	}
	if want := []int{0, 1, 2}; !slices.Equal(seen.arrived, want) {
		t.Errorf("arrivals before the looks: %v, want %v", seen.arrived, want)
	}
	cfg.Looks = []time.Duration{time.Second, time.Second}
	if _, err := sim.Run(cfg, 0, sim.Silent{}, nil); err == nil {
		t.Error("the same time twice passes")
	}
}

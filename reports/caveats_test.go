package reports

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// settling is a noisy series of seconds that comes to 100 with a time constant of 10 s.
func settling(n int) []Number {
	out := make([]Number, n)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range out {
		out[i] = newNumber(max(0, 100*(1-math.Exp(-float64(i)/10))+2*random.NormFloat64()))
	}
	return out
}

// TestShortWarmup is told where a steady run goes on to settle, and nowhere else.
func TestShortWarmup(t *testing.T) {
	series := settling(200)
	for _, c := range []struct {
		warmup time.Duration
		told   bool
	}{{0, true}, {5 * time.Second, true}, {10500 * time.Millisecond, true}, {60 * time.Second, false}, {199 * time.Second, false}} {
		at := settles(series, time.Second, c.warmup)
		if (at > 0) != c.told || at > 0 && (at < 20*time.Second || at > 80*time.Second) {
			t.Errorf("warm-up %v: settles at %v", c.warmup, at)
		}
	}
	r := &Result{Timeline: &Timeline{Slice: Duration(time.Second), PriorityLevels: []LevelTimeline{{GroupTimeline: GroupTimeline{Name: "work", Seats: series}}}}}
	m := &merger{first: &Collected{steady: true, warmup: 5 * time.Second}}
	got := m.caveats(r)
	if len(got) != 1 || got[0].Code != ShortWarmup || !strings.Contains(got[0].Text, "The warm-up of 5s looks too short: in work the seats in use settle only after about ") {
		t.Errorf("caveats: %+v", got)
	}
	m.first.steady = false
	if got := m.caveats(r); got != nil {
		t.Errorf("of a run that is not steady: %+v", got)
	}
}

// TestSteady: a burst makes a run unsteady, and so does a change of the configuration.
func TestSteady(t *testing.T) {
	cfg := twoSeats(t)
	if !steady(cfg) {
		t.Error("a Poisson process is not steady")
	}
	cfg.Changes = []sim.Change{{At: time.Second}}
	if steady(cfg) {
		t.Error("with a change it is steady")
	}
	cfg.Changes = nil
	burst := workload.Burst(time.Second, 10, 0)
	cfg.Populations[0].Open = &burst
	if steady(cfg) {
		t.Error("a burst is steady")
	}
}

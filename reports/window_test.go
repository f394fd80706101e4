package reports

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/sim"
)

// windowConfigs are runs in which requests wait, are rejected, trimmed, cut and refused.
func windowConfigs(t testing.TB) map[string]*sim.Config {
	return map[string]*sim.Config{
		"crowded":  crowdedConfig(t, 20*time.Second),
		"trimming": trimmingConfig(t),
		"servers":  serversConfig(t),
		"changing": changingConfig(t),
		"joining":  joiningConfig(t),
	}
}

// A window has no timeline, which is of the run as a whole.
func TestTheWholeRunIsAWindow(t *testing.T) {
	for name, cfg := range windowConfigs(t) {
		runs := collectParts(t, cfg, func(*Collector) {},
			Between(cfg.Warmup, 0), Between(cfg.Warmup, cfg.Duration), Between(cfg.Warmup, 2*cfg.Duration))
		whole := Merge(info(1), runs[:1])
		whole.Timeline, whole.Caveats = nil, nil
		want := jsonOf(t, whole)
		for i, run := range runs[1:] {
			if got := jsonOf(t, Merge(info(1), []*Collected{run})); got != want {
				t.Errorf("%s: window %d of the whole run differs from the run:\n%s", name, i, gocmp.Diff(want, got))
			}
		}
	}
}

// Windows that follow each other, wherever they are cut, add up to one window: 1. what is
// counted of requests, clients and servers; 2. what is summed up over time; 3. the higher one
// of their peaks is its peak.
func TestWindowsAddUp(t *testing.T) {
	const cases = 12
	for name, cfg := range windowConfigs(t) {
		random := rand.New(rand.NewPCG(1, 2))
		var windows [][]time.Duration
		var options []Option
		for range cases {
			w := make([]time.Duration, 3)
			for i := range w { // some of them after the end of the run
				w[i] = time.Duration(random.Int64N(int64(cfg.Duration) * 11 / 10))
			}
			slices.Sort(w)
			windows = append(windows, w)
			options = append(options, Between(w[0], w[1]), Between(w[1], w[2]), Between(w[0], w[2]))
		}
		runs := collectParts(t, cfg, options...)
		for i, w := range windows {
			a, b, whole := runs[3*i], runs[3*i+1], runs[3*i+2]
			if whole.window != a.window+b.window {
				t.Errorf("%s, %v: %v and %v do not add up to %v", name, w, a.window, b.window, whole.window)
			}
			if diff := gocmp.Diff(sumsOf(whole), sumsOf(a, b)); diff != "" {
				t.Errorf("%s, %v:\n%s", name, w, diff)
			}
		}
	}
}

// collectParts runs a configuration once, with a collector for each option.
func collectParts(t testing.TB, cfg *sim.Config, options ...Option) []*Collected {
	t.Helper()
	var observers []sim.Observer
	for _, o := range options {
		observers = append(observers, NewCollector(o))
	}
	s, err := sim.Run(cfg, 0, Tee(observers...), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Collected
	for _, o := range observers {
		out = append(out, o.(*Collector).Collected(s))
	}
	return out
}

// sumsOf writes down all that adds up of windows.
func sumsOf(windows ...*Collected) []string {
	b := openBooks(windows[len(windows)-1])
	for _, w := range windows {
		b.check(w)
		b.enter(w)
	}
	var out []string
	add := func(what ...any) { out = append(out, fmt.Sprintln(what...)) }
	for i := range b.cells {
		c := &b.cells[i]
		add("cell", i, c.counts, c.first, c.bucket, c.widths, c.widest, c.seatsAsked, c.seatTime, c.execution, c.waits.count(), c.waits.sum, c.waits.max)
	}
	for i := range b.stats {
		p := &b.stats[i]
		add("population", i, p.events, p.refused, p.ended, p.attempts, p.attemptsOfOK, p.latencyOfAll().sum, p.throttled, p.paused, p.queued, p.executed, p.backlog.peak.value)
	}
	m := &merger{runs: windows, first: windows[0], books: b}
	for i := range b.levels {
		g := m.levelSums(i)
		add("level", i, g.seatTime, g.waitTime, g.limitTime, g.seatPeak, g.waitPeak, g.backlog.value)
		for p := range b.populations {
			w := b.blame(selection{p, all, i})
			add("blame", i, p, w.waited)
			for q, on := range w.on {
				add("on", q, math.Round(on/1e6))
			}
		}
	}
	for i, s := range m.serverSums() {
		add("server", i, s.counts, s.longRunning, s.refused, s.events, s.down, s.seatTime, s.seatPeak)
	}
	flows := map[string]*flowStats{}
	for _, w := range windows {
		for i := range w.flows {
			f := &w.flows[i]
			name := fmt.Sprint(f.Schema, f.Level, f.Distinguisher)
			if flows[name] == nil {
				flows[name] = &flowStats{}
			}
			flows[name].counts.plus(&f.counts)
			flows[name].offered.plus(f.offered)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(flows)) {
		add("flow", name, flows[name].counts, flows[name].offered)
	}
	return out
}

package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// grained holds that what a record could tell happens at multiples of a resolution.
type grained struct {
	sim.Silent
	t          *testing.T
	seed       uint64
	resolution time.Duration
	seen       int
}

func (g *grained) hold(what string, at ...time.Duration) {
	for _, d := range at {
		if g.seen++; d%g.resolution != 0 {
			g.t.Errorf("world %d: %s at %v", g.seed, what, d)
		}
	}
}

func (g *grained) Arrived(now time.Duration, r *sim.Request) {
	g.hold("an arrival", now, r.Arrival, r.Execution)
}
func (g *grained) Dispatched(now time.Duration, _ *sim.Request) { g.hold("a dispatch", now) }
func (g *grained) Rejected(now time.Duration, _ *sim.Request)   { g.hold("a rejection", now) }
func (g *grained) Finished(now time.Duration, _ *sim.Request)   { g.hold("an end", now) }
func (g *grained) Released(now time.Duration, _ *sim.Request)   { g.hold("a release", now) }
func (g *grained) Cut(now time.Duration, _ *sim.Request)        { g.hold("a cut", now) }

// TestResolution runs drawn worlds in whole microseconds, where all rules hold as ever, and in
// hundredths of a second, where most of what happens comes to lie on one instant with other things.
func TestResolution(t *testing.T) {
	for seed := range uint64(*drawnWorlds) {
		for _, resolution := range []time.Duration{time.Microsecond, 10 * time.Millisecond} {
			cfg := drawWorld(rand.New(rand.NewPCG(seed, 4)), t)
			cfg.Resolution = resolution
			g := &grained{t: t, seed: seed, resolution: resolution}
			first, err := sim.Run(&cfg, 0, g, nil)
			if err != nil {
				t.Fatal(err)
			}
			if g.seen == 0 {
				t.Errorf("world %d: nothing happened", seed)
			}
			// Waits and patience are longer than they may be by less than the resolution.
			var other sim.Observer = sim.Silent{}
			if resolution == time.Microsecond {
				other = newBooks(t, seed)
			}
			second, err := sim.Run(&cfg, 0, other, nil)
			if err != nil || first != second {
				t.Fatalf("world %d: %+v, and the second time %+v, %v", seed, first, second, err)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// lives writes down what becomes of the requests of a trace and of their watches.
type lives struct {
	sim.Silent
	notes []string
}

func (l *lives) note(now time.Duration, what string, id int64) {
	l.notes = append(l.notes, fmt.Sprintf("%v %s %d", now, what, id))
}

func (l *lives) Arrived(now time.Duration, r *sim.Request) {
	l.note(now, fmt.Sprintf("of %d seats arrives", r.Estimate.FinalSeats), r.ID)
}
func (l *lives) Rejected(now time.Duration, r *sim.Request)      { l.note(now, "rejected", r.ID) }
func (l *lives) Finished(now time.Duration, r *sim.Request)      { l.note(now, "ends", r.ID) }
func (l *lives) WatchEnded(now time.Duration, id int64, _ int32) { l.note(now, "watch ends", id) }
func (l *lives) Server(now time.Duration, e sim.ServerEvent, _ int32) {
	l.notes = append(l.notes, fmt.Sprint(now, " ", e))
}

// TestTracedClientsLeave: the one seat is taken. A client that leaves while its request waits
// takes it out of the queue; one that leaves while its request executes ends it.
func TestTracedClientsLeave(t *testing.T) {
	l := &lives{}
	cfg := sim.Config{Scheduler: smallServer(1, 5), Populations: []workload.Population{traced(t,
		line(time.Second, "get", ""),
		line(2*time.Second, "get", `,"left":"1.5s"`),
		line(2*time.Second, "get", `,"left":"4s"`),
		line(2*time.Second, "get", `,"left":"1h"`),
	)}}
	if _, err := sim.Run(&cfg, 0, l, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{"1s of 0 seats arrives 0", "2s of 0 seats arrives 1", "2s of 0 seats arrives 2", "2s of 0 seats arrives 3",
		"3.5s rejected 1", "5s ends 0", "6s ends 2", "10s ends 3"}
	if !slices.Equal(l.notes, want) {
		t.Errorf("got %q, want %q", l.notes, want)
	}
}

// TestTracedWatchesLive: a watch is open for as long as its line says, unless its server ends
// before; one without a life, or that is initialised after its end, ends with its initialisation.
func TestTracedWatchesLive(t *testing.T) {
	l := &lives{}
	cfg := sim.Config{
		Scheduler:  smallServer(9, 5),
		Operations: []sim.ServerOperation{{At: 20 * time.Second, Kind: sim.Drain}},
		Populations: []workload.Population{traced(t,
			line(time.Second, "watch", `,"life":"10s"`),
			line(2*time.Second, "watch", ""),
			line(3*time.Second, "watch", `,"life":"1s"`),
			line(4*time.Second, "watch", `,"life":"10m"`),
			line(15*time.Second, "get", ""),
		)},
		Duration: time.Hour,
	}
	if _, err := sim.Run(&cfg, 0, l, nil); err != nil {
		t.Fatal(err)
	}
	want := []string{"1s of 0 seats arrives 0", "2s of 0 seats arrives 1", "3s of 0 seats arrives 2", "4s of 0 seats arrives 3",
		"5s ends 0", "6s ends 1", "6s watch ends 1", "7s ends 2", "7s watch ends 2", "8s ends 3", "11s watch ends 0",
		"15s of 0 seats arrives 4", "19s ends 4", "20s draining", "20s watch ends 3"}
	if !slices.Equal(l.notes, want) {
		t.Errorf("got %q, want %q", l.notes, want)
	}
}

// TestTracedEndsLast: the one seat is taken until the client of a request that waits leaves, and
// another request arrives. The seat is free for both of them, unless the line says that what had it
// ended after that.
func TestTracedEndsLast(t *testing.T) {
	for _, c := range []struct {
		rest       string
		queue      int32
		resolution time.Duration
		want       []string
	}{
		{"", 5, 0, []string{"5s ends 0", "5s ends 1", "5s of 0 seats arrives 2", "9s ends 2"}},
		{`,"endsLast":true`, 5, 0, []string{"5s rejected 1", "5s of 0 seats arrives 2", "5s ends 0", "9s ends 2"}},
		{`,"endsLast":true`, 5, time.Microsecond, []string{"5s rejected 1", "5s of 0 seats arrives 2", "5s ends 0", "9s ends 2"}},
		{"", 0, 0, []string{"2s rejected 1", "5s ends 0", "5s of 0 seats arrives 2", "9s ends 2"}},
		{`,"endsLast":true`, 0, 0, []string{"2s rejected 1", "5s of 0 seats arrives 2", "5s rejected 2", "5s ends 0"}},
	} {
		l := &lives{}
		cfg := sim.Config{Scheduler: smallServer(1, c.queue), Resolution: c.resolution, Populations: []workload.Population{traced(t,
			line(time.Second, "get", c.rest),
			line(2*time.Second, "get", `,"left":"3s"`),
			line(5*time.Second, "get", ""),
		)}}
		if _, err := sim.Run(&cfg, 0, l, nil); err != nil {
			t.Fatal(err)
		}
		if got := l.notes[2:]; !slices.Equal(got, c.want) {
			t.Errorf("%q, queues of %d, %v: got %q, want %q", c.rest, c.queue, c.resolution, got, c.want)
		}
	}
}

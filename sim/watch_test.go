package sim_test

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// writes notes the final seats of the writes of the last population, by time.
type writes struct {
	sim.Silent
	world *sim.World
	seats map[time.Duration]int
}

func (o *writes) Start(w *sim.World) { o.world, o.seats = w, map[time.Duration]int{} }

func (o *writes) Arrived(now time.Duration, r *sim.Request) {
	if int(r.Population) == len(o.world.Config().Populations)-1 {
		o.seats[now] = r.Estimate.FinalSeats
	}
}

// each is a population that sends one request at each of these times.
func each(t testing.TB, name string, clients int, request workload.Template, every time.Duration) workload.Population {
	p := poisson(t, 1, time.Second)
	p.Name, p.Clients, p.User = name, clients, name+"-{index}"
	p.Requests = []workload.Template{request}
	p.Open, p.Duration = nil, constant(t, time.Millisecond)
	p.Closed = &workload.Closed{Concurrency: 1, Think: constant(t, every-time.Millisecond)}
	return p
}

// TestClientsKeepTheirWatchesOpen has 25 clients that ask for a watch every 10 s and a
// writer. A write to what 25 watches concern takes 3 final seats.
func TestClientsKeepTheirWatchesOpen(t *testing.T) {
	watch := workload.Template{Verb: "watch", Resource: "pods", Options: workload.RawOptions{ResourceVersion: "5"}}
	write := workload.Template{Verb: "update", Resource: "pods", Namespace: "default", Name: "x"}
	cfg := &sim.Config{
		Scheduler: oneLevel(),
		Populations: []workload.Population{
			each(t, "watcher", 25, watch, 10*time.Second),
			each(t, "writer", 1, write, 1501*time.Millisecond),
		},
		Duration: 40 * time.Second,
	}
	o := &writes{}
	if _, err := sim.Run(cfg, 0, o, nil); err != nil {
		t.Fatal(err)
	}
	for at, got := range o.seats {
		want := 0
		if at > 10*time.Second { // the first watches are asked for at 9.999 s
			want = 3
		}
		if got != want {
			t.Errorf("at %v a write takes %d final seats, want %d", at, got, want)
		}
	}
	if len(o.seats) < 20 {
		t.Errorf("only %d writes", len(o.seats))
	}
}

// TestAWatchThatIsRejectedIsNotOpen fills the only seat at 15 s, so that watches asked
// for again after that are rejected: the old ones have ended.
func TestAWatchThatIsRejectedIsNotOpen(t *testing.T) {
	watch := workload.Template{Verb: "watch", Resource: "pods", Options: workload.RawOptions{ResourceVersion: "5"}}
	write := workload.Template{Verb: "update", Resource: "pods", Namespace: "default", Name: "x"}
	blocker := burst(t, 1, time.Hour)
	arrivals := workload.Burst(15*time.Second, 1, 0)
	blocker.Name, blocker.Open = "blocker", &arrivals
	watchers := each(t, "watcher", 25, watch, 10*time.Second)
	watchers.Closed = nil
	spread := workload.Periodic(10*time.Second, 0)
	watchers.Open = &spread
	cfg := &sim.Config{
		Scheduler:   smallServer(1, 0),
		Populations: []workload.Population{watchers, blocker, each(t, "writer", 1, write, 29*time.Second)},
		Duration:    60 * time.Second,
	}
	o := &writes{}
	if _, err := sim.Run(cfg, 0, o, nil); err != nil {
		t.Fatal(err)
	}
	for at, got := range o.seats {
		if got != 0 {
			t.Errorf("at %v a write takes %d final seats though no watch is open any more", at, got)
		}
	}
	if len(o.seats) == 0 {
		t.Error("no writes")
	}
}

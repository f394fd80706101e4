package sim_test

import (
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/workload"
)

// TestASlowBackendLooksLikeALackOfSeats is kubernetes/website#42114: calls that take a second
// take a minute while the storage is sixty times slower. Four of them a second hold 240 seats
// then, and 4 before and after; APF has nothing to do with it.
func TestASlowBackendLooksLikeALackOfSeats(t *testing.T) {
	b := backend.Default(release.Last)
	b.CPU.Request, b.Etcd.Writes.Latency = us, time.Second
	b.CPU.Verbs, b.CPU.Encode, b.Etcd.Writes.Megabyte = nil, 0, 0
	b.Etcd.Writes.Concurrency = 1000
	b.Stalls = []backend.Stall{{At: 100 * time.Second, For: 200 * time.Second, Factor: 60_000}}
	every := workload.Periodic(250*time.Millisecond, 0)
	p := template(poisson(t, 1, time.Second), "create", workload.RawOptions{})
	p.Open, p.Duration = &every, workload.Distribution{}
	o := &seatsTaken{}
	cfg := &sim.Config{Scheduler: smallServer(1000, 50), Populations: []workload.Population{p}, Duration: 400 * time.Second, Backend: &b}
	if _, err := sim.Run(cfg, 0, o, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at         time.Duration
		least, max int
	}{{90 * time.Second, 4, 5}, {200 * time.Second, 239, 242}, {290 * time.Second, 239, 242}, {310 * time.Second, 4, 5}} {
		if n := o.executing[c.at]; n < c.least || n > c.max {
			t.Errorf("at %v %d execute, want %d to %d", c.at, n, c.least, c.max)
		}
	}
}

// seatsTaken counts what executes at each adjustment.
type seatsTaken struct {
	sim.Silent
	now       int
	executing map[time.Duration]int
}

func (o *seatsTaken) Start(*sim.World)                       { o.executing = map[time.Duration]int{} }
func (o *seatsTaken) Dispatched(time.Duration, *sim.Request) { o.now++ }
func (o *seatsTaken) Finished(time.Duration, *sim.Request)   { o.now-- }
func (o *seatsTaken) Adjusted(now time.Duration, _ int32)    { o.executing[now] = o.now }

// crowded is one API server pinned to one of five etcd members, which has to read 90,000
// objects of a namespace for each of two LISTs a second, and pods that are created meanwhile.
func crowded(t testing.TB) (*sim.Config, *backend.Config) {
	b := backend.Default(release.Last)
	zero := 0
	b.CPU.Cores = 16
	b.Etcd.Members, b.Etcd.Choice, b.Etcd.PinnedTo = 5, backend.Pinned, &zero
	// A LIST takes 90 ms for its keys and 1.44 s for its bytes: four at a time are 2.6 a second.
	b.Etcd.Reads.Concurrency = 4
	b.Memory.Limit = 0
	lists := template(poisson(t, 2, time.Second), "list", workload.RawOptions{ResourceVersion: "1", ResourceVersionMatch: "Exact"})
	lists.Name, lists.Duration = "lists", workload.Distribution{}
	lists.Requests[0].Namespace = "big"
	gets := template(poisson(t, 20, time.Second), "get", workload.RawOptions{})
	gets.Name, gets.Duration = "gets", workload.Distribution{}
	s := smallServer(5000, 50) // enough for LISTs of 100 seats
	s.Objects = []scheduler.ObjectCount{{Resource: "pods", Count: 90_000, AverageBytes: 2000}}
	return &sim.Config{Scheduler: s, Populations: []workload.Population{lists, gets}, Duration: 300 * time.Second, Warmup: 10 * time.Second, Seed: 1, Backend: &b}, &b
}

// getsTake returns the mean execution time of the GETs.
func getsTake(t *testing.T, cfg *sim.Config) float64 {
	t.Helper()
	var times []float64
	for _, r := range runEnds(t, cfg).finished {
		if r.Population == 1 && r.Arrival > cfg.Warmup {
			times = append(times, (r.Finished - r.Dispatched).Seconds())
		}
	}
	if len(times) < 1000 {
		t.Fatalf("%d requests are few", len(times))
	}
	return stat.Mean(times, nil)
}

// TestOneHotMember shows which cure helps how much when all LISTs of a large namespace are read
// from one member of five: spreading them over the members, smaller namespaces, the watch
// cache. Reads of one object stand in line behind them.
func TestOneHotMember(t *testing.T) {
	cures := map[string]func(*sim.Config, *backend.Config){
		"none":     func(*sim.Config, *backend.Config) {},
		"balanced": func(_ *sim.Config, b *backend.Config) { b.Etcd.Choice, b.Etcd.PinnedTo = backend.Balanced, nil },
		"namespaces": func(_ *sim.Config, b *backend.Config) {
			b.Objects.Namespaces = []backend.NamespaceObjects{{Resource: "pods", Namespace: "big", Count: 9000}}
		},
		"cache": func(c *sim.Config, _ *backend.Config) {
			c.Populations[0].Requests[0].Options = workload.RawOptions{ResourceVersion: "0"}
		},
	}
	took := map[string]float64{}
	names := []string{"none", "balanced", "namespaces", "cache"}
	for _, name := range names {
		cfg, b := crowded(t)
		cures[name](cfg, b)
		took[name] = getsTake(t, cfg)
		t.Logf("%-10s %.4g s", name, took[name])
	}
	// M/M/4 at a load of 0.77 waits for 0.9 s, M/D/4 for about half of that; without LISTs there is
	// next to no wait.
	if took["none"] < 0.3 {
		t.Errorf("without a cure a GET takes %v s, want 0.3 at least", took["none"])
	}
	for _, name := range names[1:] {
		if took[name] > took["none"]/20 {
			t.Errorf("%s: a GET takes %v s, want a twentieth of %v at most", name, took[name], took["none"])
		}
	}
	if !slices.IsSorted([]float64{took["cache"], took["namespaces"]}) {
		t.Errorf("the cache is worse than smaller namespaces: %v", took)
	}
}

// TestColdCache: up to 1.30 a LIST that is content with any version is read from storage while
// the watch cache is not filled, and costs what that takes; before and after, it is read from
// the cache, and etcd is not asked.
func TestColdCache(t *testing.T) {
	cfg, _ := crowded(t)
	cfg.Scheduler.Release = release.Version{Minor: 30}
	cfg.CacheFill = 60 * time.Second
	cfg.Operations = []sim.ServerOperation{{At: 100 * time.Second, Kind: sim.Stop}, {At: 110 * time.Second, Kind: sim.Start}}
	cfg.Populations = cfg.Populations[:1]
	cfg.Populations[0].Requests[0].Options = workload.RawOptions{ResourceVersion: "0"}
	cold := 0
	for _, r := range runEnds(t, cfg).finished {
		took := r.Finished - r.Dispatched
		if r.Dispatched >= 110*time.Second && r.Dispatched < 170*time.Second {
			cold++
			if took < 1500*time.Millisecond {
				t.Errorf("at %v a LIST takes %v with a cold cache, want the 1.5 s of storage at least", r.Dispatched, took)
			}
		} else if r.Dispatched > 200*time.Second && r.InStorage > 0 {
			t.Errorf("at %v a LIST asks etcd with a warm cache", r.Dispatched)
		}
	}
	if cold < 50 {
		t.Errorf("%d LISTs with a cold cache are few", cold)
	}
}

package sim_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/workload"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// plainBackend has one core and one member that reads and writes one thing at a time. A
// request takes 1 ms of CPU before and none after, a read 4 ms and a write 10 ms.
func plainBackend() *backend.Config {
	c := backend.Default(release.Last)
	c.CPU = backend.CPUConfig{Cores: 1, Request: ms}
	c.Etcd = backend.Etcd{
		Members: 1,
		Reads:   backend.Operations{Concurrency: 1, Latency: 4 * ms},
		Writes:  backend.Operations{Concurrency: 1, Latency: 10 * ms},
	}
	return &c
}

// template makes all requests of a population the same.
func template(p workload.Population, verb string, o workload.RawOptions) workload.Population {
	p.Requests = []workload.Template{{Verb: verb, Resource: "pods", Options: o, Weight: 1}}
	return p
}

// ends is an observer that keeps every request that was executed.
type ends struct {
	sim.Silent
	world    *sim.World
	finished []sim.Request
	events   []string
	cut      int
	rejected int
}

func (o *ends) Start(w *sim.World)                       { o.world = w }
func (o *ends) Finished(_ time.Duration, r *sim.Request) { o.finished = append(o.finished, *r) }
func (o *ends) Cut(time.Duration, *sim.Request)          { o.cut++ }
func (o *ends) Rejected(time.Duration, *sim.Request)     { o.rejected++ }
func (o *ends) Server(now time.Duration, e sim.ServerEvent, server int32) {
	o.events = append(o.events, now.String()+" "+e.String())
}

// at returns when each request was finished.
func (o *ends) at() []time.Duration {
	var at []time.Duration
	for i := range o.finished {
		at = append(at, o.finished[i].Finished)
	}
	return at
}

func runEnds(t *testing.T, cfg *sim.Config) *ends {
	t.Helper()
	o := &ends{}
	if _, err := sim.Run(cfg, 0, o, nil); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestStagesOfARequest has requests that come at once and share the core, then stand in line
// for the storage.
func TestStagesOfARequest(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		name  string
		verb  string
		n     int
		own   time.Duration
		after time.Duration // CPU per object
		want  []time.Duration
	}{
		{"read, alone", "get", 1, 0, 0, []time.Duration{5 * ms}},
		{"read, with work after it", "get", 1, 0, 2 * ms, []time.Duration{7 * ms}},
		{"read, with time of its own", "get", 1, 3 * ms, 0, []time.Duration{8 * ms}},
		// Both have the core until 2 ms.
		{"two reads", "get", 2, 0, 0, []time.Duration{6 * ms, 10 * ms}},
		// The first one is alone on the core with its 2 ms after the read, from 6 to 8; the
		// second one from 10 to 12.
		{"two reads, with work after them", "get", 2, 0, 2 * ms, []time.Duration{8 * ms, 12 * ms}},
		{"two writes", "create", 2, 0, 0, []time.Duration{12 * ms, 22 * ms}},
		{"a read and a write", "delete", 1, 0, 0, []time.Duration{15 * ms}},
		{"nothing of the storage", "post", 3, 0, 0, []time.Duration{3 * ms, 3 * ms, 3 * ms}},
	} {
		b := plainBackend()
		b.CPU.Object = c.after
		p := template(burst(t, c.n, c.own), c.verb, workload.RawOptions{})
		if c.verb == "post" {
			p.Requests = []workload.Template{{Verb: "post", Path: "/version", Weight: 1}}
		}
		p.Duration = workload.Distribution{}
		if c.own > 0 {
			p.Duration = constant(t, c.own)
		}
		o := runEnds(t, &sim.Config{Scheduler: smallServer(5, 5), Populations: []workload.Population{p}, Duration: 10 * second, Backend: b})
		for i := range c.want {
			c.want[i] += second
		}
		if got := o.at(); !slices.Equal(got, c.want) {
			t.Errorf("%s: finished at %v, want %v", c.name, got, c.want)
		}
		for i := range o.finished {
			if r := &o.finished[i]; c.n == 1 && r.Alone != r.Finished-r.Dispatched {
				t.Errorf("%s: %v alone, and it took %v", c.name, r.Alone, r.Finished-r.Dispatched)
			}
		}
	}
}

// TestSeatsAndBackend holds that a request which waits for the storage holds its seat: the
// third one is not dispatched before the first one is done.
func TestSeatsAndBackend(t *testing.T) {
	p := template(burst(t, 3, 0), "get", workload.RawOptions{})
	o := runEnds(t, &sim.Config{Scheduler: smallServer(2, 5), Populations: []workload.Population{p}, Duration: 10 * time.Second, Backend: plainBackend()})
	if len(o.finished) != 3 || o.finished[2].Dispatched != o.finished[0].Finished {
		t.Fatalf("the third of %d requests was dispatched at %v, want when the first one was done", len(o.finished), o.finished[2].Dispatched)
	}
	// The second one has been at etcd since 2 ms, and waits there for 4 ms before its own 4.
	if got := o.finished[1].InStorage; got != 8*ms {
		t.Errorf("the second one was at the storage for %v, want 8ms", got)
	}
}

// TestRejectionsCostCPU has 40 requests of which 5 execute and 5 wait: 30 rejections of 100 µs
// take the core from those that execute.
func TestRejectionsCostCPU(t *testing.T) {
	b := plainBackend()
	b.CPU.Rejected = 100 * us
	p := template(burst(t, 40, 0), "get", workload.RawOptions{})
	o := runEnds(t, &sim.Config{Scheduler: smallServer(5, 5), Populations: []workload.Population{p}, Duration: 10 * time.Second, Backend: b})
	if o.rejected != 30 || len(o.finished) != 10 {
		t.Fatalf("%d are rejected and %d finished", o.rejected, len(o.finished))
	}
	load, _ := o.world.MachineLoad(0)
	if want := 10*ms + 30*100*us; load.Used != want {
		t.Errorf("%v of CPU, want %v", load.Used, want)
	}
	// 35 jobs share the core until the small ones have had their 100 µs, at 3.5 ms; the other
	// five lack 900 µs each then.
	if first := o.finished[0].Finished - time.Second; first != 3500*us+4500*us+4*ms {
		t.Errorf("the first one took %v", first)
	}
}

// TestStalledStorage lets etcd stand still, and become slow.
func TestStalledStorage(t *testing.T) {
	b := plainBackend()
	b.Stalls = []backend.Stall{
		{At: time.Second + 3*ms, For: 60 * time.Second},
		{At: 61*time.Second + 3*ms, For: time.Second, Factor: 10_000},
	}
	p := template(burst(t, 2, 0), "get", workload.RawOptions{})
	cfg := &sim.Config{Scheduler: smallServer(5, 5), Populations: []workload.Population{p}, Duration: 100 * time.Second, Backend: b}
	// The first read begins at 2 ms and has 3 ms left at the stop, which are 30 ms then.
	want := []time.Duration{61*time.Second + 33*ms, 61*time.Second + 73*ms}
	if got := runEnds(t, cfg).at(); !slices.Equal(got, want) {
		t.Errorf("finished at %v, want %v", got, want)
	}
	cfg.Populations[0].Deadline = workload.DeadlineStops
	cfg.Scheduler.RequestTimeout = 30 * time.Second
	o := runEnds(t, cfg)
	for i := range o.finished {
		if r := &o.finished[i]; r.Finished != 31*time.Second || r.Status != workload.TimedOut {
			t.Errorf("request %d is %v at %v, want timed out at 31s", i, r.Status, r.Finished)
		}
	}
	if load := o.world.MemberLoad(0); len(o.finished) != 2 || load.Reads.Serving+load.Reads.Waiting != 0 {
		t.Errorf("%d are finished, and the storage has %+v", len(o.finished), load.Reads)
	}
}

// listing is a server with pods of 10 MB in all, each LIST of which holds 50 MB from storage.
func listing(t testing.TB, n int) (*sim.Config, *backend.Config) {
	b := plainBackend()
	b.Etcd.Reads.Concurrency = 100
	b.Memory = backend.MemoryConfig{Base: 100e6, Limit: 300e6, StorageFactor: 5, CacheFactor: 2, Startup: 5 * time.Second}
	p := template(burst(t, n, time.Second), "list", workload.RawOptions{ResourceVersion: "5", ResourceVersionMatch: "Exact"})
	s := smallServer(2000, 5)
	s.Objects = []scheduler.ObjectCount{{Resource: "pods", Count: 1000, AverageBytes: 10_000}}
	return &sim.Config{Scheduler: s, Populations: []workload.Population{p}, Duration: 20 * time.Second, Backend: b}, b
}

// TestMemory holds the peak: four answers of 50 MB are what the limit allows, five are not.
func TestMemory(t *testing.T) {
	cfg, _ := listing(t, 4)
	o := runEnds(t, cfg)
	load, ok := o.world.MachineLoad(0)
	if !ok || load.Peak != 300e6 || load.Kills != 0 || load.Held != 0 || len(o.finished) != 4 {
		t.Errorf("%d are finished, the load is %+v", len(o.finished), load)
	}

	cfg, _ = listing(t, 5)
	o = runEnds(t, cfg)
	load, _ = o.world.MachineLoad(0)
	if load.Kills != 1 || load.Memory != 100e6 || load.Peak != 350e6 || o.cut != 5 || len(o.finished) != 0 {
		t.Errorf("%d are finished and %d cut, the load is %+v", len(o.finished), o.cut, load)
	}
	// All five have their CPU until 5 ms and their objects at 9 ms.
	want := []string{"1.009s out-of-memory", "1.009s stopped", "6.009s started", "6.009s cache-ready"}
	if !slices.Equal(o.events, want) {
		t.Errorf("the server: %q, want %q", o.events, want)
	}
}

// TestCachedListsAreStreamed holds that LISTs from the watch cache take a megabyte each where
// they are streamed, and all of it where they are not.
func TestCachedListsAreStreamed(t *testing.T) {
	for streamed, want := range map[bool]int64{true: 110e6, false: 300e6} {
		cfg, b := listing(t, 10)
		b.Memory.Streamed, b.Memory.Limit = streamed, 0
		cfg.Populations[0].Requests[0].Options = workload.RawOptions{ResourceVersion: "0"}
		if load, _ := runEnds(t, cfg).world.MachineLoad(0); load.Peak != want {
			t.Errorf("streamed %v: a peak of %d, want %d", streamed, load.Peak, want)
		}
	}
}

// TestTheKubeletBacksOff has five LISTs each ten seconds, which kill the server each time that
// it is there: the pauses between restarts are 0, 10, 20 and 40 s, and 5 s for each start.
func TestTheKubeletBacksOff(t *testing.T) {
	cfg, _ := listing(t, 5)
	cfg.Duration = 3 * time.Minute
	p := cfg.Populations[0]
	cfg.Populations = nil
	for i := range 17 {
		q, at := p, workload.Burst(time.Duration(1+10*i)*time.Second, 5, 0)
		q.Name, q.Open = string(rune('a'+i)), &at
		cfg.Populations = append(cfg.Populations, q)
	}
	var kills []string
	for _, e := range runEnds(t, cfg).events {
		if len(e) > 14 && e[len(e)-13:] == "out-of-memory" {
			kills = append(kills, e)
		}
	}
	// Killed at 1, up at 6; at 11, up at 26; at 31, up at 56; at 61, up at 106; at 111.
	want := []string{"1.009s out-of-memory", "11.009s out-of-memory", "31.009s out-of-memory", "1m1.009s out-of-memory", "1m51.009s out-of-memory"}
	if !slices.Equal(kills, want) {
		t.Errorf("kills: %q, want %q", kills, want)
	}
}

// TestMachinesOfTheirOwn holds that two servers share the storage and not their cores.
func TestMachinesOfTheirOwn(t *testing.T) {
	p := template(burst(t, 1, 0), "get", workload.RawOptions{})
	p.Clients = 2
	o := runEnds(t, &sim.Config{Scheduler: smallServer(5, 5), Servers: 2, Populations: []workload.Population{p}, Duration: 10 * time.Second, Backend: plainBackend(),
		Balancer: &balance.Config{Policy: balance.RoundRobin}})
	if want := []time.Duration{time.Second + 5*ms, time.Second + 9*ms}; !slices.Equal(o.at(), want) {
		t.Errorf("finished at %v, want %v", o.at(), want)
	}
	if o.finished[0].Server == o.finished[1].Server {
		t.Errorf("both requests went to server %d", o.finished[0].Server)
	}
}

// TestProcessorSharingBehindAPF compares the execution times behind a level that holds nobody
// back with M/G/1 processor sharing: their mean is that of the work over 1 - rho.
func TestProcessorSharingBehindAPF(t *testing.T) {
	const rho, work = 0.6, 5 * ms
	b := plainBackend()
	b.CPU.Request = work
	p := poisson(t, rho/work.Seconds(), time.Second)
	p.Requests = []workload.Template{{Verb: "get", Path: "/version", Weight: 1}}
	p.Duration = workload.Distribution{}
	cfg := &sim.Config{Scheduler: oneLevel(), Populations: []workload.Population{p}, Duration: 60 * time.Second, Seed: 1, Backend: b}
	var means, used []float64
	for replication := range 20 {
		o := &ends{}
		if _, err := sim.Run(cfg, replication, o, nil); err != nil {
			t.Fatal(err)
		}
		sum := time.Duration(0)
		for i := range o.finished {
			sum += o.finished[i].Finished - o.finished[i].Dispatched
		}
		load, _ := o.world.MachineLoad(0)
		means = append(means, sum.Seconds()/float64(len(o.finished)))
		used = append(used, load.Used.Seconds()/60)
	}
	within(t, "mean execution in seconds", means, work.Seconds()/(1-rho))
	within(t, "utilization", used, rho)
}

// TestABackendIsChecked holds that faults of the backend are told as such.
func TestABackendIsChecked(t *testing.T) {
	b := plainBackend()
	b.CPU.Cores = 0
	_, err := sim.Run(&sim.Config{Scheduler: smallServer(1, 1), Populations: []workload.Population{burst(t, 1, time.Second)}, Duration: time.Second, Backend: b}, 0, sim.Silent{}, nil)
	if want := "backend: cpu.cores: 0 is out of range; legal: a number from 0.001 to 1e+06"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// drawBackend draws machines that have little of everything, and stalls.
func drawBackend(r *rand.Rand, servers int) *backend.Config {
	b := backend.Default(release.Last)
	b.CPU.Cores = 0.1 + r.Float64()
	b.CPU.Rejected = time.Duration(r.IntN(2)) * ms
	b.Etcd.Members = 1 + r.IntN(3)
	b.Etcd.Choice = backend.Choice(r.IntN(2))
	b.Etcd.Reads.Concurrency, b.Etcd.Writes.Concurrency = 1+r.IntN(4), 1+r.IntN(4)
	b.Memory.Base, b.Memory.Limit = 0, 1<<20+r.Int64N(20<<20)
	b.Memory.Streamed = r.IntN(2) == 0
	for range r.IntN(4) {
		only := r.IntN(min(servers, b.Etcd.Members))
		b.Stalls = append(b.Stalls, backend.Stall{
			At: time.Duration(r.IntN(40)) * time.Second, For: time.Duration(1+r.IntN(10)) * time.Second,
			Of: backend.Part(r.IntN(2)), Only: []*int{nil, &only}[r.IntN(2)],
			Factor: []backend.Factor{backend.Stopped, 1500, 60_000}[r.IntN(3)],
		})
	}
	return &b
}

// machine holds the machine of a server against what executes there.
func (b *books) machine(server int32) {
	load, ok := b.world.MachineLoad(server)
	if !ok {
		return
	}
	executing := b.executing[server]
	if load.Answers > executing || load.Held < 0 || (load.Answers == 0) != (load.Held == 0) {
		b.wrong("server %d holds %d bytes for %d answers, while %d requests execute", server, load.Held, load.Answers, executing)
	}
	if executing == 0 && load.Held != 0 {
		b.wrong("server %d holds %d bytes for nobody", server, load.Held)
	}
	if load.Used > time.Duration(float64(b.now)*float64(load.Cores)/1000)+1 {
		b.wrong("server %d has used %v on %d thousandths of cores", server, load.Used, load.Cores)
	}
	if b.world.Config().Backend.CPU.Rejected == 0 && load.Jobs > executing {
		b.wrong("server %d has %d jobs, while %d requests execute", server, load.Jobs, executing)
	}
}

// TestATraceBehindABackend takes the durations of the trace as time of their own, after the
// rest, and ends with its last request, whatever stalls lie ahead.
func TestATraceBehindABackend(t *testing.T) {
	b := plainBackend()
	b.Stalls = []backend.Stall{{At: time.Hour, For: time.Hour}}
	o := &ends{}
	summary, err := sim.Run(&sim.Config{
		Scheduler: smallServer(5, 5), Backend: b,
		Populations: []workload.Population{traced(t, brief("1s", "20ms"), brief("1s", "0s"))},
	}, 0, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Both have their CPU at 2 ms and read one after the other, until 6 and 10.
	if want := []time.Duration{time.Second + 10*ms, time.Second + 26*ms}; !slices.Equal(o.at(), want) || summary.End != want[1] {
		t.Errorf("finished at %v, want %v; the run ends at %v", o.at(), want, summary.End)
	}
}

// TestACallBehindABackend holds that a caller's own work begins after its call, which takes the
// storage and the core too.
func TestACallBehindABackend(t *testing.T) {
	webhook := template(burst(t, 1, 0), "get", workload.RawOptions{})
	webhook.Name, webhook.Open, webhook.Called, webhook.Duration = "webhook", nil, true, workload.Distribution{}
	p := template(burst(t, 1, 0), "create", workload.RawOptions{})
	p.Duration = workload.Distribution{}
	p.Requests[0].Calls = []workload.Call{{Population: "webhook", Count: 1}}
	o := runEnds(t, &sim.Config{Scheduler: smallServer(5, 5), Populations: []workload.Population{p, webhook}, Duration: 10 * time.Second, Backend: plainBackend()})
	if want := []time.Duration{time.Second + 5*ms, time.Second + 16*ms}; !slices.Equal(o.at(), want) {
		t.Errorf("finished at %v, want %v", o.at(), want)
	}
}

// TestATraceDoesNotWaitForNobody has a read that would take an hour and is given up: the run
// ends then.
func TestATraceDoesNotWaitForNobody(t *testing.T) {
	b := plainBackend()
	b.Etcd.Reads.Latency = time.Hour
	p := traced(t, brief("1s", "0s"))
	p.Deadline = workload.DeadlineStops
	summary, err := sim.Run(&sim.Config{Scheduler: smallServer(5, 5), Backend: b, Populations: []workload.Population{p}}, 0, sim.Silent{}, nil)
	if want := time.Second + smallServer(5, 5).RequestTimeout; err != nil || summary.End != want {
		t.Errorf("the run ends at %v, %v; want %v", summary.End, err, want)
	}
}

// TestAServerThatStopsLeavesAnEmptyMachine: what it owed to rejected requests is gone, too.
func TestAServerThatStopsLeavesAnEmptyMachine(t *testing.T) {
	b := plainBackend()
	b.CPU.Rejected = time.Second
	p := template(burst(t, 40, 0), "get", workload.RawOptions{})
	o := runEnds(t, &sim.Config{
		Scheduler: smallServer(5, 5), Populations: []workload.Population{p}, Duration: 10 * time.Second, Backend: b,
		Operations: []sim.ServerOperation{{At: 1500 * ms, Kind: sim.Stop}, {At: 3 * time.Second, Kind: sim.Start}},
	})
	if load, _ := o.world.MachineLoad(0); load.Jobs != 0 || load.Used != 500*ms {
		t.Errorf("%d jobs are left, and %v of CPU were used, want none and 500ms", load.Jobs, load.Used)
	}
}

// TestAStartSavesNobody has a server that is stopped and started at the nanosecond at which its
// memory is exceeded: the new process is not killed for the old one.
func TestAStartSavesNobody(t *testing.T) {
	cfg, _ := listing(t, 5)
	at := time.Second + 9*ms
	cfg.Operations = []sim.ServerOperation{{At: at, Kind: sim.Stop}, {At: at, Kind: sim.Start}}
	o := runEnds(t, cfg)
	want := []string{"1.009s stopped", "1.009s started", "1.009s cache-ready"}
	if load, _ := o.world.MachineLoad(0); !slices.Equal(o.events, want) || load.Kills != 0 {
		t.Errorf("the server: %q and %d kills, want %q and none", o.events, load.Kills, want)
	}
}

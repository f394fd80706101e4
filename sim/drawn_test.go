package sim_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

var drawnWorlds = flag.Int("worlds", 12, "how many drawn worlds TestDrawnWorlds runs")

// TestDrawnWorlds runs worlds with everything in them, drawn at random: several servers that
// stop, drain and start, backends, all kinds of clients, calls, limits and deadlines. An
// observer holds every request, errand and seat against the rules; the same world runs twice
// to the same fingerprint.
func TestDrawnWorlds(t *testing.T) {
	for seed := range uint64(*drawnWorlds) {
		cfg := drawWorld(rand.New(rand.NewPCG(seed, 4)), t)
		a, b := newBooks(t, seed), newBooks(t, seed)
		first, err := sim.Run(&cfg, 0, a, nil)
		if err != nil {
			t.Fatalf("world %d: %v", seed, err)
		}
		second, err := sim.Run(&cfg, 0, b, nil)
		if err != nil || first != second {
			t.Fatalf("world %d: %+v, and the second time %+v, %v", seed, first, second, err)
		}
		if t.Failed() {
			return
		}
	}
}

// drawWorld draws a configuration.
func drawWorld(r *rand.Rand, t testing.TB) sim.Config {
	server := oneLevel()
	server.Seats = 4 + r.IntN(30)
	server.Release = []release.Version{version(t, "1.21"), version(t, "1.28.4"), version(t, "1.30"), {}}[r.IntN(4)]
	server.FlowSchemas[0].Distinguisher = scheduler.ByUser
	server.PriorityLevels[2].Queuing = []*scheduler.Queuing{
		nil, {Queues: 1, HandSize: 1, QueueLengthLimit: 5}, {Queues: 16, HandSize: 4, QueueLengthLimit: 10},
	}[r.IntN(3)]
	server.Objects = []scheduler.ObjectCount{{Resource: "pods", Count: int64(r.IntN(5000)), AverageBytes: 2000}}
	cfg := sim.Config{
		Scheduler: server, Servers: 1 + r.IntN(3), Duration: 45 * time.Second, Seed: r.Uint64(),
		CacheFill: time.Duration(r.IntN(10)) * time.Second,
	}
	at := time.Duration(0)
	for range r.IntN(8) {
		at += time.Duration(r.IntN(12_000)) * time.Millisecond
		cfg.Operations = append(cfg.Operations, sim.ServerOperation{
			At: at, Server: int32(r.IntN(cfg.Servers)), Kind: sim.OperationKind(r.IntN(3)),
		})
	}
	if r.IntN(3) == 0 {
		cfg.Backend = drawBackend(r, cfg.Servers)
	}
	for i := range 2 + r.IntN(5) {
		cfg.Populations = append(cfg.Populations, drawPopulation(r, t, fmt.Sprintf("p%d", i)))
	}
	drawCalls(r, t, &cfg)
	drawMachines(r, t, &cfg)
	drawRouting(r, t, &cfg)
	return cfg
}

// drawMachines adds clients that are state machines.
func drawMachines(r *rand.Rand, t testing.TB, cfg *sim.Config) {
	for i, b := range []workload.Behaviour{
		workload.Informer{Over: 3 * time.Second},
		workload.Heartbeat{LeaseInterval: 2 * time.Second, StatusInterval: 20 * time.Second, UpdateInterval: 5 * time.Second, GracePeriod: 8 * time.Second, MonitorPeriod: time.Second},
		workload.Controller{Workers: 3, Rate: 5, Initial: 20, Keys: 50},
		workload.Recorder{Rate: 5, Objects: 10, Messages: 3, Aggregate: true},
	} {
		if r.IntN(2) == 0 {
			continue
		}
		p := drawPopulation(r, t, fmt.Sprintf("m%d", i))
		p.Open, p.Closed, p.Behaviour = nil, nil, b
		switch list, watch, update, get := p.Requests[0], p.Requests[1], p.Requests[2], p.Requests[3]; i {
		case 0:
			p.Requests = []workload.Template{list, watch}
		case 1:
			p.Requests = []workload.Template{update, get}
		case 2:
			p.Requests = []workload.Template{get, update}
		case 3:
			update.Verb = "create"
			p.Requests = []workload.Template{update}
		}
		cfg.Populations = append(cfg.Populations, p)
	}
}

// drawRouting puts a balancer and a gateway before the servers.
func drawRouting(r *rand.Rand, t testing.TB, cfg *sim.Config) {
	if r.IntN(3) > 0 {
		cfg.Balancer = &balance.Config{
			Policy: balance.Policy(r.IntN(4)), Per: balance.Scope(r.IntN(2)), Streams: 1 + r.IntN(5),
			GoawayChance: 0.02 * r.Float64(), IdleTimeout: time.Duration(1+r.IntN(5)) * time.Second,
		}
		if r.IntN(2) == 0 {
			cfg.Balancer.Health = balance.Health{Interval: time.Second, UnhealthyAfter: 2, HealthyAfter: 1,
				Sees: []balance.View{{At: 20 * time.Second, Servers: []int{0}}, {At: 25 * time.Second}}}
		}
	}
	if r.IntN(2) == 0 {
		cfg.Gateway = &gateway.Config{
			Latency: gateway.Latency{There: constant(t, time.Duration(r.IntN(2))*time.Millisecond), Back: constant(t, time.Duration(r.IntN(2))*time.Millisecond)},
			Rules: []gateway.Rule{
				{Name: "p0", Match: gateway.Match{Users: []string{"p0-*"}}, Rate: &gateway.Rate{QPS: 5, Burst: 10, Per: gateway.PerUser}},
				{Name: "writes", Match: gateway.Match{Verbs: []string{"update"}}, InFlight: &gateway.InFlight{Limit: 1 + r.IntN(5)}, Servers: []int{0}, Refuse: gateway.ServiceUnavailable},
			},
			Phases: []gateway.Phase{{At: 30 * time.Second}, {At: 33 * time.Second, Admit: []string{"writes"}}, {At: 36 * time.Second, All: true, Over: 4 * time.Second}},
		}
	}
}

// drawPopulation draws clients that send by themselves.
func drawPopulation(r *rand.Rand, t testing.TB, name string) workload.Population {
	p := poisson(t, 1+20*r.Float64(), time.Duration(1+r.IntN(300))*time.Millisecond)
	p.Name, p.User, p.Clients = name, name+"-{index}", 1+r.IntN(6)
	p.Requests = []workload.Template{
		{Verb: "list", Resource: "pods", Weight: 1, Options: workload.RawOptions{ResourceVersion: []string{"", "0"}[r.IntN(2)], Limit: int64(500 * r.IntN(2))}},
		{Verb: "watch", Resource: "pods", Weight: 1},
		{Verb: "update", Resource: "pods", Namespace: "default", Name: "x", Weight: 4},
		{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 4, Timeout: time.Duration(r.IntN(5)) * time.Second},
	}
	p.Retry = workload.Retry{Policy: workload.RetryPolicy(r.IntN(3)), MaxRetries: r.IntN(5)}
	p.Deadline = workload.Deadline(r.IntN(3))
	p.Timeout = time.Duration(r.IntN(2)*r.IntN(4000)) * time.Millisecond
	if r.IntN(3) == 0 {
		p.Limiter = &limiter.Limiter{QPS: float32(1 + r.IntN(20)), Burst: 1 + r.IntN(20)}
	}
	switch r.IntN(4) {
	case 0:
		p.Open = nil
		p.Closed = &workload.Closed{Concurrency: 1 + r.IntN(4), Think: constant(t, time.Duration(1+r.IntN(200))*time.Millisecond)}
	case 1:
		burst := workload.Burst(time.Duration(r.IntN(20))*time.Second, 1+r.IntN(60), time.Duration(r.IntN(3))*time.Second)
		p.Open = &burst
	}
	return p
}

// drawCalls lets some requests call for others, in one direction, so that they end.
func drawCalls(r *rand.Rand, t testing.TB, cfg *sim.Config) {
	if r.IntN(2) == 0 {
		return
	}
	webhook := drawPopulation(r, t, "webhook")
	webhook.Open, webhook.Closed, webhook.Called = nil, nil, true
	webhook.Requests = webhook.Requests[3:]
	for i := range cfg.Populations {
		if r.IntN(2) == 0 {
			cfg.Populations[i].Requests[2].Calls = []workload.Call{{
				Population: "webhook", Count: 1 + r.IntN(3), Parallel: r.IntN(2) == 0, Ignore: r.IntN(2) == 0,
				Timeout: time.Duration(r.IntN(3)) * time.Second,
			}}
		}
	}
	cfg.Populations = append(cfg.Populations, webhook)
}

// life is where a request has come to.
type life uint8

const (
	arrived life = iota + 1
	dispatched
	finished
)

// books are an observer that holds what it is told against the rules.
type books struct {
	sim.Silent
	t     testing.TB
	seed  uint64
	world *sim.World
	now   time.Duration
	at    map[int64]life // by id, until its seats are free
	// seats are those that should be in use, by server and level.
	seats map[[2]int32]int
	// executing counts the requests that execute, by server.
	executing map[int32]int
}

func newBooks(t testing.TB, seed uint64) *books {
	return &books{t: t, seed: seed, at: map[int64]life{}, seats: map[[2]int32]int{}, executing: map[int32]int{}}
}

func (b *books) wrong(format string, args ...any) {
	b.t.Helper()
	b.t.Errorf("world %d at %v: %s", b.seed, b.now, fmt.Sprintf(format, args...))
}

func (b *books) Start(w *sim.World) { b.world = w }

// tick notes the time, which never goes back.
func (b *books) tick(now time.Duration) {
	if now < b.now {
		b.wrong("time goes back to %v", now)
	}
	b.now = now
}

// step moves a request from one of some places to another.
func (b *books) step(now time.Duration, r *sim.Request, to life, from ...life) {
	b.tick(now)
	if was := b.at[r.ID]; !slices.Contains(from, was) {
		b.wrong("request %d goes from %d to %d", r.ID, was, to)
	}
	b.at[r.ID] = to
	if to == 0 {
		delete(b.at, r.ID)
	}
}

// use changes the seats that should be in use. Exempt requests of releases that do not
// count them have none.
func (b *books) use(r *sim.Request, seats int) {
	if r.Level >= 0 {
		b.seats[[2]int32{r.Server, r.Level}] += seats
	}
}

func (b *books) Arrived(now time.Duration, r *sim.Request) {
	b.step(now, r, arrived, 0)
	if r.Server < 0 || int(r.Server) >= b.world.Servers() || !b.world.Up(r.Server) {
		b.wrong("request %d arrives at server %d", r.ID, r.Server)
	}
}

func (b *books) Dispatched(now time.Duration, r *sim.Request) {
	b.step(now, r, dispatched, arrived)
	b.executing[r.Server]++
	b.use(r, r.Estimate.Width())
	if r.Wait() < 0 || r.Level >= 0 && r.WaitLimit > 0 && r.Wait() > r.WaitLimit && b.world.ServerAt(r.Server).Profile().Waiting.Expired != 0 && !b.world.ServerAt(r.Server).Profile().Waiting.LimitedAtArrival {
		b.wrong("request %d has waited for %v of %v", r.ID, r.Wait(), r.WaitLimit)
	}
}

func (b *books) Rejected(now time.Duration, r *sim.Request) { b.step(now, r, 0, arrived) }

func (b *books) Finished(now time.Duration, r *sim.Request) {
	b.step(now, r, finished, dispatched)
	b.executing[r.Server]--
	if r.Level < 0 {
		delete(b.at, r.ID) // nothing lingers
	}
}

func (b *books) Released(now time.Duration, r *sim.Request) {
	b.step(now, r, 0, finished)
	b.use(r, -r.Estimate.Width())
}

func (b *books) Cut(now time.Duration, r *sim.Request) {
	if b.at[r.ID] == dispatched {
		b.executing[r.Server]--
	}
	b.step(now, r, 0, arrived, dispatched, finished)
}

func (b *books) Refused(now time.Duration, r *sim.Request, _ sim.Refusal) {
	b.tick(now)
	if r.Finished != now || r.Dispatched >= 0 {
		b.wrong("a refused request was dispatched at %v and ended at %v", r.Dispatched, r.Finished)
	}
}

func (b *books) Concluded(now time.Duration, o *sim.Operation) {
	b.tick(now)
	def := &b.world.Config().Populations[o.Population]
	took := now - o.Began
	if o.Attempts < 0 || took < 0 || o.Throttled < 0 || o.Paused < 0 || o.Throttled+o.Paused > took {
		b.wrong("an errand of %s ends with %+v after %v", def.Name, *o, took)
	}
	// Patience begins when the limiter lets the first attempt pass.
	if def.Timeout > 0 && took-o.Throttled > def.Timeout {
		b.wrong("a client of %s with a patience of %v is told after %v: %+v", def.Name, def.Timeout, took, *o)
	}
	if def.Retry.Policy == workload.RetryNone && o.Attempts > 1 {
		b.wrong("a client of %s tries %d times", def.Name, o.Attempts)
	}
}

func (b *books) Server(now time.Duration, e sim.ServerEvent, server int32) {
	b.tick(now)
	if e == sim.ServerStopped {
		for key := range b.seats {
			if key[0] == server {
				delete(b.seats, key)
			}
		}
	}
}

func (b *books) Adjusted(now time.Duration, server int32) {
	b.tick(now)
	b.machine(server)
	for i := range b.world.ServerAt(server).Levels() {
		got := b.world.ServerAt(server).LevelState(i).SeatsInUse
		if want := b.seats[[2]int32{server, int32(i)}]; got != want {
			b.wrong("server %d has %d seats of level %d in use, should be %d", server, got, i, want)
		}
	}
}

package sim_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
	"pgregory.net/rapid"
)

// sent is one attempt as its client sends it, and the server that it came to.
type sent struct {
	at        time.Duration
	client    int32
	attempt   int32
	execution time.Duration
	server    int32
}

// tracker is an observer that keeps what each population sends, and to which server.
type tracker struct {
	sim.Silent
	world   *sim.World
	sent    map[string][]sent
	refused map[sim.Refusal]int
	// left is what the balancer and the gateway still hold at the end.
	left []int
}

func (o *tracker) Start(w *sim.World) {
	o.world, o.sent, o.refused = w, map[string][]sent{}, map[sim.Refusal]int{}
}

func (o *tracker) note(now time.Duration, r *sim.Request) {
	name := o.world.Config().Populations[r.Population].Name
	o.sent[name] = append(o.sent[name], sent{now, r.Client, r.Attempt, r.Execution, r.Server})
}

func (o *tracker) Arrived(now time.Duration, r *sim.Request) { o.note(now, r) }

func (o *tracker) Refused(now time.Duration, r *sim.Request, why sim.Refusal) {
	o.note(now, r)
	o.refused[why]++
}

func (o *tracker) End(time.Duration, bool) {
	if b := o.world.Balancer(); b != nil {
		for s := range b.Servers() {
			o.left = append(o.left, b.Active(s))
		}
	}
	if g := o.world.Gateway(); g != nil {
		for rule := range g.Rules() {
			o.left = append(o.left, g.InFlight(int32(rule)))
		}
	}
}

func track(t testing.TB, cfg *sim.Config) (*tracker, sim.Summary) {
	t.Helper()
	o := &tracker{}
	summary, err := sim.Run(cfg, 0, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o, summary
}

// servers counts the requests of a population by server.
func (o *tracker) servers(population string, n int) []int {
	counts := make([]int, n)
	for _, s := range o.sent[population] {
		counts[s.server]++
	}
	return counts
}

// offered leaves the servers out: what a population sends.
func (o *tracker) offered(population string) []sent {
	all := slices.Clone(o.sent[population])
	for i := range all {
		all[i].server = 0
	}
	return all
}

// crowd is a population of open clients with random arrivals and durations.
func crowd(t testing.TB, name string, clients int, rate float64) workload.Population {
	p := poisson(t, rate, 20*time.Millisecond)
	p.Name, p.Clients, p.User = name, clients, name+"-{index}"
	return p
}

// TestArrivalsAreTheSame holds that neither servers nor a gateway, a rule more, a balancer of
// another kind or another population change what the clients of a population send.
func TestArrivalsAreTheSame(t *testing.T) {
	base := sim.Config{Scheduler: oneLevel(), Populations: []workload.Population{crowd(t, "a", 5, 20)}, Duration: 5 * time.Second}
	alone, _ := track(t, &base)
	latency, err := workload.Exponential(time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	rules := []gateway.Rule{{Name: "r", Match: gateway.Match{Users: []string{"b-*"}}, Rate: &gateway.Rate{QPS: 1, Burst: 1}}}
	for name, change := range map[string]func(*sim.Config){
		"servers":     func(c *sim.Config) { c.Servers = 3 },
		"per request": func(c *sim.Config) { c.Servers, c.Balancer = 3, &balance.Config{Per: balance.PerRequest} },
		"goaway":      func(c *sim.Config) { c.Servers, c.Balancer = 3, &balance.Config{GoawayChance: 0.02} },
		"a gateway":   func(c *sim.Config) { c.Gateway = &gateway.Config{} },
		"rules":       func(c *sim.Config) { c.Gateway = &gateway.Config{Rules: rules} },
		"back":        func(c *sim.Config) { c.Gateway = &gateway.Config{Latency: gateway.Latency{Back: latency}} },
		"population": func(c *sim.Config) {
			c.Servers, c.Gateway = 2, &gateway.Config{Rules: rules}
			c.Populations = []workload.Population{crowd(t, "b", 3, 50), c.Populations[0]}
		},
	} {
		cfg := base
		change(&cfg)
		with, _ := track(t, &cfg)
		if !slices.Equal(with.offered("a"), alone.offered("a")) {
			t.Errorf("%s: the population sends something else", name)
		}
	}
}

// TestConnectionsAreTheSame holds that the server of a client does not change with who else is
// there.
func TestConnectionsAreTheSame(t *testing.T) {
	cfg := sim.Config{Scheduler: oneLevel(), Servers: 3, Populations: []workload.Population{crowd(t, "a", 20, 20)},
		Balancer: &balance.Config{GoawayChance: 0.02}, Duration: 5 * time.Second}
	alone, _ := track(t, &cfg)
	cfg.Populations = []workload.Population{traced(t, brief("1s", "1s"), brief("2s", "1s")), crowd(t, "b", 7, 20), cfg.Populations[0], crowd(t, "c", 7, 20)}
	crowded, _ := track(t, &cfg)
	if !slices.Equal(alone.sent["a"], crowded.sent["a"]) {
		t.Error("other populations change which servers a client is connected to")
	}
	if n := alone.servers("a", 3); slices.Min(n) == 0 {
		t.Errorf("requests by server are %v", n)
	}
}

// TestOneConnectionIsOneServer holds why an L4 balancer is uneven: without GOAWAY each client
// stays where it is, and its requests take the seats of that server alone.
func TestOneConnectionIsOneServer(t *testing.T) {
	cfg := sim.Config{Scheduler: oneLevel(), Servers: 3, Populations: []workload.Population{crowd(t, "a", 30, 20)}, Duration: 10 * time.Second}
	o, _ := track(t, &cfg)
	home := map[int32]int32{}
	for _, s := range o.sent["a"] {
		if at, known := home[s.client]; known && at != s.server {
			t.Fatalf("client %d moves from server %d to %d", s.client, at, s.server)
		}
		home[s.client] = s.server
	}
	cfg.Balancer = &balance.Config{Per: balance.PerRequest, Policy: balance.RoundRobin}
	o, _ = track(t, &cfg)
	if n := o.servers("a", 3); slices.Max(n)-slices.Min(n) > 1 {
		t.Errorf("round robin gives the servers %v", n)
	}
	cfg.Balancer = &balance.Config{Per: balance.PerRequest}
	o, _ = track(t, &cfg)
	n := o.servers("a", 3)
	mean := float64(n[0]+n[1]+n[2]) / 3
	for _, got := range n {
		if math.Abs(float64(got)-mean) > 4*math.Sqrt(mean*2/3) {
			t.Errorf("at random the servers get %v", n)
		}
	}
}

// TestAServerThatStopsMovesItsClients has a balancer that needs two checks of a second to see
// it. Meanwhile whoever connects to the server is refused; afterwards nobody is.
func TestAServerThatStopsMovesItsClients(t *testing.T) {
	cfg := sim.Config{
		Scheduler: oneLevel(), Servers: 2, Populations: []workload.Population{crowd(t, "a", 40, 20)}, Duration: 10 * time.Second,
		Balancer:   &balance.Config{Health: balance.Health{Interval: time.Second, UnhealthyAfter: 2, HealthyAfter: 2}},
		Operations: []sim.ServerOperation{{At: 3500 * time.Millisecond, Server: 1, Kind: sim.Stop}},
	}
	o, _ := track(t, &cfg)
	before, blind, after := 0, 0, 0
	for _, s := range o.sent["a"] {
		if s.server != 1 {
			continue
		}
		switch {
		case s.at < 3500*time.Millisecond:
			before++
		case s.at < 5*time.Second:
			blind++
		default:
			after++
		}
	}
	if before == 0 || blind == 0 || after != 0 || blind != o.refused[sim.NoServer] {
		t.Errorf("%d requests to the server before it stops, %d while it is in rotation, %d after that; %d refused", before, blind, after, o.refused[sim.NoServer])
	}
}

// TestNoServer holds what is told when nothing is left.
func TestNoServer(t *testing.T) {
	p := burst(t, 1, time.Second)
	cfg := &sim.Config{
		Scheduler: smallServer(1, 5), Servers: 2, Populations: []workload.Population{p}, Duration: 5 * time.Second,
		Operations: []sim.ServerOperation{{At: 0, Server: 0, Kind: sim.Drain}, {At: 0, Server: 1, Kind: sim.Stop}},
	}
	tell(t, cfg, "0s server 0 draining", "0s server 1 stopped",
		"1s refused attempt 0 no-server", "1s client 0 gave-up 0s", "1s concluded refused after 1 from 1s, throttled 0s, paused 0s")
	cfg.Gateway = &gateway.Config{Latency: gateway.Latency{There: constant(t, time.Second), Back: constant(t, time.Second)}}
	tell(t, cfg, "0s server 0 draining", "0s server 1 stopped",
		"1s refused attempt 0 no-server", "1s client 0 gave-up 0s", "1s concluded 503 after 1 from 1s, throttled 0s, paused 0s")
}

// TestLatency follows a request there and back. Its seat is taken from its arrival at the
// server to the end of its execution, and not longer.
func TestLatency(t *testing.T) {
	p := burst(t, 2, time.Second)
	cfg := &sim.Config{
		Scheduler: smallServer(1, 5), Populations: []workload.Population{p}, Duration: 5 * time.Second,
		Gateway: &gateway.Config{Latency: gateway.Latency{There: constant(t, 300*time.Millisecond), Back: constant(t, 500*time.Millisecond)}},
	}
	tell(t, cfg,
		"1.3s arrived 0 attempt 0", "1.3s dispatched 0", "1.3s arrived 1 attempt 0",
		"2.3s finished 0", "2.3s dispatched 1",
		"2.8s concluded ok after 1 from 1s, throttled 0s, paused 0s",
		"3.3s finished 1", "3.8s concluded ok after 1 from 1s, throttled 0s, paused 0s",
	)
}

// TestPatienceEndsOnTheWay has clients that wait for less than the way there, the execution
// and the way back take.
func TestPatienceEndsOnTheWay(t *testing.T) {
	p := burst(t, 1, time.Second)
	p.Deadline = workload.DeadlineStops
	cfg := &sim.Config{
		Scheduler: smallServer(1, 5), Duration: 5 * time.Second,
		Gateway: &gateway.Config{Latency: gateway.Latency{There: constant(t, 300*time.Millisecond), Back: constant(t, 500*time.Millisecond)}},
	}
	for _, c := range []struct {
		patience time.Duration
		want     []string
	}{
		{200 * time.Millisecond, []string{"1.2s client 0 gave-up 0s", "1.2s concluded timed-out after 1 from 1s, throttled 0s, paused 0s"}},
		{1500 * time.Millisecond, []string{"1.3s arrived 0 attempt 0", "1.3s dispatched 0", "2.3s finished 0",
			"2.5s client 0 gave-up 0s", "2.5s concluded timed-out after 1 from 1s, throttled 0s, paused 0s"}},
		{800 * time.Millisecond, []string{"1.3s arrived 0 attempt 0", "1.3s dispatched 0", "1.8s finished 0",
			"1.8s client 0 gave-up 0s", "1.8s concluded timed-out after 1 from 1s, throttled 0s, paused 0s"}},
	} {
		p.Timeout = c.patience
		cfg.Populations = []workload.Population{p}
		tell(t, cfg, c.want...)
	}
}

// TestAServerStopsWhileARequestIsOnItsWay refuses the one that is on its way, and lets the
// answer that has left the server arrive.
func TestAServerStopsWhileARequestIsOnItsWay(t *testing.T) {
	early, late := burst(t, 1, time.Second), burst(t, 1, time.Second)
	at := workload.Burst(2100*time.Millisecond, 1, 0)
	late.Name, late.Open = "late", &at
	tell(t, &sim.Config{
		Scheduler: smallServer(1, 5), Populations: []workload.Population{early, late}, Duration: 5 * time.Second,
		Gateway:    &gateway.Config{Latency: gateway.Latency{There: constant(t, 300*time.Millisecond), Back: constant(t, 500*time.Millisecond)}},
		Operations: []sim.ServerOperation{{At: 2350 * time.Millisecond, Kind: sim.Stop}},
	},
		"1.3s arrived 0 attempt 0", "1.3s dispatched 0", "2.3s finished 0",
		"2.35s server 0 stopped",
		"2.4s refused attempt 0 no-server", "2.4s client 0 gave-up 0s", "2.4s concluded 503 after 1 from 2.1s, throttled 0s, paused 0s",
		"2.8s concluded ok after 1 from 1s, throttled 0s, paused 0s",
	)
}

// TestTheGatewayRefuses holds that what it refuses reaches no APF, and what clients are told:
// a bucket of 2 with one more each 2 s, and a client that comes again when it is told to.
func TestTheGatewayRefuses(t *testing.T) {
	p := burst(t, 3, 100*time.Millisecond)
	p.Retry = workload.Retry{Policy: workload.RetryClientGo}
	rule := gateway.Rule{Name: "all", Rate: &gateway.Rate{QPS: 0.5, Burst: 2}}
	cfg := &sim.Config{Scheduler: smallServer(9, 0), Populations: []workload.Population{p}, Duration: 5 * time.Second,
		Gateway: &gateway.Config{Rules: []gateway.Rule{rule}}}
	tell(t, cfg,
		"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0", "1s dispatched 1",
		"1s refused attempt 0 gateway-rate", "1s client 0 retried 0s",
		"1.1s finished 0", "1.1s concluded ok after 1 from 1s, throttled 0s, paused 0s",
		"1.1s finished 1", "1.1s concluded ok after 1 from 1s, throttled 0s, paused 0s",
		"3s arrived 3 attempt 1", "3s dispatched 3",
		"3.1s finished 3", "3.1s concluded ok after 2 from 1s, throttled 0s, paused 2s",
	)
	rule.Rate, rule.InFlight, rule.RetryAfter = nil, &gateway.InFlight{Limit: 2}, gateway.NoRetryAfter
	cfg.Gateway = &gateway.Config{Rules: []gateway.Rule{rule}}
	o, _ := track(t, cfg)
	if o.refused[sim.GatewayInFlight] == 0 || slices.Max(o.left) != 0 {
		t.Errorf("refused %v, left %v", o.refused, o.left)
	}
}

// TestTheGatewayRoutes holds that a rule sends to its servers, and others where the balancer
// sends them.
func TestTheGatewayRoutes(t *testing.T) {
	cfg := &sim.Config{
		Scheduler: oneLevel(), Servers: 3, Populations: []workload.Population{crowd(t, "a", 5, 20), crowd(t, "b", 20, 20)}, Duration: 5 * time.Second,
		Gateway: &gateway.Config{Rules: []gateway.Rule{{Name: "a", Match: gateway.Match{Users: []string{"a-*"}}, Servers: []int{2}}}},
	}
	o, _ := track(t, cfg)
	if n := o.servers("a", 3); n[0]+n[1] != 0 || n[2] == 0 {
		t.Errorf("the rule sends %v", n)
	}
	if n := o.servers("b", 3); slices.Min(n) == 0 {
		t.Errorf("others are sent %v", n)
	}
}

// TestWatchesKeepTheirStreams holds that an open watch has a stream until its client asks for
// it again or its server goes, and that it is in flight at the gateway for as long.
func TestWatchesKeepTheirStreams(t *testing.T) {
	watch := workload.Template{Verb: "watch", Resource: "pods", Options: workload.RawOptions{ResourceVersion: "5"}}
	cfg := &sim.Config{
		Scheduler: oneLevel(), Servers: 2, Populations: []workload.Population{each(t, "watcher", 25, watch, 10*time.Second)},
		Balancer: &balance.Config{Streams: 1}, Duration: 35 * time.Second,
		Gateway: &gateway.Config{Rules: []gateway.Rule{{Name: "watches", Match: gateway.Match{Verbs: []string{"watch"}}, InFlight: &gateway.InFlight{Limit: 30}}}},
	}
	o, _ := track(t, cfg)
	if left := o.left; left[0]+left[1] != 25 || left[2] != 25 {
		t.Errorf("open streams %v, want 25 on two servers, and 25 in flight", left)
	}
	// Each asks at about 10, 20 and 30 s, and is admitted while its old watch is in flight.
	if n := len(o.refused); n != 0 {
		t.Errorf("refused: %v", o.refused)
	}
	cfg.Operations = []sim.ServerOperation{{At: 34 * time.Second, Server: 0, Kind: sim.Stop}, {At: 34 * time.Second, Server: 1, Kind: sim.Drain}}
	o, _ = track(t, cfg)
	if slices.Max(o.left) != 0 {
		t.Errorf("open streams %v after all servers have gone", o.left)
	}
}

// TestTracedUsersHaveConnections holds that the user of a trace is taken for one process.
func TestTracedUsersHaveConnections(t *testing.T) {
	line := func(user string, at int) string {
		return fmt.Sprintf(`{"arrival":"%dms","duration":"1ms","user":"%s","verb":"get","resource":"pods","namespace":"n"}`, at, user)
	}
	var lines []string
	for at := range 300 {
		lines = append(lines, line(fmt.Sprint("u", at%30), at))
	}
	o, summary := track(t, &sim.Config{Scheduler: oneLevel(), Servers: 3, Populations: []workload.Population{traced(t, lines...)}})
	name := ""
	for n := range o.sent {
		name = n // there is only one. Any order: nothing depends on it.
	}
	for i, s := range o.sent[name] {
		if first := o.sent[name][i%30].server; s.server != first {
			t.Fatalf("request %d comes to server %d, the first of its user to %d", i, s.server, first)
		}
	}
	if n := o.servers(name, 3); slices.Min(n) == 0 || summary.Requests != 300 {
		t.Errorf("%d requests, by server %v", summary.Requests, n)
	}
}

func TestRoutingIsValidated(t *testing.T) {
	cfg := &sim.Config{Scheduler: oneLevel(), Populations: []workload.Population{crowd(t, "a", 1, 1)}, Duration: time.Second,
		Balancer: &balance.Config{GoawayChance: 1}, Gateway: &gateway.Config{Rules: []gateway.Rule{{}}}}
	_, err := sim.Run(cfg, 0, sim.Silent{}, nil)
	want := "balancer.goawayChance: 1 is out of range; legal: a number from 0 to 0.02, as kube-apiserver takes it\n" +
		"gateway.rules[0].name: is missing; legal: a name of its own for each rule"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestNothingIsLeft draws worlds with everything in them, and holds that at the end nothing
// is held by a request that is over, and that the same world runs the same way twice.
func TestNothingIsLeft(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cfg := drawRouted(t, rt)
		o, first := track(t, cfg)
		if len(o.left) > 0 && slices.Max(o.left) != 0 {
			rt.Fatalf("left %v", o.left)
		}
		if _, second := track(t, cfg); first != second {
			rt.Fatalf("%+v and %+v", first, second)
		}
	})
}

// drawRouted draws a world of bursts that are over by its end.
func drawRouted(t *testing.T, rt *rapid.T) *sim.Config {
	ms := func(name string, most int) time.Duration {
		return time.Duration(rapid.IntRange(0, most).Draw(rt, name)) * time.Millisecond
	}
	cfg := &sim.Config{Scheduler: smallServer(rapid.IntRange(1, 4).Draw(rt, "seats"), 3), Servers: rapid.IntRange(1, 3).Draw(rt, "servers"), Duration: 2 * time.Minute}
	for i := range 2 {
		p := burst(t, rapid.IntRange(1, 20).Draw(rt, "count"), ms("execution", 3000))
		p.Name, p.Clients, p.User = fmt.Sprint(i), rapid.IntRange(1, 3).Draw(rt, "clients"), fmt.Sprint(i, "-{index}")
		p.Timeout, p.Deadline = ms("patience", 4000), workload.Deadline(rapid.IntRange(0, 2).Draw(rt, "deadline"))
		if rapid.Bool().Draw(rt, "retries") {
			p.Retry = workload.Retry{Policy: workload.RetryClientGo, MaxRetries: 3}
		}
		cfg.Populations = append(cfg.Populations, p)
	}
	cfg.Balancer = &balance.Config{
		Policy: balance.Policy(rapid.IntRange(0, 3).Draw(rt, "policy")), Per: balance.Scope(rapid.IntRange(0, 1).Draw(rt, "per")),
		Streams: rapid.IntRange(1, 3).Draw(rt, "streams"), GoawayChance: 0.02,
	}
	if rapid.Bool().Draw(rt, "gateway") {
		cfg.Gateway = &gateway.Config{
			Latency: gateway.Latency{There: constant(t, ms("there", 900)), Back: constant(t, ms("back", 900))},
			Rules: []gateway.Rule{{Name: "0", Match: gateway.Match{Users: []string{"0*"}}, InFlight: &gateway.InFlight{Limit: 5},
				Rate: &gateway.Rate{QPS: 2, Burst: 9}, Servers: []int{0}}},
		}
	}
	at := time.Duration(0)
	for range rapid.IntRange(0, 5).Draw(rt, "operations") {
		at += ms("after", 1500)
		cfg.Operations = append(cfg.Operations, sim.ServerOperation{At: at, Server: int32(rapid.IntRange(0, cfg.Servers-1).Draw(rt, "server")),
			Kind: sim.OperationKind(rapid.IntRange(0, 3).Draw(rt, "kind"))})
	}
	return cfg
}

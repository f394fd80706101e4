package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// wish is what a client wants, whatever becomes of it.
type wish struct {
	at               time.Duration
	client, template int32
	execution        time.Duration
}

// wishes notes the first attempts of all populations, those that reach no server included.
type wishes struct {
	sim.Silent
	world *sim.World
	of    map[string][]wish
}

func (o *wishes) Start(w *sim.World) { o.world, o.of = w, map[string][]wish{} }

func (o *wishes) note(now time.Duration, r *sim.Request) {
	if name := o.world.Config().Populations[r.Population].Name; r.Attempt == 0 {
		o.of[name] = append(o.of[name], wish{now, r.Client, r.Template, r.Execution})
	}
}

func (o *wishes) Arrived(now time.Duration, r *sim.Request)                { o.note(now, r) }
func (o *wishes) Refused(now time.Duration, r *sim.Request, _ sim.Refusal) { o.note(now, r) }

func wishesOf(t *testing.T, cfg *sim.Config) map[string][]wish {
	t.Helper()
	o := &wishes{}
	if _, err := sim.Run(cfg, 0, o, nil); err != nil {
		t.Fatal(err)
	}
	return o.of
}

// TestWhatIsAddedLeavesTheOthersAlone is what comparisons rest on: the clients that do not wait
// for answers want the same things at the same times, whatever else is in the world.
func TestWhatIsAddedLeavesTheOthersAlone(t *testing.T) {
	retrying := poisson(t, 50, 100*time.Millisecond)
	retrying.Name, retrying.Clients, retrying.User = "retrying", 5, "retrying-{index}"
	retrying.Retry = workload.Retry{Policy: workload.RetryClientGo}
	second := retrying.Requests[0]
	second.Verb = "update"
	retrying.Requests = append(retrying.Requests, second)
	base := func() *sim.Config {
		cfg := crowdOf(t, 16)
		cfg.Duration = 10 * time.Second
		cfg.Populations = append(cfg.Populations, retrying)
		return cfg
	}
	before := wishesOf(t, base())
	for name, change := range map[string]func(*sim.Config){
		"an open population": func(c *sim.Config) { add(c, burst(t, 5000, time.Second), "more") },
		"a closed loop":      func(c *sim.Config) { add(c, closedLoop(t, 50), "more") },
		"a leader":           func(c *sim.Config) { add(c, leader(t), "more") },
		"calls":              func(c *sim.Config) { addCalls(t, c) },
		"servers":            func(c *sim.Config) { c.Servers = 3 },
		"a balancer": func(c *sim.Config) {
			c.Servers, c.Balancer = 2, &balance.Config{Policy: balance.TwoChoices, Per: balance.PerRequest}
		},
		"a gateway":              func(c *sim.Config) { c.Gateway = &gateway.Config{} },
		"a rule of a gateway":    func(c *sim.Config) { c.Gateway = &gateway.Config{Rules: []gateway.Rule{firewall()}} },
		"a server that restarts": restarts,
		"a backend":              func(c *sim.Config) { b := backend.Default(release.Version{Minor: 37}); c.Backend = &b },
		"less seats":             func(c *sim.Config) { c.Scheduler.Seats = 20 },
	} {
		cfg := base()
		change(cfg)
		after := wishesOf(t, cfg)
		for _, p := range base().Populations {
			if !slices.Equal(before[p.Name], after[p.Name]) {
				t.Errorf("%s: %s does not want the same any more", name, p.Name)
			}
		}
		if name == "less seats" {
			continue
		}
		cfg.Seed++
		if other := wishesOf(t, cfg); slices.Equal(before["mouse"], other["mouse"]) {
			t.Errorf("%s: with another seed the mice want the same", name)
		}
	}
}

// add puts a population before all others.
func add(c *sim.Config, p workload.Population, name string) {
	p.Name = name
	c.Populations = append([]workload.Population{p}, c.Populations...)
}

// closedLoop is a population of so many clients that wait for their answers.
func closedLoop(t testing.TB, clients int) workload.Population {
	p := poisson(t, 1, 100*time.Millisecond)
	p.Open, p.Closed, p.Clients = nil, &workload.Closed{Concurrency: 1, Think: p.Duration}, clients
	return p
}

// addCalls lets the requests of all populations call for a new one.
func addCalls(t testing.TB, c *sim.Config) {
	for i := range c.Populations {
		c.Populations[i].Requests = slices.Clone(c.Populations[i].Requests)
		for r := range c.Populations[i].Requests {
			c.Populations[i].Requests[r].Calls = []workload.Call{{Population: "hook", Count: 2}}
		}
	}
	add(c, called(t, "hook", "hook", time.Millisecond), "hook")
}

// firewall is a rule that refuses most of what the elephants send.
func firewall() gateway.Rule {
	return gateway.Rule{
		Name:  "elephants",
		Match: gateway.Match{Users: []string{"elephant-0", "elephant-1"}},
		Rate:  &gateway.Rate{QPS: 10, Burst: 10},
	}
}

func restarts(c *sim.Config) {
	c.Servers, c.CacheFill = 2, time.Second
	c.Operations = []sim.ServerOperation{{At: 2 * time.Second, Server: 1, Kind: sim.Stop}, {At: 3 * time.Second, Server: 0, Kind: sim.Stop},
		{At: 4 * time.Second, Server: 1, Kind: sim.Start}}
}

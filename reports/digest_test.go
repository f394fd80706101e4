package reports

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// Whatever configures servers, or what is before them, changes the digest; traffic does not.
func TestDigest(t *testing.T) {
	base := func() *sim.Config {
		return &sim.Config{Gateway: &gateway.Config{Rules: []gateway.Rule{{Name: "all", Rate: &gateway.Rate{}}}}}
	}
	seen := map[string]string{digest(base()): "the base"}
	for name, change := range map[string]func(*sim.Config){
		"no gateway":      func(c *sim.Config) { c.Gateway = nil },
		"another rule":    func(c *sim.Config) { c.Gateway.Rules[0].Name = "some" },
		"no rate":         func(c *sim.Config) { c.Gateway.Rules[0].Rate = nil },
		"latency":         func(c *sim.Config) { c.Gateway.Latency.There = constant(t, time.Millisecond) },
		"another latency": func(c *sim.Config) { c.Gateway.Latency.There = constant(t, time.Second) },
		"a balancer":      func(c *sim.Config) { c.Balancer = &balance.Config{} },
		"its connections": func(c *sim.Config) { c.Balancer = &balance.Config{Streams: 7} },
		"servers":         func(c *sim.Config) { c.Servers = 3 },
		"seats":           func(c *sim.Config) { c.Scheduler.Seats = 7 },
		"a crash":         func(c *sim.Config) { c.Operations = []sim.ServerOperation{{At: 1}} },
	} {
		c := base()
		change(c)
		if other := seen[digest(c)]; other != "" {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[digest(c)] = name
	}
	other := base()
	other.Seed, other.Populations = 7, []workload.Population{{Name: "p"}}
	if digest(other) != digest(base()) {
		t.Error("traffic changes the digest")
	}
}

func constant(t *testing.T, d time.Duration) workload.Distribution {
	t.Helper()
	out, err := workload.Constant(d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

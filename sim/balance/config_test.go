package balance

import (
	"strings"
	"testing"
	"time"
)

func TestValidate(t *testing.T) {
	s := time.Second
	for _, c := range []struct {
		name string
		cfg  Config
		want string // of all faults, in order; "" for none
	}{
		{"the zero value", Config{}, ""},
		{"all that there is", Config{TwoChoices, PerRequest, 250, 0.02, s, Health{3 * s, 2, 1, []View{{0, []int{0, 2}}, {s, []int{}}, {2 * s, nil}}}}, ""},
		{"policy", Config{Policy: 4}, "balancer.policy: 4"},
		{"scope", Config{Per: 2}, "balancer.per: 2"},
		{"streams", Config{Streams: -1}, "balancer.streams: -1"},
		{"chance", Config{GoawayChance: 0.021}, "balancer.goawayChance: 0.021"},
		{"chance below", Config{GoawayChance: -0.001}, "balancer.goawayChance: -0.001"},
		{"idle", Config{IdleTimeout: -s}, "balancer.idleTimeout: -1s"},
		{"interval", Config{Health: Health{Interval: 2 * time.Hour, UnhealthyAfter: 1, HealthyAfter: 1}}, "balancer.health.interval: 2h0m0s"},
		{"thresholds", Config{Health: Health{Interval: s}}, "balancer.health.unhealthyAfter: 0 | balancer.health.healthyAfter: 0"},
		{"views out of order", Config{Health: Health{Sees: []View{{s, nil}, {s, nil}}}}, "balancer.health.sees[1].at: 1s"},
		{"no such server", Config{Health: Health{Sees: []View{{s, []int{0, 3, -1}}}}},
			"balancer.health.sees[0].servers[1]: there is no server 3 | balancer.health.sees[0].servers[2]: there is no server -1"},
		{"twice", Config{Health: Health{Sees: []View{{s, []int{1, 1}}}}}, "balancer.health.sees[0].servers[1]: server 1 is there twice"},
	} {
		var got []string
		for _, err := range c.cfg.Validate(3) {
			got = append(got, strings.TrimSuffix(strings.Split(err.Error(), ";")[0], " is out of range"))
		}
		if got := strings.Join(got, " | "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

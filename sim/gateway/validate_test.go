package gateway

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim/balance"
)

// fields joins the fields and problems of faults.
func fields(errs []error) string {
	var all []string
	for _, err := range errs {
		all = append(all, strings.TrimPrefix(strings.TrimSuffix(strings.Split(err.Error(), ";")[0], " is out of range"), "gateway."))
	}
	return strings.Join(all, " | ")
}

func TestValidate(t *testing.T) {
	s := time.Second
	two, bad := balance.TwoChoices, balance.Policy(9)
	one := func(r Rule) Config {
		if r.Name == "" {
			r.Name = "a"
		}
		return Config{Rules: []Rule{r}}
	}
	match := func(m Match) Config { return one(Rule{Match: m}) }
	for _, c := range []struct {
		name string
		cfg  Config
		want string
	}{
		{"nothing", Config{}, ""},
		{"all that there is", Config{
			Rules: []Rule{{Name: "a", Match: Match{Users: []string{"system:node:*"}, Groups: []string{"*"}, Verbs: []string{"list", "*"}, APIGroups: []string{"", "apps"},
				Resources: []string{"pods", "pods/log", "*/status", "pods/*", "*"}, Namespaces: []string{"", "team-*"}, Paths: []string{"*", "/healthz/*"}},
				Rate: &Rate{0.001, 1, PerUser}, InFlight: &InFlight{1, PerNamespace}, Servers: []int{1, 0}, Policy: &two, Refuse: 503, RetryAfter: NoRetryAfter}},
			RefuseOthers: true, OthersCode: 503, Trigger: &Trigger{0},
			Phases: []Phase{{}, {At: s, Admit: []string{"a", Otherwise}}, {At: 2 * s, All: true, Over: s}},
		}, ""},
		{"names", Config{Rules: []Rule{{}, {Name: "a"}, {Name: "a"}, {Name: Otherwise}}},
			`rules[0].name: is missing | rules[2].name: "a" is there twice | rules[3].name: means what no rule matches`},
		{"rate of nothing", one(Rule{Rate: &Rate{0, 1, PerRule}}), "rules[0].rate.qps: 0"},
		{"rate below 0", one(Rule{Rate: &Rate{-1, 0, 7}}), "rules[0].rate.qps: -1 | rules[0].rate.burst: 0 | rules[0].rate.per: 7"},
		{"rate without bound", one(Rule{Rate: &Rate{math.Inf(1), 1, PerRule}}), "rules[0].rate.qps: +Inf"},
		{"rate that is none", one(Rule{Rate: &Rate{math.NaN(), 1, PerRule}}), "rules[0].rate.qps: NaN"},
		{"rate too fine", one(Rule{Rate: &Rate{1.0005, 1, PerRule}}), "rules[0].rate.qps: 1.0005"},
		{"a third", one(Rule{Rate: &Rate{0.333, 1_000_001, PerRule}}), "rules[0].rate.burst: 1000001"},
		{"in flight", one(Rule{InFlight: &InFlight{0, 9}}), "rules[0].inFlight.limit: 0 | rules[0].inFlight.per: 9"},
		{"no such server", one(Rule{Servers: []int{0, 2}}), "rules[0].servers[1]: there is no server 2"},
		{"no server", one(Rule{Servers: []int{}}), "rules[0].servers: is empty"},
		{"policy", one(Rule{Policy: &bad}), "rules[0].policy: 9"},
		{"code", one(Rule{Refuse: 500, RetryAfter: -2}), "rules[0].refuse: 500 | rules[0].retryAfter: -2"},
		{"others", Config{OthersCode: 404}, "otherwise: 404"},
		{"users", match(Match{Users: []string{"", "a*b"}}), `rules[0].match.users[0]: "" is not legal | rules[0].match.users[1]: "a*b" is not legal`},
		{"verbs", match(Match{Verbs: []string{"read"}}), `rules[0].match.verbs[0]: "read" is not legal`},
		{"API group with version", match(Match{APIGroups: []string{"apps/v1"}}), `rules[0].match.apiGroups[0]: "apps/v1" is not legal`},
		{"resources", match(Match{Resources: []string{"", "pod*", "a/b/c", "a/"}}),
			`rules[0].match.resources[0]: "" is not legal | rules[0].match.resources[1]: "pod*" is not legal | rules[0].match.resources[2]: "a/b/c" is not legal | rules[0].match.resources[3]: "a/" is not legal`},
		{"paths", match(Match{Paths: []string{"healthz", "/a*b"}}), `rules[0].match.paths[0]: "healthz" is not legal | rules[0].match.paths[1]: "/a*b" is not legal`},
		{"phases", Config{Phases: []Phase{{At: s}, {At: s, Over: -s}, {At: 2 * s, All: true, Admit: []string{"x"}}}},
			`degradation[1].at: 1s | degradation[1].over: -1s | degradation[2].admit: names rules and all | degradation[2].admit[0]: there is no rule "x"`},
		{"a trigger of nothing", Config{Trigger: &Trigger{-1}}, "trigger.inFlight: -1 | trigger: begins no degradation"},
	} {
		if got := fields(c.cfg.Validate(2)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	rules := func(all ...Match) Config {
		var cfg Config
		for i, m := range all {
			cfg.Rules = append(cfg.Rules, Rule{Name: string(rune('a' + i)), Match: m})
		}
		return cfg
	}
	for _, c := range []struct {
		name string
		cfg  Config
		want string
	}{
		{"the narrower first", rules(Match{Users: []string{"a:b"}}, Match{Users: []string{"a:*"}}, Match{}), ""},
		{"all first", rules(Match{}, Match{Users: []string{"a"}}), `rules[1].match: rule "b" never holds: rule "a" before it matches all that it does`},
		{"prefix", rules(Match{Users: []string{"a*"}}, Match{Users: []string{"a:b*", "ab"}, Verbs: []string{"get"}}), `rules[1].match: rule "b" never holds: rule "a" before it matches all that it does`},
		{"only some", rules(Match{Users: []string{"a*"}}, Match{Users: []string{"a:b*", "b"}}), ""},
		{"paths beside resources", rules(Match{Resources: []string{"*"}}, Match{}), ""},
		{"resources", rules(Match{Resources: []string{"pods/*", "pods"}}, Match{Resources: []string{"pods/log", "pods"}}), `rules[1].match: rule "b" never holds: rule "a" before it matches all that it does`},
	} {
		if got := fields(c.cfg.Warnings()); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestServes(t *testing.T) {
	nodes := Rule{Name: "nodes", Match: Match{Groups: []string{"system:nodes"}}}
	node, other := Subject{"n", []string{"system:nodes"}}, Subject{"u", nil}
	for _, c := range []struct {
		name string
		cfg  Config
		s    Subject
		rule int
		ok   bool
	}{
		{"by its rule", Config{Rules: []Rule{nodes}, RefuseOthers: true}, node, 0, true},
		{"by none", Config{Rules: []Rule{nodes}, RefuseOthers: true}, other, 1, false},
		{"passes", Config{Rules: []Rule{nodes}}, other, 1, true},
		{"never let in", Config{Rules: []Rule{nodes}, Phases: []Phase{{}, {At: 1, Admit: []string{Otherwise}}}}, node, 0, false},
		{"let in later", Config{Rules: []Rule{nodes}, Phases: []Phase{{}, {At: 1, Admit: []string{"nodes"}}}}, node, 0, true},
		{"let in at first", Config{Rules: []Rule{nodes}, Phases: []Phase{{At: 1}}}, node, 0, true},
	} {
		if rule, ok := c.cfg.Serves(c.s, Target{Verb: "get", Path: "/version"}); rule != c.rule || ok != c.ok {
			t.Errorf("%s: %d, %v, want %d, %v", c.name, rule, ok, c.rule, c.ok)
		}
	}
}

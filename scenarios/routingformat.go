package scenarios

import (
	"strconv"

	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// The part of the format that is about what stands before the API servers.

type balancerSpec struct {
	Policy       balancePolicy `json:"policy,omitempty"`
	Per          balanceScope  `json:"per,omitempty"`
	Streams      *int          `json:"streams,omitempty"`
	GoawayChance *float64      `json:"goawayChance,omitempty"`
	IdleTimeout  *duration     `json:"idleTimeout,omitempty"`
	Health       *healthSpec   `json:"health,omitempty"`
}

type healthSpec struct {
	Interval       *duration  `json:"interval,omitempty"`
	UnhealthyAfter *int       `json:"unhealthyAfter,omitempty"`
	HealthyAfter   *int       `json:"healthyAfter,omitempty"`
	Sees           []viewSpec `json:"sees,omitempty"`
}

type viewSpec struct {
	At      *duration `json:"at"`
	Servers []int     `json:"servers,omitempty"`
}

type gatewaySpec struct {
	Latency     *latencySpec     `json:"latency,omitempty"`
	Rules       []ruleSpec       `json:"rules,omitempty"`
	Otherwise   gatewayOtherwise `json:"otherwise,omitempty"`
	Trigger     *triggerSpec     `json:"trigger,omitempty"`
	Degradation []phaseSpec      `json:"degradation,omitempty"`
}

type latencySpec struct {
	There *distributionSpec `json:"there,omitempty"`
	Back  *distributionSpec `json:"back,omitempty"`
}

type ruleSpec struct {
	Name       string        `json:"name"`
	Match      matchSpec     `json:"match,omitempty"`
	Rate       *rateSpec     `json:"rate,omitempty"`
	InFlight   *inFlightSpec `json:"inFlight,omitempty"`
	Servers    []int         `json:"servers,omitempty"`
	Policy     balancePolicy `json:"policy,omitempty"`
	Latency    *latencySpec  `json:"latency,omitempty"`
	Refuse     *int          `json:"refuse,omitempty"`
	RetryAfter *retryAfter   `json:"retryAfter,omitempty"`
}

type matchSpec struct {
	Users      []string `json:"users,omitempty"`
	Groups     []string `json:"groups,omitempty"`
	Verbs      []string `json:"verbs,omitempty"`
	APIGroups  []string `json:"apiGroups,omitempty"`
	Resources  []string `json:"resources,omitempty"`
	Namespaces []string `json:"namespaces,omitempty"`
	Paths      []string `json:"paths,omitempty"`
}

type rateSpec struct {
	QPS   *float64 `json:"qps"`
	Burst *int     `json:"burst,omitempty"`
	Per   limitKey `json:"per,omitempty"`
}

type inFlightSpec struct {
	Limit *int     `json:"limit"`
	Per   limitKey `json:"per,omitempty"`
}

type triggerSpec struct {
	InFlight *int `json:"inFlight"`
}

type phaseSpec struct {
	At    *duration  `json:"at"`
	Admit *admission `json:"admit"`
	Over  *duration  `json:"over,omitempty"`
}

// balancePolicy is how a server is chosen.
type balancePolicy string

func (balancePolicy) legal() []string { return balance.Policies() }

// balanceScope is what a server is chosen for.
type balanceScope string

func (balanceScope) legal() []string {
	return []string{balance.PerConnection.String(), balance.PerRequest.String()}
}

// limitKey is what a limit counts by.
type limitKey string

func (limitKey) legal() []string {
	return []string{gateway.PerRule.String(), gateway.PerUser.String(), gateway.PerNamespace.String()}
}

// gatewayOtherwise is what becomes of requests that no rule matches.
type gatewayOtherwise string

// passOn is the value that lets them pass.
const passOn = "pass"

func (gatewayOtherwise) legal() []string { return []string{passOn, "429", "503"} }

// retryAfter is a number of seconds, or none.
type retryAfter int

func (v *retryAfter) readNode(d *decoder, n *node, path string) {
	if n.kind == scalarNode && n.text == "none" {
		*v = gateway.NoRetryAfter
		return
	}
	seconds, err := strconv.Atoi(n.text)
	if n.kind != scalarNode || err != nil || seconds < 1 {
		d.wrongType(n, path, "a number of seconds from 1, or none", "")
		return
	}
	*v = retryAfter(seconds)
}

func (v *retryAfter) encode() *node {
	if *v == gateway.NoRetryAfter {
		return &node{text: "none", tag: "!!str"}
	}
	return &node{text: strconv.Itoa(int(*v)), tag: "!!int"}
}

// admission is the word all, or a list of rules, which may be empty.
type admission struct {
	all   bool
	rules []string
}

func (v *admission) readNode(d *decoder, n *node, path string) {
	switch {
	case n.kind == scalarNode && n.text == "all":
		v.all = true
	case n.kind == sequenceNode:
		for i, item := range n.items {
			if text, ok := d.text(item, index(path, i), "the name of a rule"); ok {
				v.rules = append(v.rules, text)
			}
		}
	default:
		d.wrongType(n, path, "all, or a list of names of rules", "admit: [] refuses everything")
	}
}

func (v *admission) encode() *node {
	if v.all {
		return &node{text: "all", tag: "!!str"}
	}
	n := &node{kind: sequenceNode}
	for _, rule := range v.rules {
		n.items = append(n.items, &node{text: rule, tag: "!!str"})
	}
	return n
}

// newBalancerSpec writes a balancer with all its figures.
func newBalancerSpec(c *balance.Config) *balancerSpec {
	if c == nil {
		return nil
	}
	s := &balancerSpec{Policy: balancePolicy(c.Policy.String()), Per: balanceScope(c.Per.String())}
	if c.Per == balance.PerConnection {
		s.Streams, s.GoawayChance, s.IdleTimeout = &c.Streams, &c.GoawayChance, durationRef(c.IdleTimeout)
	}
	h := &c.Health
	if h.Interval > 0 || len(h.Sees) > 0 {
		s.Health = &healthSpec{Interval: durationRef(h.Interval), UnhealthyAfter: &h.UnhealthyAfter, HealthyAfter: &h.HealthyAfter}
	}
	for i := range h.Sees {
		s.Health.Sees = append(s.Health.Sees, viewSpec{At: durationRef(h.Sees[i].At), Servers: h.Sees[i].Servers})
	}
	return s
}

// expanded writes a gateway with its defaults.
func (s *gatewaySpec) expanded() *gatewaySpec {
	if s == nil {
		return nil
	}
	out := *s
	if out.Otherwise == "" {
		out.Otherwise = passOn
	}
	out.Rules = make([]ruleSpec, len(s.Rules))
	for i := range s.Rules {
		r := s.Rules[i]
		r.Refuse = orElse(r.Refuse, ref(gateway.TooManyRequests))
		if r.Rate != nil {
			rate := *r.Rate
			rate.Burst, rate.Per = orElse(rate.Burst, ref(1)), orRule(rate.Per)
			r.Rate = &rate
		}
		if r.InFlight != nil {
			limit := *r.InFlight
			limit.Per = orRule(limit.Per)
			r.InFlight = &limit
		}
		out.Rules[i] = r
	}
	return &out
}

func orRule(k limitKey) limitKey {
	if k == "" {
		return limitKey(gateway.PerRule.String())
	}
	return k
}

// latencyOf makes the two ways of a gateway's latency.
func (l *loader) latencyOf(path string, s *latencySpec) gateway.Latency {
	var out gateway.Latency
	for _, way := range []struct {
		field string
		spec  *distributionSpec
		to    *workload.Distribution
	}{{"there", s.There, &out.There}, {"back", s.Back, &out.Back}} {
		if way.spec != nil {
			*way.to = l.distribution(join(path, way.field), way.spec)
		}
	}
	return out
}

package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// routing sets what stands before the servers, and checks that something can get through.
func (l *loader) routing(spec *scenarioSpec, cfg *sim.Config) {
	cfg.Balancer, cfg.Gateway = l.balancer(spec.Balancer), l.gateway(spec.Gateway)
	if !l.sound("server.count") {
		return
	}
	servers := value(spec.Server.Count, 1)
	if cfg.Balancer != nil {
		l.routingFaults(cfg.Balancer.Validate(servers))
		l.checkBlackouts(cfg.Balancer, servers, cfg.Duration)
	}
	if cfg.Gateway != nil {
		l.routingFaults(cfg.Gateway.Validate(servers))
		for _, err := range cfg.Gateway.Warnings() {
			l.routingWarning(err)
		}
		l.checkServed(cfg.Gateway, cfg.Populations)
	}
}

// routingFaults reports faults whose fields are paths of the file already.
func (l *loader) routingFaults(errs []error) {
	for _, err := range errs {
		var fe *workload.FieldError
		if !errors.As(err, &fe) {
			panic("scenarios: " + err.Error())
		}
		if !l.faultWithin(fe.Field) {
			l.workloadFault("", err)
		}
	}
}

func (l *loader) routingWarning(err error) {
	var fe *workload.FieldError
	if errors.As(err, &fe) && l.sound(fe.Field) {
		l.c.warning(l.at(fe.Field), fault{code: CodeNoEffect, field: fe.Field, message: fe.Field + ": " + fe.Problem, legal: fe.Legal})
	}
}

// balancer makes the balancer, nil if the file does not say.
func (l *loader) balancer(s *balancerSpec) *balance.Config {
	if s == nil {
		return nil
	}
	c := &balance.Config{Streams: balance.DefaultStreams, IdleTimeout: balance.DefaultIdleTimeout}
	c.Policy, _ = balance.ParsePolicy(string(s.Policy))
	if string(s.Per) == balance.PerRequest.String() {
		c.Per = balance.PerRequest
		l.excluded("balancer", "with per: request, since its connections are not those of the clients", "streams", "goawayChance", "idleTimeout")
	}
	for _, f := range []struct {
		field string
		to    *int
		given *int
	}{{"streams", &c.Streams, s.Streams}} {
		if f.given != nil && l.inRange(join("balancer", f.field), int64(*f.given), 1, 1<<31-1) {
			*f.to = *f.given
		}
	}
	set(&c.GoawayChance, s.GoawayChance)
	setDuration(&c.IdleTimeout, s.IdleTimeout)
	if s.IdleTimeout != nil && *s.IdleTimeout == 0 {
		l.refuse("balancer.idleTimeout", fault{code: CodeOutOfRange, message: "balancer.idleTimeout is 0", legal: "a duration above 0"})
	}
	if s.Health != nil {
		l.health(s.Health, &c.Health)
	}
	return c
}

// checkBlackouts reports the times at which the balancer has no server to send to, though
// servers are up: its health checks do not see them, or not yet.
func (l *loader) checkBlackouts(c *balance.Config, servers int, end time.Duration) {
	const path = "balancer.health"
	if !l.has(path) || l.faultWithin("balancer") || end == 0 {
		return
	}
	var outages []balance.Outage
	for _, o := range l.outages {
		outages = append(outages, balance.Outage{Server: o.server, From: o.from, Until: o.until})
	}
	for _, w := range c.Blackouts(servers, outages, end) {
		down := slices.ContainsFunc(l.dark, func(d darkness) bool { return d.from <= w.From && d.until >= w.Until })
		switch {
		case down: // that no server is there is said with the operations
		case w.From == 0 && w.Until >= end:
			l.refuse(path, fault{code: CodeNoServer, message: "the balancer has no server to send to during the whole run", legal: "a time at which it sees a server that is up"})
		default:
			l.c.warning(l.at(path), fault{code: CodeNoServer, field: path,
				message: fmt.Sprintf("%s: the balancer has no server to send to from %s to %s", path, durationText(w.From), untilText(w.Until, end))})
		}
	}
}

// The thresholds of health checks that most load balancers begin with: two or three in a row.
const (
	defaultUnhealthyAfter = 2
	defaultHealthyAfter   = 2
)

func (l *loader) health(s *healthSpec, c *balance.Health) {
	setDuration(&c.Interval, s.Interval)
	if c.Interval > 0 {
		c.UnhealthyAfter, c.HealthyAfter = defaultUnhealthyAfter, defaultHealthyAfter
	}
	set(&c.UnhealthyAfter, s.UnhealthyAfter)
	set(&c.HealthyAfter, s.HealthyAfter)
	if s.Interval == nil {
		l.excluded("balancer.health", "without an interval", "unhealthyAfter", "healthyAfter")
	}
	for i := range s.Sees {
		v := &s.Sees[i]
		l.require(index("balancer.health.sees", i), "at", "the time from which on it is so")
		c.Sees = append(c.Sees, balance.View{At: time.Duration(value(v.At, 0)), Servers: v.Servers})
	}
}

// gateway makes the gateway, nil if the file does not say.
func (l *loader) gateway(s *gatewaySpec) *gateway.Config {
	if s == nil {
		return nil
	}
	c := &gateway.Config{}
	if s.Latency != nil {
		c.Latency = l.latencyOf("gateway.latency", s.Latency)
	}
	for i := range s.Rules {
		c.Rules = append(c.Rules, l.rule(index("gateway.rules", i), &s.Rules[i]))
	}
	if s.Otherwise != "" && s.Otherwise != passOn {
		c.RefuseOthers = true
		c.OthersCode, _ = strconv.Atoi(string(s.Otherwise)) // one of the legal values
	}
	if s.Trigger != nil {
		l.require("gateway.trigger", "inFlight", "how many requests in flight begin the degradation")
		c.Trigger = &gateway.Trigger{InFlight: value(s.Trigger.InFlight, 0)}
	}
	for i := range s.Degradation {
		p, path := &s.Degradation[i], index("gateway.degradation", i)
		l.require(path, "at", "the time from which on it is so")
		l.require(path, "admit", "all, or a list of names of rules")
		phase := gateway.Phase{At: time.Duration(value(p.At, 0)), Over: time.Duration(value(p.Over, 0))}
		if p.Admit != nil {
			phase.All, phase.Admit = p.Admit.all, p.Admit.rules
		}
		c.Phases = append(c.Phases, phase)
	}
	return c
}

// rule makes one rule of the gateway.
func (l *loader) rule(path string, s *ruleSpec) gateway.Rule {
	l.require(path, "name", "a name of its own for each rule")
	r := gateway.Rule{Name: s.Name, Match: gateway.Match(s.Match), Servers: s.Servers}
	if q := s.Rate; q != nil {
		l.require(join(path, "rate"), "qps", "requests per second, in steps of 0.001")
		r.Rate = &gateway.Rate{QPS: value(q.QPS, 1), Burst: value(q.Burst, 1), Per: keyOf(q.Per)}
	}
	if f := s.InFlight; f != nil {
		l.require(join(path, "inFlight"), "limit", "how many requests may be in flight")
		r.InFlight = &gateway.InFlight{Limit: value(f.Limit, 1), Per: keyOf(f.Per)}
	}
	if policy, ok := balance.ParsePolicy(string(s.Policy)); ok {
		r.Policy = &policy
	}
	if s.Latency != nil {
		latency := l.latencyOf(join(path, "latency"), s.Latency)
		r.Latency = &latency
	}
	r.Refuse, r.RetryAfter = value(s.Refuse, gateway.TooManyRequests), int(value(s.RetryAfter, 0))
	if s.Refuse != nil && *s.Refuse == 0 {
		l.refuse(join(path, "refuse"), fault{code: CodeOutOfRange, message: join(path, "refuse") + " is 0", legal: "429 or 503"})
	}
	if r.Rate == nil && r.InFlight == nil && (s.Refuse != nil || s.RetryAfter != nil) && l.sound(path) {
		for _, field := range []string{"refuse", "retryAfter"} {
			if at := join(path, field); l.has(at) {
				l.c.warning(l.at(at), fault{code: CodeNoEffect, field: at,
					message: at + " tells how the rule refuses, but it has neither a rate nor a limit on what is in flight", hint: "add rate or inFlight"})
			}
		}
	}
	return r
}

func keyOf(k limitKey) gateway.Key {
	return gateway.Key(max(0, slices.Index(limitKey("").legal(), string(k))))
}

// checkServed reports populations that have no request which the gateway can ever admit.
func (l *loader) checkServed(c *gateway.Config, populations []workload.Population) {
	for i := range populations {
		p, path := &populations[i], index("clients", i)
		if p.Trace != nil || len(p.Requests) == 0 || !l.sound(path) {
			continue
		}
		var refused []int
		for j := range p.Requests {
			if !canPass(c, p, &p.Requests[j]) {
				refused = append(refused, j)
			}
		}
		switch {
		case len(refused) == len(p.Requests):
			l.refuse(path, fault{code: CodeNeverAdmitted, message: fmt.Sprintf("%s: no rule of the gateway ever lets a request of %s pass", path, p.Name),
				legal: "a rule that matches, or otherwise: " + passOn, hint: ruleHint(c)})
		case len(refused) > 0:
			at := index(join(path, "requests"), refused[0])
			l.c.warning(l.at(at), fault{code: CodeNeverAdmitted, field: at, message: fmt.Sprintf("%s: no rule of the gateway ever lets this request pass", at)})
		}
	}
}

// canPass tells whether the gateway can ever admit a request of a population's first client.
func canPass(c *gateway.Config, p *workload.Population, t *workload.Template) bool {
	_, ok := c.Serves(
		gateway.Subject{User: workload.Expand(p.User, 0), Groups: p.Groups},
		gateway.Target{
			Verb: t.Verb, APIGroup: t.APIGroup, Resource: t.Resource, Subresource: t.Subresource,
			Namespace: workload.Expand(t.Namespace, 0), Path: workload.Expand(t.Path, 0),
		})
	return ok
}

// ruleHint tells which rules there are.
func ruleHint(c *gateway.Config) string {
	if len(c.Rules) == 0 {
		return "the gateway has no rules"
	}
	names := make([]string, len(c.Rules))
	for i := range c.Rules {
		names[i] = c.Rules[i].Name
	}
	return "the rules are " + strings.Join(names, ", ")
}

package gateway

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/workload"
)

// Reason is why a request was refused.
type Reason uint8

// The reasons.
const (
	// Admitted: it was not.
	Admitted Reason = iota
	// NoRule: no rule matches.
	NoRule
	// Degraded: the gateway does not let the rule in, or not this request of it.
	Degraded
	// TooManyInFlight: the in-flight limit is reached.
	TooManyInFlight
	// RateExceeded: the token bucket is empty.
	RateExceeded
	reasons
)

// String returns the reason in the words of reports.
func (r Reason) String() string {
	return [...]string{"admitted", "no-rule", "degraded", "in-flight", "rate"}[r]
}

// Token stands for an admitted request until Done.
type Token struct {
	rule int32
	// key is whose in-flight limit it counts against.
	key int32
}

// Verdict is what becomes of a request.
type Verdict struct {
	// Rule is the rule that holds; the number of rules for what none matches.
	Rule int32
	// Reason is Admitted, or why it was refused.
	Reason Reason
	// Code and RetryAfter are the answer to what is refused; RetryAfter is in seconds, 0 for
	// no such header.
	Code, RetryAfter int32
	// There and Back are the latencies of what is admitted.
	There, Back time.Duration
	// Token is that of what is admitted.
	Token Token
}

// Counts are the requests of a rule, by what became of them: Counts[Admitted], and a number
// for each reason.
type Counts [reasons]int64

// ruleState is what a rule remembers.
type ruleState struct {
	// random is for latencies, for the share that a phase lets in, and for the choice of a
	// server: one stream for each rule, so that a rule more leaves the draws of others as they
	// are.
	random workload.Stream
	// chooser is nil if the rule leaves the choice to the balancer.
	chooser *balance.Chooser
	latency Latency
	rate    rate
	// buckets and inFlight are by key, as far as they have been used.
	buckets  []bucket
	inFlight []int32
	// total is all that is in flight, whether there is a limit or not.
	total  int
	counts Counts
}

// Gateway is a gateway in operation.
type Gateway struct {
	cfg         *Config
	facts       facts
	degradation degradation
	// rules has one more for what no rule matches.
	rules []ruleState
	// inFlight is that of all rules together.
	inFlight int
}

// New returns a gateway. cfg must be valid and must not change. policy is that of the
// balancer behind, for rules that name servers and no policy. stream returns the random
// stream of a name: "gateway/<rule>", which what the rule draws comes from.
func New(cfg *Config, policy balance.Policy, stream func(name string) workload.Stream) *Gateway {
	g := &Gateway{cfg: cfg, facts: newFacts(), degradation: newDegradation(cfg), rules: make([]ruleState, len(cfg.Rules)+1)}
	for i := range g.rules {
		r := &g.rules[i]
		r.random = stream("gateway/" + cfg.ruleName(i))
		r.latency = cfg.Latency
		if i < len(cfg.Rules) {
			r.configure(&cfg.Rules[i], policy)
		}
	}
	return g
}

// configure takes over what the definition of a rule says. A bucket for each key is made when
// its key is first met, and is full then: it would have been full before, too.
func (r *ruleState) configure(def *Rule, policy balance.Policy) {
	if def.Latency != nil {
		r.latency = *def.Latency
	}
	if def.Rate != nil {
		r.rate = newRate(def.Rate)
	}
	if def.Policy != nil {
		policy = *def.Policy
	}
	if def.Policy != nil || def.Servers != nil {
		c := balance.NewChooser(policy, def.Servers)
		r.chooser = &c
	}
}

// Admit tells what becomes of a request that comes now. Done must be called for what is
// admitted, once it is over.
func (g *Gateway) Admit(now time.Duration, s SubjectID, t TargetID) Verdict {
	rule := g.facts.rule(s, t)
	r := &g.rules[rule]
	v := Verdict{Rule: rule}
	if rule < g.otherwise() {
		v.Reason = g.judge(now, s, t, &v)
	} else {
		v.Reason = g.judgeOther(now)
	}
	r.counts[v.Reason]++
	if v.Reason != Admitted {
		g.answer(&v)
		return v
	}
	r.total++
	g.inFlight++
	// The request that makes it too many has come in; what comes after it meets the phases.
	g.trigger(now)
	v.Token.rule = rule
	// Both ways are drawn now, so that what a rule draws does not depend on the order in which
	// servers answer.
	v.There, v.Back, v.RetryAfter = r.latency.There.Sample(&r.random), r.latency.Back.Sample(&r.random), 0
	return v
}

// judge decides about a request of a rule, and enters who has which token into the verdict,
// and how long there will be none.
func (g *Gateway) judge(now time.Duration, s SubjectID, t TargetID, v *Verdict) Reason {
	r, def := &g.rules[v.Rule], &g.cfg.Rules[v.Rule]
	v.RetryAfter = 1
	if !g.letsIn(now, v.Rule, &r.random) {
		return Degraded
	}
	var counted *int32
	if def.InFlight != nil {
		v.Token.key = g.facts.key(def.InFlight.Per, s, t)
		r.inFlight = grow(r.inFlight, v.Token.key, 0)
		counted = &r.inFlight[v.Token.key]
		if int(*counted) >= def.InFlight.Limit {
			return TooManyInFlight
		}
	}
	if def.Rate != nil {
		key := g.facts.key(def.Rate.Per, s, t)
		r.buckets = grow(r.buckets, key, r.rate.full())
		if ok, wait := r.rate.take(&r.buckets[key], now); !ok {
			v.RetryAfter = int32(ceilDiv(int64(wait), int64(time.Second)))
			return RateExceeded
		}
	}
	if counted != nil {
		*counted++ // only now: a request without a token is not in flight
	}
	return Admitted
}

// judgeOther decides about a request that no rule matches.
func (g *Gateway) judgeOther(now time.Duration) Reason {
	switch {
	case g.cfg.RefuseOthers:
		return NoRule
	case !g.letsIn(now, g.otherwise(), &g.rules[g.otherwise()].random):
		return Degraded
	}
	return Admitted
}

// grow makes a slice long enough for an index. Keys are numbered as they are met, so slices by
// key are as long as there are users or namespaces, and a lookup needs no hashing.
func grow[T any](all []T, index int32, value T) []T {
	for len(all) <= int(index) {
		all = append(all, value)
	}
	return all
}

// answer fills in what is told to whom is refused. RetryAfter holds what is known by then.
func (g *Gateway) answer(v *Verdict) {
	code, after := g.cfg.OthersCode, 0
	if v.Rule < g.otherwise() {
		def := &g.cfg.Rules[v.Rule]
		code, after = def.Refuse, def.RetryAfter
	} else if v.Reason == NoRule {
		after = NoRetryAfter
	} else {
		after = 1
	}
	v.Code = TooManyRequests
	if code != 0 {
		v.Code = int32(code)
	}
	switch {
	case after == NoRetryAfter:
		v.RetryAfter = 0
	case after > 0:
		v.RetryAfter = int32(after)
	}
}

// Done tells that an admitted request is over: its answer has come through, or its stream has
// ended.
func (g *Gateway) Done(now time.Duration, t Token) {
	r := &g.rules[t.rule]
	if r.total == 0 {
		panic(fmt.Sprintf("gateway: a request of rule %d ends at %v, and none is in flight", t.rule, now))
	}
	r.total--
	g.inFlight--
	if t.rule < g.otherwise() && g.cfg.Rules[t.rule].InFlight != nil {
		r.inFlight[t.key]--
	}
}

// Choice returns how a rule chooses a server, and the stream that it draws from; nil if it
// leaves that to the balancer.
func (g *Gateway) Choice(rule int32) (*balance.Chooser, *workload.Stream) {
	r := &g.rules[rule]
	return r.chooser, &r.random
}

// Rules returns how many rules there are, with the one for what none matches as the last.
func (g *Gateway) Rules() int { return len(g.rules) }

// RuleName returns the name of a rule.
func (g *Gateway) RuleName(rule int32) string { return g.cfg.ruleName(int(rule)) }

// Counts returns what became of the requests of a rule.
func (g *Gateway) Counts(rule int32) Counts { return g.rules[rule].counts }

// InFlight returns how many requests of a rule have been admitted and are not over.
func (g *Gateway) InFlight(rule int32) int { return g.rules[rule].total }

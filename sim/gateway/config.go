package gateway

import (
	"slices"
	"time"

	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/workload"
)

// The fields carry the names of scenario files; Validate says what is legal.

// Key is what a limit counts by.
type Key uint8

// The keys.
const (
	// PerRule: all requests of the rule share the limit.
	PerRule Key = iota
	// PerUser: each user has the limit.
	PerUser
	// PerNamespace: each namespace has the limit; what has none counts as one more.
	PerNamespace
)

// String returns the name that scenario files use.
func (k Key) String() string { return [...]string{"rule", "user", "namespace"}[k] }

// The status codes of a refusal. client-go sends a request again after either of them, if
// there is a Retry-After (IsRetryableError in rest/with_retry.go, v0.37.2).
const (
	TooManyRequests    = 429
	ServiceUnavailable = 503
)

// NoRetryAfter is the value of a RetryAfter field for answers without that header, which
// client-go takes for final.
const NoRetryAfter = -1

// Rate is a token bucket, full at the start, from which every admitted request takes one.
type Rate struct {
	// QPS is how many tokens come each second: a multiple of 0.001, 0.001 to 1,000,000.
	QPS float64
	// Burst is how many tokens there are at most, 1 to 1,000,000.
	Burst int
	// Per tells whose bucket it is.
	Per Key
}

// InFlight is a limit on the requests that have been admitted and are not over. A watch is
// in flight for as long as it is open.
type InFlight struct {
	// Limit is how many there may be, 1 to 1,000,000.
	Limit int
	// Per tells who shares it.
	Per Key
}

// Latency is what the gateway adds: on the way to the server, and on the way back.
type Latency struct {
	There, Back workload.Distribution
}

// Rule is what becomes of the requests that it matches.
type Rule struct {
	// Name is unique, and names the random stream of the rule, "gateway/<name>".
	Name string
	// Match says for whom the rule is.
	Match Match
	// Rate and InFlight are limits; nil is none.
	Rate     *Rate
	InFlight *InFlight
	// Servers are the servers that it sends to, by index, and Policy is how it chooses among
	// them, for each request. If both are nil, the balancer behind the gateway decides as if
	// there were no gateway. Otherwise what is nil is all servers, and the balancer's policy.
	Servers []int
	Policy  *balance.Policy
	// Latency replaces that of the gateway; nil leaves it.
	Latency *Latency
	// Refuse is the status of refusals; 0 means TooManyRequests.
	Refuse int
	// RetryAfter is what refusals tell, in seconds. 0 means what is known: the time until
	// the next token, rounded up, and 1 for all other reasons. NoRetryAfter means nothing.
	RetryAfter int
}

// Phase is what a degraded gateway lets in from a time on, until the next phase.
type Phase struct {
	// At is since the start of the run, or since the trigger if there is one.
	At time.Duration
	// All admits everything, Admit names rules. Both empty: it refuses everything. What no
	// rule matches is named "otherwise".
	All   bool
	Admit []string
	// Over lets what the phase before did not admit in bit by bit: a share of the requests,
	// at random, that grows from none to all over this time. 0 is at once.
	Over time.Duration
}

// Otherwise is the name of the rule that what no rule matches comes under.
const Otherwise = "otherwise"

// Trigger is when a gateway begins to degrade: as soon as more requests are in flight than
// InFlight, which is how a backend that has become slow shows. It may do so again once the
// last phase is over, if that admits all.
type Trigger struct{ InFlight int }

// Config is a gateway. A gateway of no rules that passes everything changes nothing.
type Config struct {
	// Latency is what it adds to every request that it admits.
	Latency Latency
	// Rules are asked in their order; the first that matches holds.
	Rules []Rule
	// RefuseOthers refuses what no rule matches, with OthersCode (0 means TooManyRequests)
	// and no Retry-After: it would not help.
	RefuseOthers bool
	OthersCode   int
	// Trigger tells when the phases begin; nil means at the start of the run.
	Trigger *Trigger
	// Phases are in order of time; before the first the gateway works as usual.
	Phases []Phase
}

// Rule returns the index of the first rule that matches a request, or false if none does.
func (c *Config) Rule(s Subject, t Target) (int, bool) {
	for i := range c.Rules {
		if m := &c.Rules[i].Match; m.subject(s) && m.target(t) {
			return i, true
		}
	}
	return len(c.Rules), false
}

// Serves tells whether a request can ever be admitted, and by which rule: len(Rules) if it
// passes because none matches. It is not if no rule matches and the gateway refuses those,
// or if degradation begins at the start and no phase lets the rule in.
func (c *Config) Serves(s Subject, t Target) (rule int, ok bool) {
	rule, matched := c.Rule(s, t)
	if !matched && c.RefuseOthers {
		return rule, false
	}
	if c.Trigger != nil || len(c.Phases) == 0 || c.Phases[0].At > 0 {
		return rule, true // there is a time, at least at the start, at which all is as usual
	}
	for i := range c.Phases {
		if c.Phases[i].admits(c.ruleName(rule)) {
			return rule, true
		}
	}
	return rule, false
}

// ruleName returns the name of a rule, Otherwise for the one after the last.
func (c *Config) ruleName(rule int) string {
	if rule < len(c.Rules) {
		return c.Rules[rule].Name
	}
	return Otherwise
}

// admits tells whether a phase lets a rule in, be it bit by bit.
func (p *Phase) admits(name string) bool {
	if p.All {
		return true
	}
	return slices.Contains(p.Admit, name)
}

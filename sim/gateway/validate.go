package gateway

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/traceline"
)

// The bounds of what may be asked for. Those of rates and bursts keep a bucket exact.
const (
	qpsMax        = 1_000_000
	countMax      = 1_000_000
	retryAfterMax = 24 * 60 * 60
)

// faults collects what is wrong, with the path of each field.
type faults []error

func (f *faults) add(field, problem, legal string) {
	*f = append(*f, &workload.FieldError{Field: field, Problem: problem, Legal: legal})
}

// unless adds that a value is out of range, unless it is not.
func (f *faults) unless(ok bool, field string, value any, legal string) {
	if !ok {
		f.add(field, fmt.Sprintf("%v is out of range", value), legal)
	}
}

// Validate returns all faults at once, each a *workload.FieldError with the path in scenario
// files. servers is how many servers there are.
func (c *Config) Validate(servers int) []error {
	var f faults
	names := map[string]bool{Otherwise: true}
	for i := range c.Rules {
		r := &c.Rules[i]
		prefix := fmt.Sprintf("gateway.rules[%d].", i)
		switch {
		case r.Name == "":
			f.add(prefix+"name", "is missing", "a name of its own for each rule")
		case r.Name == Otherwise:
			f.add(prefix+"name", "means what no rule matches", "another name")
		case names[r.Name]:
			f.add(prefix+"name", fmt.Sprintf("%q is there twice", r.Name), "a name of its own for each rule")
		}
		names[r.Name] = true
		r.validate(&f, prefix, servers)
	}
	f.unless(legalCode(c.OthersCode), "gateway.otherwise", c.OthersCode, "pass, 429 or 503")
	c.validatePhases(&f, names)
	return f
}

// legalCode tells whether a refusal can have a status: the two that tell a client to come
// again, or 0 for the default.
func legalCode(code int) bool {
	return code == 0 || code == TooManyRequests || code == ServiceUnavailable
}

// validate checks what a rule says apart from its name.
func (r *Rule) validate(f *faults, prefix string, servers int) {
	r.Match.validate(f, prefix+"match.")
	if q := r.Rate; q != nil {
		q.validate(f, prefix+"rate.")
	}
	if l := r.InFlight; l != nil {
		f.unless(l.Limit >= 1 && l.Limit <= countMax, prefix+"inFlight.limit", l.Limit, fmt.Sprintf("a whole number from 1 to %d", countMax))
		f.unless(l.Per <= PerNamespace, prefix+"inFlight.per", int(l.Per), "rule, user, namespace")
	}
	// An empty list is not the same as none: a rule that can send nowhere refuses everything,
	// and whoever means that has a phase or a rate for it.
	*f = append(*f, balance.CheckServers(prefix+"servers", r.Servers, servers)...)
	if r.Servers != nil && len(r.Servers) == 0 {
		f.add(prefix+"servers", "is empty", "at least one server, or nothing for all")
	}
	if p := r.Policy; p != nil {
		f.unless(*p <= balance.TwoChoices, prefix+"policy", int(*p), strings.Join(balance.Policies(), ", "))
	}
	f.unless(legalCode(r.Refuse), prefix+"refuse", r.Refuse, "429 or 503")
	f.unless(r.RetryAfter >= NoRetryAfter && r.RetryAfter <= retryAfterMax, prefix+"retryAfter", r.RetryAfter,
		fmt.Sprintf("none, or whole seconds from 1 to %d", retryAfterMax))
}

// validate checks a rate. That it is a multiple of 0.001 is checked to within the error of
// reading a decimal number: 1e-9 of it is far more than that, and far less than a step.
func (r *Rate) validate(f *faults, prefix string) {
	// A NaN fails the first comparison, so that the second is of a number.
	ok := r.QPS >= 0.001 && r.QPS <= qpsMax && math.Abs(r.QPS-float64(thousandths(r.QPS))/1000) <= 1e-9*r.QPS
	f.unless(ok, prefix+"qps", r.QPS, fmt.Sprintf("requests per second, a multiple of 0.001 from 0.001 to %d", qpsMax))
	f.unless(r.Burst >= 1 && r.Burst <= countMax, prefix+"burst", r.Burst, fmt.Sprintf("a whole number from 1 to %d", countMax))
	f.unless(r.Per <= PerNamespace, prefix+"per", int(r.Per), "rule, user, namespace")
}

// validate checks the patterns. It does not check that anybody can satisfy them: resources and
// users are free text, also to an API server.
func (m *Match) validate(f *faults, prefix string) {
	prefixes := func(field string, patterns []string, empty bool) {
		for i, p := range patterns {
			ok := (p != "" || empty) && !strings.Contains(strings.TrimSuffix(p, "*"), "*")
			f.unlessText(ok, fmt.Sprintf("%s%s[%d]", prefix, field, i), p, "a name, or one that ends in *")
		}
	}
	prefixes("users", m.Users, false)
	prefixes("groups", m.Groups, false)
	prefixes("namespaces", m.Namespaces, true)
	verbs := append([]string{"*"}, traceline.ResourceVerbs()...)
	for _, v := range traceline.PathVerbs() {
		if !slices.Contains(verbs, v) {
			verbs = append(verbs, v)
		}
	}
	for i, v := range m.Verbs {
		f.unlessText(slices.Contains(verbs, v), fmt.Sprintf("%sverbs[%d]", prefix, i), v, strings.Join(verbs, ", "))
	}
	for i, g := range m.APIGroups {
		f.unlessText(g == "*" || !strings.ContainsAny(g, "*/"), fmt.Sprintf("%sapiGroups[%d]", prefix, i), g,
			"an API group without a version, \"\" for the core group, or *")
	}
	for i, r := range m.Resources {
		f.unlessText(legalEntry(r), fmt.Sprintf("%sresources[%d]", prefix, i), r, "as in pods, pods/status, pods/*, */status, *")
	}
	for i, p := range m.Paths {
		ok := p == "*" || strings.HasPrefix(p, "/") && !strings.Contains(strings.TrimSuffix(p, "*"), "*")
		f.unlessText(ok, fmt.Sprintf("%spaths[%d]", prefix, i), p, "a path, as in /healthz, or one that ends in *")
	}
}

// unlessText adds that a text is not legal, unless it is.
func (f *faults) unlessText(ok bool, field, text, legal string) {
	if !ok {
		f.add(field, fmt.Sprintf("%q is not legal", text), legal)
	}
}

// legalEntry tells whether an entry of Resources can be read.
func legalEntry(entry string) bool {
	if entry == "*" {
		return true
	}
	resource, subresource, sub := strings.Cut(entry, "/")
	whole := func(part string) bool { return part != "" && !strings.ContainsAny(part, "*/") }
	if !sub {
		return whole(resource)
	}
	return (resource == "*" || whole(resource)) && (subresource == "*" || whole(subresource))
}

// Phases of the same time would leave the first of them no time at all, so that is a fault,
// and not an order to be worked out.

// validatePhases checks degradation; names are those of the rules, with Otherwise.
func (c *Config) validatePhases(f *faults, names map[string]bool) {
	if t := c.Trigger; t != nil {
		f.unless(t.InFlight >= 0 && t.InFlight <= countMax, "gateway.trigger.inFlight", t.InFlight, fmt.Sprintf("a whole number from 0 to %d", countMax))
		if len(c.Phases) == 0 {
			f.add("gateway.trigger", "begins no degradation", "at least one phase in degradation")
		}
	}
	last := time.Duration(-1)
	for i := range c.Phases {
		p := &c.Phases[i]
		prefix := fmt.Sprintf("gateway.degradation[%d].", i)
		f.unless(p.At > last && p.At <= workload.MaxDuration, prefix+"at", p.At, "0s or later, and later than the one before")
		last = max(last, p.At)
		f.unless(p.Over >= 0 && p.Over <= workload.MaxDuration, prefix+"over", p.Over, fmt.Sprintf("a duration from 0s to %v", workload.MaxDuration))
		if p.All && len(p.Admit) > 0 {
			f.add(prefix+"admit", "names rules and all", "all, or names of rules")
		}
		for j, name := range p.Admit {
			if !names[name] {
				f.add(fmt.Sprintf("%sadmit[%d]", prefix, j), fmt.Sprintf("there is no rule %q", name), "names of rules, or otherwise")
			}
		}
	}
}

// Warnings returns what is legal and can hardly be meant, each a *workload.FieldError: rules
// that an earlier one leaves nothing to.
func (c *Config) Warnings() []error {
	var f faults
	for i := range c.Rules {
		for j := range c.Rules[:i] {
			if c.Rules[j].Match.covers(&c.Rules[i].Match) {
				f.add(fmt.Sprintf("gateway.rules[%d].match", i), fmt.Sprintf("rule %q never holds: rule %q before it matches all that it does",
					c.Rules[i].Name, c.Rules[j].Name), "the narrower rule first")
				break
			}
		}
	}
	return f
}

package workload

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload/traceline"
)

// The Validate methods return all faults at once, each a *FieldError with the path of the
// field as scenario files have it; nil if there are none.

// faultsOf collects errors that are not nil.
func faultsOf(errs ...error) []error {
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// The bounds of what may be asked for. They keep a slip of the pen from filling the memory.
const (
	rateMax  = 1e9
	countMax = 1_000_000
)

// checkCount returns an error unless least <= n <= countMax.
func checkCount(field string, n, least int) error {
	if n >= least && n <= countMax {
		return nil
	}
	return fault(field, n, fmt.Sprintf("a whole number from %d to %d", least, countMax))
}

// Validate returns what keeps a from being an arrival process: a rate of 0 or less, a
// jitter longer than the period, a burst of nothing, no stage.
func (a *Arrivals) Validate() []error {
	switch a.Kind {
	case KindPoisson:
		return faultsOf(checkRate("poisson.rate", a.Rate))
	case KindPeriodic:
		return faultsOf(
			checkDuration("periodic.every", a.Every, 1),
			checkAtMost("periodic.jitter", a.Jitter, a.Every, "every"))
	case KindBurst:
		return faultsOf(
			checkDuration("burst.at", a.At, 0),
			checkCount("burst.count", a.Count, 1),
			checkDuration("burst.over", a.Over, 0))
	case KindStages:
		return a.validateStages()
	}
	return []error{&FieldError{"arrivals", "no process is given", "poisson, periodic, burst or stages"}}
}

func (a *Arrivals) validateStages() []error {
	var all []error
	most := 0.0
	for i, s := range a.Stages {
		field := fmt.Sprintf("stages[%d].", i)
		all = append(all, faultsOf(
			checkDuration(field+"duration", s.Duration, 0),
			checkNumber(field+"rate", s.Rate, 0, rateMax))...)
		most = max(most, s.Rate)
	}
	if len(all) == 0 && most == 0 {
		all = append(all, &FieldError{"stages", "nothing ever arrives", "at least one rate above 0"})
	}
	return all
}

func checkRate(field string, rate float64) error {
	if rate > 0 && rate <= rateMax {
		return nil
	}
	return fault(field, rate, fmt.Sprintf("requests per second, above 0 and at most %g", float64(rateMax)))
}

// checkAtMost returns an error unless 0 <= d <= most, which is the value of another field.
func checkAtMost(field string, d, most time.Duration, other string) error {
	if d >= 0 && d <= most {
		return nil
	}
	return fault(field, d, fmt.Sprintf("a duration from 0s to %s, which is %v", other, most))
}

// Validate returns what keeps c from being a closed loop.
func (c *Closed) Validate() []error {
	all := faultsOf(checkCount("closed.concurrency", c.Concurrency, 1))
	if c.Think.IsZero() {
		all = append(all, &FieldError{"closed.think", "is not given", "a distribution; constant: 0s for no pause"})
	}
	return all
}

// Validate returns what client-go would refuse (NewLeaderElector in
// tools/leaderelection/leaderelection.go, v0.37.2): the renew deadline must be shorter than
// the lease, and longer than 1.2 retry periods.
func (l Lease) Validate() []error {
	all := faultsOf(
		checkDuration("lease.duration", l.Duration, 1),
		checkDuration("lease.renewDeadline", l.RenewDeadline, 1),
		checkDuration("lease.retryPeriod", l.RetryPeriod, 1),
		checkCount("lease.candidates", l.Candidates, 0),
		checkDuration("lease.restart", l.Restart, 0))
	if len(all) > 0 {
		return all
	}
	if l.Duration <= l.RenewDeadline {
		all = append(all, fault("lease.duration", l.Duration, fmt.Sprintf("longer than renewDeadline, which is %v", l.RenewDeadline)))
	}
	if least := time.Duration(acquireJitter * float64(l.RetryPeriod)); l.RenewDeadline <= least {
		all = append(all, fault("lease.renewDeadline", l.RenewDeadline, fmt.Sprintf("longer than 1.2 times retryPeriod, which is %v", least)))
	}
	return all
}

// The bounds of the figures of a retry policy. A factor near 1 would take for ever to grow.
const (
	factorMin, factorMax = 1.1, 100
	jitterMax            = 10
)

// Validate returns what keeps r from being a retry policy: a policy that is unknown, a figure
// that is out of its bounds, or one that the policy has no use for.
func (r *Retry) Validate() []error {
	if int(r.Policy) >= len(retryPolicies) {
		return []error{fault("retry.policy", int(r.Policy), strings.Join(retryPolicies[:], ", "))}
	}
	all := faultsOf(checkCount("retry.maxRetries", r.MaxRetries, 0))
	for _, f := range r.figures() {
		switch {
		case f.used:
			all = append(all, faultsOf(f.err)...)
		case f.given:
			all = append(all, &FieldError{"retry." + f.name, fmt.Sprintf("is given for the policy %v", r.Policy), "nothing: the policy has no use for it"})
		}
	}
	return all
}

// retryFigure is a field of a retry policy: whether it is given, whether the policy uses it,
// and what is wrong with it if so.
type retryFigure struct {
	name        string
	given, used bool
	err         error
}

// figures lists the fields that only some policies have.
func (r *Retry) figures() []retryFigure {
	fixed, exponential := r.Policy == RetryFixed, r.Policy == RetryExponential
	return []retryFigure{
		{"every", r.Every != 0, fixed, checkDelay("retry.every", r.Every, 1)},
		{"base", r.Base != 0, exponential, checkDelay("retry.base", r.Base, 1)},
		{"factor", r.Factor != 0, exponential, checkNumber("retry.factor", r.factor(), factorMin, factorMax)},
		{"cap", r.Cap != 0, exponential, checkDelay("retry.cap", r.Cap, 0)},
		{"jitter", r.Jitter != 0, fixed || exponential, checkNumber("retry.jitter", r.Jitter, 0, jitterMax)},
		{"turnaround", r.Turnaround != 0, r.Policy > RetryClientGo, checkDelay("retry.turnaround", r.Turnaround, 0)},
	}
}

// checkDelay returns an error unless d is a delay that a retry may have.
func checkDelay(field string, d, least time.Duration) error {
	if d >= least && d <= retryDelayMax {
		return nil
	}
	return fault(field, d, fmt.Sprintf("a duration from %v to %v", least, retryDelayMax))
}

// Validate returns what keeps t from being a request: no verb, or one that neither
// resources nor paths have; neither a resource nor a path, or both.
func (t *Template) Validate() []error {
	all := faultsOf(
		checkDuration("timeout", t.Timeout, 0),
		checkNumber("weight", t.Weight, 0, weightMax))
	for i := range t.Calls {
		all = append(all, prefixed(fmt.Sprintf("calls[%d].", i), faultsOf(
			checkCount("count", t.Calls[i].Count, 1),
			checkDuration("timeout", t.Calls[i].Timeout, 0)))...)
	}
	verbs := traceline.ResourceVerbs()
	switch {
	case t.Path == "" && t.Resource == "":
		all = append(all, &FieldError{"resource", "is missing", "a resource, or a path"})
	case t.Path != "":
		verbs = traceline.PathVerbs()
		if t.Resource+t.APIGroup+t.Subresource+t.Namespace+t.Name != "" {
			all = append(all, &FieldError{"path", "is given beside a resource", "a path or a resource, not both"})
		}
		if t.Path[0] != '/' {
			all = append(all, &FieldError{"path", fmt.Sprintf("%q does not begin with a slash", t.Path), "a path, as in /healthz"})
		}
	}
	if !slices.Contains(verbs, t.Verb) {
		all = append(all, &FieldError{"verb", fmt.Sprintf("%q is no verb here", t.Verb), strings.Join(verbs, ", ")})
	}
	return all
}

// Validate returns all faults of the population and of its parts. A trace has been checked
// when it was opened, and brings its own users and requests.
func (p *Population) Validate() []error {
	all := prefixed("", p.Retry.Validate())
	if p.Name == "" {
		all = append(all, &FieldError{"name", "is missing", "a name of its own for each population"})
	}
	ways := 0
	for _, given := range [...]bool{p.Open != nil, p.Closed != nil, p.Behaviour != nil, p.Called, p.Trace != nil, p.Present} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		all = append(all, &FieldError{"arrivals", fmt.Sprintf("%d ways to send are given", ways), "exactly one of open, closed, behaviour, called, trace and present"})
	}
	if p.Trace != nil || p.Present {
		return all
	}
	return append(all, p.validateClients()...)
}

// validateClients checks what a population has that is no trace.
func (p *Population) validateClients() []error {
	all := faultsOf(checkCount("count", p.Clients, 1))
	if p.User == "" {
		all = append(all, &FieldError{"user", "is missing", "a user name; {index} in it is the number of the client"})
	}
	for i := range p.Requests {
		t := &p.Requests[i]
		prefix := fmt.Sprintf("requests[%d].", i)
		all = append(all, prefixed(prefix, t.Validate())...)
		switch {
		case p.Duration.IsZero() && (t.Duration == nil || t.Duration.IsZero()):
			all = append(all, &FieldError{prefix + "duration", "is missing, and so is that of the population", "a distribution"})
		case t.Duration != nil && t.Duration.IsZero():
			all = append(all, &FieldError{prefix + "duration", "is no distribution", "a distribution, or nothing for that of the population"})
		}
	}
	if len(p.Requests) == 0 {
		all = append(all, &FieldError{"requests", "is empty", "at least one request"})
	}
	switch {
	case p.Open != nil:
		all = append(all, prefixed("arrivals.", p.Open.Validate())...)
	case p.Closed != nil:
		all = append(all, prefixed("arrivals.", p.Closed.Validate())...)
		all = append(all, p.ValidatePace()...)
	case p.Behaviour != nil:
		all = append(all, prefixed("arrivals.", p.Behaviour.Validate())...)
		all = append(all, CheckRequests(p.Behaviour, p.Requests)...)
	}
	return append(all, faultsOf(checkDuration("timeout", p.Timeout, 0))...)
}

// ValidatePace returns what lets a closed loop go round for ever at one instant, so that no
// run of it ends: no pause after an answer that comes at once. That is a rejection, if it is
// not retried, since a retry waits for a second at least; and the end of a request that takes
// no time. Distributions that are missing are not its business. Validate calls it; it is there
// for callers that have checked all the rest themselves.
func (p *Population) ValidatePace() []error {
	if p.Closed == nil || p.Closed.Think.IsZero() || p.Closed.Think.Mean() > 0 {
		return nil
	}
	const field, spins = "arrivals.closed", "would ask again at the same instant, for ever"
	if p.Retry.Policy == RetryNone {
		return []error{&FieldError{field, "there is no think time, so that a client that is rejected " + spins,
			"a think time above 0, or retries as client-go does them"}}
	}
	for i := range p.Requests {
		d := p.Requests[i].Duration
		if d == nil {
			d = &p.Duration
		}
		if !d.IsZero() && d.Mean() == 0 {
			return []error{&FieldError{field, fmt.Sprintf("there is no think time, and requests[%d] takes no time, so that a client %s", i, spins),
				"a think time above 0, or requests that take time"}}
		}
	}
	return nil
}

// prefixed puts a prefix before the fields of faults, but for "arrivals", which is whole.
func prefixed(prefix string, errs []error) []error {
	for _, err := range errs {
		if f, ok := err.(*FieldError); ok && f.Field != "arrivals" {
			f.Field = prefix + f.Field
		}
	}
	return errs
}

package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// retryFields are the fields of each policy, beside policy itself; those that it needs come
// first.
var retryFields = [...]struct{ needed, possible []string }{
	workload.RetryNone:        {},
	workload.RetryClientGo:    {nil, []string{"maxRetries"}},
	workload.RetryImmediate:   {nil, []string{"maxRetries", "turnaround"}},
	workload.RetryFixed:       {[]string{"every"}, []string{"jitter", "maxRetries", "turnaround"}},
	workload.RetryExponential: {[]string{"base"}, []string{"factor", "cap", "jitter", "maxRetries", "turnaround"}},
}

// allRetryFields is every field but policy, in the order of the format.
var allRetryFields = []string{"maxRetries", "every", "base", "factor", "cap", "jitter", "turnaround"}

// retry makes the reaction of a population to a failure. What its policy has no use for is
// refused.
func (l *loader) retry(path string, s *retrySpec) workload.Retry {
	if s == nil {
		return workload.Retry{}
	}
	path = join(path, "retry")
	l.require(path, "policy", strings.Join(s.Policy.legal(), ", "))
	if !l.sound(join(path, "policy")) {
		return workload.Retry{}
	}
	policy := workload.RetryPolicy(max(0, slices.Index(s.Policy.legal(), string(s.Policy))))
	fields := retryFields[policy]
	sound := true
	for _, f := range allRetryFields {
		switch {
		case slices.Contains(fields.needed, f):
			sound = l.require(path, f, "") && sound
		case !slices.Contains(fields.possible, f) && l.has(join(path, f)):
			l.excluded(path, unusedRetryField(policy), f)
			sound = false
		}
	}
	return l.retryOf(path, policy, s, sound)
}

// unusedRetryField says where a field cannot be set.
func unusedRetryField(policy workload.RetryPolicy) string {
	if policy == workload.RetryNone {
		return "without retries"
	}
	return fmt.Sprintf("with the policy %v", policy)
}

// retryOf makes the policy of its fields, and checks their ranges if there is nothing else
// wrong with them.
func (l *loader) retryOf(path string, policy workload.RetryPolicy, s *retrySpec, sound bool) workload.Retry {
	out := workload.Retry{
		Policy:     policy,
		MaxRetries: value(s.MaxRetries, 0),
		Every:      time.Duration(value(s.Every, 0)),
		Base:       time.Duration(value(s.Base, 0)),
		Factor:     value(s.Factor, 0),
		Cap:        time.Duration(value(s.Cap, 0)),
		Jitter:     value(s.Jitter, 0),
		Turnaround: time.Duration(value(s.Turnaround, 0)),
	}
	if s.MaxRetries != nil {
		sound = l.inRange(join(path, "maxRetries"), int64(*s.MaxRetries), 1, maxClients) && sound
	}
	sound = l.aboveZero(join(path, "turnaround"), s.Turnaround != nil, float64(out.Turnaround)) && sound
	sound = l.aboveZero(join(path, "factor"), s.Factor != nil, out.Factor) && sound
	if sound {
		for _, err := range out.Validate() {
			l.workloadFault(strings.TrimSuffix(path, ".retry"), err)
		}
	}
	return out
}

// aboveZero refuses a 0 where package workload takes it for what is not given.
func (l *loader) aboveZero(at string, given bool, value float64) bool {
	if given && value == 0 {
		l.refuse(at, fault{code: CodeOutOfRange, message: at + " is out of range: 0", legal: "above 0"})
		return false
	}
	return true
}

// retriesEnd refuses retries that may go on for ever where nothing else ends the run: a trace
// without a duration ends with its last request.
func (l *loader) retriesEnd(path string, r *workload.Retry) {
	at := join(path, "retry")
	if l.spec.Duration != nil || r.Ends() || !l.sound(at) {
		return
	}
	l.refuse(at, fault{code: CodeOutOfRange, message: at + " may go on for longer than a year, and the run ends with the last request",
		legal: "a maxRetries that is small enough, or a duration of the run"})
}

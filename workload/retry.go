package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/backoff"
)

// RetryPolicy is how a client reacts to an attempt that has failed.
type RetryPolicy uint8

// The retry policies.
const (
	// RetryNone gives up at once.
	RetryNone RetryPolicy = iota
	// RetryClientGo does what client-go's rest client does by default: it waits as long
	// as the Retry-After header says, and gives up after a number of retries.
	RetryClientGo
	// RetryImmediate tries again as soon as it knows of the failure.
	RetryImmediate
	// RetryFixed tries again after the same time each time.
	RetryFixed
	// RetryExponential waits longer after each failure.
	RetryExponential
)

// retryPolicies are the names of the policies, in their order.
var retryPolicies = [...]string{"none", "client-go", "immediate", "fixed", "exponential"}

// String returns the name that scenario files use.
func (p RetryPolicy) String() string { return retryPolicies[p] }

// RetryPolicyNames returns the names of all policies, in their order.
func RetryPolicyNames() []string { return append([]string(nil), retryPolicies[:]...) }

// What a policy takes where a figure is not given.
const (
	// DefaultMaxRetries is client-go's limit (rest/request.go, v0.37.2).
	DefaultMaxRetries = 10
	// DefaultFactor is the factor of an exponential policy.
	DefaultFactor = 2
	// DefaultTurnaround is the time from an answer to the next attempt where nothing else makes
	// the client wait: a round trip in a data centre and the client's own work.
	DefaultTurnaround = time.Millisecond
)

// connectionRetry is what client-go waits after a connection broke (retryAfterResponse in
// rest/with_retry.go, v0.37.2).
const connectionRetry = time.Second

// Retry is the reaction of a client to an attempt that has failed. Which failures it reacts to:
//
//   - RetryClientGo: exactly those that the rest client retries, see Delay.
//   - The other policies retry every failure, but for those after which the same request
//     cannot succeed (Expired) and those that the client has wanted itself (Withdrawn). A
//     Retry-After header does not matter to them: they are the clients that do not know it.
//
// A client without MaxRetries that never succeeds goes on for ever. Time passes all the same:
// from an answer to the next attempt it is Turnaround at least.
type Retry struct {
	Policy RetryPolicy
	// MaxRetries bounds the retries after the first try. 0 means DefaultMaxRetries for
	// RetryClientGo, and no bound for the others.
	MaxRetries int
	// Every is the delay of RetryFixed before jitter.
	Every time.Duration
	// Base is the first delay of RetryExponential before jitter.
	Base time.Duration
	// Factor multiplies that at each retry; 0 means DefaultFactor.
	Factor float64
	// Cap bounds what it has grown to, before jitter; 0 is no bound.
	Cap time.Duration
	// Jitter adds up to this share of the delay to it (RetryFixed and RetryExponential).
	Jitter float64
	// Turnaround is the least time from an answer to the next attempt; 0 means
	// DefaultTurnaround. RetryClientGo waits for a second at least, and has no use for it.
	Turnaround time.Duration
}

// Method is what matters of an HTTP request where a client decides whether to send it again.
type Method uint8

// The methods.
const (
	// MethodWrite is any but GET: its effect may have happened although the answer was lost.
	MethodWrite Method = iota
	// MethodGet is a GET that ends: get and list.
	MethodGet
	// MethodWatch is a GET that stays open.
	MethodWatch
)

// MethodOf returns the method of a verb of the API, or of an HTTP method in lower case.
func MethodOf(verb string) Method {
	switch verb {
	case "get", "list":
		return MethodGet
	case "watch":
		return MethodWatch
	}
	return MethodWrite
}

// Delay tells how long to wait before the next attempt, and whether there is one. attempt is
// the number of attempts so far, 1 after the first, all of which have failed; a is how the
// latest one ended. u is a random number in [0, 1), which matters only if Random says so.
//
// The delay comes before the client's own limiter, through which every attempt goes. With
// RetryClientGo a watch is an exception: its first attempt does not pass the limiter, its
// retries do.
func (r *Retry) Delay(a Answer, m Method, attempt int, u float64) (delay time.Duration, again bool) {
	if a.Status == OK || r.exhausted(attempt) {
		return 0, false
	}
	if r.Policy == RetryClientGo {
		return clientGoDelay(a, m)
	}
	if a.Status == Expired || a.Status == Withdrawn {
		return 0, false
	}
	return max(r.pause(attempt, u), r.turnaround()), true
}

// Random tells whether Delay looks at its random number.
func (r *Retry) Random() bool {
	return r.Jitter > 0 && (r.Policy == RetryFixed || r.Policy == RetryExponential)
}

// Ends tells whether the pauses of a request that never succeeds come to an end, and within a
// year or so: what a run without an end of its own needs.
func (r *Retry) Ends() bool {
	if r.Policy <= RetryClientGo {
		return true
	}
	pause := r.Every
	if r.Policy == RetryExponential {
		pause = r.grown(r.MaxRetries)
	}
	longest := max(float64(pause)*(1+r.Jitter), float64(r.turnaround()))
	return r.MaxRetries > 0 && longest*float64(r.MaxRetries) <= float64(retriesMax)
}

// exhausted tells whether an attempt was the last one.
func (r *Retry) exhausted(attempt int) bool {
	switch r.Policy {
	case RetryNone:
		return true
	case RetryClientGo:
		return attempt > r.maxRetries()
	}
	return r.MaxRetries > 0 && attempt > r.MaxRetries
}

// clientGoDelay is the rule of client-go's rest client (rest/request.go and
// rest/with_retry.go, v0.37.2), without its bound.
//
// It retries a 429 and all of 5xx if they carry a Retry-After header, and then waits as long
// as that says and nothing else, without jitter or growth. It retries a GET whose connection
// broke, after a second. It does not retry a connection that is refused, nor a write that was
// lost. Its own deadline ends all attempts.
func clientGoDelay(a Answer, m Method) (time.Duration, bool) {
	switch a.Status {
	case TooManyRequests, Unavailable, TimedOut, Failed:
		if a.RetryAfter > 0 {
			return time.Duration(a.RetryAfter) * time.Second, true
		}
		return 0, false
	case Lost:
		if m != MethodWrite {
			return connectionRetry, true
		}
	}
	return 0, false
}

// pause is the delay that the policies other than client-go want, with jitter.
func (r *Retry) pause(attempt int, u float64) time.Duration {
	var d time.Duration
	switch r.Policy {
	case RetryFixed:
		d = r.Every
	case RetryExponential:
		d = r.grown(attempt)
	}
	if r.Jitter > 0 {
		d = min(backoff.Jitter(d, r.Jitter, u), retryDelayMax)
	}
	return d
}

// retryDelayMax bounds each delay, such as one that grows without a cap; retriesMax all delays of a request in a run that has no end of its own: that is what client-go
// can wait at most if it is told to retry a million times.
const (
	retryDelayMax = 300 * time.Hour
	retriesMax    = countMax * 32 * time.Second
)

// grown is the delay of an exponential policy after a number of failures, as wait.Backoff
// computes it: rounded towards 0 at each step.
func (r *Retry) grown(failures int) time.Duration {
	most := retryDelayMax
	if r.Cap > 0 {
		most = min(most, r.Cap)
	}
	factor := r.factor()
	d := r.Base // not bounded by the cap, as in wait.Backoff
	for range failures - 1 {
		next := float64(d) * factor
		if next > float64(most) {
			return most
		}
		d = time.Duration(next)
	}
	return d
}

func (r *Retry) factor() float64 {
	if r.Factor == 0 {
		return DefaultFactor
	}
	return r.Factor
}

func (r *Retry) maxRetries() int {
	if r.MaxRetries == 0 && r.Policy == RetryClientGo {
		return DefaultMaxRetries
	}
	return r.MaxRetries
}

func (r *Retry) turnaround() time.Duration {
	if r.Turnaround == 0 {
		return DefaultTurnaround
	}
	return r.Turnaround
}

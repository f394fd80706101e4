// Package limiter is the token bucket that a client puts before its requests: client-go's
// flowcontrol.NewTokenBucketRateLimiter (util/flowcontrol/throttle.go, v0.37.2), which is
// golang.org/x/time/rate (rate.go, v0.15.0) with a rate in float32.
//
// A bucket holds burst tokens at first and at most, and gains qps tokens a second. A request
// takes one. If there is none, it takes one all the same: the bucket goes into debt, and the
// request waits until the debt is paid. So waiting requests queue up in the order in which they
// came, each 1/qps after the one before it.
//
// Everything is computed as the original does, in float64 with its order of operations and its
// rounding, so that each time is equal to the nanosecond. The original rounds a wait down to
// whole nanoseconds. A product is written float64(x*y) where it is added, as the compiler for
// amd64 rounds it; on other processors the original may round once where it rounds twice there.
package limiter

import (
	"math"
	"time"
)

// What New takes for 0.
const (
	DefaultQPS   float32 = 5
	DefaultBurst int     = 10
)

// Never is the time of what never happens.
const Never = time.Duration(math.MaxInt64)

// Limiter is the configuration of a client-side limiter. The zero value is none.
type Limiter struct {
	// QPS is the number of tokens a second; 0 or less for no limit at all.
	QPS float32
	// Burst is the capacity, at least 1 if there is a limit.
	Burst int
}

// New returns the limiter of a client whose configuration has these figures, as
// rest.RESTClientFor does (client-go rest/config.go, v0.37.2): 0 is a default, 5 for qps and
// 10 for burst, and with a qps below 0 there is no limit.
func New(qps float32, burst int) Limiter {
	if qps < 0 {
		return Limiter{}
	}
	l := Limiter{QPS: qps, Burst: burst}
	if qps == 0 {
		l.QPS = DefaultQPS
	}
	if burst == 0 {
		l.Burst = DefaultBurst
	}
	return l
}

// State is the bucket of one client. It begins as what Limiter.Full returns, and belongs to
// that Limiter. The zero value is an empty bucket.
type State struct {
	// tokens is what the bucket held at last, below 0 for a debt.
	tokens float64
	// last is when tokens was brought up to date, event the latest time that a request was
	// given so far.
	last, event time.Duration
}

// Unlimited tells whether requests go at once, whatever their number.
func (l Limiter) Unlimited() bool { return l.QPS <= 0 }

// Full returns the bucket of a client that has sent nothing yet.
func (l Limiter) Full() State { return State{tokens: float64(l.Burst)} }

// Tokens returns what the bucket holds at a time, below 0 for a debt.
func (l Limiter) Tokens(s State, now time.Duration) float64 {
	// A clock that has gone back adds nothing.
	elapsed := now - min(s.last, now)
	return min(s.tokens+l.tokensIn(elapsed), float64(l.Burst))
}

// Reserve takes a token, whether there is one or not, and tells when the request may go: now,
// or when the debt is paid. It is what a request without a deadline does (RateLimiter.Wait
// and Accept). Requests of the same instant go in the order of the calls.
func (l Limiter) Reserve(s State, now time.Duration) (next State, at time.Duration) {
	next, at, _ = l.reserve(s, now, Never)
	return next, at
}

// Wait takes a token for a request whose context has a deadline, as RateLimiter.Wait does. If
// the token would come after the deadline, or the deadline has passed, the request fails at once
// and takes nothing: ok is false and the state is the same. A token that comes at the very
// deadline is waited for, and whether the request then goes is left to the caller: the original
// returns either, at random.
func (l Limiter) Wait(s State, now, deadline time.Duration) (next State, at time.Duration, ok bool) {
	if deadline <= now {
		return s, now, false
	}
	return l.reserve(s, now, deadline-now)
}

// TryAccept takes a token if there is one now.
func (l Limiter) TryAccept(s State, now time.Duration) (next State, ok bool) {
	next, _, ok = l.reserve(s, now, 0)
	return next, ok
}

// reserve takes a token for a request that is willing to wait for so long.
func (l Limiter) reserve(s State, now, patience time.Duration) (next State, at time.Duration, ok bool) {
	if l.Unlimited() {
		return s, now, true
	}
	tokens := l.Tokens(s, now) - 1
	var wait time.Duration
	if tokens < 0 {
		wait = l.timeFor(-tokens)
	}
	if wait > patience {
		return s, now, false
	}
	at = later(now, wait)
	return State{tokens: tokens, last: now, event: at}, at, true
}

// Cancel gives back the token of a request that was to go at a time, because its context was
// cancelled before. What has been promised to others since is not given back, and nobody else
// goes sooner: that is why a cancelled request gives back less than a token if there were
// others after it, and mostly nothing.
func (l Limiter) Cancel(s State, now, at time.Duration) State {
	if l.Unlimited() || at < now {
		return s
	}
	back := 1 - l.tokensIn(s.event-at)
	if back <= 0 {
		return s
	}
	next := State{tokens: min(l.Tokens(s, now)+back, float64(l.Burst)), last: now, event: s.event}
	if at == s.event {
		if before := at + l.timeFor(-1); before >= now {
			next.event = before
		}
	}
	return next
}

// tokensIn returns how many tokens come in a time.
func (l Limiter) tokensIn(d time.Duration) float64 { return float64(d.Seconds() * float64(l.QPS)) }

// timeFor returns how long it takes until so many tokens have come: rounded towards 0, and
// Never where that is beyond what a Duration holds.
func (l Limiter) timeFor(tokens float64) time.Duration {
	// Two roundings, in this order, as the original has them.
	ns := tokens / float64(l.QPS) * float64(time.Second)
	if ns >= math.MaxInt64 {
		return Never
	}
	return time.Duration(ns)
}

// later returns the sum of a time and a wait, at most Never.
func later(now, wait time.Duration) time.Duration {
	if now > Never-wait {
		return Never
	}
	return now + wait
}

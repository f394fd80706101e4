package workload

import (
	"time"

	"github.com/apfsim/apfsim/workload/limiter"
)

// Pass takes a token of the client's limiter for an attempt, and tells when the attempt is sent:
// at a time that is now or later. If ok is false it is not, and the request fails at that time.
// attempt is the number of attempts made before; patience is when the time limit of the request
// ends, 0 if it has none or has not begun. s is the client's bucket.
//
// client-go does not throttle the first attempt of a watch (Request.Watch in rest/request.go,
// v0.37.2). It throttles that of other requests before their time limit begins, so that a client
// that is held back by itself does not time out before it has asked at all; further attempts
// are throttled within that limit, and one whose token would come too late fails at once
// (Request.request and Request.tryThrottle). One whose token comes at the very end of the limit
// waits for it, and then there is no time left to send it.
func (p *Population) Pass(s *limiter.State, now, patience time.Duration, m Method, attempt int) (at time.Duration, ok bool) {
	switch {
	case p.Limiter == nil || m == MethodWatch && attempt == 0:
		return now, true
	case patience > 0:
		*s, at, ok = p.Limiter.Wait(*s, now, patience)
		return at, ok && at < patience
	}
	*s, at = p.Limiter.Reserve(*s, now)
	return at, true
}

// Again tells when a request is tried again after an attempt has failed, and whether it is:
// after the pause that the retry policy wants. If the time limit of the request ends before
// that, the client waits for its end in vain: at is that end, and expired is true. attempt is
// the number of attempts so far, patience the end of the time limit, 0 for none; u is a random
// number in [0, 1), which matters only if Retry.Random says so.
func (p *Population) Again(now, patience time.Duration, a Answer, m Method, attempt int, u float64) (at time.Duration, again, expired bool) {
	if patience > 0 && now >= patience {
		return now, false, false
	}
	delay, again := p.Retry.Delay(a, m, attempt, u)
	at = now + delay
	if again && patience > 0 && at >= patience {
		return patience, true, true
	}
	return at, again, false
}

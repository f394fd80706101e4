package sim

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// What holds a client back, in the order in which an attempt meets it:
//
//  1. the pause after the attempt before it, which the retry policy says;
//  2. the client's own limiter, where each attempt takes a token, also one at the same errand.
//
// Then it is sent. The time limit of an errand, as client-go counts it, begins with the first
// attempt that is sent: what the limiter holds back before that costs no patience, and both
// kinds of pauses after it do. A pause that reaches the end of the patience ends the errand
// there, and a token that would come after it ends the errand at once, without being taken.
//
// The buckets and the random numbers belong to the clients. They are kept by population, so
// that a population without a limiter and without jitter pays nothing for them.

// pauses is what holds the clients of a population back.
type pauses struct {
	// limits are the token buckets of the clients, if they have a limiter.
	limits []limiter.State
	// jitters are the streams from which they draw the jitter of their retries, if there is
	// any; a trace has one.
	jitters []workload.Stream
}

// newPauses returns the pauses of a population whose clients have sent nothing yet.
func (w *World) newPauses(def *workload.Population) pauses {
	var p pauses
	if def.Limiter != nil {
		p.limits = make([]limiter.State, def.Clients)
		for i := range p.limits {
			p.limits[i] = def.Limiter.Full()
		}
	}
	if def.Retry.Random() {
		p.jitters = make([]workload.Stream, max(def.Clients, 1))
		for i := range p.jitters {
			p.jitters[i] = NewStream(w.cfg.Seed, w.replication, fmt.Sprintf("%s/%d/retries", def.Name, i))
		}
	}
	return p
}

// throttle takes a token of the client's bucket for an attempt, and tells whether the attempt
// has to wait for it.
//
// client-go does not throttle the first attempt of a watch (Request.Watch in rest/request.go,
// v0.37.2). It throttles that of other requests before their time limit begins, so that a client
// that is held back by itself does not time out before it has asked at all; further attempts
// are throttled within that limit, and one whose token would come too late fails at once
// (Request.request and Request.tryThrottle).
func (w *World) throttle(p *population, d *draft, m workload.Method) (held bool) {
	if d.passes > 0 || m == workload.MethodWatch && d.attempt == 0 {
		return false
	}
	c := &w.clients[d.client]
	state := &p.limits[c.index]
	at, ok := w.now, true
	if d.patience > 0 {
		*state, at, ok = p.def.Limiter.Wait(*state, w.now, d.patience)
	} else {
		*state, at = p.def.Limiter.Reserve(*state, w.now)
	}
	if !ok {
		w.concludeDraft(d, workload.TimedOut)
		return true
	}
	if at == w.now {
		return false
	}
	later := *d
	later.passes = at
	later.throttled += at - w.now
	w.observer.Client(w.now, workload.Throttled, c.population, c.index, at-w.now)
	w.sendLater(at, later)
	return true
}

// unthrottle gives back the token of an attempt that was withdrawn while it waited for it.
func (w *World) unthrottle(d *draft) {
	if d.passes > w.now {
		c := &w.clients[d.client]
		p := &w.populations[c.population]
		p.limits[c.index] = p.def.Limiter.Cancel(p.limits[c.index], w.now, d.passes)
	}
}

// retryDelay asks the population's policy when to try again, and whether to.
func (w *World) retryDelay(p *population, r *slotRecord, a workload.Answer) (time.Duration, bool) {
	u := 0.0
	if p.jitters != nil {
		u = p.jitters[r.Client].Float64()
	}
	return p.def.Retry.Delay(a, r.method, int(r.Attempt)+1, u)
}

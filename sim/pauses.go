package sim

import (
	"fmt"

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

// jitter draws the random number of a client's next pause, if it depends on one. It is of a
// stream of its own: a server that rejects more leaves the arrivals of an open client where
// they are.
func (p *pauses) jitter(client int32) float64 {
	if p.jitters == nil {
		return 0
	}
	return p.jitters[client].Float64()
}

// throttle takes a token of the client's bucket for an attempt, and tells whether the attempt
// has to wait for it, or has failed because it would have to wait for too long.
//
// The token is taken when the attempt asks for it, and not when it is sent, so attempts of one
// client go in the order in which they asked, whatever they are. A draft that has waited comes
// back here with its token: it must not take another one, nor is it asked again whether the
// time limit leaves room, since its token came within it.
func (w *World) throttle(p *population, d *draft, m workload.Method) (held bool) {
	if d.passes > 0 {
		return false // it has waited for its token, and has it now
	}
	c := &w.clients[d.client]
	at, ok := p.def.Pass(&p.limits[c.index], w.now, d.patience, m, int(d.attempt))
	if at == w.now {
		if !ok {
			w.concludeDraft(d, workload.TimedOut)
		}
		return !ok
	}
	later := *d
	later.passes, later.expired = at, !ok
	later.throttled += w.queue.whole(at) - w.now
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

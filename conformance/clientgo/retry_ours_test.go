package clientgo

import (
	"time"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// stage is where a request is.
type stage int

const (
	waits      stage = iota // for its limiter, until next
	pauses                  // until next, when it is sent again; or not yet made
	sent                    // until next, when it is answered
	outOfTime               // until next, when its time limit ends
	overAndOut              // nothing is to come
)

// errand is a request under way.
type errand struct {
	ask
	outcome
	stage    stage
	next     time.Duration
	patience time.Duration
}

// player plays a scene event by event, with the policies of package workload.
type player struct {
	population workload.Population
	bucket     limiter.State
	errands    []errand
	n          tally
}

// ours plays a scene with our policies, and counts what happens.
func (s *scene) ours(n tally) []outcome {
	p := player{n: n, population: workload.Population{Retry: s.retry, Limiter: s.limiter, Timeout: s.timeout}}
	if s.limiter != nil {
		p.bucket = s.limiter.Full()
	}
	for _, a := range s.asks {
		p.errands = append(p.errands, errand{ask: a, stage: pauses, next: a.at})
	}
	for p.step() {
	}
	out := make([]outcome, len(s.asks))
	for i := range out {
		out[i] = p.errands[i].outcome
	}
	return out
}

// step lets the next thing happen.
func (p *player) step() bool {
	var e *errand
	var at time.Duration
	for i := range p.errands {
		o := &p.errands[i]
		if o.stage == overAndOut {
			continue
		}
		next := o.next
		if o.cancelled > 0 {
			next = min(next, o.cancelled)
		}
		if e == nil || next < at {
			e, at = o, next
		}
	}
	if e == nil {
		return false
	}
	if e.cancelled == at {
		p.cancel(e, at)
		return true
	}
	switch e.stage {
	case pauses:
		p.attempt(e, at)
	case waits:
		p.send(e, at)
	case sent:
		p.answered(e, at)
	case outOfTime:
		p.n["timed out"]++
		e.end(at, false)
	}
	return true
}

func (e *errand) end(at time.Duration, ok bool) {
	e.stage, e.ended, e.ok = overAndOut, at, ok
}

// attempt takes a token.
func (p *player) attempt(e *errand, now time.Duration) {
	at, ok := p.population.Pass(&p.bucket, now, e.patience, e.method, len(e.sent))
	switch {
	case !ok && at > now:
		e.stage, e.next = outOfTime, at
	case !ok:
		p.n["failed at the limiter"]++
		e.end(now, false)
	case at > now:
		p.n["throttled"]++
		e.stage, e.next = waits, at
	default:
		p.send(e, now)
	}
}

// send sends an attempt, whose answer may come after the time limit.
func (p *player) send(e *errand, now time.Duration) {
	if p.population.Timeout > 0 && e.patience == 0 {
		e.patience = now + p.population.Timeout
	}
	e.stage, e.next = sent, now+e.replies[len(e.sent)].latency
	if e.sent = append(e.sent, now); e.patience > 0 && e.next >= e.patience {
		e.stage, e.next = outOfTime, e.patience
	}
}

// answered ends the request, or has it sent again.
func (p *player) answered(e *errand, now time.Duration) {
	attempt := len(e.sent)
	a := e.replies[attempt-1].answer()
	if a.Status == workload.OK {
		p.n["ok"]++
		e.end(now, true)
		return
	}
	at, again, expired := p.population.Again(now, e.patience, a, e.method, attempt, 0)
	switch {
	case !again:
		if attempt == workload.DefaultMaxRetries+1 {
			p.n["gave up after the last retry"]++
		}
		if a.Status == workload.Lost && e.method == workload.MethodWrite {
			p.n["lost write"]++
		}
		e.end(now, false)
		return
	case expired:
		e.stage, e.next = outOfTime, at
		return
	case e.method == workload.MethodWatch:
		p.n["watch retried"]++
	}
	p.n["retried"]++
	e.stage, e.next = pauses, at
}

// cancel ends a request whose caller has gone, and gives its token back.
func (p *player) cancel(e *errand, now time.Duration) {
	p.n["cancelled"]++
	if e.stage == waits {
		p.bucket = p.population.Limiter.Cancel(p.bucket, now, e.next)
	}
	e.end(now, false)
}

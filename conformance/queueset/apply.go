package queueset

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apiserver/pkg/util/shufflesharding"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// configure sets configuration and limit on both sides.
func (r *Runner) configure(cfg fairqueue.Config, limit int, step string) *Difference {
	kind := Configure
	if cfg == r.cfg {
		kind = SetLimit
	}
	_, diff := r.both(kind, fmt.Sprintf("%s %s limit %d", step, configText(cfg), limit),
		func() { r.real.Configure(cfg, limit) },
		func() []uint32 { return r.subject.Configure(r.now, cfg, limit) })
	if diff != nil {
		return diff
	}
	if cfg.Queues > 0 && (r.dealer == nil || cfg.Queues != r.cfg.Queues || cfg.HandSize != r.cfg.HandSize) {
		r.setDealer(cfg)
	}
	r.noteConfigure(cfg, limit)
	r.cfg = cfg
	return r.compare()
}

// setDealer makes the dealer for what the subject is given: hands, not hashes.
func (r *Runner) setDealer(cfg fairqueue.Config) {
	dealer, err := shufflesharding.NewDealer(cfg.Queues, cfg.HandSize)
	if err != nil {
		panic(fmt.Sprintf("queueset: %s: %v", configText(cfg), err))
	}
	r.dealer = dealer
	r.deal = make([]int, cfg.HandSize)
	r.hand = make([]int32, cfg.HandSize)
}

// arrive brings a request to both sides.
func (r *Runner) arrive(o *Operation) *Difference {
	queued := r.cfg.Queues > 0
	var hand []int32
	if queued {
		r.deal = r.dealer.DealIntoHand(o.Hash, r.deal)
		for i, q := range r.deal {
			r.hand[i] = int32(q)
		}
		hand = r.hand
	}
	l := &live{tag: uint32(len(r.requests)), estimate: o.Estimate}
	r.requests = append(r.requests, l)
	r.waiting = append(r.waiting, l) // until both has seen it dispatched
	queue, reason := -1, ""
	dispatched, diff := r.both(Arrive, fmt.Sprintf("arrival %d %+v hand %v", l.tag, o.Estimate, hand),
		func() { l.real = r.real.Arrive(o.Estimate, o.Hash, l.tag, queued) },
		func() (out []uint32) {
			l.handle, queue, reason, out = r.subject.Arrive(r.now, o.Estimate, hand, l.tag)
			return out
		})
	if l.handle < 0 {
		r.waiting = without(r.waiting, l)
	}
	if diff != nil || r.ended {
		return diff
	}
	if diff := r.compareArrival(l, hand, queue, reason, slices.Contains(dispatched, l.tag)); diff != nil {
		return diff
	}
	r.noteArrival(l, hand, queue, reason, dispatched)
	return r.compare()
}

// compareArrival checks what is told of an arrival beside the dispatches.
func (r *Runner) compareArrival(l *live, hand []int32, queue int, reason string, dispatched bool) *Difference {
	wantQueue, wantReason := r.expectedQueue(hand), ""
	if l.real == nil {
		wantReason = "concurrency-limit"
		if hand != nil {
			wantReason = "queue-full"
		}
	} else {
		var index int
		if l.queueID, index = r.look.queueOf(l.real.request); index != wantQueue {
			panic(fmt.Sprintf("queueset: upstream chose queue %d, from its state queue %d was expected", index, wantQueue))
		}
	}
	if (l.handle < 0) != (l.real == nil) || reason != wantReason {
		return r.differ("handle %d, reason %q, upstream %q", l.handle, reason, wantReason)
	}
	if queue != wantQueue {
		return r.differ("queue %d, upstream %d", queue, wantQueue)
	}
	if l.real != nil && r.subject.Waiting(l.handle) == dispatched {
		return r.differ("waiting is %t and dispatched %t", !dispatched, dispatched)
	}
	return nil
}

// expectedQueue is the choice that follows from the real state before the arrival.
// It is what there is to compare with where upstream rejects and does not say which
// queue was full.
func (r *Runner) expectedQueue(hand []int32) int {
	if hand == nil {
		return -1
	}
	best, least := -1, fairqueue.SeatSeconds(0)
	for i := range hand {
		q := int(hand[(r.before.arrivals+i)%len(hand)])
		if work := r.before.queues[q].Work; best < 0 || work < least {
			best, least = q, work
		}
	}
	return best
}

// finish ends an execution on both sides.
func (r *Runner) finish(l *live) *Difference {
	var wantFree, freeAt time.Duration
	var wantLingers, lingers bool
	r.executing = without(r.executing, l)
	dispatched, diff := r.both(Finish, fmt.Sprintf("finish %d, started %v", l.tag, l.started),
		func() { wantFree, wantLingers = r.real.Finish(l.real) },
		func() (out []uint32) {
			freeAt, lingers, out = r.subject.Finish(r.now, l.handle)
			return out
		})
	if lingers {
		l.freeAt = freeAt
		r.lingering = append(r.lingering, l)
	}
	if diff != nil || r.ended {
		return diff
	}
	if freeAt != wantFree || lingers != wantLingers {
		return r.differ("free at %v, lingers %t; upstream %v, %t", freeAt, lingers, wantFree, wantLingers)
	}
	r.noteFinish(l, lingers, dispatched)
	return r.compare()
}

// release frees lingering seats on both sides at the time they are due.
func (r *Runner) release(l *live) *Difference {
	r.now = max(r.now, l.freeAt)
	r.lingering = without(r.lingering, l)
	dispatched, diff := r.both(Release, fmt.Sprintf("release %d", l.tag),
		func() { r.real.Release(l.real) },
		func() []uint32 { return r.subject.Release(r.now, l.handle) })
	if diff != nil || r.ended {
		return diff
	}
	r.noteRelease(l, dispatched)
	return r.compare()
}

// expire ejects a waiting request on both sides.
func (r *Runner) expire(l *live) *Difference {
	r.waiting = without(r.waiting, l)
	_, diff := r.both(Expire, fmt.Sprintf("expire %d", l.tag),
		func() { r.real.Expire(l.real) },
		func() []uint32 {
			r.subject.Expire(r.now, l.handle)
			return nil
		})
	if diff != nil || r.ended {
		return diff
	}
	r.noteExpire(l)
	return r.compare()
}

// takeDemand compares the statistics of the period that ends now.
func (r *Runner) takeDemand() *Difference {
	var want, got Demand
	_, diff := r.both(TakeDemand, "take demand",
		func() { want = r.real.TakeDemand() },
		func() []uint32 {
			got = r.subject.TakeDemand(r.now)
			return nil
		})
	if diff != nil || r.ended {
		return diff
	}
	if !got.same(want) {
		return r.differ("demand %+v, upstream %+v", got, want)
	}
	r.noteDemand(got)
	return r.compare()
}

// Drain lets everything that is present come to its end: what executes finishes, what
// lingers is released, and what cannot be dispatched expires. After the real queue set
// has panicked only the other side is drained. Nothing may be left then.
func (r *Runner) Drain() *Difference {
	for len(r.executing)+len(r.lingering)+len(r.waiting) > 0 {
		do := r.drainSubject
		if !r.ended {
			do = r.drainBoth
		}
		if diff := do(); diff != nil {
			return diff
		}
	}
	st := r.subject.State()
	if !r.subject.Idle() || st.Waiting != 0 || st.Executing != 0 || st.SeatsInUse != 0 || st.ActiveQueues != 0 {
		return r.differ("everything has ended, but the state is %+v", st)
	}
	return nil
}

func (r *Runner) drainBoth() *Difference {
	switch {
	case len(r.executing) > 0:
		return r.finish(r.executing[0])
	case len(r.lingering) > 0:
		next := r.nextRelease(0)
		next.freeAt = min(next.freeAt, max(r.now, longest))
		return r.release(next)
	default:
		return r.expire(r.waiting[0])
	}
}

// drainSubject is one step of draining the subject alone.
func (r *Runner) drainSubject() *Difference {
	r.step = "drain after a panic of upstream"
	return r.guard(func() {
		var dispatched []uint32
		switch {
		case len(r.executing) > 0:
			l := r.executing[0]
			r.executing = r.executing[1:]
			var lingers bool
			if l.freeAt, lingers, dispatched = r.subject.Finish(r.now, l.handle); lingers {
				r.lingering = append(r.lingering, l)
			}
		case len(r.lingering) > 0:
			l := r.nextRelease(0)
			r.lingering = without(r.lingering, l)
			r.now = max(r.now, min(l.freeAt, longest))
			dispatched = r.subject.Release(r.now, l.handle)
		default:
			l := r.waiting[0]
			r.waiting = r.waiting[1:]
			r.subject.Expire(r.now, l.handle)
		}
		for _, tag := range dispatched {
			l := r.requests[tag]
			r.waiting = without(r.waiting, l)
			r.executing = append(r.executing, l)
		}
	})
}

package queueset

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apiserver/pkg/util/shufflesharding"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Difference is the first thing in which the two sides disagree.
type Difference struct {
	// At is the virtual time, Step a description of the operation.
	At   time.Duration
	Step string
	// What says what differs, with both values.
	What string
}

// Error implements error.
func (d *Difference) Error() string {
	return fmt.Sprintf("at %v, %s: %s", d.At, d.Step, d.What)
}

// live is one request that is present on both sides.
type live struct {
	tag      uint32
	real     *RealRequest
	handle   int32
	estimate fairqueue.Estimate
	queueID  uintptr
	started  time.Duration
	freeAt   time.Duration
}

// Runner applies operations to both sides and compares. A Runner serves one sequence.
type Runner struct {
	now     time.Duration
	real    *Real
	subject Subject
	look    *inspector
	cfg     fairqueue.Config
	dealer  *shufflesharding.Dealer
	deal    []int
	hand    []int32

	requests                      []*live // by tag
	waiting, executing, lingering []*live
	before, after                 realState

	// Count says how many operations of each kind took place.
	Count [Kinds]int64
	// Hits says how often each branch was reached.
	Hits Hits
	// ended is set when the real queue set has panicked: nothing can be compared
	// after that.
	ended bool
	step  string
	// synced is the time of the operation before.
	synced time.Duration
	// wrapped is set from an attempt that was refused at a round robin index of -1 to
	// the next dispatch.
	wrapped bool
}

// NewRunner makes both sides and gives them their first configuration.
func NewRunner(makeSubject Maker, cfg fairqueue.Config, limit int) (*Runner, *Difference) {
	const start = 0
	r := &Runner{real: NewReal(start, true), subject: makeSubject(start)}
	r.real.Configure(cfg, limit) // which creates it; setting the same again changes nothing
	r.look = newInspector(r.real.set)
	r.look.read(&r.after)
	return r, r.configure(cfg, limit, "first configuration")
}

// Run makes a sequence from its beginning to the end, and then lets everything that
// is present come to its end. It returns the first difference and the index of the
// operation, or nil.
func Run(makeSubject Maker, s *Sequence) (*Runner, *Difference, int) {
	r, diff := NewRunner(makeSubject, s.Config, s.Limit)
	if diff != nil {
		return r, diff, 0
	}
	for i := range s.Ops {
		if diff := r.Apply(&s.Ops[i]); diff != nil {
			return r, diff, i
		}
		if r.ended {
			break
		}
	}
	return r, r.Drain(), len(s.Ops)
}

// Total is the number of operations that took place.
func (r *Runner) Total() int64 {
	var n int64
	for _, c := range r.Count {
		n += c
	}
	return n
}

// Apply makes one operation on both sides.
func (r *Runner) Apply(o *Operation) *Difference {
	if diff := r.pass(o.After); diff != nil || r.ended {
		return diff
	}
	switch o.Kind {
	case Arrive:
		return r.arrive(o)
	case Finish:
		return r.pick(r.executing, o.Pick, r.finish)
	case Release:
		return r.releaseNext(o.Pick)
	case Expire:
		return r.pick(r.waiting, o.Pick, r.expire)
	case SetLimit:
		return r.configure(r.cfg, o.Limit, o.Kind.String())
	case Configure:
		return r.configure(o.Config, o.Limit, o.Kind.String())
	default:
		return r.takeDemand()
	}
}

func (r *Runner) pick(from []*live, pick uint32, do func(*live) *Difference) *Difference {
	if len(from) == 0 {
		return nil
	}
	return do(from[int(pick%uint32(len(from)))])
}

// longest ends the passing of time before a reading of the clock would overflow.
const longest = 100 * 365 * 24 * time.Hour

// pass lets time pass and frees the seats that stop lingering before its end.
func (r *Runner) pass(d time.Duration) *Difference {
	end := min(r.now+d, longest)
	for !r.ended {
		next := r.nextRelease(0)
		if next == nil || next.freeAt >= end {
			break
		}
		if diff := r.release(next); diff != nil {
			return diff
		}
	}
	r.now = max(r.now, end)
	return nil
}

// nextRelease returns the lingering request whose seats are free first; among equals,
// any of them may come first, and pick says which.
func (r *Runner) nextRelease(pick uint32) *live {
	if len(r.lingering) == 0 {
		return nil
	}
	first := slices.MinFunc(r.lingering, func(a, b *live) int { return int(min(1, max(-1, a.freeAt-b.freeAt))) })
	equals := 0
	for _, l := range r.lingering {
		if l.freeAt == first.freeAt {
			equals++
		}
	}
	nth := int(pick % uint32(equals))
	for _, l := range r.lingering {
		if l.freeAt == first.freeAt {
			if nth == 0 {
				return l
			}
			nth--
		}
	}
	return nil
}

func (r *Runner) releaseNext(pick uint32) *Difference {
	if next := r.nextRelease(pick); next != nil && next.freeAt <= longest {
		return r.release(next)
	}
	return nil
}

// both makes one operation on each side. The real one may panic: requests of a
// removed queue can never be dispatched, and upstream fails over that. Then there is
// nothing to compare with, and the sequence ends; the other side must go on.
func (r *Runner) both(kind Kind, step string, real func(), subject func() []uint32) (dispatched []uint32, diff *Difference) {
	r.step = step
	r.Count[kind]++
	r.before, r.after = r.after, r.before
	r.real.Clock.now = r.now
	func() {
		defer func() {
			if recover() != nil {
				r.ended = true
				r.Hits[UpstreamPanics]++
			}
		}()
		real()
	}()
	panics := r.subject.Panics()
	if diff := r.guard(func() { dispatched = subject() }); diff != nil {
		return nil, diff
	}
	if foreseen := r.subject.Panics() > panics; foreseen != r.ended {
		return nil, r.differ("upstream panics: %t, and it is taken to: %t", r.ended, foreseen)
	}
	if want := r.real.Dispatched(); !r.ended && !slices.Equal(dispatched, want) {
		return nil, r.differ("dispatched %v, upstream %v", dispatched, want)
	}
	for _, tag := range dispatched {
		l := r.requests[tag]
		l.started = r.now
		r.waiting = without(r.waiting, l)
		r.executing = append(r.executing, l)
	}
	if !r.ended {
		r.look.read(&r.after)
	}
	return dispatched, nil
}

// guard calls the subject and turns a panic into a difference.
func (r *Runner) guard(call func()) (diff *Difference) {
	defer func() {
		if v := recover(); v != nil {
			diff = r.differ("panic: %v", v)
		}
	}()
	call()
	return nil
}

func (r *Runner) differ(format string, args ...any) *Difference {
	return &Difference{At: r.now, Step: r.step, What: fmt.Sprintf(format, args...)}
}

// without removes a request from a list and keeps the order of the others.
func without(list []*live, l *live) []*live {
	if i := slices.Index(list, l); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

package backend

import (
	"math/bits"
	"time"
)

// instant is a point in virtual time, which is the work that a job would have had if it had
// been there from the beginning: nanoseconds with 64 binary digits after the point. It does
// not overflow, since no job gets more work in a time than the time is long.
type instant struct{ ns, frac uint64 }

// plus is the instant so much work later.
func (i instant) plus(work time.Duration) instant { return instant{i.ns + uint64(work), i.frac} }

// add is the sum of two.
func (i instant) add(d instant) instant {
	frac, carry := bits.Add64(i.frac, d.frac, 0)
	ns, _ := bits.Add64(i.ns, d.ns, carry)
	return instant{ns, frac}
}

// minus is the work from o to i, 0 if o is later.
func (i instant) minus(o instant) instant {
	frac, borrow := bits.Sub64(i.frac, o.frac, 0)
	ns, borrow := bits.Sub64(i.ns, o.ns, borrow)
	if borrow != 0 {
		return instant{}
	}
	return instant{ns, frac}
}

// before tells whether i is earlier than o.
func (i instant) before(o instant) bool {
	return i.ns < o.ns || i.ns == o.ns && i.frac < o.frac
}

// rounded is the nearest multiple of 1/2^32 of a nanosecond: two jobs that are due at once
// are so also if virtual time was rounded down between their beginnings.
func (i instant) rounded() instant {
	const half = 1 << 31
	sum := i.add(instant{frac: half})
	sum.frac &^= 2*half - 1
	return sum
}

// pace is how much work each job gets in a nanosecond: p/q, at most 1. Nothing moves while p
// is 0. Both are below 1<<62.
type pace struct{ p, q uint64 }

// work is what a job gets in a time at this pace, rounded down to 1/2^64 of a nanosecond.
func (r pace) work(d time.Duration) instant {
	if r.p == r.q {
		return instant{ns: uint64(d)}
	}
	hi, lo := bits.Mul64(uint64(d), r.p)
	ns, rest := bits.Div64(hi, lo, r.q) // hi < q, as p <= q and d < 1<<63
	frac, _ := bits.Div64(rest, 0, r.q)
	return instant{ns, frac}
}

// time is the least whole number of nanoseconds in which a job gets so much work, false if
// that is more than a Duration can tell.
func (r pace) time(work instant) (time.Duration, bool) {
	if r.p == 0 {
		return 0, work == instant{}
	}
	// work*q has 192 bits: (hi, mid) nanoseconds and low/2^64 of one.
	hi, mid := bits.Mul64(work.ns, r.q)
	up, low := bits.Mul64(work.frac, r.q)
	mid, carry := bits.Add64(mid, up, 0)
	hi += carry
	if hi >= r.p {
		return 0, false
	}
	ns, rest := bits.Div64(hi, mid, r.p)
	if rest != 0 || low != 0 {
		ns++
	}
	return time.Duration(ns), ns < 1<<63
}

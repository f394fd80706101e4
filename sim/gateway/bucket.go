package gateway

import "time"

// The bucket of a gateway is ours to define, so it has no rounding at all: tokens are
// counted in units of 10^-12, of which a rate in thousandths per second gives a whole number
// each nanosecond. A client's limiter, which has to err as client-go's floating point does,
// is another matter.

// token is one token in units.
const token = 1_000_000_000_000

// rate is how a bucket fills: units per nanosecond, up to a capacity. The largest, a million
// tokens, is 10^18 units, which 64 bits hold.
type rate struct{ perNano, capacity int64 }

// newRate takes a valid Rate over. It works in thousandths of a token per second: 10^-3/s is one unit per nanosecond.
func newRate(r *Rate) rate {
	return rate{perNano: thousandths(r.QPS), capacity: int64(r.Burst) * token}
}

// thousandths rounds a rate to the nearest multiple of 0.001.
func thousandths(qps float64) int64 { return int64(float64(qps*1000) + 0.5) }

// bucket is the tokens that there were at a time.
type bucket struct {
	units int64
	at    time.Duration
}

// full returns a bucket that has never been used.
func (r rate) full() bucket { return bucket{units: r.capacity} }

// take takes a token, or tells after which time there will be one. Time must not go back.
func (r rate) take(b *bucket, now time.Duration) (ok bool, wait time.Duration) {
	r.fill(b, now)
	if b.units >= token {
		b.units -= token
		return true, 0
	}
	return false, time.Duration(ceilDiv(token-b.units, r.perNano))
}

// fill brings a bucket up to date.
func (r rate) fill(b *bucket, now time.Duration) {
	elapsed := int64(now - b.at)
	b.at = now
	// Comparing times first keeps the product below within 64 bits: a bucket that has not been
	// used for a year would overflow it.
	if missing := r.capacity - b.units; elapsed >= ceilDiv(missing, r.perNano) {
		b.units = r.capacity
	} else {
		b.units += elapsed * r.perNano // less than missing
	}
}

// ceilDiv divides numbers that are not negative, and rounds up.
func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

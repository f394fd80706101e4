package exposition

import (
	"math"
	"math/bits"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// mostBuckets is the number of buckets of any metric at most, the infinite one included.
const mostBuckets = 16

// counts is a histogram of whole numbers that are not negative: nanoseconds, requests, watchers or seats. Its
// sum is exact.
type counts struct {
	n       uint64
	sum     total
	buckets [mostBuckets]uint64
}

// total is a sum that cannot overflow: of nanoseconds 64 bits hold no more than the executions of 600 years.
type total struct{ high, low uint64 }

// add adds another sum.
func (t *total) add(u total) {
	low, carry := bits.Add64(t.low, u.low, 0)
	t.low, t.high = low, t.high+u.high+carry
}

// float returns the nearest float64, or one next to it.
func (t total) float() float64 { return float64(float64(t.high)*0x1p64) + float64(t.low) }

// bounds are the upper bounds of buckets in the unit that is counted.
type bounds []int64

// inNanoseconds and asTheyAre turn the bounds of a metric into the unit that is counted.
func inNanoseconds(seconds []float64) bounds {
	b := make(bounds, len(seconds))
	for i, s := range seconds {
		b[i] = int64(s*1e9 + 0.5)
	}
	return b
}

func asTheyAre(values []float64) bounds {
	b := make(bounds, len(values))
	for i, v := range values {
		b[i] = int64(v)
	}
	return b
}

// observe counts a value, in the first bucket whose bound it does not exceed.
func (c *counts) observe(b bounds, value int64) {
	c.n++
	c.sum.add(total{low: uint64(value)})
	i := 0
	for i < len(b) && value > b[i] {
		i++
	}
	c.buckets[i]++
}

// series returns the histogram with a sum in the unit of the metric, which has so many of the units that are counted.
func (c *counts) series(d *definition, per float64, labels ...string) reports.MetricSeries {
	return reports.MetricSeries{
		Labels: labels,
		Sum:    reports.MetricValue(c.sum.float() / per),
		Counts: append([]uint64(nil), c.buckets[:len(d.buckets)+1]...),
	}
}

// ratio is a number divided by a limit, and how long it was what: from release 1.25 on in each
// nanosecond (component-base's TimingHistogram), before that at each millisecond.
type ratio struct {
	numerator, denominator float64
	// since is when it was last looked at, and began when it was made.
	since   time.Duration
	buckets []float64
	bucket  int // that of the last value that lasted
	held    [mostBuckets]uint64
	sum     float64
	// samples is nil from 1.25 on.
	samples *samples
}

// add changes the number.
func (r *ratio) add(now time.Duration, delta int) {
	if r.samples != nil {
		r.samples.advance(now, r.value())
	} else if now != r.since {
		r.hold(now)
	}
	r.numerator += float64(delta)
	if r.samples != nil {
		r.samples.mark(r.value())
	}
}

// limit changes the limit.
func (r *ratio) limit(now time.Duration, denominator int) {
	r.add(now, 0)
	r.denominator = float64(denominator)
	if r.samples != nil {
		r.samples.mark(r.value())
	}
}

func (r *ratio) value() float64 { return r.numerator / r.denominator }

// hold counts the time for which the value was what it is. Nearly always that is in the bucket of
// the last time, or next to it.
func (r *ratio) hold(now time.Duration) {
	value, weight := r.value(), now-r.since
	r.since = now
	if math.IsNaN(value) { // 0 of 0, which sort.SearchFloat64s finds beyond all bounds
		r.bucket = len(r.buckets)
	}
	for r.bucket > 0 && value <= r.buckets[r.bucket-1] {
		r.bucket--
	}
	for r.bucket < len(r.buckets) && value > r.buckets[r.bucket] {
		r.bucket++
	}
	r.held[r.bucket] += uint64(weight)
	r.sum += float64(float64(weight) * value)
}

// series returns the histogram at a time, without a change of it.
func (r *ratio) series(now time.Duration, labels ...string) reports.MetricSeries {
	at := *r
	if now != at.since {
		at.hold(now)
	}
	return reports.MetricSeries{Labels: labels, Sum: reports.MetricValue(at.sum), Counts: append([]uint64(nil), at.held[:len(at.buckets)+1]...)}
}

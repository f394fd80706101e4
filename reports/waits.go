package reports

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"time"
)

// waitBounds are the upper bounds of the buckets of
// apiserver_flowcontrol_request_wait_duration_seconds in all releases
// (requestDurationSecondsBuckets in pkg/util/flowcontrol/metrics/metrics.go). One more
// bucket, +Inf, takes what waited longer.
var waitBounds = [...]time.Duration{
	0,
	5 * time.Millisecond,
	20 * time.Millisecond,
	50 * time.Millisecond,
	100 * time.Millisecond,
	200 * time.Millisecond,
	500 * time.Millisecond,
	1 * time.Second,
	2 * time.Second,
	5 * time.Second,
	10 * time.Second,
	15 * time.Second,
	30 * time.Second,
}

// waitLabels are the values of the label le of those buckets.
var waitLabels = [waitBuckets]string{
	"0", "0.005", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "15", "30", "+Inf",
}

const waitBuckets = len(waitBounds) + 1

// firstBucket holds, by the number of bits of a wait, the bucket of the shortest wait
// with so many. A longer one with as many bits is at most two buckets further.
var firstBucket = func() (first [65]int8) {
	bucket := int8(0)
	for n := 1; n < len(first); n++ {
		for int(bucket) < len(waitBounds) && uint64(waitBounds[bucket]) < 1<<(n-1) {
			bucket++
		}
		first[n] = bucket
	}
	return first
}()

// waitBucket returns the index of the bucket that counts a wait.
func waitBucket(wait time.Duration) int {
	i := int(firstBucket[bits.Len64(uint64(wait))])
	for i < len(waitBounds) && wait > waitBounds[i] {
		i++
	}
	return i
}

// fewWaits is how many positive waits are kept one by one before they go into a histogram:
// the first ones, until a histogram is worth its memory, and then so many at a time. There
// is a histogram for each flow, and they do not all fit into the caches of a processor, so
// it is well to visit each of them rarely and for long.
const fewWaits = 64

// waits is a distribution of waiting times: exact as to number, sum and maximum, and
// as to all the rest while few waited at all; then within the digits of a histogram.
// Most requests do not wait, so zeros are only counted.
type waits struct {
	zero int64           // waits of no time
	few  []time.Duration // not in hist yet
	hist *histogram      // nil while all waits are few
	// The number, sum and longest of the waits of some time, and the longest of those since
	// somebody asked for it last. So many of the list are among them, all after gather.
	gathered int
	some     int64
	sum      Total
	max      time.Duration
	recent   time.Duration
}

// record counts one wait. It allocates while the distribution is young: the list of
// few waits, and once the histogram.
func (w *waits) record(wait time.Duration, p precision) {
	if wait == 0 {
		w.zero++
		return
	}
	n := len(w.few)
	if n == cap(w.few) {
		n = w.room(p)
	}
	w.few = w.few[:n+1]
	w.few[n] = wait
}

// room makes room in the list and returns how long it is.
func (w *waits) room(p precision) int {
	if len(w.few) == fewWaits {
		w.spread(p)
	} else {
		w.few = append(make([]time.Duration, 0, min(max(2*len(w.few), fewWaits/8), fewWaits)), w.few...)
	}
	return len(w.few)
}

// gather brings the figures of the waits up to date: for many of them at a time, as each of them
// is recorded more often than anybody asks.
func (w *waits) gather() {
	list := w.few[w.gathered:]
	if len(list) == 0 {
		return
	}
	sum, longest := w.sum, w.recent
	for _, wait := range list {
		sum.add(wait)
		longest = max(longest, wait)
	}
	w.sum, w.recent, w.max = sum, longest, max(w.max, longest)
	w.some += int64(len(list))
	w.gathered = len(w.few)
}

// takeRecent returns the longest wait since it was called last.
func (w *waits) takeRecent() time.Duration {
	w.gather()
	longest := w.recent
	w.recent = 0
	return longest
}

// spread moves the list into the histogram, which it makes the first time.
func (w *waits) spread(p precision) {
	if w.hist == nil {
		w.hist = newHistogram(p)
	}
	w.flush()
}

// flush moves the list into the histogram that there is.
func (w *waits) flush() {
	w.gather()
	w.hist.addAll(w.few)
	w.few, w.gathered = w.few[:0], 0
}

// merge adds another distribution to this one, which is no longer recorded to: its list
// may grow beyond fewWaits only to become a histogram at once.
func (w *waits) merge(from *waits, p precision) {
	w.gather()
	from.gather()
	w.zero += from.zero
	w.some += from.some
	w.sum.plus(from.sum)
	w.max = max(w.max, from.max)
	if from.some == 0 {
		return
	}
	if w.hist == nil && from.hist == nil && len(w.few)+len(from.few) <= fewWaits {
		w.few = append(w.few, from.few...)
		w.gathered = len(w.few)
		return
	}
	w.spread(p)
	w.hist.addAll(from.few)
	if from.hist != nil {
		w.hist.merge(from.hist)
	}
}

// count returns how many waits were recorded.
func (w *waits) count() int64 {
	w.gather()
	return w.zero + w.some
}

// mean returns the exact average to the nanosecond. It panics without samples.
func (w *waits) mean() time.Duration {
	n := w.count()
	return w.sum.mean(n)
}

// quantile returns the smallest recorded wait that at least the share q of all waits
// does not exceed (the nearest rank, no interpolation); from a histogram, the upper end
// of the bucket in which that wait lies, and never more than the longest wait. It
// panics without samples.
func (w *waits) quantile(q float64) time.Duration {
	return w.quantiles(q)[0]
}

// above returns how many of the waits are longer than a quantile that was taken of these waits or
// of others that they are part of.
func (w *waits) above(quantile time.Duration) int64 {
	n := int64(0)
	for _, wait := range w.few {
		if wait > quantile {
			n++
		}
	}
	if w.hist != nil {
		last := w.hist.precision.bucket(quantile)
		w.hist.each(func(bucket int, count uint64) {
			if bucket > last {
				n += int64(count)
			}
		})
	}
	return n
}

// quantiles returns several quantiles, which must be given in ascending order.
func (w *waits) quantiles(shares ...float64) []time.Duration {
	out := make([]time.Duration, 0, len(shares))
	ranks := make([]int64, len(shares))
	for i, q := range shares {
		ranks[i] = nearestRank(q, w.count())
	}
	seen := w.zero
	take := func(value time.Duration) {
		for len(out) < len(ranks) && ranks[len(out)] <= seen {
			out = append(out, min(value, w.max))
		}
	}
	take(0)
	if w.hist == nil {
		slices.Sort(w.few)
		for _, wait := range w.few {
			seen++
			take(wait)
		}
		return out
	}
	if w.flush(); len(out) < len(ranks) {
		w.hist.each(func(bucket int, n uint64) {
			seen += int64(n)
			take(w.hist.precision.end(bucket))
		})
	}
	return out
}

// nearestRank returns ceil(q n), from 1 to n, without rounding faults: q is taken as the
// decimal number that it is written as, so that 0.07 of 100 is 7 and not 8.
func nearestRank(q float64, n int64) int64 {
	if n <= 0 || !(q >= 0 && q <= 1) {
		panic(fmt.Sprintf("reports: quantile %v of %d samples", q, n))
	}
	share, _ := new(big.Rat).SetString(strconv.FormatFloat(q, 'f', -1, 64))
	product := share.Mul(share, new(big.Rat).SetInt64(n))
	rank, rest := new(big.Int).QuoRem(product.Num(), product.Denom(), new(big.Int))
	if rest.Sign() != 0 {
		rank.Add(rank, big.NewInt(1))
	}
	return max(rank.Int64(), 1)
}

// octaves are the buckets in which a result keeps whole distributions: eight an octave.
var octaves = precision{bits: 4}

// distribution returns the buckets that are not empty, the shortest waits first. Those of no
// time are one of them.
func (w *waits) distribution() []WaitStep {
	w.gather()
	var out []WaitStep
	if w.zero > 0 {
		out = append(out, WaitStep{0, w.zero})
	}
	bucket := -1 // of the last step
	add := func(wait time.Duration, n int64) {
		if b := octaves.bucket(wait); b != bucket {
			bucket = b
			out = append(out, WaitStep{})
		}
		last := &out[len(out)-1]
		last.LE = Duration(min(wait, w.max))
		last.Count += n
	}
	if w.hist == nil {
		slices.Sort(w.few)
		for _, wait := range w.few {
			add(wait, 1)
		}
		return out
	}
	w.flush()
	w.hist.each(func(b int, n uint64) { add(w.hist.precision.end(b), int64(n)) })
	return out
}

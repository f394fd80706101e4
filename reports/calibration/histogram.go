package calibration

import (
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// perOctave is how many buckets there are for each power of two, so that each is 1.1 % wide.
const perOctave = 64

// fineBounds are the bounds of the histograms of single requests: from a microsecond to 18 hours.
var fineBounds = func() []float64 {
	out := make([]float64, 36*perOctave+1)
	for i := range out {
		out[i] = math.Ldexp(1+float64(i%perOctave)/perOctave, i/perOctave) * 1e-6
	}
	return out
}()

// counted adds a duration to a histogram with fine bounds, which may be new.
func counted(h *recording.ObservedHistogram, d time.Duration) *recording.ObservedHistogram {
	if h == nil {
		h = &recording.ObservedHistogram{Bounds: fineBounds, Counts: make([]int64, len(fineBounds)+1)}
	}
	x := d.Seconds()
	i, _ := slices.BinarySearch(fineBounds, x)
	h.Counts[i]++
	h.Sum += x
	return h
}

// plus adds histograms. Of different bounds only the larger one counts.
func plus(a, b *recording.ObservedHistogram) *recording.ObservedHistogram {
	switch {
	case b == nil:
		return a
	case a == nil:
		return &recording.ObservedHistogram{Bounds: b.Bounds, Counts: slices.Clone(b.Counts), Sum: b.Sum}
	case !slices.Equal(a.Bounds, b.Bounds):
		if a.Count() >= b.Count() {
			return a
		}
		return plus(nil, b)
	}
	for i := range b.Counts {
		a.Counts[i] += b.Counts[i]
	}
	a.Sum += b.Sum
	return a
}

// fine tells whether a histogram has the bounds of single requests.
func fine(h *recording.ObservedHistogram) bool { return len(h.Bounds) == len(fineBounds) }

// distance is the Kolmogorov-Smirnov distance: the largest difference between the shares of the two
// that are at most something. Values that differ by less than the width of a fine bucket are taken
// for equal, since what is recorded is rounded. It is NaN if one has nothing.
func distance(a, b *recording.ObservedHistogram) float64 {
	n, m := float64(a.Count()), float64(b.Count())
	if n == 0 || m == 0 {
		return math.NaN()
	}
	if !slices.Equal(a.Bounds, b.Bounds) {
		return distanceAt(a, b)
	}
	slack := 0
	if fine(a) {
		slack = 1
	}
	below := func(h *recording.ObservedHistogram) []float64 {
		out := make([]float64, len(h.Counts)+slack)
		sum := int64(0)
		for i := range out {
			if i < len(h.Counts) {
				sum += h.Counts[i]
			}
			out[i] = float64(sum)
		}
		return out
	}
	f, g := below(a), below(b)
	most := 0.0
	for i := range a.Counts {
		most = max(most, f[i]/n-g[i+slack]/m, g[i]/m-f[i+slack]/n)
	}
	return most
}

// distanceAt is the distance of histograms with different bounds, at those that both have.
func distanceAt(a, b *recording.ObservedHistogram) float64 {
	most := math.NaN()
	for i, bound := range a.Bounds {
		j, found := slices.BinarySearch(b.Bounds, bound)
		if found {
			d := math.Abs(share(a, i) - share(b, j))
			if math.IsNaN(most) || d > most {
				most = d
			}
		}
	}
	return most
}

// share is the share of values in the buckets up to a number.
func share(h *recording.ObservedHistogram, bucket int) float64 {
	n := int64(0)
	for _, c := range h.Counts[:bucket+1] {
		n += c
	}
	return float64(n) / float64(h.Count())
}

// quantile is that of a histogram, NaN of none.
func quantile(h *recording.ObservedHistogram, q float64) float64 {
	if h == nil {
		return math.NaN()
	}
	return h.Quantile(q)
}

// logsOf are the logarithms of what was counted, each value taken for the middle of its bucket.
func logsOf(h *recording.ObservedHistogram) Logs {
	var out Logs
	if h == nil {
		return out
	}
	for i, c := range h.Counts {
		if c == 0 || len(h.Bounds) == 0 {
			continue
		}
		high := h.Bounds[min(i, len(h.Bounds)-1)]
		low := high / 2
		if i > 0 {
			low = h.Bounds[i-1]
		}
		x := math.Log(max((low+high)/2, 1e-7))
		out.join(Logs{c, float64(float64(c) * x), float64(float64(c) * float64(x*x))})
	}
	return out
}

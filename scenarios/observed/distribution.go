package observed

import (
	"math"

	"github.com/apfsim/apfsim/workload/recording"
)

// point of a distribution: a share p of all is at most value.
type quantilePoint struct{ p, value float64 }

// step is the share over which a distribution rises across a gap: the least that is written.
const step = 1e-7

// quantilePoints makes a distribution of a histogram of seconds: it has the same share in each
// bucket and the same mean. Within a bucket the mean is at the same part of the way in all of them; that
// part is chosen so that the mean of all is right.
func quantilePoints(h *recording.ObservedHistogram) []quantilePoint {
	n := float64(h.Count())
	bounds := tops(h)
	at := part(h, bounds)
	points := []quantilePoint{}
	below, low := 0.0, 0.0
	for i, high := range bounds {
		c := float64(h.Counts[i])
		if c > 0 {
			from, half, until := within(low, high, at)
			if len(points) == 0 {
				points = append(points, quantilePoint{0, from})
			} else if last := &points[len(points)-1]; last.value < from {
				// A gap without values: the step is as steep as it can be written.
				points = append(points, quantilePoint{last.p + step, from})
			}
			if until > from {
				points = append(points, quantilePoint{(below + c/2) / n, half})
			}
			points = append(points, quantilePoint{(below + c) / n, until})
		}
		below, low = below+c, high
	}
	points[len(points)-1].p = 1
	return points
}

// within spreads the values of a bucket so that their mean is at a part of the way: evenly up to a half of
// them and from there, and over the whole of it as long as that has the mean.
func within(low, high, at float64) (from, half, until float64) {
	d := high - low
	switch {
	case at > 0.75:
		return low + d*(4*at-3), high, high
	case at < 0.25:
		return low, low, low + d*4*at
	}
	return low, low + d*(2*at-0.5), high
}

// tops returns the upper bounds of the buckets, with one for what is beyond the last: as far above
// it as the mean asks for.
func tops(h *recording.ObservedHistogram) []float64 {
	bounds := append([]float64(nil), h.Bounds...)
	last := 0.0
	if len(bounds) > 0 {
		last = bounds[len(bounds)-1]
	}
	over := h.Counts[len(h.Counts)-1]
	if over == 0 {
		return append(bounds, last)
	}
	sum, low := 0.0, 0.0
	for i, high := range h.Bounds {
		sum += float64(float64(h.Counts[i]) * (low + high) / 2)
		low = high
	}
	mean := (h.Sum - sum) / float64(over)
	return append(bounds, max(last, last+2*(mean-last)))
}

// part returns where in its bucket the mean of the values is, so that the mean of all is that of the
// histogram.
func part(h *recording.ObservedHistogram, bounds []float64) float64 {
	least, span, low := 0.0, 0.0, 0.0
	for i, high := range bounds {
		c := float64(h.Counts[i])
		least += float64(c * low)
		span += float64(c * (high - low))
		low = high
	}
	if span == 0 {
		return 0.5
	}
	return min(1, max(0, (h.Sum-least)/span))
}

// widthShare is how many of the requests take so many seats.
type widthShare struct {
	seats int
	share float64
}

// widths makes widths of a histogram of seats: the same number in each bucket, and the same sum.
// Within a bucket all are at the same part of the way, where the sum asks for it.
func widths(h *recording.ObservedHistogram) []widthShare {
	n := float64(h.Count())
	if n == 0 {
		return []widthShare{{1, 1}}
	}
	least, span, low := 0.0, 0.0, 0.0
	bounds := append(append([]float64(nil), h.Bounds...), 100)
	for i, high := range bounds {
		c := float64(h.Counts[i])
		least += float64(c * (low + 1))
		span += float64(c * max(0, high-low-1))
		low = high
	}
	x := 0.0
	if span > 0 {
		x = min(1, max(0, (h.Sum-least)/span))
	}
	var out []widthShare
	low = 0
	for i, high := range bounds {
		if c := float64(h.Counts[i]) / n; c > 0 {
			out = addWidth(out, low+1+float64(max(0, high-low-1)*x), c)
		}
		low = high
	}
	return out
}

// addWidth adds requests of a width on average: of the two whole ones around it.
func addWidth(out []widthShare, width, share float64) []widthShare {
	whole := math.Floor(width + 1e-9)
	upper := width - whole
	for _, w := range [...]widthShare{{int(whole), share * (1 - upper)}, {int(whole) + 1, share * upper}} {
		if w.share < 1e-9 {
			continue
		}
		if k := len(out); k > 0 && out[k-1].seats == w.seats {
			out[k-1].share += w.share
		} else {
			out = append(out, w)
		}
	}
	return out
}

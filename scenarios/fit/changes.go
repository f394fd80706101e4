package fit

import (
	"math"
	"slices"
)

// segment is a part of the bins in which the rate is constant.
type segment struct {
	from, until int // bins
	count       float64
}

// segmentsMax is how many segments one can still read.
const segmentsMax = 8

// dispersion is the variance of counts over their mean, 1 for a Poisson process, from the
// differences of neighbours, so that a rate which changes now and then does not count: of each
// pair (a-b)^2/(a+b) is 1 in the mean. The largest twentieth is left out for the changes.
func dispersion(bins []float64) float64 {
	var parts []float64
	for i := 1; i < len(bins); i++ {
		if sum := bins[i] + bins[i-1]; sum > 0 {
			d := bins[i] - bins[i-1]
			parts = append(parts, float64(d*d)/sum)
		}
	}
	slices.Sort(parts)
	parts = parts[:len(parts)-len(parts)/20]
	total := 0.0
	for _, p := range parts {
		total += p
	}
	if len(parts) == 0 {
		return 1
	}
	return total / float64(len(parts)) / trimmed
}

// trimmed is the mean of what is left of a chi-square variable of one degree of freedom without
// its largest twentieth.
const trimmed = 0.757

// changes splits counts where their rate changes: the split with the least sum of the costs of
// its segments and of a penalty for each, found exactly by optimal partitioning (B. Jackson et
// al., "An algorithm for optimal partitioning of data on an interval", 2005), with the pruning of
// PELT (R. Killick et al., 2012). The cost is minus the logarithm of the likelihood of Poisson
// counts. The penalty grows with the dispersion, and until the segments are few.
func changes(bins []float64) []segment {
	penalty := 2 * math.Log(float64(len(bins))) * max(1, dispersion(bins))
	for {
		found := partition(bins, penalty)
		if len(found) <= segmentsMax {
			return found
		}
		penalty *= 1.5
	}
}

// partition is optimal partitioning with a penalty.
func partition(bins []float64, penalty float64) []segment {
	n := len(bins)
	sums := make([]float64, n+1)
	for i, c := range bins {
		sums[i+1] = sums[i] + c
	}
	best, before := make([]float64, n+1), make([]int, n+1)
	best[0] = -penalty
	candidates := []int{0}
	for end := 1; end <= n; end++ {
		best[end] = math.Inf(1)
		for _, from := range candidates {
			if c := best[from] + segmentCost(sums[end]-sums[from], end-from) + penalty; c < best[end] {
				best[end], before[end] = c, from
			}
		}
		kept := candidates[:0]
		for _, from := range candidates {
			if best[from]+segmentCost(sums[end]-sums[from], end-from) <= best[end] {
				kept = append(kept, from)
			}
		}
		candidates = append(kept, end)
	}
	var out []segment
	for end := n; end > 0; end = before[end] {
		from := before[end]
		out = append(out, segment{from, end, sums[end] - sums[from]})
	}
	slices.Reverse(out)
	return out
}

// segmentCost is minus the logarithm of the likelihood of a count in a number of bins under its
// own mean, less what all splits have in common.
func segmentCost(count float64, bins int) float64 {
	if count == 0 {
		return 0
	}
	return -float64(count * math.Log(count/float64(bins)))
}

package fit

import (
	"cmp"
	"math"
	"slices"
)

// reservoir is a uniform sample of bounded size of a stream of values (Vitter's algorithm R,
// 1985), drawn with random numbers that depend on the seed and the number of values alone.
type reservoir struct {
	seen   int64
	sum    float64
	values []int64
	seed   uint64
}

// add takes a value, and keeps at most so many.
func (r *reservoir) add(v int64, most int) {
	r.seen++
	r.sum += float64(v)
	if len(r.values) < most {
		r.values = append(r.values, v)
		return
	}
	if i := mix(r.seed+uint64(r.seen)) % uint64(r.seen); i < uint64(len(r.values)) {
		r.values[i] = v
	}
}

// mix is the last step of splitmix64, by Steele, Lea and Flood.
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// weighted is a value that stands for a number of values.
type weighted struct {
	value  int64
	weight float64
}

// sample is a weighted sample in rising order, and the sum and number of the values that it is of.
type sample struct {
	points []weighted
	sum    float64
	seen   int64
	weight float64
}

// merged makes one sample of reservoirs: each value stands for its part of what its reservoir
// has seen.
func merged(all []*reservoir) *sample {
	s := &sample{}
	for _, r := range all {
		for _, v := range r.values {
			s.points = append(s.points, weighted{v, float64(r.seen) / float64(len(r.values))})
		}
		s.seen += r.seen
		s.sum += r.sum
	}
	slices.SortStableFunc(s.points, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	for _, p := range s.points {
		s.weight += p.weight
	}
	return s
}

// mean is the mean of all values that were seen.
func (s *sample) mean() float64 { return s.sum / float64(s.seen) }

// quantile is the least value of which a share p of all is at most; 0 without values.
func (s *sample) quantile(p float64) int64 {
	below := 0.0
	for _, w := range s.points {
		if below += w.weight; below >= p*s.weight {
			return w.value
		}
	}
	if n := len(s.points); n > 0 {
		return s.points[n-1].value
	}
	return 0
}

// distance is the Kolmogorov-Smirnov distance of the sample and a distribution: the largest
// difference of the shares of values up to any value. cdf may jump; below is its limit from the
// left.
func (s *sample) distance(cdf, below func(v float64) float64) float64 {
	worst, sum := 0.0, 0.0
	for i := 0; i < len(s.points); {
		v := s.points[i].value
		worst = max(worst, math.Abs(below(float64(v))-sum/s.weight))
		for ; i < len(s.points) && s.points[i].value == v; i++ {
			sum += s.points[i].weight
		}
		worst = max(worst, math.Abs(cdf(float64(v))-sum/s.weight))
	}
	return worst
}

package plots

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/apfsim/apfsim/reports/study"
)

// sweepFactor is a factor with its values as numbers, if they are.
type sweepFactor struct {
	name   string
	values []string
	// numbers are the values, nil if one of them is no number; order are the numbers of the values
	// from the least to the greatest, or as they were given.
	numbers []float64
	order   []int
	// log tells that the values are better apart on a logarithmic axis.
	log bool
}

// logFrom is how many times the least value the greatest is on a logarithmic axis.
const logFrom = 15

// factorsOf reads the factors of a study.
func factorsOf(s *study.Study) []sweepFactor {
	names := s.Headings()
	out := make([]sweepFactor, len(s.Factors))
	for i := range s.Factors {
		f := &out[i]
		f.name, f.values = names[i], s.Factors[i].Values
		f.numbers = s.Factors[i].Numbers()
		for n := range f.values {
			f.order = append(f.order, n)
		}
		if f.numbers != nil {
			slices.SortStableFunc(f.order, func(a, b int) int { return cmp.Compare(f.numbers[a], f.numbers[b]) })
			least, greatest := slices.Min(f.numbers), slices.Max(f.numbers)
			f.log = len(f.numbers) > 2 && least > 0 && greatest/least >= logFrom
		}
	}
	return out
}

// place is where a value lies on the axis of its factor.
func (f *sweepFactor) place(value int) float64 {
	if f.log {
		return math.Log2(f.numbers[value])
	}
	return f.numbers[value]
}

// mostLabels is how many values of a factor are ticks by themselves: of more the axis has round numbers.
const mostLabels = 12

// axis is the axis of the factor, with its values as ticks.
func (f *sweepFactor) axis() axis {
	a := axis{kind: labelled}
	for _, n := range f.order {
		a.at, a.labels = append(a.at, f.place(n)), append(a.labels, f.values[n])
	}
	first, last := a.at[0], a.at[len(a.at)-1]
	if last <= first { // all values are the same number
		last = first + 1
	}
	rim := 0.04 * (last - first)
	a.min, a.max = first-rim, last+rim
	if _, plain := strconv.ParseFloat(f.values[0], 64); plain == nil && !f.log && len(f.values) > mostLabels {
		a.kind = counts
	}
	return a
}

// names are the values in the order of their axis.
func (f *sweepFactor) names() []string {
	var out []string
	for _, n := range f.order {
		out = append(out, f.values[n])
	}
	return out
}

package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Paired returns the mean of the differences b - a, pair by pair, with its interval. Pairs that
// share their random numbers vary together, so that their differences vary little: that is what
// makes the interval narrow. The pairs are independent of each other. It panics without any.
//
// A. Law, Simulation Modeling and Analysis, 5th edition, sections 10.2.1 and 11.2.
func Paired(a, b []float64) Interval { return Mean(Differences(a, b)) }

// Differences returns b - a, pair by pair.
func Differences(a, b []float64) []float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("stats: %d and %d values are no pairs", len(a), len(b)))
	}
	out := make([]float64, len(a))
	for i := range a {
		out[i] = b[i] - a[i]
	}
	return out
}

// Welch returns the difference of the means of two sets of independent samples, the second less
// the first, with its interval: the variances need not be equal. N is the size of the smaller
// set. It panics if one is empty.
//
// B. L. Welch, The significance of the difference between two means when the population
// variances are unequal, Biometrika 29 (1938); A. Law, section 10.2.2.
func Welch(a, b []float64) Interval {
	if len(a) == 0 || len(b) == 0 {
		panic("stats: a difference of no samples")
	}
	meanA, varianceA := moments(a)
	meanB, varianceB := moments(b)
	out := Interval{Mean: meanB - meanA, HalfWidth: math.Inf(1), N: min(len(a), len(b))}
	if out.N < 2 {
		return out
	}
	out.HalfWidth = welch(varianceA, varianceB, float64(len(a)), float64(len(b)))
	return out
}

// welch is the half-width of the interval of the difference of two means: of sets of n and m
// samples with these variances.
func welch(varianceA, varianceB, n, m float64) float64 {
	u, v := varianceA/n, varianceB/m
	if u+v == 0 {
		return 0
	}
	freedom := float64((u+v)*(u+v)) / (float64(u*u)/(n-1) + float64(v*v)/(m-1))
	t := distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - (1-Confidence)/2)
	return t * math.Sqrt(u+v)
}

// PairsToTell estimates how many pairs it takes in all until the interval of their differences
// leaves 0 out, if their mean and variance stay what they are. It returns false if no number up
// to most is enough, and for fewer than two pairs.
func PairsToTell(a, b []float64, most int) (n int, ok bool) {
	mean, variance := moments(Differences(a, b))
	return toTell(len(a), most, mean, func(n float64) float64 { return student(int(n)-1) * math.Sqrt(variance/n) })
}

// SamplesToTell estimates likewise how many samples of each of two sets it takes.
func SamplesToTell(a, b []float64, most int) (n int, ok bool) {
	meanA, varianceA := moments(a)
	meanB, varianceB := moments(b)
	return toTell(min(len(a), len(b)), most, meanB-meanA, func(n float64) float64 { return welch(varianceA, varianceB, n, n) })
}

// toTell finds the smallest number, not below least, at which half a width is less than a mean.
// Half a width falls with the number, so that it can be found by halving.
func toTell(least, most int, mean float64, halfWidth func(n float64) float64) (n int, ok bool) {
	enough := func(n int) bool { return halfWidth(float64(n)) < math.Abs(mean) }
	if least < 2 || mean == 0 || !enough(most) {
		return 0, false
	}
	low, high := least, max(least, most)
	for low < high {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, true
}

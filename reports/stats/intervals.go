package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the level of all intervals.
const Confidence = 0.95

// Interval is a mean of independent samples, and what it may be off by.
type Interval struct {
	Mean float64
	// HalfWidth is what the mean may be off by, either way; without end for a single sample,
	// which tells nothing about that.
	HalfWidth float64
	// N is the number of samples.
	N int
}

// Known tells whether the half-width is.
func (i Interval) Known() bool { return !math.IsInf(i.HalfWidth, 1) }

// Low is the lower end of the interval.
func (i Interval) Low() float64 { return i.Mean - i.HalfWidth }

// High is the upper end of the interval.
func (i Interval) High() float64 { return i.Mean + i.HalfWidth }

// Relative is the half-width over the size of the mean: 0 if both are 0, and without end for
// a mean of 0 that may be off.
func (i Interval) Relative() float64 {
	if i.HalfWidth == 0 {
		return 0
	}
	return i.HalfWidth / math.Abs(i.Mean)
}

// Mean returns the mean of independent samples of one normal distribution with its confidence
// interval: t(n-1) s / sqrt(n), with Student's t and the sample standard deviation s. It panics
// without samples.
//
// A. Law, Simulation Modeling and Analysis, 5th edition, equation 4.12.
func Mean(samples []float64) Interval { return MeanAmong(samples, 1) }

// MeanAmong is Mean with an interval so wide that so many of them hold together with the confidence: by
// Bonferroni's inequality each has that part of the chance to be wrong.
//
// A. Law, Simulation Modeling and Analysis, 5th edition, section 9.7.
func MeanAmong(samples []float64, intervals int) Interval {
	n := len(samples)
	if n == 0 {
		panic("stats: an interval of no samples")
	}
	mean, variance := moments(samples)
	if n < 2 {
		return Interval{Mean: mean, HalfWidth: math.Inf(1), N: n}
	}
	return Interval{Mean: mean, HalfWidth: studentAmong(n-1, intervals) * math.Sqrt(variance/float64(n)), N: n}
}

// moments returns the mean and the sample variance, which is 0 for a single sample.
func moments(samples []float64) (mean, variance float64) {
	n := float64(len(samples))
	for _, x := range samples {
		mean += x
	}
	mean /= n
	if len(samples) < 2 {
		return mean, 0
	}
	squares := 0.0
	for _, x := range samples {
		squares += float64((x - mean) * (x - mean))
	}
	return mean, squares / (n - 1)
}

// student is how many standard errors a two-sided interval reaches from the mean, by Student's
// t distribution with so many degrees of freedom.
func student(freedom int) float64 { return studentAmong(freedom, 1) }

// studentAmong is that of one of several intervals that have to hold together.
func studentAmong(freedom, intervals int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(1 - (1-Confidence)/2/float64(intervals))
}

// Needed estimates how many samples it takes in all until the half-width is at most the part
// relative of the mean: the smallest n, above the number that there are, at which t(n-1) s /
// sqrt(n) is small enough for the s of now. It returns false if no number up to most is.
//
// A. Law, Simulation Modeling and Analysis, 5th edition, section 9.4.1.
func Needed(samples []float64, relative float64, most int) (n int, ok bool) {
	if relative <= 0 || len(samples) < 2 {
		panic(fmt.Sprintf("stats: needed for %v with %d samples", relative, len(samples)))
	}
	mean, variance := moments(samples)
	target := Criterion(relative) * math.Abs(mean)
	for n := len(samples); n <= most; n++ {
		if student(n-1)*math.Sqrt(variance/float64(n)) <= target {
			return n, true
		}
	}
	return 0, false
}

// Criterion is what the half-width of an interval, as a part of its mean, has to come down to
// so that the mean is off by no more than the part relative of the true value: the mean stands
// in for it, and is itself off.
//
// A. Law, Simulation Modeling and Analysis, 5th edition, section 9.4.1, where it is gamma'.
func Criterion(relative float64) float64 { return relative / (1 + relative) }

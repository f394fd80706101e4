package workload

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/detmath"
)

// DistributionKind names a family of distributions.
type DistributionKind uint8

// The families.
const (
	NoDistribution DistributionKind = iota
	KindConstant
	KindExponential
	KindLognormal
	KindGamma
	KindWeibull
	KindPareto
	KindQuantiles
)

// String returns the name that scenario files use.
func (k DistributionKind) String() string {
	return [...]string{
		"none", "constant", "exponential", "lognormal", "gamma", "weibull", "pareto", "quantiles",
	}[k]
}

// Distribution is a distribution of durations. It is a value: copy it freely. Make one
// with Constant, Exponential, Lognormal, Gamma, Weibull, Pareto or Quantiles; the zero
// value is no distribution, and samples 0. Compare two with Equal.
type Distribution struct {
	kind DistributionKind
	// What the user gave, for String: at most two durations and a number.
	first, second time.Duration
	number        float64
	// What Sample needs, computed once by the constructor.
	a, b, c float64
	// Only for quantiles. Never changed after the constructor.
	table *quantileTable
	mean  time.Duration
}

// Kind returns the family, NoDistribution for the zero value.
func (d *Distribution) Kind() DistributionKind { return d.kind }

// IsZero tells whether d is the zero value: not set. A constant of 0 is set.
func (d *Distribution) IsZero() bool { return d.kind == NoDistribution }

// Mean returns the mean, rounded to nanoseconds.
func (d *Distribution) Mean() time.Duration { return d.mean }

// Equal tells whether d and e are the same family with the same parameters.
func (d Distribution) Equal(e Distribution) bool {
	same := d.kind == e.kind && d.first == e.first && d.second == e.second && d.number == e.number
	return same && d.table.equal(e.table)
}

// Sample draws one duration, rounded to the nearest nanosecond, between 0 and MaxDuration.
// How many numbers it takes from the stream depends on the family alone, but for Gamma,
// where it varies.
func (d *Distribution) Sample(s *Stream) time.Duration {
	switch d.kind {
	case KindConstant:
		return d.first
	case KindExponential:
		return toDuration(d.a * s.Exp())
	case KindLognormal:
		return toDuration(d.a * detmath.Exp(d.b*s.Norm()))
	case KindGamma:
		return toDuration(d.sampleGamma(s))
	case KindWeibull:
		return toDuration(d.a * detmath.Exp(detmath.Log(s.Exp())*d.b))
	case KindPareto:
		return d.samplePareto(s)
	case KindQuantiles:
		return d.table.at(s.Float64())
	}
	return 0
}

// samplePareto inverts F(x) = (1 - (min/x)^alpha) / (1 - (min/max)^alpha).
func (d *Distribution) samplePareto(s *Stream) time.Duration {
	left := 1 - float64(s.OpenFloat64()*d.b)
	x := toDuration(d.a * detmath.Exp(detmath.Log(left)*d.c))
	return min(max(x, d.first), d.second)
}

// sampleGamma is the rejection method of G. Marsaglia and W. W. Tsang, "A simple method for
// generating gamma variables", ACM Transactions on Mathematical Software 26 (2000)
// 363-372. It needs 1.05 tries or fewer. d.a is the scale, d.b is their d = shape - 1/3,
// d.c the exponent of the correction for shapes below 1 (0 for none): a variate of shape
// k+1 times U^(1/k) has shape k.
func (d *Distribution) sampleGamma(s *Stream) float64 {
	boost := d.a
	if d.c > 0 {
		boost *= detmath.Exp(detmath.Log(s.OpenFloat64()) * d.c)
	}
	c := 1 / math.Sqrt(9*d.b)
	for {
		x := s.Norm()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(v * v * v)
		bound := float64(0.5*float64(x*x)) + float64(d.b*(1-v+detmath.Log(v)))
		if detmath.Log(s.OpenFloat64()) < bound {
			return boost * (d.b * v)
		}
	}
}

// toDuration rounds nanoseconds to the nearest whole one. x is not negative. The conversion
// keeps a caller's product from being fused with the addition.
func toDuration(x float64) time.Duration {
	if x >= float64(MaxDuration) {
		return MaxDuration
	}
	return time.Duration(float64(x) + 0.5)
}

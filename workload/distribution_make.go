package workload

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/detmath"
)

// The standard normal quantile of 0.99, by which a lognormal's p99 sets its sigma.
const normal99 = 2.3263478740408411009

// Constant returns the distribution that is always d: 0 or more.
func Constant(d time.Duration) (Distribution, error) {
	if err := checkDuration("constant", d, 0); err != nil {
		return Distribution{}, err
	}
	return Distribution{kind: KindConstant, first: d, mean: d}, nil
}

// Exponential returns the exponential distribution of a mean above 0.
func Exponential(mean time.Duration) (Distribution, error) {
	if err := checkDuration("exponential.mean", mean, 1); err != nil {
		return Distribution{}, err
	}
	return Distribution{kind: KindExponential, first: mean, a: float64(mean), mean: mean}, nil
}

// Lognormal returns the lognormal distribution with the given median and 99th percentile,
// 0 < p50 <= p99: exp(N(ln p50, sigma)) with sigma = ln(p99/p50) / 2.3263, at most 10.
func Lognormal(p50, p99 time.Duration) (Distribution, error) {
	if err := checkDuration("lognormal.p50", p50, 1); err != nil {
		return Distribution{}, err
	}
	if err := checkDuration("lognormal.p99", p99, p50); err != nil {
		return Distribution{}, err
	}
	sigma := detmath.Log(float64(p99)/float64(p50)) / normal99
	if sigma > 10 {
		return Distribution{}, fault("lognormal.p99", p99, "at most 1.27e10 times p50")
	}
	mean := float64(p50) * detmath.Exp(float64(sigma*sigma)/2)
	return Distribution{
		kind: KindLognormal, first: p50, second: p99,
		a: float64(p50), b: sigma, mean: toDuration(mean),
	}, nil
}

// Gamma returns the gamma distribution with the given mean and coefficient of variation,
// 0.01 <= cv <= 100: its shape is 1/cv^2.
func Gamma(mean time.Duration, cv float64) (Distribution, error) {
	if err := checkDuration("gamma.mean", mean, 1); err != nil {
		return Distribution{}, err
	}
	if err := checkNumber("gamma.cv", cv, 0.01, 100); err != nil {
		return Distribution{}, err
	}
	shape := 1 / (cv * cv)
	d := Distribution{kind: KindGamma, first: mean, number: cv, mean: mean}
	d.a = float64(mean) / shape
	if shape < 1 {
		d.c = 1 / shape
		shape++
	}
	d.b = shape - 1.0/3
	return d, nil
}

// Weibull returns the Weibull distribution with the given mean and shape, 0.1 <= shape <=
// 100: its scale is mean / Gamma(1 + 1/shape).
func Weibull(mean time.Duration, shape float64) (Distribution, error) {
	if err := checkDuration("weibull.mean", mean, 1); err != nil {
		return Distribution{}, err
	}
	if err := checkNumber("weibull.shape", shape, 0.1, 100); err != nil {
		return Distribution{}, err
	}
	return Distribution{
		kind: KindWeibull, first: mean, number: shape, mean: mean,
		a: float64(mean) / detmath.Gamma(1+1/shape), b: 1 / shape,
	}, nil
}

// Pareto returns the bounded Pareto distribution on [lo, hi], 0 < lo <= hi, with the tail
// index 0.01 <= alpha <= 100: P(X > x) falls as x^-alpha, cut off at hi.
func Pareto(lo, hi time.Duration, alpha float64) (Distribution, error) {
	if err := checkDuration("pareto.min", lo, 1); err != nil {
		return Distribution{}, err
	}
	if err := checkDuration("pareto.max", hi, lo); err != nil {
		return Distribution{}, err
	}
	if err := checkNumber("pareto.alpha", alpha, 0.01, 100); err != nil {
		return Distribution{}, err
	}
	// With l = ln(hi/lo) and phi(x) = (1 - e^-x)/x: 1 - (lo/hi)^alpha = alpha l phi(alpha l),
	// and the mean is lo phi((alpha-1) l) / phi(alpha l), also where alpha is 1.
	l := detmath.Log(float64(hi) / float64(lo))
	phi := decay(alpha * l)
	return Distribution{
		kind: KindPareto, first: lo, second: hi, number: alpha,
		a: float64(lo), b: alpha * l * phi, c: -1 / alpha,
		mean: toDuration(float64(lo) * decay((alpha-1)*l) / phi),
	}, nil
}

// decay returns (1 - e^-x) / x, and 1 at 0. Near 0, where the subtraction would cancel, it
// sums the series 1 - x/2! + x^2/3! - ...
func decay(x float64) float64 {
	if math.Abs(x) > 0.5 {
		return (1 - detmath.Exp(-x)) / x
	}
	sum := 1.0
	for n := 16.0; n >= 2; n-- {
		sum = 1 - float64(x/n*sum)
	}
	return sum
}

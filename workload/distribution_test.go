package workload

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

const ms = time.Millisecond

// must returns a distribution whose parameters are legal.
func must(d Distribution, err error) Distribution {
	if err != nil {
		panic(err)
	}
	return d
}

// boundedPareto is the distribution function of Pareto, in seconds.
type boundedPareto struct{ lo, hi, alpha float64 }

func (p boundedPareto) CDF(x float64) float64 {
	switch {
	case x < p.lo:
		return 0
	case x >= p.hi:
		return 1
	}
	return (1 - math.Pow(p.lo/x, p.alpha)) / (1 - math.Pow(p.lo/p.hi, p.alpha))
}

// stepwise is a distribution function that is linear between points (seconds, share).
type stepwise [][2]float64

func (s stepwise) CDF(x float64) float64 {
	for i := 1; i < len(s); i++ {
		if x < s[i][0] {
			return s[i-1][1] + (s[i][1]-s[i-1][1])*(x-s[i-1][0])/(s[i][0]-s[i-1][0])
		}
	}
	return 1
}

// lognormalOf is gonum's lognormal by median and 99th percentile.
func lognormalOf(p50, p99 float64) distuv.LogNormal {
	return distuv.LogNormal{Mu: math.Log(p50), Sigma: math.Log(p99/p50) / distuv.UnitNormal.Quantile(0.99)}
}

func gammaOf(mean, cv float64) distuv.Gamma {
	return distuv.Gamma{Alpha: 1 / (cv * cv), Beta: 1 / (cv * cv) / mean}
}

func weibullOf(mean, shape float64) distuv.Weibull {
	return distuv.Weibull{K: shape, Lambda: mean / math.Gamma(1+1/shape)}
}

// continuous are distributions with an independent distribution function, in seconds.
var continuous = []struct {
	d    Distribution
	want interface{ CDF(float64) float64 }
	mean float64
}{
	{must(Exponential(20 * ms)), distuv.Exponential{Rate: 50}, 0.02},
	{must(Lognormal(40*ms, 400*ms)), lognormalOf(0.04, 0.4), lognormalOf(0.04, 0.4).Mean()},
	{must(Lognormal(40*ms, 41*ms)), lognormalOf(0.04, 0.041), lognormalOf(0.04, 0.041).Mean()},
	{must(Gamma(30*ms, 0.5)), gammaOf(0.03, 0.5), 0.03},
	{must(Gamma(30*ms, 1)), gammaOf(0.03, 1), 0.03},
	{must(Gamma(300*ms, 2)), gammaOf(0.3, 2), 0.3},
	{must(Gamma(30*ms, 0.01)), gammaOf(0.03, 0.01), 0.03},
	{must(Weibull(50*ms, 0.6)), weibullOf(0.05, 0.6), 0.05},
	{must(Weibull(50*ms, 3)), weibullOf(0.05, 3), 0.05},
	{must(Weibull(50*ms, 100)), weibullOf(0.05, 100), 0.05},
	{must(Pareto(1*ms, 10*time.Second, 1.2)), boundedPareto{0.001, 10, 1.2}, 0},
	{must(Pareto(1*ms, 1*time.Second, 1)), boundedPareto{0.001, 1, 1}, 0.001 * 1000 * math.Log(1000) / 999},
	{must(Pareto(1*ms, 100*ms, 0.01)), boundedPareto{0.001, 0.1, 0.01}, 0},
	{must(Pareto(5*ms, 6*ms, 50)), boundedPareto{0.005, 0.006, 50}, 0},
	{
		must(Quantiles([]Quantile{{0, 1 * ms}, {0.5, 4 * ms}, {0.99, 100 * ms}, {1, time.Second}})),
		stepwise{{0.001, 0}, {0.004, 0.5}, {0.1, 0.99}, {1, 1}},
		0.5*0.0025 + 0.49*0.052 + 0.01*0.55,
	},
}

// meanOf integrates 1 - F numerically, on a grid that is fine at both ends.
func meanOf(cdf func(float64) float64) float64 {
	sum, last := 0.0, 0.0
	for i := 1; i <= 2_000_000; i++ {
		x := math.Exp(-14 + 20*float64(i)/2_000_000)
		sum += (x - last) * (1 - cdf((x+last)/2))
		last = x
	}
	return sum
}

// kolmogorov returns the largest distance of the samples' distribution from cdf, times the
// square root of their number: above 1.95 one time in a thousand.
func kolmogorov(samples []float64, cdf func(float64) float64) float64 {
	slices.Sort(samples)
	n, worst := float64(len(samples)), 0.0
	for i, x := range samples {
		f := cdf(x)
		worst = max(worst, f-float64(i)/n, float64(i+1)/n-f)
	}
	return worst * math.Sqrt(n)
}

func TestDistributions(t *testing.T) {
	const n = 40000
	for i, c := range continuous {
		t.Run(c.d.String(), func(t *testing.T) {
			s := NewStream(11, uint64(i))
			samples := make([]float64, n)
			sum, squares := 0.0, 0.0
			for i := range samples {
				x := c.d.Sample(&s).Seconds()
				samples[i] = x
				sum, squares = sum+x, squares+x*x
			}
			if k := kolmogorov(samples, c.want.CDF); k > 1.95 {
				t.Errorf("the samples are not of this distribution: the Kolmogorov statistic is %.2f, at most 1.95 is expected", k)
			}
			want := c.mean
			if want == 0 {
				want = meanOf(c.want.CDF)
			}
			if got := c.d.Mean().Seconds(); math.Abs(got-want) > want*1e-5+1e-9 {
				t.Errorf("Mean() = %v s, want %v s", got, want)
			}
			mean := sum / n
			if dev := math.Sqrt(squares/n-mean*mean) / math.Sqrt(n); math.Abs(mean-want) > 4*dev {
				t.Errorf("the samples have the mean %v, want %v within %v", mean, want, 4*dev)
			}
		})
	}
}

// TestPercentiles holds that p50 and p99 are what they are called.
func TestPercentiles(t *testing.T) {
	d := must(Lognormal(40*ms, 400*ms))
	s := NewStream(1, 1)
	below50, below99 := 0, 0
	const n = 100000
	for range n {
		x := d.Sample(&s)
		if x <= 40*ms {
			below50++
		}
		if x <= 400*ms {
			below99++
		}
	}
	if math.Abs(float64(below50)/n-0.5) > 0.005 || math.Abs(float64(below99)/n-0.99) > 0.001 {
		t.Errorf("%d and %d of %d samples are below p50 and p99", below50, below99, n)
	}
}

// TestDegenerate covers distributions with one value, and the zero value.
func TestDegenerate(t *testing.T) {
	s := NewStream(1, 1)
	for _, c := range []struct {
		d    Distribution
		want time.Duration
	}{
		{Distribution{}, 0},
		{must(Constant(0)), 0},
		{must(Constant(7 * ms)), 7 * ms},
		{must(Constant(MaxDuration)), MaxDuration},
		{must(Lognormal(7*ms, 7*ms)), 7 * ms},
		{must(Pareto(7*ms, 7*ms, 1.5)), 7 * ms},
		{must(Quantiles([]Quantile{{0, 7 * ms}, {1, 7 * ms}})), 7 * ms},
	} {
		for range 100 {
			if got := c.d.Sample(&s); got != c.want {
				t.Fatalf("%s: a sample of %v, want %v", c.d, got, c.want)
			}
		}
		if got := c.d.Mean(); got != c.want {
			t.Errorf("%s: Mean() = %v, want %v", c.d, got, c.want)
		}
	}
}

// TestSamplesStayInRange draws from the extremes of the legal parameters.
func TestSamplesStayInRange(t *testing.T) {
	for _, d := range []Distribution{
		must(Exponential(1)), must(Exponential(MaxDuration)),
		must(Lognormal(1, 10_000_000_000)), must(Lognormal(MaxDuration/1000, MaxDuration)),
		must(Gamma(1, 100)), must(Gamma(MaxDuration, 100)), must(Gamma(MaxDuration, 0.01)),
		must(Weibull(1, 0.1)), must(Weibull(MaxDuration, 0.1)), must(Weibull(MaxDuration, 100)),
		must(Pareto(1, MaxDuration, 0.01)), must(Pareto(1, MaxDuration, 100)), must(Pareto(MaxDuration, MaxDuration, 1)),
		must(Quantiles([]Quantile{{0, 0}, {1, MaxDuration}})),
	} {
		s := NewStream(2, 3)
		for range 20000 {
			if x := d.Sample(&s); x < 0 || x > MaxDuration {
				t.Fatalf("%s: a sample of %d", d, x)
			}
		}
		if m := d.Mean(); m < 0 || m > MaxDuration {
			t.Errorf("%s: Mean() = %d", d, m)
		}
	}
}

// TestRounding holds that samples are rounded to the nearest nanosecond, not cut off: the
// mean of an exponential of 3 ns would be 2.5.
func TestRounding(t *testing.T) {
	d := must(Exponential(3))
	s := NewStream(4, 5)
	sum := time.Duration(0)
	const n = 200000
	for range n {
		sum += d.Sample(&s)
	}
	// The rounded variate has the mean e^(-1/6) / (1 - e^(-1/3)) = 2.986.
	if mean := float64(sum) / n; math.Abs(mean-2.986) > 0.03 {
		t.Errorf("the mean is %v, want 2.986", mean)
	}
}

func TestSampleDoesNotAllocate(t *testing.T) {
	for _, c := range continuous {
		s := NewStream(1, 2)
		if n := testing.AllocsPerRun(1000, func() { c.d.Sample(&s) }); n != 0 {
			t.Errorf("%s: %v allocations per sample", c.d, n)
		}
	}
}

func TestEqual(t *testing.T) {
	for i, a := range continuous {
		for j, b := range continuous {
			if got := a.d.Equal(b.d); got != (i == j) {
				t.Errorf("%s equal to %s: %v", a.d, b.d, got)
			}
		}
	}
	points := []Quantile{{0, 1}, {1, 2}}
	if a, b := must(Quantiles(points)), must(Quantiles(points)); !a.Equal(b) {
		t.Error("two tables with the same points are not equal")
	}
}

func BenchmarkSample(b *testing.B) {
	for _, c := range continuous {
		b.Run(c.d.Kind().String()+"/"+fmt.Sprint(c.d), func(b *testing.B) {
			s := NewStream(1, 2)
			for b.Loop() {
				sink += c.d.Sample(&s)
			}
		})
	}
}

// sink keeps the compiler from leaving the work out.
var sink time.Duration

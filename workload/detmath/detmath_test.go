package detmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// worst keeps the largest error and where it was.
type worst struct{ ulps, at float64 }

func (w *worst) see(at, ulps float64) {
	if ulps > w.ulps || math.IsNaN(ulps) {
		*w = worst{ulps, at}
	}
}

func (w *worst) check(t *testing.T, name string, bound float64) {
	t.Helper()
	t.Logf("%s: at most %.3f ulp, at %v", name, w.ulps, w.at)
	if !(w.ulps <= bound) {
		t.Errorf("%s(%v) is off by %.3f ulp, the bound is %v", name, w.at, w.ulps, bound)
	}
}

// samples returns points of the given function of a uniform variate.
func samples(n int, f func(u float64) float64) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	points := make([]float64, n)
	for i := range points {
		points[i] = f(r.Float64())
	}
	return points
}

func TestLog(t *testing.T) {
	points := samples(4000, func(u float64) float64 { return u })
	points = append(points, samples(4000, func(u float64) float64 { return 0.5 + 1.5*u })...)
	points = append(points, samples(2000, func(u float64) float64 { return math.Exp((u - 0.5) * 1400) })...)
	points = append(points, samples(1000, func(u float64) float64 { return u * 0x1p-1022 })...)
	points = append(points, samples(1000, func(u float64) float64 { return 1 + (u-0.5)*1e-6 })...)
	points = append(points, math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64, math.Sqrt2, math.Sqrt2/2,
		math.Nextafter(math.Sqrt2/2, 0), math.Nextafter(math.Sqrt2, 2), 0x1p-53, 1-0x1p-53)
	var w worst
	for _, x := range points {
		w.see(x, ulps(Log(x), bigLog(x)))
	}
	w.check(t, "Log", 1)
}

func TestLogOfSpecialValues(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{1, 0}, {0, math.Inf(-1)}, {math.Inf(1), math.Inf(1)}, {-1, math.NaN()}, {math.NaN(), math.NaN()}, {math.Inf(-1), math.NaN()},
	} {
		if got := Log(c.x); math.Float64bits(got) != math.Float64bits(c.want) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Log(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

func TestExp(t *testing.T) {
	points := samples(4000, func(u float64) float64 { return (u - 0.5) * 2 })
	points = append(points, samples(4000, func(u float64) float64 { return (u - 0.5) * 100 })...)
	points = append(points, samples(4000, func(u float64) float64 { return -708 + u*1417 })...)
	points = append(points, expOverflow, 1e-300, -1e-300, 1e-17, math.Ln2/2, -math.Ln2/2)
	var w worst
	for _, x := range points {
		w.see(x, ulps(Exp(x), bigExp(wide(x))))
	}
	w.check(t, "Exp", 1)

	var small worst
	for _, x := range samples(2000, func(u float64) float64 { return -745 + u*37 }) {
		small.see(x, ulps(Exp(x), bigExp(wide(x))))
	}
	small.check(t, "Exp of large negative numbers", 2)
}

func TestExpOfSpecialValues(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 1}, {math.Inf(1), math.Inf(1)}, {math.Inf(-1), 0}, {710, math.Inf(1)}, {-746, 0}, {math.NaN(), math.NaN()},
		{math.Nextafter(expOverflow, 1000), math.Inf(1)}, {math.Nextafter(expUnderflow, -1000), 0},
		{-745.1, math.SmallestNonzeroFloat64},
	} {
		if got := Exp(c.x); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Exp(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

// quantileError returns how far z is from the quantile of p, in ulps of z: the difference of
// the probabilities over the density.
func quantileError(z, p float64) float64 {
	density, distribution := bigNormal(z)
	diff := distribution.Sub(distribution, wide(p))
	diff.Quo(diff, density)
	return ulps(z, zero().Sub(wide(z), diff))
}

func TestNormQuantile(t *testing.T) {
	points := samples(1500, func(u float64) float64 { return u })
	points = append(points, samples(500, func(u float64) float64 { return u * 0.075 })...)
	points = append(points, samples(500, func(u float64) float64 { return 1 - u*0.075 })...)
	points = append(points, samples(500, func(u float64) float64 { return math.Exp2(-53 * u) })...)
	points = append(points, 0x1p-53, 1-0x1p-53, 0.075, 0.925, 0.99)
	var w worst
	for _, p := range points {
		w.see(p, quantileError(NormQuantile(p), p))
	}
	w.check(t, "NormQuantile", 5)
}

// TestNormQuantileIsSymmetric covers what a stream can ask for: p and 1-p, both exact.
func TestNormQuantileIsSymmetric(t *testing.T) {
	for _, u := range samples(10000, func(u float64) float64 { return u }) {
		p := (math.Floor(u*0x1p52) + 0.5) / 0x1p52
		if a, b := NormQuantile(p), NormQuantile(1-p); a != -b {
			t.Fatalf("NormQuantile(%v) = %v, NormQuantile(1-p) = %v", p, a, b)
		}
	}
}

func TestNormQuantileOfSpecialValues(t *testing.T) {
	for _, c := range []struct{ p, want float64 }{
		{0.5, 0}, {0, math.Inf(-1)}, {1, math.Inf(1)}, {-0.1, math.NaN()}, {1.1, math.NaN()}, {math.NaN(), math.NaN()},
	} {
		if got := NormQuantile(c.p); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("NormQuantile(%v) = %v, want %v", c.p, got, c.want)
		}
	}
}

// TestGamma compares with factorials, with Gamma(n+1/2) = (2n-1)!! sqrt(pi) / 2^n, and
// between them with the duplication formula's consequence that math.Gamma is near.
func TestGamma(t *testing.T) {
	check := func(x float64, want *big.Float) {
		near, _ := want.Float64()
		bound := (1 + x) * 2e-16
		if got := Gamma(x); !(math.Abs(got-near) <= bound*near) {
			t.Errorf("Gamma(%v) = %v, want %v within %v", x, got, near, bound)
		}
	}
	factorial, half := wide(1), zero().Sqrt(bigPi)
	for n := 0.0; n < 170; n++ {
		check(n+0.5, half)
		check(n+1, factorial)
		half.Mul(half, wide(n+0.5))
		factorial.Mul(factorial, wide(n+1))
	}
	for _, x := range samples(5000, func(u float64) float64 { return 0.5 + 170.5*u*u }) {
		if got, want := Gamma(x), math.Gamma(x); !(math.Abs(got-want) <= (1+x)*4e-16*want) {
			t.Errorf("Gamma(%v) = %v, math.Gamma is %v", x, got, want)
		}
	}
	for _, x := range []float64{0.49, 171.1, -1, math.NaN()} {
		if got := Gamma(x); !math.IsNaN(got) {
			t.Errorf("Gamma(%v) = %v, want NaN", x, got)
		}
	}
}

func BenchmarkLog(b *testing.B) {
	points := samples(1024, func(u float64) float64 { return u + 1e-9 })
	sum := 0.0
	for i := 0; b.Loop(); i++ {
		sum += Log(points[i&1023])
	}
	sink = sum
}

func BenchmarkExp(b *testing.B) {
	points := samples(1024, func(u float64) float64 { return (u - 0.5) * 10 })
	sum := 0.0
	for i := 0; b.Loop(); i++ {
		sum += Exp(points[i&1023])
	}
	sink = sum
}

func BenchmarkNormQuantile(b *testing.B) {
	points := samples(1024, func(u float64) float64 { return u + 1e-9 })
	sum := 0.0
	for i := 0; b.Loop(); i++ {
		sum += NormQuantile(points[i&1023])
	}
	sink = sum
}

// sink keeps the compiler from leaving the work out.
var sink float64

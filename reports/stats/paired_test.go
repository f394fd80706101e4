package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPaired: A. Law, example 10.3: five pairs of weekly costs, whose differences have the mean
// 4.98 and the variance of that mean 2.44, so that the interval of 90 % is 4.98 ± 3.33. The same
// figures with the 2.776 of 95 % are checked here.
func TestPaired(t *testing.T) {
	a := []float64{126.97, 124.31, 126.68, 122.66, 127.23}
	b := []float64{118.21, 120.22, 122.45, 122.68, 119.40}
	got := Paired(b, a)
	if math.Abs(got.Mean-4.978) > 0.001 || math.Abs(got.HalfWidth-2.7764*math.Sqrt(2.44)) > 0.01 || got.N != 5 {
		t.Errorf("the interval is %+v", got)
	}
}

// TestWelch: A. Law, example 10.4: the same figures as two sets have the variances 4.00 and 3.76
// and 7.99 degrees of freedom, so that the interval of 90 % is 4.98 ± 2.33; 95 % has the factor
// 2.306.
func TestWelch(t *testing.T) {
	a := []float64{126.97, 124.31, 126.68, 122.66, 127.23}
	b := []float64{118.21, 120.22, 122.45, 122.68, 119.40}
	got := Welch(b, a)
	if math.Abs(got.Mean-4.978) > 0.001 || math.Abs(got.HalfWidth-2.306*math.Sqrt((4.00+3.76)/5)) > 0.01 || got.N != 5 {
		t.Errorf("the interval is %+v", got)
	}
	if got := Welch([]float64{1}, a); got.Known() {
		t.Errorf("one sample tells nothing, got %+v", got)
	}
	if got := Welch([]float64{1, 1}, []float64{3, 3, 3}); got.Mean != 2 || got.HalfWidth != 0 || got.N != 2 {
		t.Errorf("without variance there is no doubt, got %+v", got)
	}
}

// TestCoverage: of many intervals about 95 % hold the true difference, with unequal variances
// and sizes too; and of samples that vary together, the paired one is much narrower.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const trials = 4000
	welch, paired, ratio := 0, 0, 0.0
	for range trials {
		var a, b, c []float64
		for i := range 8 {
			x := r.NormFloat64()
			a = append(a, 3*x)
			c = append(c, 3*x+0.5+0.3*r.NormFloat64())
			if i < 5 {
				b = append(b, 0.5+r.NormFloat64())
			}
		}
		if i := Welch(a, b); i.Low() <= 0.5 && 0.5 <= i.High() {
			welch++
		}
		i, j := Paired(a, c), Welch(a, c)
		if i.Low() <= 0.5 && 0.5 <= i.High() {
			paired++
		}
		ratio += j.HalfWidth / i.HalfWidth / trials
	}
	for name, n := range map[string]int{"Welch": welch, "paired": paired} {
		if share := float64(n) / trials; share < 0.935 || share > 0.965 {
			t.Errorf("%s: %.1f %% of the intervals hold the difference", name, 100*share)
		}
	}
	if ratio < 5 {
		t.Errorf("the paired interval is only %.1f times narrower", ratio)
	}
}

func TestToTell(t *testing.T) {
	a, b := []float64{1, 2, 3, 4}, []float64{1.5, 1.9, 3.9, 4.1}
	n, ok := PairsToTell(a, b, 1000)
	if !ok || n < 5 {
		t.Fatalf("%d pairs, %t", n, ok)
	}
	mean, variance := moments(Differences(a, b))
	half := func(n int) float64 { return student(n-1) * math.Sqrt(variance/float64(n)) }
	if half(n) >= mean || half(n-1) < mean {
		t.Errorf("%d pairs are not the fewest: half a width of %v and %v for a mean of %v", n, half(n), half(n-1), mean)
	}
	if m, ok := SamplesToTell(a, b, 1000); !ok || m <= n {
		t.Errorf("unpaired it takes %d of each, paired %d", m, n)
	}
	if _, ok := PairsToTell(a, b, n-1); ok {
		t.Error("fewer than it takes were enough")
	}
	if _, ok := PairsToTell(a, a, 1000); ok {
		t.Error("equal pairs are told apart by no number")
	}
	if _, ok := PairsToTell(a[:1], b[:1], 1000); ok {
		t.Error("one pair tells nothing of how many it takes")
	}
}

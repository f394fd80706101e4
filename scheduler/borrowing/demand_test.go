package borrowing

import (
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestIntegratorMeasuresAverageAndDeviation(t *testing.T) {
	g := NewIntegrator(time.Second)
	g.Set(time.Second, 2)
	g.Set(3*time.Second, 8) // 2 for two seconds
	g.Set(5*time.Second, 5) // 8 for two seconds
	d := g.Take(5 * time.Second)
	if want := (Demand{Seconds: 4, Avg: 5, StdDev: 3, Max: 8}); d != want {
		t.Errorf("%+v, want %+v", d, want)
	}
	// The maximum starts again at the current value, not at 0.
	d = g.Take(7 * time.Second)
	if want := (Demand{Seconds: 2, Avg: 5, StdDev: 0, Max: 5}); d != want {
		t.Errorf("next period: %+v, want %+v", d, want)
	}
}

func TestZeroIntegratorStartsAtTimeZero(t *testing.T) {
	var g Integrator
	g.Set(time.Second, 10)
	if d, want := g.Take(2*time.Second), (Demand{Seconds: 2, Avg: 5, StdDev: 5, Max: 10}); d != want {
		t.Errorf("%+v, want %+v", d, want)
	}
}

func TestMaximumCountsValuesThatLastNoTime(t *testing.T) {
	var g Integrator
	g.Set(time.Second, 100)
	g.Set(time.Second, 0)
	if d := g.Take(2 * time.Second); d.Max != 100 || d.Avg != 0 {
		t.Errorf("%+v, want a maximum of 100 and an average of 0", d)
	}
}

func TestPeriodOfNoLengthHasNoAverage(t *testing.T) {
	g := NewIntegrator(time.Second)
	g.Set(time.Second, 7)
	d := g.Take(time.Second)
	if d.Seconds != 0 || d.Max != 7 || !math.IsNaN(d.Avg) || !math.IsNaN(d.StdDev) {
		t.Errorf("%+v, want 0 seconds, a maximum of 7, and no numbers", d)
	}
}

// Rounding can make the variance of a constant negative. Upstream then reports no
// number, and so must this: the statistics treat it as 0 afterwards, but a metric
// shows it.
func TestNegativeVarianceIsNotANumber(t *testing.T) {
	negative := 0
	for nanos := time.Duration(1); nanos < 2000; nanos++ {
		var g Integrator
		g.Set(0, 0.1)
		g.Set(nanos*1_000_003, 0.1)
		d := g.Take(nanos * 2_000_033)
		if d.StdDev > 1e-8 || d.StdDev < 0 {
			t.Fatalf("%d: the deviation of a constant is %v", nanos, d.StdDev)
		}
		if math.IsNaN(d.StdDev) {
			negative++
		}
	}
	if negative == 0 {
		t.Error("no variance came out negative")
	}
}

// The last bits depend on how often Set is called, since every call rounds.
func TestSettingTheSameValueAgainIsVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0, 1000).Draw(t, "x")
		cut := time.Duration(rapid.Int64Range(1, 1e10-1).Draw(t, "cut"))
		var g Integrator
		g.Set(0, x)
		g.Set(cut, x)
		got := g.Take(10 * time.Second)
		a, b := cut.Seconds(), (10*time.Second - cut).Seconds()
		s0, s1 := a+b, float64(x*a)+float64(x*b)
		if got.Seconds != s0 || got.Avg != s1/s0 {
			t.Fatalf("%+v, want exactly %v seconds and an average of %v", got, s0, s1/s0)
		}
	})
}

// The moments agree with exact rational arithmetic to the precision of the sums.
func TestIntegratorAgainstExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Integrator
		var now time.Duration
		x, s1, s2 := int64(0), new(big.Rat), new(big.Rat)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			dt := rapid.Int64Range(0, 5e9).Draw(t, "dt")
			s1.Add(s1, big.NewRat(x*dt, 1e9))
			s2.Add(s2, new(big.Rat).Mul(big.NewRat(x, 1), big.NewRat(x*dt, 1e9)))
			now += time.Duration(dt)
			x = rapid.Int64Range(0, 700).Draw(t, "x")
			g.Set(now, float64(x))
		}
		if now == 0 {
			t.Skip("no time has passed")
		}
		d := g.Take(now)
		elapsed := big.NewRat(int64(now), 1e9)
		avg := new(big.Rat).Quo(s1, elapsed)
		variance := new(big.Rat).Quo(s2, elapsed)
		variance.Sub(variance, new(big.Rat).Mul(avg, avg))
		wantAvg, _ := avg.Float64()
		wantVariance, _ := variance.Float64()
		if math.Abs(d.Avg-wantAvg) > 1e-9 {
			t.Fatalf("average %v, want %v", d.Avg, wantAvg)
		}
		if got := d.StdDev * d.StdDev; !(math.Abs(got-wantVariance) < 1e-6) && wantVariance > 1e-6 {
			t.Fatalf("variance %v, want %v", got, wantVariance)
		}
	})
}

func TestStatsRiseAtOnceAndFadeSlowly(t *testing.T) {
	var s Stats
	s.Update(Demand{Seconds: 10, Avg: 90, StdDev: 10, Max: 120.4}, newest)
	if want := (Stats{Avg: 90, StdDev: 10, Smoothed: 100, HighWatermark: 120}); s != want {
		t.Fatalf("%+v, want %+v", s, want)
	}
	for range 30 { // five minutes of nothing
		s.Update(Demand{Seconds: 10}, newest)
	}
	if s.Smoothed < 49.5 || s.Smoothed > 50.5 {
		t.Errorf("after five minutes %v is left of 100, want about half", s.Smoothed)
	}
	if s.Avg != 0 || s.StdDev != 0 || s.HighWatermark != 0 {
		t.Errorf("%+v, want the latest period's statistics", s)
	}
	s.Update(Demand{Seconds: 10, Avg: 100, StdDev: 0}, newest)
	if s.Smoothed != 100 {
		t.Errorf("smoothed %v, want 100 at once", s.Smoothed)
	}
}

func TestStatsFadeTowardsTheEnvelope(t *testing.T) {
	s := Stats{Smoothed: 100}
	s.Update(Demand{Seconds: 10, Avg: 30, StdDev: 20}, newest)
	if want := float64(0.977*100) + float64(0.023*50); s.Smoothed != want {
		t.Errorf("smoothed %v, want %v", s.Smoothed, want)
	}
}

func TestStatsOfAPeriodOfNoLength(t *testing.T) {
	s := Stats{Avg: 1, StdDev: 2, Smoothed: 3, HighWatermark: 4}
	s.Update(Demand{Seconds: 0, Avg: math.NaN(), StdDev: math.NaN(), Max: 9}, newest)
	if want := (Stats{Avg: 1, StdDev: 2, Smoothed: 3, HighWatermark: 9}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}

func TestStatsTakeNoNumberForNoDeviation(t *testing.T) {
	var s Stats
	s.Update(Demand{Seconds: 10, Avg: 6, StdDev: math.NaN(), Max: 6}, newest)
	if want := (Stats{Avg: 6, Smoothed: 6, HighWatermark: 6}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}

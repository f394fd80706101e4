package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The quantiles of Student's t for 95 % are those of the printed tables.
func TestMean(t *testing.T) {
	for _, c := range []struct {
		n int
		t float64
	}{{2, 12.7062}, {3, 4.30265}, {5, 2.77645}, {10, 2.26216}, {30, 2.04523}, {121, 1.97993}} {
		// n-1 samples at 10 and one at 10+n: the mean is 11, the variance n.
		samples := make([]float64, c.n)
		for i := range samples {
			samples[i] = 10
		}
		samples[0] += float64(c.n)
		got := Mean(samples)
		if !got.Known() || math.Abs(got.Mean-11) > 1e-12 || math.Abs(got.HalfWidth-c.t) > 1e-5*c.t || got.N != c.n {
			t.Errorf("n=%d: %+v, want 11 ± %v", c.n, got, c.t)
		}
	}
	if one := Mean([]float64{7}); one.Known() || one.Mean != 7 {
		t.Errorf("one sample: %+v", one)
	}
}

func TestRelative(t *testing.T) {
	for _, c := range []struct {
		i    Interval
		want float64
	}{
		{Interval{Mean: -10, HalfWidth: 1}, 0.1}, {Interval{}, 0}, {Interval{HalfWidth: 1}, math.Inf(1)}, {Interval{Mean: 3}, 0},
	} {
		if got := c.i.Relative(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.i, got, c.want)
		}
	}
}

// TestNeeded: with the variance of now, one sample fewer would not do.
func TestNeeded(t *testing.T) {
	samples := []float64{9, 10, 11, 12, 8}
	n, ok := Needed(samples, 0.05, 1000)
	if !ok {
		t.Fatal("no number is enough")
	}
	width := func(n int) float64 { return student(n-1) * math.Sqrt(2.5/float64(n)) / 10 }
	if want := Criterion(0.05); width(n) > want || width(n-1) <= want {
		t.Errorf("%d: %v, with one fewer %v, and wanted is %v", n, width(n), width(n-1), want)
	}
	if n, ok := Needed(samples, 0.001, 1000); ok {
		t.Errorf("for a tenth of a percent %d are enough", n)
	}
	if n, ok := Needed([]float64{5, 5, 5}, 0.01, 10); !ok || n != 3 {
		t.Errorf("of equal samples: %d, %v", n, ok)
	}
}

// TestEffectiveSize: independent samples are worth what they are, and runs of k equal samples a
// k-th part. The share above is 5 %.
func TestEffectiveSize(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, run := range []int64{1, 10, 100} {
		counts := make([]Count, 400)
		for i := range counts {
			for range 5000 / run {
				counts[i].Samples += run
				if random.Float64() < 0.05 {
					counts[i].Above += run
				}
			}
		}
		got, ok := EffectiveSize(counts)
		if want := 400 * 5000 / float64(run); !ok || got < 0.8*want || got > 1.25*want {
			t.Errorf("runs of %d: %v, want about %v", run, got, want)
		}
	}
	for _, c := range [][]Count{{{10, 1}, {10, 2}}, {{10, 0}, {10, 0}, {10, 0}}, {{10, 10}, {10, 10}, {10, 10}}, {}} {
		if n, ok := EffectiveSize(c); ok {
			t.Errorf("%v: %v", c, n)
		}
	}
	if n, ok := EffectiveSize([]Count{{10, 1}, {10, 1}, {10, 1}}); !ok || n != 30 {
		t.Errorf("equal replications: %v, %v; there are 30 samples", n, ok)
	}
}

// series is noise around a level that begins at start and comes to 100 with a time constant.
func series(random *rand.Rand, start, constant float64) []float64 {
	out := make([]float64, 300)
	for i := range out {
		out[i] = 100 + (start-100)*math.Exp(-float64(i)/constant) + 3*random.NormFloat64()
	}
	return out
}

// TestSettled finds the end of a transient, neither much too early nor much too late, and none
// where there is none.
func TestSettled(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	late := 0
	for range 200 {
		from, ok := Settled(series(random, 0, 20))
		if ok && from < 30 {
			t.Errorf("a transient of constant 20 ends at %d", from)
		}
		if !ok || from > 120 {
			late++
		}
		flat := series(random, 100, 1)
		if from, ok := Settled(flat); ok && Differs(flat, from, 0.05) {
			t.Errorf("a flat series differs up to %d", from)
		}
	}
	if late > 20 {
		t.Errorf("%d of 200 transients of constant 20 end after 120", late)
	}
	long := series(random, 0, 20)
	if from, _ := Settled(long); !Differs(long, from, 0.05) {
		t.Errorf("a transient up to %d makes no difference", from)
	}
	if _, ok := Settled(make([]float64, 99)); ok {
		t.Error("19 batches are enough")
	}
	if from, ok := Settled(make([]float64, 100)); !ok || from != 0 {
		t.Errorf("nothing but zeros: %d, %v", from, ok)
	}
	rising := make([]float64, 300)
	for i := range rising {
		rising[i] = float64(i)
	}
	if from, ok := Settled(rising); ok && Differs(rising, from, 0.05) {
		t.Errorf("a series that rises for ever settles at %d", from)
	}
}

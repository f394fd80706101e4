package reports

import (
	"math"
	"testing"
)

// The quantiles of Student's t for 95 % are those of the printed tables.
func TestMeanInterval(t *testing.T) {
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
		mean, half, ok := meanInterval(samples)
		if want := c.t; !ok || math.Abs(mean-11) > 1e-12 || math.Abs(half-want) > 1e-5*want {
			t.Errorf("n=%d: %v ± %v, want 11 ± %v", c.n, mean, half, want)
		}
	}
	if mean, _, ok := meanInterval([]float64{7}); ok || mean != 7 {
		t.Errorf("one sample: mean %v, ok %v", mean, ok)
	}
}

func TestIntervalsOfFewReplications(t *testing.T) {
	if newInterval(nil) != nil || newDurationInterval(nil) != nil {
		t.Error("an interval of nothing")
	}
	if i := newInterval([]float64{0.25}); i.HalfWidth != nil || i.text() != "0.25 ± ?" || i.percent() != "25.0% ± ?" {
		t.Errorf("one replication: %v", i.text())
	}
	if i := newDurationInterval([]float64{1.5e9}); i.HalfWidth != nil || i.text() != "1.50s ± ?" {
		t.Errorf("one replication: %v", i.text())
	}
}

package workload

import (
	"math"
	"testing"
)

func TestChooser(t *testing.T) {
	for _, c := range []struct {
		name    string
		weights []float64
		want    []float64 // shares
	}{
		{"one", []float64{3}, []float64{1}},
		{"one without a weight", []float64{0}, []float64{1}},
		{"no weights", []float64{0, 0, 0, 0}, []float64{0.25, 0.25, 0.25, 0.25}},
		{"weights", []float64{6, 3, 1}, []float64{0.6, 0.3, 0.1}},
		{"some are never chosen", []float64{0, 2, 0, 2, 0}, []float64{0, 0.5, 0, 0.5, 0}},
		{"large and small", []float64{1e9, 1e9, 1}, []float64{0.5, 0.5, 5e-10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			chooser, err := NewChooser(c.weights)
			if err != nil {
				t.Fatal(err)
			}
			const n = 100000
			counts := make([]float64, len(c.weights))
			for i := range n {
				counts[chooser.Choose((float64(i)+0.5)/n)]++
			}
			for i, want := range c.want {
				if math.Abs(counts[i]/n-want) > 1.0/n {
					t.Errorf("%d is chosen with the share %v, want %v", i, counts[i]/n, want)
				}
			}
			first, last := chooser.Choose(0), chooser.Choose(1-0x1p-53)
			if c.want[first] == 0 || c.want[last] == 0 {
				t.Errorf("the ends choose %d and %d, which have no weight", first, last)
			}
			if allocs := testing.AllocsPerRun(100, func() { chooser.Choose(0.7) }); allocs != 0 {
				t.Errorf("%v allocations for a choice", allocs)
			}
		})
	}
}

func TestChooserRefuses(t *testing.T) {
	for want, weights := range map[string][]float64{
		"requests: is empty; legal: at least one request":                              {},
		"requests[1].weight: -1 is out of range; legal: a number from 0 to 1e+09":      {1, -1},
		"requests[0].weight: NaN is out of range; legal: a number from 0 to 1e+09":     {math.NaN()},
		"requests[2].weight: +Inf is out of range; legal: a number from 0 to 1e+09":    {1, 2, math.Inf(1)},
		"requests[0].weight: 1.1e+09 is out of range; legal: a number from 0 to 1e+09": {1.1e9},
	} {
		if _, err := NewChooser(weights); err == nil || err.Error() != want {
			t.Errorf("NewChooser(%v): got %v, want %s", weights, err, want)
		}
	}
}

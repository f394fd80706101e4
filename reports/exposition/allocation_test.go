package exposition

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
)

// TestRecordingAllocatesNothing: once the series exist, a request costs no memory, in releases that measure ratios
// over time and in those that sample them.
func TestRecordingAllocatesNothing(t *testing.T) {
	for _, minor := range []int{24, 37} {
		// more is what observing a run allocates more than the run alone.
		more := func(duration time.Duration) float64 {
			allocations := func(observe func() sim.Observer) float64 {
				cfg := busy(t, minor, duration)
				return testing.AllocsPerRun(3, func() {
					if _, err := sim.Run(cfg, 0, observe(), nil); err != nil {
						t.Fatal(err)
					}
				})
			}
			return allocations(func() sim.Observer { return NewObserver() }) - allocations(func() sim.Observer { return sim.Silent{} })
		}
		short, long := more(10*time.Second), more(70*time.Second)
		t.Logf("1.%d: %v for 10 s, %v for 70 s", minor, short, long)
		if long-short > 20 { // 8,000 requests more; a map that grows may take a few
			t.Errorf("1.%d: observing 60 s more allocates %v times more", minor, long-short)
		}
	}
}

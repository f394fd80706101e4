package sim_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
)

var memoryRequests = flag.Int("memory.requests", 200_000, "requests of the shorter run of TestMemoryFollowsWhatIsInFlight; the longer one has ten times as many")

// heap is an observer that weighs the live heap at the end of a run.
type heap struct {
	sim.Silent
	bytes uint64
}

func (h *heap) End(time.Duration, bool) {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	h.bytes = stats.HeapAlloc
}

// TestMemoryFollowsWhatIsInFlight runs ten times as many requests in the same memory.
func TestMemoryFollowsWhatIsInFlight(t *testing.T) {
	weigh := func(requests int) uint64 {
		cfg := crowdOf(t, 128)
		cfg.Duration = time.Duration(float64(requests) / 4750 * float64(time.Second))
		var h heap
		summary, err := sim.Run(cfg, 0, &h, nil)
		if err != nil {
			t.Fatal(err)
		}
		if summary.Requests < int64(requests)*9/10 {
			t.Fatalf("%d requests, want about %d", summary.Requests, requests)
		}
		return h.bytes
	}
	short, long := weigh(*memoryRequests), weigh(10**memoryRequests)
	t.Logf("live heap: %d KiB after %d requests, %d KiB after ten times as many", short>>10, *memoryRequests, long>>10)
	if long > short+short/4+256<<10 {
		t.Errorf("the live heap grew from %d to %d bytes", short, long)
	}
}

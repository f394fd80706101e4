package recording

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestObservedQuantile(t *testing.T) {
	h := &ObservedHistogram{Bounds: []float64{0, 1, 3}, Counts: []int64{10, 20, 60, 10}}
	for _, c := range []struct{ q, want, low, high float64 }{
		{0.05, 0, 0, 0}, {0.2, 0.5, 0, 1}, {0.3, 1, 0, 1}, {0.6, 2, 1, 3}, {0.95, 3, 3, math.Inf(1)},
	} {
		if got := h.Quantile(c.q); got != c.want {
			t.Errorf("quantile %v: %v, want %v", c.q, got, c.want)
		}
		if low, high := h.Within(c.q); low != c.low || high != c.high {
			t.Errorf("quantile %v: within %v and %v, want %v and %v", c.q, low, high, c.low, c.high)
		}
	}
	if got := (*ObservedHistogram)(nil).Quantile(0.5); !math.IsNaN(got) {
		t.Errorf("quantile of nothing: %v", got)
	}
}

func TestObservedIsReadBack(t *testing.T) {
	seats := int64(245)
	want := Observed{Kind: ObservedKind, Source: "metrics", Servers: []ObservedServer{{Intervals: []ObservedInterval{{
		From: 0, Until: Moment(90 * time.Second),
		Cells: []ObservedCell{{
			FlowSchema: "service-accounts", PriorityLevel: "workload-low", Arrivals: 12, Executed: 10,
			Rejected: map[string]int64{"queue-full": 1, "time-out": 1},
			Wait:     &ObservedHistogram{Bounds: []float64{0, 0.005}, Counts: []int64{1, 2, 3}, Sum: 0.5},
		}},
		Levels: []ObservedLevel{{PriorityLevel: "workload-low", NominalSeats: &seats}},
	}}}}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Observed
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back, - written + read:\n%s", diff)
	}
	if n := got.Servers[0].Intervals[0].Cells[0].Rejections(); n != 2 {
		t.Errorf("%d rejections, want 2", n)
	}
}

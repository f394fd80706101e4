package reports

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The fair share is what its definition says: cut to it, the demands fit; cut to one
// more, they would not.
func TestFairShare(t *testing.T) {
	cut := func(demands []int64, share int64) (sum int64) {
		for _, d := range demands {
			sum += min(d, share)
		}
		return sum
	}
	rapid.Check(t, func(t *rapid.T) {
		demands := rapid.SliceOfN(rapid.Int64Range(1, 1000), 0, 20).Draw(t, "demands")
		capacity := rapid.Int64Range(0, 5000).Draw(t, "capacity")
		total := cut(demands, 1000)
		share, crowded := fairShare(demands, capacity)
		if crowded != (total > capacity) {
			t.Fatalf("demands %v, capacity %d: crowded %v", demands, capacity, crowded)
		}
		if crowded && (cut(demands, share) > capacity || cut(demands, share+1) <= capacity) {
			t.Fatalf("demands %v, capacity %d: share %d", demands, capacity, share)
		}
	})
}

// Thinned series keep what they were given at even steps from the first, and the peaks
// between.
func TestSeriesIsBounded(t *testing.T) {
	for _, n := range []int{1, 2, maxAdjustments, maxAdjustments + 1, 2*maxAdjustments + 1, 12345} {
		var s series
		for i := range n {
			s.add(moment{time: time.Duration(i), limit: int64(i)})
			s.close(int64(i % 7))
		}
		if len(s.moments) > maxAdjustments || n > maxAdjustments && len(s.moments) < maxAdjustments/2 {
			t.Fatalf("%d of %d kept", len(s.moments), n)
		}
		for k, m := range s.moments {
			from := k * int(s.stride)
			until := min(from+int(s.stride), n)
			peak := 0
			for i := from; i < until; i++ {
				peak = max(peak, i%7)
			}
			if int(m.time) != from || m.peak != int64(peak) {
				t.Fatalf("%d given, stride %d: moment %d is %+v, want time %d and peak %d", n, s.stride, k, m, from, peak)
			}
		}
		if last := s.moments[len(s.moments)-1]; int(last.time)+int(s.stride) < n {
			t.Fatalf("%d given, the last kept is %v", n, last.time)
		}
	}
}

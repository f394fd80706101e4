package calibration

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// sample counts some durations.
func sample(list []time.Duration) *recording.ObservedHistogram {
	var h *recording.ObservedHistogram
	for _, d := range list {
		h = counted(h, d)
	}
	return h
}

// exactDistance is the Kolmogorov-Smirnov distance by its definition.
func exactDistance(a, b []time.Duration) float64 {
	most := 0.0
	for _, x := range slices.Concat(a, b) {
		share := func(list []time.Duration) float64 {
			n := 0
			for _, d := range list {
				if d <= x {
					n++
				}
			}
			return float64(n) / float64(len(list))
		}
		most = max(most, math.Abs(share(a)-share(b)))
	}
	return most
}

// TestDistance holds the distance of histograms against the definition: what is less than a bucket apart counts as
// equal, so that it may be less, by the requests in two buckets at most.
func TestDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(n int, mean float64) []time.Duration {
		out := make([]time.Duration, n)
		for i := range out {
			out[i] = time.Duration(mean * random.ExpFloat64() * 1e9)
		}
		return out
	}
	for range 50 {
		a, b := draw(300, 0.1), draw(200, 0.05+0.2*random.Float64())
		want, got := exactDistance(a, b), distance(sample(a), sample(b))
		if got > want+1e-12 || got < want-0.05 {
			t.Errorf("the distance is %v, %v by definition", got, want)
		}
	}
	same := sample([]time.Duration{time.Second, 2 * time.Second})
	for _, c := range []struct {
		b    *recording.ObservedHistogram
		want float64
	}{
		{same, 0},
		{sample([]time.Duration{time.Second + time.Microsecond, 2*time.Second - time.Microsecond}), 0},
		{sample([]time.Duration{3 * time.Second}), 1},
		{sample([]time.Duration{time.Second, 3 * time.Second}), 0.5},
		{sample([]time.Duration{0, 0}), 1},
		{sample([]time.Duration{400 * time.Hour}), 1},
	} {
		if got := distance(same, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("the distance of %v is %v, want %v", c.b.Sum, got, c.want)
		}
	}
	if !math.IsNaN(distance(same, nil)) || !math.IsNaN(distance(nil, nil)) {
		t.Error("nothing has a distance")
	}
}

// TestDistanceOfOtherBuckets holds that histograms of different buckets are compared at the bounds that both have.
func TestDistanceOfOtherBuckets(t *testing.T) {
	a := &recording.ObservedHistogram{Bounds: []float64{1, 2, 4}, Counts: []int64{1, 1, 1, 1}}
	b := &recording.ObservedHistogram{Bounds: []float64{2, 3}, Counts: []int64{4, 0, 0}}
	if got := distance(a, b); got != 0.5 {
		t.Errorf("the distance is %v, want 0.5", got)
	}
}

// TestSpans holds that spans cover a time without gaps, and that seats are spread over them as they are held.
func TestSpans(t *testing.T) {
	s := newSide(Spans(10*time.Second, 40*time.Second, 3))
	sums := s.of(Subject{OfLevel, "a", ""})
	s.occupy(sums, 5*time.Second, 25*time.Second, 4) // 10 s of the first, 5 s of the second
	s.occupy(sums, 39*time.Second, time.Minute, 2)
	if sums[0].SeatSeconds != 40 || sums[1].SeatSeconds != 20 || sums[2].SeatSeconds != 2 {
		t.Errorf("seats are spread as %v, %v, %v", sums[0].SeatSeconds, sums[1].SeatSeconds, sums[2].SeatSeconds)
	}
	for at, want := range map[time.Duration]int{0: -1, 10 * time.Second: 0, 20*time.Second - 1: 0, 20 * time.Second: 1, 40 * time.Second: -1} {
		if got := s.span(at); got != want {
			t.Errorf("%v is in span %d, want %d", at, got, want)
		}
	}
}

// TestHide holds what an audit log hides of a request.
func TestHide(t *testing.T) {
	for _, c := range []struct {
		told             Told
		waited, executed time.Duration
		wait, execution  time.Duration
	}{
		{ToldAll, 10 * time.Millisecond, 20 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond},
		{ToldSlow, 10 * time.Millisecond, 20 * time.Millisecond, recording.Unknown, 30 * time.Millisecond},
		{ToldSlow, 100 * time.Millisecond, 500 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond},
		{ToldNone, 2 * time.Second, time.Second, recording.Unknown, 3 * time.Second},
	} {
		q := seen{waited: c.waited, execution: c.executed}
		v := View{Told: c.told}
		if v.hide(&q); q.waited != c.wait || q.execution != c.execution {
			t.Errorf("%+v: %v and %v", c, q.waited, q.execution)
		}
	}
}

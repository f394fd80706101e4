package reports

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"pgregory.net/rapid"
)

// drawWaits draws a distribution: few or many waits, zeros among them, of all sizes.
func drawWaits(t *rapid.T) []time.Duration {
	n := rapid.SampledFrom([]int{1, 2, 10, fewWaits, fewWaits + 1, 500}).Draw(t, "n")
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
		d := time.Duration(rapid.Int64Range(0, int64(5*time.Minute)).Draw(t, "wait"))
		return d >> rapid.IntRange(0, 40).Draw(t, "shift")
	}), n, n).Draw(t, "waits")
}

func recorded(all []time.Duration, p precision) *waits {
	w := &waits{}
	for _, d := range all {
		w.record(d, p)
	}
	return w
}

// nearest is the quantile by its definition, on the sorted list.
func nearest(all []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	for i, d := range sorted {
		if float64(i+1)/float64(len(sorted)) >= q {
			return d
		}
	}
	return sorted[len(sorted)-1]
}

// Quantiles are exact for few waits; for many they are not below the exact one, and above
// it by no more than the digits of the histogram allow.
func TestQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawWaits(t)
		digits := rapid.IntRange(2, 3).Draw(t, "digits")
		w := recorded(all, map[int]precision{2: coarse, 3: fine}[digits])
		for _, q := range []float64{0, 0.25, 0.5, 0.9, 0.99, 1} {
			got, want := w.quantile(q), nearest(all, q)
			error := float64(got - want)
			if error < 0 || error > float64(want)*math.Pow10(-digits) || w.hist == nil && error != 0 {
				t.Fatalf("quantile %v of %d: %v, exactly %v", q, len(all), got, want)
			}
		}
		if w.max != slices.Max(all) || w.count() != int64(len(all)) {
			t.Fatalf("max %v, count %d", w.max, w.count())
		}
	})
}

// Merging gives the same in any order and grouping, and the same as recording all.
func TestMergedWaitsDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := [][]time.Duration{drawWaits(t), drawWaits(t), drawWaits(t)}
		whole := recorded(slices.Concat(parts...), coarse)
		for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
			sum := &waits{}
			for _, i := range order {
				sum.merge(recorded(parts[i], coarse), coarse)
			}
			if a, b := sum.render(), whole.render(); a.Sum != b.Sum || a.P50 != b.P50 || a.P99 != b.P99 || a.Max != b.Max || a.Count != b.Count || a.Waited != b.Waited || a.Mean != b.Mean {
				t.Fatalf("in the order %v: %+v, want %+v", order, a, b)
			}
		}
	})
}

// What merge takes from is left as it was.
func TestMergeLeavesItsArgument(t *testing.T) {
	part := recorded([]time.Duration{3, 1, 2}, fine)
	sum := &waits{}
	sum.merge(part, fine)
	sum.merge(recorded([]time.Duration{9}, fine), fine)
	sum.quantile(0.5)
	if !slices.Equal(part.few, []time.Duration{3, 1, 2}) || part.some != 3 {
		t.Errorf("the argument is now %+v", part)
	}
}

func TestTheLongestWaits(t *testing.T) {
	w := &waits{}
	for range fewWaits + 10 {
		w.record(math.MaxInt64, fine)
	}
	if w.max != math.MaxInt64 || w.count() != fewWaits+10 || w.mean() != math.MaxInt64 || w.quantile(0.5) != math.MaxInt64 {
		t.Errorf("%d waits with mean %v, median %v and max %v", w.count(), w.mean(), w.quantile(0.5), w.max)
	}
}

func TestNearestRank(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    int64
		want int64
	}{
		{0, 10, 1}, {1, 10, 10}, {0.5, 10, 5}, {0.5, 11, 6}, {0.99, 100, 99}, {0.99, 101, 100},
		{0.07, 100, 7}, {0.29, 100, 29}, {0.999, 1_000_000_000_000, 999_000_000_000}, {0.1, 1, 1},
	} {
		if got := nearestRank(c.q, c.n); got != c.want {
			t.Errorf("nearestRank(%v, %d) = %d, want %d", c.q, c.n, got, c.want)
		}
	}
}

// The labels are the bounds in seconds, and a wait belongs to the first bucket that it
// does not exceed.
func TestWaitBuckets(t *testing.T) {
	for i, bound := range waitBounds {
		seconds, err := time.ParseDuration(waitLabels[i] + "s")
		if err != nil || seconds != bound {
			t.Errorf("bucket %d: label %s, bound %v", i, waitLabels[i], bound)
		}
		if got := waitBucket(bound); got != i {
			t.Errorf("a wait of %v is in bucket %d, want %d", bound, got, i)
		}
		if got := waitBucket(bound + 1); got != i+1 {
			t.Errorf("a wait of %v is in bucket %d, want %d", bound+1, got, i+1)
		}
	}
}

func TestWidthBuckets(t *testing.T) {
	bounds := []int{1, 2, 4, 8, 10, 16, 32, 64, 100}
	for width := 1; width <= 130; width++ {
		want, _ := slices.BinarySearch(bounds, width)
		if got := widthBucket(width); got != want {
			t.Errorf("width %d is in bucket %s", width, widthLabels[got])
		}
	}
}

// TestDistribution holds that a distribution counts every wait once, and that the longest wait
// of each bucket is known as well as a quantile.
func TestDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w waits
		list := drawWaits(t)
		for _, d := range list {
			w.record(d, fine)
		}
		slices.Sort(list)
		steps, sum := w.distribution(), 0
		for i, step := range steps {
			if i > 0 && step.LE <= steps[i-1].LE || step.Count <= 0 {
				t.Fatalf("step %d of %v is empty or out of order", i, steps)
			}
			sum += int(step.Count)
			le, longest := time.Duration(step.LE), list[sum-1]
			if longest > le || le-longest > longest/1000 {
				t.Fatalf("%d waited up to %v, but their bucket ends at %v", sum, longest, le)
			}
			if i > 0 && longest-list[sum-int(step.Count)] > longest/8 {
				t.Fatalf("a bucket holds %v and %v", list[sum-int(step.Count)], longest)
			}
		}
		if sum != len(list) {
			t.Fatalf("%d of %d waits are in %v", sum, len(list), steps)
		}
	})
}

// TestBucketsOfReleases: what a result shows are the buckets of the release, and each request is in
// one of them.
func TestBucketsOfReleases(t *testing.T) {
	for _, c := range []struct {
		minor         int
		waits, widths string
	}{
		{20, "0 0.005 0.02 0.05 0.1 0.2 0.5 1 2 5 10 30 +Inf", "1 2 4 10 +Inf"},
		{27, "0 0.005 0.02 0.05 0.1 0.2 0.5 1 2 5 10 30 +Inf", "1 2 4 10 +Inf"},
		{28, "0 0.005 0.02 0.05 0.1 0.2 0.5 1 2 5 10 15 30 +Inf", "1 2 4 10 +Inf"},
		{33, "0 0.005 0.02 0.05 0.1 0.2 0.5 1 2 5 10 15 30 +Inf", "1 2 4 10 +Inf"},
		{34, "0 0.005 0.02 0.05 0.1 0.2 0.5 1 2 5 10 15 30 +Inf", "1 2 4 8 16 32 64 100 +Inf"},
	} {
		var x cell
		for width := 1; width <= 130; width++ {
			x.arrivals++
			x.widths[widthBucket(width)]++
		}
		for i := range x.bucket {
			x.bucket[i] = 1
		}
		b := bucketsOf(&sim.Config{Scheduler: scheduler.Config{Release: release.Version{Minor: c.minor}}})
		var waits, widths []string
		inWaits, inWidths := int64(0), int64(0)
		for _, bucket := range x.waitHistogram(b) {
			waits = append(waits, bucket.LE)
			inWaits += bucket.ExecuteTrue
		}
		for _, bucket := range x.renderWidths(b).Buckets {
			widths = append(widths, bucket.LE)
			inWidths += bucket.Count
		}
		if got := strings.Join(waits, " "); got != c.waits || inWaits != int64(waitBuckets) {
			t.Errorf("1.%d: waits in %s, %d of them", c.minor, got, inWaits)
		}
		if got := strings.Join(widths, " "); got != c.widths || inWidths != 130 {
			t.Errorf("1.%d: widths in %s, %d of them", c.minor, got, inWidths)
		}
	}
}

package reports

import (
	"math"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"
)

// The buckets are those of the HDR histogram of as many digits, with the same ends.
func TestHistogramAgainstHDR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.IntRange(2, 3).Draw(t, "digits")
		h := newHistogram(map[int]precision{2: coarse, 3: fine}[digits])
		oracle := hdrhistogram.New(1, int64(5*time.Minute), digits)
		for range rapid.IntRange(1, 300).Draw(t, "n") {
			d := rapid.Int64Range(1, int64(5*time.Minute)).Draw(t, "d") >> rapid.IntRange(0, 38).Draw(t, "shift")
			n := rapid.Int64Range(1, 3).Draw(t, "times")
			h.add(time.Duration(d), uint64(n))
			if err := oracle.RecordValues(d, n); err != nil {
				t.Fatal(err)
			}
		}
		var bars []hdrhistogram.Bar
		for _, bar := range oracle.Distribution() {
			if bar.Count > 0 {
				bars = append(bars, bar)
			}
		}
		h.each(func(bucket int, n uint64) {
			if len(bars) == 0 || bars[0].To != int64(h.precision.end(bucket)) || bars[0].Count != int64(n) {
				t.Fatalf("%d up to %v, want %+v", n, h.precision.end(bucket), bars)
			}
			bars = bars[1:]
		})
		if len(bars) > 0 {
			t.Fatalf("%d buckets are missing", len(bars))
		}
	})
}

// Every duration lies in the bucket that ends at it or after it, and after the one before.
func TestHistogramBuckets(t *testing.T) {
	for _, p := range []precision{fine, coarse} {
		for shift := range 63 {
			for _, d := range []time.Duration{1<<shift - 1, 1 << shift, 1<<shift + 1, math.MaxInt64 >> shift} {
				b := p.bucket(d)
				if p.end(b) < d || b > 0 && p.end(b-1) >= d {
					t.Errorf("%d is in the bucket from %d to %d", d, p.end(b-1)+1, p.end(b))
				}
			}
		}
	}
}

func TestHistogramCarries(t *testing.T) {
	h, sum := newHistogram(coarse), newHistogram(coarse)
	h.add(5, math.MaxUint32)
	h.add(5, 2)
	h.add(7, 1<<40)
	sum.merge(h)
	sum.merge(h)
	got := map[int]uint64{}
	sum.each(func(bucket int, n uint64) { got[bucket] = n })
	if len(got) != 2 || got[5] != 2*(math.MaxUint32+2) || got[7] != 1<<41 {
		t.Errorf("%v", got)
	}
}

package reports

import (
	"cmp"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
)

// Waits and widths are counted in the buckets of all releases, each of them a part of one bucket of any
// release. What a result shows are the buckets of the release that was simulated.

// buckets tells which buckets a release has (pkg/util/flowcontrol/metrics/metrics.go).
type buckets struct {
	// wait15 tells that waits of up to 15 s have a bucket, which came with 1.28.
	wait15 bool
	// powers tells that widths have one for each power of two up to 64 and one for 100, as from 1.34
	// on; before, they end with one for 10.
	powers bool
}

// bucketsOf returns the buckets of the release that a configuration begins with.
func bucketsOf(cfg *sim.Config) buckets {
	v := cmp.Or(cfg.Scheduler.Release, release.Last)
	return buckets{wait15: v.Minor >= 28, powers: v.Minor >= 34}
}

// hasWait tells whether waits have a bucket of this label, and hasWidth whether widths do.
func (b buckets) hasWait(label string) bool { return label != "15" || b.wait15 }

func (b buckets) hasWidth(label string) bool {
	switch label {
	case "1", "2", "4", "+Inf":
		return true
	case "10":
		return !b.powers
	}
	return b.powers
}

// waitHistogram renders the buckets of the real server's metric.
func (c *cell) waitHistogram(b buckets) []WaitBucket {
	out := make([]WaitBucket, 0, waitBuckets)
	n := int64(0)
	for i, label := range waitLabels {
		n += c.bucket[i]
		if b.hasWait(label) {
			out = append(out, WaitBucket{LE: label, ExecuteTrue: n})
			n = 0
		}
	}
	out[0].ExecuteFalse = c.rejected[fairqueue.QueueFull] + c.rejected[fairqueue.ConcurrencyLimit]
	return out
}

// renderWidths renders the distribution of widths, nil without arrivals.
func (c *cell) renderWidths(b buckets) *Widths {
	if c.arrivals == 0 {
		return nil
	}
	out := &Widths{Mean: newNumber(float64(c.seatsAsked) / float64(c.arrivals)), Max: c.widest, Buckets: []WidthBucket{}}
	sum := int64(0)
	for i, n := range c.widths {
		if sum += n; sum > 0 && b.hasWidth(widthLabels[i]) {
			out.Buckets = append(out.Buckets, WidthBucket{widthLabels[i], sum})
			sum = 0
		}
	}
	return out
}

package exposition

import (
	"sort"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// samples are what releases up to 1.24 know of a ratio: its value at the end of each millisecond,
// and the lowest and the highest value in it (sample_and_watermark.go in
// pkg/util/flowcontrol/metrics). They are counted when the ratio changes, and every ten seconds.
type samples struct {
	// began is the start of the process, from which milliseconds are counted, and ended how many
	// of them have been counted.
	began               time.Duration
	ended               int64
	low, high           float64
	values, lows, highs sampled
}

// sampled is a histogram of samples.
type sampled struct {
	counts [mostBuckets]uint64
	sum    float64
}

// These are upstream's: the time between samples, and after which time they are brought up to
// date at the latest.
const (
	samplePeriod = time.Millisecond
	maintenance  = 10 * time.Second
)

// observe counts a value for so many samples.
func (s *sampled) observe(value float64, times int64) {
	s.counts[sort.SearchFloat64s(tenths, value)] += uint64(times)
	s.sum += float64(value * float64(times))
}

// advance counts the milliseconds that are over, after the last of which the ratio still has
// this value.
func (s *samples) advance(now time.Duration, value float64) {
	n := int64((now-s.began)/samplePeriod) - s.ended
	if n <= 0 {
		return
	}
	s.ended += n
	s.values.observe(value, n)
	s.lows.observe(s.low, 1)
	s.highs.observe(s.high, 1)
	if n > 1 {
		s.lows.observe(value, n-1)
		s.highs.observe(value, n-1)
	}
	s.low, s.high = value, value
}

// mark notes a new value within a millisecond.
func (s *samples) mark(value float64) {
	s.low, s.high = min(s.low, value), max(s.high, value)
}

// at returns the samples that a scrape sees.
func (s *samples) at(now time.Duration, value float64) samples {
	seen := *s
	seen.advance(now-(now-s.began)%maintenance, value)
	return seen
}

// series returns a histogram.
func (s *sampled) series(labels ...string) reports.MetricSeries {
	return reports.MetricSeries{Labels: labels, Sum: reports.MetricValue(s.sum), Counts: append([]uint64(nil), s.counts[:len(tenths)+1]...)}
}

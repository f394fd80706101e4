package reports

import (
	"fmt"
	"time"
)

// The metrics of a priority level over time.
const (
	// MetricSeats is the mean number of seats in use over the time that counts, as in
	// SeatsUsed and SeatsUsedAverage. It has all selections.
	MetricSeats Metric = "seats"
	// MetricSeatsPeak is the highest number of seats in use, of all replications; with At,
	// while the limit of that time held. MetricWaitingPeak is the most requests in all queues
	// together. MetricLimit is the limit at At, in the mean over the replications.
	MetricSeatsPeak   Metric = "seatsPeak"
	MetricWaitingPeak Metric = "waitingPeak"
	MetricLimit       Metric = "limit"
)

// timed tells that a metric can be about one time.
func (m Metric) timed() bool { return m == MetricSeatsPeak || m == MetricLimit }

// measureSeats takes the mean number of seats in use: of a whole level from its gauge, which
// counts seats that linger, else from the requests.
func (v *Verdict) measureSeats(b *books, s selection) {
	whole := b.sum(s)
	v.Samples = whole.executed
	seatTime := whole.seatTime
	if s.level != all && s.schema == all && s.population == all {
		seatTime = Total{}
		for _, run := range b.replications {
			if s.level < len(run.levels) {
				seatTime.plus(run.levels[s.level].seatTime)
			}
		}
	}
	switch {
	case whole.arrivals == 0 && seatTime == (Total{}): // else those of requests that came before
		v.Why = "no request arrived"
		return
	case b.window == 0:
		v.Why = "the run ended in its warm-up"
		return
	}
	v.Value = seatTime.over(float64(b.window))
}

// measureLevel takes a figure of one level.
func (v *Verdict) measureLevel(b *books, s selection) {
	if s.level == all || s.schema != all || s.population != all {
		v.Why = fmt.Sprintf("%s is of one priority level", v.Expectation.Metric)
		return
	}
	var sum, most int64
	for _, run := range b.replications {
		if n, ok := v.Expectation.ofRun(run, s.level); ok {
			v.Samples++
			sum, most = sum+n, max(most, n)
		}
	}
	switch {
	case v.Samples == 0:
		v.Why = "the level was not there, or the run was over"
	case v.Expectation.Metric == MetricLimit:
		v.Value = float64(sum) / float64(v.Samples)
	default:
		v.Value = float64(most)
	}
}

// ofRun returns a figure of one level in one replication, and false if there is none.
func (e *Expectation) ofRun(run *Collected, level int) (int64, bool) {
	if level >= len(run.levels) {
		return 0, false
	}
	l := &run.levels[level]
	if e.At == nil {
		if e.Metric == MetricWaitingPeak {
			return l.waitPeak, true
		}
		return l.seatPeak, true
	}
	m, ok := l.during(*e.At)
	if e.Metric == MetricLimit {
		return m.limit, ok && *e.At <= run.end
	}
	return m.peak, ok && *e.At <= run.end
}

// during returns the last moment that was kept up to t, and false if there was no level.
func (s *series) during(t time.Duration) (moment, bool) {
	var found moment
	ok := false
	for _, m := range s.moments {
		if m.time > t {
			break
		}
		found, ok = m, !m.gone
	}
	return found, ok
}

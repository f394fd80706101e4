package reports

import (
	"math"

	"github.com/apfsim/apfsim/reports/stats"
	"github.com/apfsim/apfsim/workload"
)

// newInterval renders the interval of a number, nil without samples.
func newInterval(samples []float64) *Interval {
	if len(samples) == 0 {
		return nil
	}
	i := stats.Mean(samples)
	out := &Interval{Mean: newNumber(i.Mean), Replications: i.N}
	if i.Known() {
		out.HalfWidth = new(newNumber(i.HalfWidth))
	}
	return out
}

// newDurationInterval renders the interval of a time in nanoseconds, rounded as a Number
// and to whole nanoseconds; nil without samples.
func newDurationInterval(samples []float64) *DurationInterval {
	if len(samples) == 0 {
		return nil
	}
	i := stats.Mean(samples)
	out := &DurationInterval{Mean: roundedDuration(i.Mean), Replications: i.N}
	if i.Known() {
		out.HalfWidth = new(roundedDuration(i.HalfWidth))
	}
	return out
}

func roundedDuration(nanos float64) Duration {
	return Duration(math.Round(roundSignificant(nanos, numberDigits)))
}

// samples are the figures of one group of requests, replication by replication.
type samples struct {
	meanWait, p99Wait, rejected, seats []float64
	p99Latency, errors                 []float64 // of clients
}

// add takes the figures of one replication; those that it does not have are left out.
func (s *samples) add(c *cell, seatTime Total, window float64) {
	if c.waits.count() > 0 {
		s.meanWait = append(s.meanWait, float64(c.waits.mean()))
		s.p99Wait = append(s.p99Wait, float64(c.waits.quantile(0.99)))
	}
	if c.arrivals > 0 {
		s.rejected = append(s.rejected, float64(c.refused())/float64(c.arrivals))
	}
	if window > 0 {
		s.seats = append(s.seats, seatTime.over(window))
	}
}

// addClients takes the figures of the clients of one replication.
func (s *samples) addClients(p *populationStats) {
	if p.latency.count() > 0 {
		s.p99Latency = append(s.p99Latency, float64(p.latency.quantile(0.99)))
	}
	failed := p.failures().Total
	if done := failed + p.ended[workload.OK]; done > 0 {
		s.errors = append(s.errors, float64(failed)/float64(done))
	}
}

// intervals renders the figures.
func (s *samples) intervals() *Intervals {
	return &Intervals{
		MeanWait:         newDurationInterval(s.meanWait),
		P99Wait:          newDurationInterval(s.p99Wait),
		RejectedFraction: newInterval(s.rejected),
		SeatsUsed:        newInterval(s.seats),
		P99Latency:       newDurationInterval(s.p99Latency),
		ErrorRate:        newInterval(s.errors),
	}
}

package study

import (
	"math"

	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/stats"
)

// Status is how a point does by a goal.
type Status string

// The statuses. A goal is Met if the whole interval over the replications is what is wanted, Missed if
// none of it is, and Unclear in between: it takes more replications to tell. With a single
// replication there is no interval, and the value alone decides.
const (
	Met     Status = "met"
	Missed  Status = "missed"
	Unclear Status = "unclear"
	NoData  Status = "no data"
)

// JudgeGoal holds a figure against a goal.
func JudgeGoal(g *compare.Goal, a *Asked) Status {
	if a.Figure == nil {
		return NoData
	}
	samples, ok := a.Known()
	switch {
	case !ok:
		return one(g.Holds(math.Inf(1)))
	case len(samples) == 0:
		return NoData
	}
	i := stats.Mean(samples)
	if !i.Known() || i.HalfWidth == 0 {
		return one(g.Holds(i.Mean))
	}
	// None of the metrics can be negative.
	low, high := g.Holds(math.Max(0, i.Low())), g.Holds(i.High())
	switch {
	case low && high:
		return Met
	case low || high || g.Holds(i.Mean):
		return Unclear
	}
	return Missed
}

// one is the status of a value without an interval.
func one(holds bool) Status {
	if holds {
		return Met
	}
	return Missed
}

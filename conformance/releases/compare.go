package releases

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/conformance/fullrun"
	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
)

// inOurTerms returns the oracle's answer in the terms of fullrun.
func inOurTerms(r *wire.Run) *fullrun.Run {
	run := &fullrun.Run{Decisions: r.Decisions}
	for _, a := range r.Adjustments {
		run.Adjustments = append(run.Adjustments, fullrun.LevelAdjustment{
			Time: time.Duration(a.Time), Level: a.Level, Quiescing: a.Quiescing,
			Nominal: a.Nominal, Min: a.Min, Max: a.Max, MaxSeats: a.MaxSeats,
			Current: a.Current, HighWatermark: a.HighWatermark,
			Avg: float64(a.Avg), StdDev: float64(a.StdDev), Smoothed: float64(a.Smoothed),
		})
	}
	return run
}

// difference returns "" if the simulator decided as the release, or else a text that tells
// the first differences.
func (o *oracle) difference(want *wire.Run, ours *fullrun.Simulated) string {
	real := inOurTerms(want)
	ours.Adjustments = slices.DeleteFunc(ours.Adjustments, func(a fullrun.LevelAdjustment) bool {
		// Nothing is adjusted before levels borrow, and an exempt level had no limits at first.
		return !o.since(26) || !o.since(28) && a.Level == "exempt"
	})
	comparable(real.Adjustments)
	comparable(ours.Adjustments)
	text := fullrun.CompareRuns(real, &ours.Run)
	if len(real.Decisions) > 0 && (len(real.Adjustments) == 0) != (len(ours.Adjustments) == 0) {
		text += fmt.Sprintf("\n%d adjustments, want %d", len(ours.Adjustments), len(real.Adjustments))
	}
	counted := rejections(ours.Decisions)
	for _, key := range slices.Sorted(maps.Keys(counted)) {
		if counted[key] != want.Rejections[key] {
			text += fmt.Sprintf("\nrejections %s: %d, want %d", key, counted[key], want.Rejections[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(want.Rejections)) {
		if counted[key] == 0 {
			text += fmt.Sprintf("\nrejections %s: none, want %d", key, want.Rejections[key])
		}
	}
	return text
}

// notANumber stands for NaN, which is not even equal to itself.
const notANumber = -1e300

func comparable(adjustments []fullrun.LevelAdjustment) {
	for i := range adjustments {
		a := &adjustments[i]
		for _, f := range []*float64{&a.Avg, &a.StdDev, &a.Smoothed} {
			if math.IsNaN(*f) {
				*f = notANumber
			}
		}
	}
}

// uncounted is the reason of a request that up to 1.22 left its queue with the end of its
// context, which no counter tells.
const uncounted = "ejected"

// rejections counts as the server's metric does: by level, schema and reason.
func rejections(log []fullrun.Decision) map[string]int {
	counts := map[string]int{}
	for i := range log {
		if d := &log[i]; cmp.Or(d.Reason, uncounted) != uncounted {
			counts[d.PriorityLevel+"/"+d.FlowSchema+"/"+d.Reason]++
		}
	}
	return counts
}

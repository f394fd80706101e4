package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/choose"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/reports/tuning"
)

// nearlyAll is the part of the seats of a server that are in use in the mean when there are too few of
// them.
const nearlyAll = 0.95

// obstacles tells which goals could not be met, or which of them not together, and what stands in the way.
func (t *tuner) obstacles(p *tuning.Proposal, found *choose.Result) {
	visits := found.Visited
	if len(visits) == 0 {
		visits = t.screened()
	}
	if len(visits) == 0 {
		return
	}
	points := make([]tuning.Point, len(visits))
	nearest := 0
	for i, v := range visits {
		points[i] = t.point(v)
		if total(points[i].Goals) < total(points[nearest].Goals) {
			nearest = i
		}
	}
	for g := range points[0].Goals {
		best, met := nearestTo(points, g)
		if !met {
			p.Obstacles = append(p.Obstacles, t.obstacle(visits[best], &points[best], g))
		}
	}
	if len(p.Obstacles) > 0 {
		return
	}
	for g := range points[nearest].Goals {
		if points[nearest].Goals[g].Verdict != tuning.Met {
			best, _ := nearestTo(points, g)
			o := t.obstacle(visits[best], &points[best], g)
			o.Alone = true
			p.Obstacles = append(p.Obstacles, o)
		}
	}
}

// screened are the points that could be, of which all missed a goal without a run.
func (t *tuner) screened() []*choose.Visit {
	var out []*choose.Visit
	// Any order: sorted below.
	for _, c := range t.checked {
		if c.known.Invalid == "" {
			out = append(out, &choose.Visit{Point: c.point, Known: c.known})
		}
	}
	slices.SortFunc(out, func(a, b *choose.Visit) int { return slices.Compare(a.Point, b.Point) })
	return out
}

// total is by how much the goals are missed in sum.
func total(goals []tuning.Judged) float64 {
	sum := 0.0
	for i := range goals {
		if goals[i].Verdict != tuning.Met {
			sum += math.Abs(goals[i].Spare)
		}
	}
	return sum
}

// nearestTo finds the point at which a goal is met, or else nearly so.
func nearestTo(points []tuning.Point, goal int) (best int, met bool) {
	best = -1
	for i := range points {
		if goal >= len(points[i].Goals) {
			continue
		}
		j := &points[i].Goals[goal]
		met = met || j.Verdict == tuning.Met
		if best < 0 || j.Spare > points[best].Goals[goal].Spare {
			best = i
		}
	}
	return max(best, 0), met
}

// obstacle tells of a goal that is not met at the point that comes nearest.
func (t *tuner) obstacle(v *choose.Visit, point *tuning.Point, goal int) tuning.Obstacle {
	j := point.Goals[goal]
	o := tuning.Obstacle{Goal: j.Goal, Scenario: j.Scenario, Best: j, At: point.Settings}
	for i, at := range v.Point {
		values := t.factors[i].Values
		if len(values) > 1 && ascending(&t.factors[i]) && (at == 0 || at == len(values)-1) {
			o.Ends = append(o.Ends, fmt.Sprintf("%s is at an end of its values", t.factors[i].Path))
		}
	}
	for k, s := range t.sources {
		if j.Scenario == s.id.Name && v.Replications > 0 {
			o.Binds = binds(t.runs(t.settings(v.Point), v.Replications)[k])
		}
	}
	return o
}

// maxWaiting is how many levels are named that wait.
const maxWaiting = 3

// binds tells what is used up in a run: the seats of the servers, or those that levels may have.
func binds(runs []*study.Record) []string {
	r := runs[0]
	levels := waiting(r)
	if len(levels) == 0 {
		return []string{"nobody waits or is rejected there, so it is not seats or queues that stand in the way"}
	}
	var words []string
	for _, level := range levels[:min(maxWaiting, len(levels))] {
		words = append(words, fmt.Sprintf("%s (up to %.0f seats)", level, valueOf(r, reports.MetricSeatsPeak, level, 0)))
	}
	seats, used := float64(r.Seats), valueOf(r, reports.MetricSeats, "", 0)
	list := strings.Join(words, ", ")
	if used >= nearlyAll*seats {
		return []string{fmt.Sprintf("the servers are full: %.0f of %.0f seats are in use in the mean, and requests wait in %s", used, seats, list)}
	}
	return []string{fmt.Sprintf("the limits of levels bind: requests wait in %s, while %.0f of the %.0f seats of all servers are in use in the mean", list, used, seats)}
}

// waiting are the levels in which requests wait or are rejected, the longest wait first.
func waiting(r *study.Record) []string {
	var out []string
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Metric == reports.MetricWait && f.PriorityLevel != "" && f.Quantile == 0 &&
			(f.Value > 0 || valueOf(r, reports.MetricRejected, f.PriorityLevel, 0) > 0) {
			out = append(out, f.PriorityLevel)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Compare(valueOf(r, reports.MetricWait, b, 0), valueOf(r, reports.MetricWait, a, 0))
	})
	return out
}

// valueOf is a figure of a record: of a level, or of the whole run. 0 if there is none.
func valueOf(r *study.Record, metric reports.Metric, level string, quantile float64) float64 {
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Metric == metric && f.PriorityLevel == level && f.FlowSchema == "" && f.Client == "" && f.Server == nil && f.Quantile == quantile {
			return float64(f.Value)
		}
	}
	return 0
}

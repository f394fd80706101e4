package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/choose"
	"github.com/apfsim/apfsim/reports/stats"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
)

// maxAttempts is how many points are held against fresh replications, one after the other, until one
// meets the goals.
const maxAttempts = 3

// pointKey is the same for equal points alone.
func pointKey(p choose.Point) string { return fmt.Sprint(p) }

// propose searches, verifies, and tells what came of it.
func (t *tuner) propose() (*tuning.Proposal, error) {
	found, err := choose.Search(t.problem())
	if err != nil {
		return nil, err
	}
	p := &tuning.Proposal{
		APIVersion: study.APIVersion, Kind: tuning.Kind, Search: *t.search(), Outcome: tuning.Found,
		Program: study.Program{Version: t.process.Build.Version, Revision: t.process.Build.Revision},
		Method:  tuning.Method{Name: found.Method, Why: found.Why, Notes: found.Notes},
		Points:  countsOf(found),
	}
	p.Search.Budget = int64(t.flags.budget)
	for _, s := range t.sources {
		p.Scenarios = append(p.Scenarios, s.id)
	}
	if err := t.asItIs(p); err != nil {
		return nil, err
	}
	best, err := t.verify(p, found)
	if err != nil {
		return nil, err
	}
	p.Runs.Budget, p.Runs.Search, p.Runs.Replications = t.flags.budget, found.Runs, t.full
	if n, ok := vary.Size(t.factors); ok && t.problem().NeedsRuns {
		p.Runs.Grid = n * t.full * len(t.sources)
	}
	for _, v := range choose.Front(choose.Sound(found.Visited)) {
		p.Front = append(p.Front, t.point(v))
	}
	if best == nil {
		t.obstacles(p, found)
	} else {
		t.recommend(p, found, best)
	}
	p.Runs.Requests = t.requests
	return p, nil
}

// countsOf tells how many points there are.
func countsOf(r *choose.Result) tuning.Counts {
	out := tuning.Counts{All: r.Points, Screened: r.Screened, Candidates: r.Candidates}
	for _, x := range r.Refused {
		out.Invalid = append(out.Invalid, tuning.Reason{Why: x.Why, Points: x.Points})
	}
	for _, x := range r.Missed {
		out.Missed = append(out.Missed, tuning.Reason{Why: x.Why, Points: x.Points})
	}
	for _, v := range r.Visited {
		if v.Replications > 0 {
			out.Run++
		}
	}
	return out
}

// asItIs runs the scenarios as they are.
func (t *tuner) asItIs(p *tuning.Proposal) error {
	var tasks []task
	var facts []tuning.Facts
	for i, s := range t.sources {
		tasks = append(tasks, t.tasks(i, nil, t.full)...)
		facts = append(facts, factsOf(s.base))
	}
	if err := t.stage(tasks); err != nil {
		return err
	}
	p.Runs.Fresh += t.full * len(t.sources)
	runs := t.runs(nil, t.full)
	p.Today = tuning.Point{Settings: []study.Setting{}, Replications: t.full, Goals: t.judge(runs, t.judgeAnalytic(facts))}
	p.Today.Verdict = tuning.Verdict(p.Today.Goals)
	p.Today.Prices = t.prices(t.knownPrices(facts), runs)
	return nil
}

// prices are the objectives of a point.
func (t *tuner) prices(known []float64, runs [][]*study.Record) []tuning.Price {
	var out []tuning.Price
	for i := range t.objectives {
		o := &t.objectives[i]
		price := tuning.Price{Objective: o.text}
		if o.analytic != nil {
			price.Value = reports.Value(known[i])
			out = append(out, price)
			continue
		}
		price.Metric = o.of[0].Of.Metric
		if samples := t.samples(i, runs); len(samples) > 0 {
			mean := stats.Mean(samples)
			price.Value = price.Metric.RoundedValue(mean.Mean)
			if mean.Known() {
				price.HalfWidth = new(price.Metric.RoundedValue(mean.HalfWidth))
			}
		}
		out = append(out, price)
	}
	return out
}

// point is a point as the proposal tells of it.
func (t *tuner) point(v *choose.Visit) tuning.Point {
	out := tuning.Point{Settings: t.settingsOf(v.Point), Replications: v.Replications}
	c := t.checked[pointKey(v.Point)]
	out.Goals = c.judged
	if v.Replications > 0 {
		runs := t.runs(t.settings(v.Point), v.Replications)
		out.Goals = t.judge(runs, c.judged)
		out.Prices = t.prices(c.known.Prices, runs)
	} else if t.problem().Priced && c.known.Invalid == "" {
		out.Prices = t.prices(c.known.Prices, nil)
	}
	out.Verdict = tuning.Verdict(out.Goals)
	switch {
	case c.known.Invalid != "":
		out.Verdict, out.Why = "invalid", c.known.Invalid
	case v.Replications == 0 && t.problem().NeedsRuns && c.known.Missed == "":
		out.Verdict, out.Why = "not run", "the budget was spent"
	}
	return out
}

// settingsOf are those of a point, as records have them.
func (t *tuner) settingsOf(p choose.Point) []study.Setting {
	out := []study.Setting{}
	for i, v := range p {
		out = append(out, study.Setting{Path: t.factors[i].Path, Value: t.factors[i].Values[v]})
	}
	return out
}

// verify holds the best points against the goals on fresh replications until one meets them.
func (t *tuner) verify(p *tuning.Proposal, found *choose.Result) (*choose.Visit, error) {
	switch {
	case len(found.Met) == 0 && found.Exhausted:
		p.Outcome = tuning.Exhausted
		return nil, nil
	case len(found.Met) == 0:
		p.Outcome = tuning.Impossible
		return nil, nil
	}
	for i, v := range found.Met[:min(maxAttempts, len(found.Met))] {
		first := t.full * (i + 1)
		before, after, err := t.fresh(t.settings(v.Point), first)
		if err != nil {
			return nil, err
		}
		p.Runs.Fresh += 2 * t.full * len(t.sources)
		goals := t.judge(after, t.checked[pointKey(v.Point)].judged)
		p.Verification = &tuning.Verification{Verdict: tuning.Verdict(goals), First: first, Replications: t.full, Refuted: i,
			Goals: goals, Worst: tuning.Worst(goals)}
		if p.Verification.Verdict == tuning.Met {
			p.Cost = t.effects(before, after)
			return v, nil
		}
	}
	p.Verification.Refuted = min(maxAttempts, len(found.Met)) - 1
	p.Outcome = tuning.Unverified
	return nil, nil
}

// fresh runs the scenarios as they are and with settings, on replications from a number on.
func (t *tuner) fresh(settings []scenarios.Setting, first int) (before, after [][]*study.Record, err error) {
	var tasks []task
	for i := range t.sources {
		tasks = append(tasks, t.task(i, nil, first, t.full), t.task(i, settings, first, t.full))
	}
	if err := t.stage(tasks); err != nil {
		return nil, nil, err
	}
	for i := range t.sources {
		before = append(before, []*study.Record{t.record(&tasks[2*i])})
		after = append(after, []*study.Record{t.record(&tasks[2*i+1])})
	}
	return before, after, nil
}

// recommend fills in the recommended point and what is around it.
func (t *tuner) recommend(p *tuning.Proposal, found *choose.Result, best *choose.Visit) {
	p.Recommended = new(t.point(best))
	visited := map[string]*choose.Visit{}
	for _, v := range found.Visited {
		visited[pointKey(v.Point)] = v
	}
	for i, v := range best.Point {
		value := t.factors[i].Values[v]
		p.Changes = append(p.Changes, tuning.Change{Path: t.factors[i].Path, Today: t.knobs[i].today, Value: value})
		for _, to := range []int{v - 1, v + 1} {
			if to < 0 || to >= len(t.factors[i].Values) {
				continue
			}
			point := append(choose.Point{}, best.Point...)
			point[i] = to
			visit := visited[pointKey(point)]
			if visit == nil {
				if _, err := t.check([]choose.Point{point}); err != nil {
					continue
				}
				visit = &choose.Visit{Point: point, Known: t.checked[pointKey(point)].known}
			}
			p.Sensitivity = append(p.Sensitivity, tuning.Step{Path: t.factors[i].Path, From: value,
				To: t.factors[i].Values[to], Point: t.point(visit)})
		}
	}
	p.Reason = t.reason(found, best)
	c := t.checked[pointKey(best.Point)]
	p.Price = &tuning.Spent{Seats: c.seats, Objects: c.objects}
	for _, s := range t.sources {
		p.Price.SeatsToday = max(p.Price.SeatsToday, factsOf(s.base).Seats)
	}
}

// reason says why a point is proposed.
func (t *tuner) reason(found *choose.Result, best *choose.Visit) string {
	var prices []string
	for i := range t.objectives {
		price := t.point(best).Prices[i]
		prices = append(prices, fmt.Sprintf("%s of %s", t.objectives[i].text, priceText(&price)))
	}
	what := "of the points that were looked at it is"
	if found.Method == "analytic" || found.Method == "order of the price" || found.Method == "race" {
		what = "of all points it is"
	}
	text := fmt.Sprintf("%s the one that meets all goals with the least %s", what, strings.Join(prices, ", then "))
	if t.problem().NeedsRuns {
		text += ", and it meets them on fresh replications too"
	}
	if found.Exhausted {
		text += "; the budget ended before all was looked at that should be"
	}
	return text + "."
}

// priceText is a price as text.
func priceText(p *tuning.Price) string {
	if p.Metric == "" {
		return fmt.Sprintf("%g", float64(reports.NewNumber(float64(p.Value))))
	}
	return p.Metric.Text(p.Value)
}

// effects are what becomes of the waits and rejections of the levels.
func (t *tuner) effects(before, after [][]*study.Record) []tuning.Effect {
	var out []tuning.Effect
	for k := range t.sources {
		old, now := before[k][0].Figures, after[k][0].Figures
		for i := range old {
			f := &old[i]
			wanted := f.Metric == reports.MetricRejected || f.Metric == reports.MetricWait && (f.Quantile == 0 || f.Quantile == 0.99)
			if f.PriorityLevel == "" || !wanted {
				continue
			}
			if e, ok := effect(f, now); ok {
				e.Scenario = t.sources[k].id.Name
				out = append(out, e)
			}
		}
	}
	return out
}

// effect compares a figure with what became of it; false if nothing did.
func effect(f *reports.Figure, now reports.Figures) (tuning.Effect, bool) {
	for i := range now {
		g := &now[i]
		if g.Metric != f.Metric || g.PriorityLevel != f.PriorityLevel || g.Quantile != f.Quantile {
			continue
		}
		a, b, ok := study.Pairs(f.Replications, g.Replications)
		if !ok || len(a) == 0 {
			return tuning.Effect{}, false
		}
		d := stats.Paired(a, b)
		out := tuning.Effect{PriorityLevel: f.PriorityLevel, Metric: f.Metric, Quantile: f.Quantile,
			Before: f.Metric.RoundedValue(stats.Mean(a).Mean), After: f.Metric.RoundedValue(stats.Mean(b).Mean), Difference: f.Metric.RoundedValue(d.Mean)}
		if d.Known() {
			out.DifferenceHalfWidth = new(f.Metric.RoundedValue(d.HalfWidth))
		}
		return out, d.Mean != 0 && !math.IsNaN(d.Mean)
	}
	return tuning.Effect{}, false
}

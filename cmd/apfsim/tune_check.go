package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports/choose"
	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
	"github.com/apfsim/apfsim/scheduler/release"
)

// checkedPoint is what is known of a point without a run.
type checkedPoint struct {
	point choose.Point
	known choose.Known
	// faults are those of an invalid point.
	faults scenarios.Diagnostics
	// judged are the goals that need no run, in their order.
	judged []tuning.Judged
	// seats are those of the scenario with the most, objects how many change.
	seats   int64
	objects int
}

// settings are those of a point.
func (t *tuner) settings(point choose.Point) []scenarios.Setting {
	d := vary.Design{Factors: t.factors}
	return d.Settings(knobFlag, vary.Point(point))
}

// check tells what is known of points without a run.
func (t *tuner) check(points []choose.Point) ([]choose.Known, error) {
	var missing []choose.Point
	for _, p := range points {
		if t.checked[pointKey(p)] == nil {
			missing = append(missing, p)
		}
	}
	found := make([]*checkedPoint, len(missing))
	err := replicate(len(missing), t.evaluator.workers, &t.evaluator.interrupted, func(i int) error {
		found[i] = t.checkPoint(missing[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.evaluator.interrupted.Load() {
		return nil, errStopped
	}
	for i, p := range missing {
		t.checked[pointKey(p)] = found[i]
	}
	out := make([]choose.Known, len(points))
	for i, p := range points {
		out[i] = t.checked[pointKey(p)].known
	}
	return out, nil
}

// checkPoint looks at one point.
func (t *tuner) checkPoint(p choose.Point) *checkedPoint {
	c := &checkedPoint{point: p}
	var facts []tuning.Facts
	for _, s := range t.sources {
		loaded, faults := s.with(t.settings(p))
		if faults.HasErrors() {
			c.faults, c.known.Invalid = faults, firstError(faults)
			c.known.Prices = make([]float64, len(t.objectives))
			return c
		}
		f := factsOf(loaded)
		f.Distance, f.Objects = t.distance(p), changedObjects(&s.base.Config.Scheduler, &loaded.Config.Scheduler)
		facts = append(facts, f)
		c.seats, c.objects = max(c.seats, f.Seats), max(c.objects, f.Objects)
	}
	c.judged = t.judgeAnalytic(facts)
	for i := range c.judged {
		if c.judged[i].Verdict != tuning.Met && c.known.Missed == "" {
			c.known.Missed = "the goal " + c.judged[i].Goal + " is missed"
		}
	}
	c.known.Prices = t.knownPrices(facts)
	return c
}

// factsOf are what is known of a scenario without a run.
func factsOf(s *scenarios.Scenario) tuning.Facts {
	cfg := &s.Config
	f := tuning.Facts{Seats: int64(max(cfg.Servers, 1)) * int64(cfg.Scheduler.Seats), Levels: cfg.Scheduler.PriorityLevels, LongestWait: math.Inf(1)}
	if !release.For(s.Release).Waiting.LimitedAtArrival {
		f.LongestWait = min(cfg.Scheduler.RequestTimeout.Seconds()/4, 60)
	}
	return f
}

// judgeAnalytic holds the goals that need no run against the facts of all scenarios: the worst one counts.
func (t *tuner) judgeAnalytic(facts []tuning.Facts) []tuning.Judged {
	var out []tuning.Judged
	for i := range t.goals {
		g := t.goals[i].analytic
		if g == nil {
			continue
		}
		of := facts
		if own := t.goals[i].own; t.goals[i].alone {
			of = facts[own : own+1]
		}
		var worst tuning.Judged
		for k := range of {
			if j := tuning.JudgeAnalytic(g, g.Of(&of[k])); k == 0 || j.Spare < worst.Spare {
				worst = j
			}
		}
		if t.goals[i].alone {
			worst.Scenario = t.sources[t.goals[i].own].id.Name
		}
		out = append(out, worst)
	}
	return out
}

// knownPrices are the objectives that need no run, the largest one of all scenarios; NaN for the others.
func (t *tuner) knownPrices(facts []tuning.Facts) []float64 {
	var out []float64
	for i := range t.objectives {
		price := math.NaN()
		if a := t.objectives[i].analytic; a != nil {
			price = 0
			for k := range facts {
				price = max(price, a.Rounded(a.Of(&facts[k])))
			}
		}
		out = append(out, price)
	}
	return out
}

// checkValues refuses values that no point can have, if there are not too many points to look at all.
func (t *tuner) checkValues() error {
	n, ok := vary.Size(t.factors)
	if !ok || n > choose.MaxScreened {
		return nil
	}
	grid := vary.Grid(t.factors)
	points := make([]choose.Point, n)
	for i, p := range grid.Points {
		points[i] = choose.Point(p)
	}
	if _, err := t.check(points); err != nil {
		return t.stopped(err)
	}
	var faults scenarios.Diagnostics
	for k := range t.factors {
		for v := range t.factors[k].Values {
			of := slices.DeleteFunc(slices.Clone(points), func(p choose.Point) bool { return p[k] != v })
			if d, bad := t.neverValid(of, k, v); bad {
				faults = append(faults, d)
			}
		}
	}
	if len(faults) > 0 {
		return badInput{faults}
	}
	return nil
}

// neverValid tells whether all of some points, which have one value in common, are refused because of
// it.
func (t *tuner) neverValid(points []choose.Point, knob, value int) (scenarios.Diagnostic, bool) {
	var first scenarios.Diagnostic
	for _, p := range points {
		faults := t.checked[pointKey(p)].faults
		at := slices.IndexFunc(faults, func(d scenarios.Diagnostic) bool {
			return d.Severity == scenarios.Error && d.File == knobFlag && d.Line == knob+1
		})
		if at < 0 {
			return first, false
		}
		if first.File == "" {
			first = faults[at]
		}
	}
	first.Message = fmt.Sprintf("no point can have the value %s: %s", t.factors[knob].Values[value], first.Message)
	return t.knobFault(knob, first), true
}

package main

import (
	"errors"
	"fmt"

	"github.com/apfsim/apfsim/internal/marked"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
	"github.com/apfsim/apfsim/scheduler"
)

// tuneBlock is what the field tune of a scenario means.
type tuneBlock struct {
	goals []blockGoal
	knobs []blockKnob
}

// blockGoal is a goal: known without a run, or about a figure of the runs.
type blockGoal struct {
	written  *scenarios.Written
	analytic *tuning.AnalyticGoal
	of       *compare.Goal
}

// text is the goal as it is shown.
func (g *blockGoal) text() string {
	if g.analytic != nil {
		return g.analytic.String()
	}
	return g.of.Text
}

// blockKnob is what may be changed.
type blockKnob struct {
	written *scenarios.Written
	factor  vary.Factor
}

// blockNames are what figures can be about.
type blockNames struct {
	levels []scheduler.PriorityLevel
	all    compare.Names
}

// readBlock reads the field tune of a scenario. It returns all that is wrong with it; where its paths lead,
// and whether there can be such values, only settings tell.
func readBlock(s *scenarios.Scenario) (*tuneBlock, scenarios.Diagnostics) {
	if s.Tune.Goals == nil && s.Tune.Knobs == nil && s.Tune.Minimize == nil {
		return &tuneBlock{}, nil
	}
	return readTuning(&s.Tune, &blockNames{s.Config.Scheduler.PriorityLevels, (&comparedSide{scenario: s}).names()})
}

// readTuning reads it with the names that there are; without any, names are not looked at.
func readTuning(from *scenarios.Tuning, names *blockNames) (*tuneBlock, scenarios.Diagnostics) {
	b := &tuneBlock{}
	var faults scenarios.Diagnostics
	wrong := func(w *scenarios.Written, err error) bool {
		if err != nil {
			faults = append(faults, writtenFault(w, err))
		}
		return err != nil
	}
	for i := range from.Goals {
		g, err := readBlockGoal(names, &from.Goals[i])
		if !wrong(g.written, err) {
			b.goals = append(b.goals, g)
		}
	}
	for i := range from.Knobs {
		k, err := b.readKnob(&from.Knobs[i])
		if !wrong(k.written, err) {
			b.knobs = append(b.knobs, k)
		}
	}
	for i := range from.Minimize {
		wrong(&from.Minimize[i], readPrice(names, from.Minimize[i].Text))
	}
	if len(faults) == 0 && names != nil {
		faults = b.contradictions()
	}
	return b, faults
}

// readBlockGoal reads a goal. The error is a *marked.Fault.
func readBlockGoal(names *blockNames, w *scenarios.Written) (blockGoal, error) {
	g := blockGoal{written: w}
	var err error
	if tuning.IsAnalytic(w.Text) {
		if g.analytic, err = tuning.ParseAnalyticGoal(w.Text); err == nil && names != nil {
			err = g.analytic.Resolve(names.levels)
		}
		return g, err
	}
	if g.of, err = compare.ParseGoal(w.Text); err == nil && names != nil {
		err = g.of.Resolve(names.all)
	}
	return g, withAnalytics(err)
}

// readKnob reads a knob. The error is a *marked.Fault.
func (b *tuneBlock) readKnob(w *scenarios.Written) (blockKnob, error) {
	k := blockKnob{written: w}
	var err error
	if k.factor, err = vary.Parse(w.Text); err != nil {
		return k, err
	}
	for i := range b.knobs {
		if b.knobs[i].factor.Path == k.factor.Path {
			return k, &marked.Fault{Text: w.Text, Message: fmt.Sprintf("the path %s is there twice", k.factor.Path), Hint: "give all values at once, as in PATH=1,2,3"}
		}
	}
	return k, nil
}

// readPrice tells what is wrong with a price. The error is a *marked.Fault.
func readPrice(names *blockNames, text string) error {
	if tuning.IsAnalytic(text) {
		a, err := tuning.ParseAnalytic(text)
		if err == nil && names != nil {
			err = a.Resolve(names.levels)
		}
		return err
	}
	m, err := compare.ParseMeasure(text)
	if err == nil && names != nil {
		err = m.Resolve(names.all)
	}
	return withAnalytics(err)
}

// contradictions finds goals that cannot hold together, or one that cannot hold at all.
func (b *tuneBlock) contradictions() scenarios.Diagnostics {
	var bounds []tuning.Bound
	for i := range b.goals {
		g := &b.goals[i]
		if g.analytic != nil {
			bounds = append(bounds, analyticBound(g.analytic, g.analytic.Text))
		} else {
			bounds = append(bounds, goalBound(g.of, expectationText(figureAlone(g.of.Of))))
		}
	}
	i, k, ok := tuning.Contradiction(bounds)
	if ok {
		return nil
	}
	w := b.goals[k].written
	if i == k {
		return scenarios.Diagnostics{w.Fault(0, scenarios.CodeOutOfRange, "the figure can never be that", "", "no settings can make it so")}
	}
	message := fmt.Sprintf("this and %q cannot both be so", b.goals[i].written.Text)
	return scenarios.Diagnostics{w.Fault(0, scenarios.CodeExcludes, message, "", fmt.Sprintf("leave one of them out; the other one is on line %d", b.goals[i].written.Place.Line))}
}

// analyticBound is a goal that needs no run, as contradictions are looked for.
func analyticBound(g *tuning.AnalyticGoal, subject string) tuning.Bound {
	return tuning.Bound{Subject: subject, Text: g.String(), Op: g.Op, Value: g.Value, Most: tuning.MostOf(g.Name)}
}

// goalBound is likewise a goal about a figure of runs.
func goalBound(g *compare.Goal, subject string) tuning.Bound {
	return tuning.Bound{Subject: subject, Text: g.Text, Op: g.Op, Value: g.Value, Most: tuning.Most(g.Of.Metric)}
}

// figureAlone is what an expectation is about, without what is expected of it.
func figureAlone(e reports.Expectation) *reports.Expectation {
	e.Equals, e.Below, e.Above = nil, nil, nil
	e.AllowNoData, e.Confident = false, false
	return &e
}

// writtenFault puts what is wrong with a text to where a scenario has it.
func writtenFault(w *scenarios.Written, err error) scenarios.Diagnostic {
	var bad *marked.Fault
	if !errors.As(err, &bad) {
		return w.Fault(0, scenarios.CodeNotLegal, err.Error(), "", "")
	}
	return w.Fault(bad.At, scenarios.CodeNotLegal, bad.Message, bad.Legal, bad.Hint)
}

// goalsIn are the goals of a scenario: those of its field tune, or else what it expects.
func goalsIn(s *scenarios.Scenario) []blockGoal {
	if len(s.Tune.Goals) > 0 {
		b, _ := readBlock(s) // its faults were told when it was loaded
		return b.goals
	}
	var out []blockGoal
	for i := range s.Expect {
		e := expectation(&s.Expect[i])
		for _, g := range compare.GoalOf(&e) {
			out = append(out, blockGoal{of: g})
		}
	}
	return out
}

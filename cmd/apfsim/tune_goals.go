package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apfsim/apfsim/internal/marked"
	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/tuning"
)

// tuneGoal is a goal: known without a run, or, of each scenario that has it, about a figure of its runs.
type tuneGoal struct {
	text     string
	analytic *tuning.AnalyticGoal
	of       []*compare.Goal
	// asked are the numbers of the figures among those that are asked of each scenario.
	asked []int
}

// tuneObjective is a price likewise.
type tuneObjective struct {
	text     string
	analytic *tuning.Analytic
	of       []*compare.Measure
	asked    []int
}

// ask makes sure that a figure is asked of a scenario, and returns its number.
func (t *tuner) ask(scenario int, e reports.Expectation) int {
	e.Equals, e.Below, e.Above = nil, nil, nil
	e.AllowNoData, e.Confident = false, false
	text := expectationText(&e)
	for i := range t.asked[scenario] {
		if expectationText(&t.asked[scenario][i]) == text {
			return i
		}
	}
	t.asked[scenario] = append(t.asked[scenario], e)
	return len(t.asked[scenario]) - 1
}

// expectationText is the same for the same figure.
func expectationText(e *reports.Expectation) string {
	text, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("an expectation that cannot be written: %v", err))
	}
	return string(text)
}

// readGoals reads the goals of the flags, or takes what the scenarios expect.
func (t *tuner) readGoals() error {
	for _, text := range t.flags.goals {
		if err := t.readGoal(text); err != nil {
			return markedFault(goalFlag, err)
		}
	}
	if len(t.flags.goals) == 0 {
		t.expectedGoals()
	}
	if len(t.goals) == 0 {
		return usagef("for example --goal 'wait{leader-election,p99} < 100ms'", "there is no goal, and the scenarios expect nothing")
	}
	return t.contradictions()
}

// readGoal reads one goal. The error is a *marked.Fault.
func (t *tuner) readGoal(text string) error {
	if tuning.IsAnalytic(text) {
		g, err := tuning.ParseAnalyticGoal(text)
		if err != nil {
			return err
		}
		for _, s := range t.sources {
			if err := g.Resolve(s.base.Config.Scheduler.PriorityLevels); err != nil {
				return err
			}
		}
		t.goals = append(t.goals, tuneGoal{text: g.String(), analytic: g})
		return nil
	}
	goal := tuneGoal{text: text}
	for i, s := range t.sources {
		g, err := compare.ParseGoal(text)
		if err == nil {
			err = g.Resolve((&comparedSide{scenario: s.base}).names())
		}
		if err != nil {
			return withAnalytics(err)
		}
		goal.of, goal.asked = append(goal.of, g), append(goal.asked, t.ask(i, g.Of))
	}
	t.goals = append(t.goals, goal)
	return nil
}

// withAnalytics adds the figures that are known without a run to a fault about a name that nothing has.
func withAnalytics(err error) error {
	fault, ok := err.(*marked.Fault)
	if !ok || fault.Legal == "" || fault.Hint != "" {
		return err
	}
	word := firstOf(fault.Text)
	if fault.At == 0 {
		if best, near := suggest.Nearest(word, tuning.Analytics()); near {
			fault.Hint = "did you mean " + best + "?"
		}
	}
	return fault
}

// firstOf is what a text begins with, up to a brace, a blank or a comparison.
func firstOf(text string) string {
	for i, c := range text {
		if c == '{' || c == ' ' || c == '<' || c == '>' || c == '=' {
			return text[:i]
		}
	}
	return text
}

// expectedGoals are what the scenarios expect, each of its own.
func (t *tuner) expectedGoals() {
	for i, s := range t.sources {
		for k := range s.base.Expect {
			e := expectation(&s.base.Expect[k])
			for _, g := range compare.GoalOf(&e) {
				goal := tuneGoal{text: g.Text, of: make([]*compare.Goal, len(t.sources)), asked: make([]int, len(t.sources))}
				goal.of[i], goal.asked[i] = g, t.ask(i, g.Of)
				t.goals = append(t.goals, goal)
			}
		}
	}
}

// contradictions refuses goals that cannot hold together, whatever the settings.
func (t *tuner) contradictions() error {
	var bounds []tuning.Bound
	for i := range t.goals {
		g := &t.goals[i]
		if a := g.analytic; a != nil {
			most := tuning.MostOf(a.Name)
			bounds = append(bounds, tuning.Bound{Subject: a.Text, Text: g.text, Op: a.Op, Value: a.Value, Most: most})
			continue
		}
		for k, of := range g.of {
			if of != nil {
				bounds = append(bounds, tuning.Bound{Subject: fmt.Sprint(k, " ", expectationText(&t.asked[k][g.asked[k]])),
					Text: g.text, Op: of.Op, Value: of.Value, Most: tuning.Most(of.Of.Metric)})
			}
		}
	}
	a, b, ok := tuning.Contradiction(bounds)
	switch {
	case ok:
		return nil
	case a == b:
		return usagef("no settings can make it so", "%s %q: the figure can never be that", goalFlag, bounds[a].Text)
	}
	return usagef("leave one of them out", "%s %q and %q cannot both be so", goalFlag, bounds[a].Text, bounds[b].Text)
}

// readObjectives reads the prices.
func (t *tuner) readObjectives() error {
	texts := t.flags.minimize
	if len(texts) == 0 {
		texts = []string{tuning.Distance}
	}
	for i, text := range texts {
		if slices.Contains(texts[:i], text) {
			return usagef("", "%s %s is there twice", minimizeFlag, text)
		}
		if err := t.readObjective(text); err != nil {
			return markedFault(minimizeFlag, withAnalytics(err))
		}
	}
	return nil
}

// readObjective reads one of them. The error is a *marked.Fault.
func (t *tuner) readObjective(text string) error {
	if tuning.IsAnalytic(text) {
		a, err := tuning.ParseAnalytic(text)
		if err != nil {
			return err
		}
		for _, s := range t.sources {
			if err := a.Resolve(s.base.Config.Scheduler.PriorityLevels); err != nil {
				return err
			}
		}
		t.objectives = append(t.objectives, tuneObjective{text: a.Text, analytic: a})
		return nil
	}
	o := tuneObjective{text: text}
	for i, s := range t.sources {
		m, err := compare.ParseMeasure(text)
		if err == nil {
			err = m.Resolve((&comparedSide{scenario: s.base}).names())
		}
		if err != nil {
			return err
		}
		o.of, o.asked = append(o.of, m), append(o.asked, t.ask(i, m.Of))
	}
	t.objectives = append(t.objectives, o)
	return nil
}

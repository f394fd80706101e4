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
	"github.com/apfsim/apfsim/scenarios"
)

// tuneGoal is a goal: known without a run, or, of each scenario that has it, about a figure of its runs.
type tuneGoal struct {
	text     string
	analytic *tuning.AnalyticGoal
	// alone tells that an analytic goal is of the scenario with the number own, and of no other.
	alone bool
	own   int
	of    []*compare.Goal
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
	figure := figureAlone(e)
	text := expectationText(figure)
	for i := range t.asked[scenario] {
		if expectationText(&t.asked[scenario][i]) == text {
			return i
		}
	}
	t.asked[scenario] = append(t.asked[scenario], *figure)
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

// readGoals reads the goals of the flags, or takes those of the scenarios.
func (t *tuner) readGoals() error {
	for _, text := range t.flags.goals {
		if err := t.readGoal(text); err != nil {
			return markedFault(goalFlag, err)
		}
	}
	if len(t.flags.goals) == 0 {
		t.ownGoals()
	}
	if len(t.goals) == 0 {
		return usagef("for example --goal 'wait{leader-election,p99} < 100ms'", "there is no goal, and the scenarios have none and expect nothing")
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

// ownGoals are the goals of the scenarios, or what those expect that have none. Each holds in its own alone.
func (t *tuner) ownGoals() {
	for i, s := range t.sources {
		for _, g := range goalsIn(s.base) {
			goal := tuneGoal{text: g.text(), analytic: g.analytic, alone: true, own: i}
			if g.of != nil {
				goal.of, goal.asked = make([]*compare.Goal, len(t.sources)), make([]int, len(t.sources))
				goal.of[i], goal.asked[i] = g.of, t.ask(i, g.of.Of)
			}
			t.goals = append(t.goals, goal)
		}
	}
}

// contradictions refuses goals that cannot hold together, whatever the settings.
func (t *tuner) contradictions() error {
	var bounds []tuning.Bound
	for i := range t.goals {
		g := &t.goals[i]
		if a := g.analytic; a != nil {
			bounds = append(bounds, analyticBound(a, fmt.Sprint(g.own, " ", a.Text)))
			continue
		}
		for k, of := range g.of {
			if of != nil {
				bounds = append(bounds, goalBound(of, fmt.Sprint(k, " ", expectationText(&t.asked[k][g.asked[k]]))))
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

// readObjectives reads the prices of the flags, or those of the scenarios, each once.
func (t *tuner) readObjectives() error {
	for i, text := range t.flags.minimize {
		if slices.Contains(t.flags.minimize[:i], text) {
			return usagef("", "%s %s is there twice", minimizeFlag, text)
		}
		if err := t.readObjective(text); err != nil {
			return markedFault(minimizeFlag, withAnalytics(err))
		}
	}
	if len(t.flags.minimize) > 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, s := range t.sources {
		for i := range s.base.Tune.Minimize {
			w := &s.base.Tune.Minimize[i]
			if seen[w.Text] {
				continue
			}
			seen[w.Text] = true
			if err := t.readObjective(w.Text); err != nil {
				return badInput{scenarios.Diagnostics{writtenFault(w, withAnalytics(err))}}
			}
		}
	}
	if len(t.objectives) > 0 {
		return nil
	}
	return t.readObjective(tuning.Distance)
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

package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
)

// The flags whose settings a plan makes, for positions of faults.
const (
	tunedFlag = "--tuned"
	growFlag  = "--grow"
	needFlag  = "--need"
)

// largestFactor is by how much traffic can grow.
const largestFactor = 1000

// parseFactor reads one factor.
func parseFactor(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x <= largestFactor) {
		return 0, usagef("as in 1..4:0.5", "--factors: %s is no factor above 0 and up to %d", text, largestFactor)
	}
	return x, nil
}

// growing is a plan while it is made.
type growing struct {
	process   *Process
	flags     *planFlags
	source    *studied
	grows     []scenarios.Growable
	goals     []*compare.Goal
	asked     []reports.Expectation
	factors   []float64
	evaluator *evaluator
	growth    study.Growth
}

// prepare finds out all that can be found out before anything runs.
func (g *growing) prepare() error {
	var err error
	if g.factors, err = factorValues(g.flags.factors); err != nil {
		return err
	}
	if g.grows, err = grownOf(g.source.base, g.flags.grow); err != nil {
		return err
	}
	if g.goals, err = goalsOf(g.source.base, g.flags.goals); err != nil {
		return err
	}
	g.asked = askedOf(g.goals)
	id := g.source.id
	g.growth = study.Growth{APIVersion: study.APIVersion, Kind: study.GrowthKind,
		Scenario: id.Name, Seed: id.Seed, Replications: id.Replications}
	for _, n := range g.grows {
		g.growth.Grows = append(g.growth.Grows, study.Grown{Name: n.Name, Count: n.Count})
	}
	for _, goal := range g.goals {
		g.growth.Goals = append(g.growth.Goals, goal.Text)
	}
	g.growth.Curves = []study.Curve{{Name: "today"}}
	if len(g.flags.tuned) > 0 {
		tuned := variationFlags{sets: g.flags.tuned}
		if _, err := tuned.options(g.process); err != nil {
			return err
		}
		g.growth.Curves = append(g.growth.Curves, study.Curve{Name: "tuned", Settings: g.flags.tuned})
		if _, faults := g.source.with(settingsOf(tunedFlag, g.flags.tuned)); faults.HasErrors() {
			return badInput{faults}
		}
	}
	return nil
}

// grownOf finds what grows: what the user names, or the clients of all populations.
func grownOf(s *scenarios.Scenario, names []string) ([]scenarios.Growable, error) {
	all := s.Growables()
	var legal []string
	for i := range all {
		legal = append(legal, all[i].Name)
	}
	var out []scenarios.Growable
	for _, name := range names {
		i := slices.Index(legal, name)
		if i < 0 {
			hint := didYouMean(name, legal)
			if hint == "" {
				hint = "legal: " + strings.Join(legal, ", ")
			}
			return nil, usagef(hint, "--grow %s: %s has no such population or stored objects that can grow", name, s.Name)
		}
		out = append(out, all[i])
	}
	if len(names) > 0 {
		return out, nil
	}
	for _, n := range all {
		if !strings.HasPrefix(n.Name, "objects/") {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nil, usagef("fit a scenario with apfsim import ... -o scenario", "%s has only recorded traffic, which cannot grow", s.Name)
	}
	return out, nil
}

// settingsOf makes settings of texts.
func settingsOf(flag string, texts []string) []scenarios.Setting {
	var out []scenarios.Setting
	for _, text := range texts {
		out = append(out, scenarios.Setting{Flag: flag, Text: text})
	}
	return out
}

// task is the scenario at a factor with a configuration, and with further settings.
func (g *growing) task(c *study.Curve, factor float64, more ...string) task {
	settings := settingsOf(tunedFlag, c.Settings)
	for i := range g.grows {
		settings = append(settings, scenarios.Setting{Flag: growFlag, Text: g.grows[i].Path + "=" + strconv.FormatInt(g.grows[i].Times(factor), 10)})
	}
	return task{source: g.source, settings: append(settings, settingsOf(needFlag, more)...), replications: g.source.id.Replications, asked: g.asked}
}

// all runs tasks; an interruption is an error.
func (g *growing) all(tasks []task) ([]*study.Record, error) {
	records, err := g.evaluator.all(tasks)
	if err == nil && g.evaluator.interrupted.Load() {
		g.flags.study.tellStopped(g.process, len(g.evaluator.records), len(g.evaluator.records)+len(tasks))
		err = verdict(exitInterrupted)
	}
	return records, err
}

// evaluate runs the factors of all configurations, those between where goals break, and what
// it takes to meet them.
func (g *growing) evaluate() error {
	model := newStudy(g.process, []*studied{g.source})
	model.Search = &study.Search{Goals: g.growth.Goals, Minimize: []string{"growth"}}
	var err error
	if g.evaluator, err = g.flags.study.evaluator(g.process, model); err != nil {
		return err
	}
	var tasks []task
	for c := range g.growth.Curves {
		for _, x := range g.factors {
			tasks = append(tasks, g.task(&g.growth.Curves[c], x))
		}
	}
	records, err := g.all(tasks)
	if err != nil {
		return err
	}
	for c := range g.growth.Curves {
		curve := &g.growth.Curves[c]
		for i, x := range g.factors {
			curve.Steps = append(curve.Steps, g.row(x, records[c*len(g.factors)+i]))
		}
		if err := g.refine(curve); err != nil {
			return err
		}
		curve.FindBreaks(len(g.goals))
	}
	for _, search := range []func(*study.Curve) *needSearch{g.seats, g.servers} {
		for c := range g.growth.Curves {
			if s := search(&g.growth.Curves[c]); s != nil {
				if err := s.run(g); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// row is what a record says of a factor.
func (g *growing) row(x float64, r *study.Record) study.GrowthRow {
	row := study.GrowthRow{Factor: reports.NewNumber(x), Invalid: r.Invalid}
	for i := range g.grows {
		row.Counts = append(row.Counts, g.grows[i].Times(x))
	}
	if r.Invalid != "" {
		return row
	}
	for i, goal := range g.goals {
		row.Cells = append(row.Cells, study.NewCell(&r.Asked[i]))
		status := study.NoData
		if r.Asked[i].Figure != nil || goal.Of.AllowNoData {
			status = study.Status(tuning.Judge(goal, &r.Asked[i]).Verdict)
		}
		row.Statuses = append(row.Statuses, status)
	}
	return row
}

// refine tries factors between the last at which all goals are met and the first at which one is not,
// each in the middle of what is left.
func (g *growing) refine(c *study.Curve) error {
	for range g.flags.refine {
		at := slices.IndexFunc(c.Steps, func(r study.GrowthRow) bool { return !r.Holds() })
		if at <= 0 {
			return nil
		}
		x := math.Round((float64(c.Steps[at-1].Factor)+float64(c.Steps[at].Factor))/2*1000) / 1000
		if slices.Equal(g.counts(x), c.Steps[at-1].Counts) || slices.Equal(g.counts(x), c.Steps[at].Counts) {
			return nil // nothing lies between
		}
		records, err := g.all([]task{g.task(c, x)})
		if err != nil {
			return err
		}
		c.Steps = slices.Insert(c.Steps, at, g.row(x, records[0]))
	}
	return nil
}

// counts are what has grown at a factor.
func (g *growing) counts(x float64) []int64 {
	var out []int64
	for i := range g.grows {
		out = append(out, g.grows[i].Times(x))
	}
	return out
}

// planForms are the forms of a plan.
var planForms = []string{formText, formCSV, formJSON}

// writeGrowth renders a growth to all targets.
func writeGrowth(p *Process, g *study.Growth, targets []target, writers []io.Writer) error {
	for i, t := range targets {
		var err error
		switch t.form {
		case formCSV:
			err = g.WriteCSV(writers[i])
		case formJSON:
			err = reports.WriteIndented(writers[i], g)
		default:
			err = g.WriteText(writers[i], screenOf(p, t).width)
		}
		if err != nil {
			return cannotWrite(t.file, err)
		}
	}
	return nil
}

// needSearch looks for the least of a resource that meets all goals, at each step of a curve at which they are not.
type needSearch struct {
	curve *study.Curve
	steps []needStep
	// settings make so much of the resource.
	settings func(n int64) []string
}

// needStep is one step: the goals are missed with low, and met with high unless that is beyond what is tried.
type needStep struct {
	factor    float64
	need      *study.Need
	low, high int64
	grain     int64
}

// seats looks for seats of each server; nil if nobody wants to know.
func (g *growing) seats(c *study.Curve) *needSearch {
	cfg := g.configOf(c)
	if !g.flags.needs(needSeats) || cfg == nil {
		return nil
	}
	reads, writes := int64(cfg.MaxRequestsInflight), int64(cfg.MaxMutatingRequestsInflight)
	now := reads + writes
	s := &needSearch{curve: c, settings: func(n int64) []string {
		w := n * writes / now
		return []string{fmt.Sprintf("server.maxRequestsInflight=%d", n-w), fmt.Sprintf("server.maxMutatingRequestsInflight=%d", w)}
	}}
	s.begin(now, now*int64(g.flags.most), max(1, now/100), func(r *study.GrowthRow, n *study.Need) { r.Seats = n })
	return s
}

// servers looks for servers.
func (g *growing) servers(c *study.Curve) *needSearch {
	if !g.flags.needs(needServers) {
		return nil
	}
	now := int64(max(g.source.base.Config.Servers, 1))
	s := &needSearch{curve: c, settings: func(n int64) []string { return []string{fmt.Sprintf("server.count=%d", n)} }}
	s.begin(now, now*int64(g.flags.most), 1, func(r *study.GrowthRow, n *study.Need) { r.Servers = n })
	return s
}

// configOf is what a configuration says about the server.
func (g *growing) configOf(c *study.Curve) *scenarios.ServerSettings {
	s, faults := g.source.with(settingsOf(tunedFlag, c.Settings))
	if faults.HasErrors() {
		return nil
	}
	cfg, _ := s.Configuration(s.Release)
	if cfg == nil {
		return nil
	}
	return cfg.Server
}

// begin notes the steps at which something is missed.
func (s *needSearch) begin(now, most, grain int64, keep func(*study.GrowthRow, *study.Need)) {
	for i := range s.curve.Steps {
		r := &s.curve.Steps[i]
		if r.Invalid != "" || r.Holds() {
			continue
		}
		n := &study.Need{Now: now, Tried: most}
		keep(r, n)
		s.steps = append(s.steps, needStep{factor: float64(r.Factor), need: n, low: now, high: most, grain: grain})
	}
}

// run tries the most at every step, and then halves what is left, all steps side by side.
func (s *needSearch) run(g *growing) error {
	first := true
	for {
		var tasks []task
		var open []*needStep
		for i := range s.steps {
			step := &s.steps[i]
			if first || step.need.Enough > 0 && step.high-step.low > step.grain {
				open = append(open, step)
				tasks = append(tasks, g.task(s.curve, step.factor, s.settings(step.next(first))...))
			}
		}
		if len(open) == 0 {
			return nil
		}
		records, err := g.all(tasks)
		if err != nil {
			return err
		}
		for i, step := range open {
			row := g.row(step.factor, records[i])
			step.learn(step.next(first), row.Holds())
		}
		first = false
	}
}

// next is how much is tried.
func (s *needStep) next(first bool) int64 {
	if first {
		return s.high
	}
	return s.low + (s.high-s.low)/2
}

// learn narrows the search down.
func (s *needStep) learn(n int64, holds bool) {
	if holds {
		s.high, s.need.Enough = n, n
		return
	}
	s.low = n
}

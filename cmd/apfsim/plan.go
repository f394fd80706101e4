package main

import (
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/plots"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
	"github.com/spf13/cobra"
)

// planLong explains `apfsim plan`.
const planLong = `Let the traffic of a scenario grow and print which goals break when, with the
configuration as it is and with a tuned one, and how many seats or servers it takes to
meet them.

A scenario with a single replication is run five
times, to have intervals.

What grows are the clients of populations and the stored objects (--grow, by default the
clients of all populations). A goal is met if the whole interval of 95 % over the
replications is what is wanted; where one breaks between two factors, those between are
tried. Seats are those of each server, and their search, like that of servers, takes it that
more of them never do harm.

Goals are figures as in METRIC{SUBJECT,QUANTILE} < VALUE; without --goal they are those of
the scenario (tune.goals), or else what it expects.`

// planFlags are the flags of `apfsim plan`.
type planFlags struct {
	output    outputFlag
	variation variationFlags
	study     studyFlags
	plots     plotsFlag
	tuned     []string
	goals     []string
	grow      []string
	factors   string
	need      []string
	refine    int
	most      int
}

// The resources that a plan can ask for.
const (
	needSeats   = "seats"
	needServers = "servers"
	needNothing = "none"
)

// fewestToJudge is how many replications there are where a scenario has a single one.
const fewestToJudge = 5

// planCommand makes `apfsim plan`.
func planCommand(p *Process) *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:   "plan SCENARIO",
		Short: "Let the traffic grow and say which goals break when, and what it takes to meet them",
		Long:  planLong,
		Example: `  apfsim plan elephants-and-mice --grow mice --factors 1..3 --need none --replications 2
  apfsim plan list-storm --goal 'wait{applications,p99} < 5s' --grow applications --factors 1,2 --replications 2 --refine 1
  apfsim plan elephants-and-mice --grow mice --factors 1,4 --tuned priorityLevel/workload-low.queues=256 --need none --replications 2 -o csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name a file, or one of those that apfsim scenarios list prints", "plan takes one scenario, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, args []string) error {
			f.study.given = c.Flags().Changed
			return f.run(p, args)
		},
	}
	f.output.register(c, strings.Join(planForms, ", ")+"; FORM=FILE writes a file, and -o may repeat")
	f.variation.register(c)
	f.study.registerRuns(c.Flags())
	flags := c.Flags()
	f.plots.register(flags)
	flags.StringArrayVar(&f.tuned, "tuned", nil, "`PATH=VALUE` of the tuned configuration, as --set has it; may repeat")
	flags.StringArrayVar(&f.goals, "goal", nil, "`goal` such as wait{leader-election,p99} < 100ms; may repeat (default: those of the scenario, or what it expects)")
	flags.StringSliceVar(&f.grow, "grow", nil, "`names` of populations, and objects/RESOURCE, that grow (default: all populations)")
	flags.StringVar(&f.factors, "factors", "1..4:0.5", "`numbers` that the traffic grows by: a list, or FROM..TO:STEP")
	flags.StringSliceVar(&f.need, "need", []string{needSeats, needServers}, "`what` to look for where goals are missed: seats, servers or none")
	flags.IntVar(&f.refine, "refine", 3, "`number` of factors to try between the last at which all goals are met and the first at which not")
	flags.IntVar(&f.most, "most", 8, "`number` of times as many seats or servers as there are now, up to which is looked")
	return c
}

// run runs all factors and prints.
func (f *planFlags) run(p *Process, args []string) error {
	targets, err := f.output.targets(planForms...)
	if err != nil {
		return err
	}
	if err := f.check(p); err != nil {
		return err
	}
	sources, err := f.study.sources(p, args, &f.variation)
	if err != nil {
		return err
	}
	if id := &sources[0].id; id.Replications == 1 && !f.study.given("replications") {
		id.Replications = fewestToJudge // one run has no interval, and is never sure
	}
	g := &growing{process: p, source: sources[0], flags: f}
	if err := g.prepare(); err != nil {
		return err
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	if err := f.plots.open(p, f.study.given("plots")); err != nil {
		return withCleanup(err, files)
	}
	if err := g.evaluate(); err != nil {
		return withCleanup(err, files)
	}
	if f.plots.dir != "" {
		if err := f.plots.draw(files, plots.GrowthCharts(&g.growth), ""); err != nil {
			return withCleanup(err, files)
		}
	}
	if err := writeGrowth(p, &g.growth, targets, writers); err != nil {
		return withCleanup(err, files)
	}
	return files.commit()
}

// check checks the flags that need no file.
func (f *planFlags) check(p *Process) error {
	if f.refine < 0 || f.refine > 20 {
		return usagef("", "--refine %d: legal are 0 to 20", f.refine)
	}
	if f.most < 2 || f.most > 1000 {
		return usagef("", "--most %d: legal are 2 to 1000", f.most)
	}
	legal := []string{needSeats, needServers, needNothing}
	for _, n := range f.need {
		if !slices.Contains(legal, n) {
			return usagef(didYouMean(n, legal), "--need %s: legal are %s", n, strings.Join(legal, ", "))
		}
	}
	return f.study.check(p)
}

// needs tells whether a resource is looked for.
func (f *planFlags) needs(what string) bool {
	return slices.Contains(f.need, what) && !slices.Contains(f.need, needNothing)
}

// goalsOf finds the goals: those that the user names, those of the scenario, or what it expects. What is
// known without a run does not grow.
func goalsOf(s *scenarios.Scenario, texts []string) ([]*compare.Goal, error) {
	var out []*compare.Goal
	for _, text := range texts {
		g, err := compare.ParseGoal(text)
		if err == nil {
			err = g.Resolve((&comparedSide{scenario: s}).names())
		}
		if err != nil {
			return nil, markedFault("--goal", err)
		}
		out = append(out, g)
	}
	if len(texts) > 0 {
		return out, nil
	}
	for _, g := range goalsIn(s) {
		if g.of != nil {
			out = append(out, g.of)
		}
	}
	if len(out) == 0 {
		return nil, usagef("for example --goal 'wait{leader-election,p99} < 100ms', or tune.goals in the scenario", "%s expects nothing, and no goal is named", s.Name)
	}
	return out, nil
}

// askedOf are the figures that goals are about.
func askedOf(goals []*compare.Goal) []reports.Expectation {
	var out []reports.Expectation
	for _, g := range goals {
		out = append(out, g.Of)
	}
	return out
}

// factorValues reads the numbers of --factors.
func factorValues(text string) ([]float64, error) {
	const prefix = "factor="
	factor, err := vary.Parse(prefix + text)
	if err != nil {
		return nil, markedFault("--factors", err)
	}
	var out []float64
	for _, v := range factor.Values {
		x, err := parseFactor(v)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	slices.Sort(out)
	return out, nil
}

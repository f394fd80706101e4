package main

import (
	"fmt"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/scenarios/vary"
	"github.com/spf13/cobra"
)

// sweepLong explains `apfsim sweep`.
const sweepLong = `Run scenarios at many points and print what each of them showed.

Each --vary is a path, as --set has it, and the values that it takes: a list, ranges such as
200..800:100 or 16..512:*2, or both. The points are all combinations; --sample takes some
of them, as a Latin hypercube, and --plan reads them from a table in CSV, whose first row
has the paths.

All points meet the same traffic, and each is compared with the scenario as it is, pair by
pair of replications: change is ~ where it may be chance.

With --results the points are kept in a folder, each whole or not at all. A sweep that was
stopped goes on where it was, and --shard i/n runs every n-th point, beginning with number
i from 0, so that several machines can share the work. i may be auto: it is what Kubernetes
tells a Pod of an indexed Job in JOB_COMPLETION_INDEX. apfsim merge puts folders together.

--emit-job prints such a Job, with all that it needs, in place of running anything.`

// sweepFlags are the flags of `apfsim sweep`.
type sweepFlags struct {
	output    outputFlag
	variation variationFlags
	design    designFlags
	study     studyFlags
	job       jobFlags
	columns   []string
	all       bool
}

// sweepCommand makes `apfsim sweep`.
func sweepCommand(p *Process) *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep SCENARIO...",
		Short: "Run scenarios at many points and show what each of them does",
		Long:  sweepLong,
		Example: `  apfsim sweep elephants-and-mice --vary priorityLevel/workload-low.handSize=2,4,8 --replications 1
  apfsim sweep list-storm --vary server.maxRequestsInflight=200..400:100 --replications 2 -o csv --column 'wait{p99}'
  apfsim sweep elephants-and-mice --vary priorityLevel/workload-low.queues=16..256:*4 --replications 1
  apfsim sweep elephants-and-mice --vary priorityLevel/workload-low.shares=50,200 --replications 1 --results sweep --shard 0/2
  apfsim sweep elephants-and-mice --vary priorityLevel/workload-low.shares=50..200:10 --emit-job --image registry.example/apfsim:v1`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name a file, or one of those that apfsim scenarios list prints", "no scenario to sweep")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, args []string) error {
			f.study.given = c.Flags().Changed
			return f.run(p, args)
		},
	}
	f.output.register(c, tableFormsHelp())
	f.variation.register(c)
	f.design.register(c.Flags())
	f.study.register(c.Flags())
	f.job.register(c.Flags())
	c.Flags().StringArrayVar(&f.columns, "column", nil, "`figure` to show, such as wait{leader-election,p99} or rejected; may repeat\n"+
		"(default: what the scenarios expect, or the waits and rejections)")
	c.Flags().BoolVar(&f.all, "all", false, allHelp)
	return c
}

// run runs the points and prints the table.
func (f *sweepFlags) run(p *Process, args []string) error {
	targets, err := f.output.targets(tableForms...)
	if err != nil {
		return err
	}
	if err := f.study.check(p); err != nil {
		return err
	}
	if err := f.job.check(f.study.given); err != nil {
		return err
	}
	sources, err := f.study.sources(p, args, &f.variation)
	if err != nil {
		return err
	}
	design, err := f.design.design(p, sources[0].id.Seed)
	if err != nil {
		return err
	}
	s := &sweep{process: p, sources: sources, design: design, words: f.words(args, asIs)}
	if s.columns, err = columnsOf(sources, f.columns); err != nil {
		return err
	}
	if err := checkDesign(sources, design); err != nil {
		return err
	}
	if f.job.wanted() {
		return f.emit(p, s)
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	done, err := s.evaluate(&f.study)
	if err != nil || !done {
		return withCleanup(err, files)
	}
	if err := writeTable(p, study.NewTable(s.model(), s.find), f.all, targets, writers); err != nil {
		return withCleanup(err, files)
	}
	return files.commit()
}

// sweep is a sweep while it is run.
type sweep struct {
	process *Process
	sources []*studied
	design  *vary.Design
	columns []wantedColumn
	// words are the command that makes all of it.
	words   []string
	records map[string]*study.Record
}

// words are the command again, without where its results go and which part of it is run. Inside tells
// which name a file has where the command is run.
func (f *sweepFlags) words(args []string, inside func(string) string) []string {
	words := []string{"apfsim", "sweep"}
	for _, arg := range args {
		words = append(words, inside(arg))
	}
	words = append(words, f.variation.wordsInside(inside)...)
	words = append(words, f.design.words(inside)...)
	words = append(words, f.study.words()...)
	for _, text := range f.columns {
		words = append(words, "--column", text)
	}
	return words
}

// asIs is the name that a file has here.
func asIs(name string) string { return name }

// emit prints what runs the sweep on a cluster.
func (f *sweepFlags) emit(p *Process, s *sweep) error {
	var others []string
	if f.design.plan != "" {
		others = append(others, f.design.plan)
	}
	inputs, err := jobInputsOf(p, s.sources, others...)
	if err != nil {
		return err
	}
	options, err := f.variation.options(p)
	if err == nil {
		err = inputs.same(s.sources, options)
	}
	if err != nil {
		return err
	}
	words := func(inside func(string) string) []string {
		return f.words(argsOf(s.sources), libraryAsIs(s.sources, inside))
	}
	return f.job.emit(p, "sweep", s.sources, len(s.tasks()), inputs, words)
}

// argsOf are the scenarios as they were named.
func argsOf(sources []*studied) []string {
	var out []string
	for _, s := range sources {
		out = append(out, s.arg)
	}
	return out
}

// libraryAsIs is inside for files, and leaves the names of the library alone.
func libraryAsIs(sources []*studied, inside func(string) string) func(string) string {
	return func(name string) string {
		if slices.ContainsFunc(sources, func(s *studied) bool { return s.base.InLibrary && s.arg == name }) {
			return name
		}
		return inside(name)
	}
}

// model is what the sweep is about.
func (s *sweep) model() *study.Study {
	out := newStudy(s.process, s.sources)
	out.Command = shellCommand(s.words)
	out.Columns = columnTexts(s.columns)
	for _, f := range s.design.Factors {
		out.Factors = append(out.Factors, study.Factor{Path: f.Path, Values: f.Values})
	}
	for _, p := range s.design.Points {
		out.Points = append(out.Points, p)
	}
	return out
}

// task is what is run of a scenario at a point.
func (s *sweep) task(scenario, point int) task {
	t := task{source: s.sources[scenario], replications: s.sources[scenario].id.Replications}
	for i := range s.columns {
		t.asked = append(t.asked, s.columns[i].of[scenario])
	}
	if point != study.AsItIs {
		t.settings = s.design.Settings(varyFlag, s.design.Points[point])
	}
	return t
}

// tasks are all of them.
func (s *sweep) tasks() []task {
	var out []task
	for _, at := range s.model().Places() {
		out = append(out, s.task(at.Scenario, at.Point))
	}
	return out
}

// find returns the record of a scenario at a point.
func (s *sweep) find(scenario, point int) *study.Record {
	t := s.task(scenario, point)
	run := t.run()
	return s.records[run.Key()]
}

// evaluate runs what is not known yet, and tells whether all is known then.
func (s *sweep) evaluate(f *studyFlags) (bool, error) {
	e, err := f.evaluator(s.process, s.model())
	if err != nil {
		return false, err
	}
	s.records, e.slim = e.records, true
	// Any order: each is made smaller by itself.
	for _, r := range s.records {
		r.Slim()
	}
	tasks := s.tasks()
	mine := f.shard.of(tasks)
	if s.process.StderrTerminal.Attended {
		l := s.follow(mine, e.records)
		e.note, e.made = l.note, l.made
	}
	if _, err := e.all(mine); err != nil {
		return false, err
	}
	missing := 0
	for i := range tasks {
		run := tasks[i].run()
		if e.records[run.Key()] == nil {
			missing++
		}
	}
	switch {
	case e.interrupted.Load():
		f.tellStopped(s.process, len(tasks)-missing, len(tasks))
		return false, verdict(exitInterrupted)
	case missing > 0:
		fmt.Fprintf(s.process.Stderr, "shard %s: its %d runs are in %s, and %d of all %d; apfsim merge puts folders together\n",
			&f.shard, len(mine), f.results, len(tasks)-missing, len(tasks))
		return false, nil
	}
	return true, nil
}

// wantedColumn is a figure of a table, as each scenario has it.
type wantedColumn struct {
	text string
	of   []reports.Expectation
	// goals are what scenarios expect of it.
	goals []study.Goal
}

// columnTexts are the columns as a study has them.
func columnTexts(columns []wantedColumn) []study.Column {
	out := []study.Column{}
	for _, c := range columns {
		column := study.Column{Text: c.text, Goals: c.goals}
		switch compare.WorseUp(c.of[0].Metric) {
		case 1:
			column.Better = study.Lower
		case -1:
			column.Better = study.Higher
		}
		out = append(out, column)
	}
	return out
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/markdown"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/sim"
	"github.com/spf13/cobra"
)

// runFlags are the flags of `apfsim run`.
type runFlags struct {
	output       outputFlag
	variation    variationFlags
	seed         uint64
	replications int
	resolution   time.Duration
	workers      int
	decisions    string
	plots        plotsFlag
	report       string
	moments      momentFlags
	records      recordFlags
	until        untilFlags
}

// runCommand makes `apfsim run`.
func runCommand(p *Process) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Simulate scenarios and report who waited and who was rejected",
		Long: `Simulate each SCENARIO and print a report: for each priority level, flow schema and
population of clients what arrived, was executed and was rejected, how long requests
waited, and what the seats were used for.

A SCENARIO is a file, - for the standard input, or the name of a library scenario, as
"apfsim scenarios list" prints them. All of them are read and checked before the first
one runs. Replications run side by side; the result does not depend on how many.

With --set PATH=VALUE one value stands in place of what the scenario says, or one of its
FlowSchemas and PriorityLevelConfigurations, also of those that are built in.

With --until 'wait{client=mice,p99} within 5%' replications are added until that figure is
known so well: until its confidence interval reaches no further than that part of it. If
--max-replications are not enough, the exit code is 5.

Files of -o, --decisions and --plots appear whole or not at all. Ctrl-C ends the run and
prints what there is, marked as partial; a second one quits at once. The exit code is 1
if an expectation of a scenario fails.`,
		Example: `  apfsim run elephants-and-mice
  apfsim run leader-election list-storm --seed 7 --replications 2
  apfsim run elephants-and-mice --set priorityLevel/workload-low.shares=200
  apfsim run one-user-floods-global-default -o text -o json=result.json
  apfsim run elephants-and-mice -o json --decisions decisions.jsonl
  apfsim run elephants-and-mice --plots charts
  apfsim run elephants-and-mice --report report.html
  apfsim run list-storm -o prometheus=metrics.prom --at 1m
  apfsim run elephants-and-mice --until 'rejected{client=elephants} within 2%'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name a file, or one of those that apfsim scenarios list prints", "no scenario to run")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(p, args, c.Flags().Changed)
		},
	}
	f.output.register(c, formsHelp(recordForms...))
	f.variation.register(c)
	flags := c.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "`number` that all random numbers derive from, in place of the scenario's")
	flags.IntVar(&f.replications, "replications", 0, "`number` of independent runs, in place of the scenario's")
	flags.DurationVar(&f.resolution, "resolution", 0, "`duration` that times which a server's record could hold are multiples of, in place of the scenario's, as in 1us")
	flags.IntVar(&f.workers, "workers", 0, "`number` of replications that run side by side (default: one for each core)")
	flags.StringVar(&f.report, "report", "", "`file` for one page of HTML with everything in it, in addition to what -o says")
	flags.StringVar(&f.decisions, "decisions", "", "`file` for what was decided on each request of the first replication, as JSON Lines; - for the standard output")
	f.plots.register(flags)
	f.moments.register(flags)
	f.moments.registerEvery(flags)
	f.records.register(flags)
	f.until.register(flags)
	return c
}

// run reads all scenarios, runs them, and prints what came out.
func (f *runFlags) run(p *Process, args []string, given func(string) bool) error {
	targets, err := f.targets(p, args, given)
	if err != nil {
		return err
	}
	options, err := f.variation.options(p)
	if err != nil {
		return err
	}
	loaded, err := loadAllWith(p, args, options)
	if err != nil {
		return err
	}
	for _, s := range loaded {
		f.override(s, given)
		if s.Config.Looks, err = f.moments.looks(s, targets, given); err != nil {
			return err
		}
	}
	logs, targets, err := f.records.split(targets, loaded[0])
	if err != nil {
		return err
	}
	files := newOutputs(p)
	out := &runOutput{process: p, files: files, targets: targets, logs: logs}
	if err := out.open(f.decisions); err != nil {
		return withCleanup(err, files)
	}
	if err := f.plots.open(p, given("plots")); err != nil {
		return withCleanup(err, files)
	}
	out.plots = f.plots
	until, err := f.until.parse(given)
	if err == nil {
		err = until.resolve(loaded)
	}
	if err != nil {
		return withCleanup(err, files)
	}
	r := &runner{
		until: until, process: p, workers: f.workers, overrides: f.overrides(given), decisions: out.decisions,
		records: logs,
		scrapes: f.moments.scraped(targets, given), dumps: f.moments.dumped(targets, given), dumpTimes: f.moments.at,
	}
	results, err := r.all(loaded)
	if err != nil {
		return withCleanup(err, files)
	}
	if len(results) == 0 { // stopped before anything happened
		return withCleanup(r.verdict(nil), files)
	}
	if err := out.write(results, r.interrupted.Load()); err != nil {
		return withCleanup(err, files)
	}
	return r.verdict(results)
}

// withCleanup removes the files of a command that failed.
func withCleanup(err error, files *outputs) error {
	if fault := files.discard(); fault != nil {
		return fmt.Errorf("%w (and a file was left behind: %w)", err, fault)
	}
	return err
}

// replicationsMax is the scenario format's own bound.
const replicationsMax = 10_000

// targets checks the flags, and tells what goes where.
func (f *runFlags) targets(p *Process, args []string, given func(string) bool) ([]target, error) {
	targets, err := f.reportTargets(given)
	if err != nil {
		return nil, err
	}
	if targets, err = f.moments.targets(targets); err != nil {
		return nil, err
	}
	if form := wanted(targets, slices.Concat(serverForms, recordForms)); len(args) > 1 && form != "" {
		return nil, usagef("run them one by one", "-o %s takes one scenario, got %d", form, len(args))
	}
	if given("replications") && (f.replications < 1 || f.replications > replicationsMax) {
		return nil, usagef("", "--replications %d: legal are 1 to %d", f.replications, replicationsMax)
	}
	if given("resolution") && (f.resolution < 0 || f.resolution > sim.MaxResolution) {
		return nil, usagef("an audit log has 1us", "--resolution %s: legal are 0s to %s", f.resolution, sim.MaxResolution)
	}
	switch {
	case !given("workers"):
		f.workers = p.NumCPU
	case f.workers < 1:
		return nil, usagef("", "--workers %d: legal are 1 and more", f.workers)
	}
	if !given("decisions") {
		return targets, nil
	}
	if f.decisions == "" {
		return nil, usagef("name a file, as in --decisions decisions.jsonl", "--decisions: the file has no name")
	}
	if len(args) > 1 {
		return nil, usagef("run them one by one", "--decisions takes the log of one scenario, got %d", len(args))
	}
	log := target{form: "the decision log", file: f.decisions}
	if f.decisions == "-" {
		log.file = ""
		if len(f.output.values) == 0 {
			return nil, nil // the log takes the place of the text
		}
	}
	return targets, distinct(append(targets[:len(targets):len(targets)], log))
}

// reportTargets tells where the forms of -o go, and the page of --report.
func (f *runFlags) reportTargets(given func(string) bool) ([]target, error) {
	targets, err := f.output.targets(append(formNames(), recordForms...)...)
	if err != nil || !given("report") {
		return targets, err
	}
	page := target{form: formHTML, file: f.report}
	switch f.report {
	case "":
		return nil, usagef("name a file, as in --report report.html", "--report: the file has no name")
	case "-":
		page.file = ""
		if len(f.output.values) == 0 {
			return []target{page}, nil // the page takes the place of the text
		}
	}
	return append(targets, page), distinct(append(targets[:len(targets):len(targets)], page))
}

// override puts the flags in place of what a scenario says.
func (f *runFlags) override(s *scenarios.Scenario, given func(string) bool) {
	if given("seed") {
		s.Config.Seed = f.seed
	}
	if given("replications") {
		s.Replications = f.replications
	}
	if given("resolution") {
		s.Config.Resolution = f.resolution
	}
}

// overrides are the flags that stand in place of what a scenario says, in words.
func (f *runFlags) overrides(given func(string) bool) []string {
	words := f.variation.words()
	if given("seed") {
		words = append(words, "--seed", strconv.FormatUint(f.seed, 10))
	}
	if given("replications") {
		words = append(words, "--replications", strconv.Itoa(f.replications))
	}
	if given("resolution") {
		words = append(words, "--resolution", f.resolution.String())
	}
	words = append(words, f.until.words(given)...)
	for _, at := range f.moments.at {
		words = append(words, "--at", at.String())
	}
	if given("every") {
		words = append(words, "--every", f.moments.every.String())
	}
	return words
}

// runOutput is where the results of one command go.
type runOutput struct {
	process *Process
	files   *outputs
	targets []target
	writers []io.Writer // of the targets
	// summary takes the summary of the step for GitHub, of so many bytes at most; nil if nobody
	// asked for it.
	summary     io.Writer
	summaryRoom int
	// decisions is nil if nobody asked for the log; logFile is its name, "" for the
	// standard output.
	decisions io.Writer
	logFile   string
	// plots is where the charts go, if anybody asked for them.
	plots plotsFlag
	// logs are what the servers log, nil if nobody asked for it.
	logs *records
	// textDone tells that the texts have been written.
	textDone bool
	// aside is what CI systems are told that is about no result.
	aside aside
}

// open creates the files, so that one which cannot be written is known at once.
func (o *runOutput) open(decisions string) error {
	for _, t := range o.targets {
		w := o.process.Stdout
		if t.file != "" {
			var err error
			if w, err = o.files.create(t.file); err != nil {
				return err
			}
		}
		o.writers = append(o.writers, w)
	}
	if err := o.openSummary(); err != nil {
		return err
	}
	if err := o.logs.create(o.process, o.files); err != nil {
		return err
	}
	switch decisions {
	case "":
	case "-":
		o.decisions = o.process.Stdout
	default:
		w, err := o.files.create(decisions)
		if err != nil {
			return err
		}
		o.decisions, o.logFile = w, decisions
	}
	return nil
}

// write renders the results to all targets and makes the files appear.
func (o *runOutput) write(results []*reports.Result, interrupted bool) error {
	if interrupted && o.logFile != "" {
		fmt.Fprintf(o.process.Stderr, "%s: not written, since the log would not be whole\n", o.logFile)
		if err := o.files.drop(o.logFile); err != nil {
			return err
		}
	}
	if err := o.logs.finish(o.process, o.files, interrupted); err != nil {
		return err
	}
	if err := o.plots.write(o.files, results); err != nil {
		return err
	}
	text := false // whether the standard output has shown the verdicts
	for i, t := range o.targets {
		text = text || t.form == formText && t.file == ""
		if t.form == formText && o.textDone {
			continue
		}
		if err := o.render(o.writers[i], t, results); err != nil {
			return renderFault(t.file, err)
		}
	}
	if o.summary != nil {
		if _, err := io.WriteString(o.summary, markdown.Text(results, o.summaryRoom)); err != nil {
			return cannotWrite(stepSummary, err)
		}
	}
	if !text {
		failures(o.process.Stderr, results)
	}
	return o.files.commit()
}

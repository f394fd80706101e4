package main

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/calibration"
	"github.com/apfsim/apfsim/reports/html"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/workload"
)

// calibrateFlags are the flags of `apfsim calibrate`.
type calibrateFlags struct {
	output       outputFlag
	variation    variationFlags
	observed     string
	within       string
	window       time.Duration
	offset       time.Duration
	seed         uint64
	replications int
	workers      int
	all          bool
	given        func(string) bool
	tolerance    float64
}

// calibrateLong explains `apfsim calibrate`.
const calibrateLong = `Hold a scenario against what a cluster has recorded: request rates, rejections, waits,
executions and seats in use, of each priority level, flow schema, group of users and
server, over the whole time and over spans of it. Where the two disagree, the report says
by how much, and what the likely reason is.

SCENARIO is a scenario that was imported from the record, or one of your own. The record of
--observed is a trace of apfsim import audit or httplog, or what apfsim import metrics
-o observed=FILE writes. What a record cannot tell is hidden from the simulation too: the
waits of fast requests, which an audit log does not have.

A figure agrees within --within of the record, or where one more replication would lie. A
scenario that only replays traces is run once, others at least 5 times. If --within is
given, the exit code is 1 if a figure over the whole time differs.`

// calibrateCommand makes `apfsim calibrate`.
func calibrateCommand(p *Process) *cobra.Command {
	var f calibrateFlags
	c := &cobra.Command{
		Use:   "calibrate SCENARIO --observed FILE",
		Short: "Hold a scenario against a record: where they disagree, by how much, and why",
		Long:  calibrateLong,
		Example: `  apfsim calibrate cluster.yaml --observed recorded.jsonl
  apfsim calibrate cluster.yaml --observed scraped.json --within 10% -o markdown`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one file, or one of those that apfsim scenarios list prints", "%d scenarios to calibrate, one is needed", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.given = c.Flags().Changed
			return f.run(p, args[0])
		},
		ValidArgsFunction: completeScenarios,
	}
	f.output.register(c, strings.Join(calibrationForms, ", ")+"; FORM=FILE writes a file, and -o may repeat")
	f.variation.register(c)
	flags := c.Flags()
	flags.StringVar(&f.observed, "observed", "", "`file` of the record: a trace with what was observed, plain or gzip, or the observed file of metrics")
	flags.StringVar(&f.within, "within", "5%", "`part` of what was recorded that a figure may be off by; if it is given, the exit code is 1 if one is off by more")
	flags.DurationVar(&f.window, "window", 0, "`length` of the spans of time, as 10s (default: a sixth of the time; of metrics their intervals)")
	flags.DurationVar(&f.offset, "offset", 0, "`time` of the run at which the record begins (default: 0s; of metrics the end of the warm-up)")
	flags.Uint64Var(&f.seed, "seed", 0, "`number` that all random numbers derive from, in place of the scenario's")
	flags.IntVar(&f.replications, "replications", 0, "`number` of independent runs (default: the scenario's, at least 5)")
	flags.IntVar(&f.workers, "workers", 0, "`number` of replications that run side by side (default: one for each core)")
	flags.BoolVar(&f.all, "all", false, "show all figures, of what agrees too")
	return c
}

// calibrationForms are the forms of a calibration; the first one is the default.
var calibrationForms = []string{formText, formMarkdown, formJSON, formHTML}

// run compares and prints.
func (f *calibrateFlags) run(p *Process, name string) error {
	targets, err := f.output.targets(calibrationForms...)
	if err != nil {
		return err
	}
	if err := f.check(p); err != nil {
		return err
	}
	s, err := f.load(p, name)
	if err != nil {
		return err
	}
	record, err := openObserved(p, f.observed)
	if err != nil {
		return err
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	c := &calibrator{process: p, flags: f, scenario: s, record: record}
	done, err := c.calibrate()
	if err != nil {
		return withCleanup(err, files)
	}
	for i, t := range targets {
		if err := f.write(p, writers[i], t, done); err != nil {
			return withCleanup(cannotWrite(inputName(t.file), err), files)
		}
	}
	if err := files.commit(); err != nil {
		return err
	}
	if f.given("within") && !done.Agrees() {
		return verdict(exitExpectation)
	}
	return nil
}

// check checks the flags that need no file.
func (f *calibrateFlags) check(p *Process) error {
	if f.observed == "" {
		return usagef("name a trace, or what apfsim import metrics -o observed=FILE writes", "--observed is missing")
	}
	if f.given("replications") && (f.replications < 1 || f.replications > replicationsMax) {
		return usagef("", "--replications %d: legal are 1 to %d", f.replications, replicationsMax)
	}
	switch {
	case !f.given("workers"):
		f.workers = p.NumCPU
	case f.workers < 1:
		return usagef("", "--workers %d: legal are 1 and more", f.workers)
	}
	if f.window < 0 || f.given("window") && f.window == 0 || f.offset < 0 {
		return usagef("", "--window is above 0s, and --offset is not negative")
	}
	text, isPercent := strings.CutSuffix(f.within, "%")
	x, err := strconv.ParseFloat(text, 64)
	if isPercent {
		x /= 100
	}
	if err != nil || !(x > 0 && x <= 1) {
		return usagef("for example --within 10%", "--within %s: legal is a part above 0 and up to 100%%", f.within)
	}
	f.tolerance = x
	return nil
}

// load reads the scenario, and says how often it runs.
func (f *calibrateFlags) load(p *Process, name string) (*scenarios.Scenario, error) {
	if name == "-" && f.observed == "-" {
		return nil, usagef("", "- is there twice, and the standard input can be read once")
	}
	options, err := f.variation.options(p)
	if err != nil {
		return nil, err
	}
	loaded, err := loadAllWith(p, []string{name}, options)
	if err != nil {
		return nil, err
	}
	s := loaded[0]
	random := slices.ContainsFunc(s.Config.Populations, func(p workload.Population) bool { return p.Trace == nil })
	switch {
	case f.given("replications"):
		s.Replications = f.replications
	case random:
		s.Replications = max(s.Replications, fewestReplications)
	default:
		s.Replications = 1
	}
	if f.given("seed") {
		s.Config.Seed = f.seed
	}
	return s, nil
}

// write writes a calibration in a form.
func (f *calibrateFlags) write(p *Process, w io.Writer, t target, c *calibration.Calibration) error {
	switch t.form {
	case formMarkdown:
		return calibration.WriteMarkdown(w, c, f.all)
	case formJSON:
		return reports.WriteIndented(w, c)
	case formHTML:
		return html.WriteCalibration(w, c, f.all)
	}
	s := screenOf(p, t)
	return calibration.WriteText(w, c, calibration.TextOptions{Width: s.width, Color: s.color, All: f.all})
}

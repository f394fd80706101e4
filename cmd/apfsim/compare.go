package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apfsim/apfsim/internal/marked"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/spf13/cobra"
)

// compareFlags are the flags of `apfsim compare`.
type compareFlags struct {
	output    outputFlag
	variation variationFlags
	// Each of these is one value for both sides, or A..B.
	manifests, version, seats, reads, writes string

	seed         uint64
	replications int
	workers      int
	failOn       []string
	all          bool

	// given tells whether a flag was given.
	given      func(string) bool
	conditions []*compare.Condition
}

// compareLong explains `apfsim compare`.
const compareLong = `Compare two results and print which figures differ, by how much, and how sure that is.

A and B are results that were saved with -o json=FILE, or scenarios: files, - for the
standard input, or names of the library. A scenario alone is run twice: with what the
flags say before .. and after it, and with what --set says for B alone.

Both runs have the same seed, so that clients want the same at the same times, and the
replications are compared pair by pair: that tells small changes apart. There are at
least 5 of them, since one cannot tell a change from chance. ~ stands where the interval
of 95 % of the difference includes 0.

-o manifests writes the objects that B has otherwise than A, ready for kubectl apply, and
-o diff shows them as kubectl diff would.

With --fail-on the exit code is 1 if a difference is what it must not be:
  METRIC{SUBJECT,QUANTILE} > CHANGE, such as wait{leader-election,p99} > +10%
SUBJECT is a priority level, flow schema or client, QUANTILE is p99, mean or max; CHANGE
is +10%, -5%, +20ms or +3. Of the comparisons there are >, >=, < and <=.`

// compareCommand makes `apfsim compare`.
func compareCommand(p *Process) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare A [B]",
		Short: "Compare two results, or one scenario under two configurations, on the same traffic",
		Long:  compareLong,
		Example: `  apfsim compare elephants-and-mice --set priorityLevel/workload-low.handSize=4
  apfsim compare list-storm --seats 600..800 --fail-on 'wait{applications,p99} > +10%'
  apfsim compare elephants-and-mice --kubernetes-version 1.33..1.34 -o markdown
  apfsim compare elephants-and-mice list-storm --replications 6
  apfsim compare elephants-and-mice --set priorityLevel/workload-low.handSize=4 -o text -o manifests=proposed.yaml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			f.given = c.Flags().Changed
			return f.run(p, args)
		},
		ValidArgsFunction: completeScenarios,
	}
	f.output.register(c, compareFormsHelp())
	f.variation.registerSet(c, "`PATH=VALUE` in place of what the scenario of B or one of its objects says,\n"+
		"such as server.maxRequestsInflight=800; may repeat")
	flags := c.Flags()
	flags.StringVarP(&f.manifests, "manifests", "f", "", "`files` or folders of manifests in place of the scenario's, as OLD..NEW; nothing before .. keeps its own")
	flags.StringVar(&f.version, "kubernetes-version", "", "`release` of the servers, or A..B")
	flags.StringVar(&f.seats, seatsFlag, "", "`number` of seats of each server, or A..B")
	flags.StringVar(&f.reads, readsFlag, "", "the server's flag, a `number`, or A..B")
	flags.StringVar(&f.writes, writesFlag, "", "the server's flag, a `number`, or A..B")
	flags.Uint64Var(&f.seed, "seed", 0, "`number` that all random numbers of both sides derive from, in place of the scenario's")
	flags.IntVar(&f.replications, "replications", 0, "`number` of independent runs of each side (default: the scenario's, at least 5)")
	flags.IntVar(&f.workers, "workers", 0, "`number` of replications that run side by side (default: one for each core)")
	flags.StringArrayVar(&f.failOn, "fail-on", nil, "`condition` that must not be so of a difference; may repeat")
	flags.BoolVar(&f.all, "all", false, "show all figures, those that do not differ too")
	return c
}

// run compares and prints.
func (f *compareFlags) run(p *Process, args []string) error {
	targets, err := f.output.targets(append(compareFormNames(), proposalForms...)...)
	if err != nil {
		return err
	}
	if err := f.check(p); err != nil {
		return err
	}
	pair, err := f.sides(p, args)
	if err != nil {
		return err
	}
	if err := f.resolve(pair); err != nil {
		return err
	}
	if err := pair.proposable(targets); err != nil {
		return err
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	r := &runner{process: p, workers: f.workers}
	if err := pair.run(r); err != nil {
		return withCleanup(err, files)
	}
	if pair.a.result == nil || pair.b.result == nil {
		return withCleanup(verdict(exitInterrupted), files)
	}
	done := compare.Compare(pair.a.input(), pair.b.input())
	done.Notes, done.Results = pair.notes, []*reports.Result{pair.a.result, pair.b.result}
	done.Judge(pair.a.result, pair.b.result, f.conditions)
	if err := writeComparison(p, done, f.all, targets, writers); err != nil {
		return withCleanup(err, files)
	}
	if err := pair.propose(targets, writers); err != nil {
		return withCleanup(err, files)
	}
	if err := files.commit(); err != nil {
		return err
	}
	switch {
	case r.interrupted.Load():
		return verdict(exitInterrupted)
	case !done.Passed():
		return verdict(exitExpectation)
	}
	return nil
}

// check checks the flags that need no file.
func (f *compareFlags) check(p *Process) error {
	if f.given("replications") && (f.replications < 1 || f.replications > replicationsMax) {
		return usagef("", "--replications %d: legal are 1 to %d", f.replications, replicationsMax)
	}
	switch {
	case !f.given("workers"):
		f.workers = p.NumCPU
	case f.workers < 1:
		return usagef("", "--workers %d: legal are 1 and more", f.workers)
	}
	for _, text := range f.failOn {
		c, err := compare.ParseCondition(text)
		if err != nil {
			return markedFault(failOnFlag, err)
		}
		f.conditions = append(f.conditions, c)
	}
	return nil
}

// markedFault is the fault of the text of a flag, with a mark where it is.
func markedFault(flag string, err error) error {
	var bad *marked.Fault
	if !errors.As(err, &bad) {
		return err
	}
	return usagef(bad.Hint, "%s: %s", flag, bad.Unhinted())
}

// failOnFlag is the flag of conditions.
const failOnFlag = "--fail-on"

// resolve finds what the conditions are about, before anything runs.
func (f *compareFlags) resolve(pair *sidePair) error {
	names := pair.a.names().Join(pair.b.names())
	for _, c := range f.conditions {
		if err := c.Resolve(names); err != nil {
			return markedFault(failOnFlag, err)
		}
	}
	return nil
}

// openTargets creates the files of some targets.
func openTargets(p *Process, files *outputs, targets []target) ([]io.Writer, error) {
	var writers []io.Writer
	for _, t := range targets {
		w := p.Stdout
		if t.file != "" {
			var err error
			if w, err = files.create(t.file); err != nil {
				return nil, err
			}
		}
		writers = append(writers, w)
	}
	return writers, nil
}

// writeComparison renders a comparison to all targets. Conditions that fail are told on the standard
// error if no text tells of them.
func writeComparison(p *Process, done *compare.Comparison, all bool, targets []target, writers []io.Writer) error {
	told := false
	for i, t := range targets {
		told = told || t.form == formText && t.file == ""
		if slices.Contains(proposalForms, t.form) {
			continue
		}
		if err := renderComparison(p, writers[i], t, done, all); err != nil {
			return cannotWrite(t.file, err)
		}
	}
	for i := range done.Conditions {
		if j := &done.Conditions[i]; !told && !j.Passed() {
			fmt.Fprintln(p.Stderr, j)
		}
	}
	return nil
}

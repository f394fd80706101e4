package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/choose"
	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/vary"
	"github.com/spf13/cobra"
)

// tuneLong explains `apfsim tune`.
const tuneLong = `Search the values of some knobs for the cheapest ones that meet all goals in all scenarios.

Each --knob is a path, as --set has it, and the values that it may take, as --vary of apfsim
sweep has them. Each --goal says what a figure has to be, such as wait{leader-election,p99} <
100ms. Each --minimize is a price: the first one counts most, and the others where it is the
same.

Scenarios may say all that themselves, in their field tune: goals, knobs and minimize. A flag
replaces the list of its kind. Without --goal the goals of each scenario, or else what it
expects, have to hold in it; without --knob those of all scenarios may be changed.

Some figures are known without a run, and can be goals and prices too:

  seats                         the seats of all servers
  distance                      by which part each knob differs from today, added up
  objects                       the number of flow-control objects that change
  crushing{LEVEL,elephants=N}   the odds that the hand of a flow is covered by those of N others
  queued{LEVEL}                 the number of requests that the queues of a level hold
  longestWait{LEVEL}            how long a request may wait there that has no timeout of its own

seats{} with braces is the metric of that name: the seats in use.

A goal is met if its interval of 95 % over the replications lies wholly within the bound. What
is proposed is held against the goals again, on replications that the search has not seen.

How is searched depends on the problem, and is told: points that the API server refuses, or
that miss a goal for certain, are left out without a run; one knob is bisected; several
are tried in the order of the price, or race; many are left to CMA-ES. The same seed and budget
give the same answer, however many workers there are.

With --results what was run is kept in a folder, and a search that was stopped goes on where
it was. With --shard i/n each stage of the search runs its part and stops; the next stage
needs the parts of all shards, which apfsim merge puts together.`

// The flags whose texts faults point into.
const (
	knobFlag     = "--knob"
	goalFlag     = "--goal"
	minimizeFlag = "--minimize"
)

// The defaults of a search.
const (
	defaultBudget       = 400
	defaultReplications = 5
	firstReplications   = 3
)

// tuneFlags are the flags of `apfsim tune`.
type tuneFlags struct {
	output                 outputFlag
	variation              variationFlags
	study                  studyFlags
	knobs, goals, minimize []string
	budget                 int
	budgetRequests         int64
}

// tuneForms are the forms of a proposal; those of a hand-over need one that was found.
var tuneForms = append([]string{formText, formMarkdown, formJSON, formCSV}, proposalForms...)

// tuneCommand makes `apfsim tune`.
func tuneCommand(p *Process) *cobra.Command {
	var f tuneFlags
	c := &cobra.Command{
		Use:   "tune SCENARIO...",
		Short: "Search settings that meet goals, at the least price",
		Long:  tuneLong,
		Example: `  apfsim tune agent-sandbox-burst --goal 'wait{controller,p99} < 150ms' --knob priorityLevel/agent-sandbox-critical.shares=40..400:20 --replications 2
  apfsim tune elephants-and-mice --goal 'crushing{workload-low,elephants=4} < 0.001' --knob priorityLevel/workload-low.queues=16..512:*2 --knob priorityLevel/workload-low.handSize=2..8 --minimize 'queued{workload-low}' --replications 2
  apfsim tune lists-never-read
  apfsim tune agent-sandbox-burst --goal 'wait{controller,p99} < 150ms' --knob server.maxRequestsInflight=400..3000:200 --minimize seats --replications 2 -o json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name a file, or one of those that apfsim scenarios list prints", "no scenario to tune")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, args []string) error {
			f.study.given = c.Flags().Changed
			return f.run(p, args)
		},
	}
	f.output.register(c, strings.Join(tuneForms, ", ")+",\neach as FORM or FORM=FILE; may repeat")
	f.variation.register(c)
	flags := c.Flags()
	flags.StringArrayVar(&f.knobs, "knob", nil, "`PATH=VALUES` that may be chosen: 32,64,128 or 200..800:100 or 16..512:*2; may repeat\n"+
		"(default: those of the scenarios)")
	flags.StringArrayVar(&f.goals, "goal", nil, "`figure` and what it has to be, such as wait{leader-election,p99} < 100ms; may repeat\n"+
		"(default: those of the scenarios, or what they expect)")
	flags.StringArrayVar(&f.minimize, "minimize", nil, "`figure` to make small, such as seats or wait{workload-low,p99}; may repeat\n"+
		"(default: those of the scenarios, or distance)")
	flags.IntVar(&f.budget, "budget", defaultBudget, "largest `number` of runs of the search, each one replication of one scenario")
	flags.Int64Var(&f.budgetRequests, "budget-requests", 0, "`number` of simulated requests after which no stage of the search begins, beside --budget")
	f.study.register(flags)
	flags.Lookup("replications").Usage = "`number` of independent runs of each point (default: the scenario's, and 5 at least)"
	flags.Lookup("shard").Usage = "`i/n`: run only every n-th run of a stage, from number i on, 0 to n-1, or auto for that of the Job"
	return c
}

// run searches and prints the proposal.
func (f *tuneFlags) run(p *Process, args []string) error {
	targets, err := f.output.targets(tuneForms...)
	if err != nil {
		return err
	}
	t, err := f.tuner(p, args)
	if err != nil {
		return err
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	proposal, err := t.propose()
	if err != nil {
		return withCleanup(t.stopped(err), files)
	}
	for i, to := range targets {
		if err := t.render(writers[i], to, proposal); err != nil {
			return withCleanup(err, files)
		}
	}
	if err := files.commit(); err != nil {
		return err
	}
	return outcomeOf(proposal)
}

// outcomeOf is the exit code of a proposal.
func outcomeOf(p *tuning.Proposal) error {
	switch p.Outcome {
	case tuning.Found:
		return nil
	case tuning.Exhausted:
		return verdict(exitLimit)
	}
	return verdict(exitExpectation)
}

// render renders a proposal in one form.
func (t *tuner) render(w io.Writer, to target, proposal *tuning.Proposal) error {
	var err error
	switch {
	case slices.Contains(proposalForms, to.form):
		return t.handOver(w, to, proposal)
	case to.form == formCSV:
		err = proposal.WriteCSV(w)
	case to.form == formJSON:
		err = reports.WriteIndented(w, proposal)
	case to.form == formMarkdown:
		err = proposal.WriteMarkdown(w)
	case to.file != "":
		err = proposal.WriteText(w, 0)
	default:
		err = proposal.WriteText(w, t.process.columns(t.process.StdoutTerminal))
	}
	if err != nil {
		return cannotWrite(to.file, err)
	}
	return nil
}

// handOver writes what leads from today's configuration to the proposed one: nothing without an answer.
// All scenarios have to need the same.
func (t *tuner) handOver(w io.Writer, to target, proposal *tuning.Proposal) error {
	if proposal.Recommended == nil {
		_, err := io.WriteString(w, "# Nothing is proposed: "+proposal.Outcome+".\n")
		return err
	}
	var settings []scenarios.Setting
	for _, s := range proposal.Recommended.Settings {
		settings = append(settings, scenarios.Setting{Flag: knobFlag, Text: s.Path + "=" + s.Value})
	}
	var first string
	for i, s := range t.sources {
		after, faults := s.with(settings)
		if after == nil {
			return badInput{faults}
		}
		change, err := proposalBetween(s.base, after)
		if err != nil {
			return err
		}
		var b strings.Builder
		if err := writeProposal(&b, change, to.form); err != nil {
			return err
		}
		if i == 0 {
			first = b.String()
		} else if b.String() != first {
			return usagef("write them one by one, as in apfsim compare "+s.arg+" --set ... -o "+to.form,
				"-o %s: the scenarios %s and %s are configured differently", to.form, t.sources[0].id.Name, s.id.Name)
		}
	}
	if _, err := io.WriteString(w, first); err != nil {
		return cannotWrite(to.file, err)
	}
	return nil
}

// tuner reads what the flags ask for.
func (f *tuneFlags) tuner(p *Process, args []string) (*tuner, error) {
	if err := f.check(p); err != nil {
		return nil, err
	}
	sources, err := f.study.sources(p, args, &f.variation)
	if err != nil {
		return nil, err
	}
	t := &tuner{process: p, flags: f, sources: sources, asked: make([][]reports.Expectation, len(sources)), checked: map[string]*checkedPoint{}, counted: map[string]bool{}}
	if !f.study.given("replications") {
		t.full = defaultReplications
	}
	for _, s := range sources {
		t.full = max(t.full, s.id.Replications)
	}
	for _, s := range sources {
		s.id.Replications = t.full
	}
	if err := t.readKnobs(); err != nil {
		return nil, err
	}
	if err := t.readGoals(); err != nil {
		return nil, err
	}
	if err := t.readObjectives(); err != nil {
		return nil, err
	}
	if err := checkFactors(sources, knobFlag, t.factors, t.knobFault); err != nil {
		return nil, err
	}
	if err := t.findToday(); err != nil {
		return nil, err
	}
	if t.evaluator, err = f.study.evaluator(p, t.study()); err != nil {
		return nil, err
	}
	t.evaluator.note = t.note
	return t, t.checkValues()
}

// check checks the flags that need no file.
func (f *tuneFlags) check(p *Process) error {
	if err := f.study.check(p); err != nil {
		return err
	}
	switch {
	case f.study.given("replications") && f.study.replications < 2:
		return usagef("one run tells nothing of how sure its figures are", "--replications %d: legal are 2 to %d", f.study.replications, replicationsMax)
	case f.budget < 1:
		return usagef("", "--budget %d: legal are 1 and more", f.budget)
	case f.study.given("budget-requests") && f.budgetRequests < 1:
		return usagef("", "--budget-requests %d: legal are 1 and more", f.budgetRequests)
	}
	return nil
}

// problem is what is searched.
func (t *tuner) problem() *choose.Problem {
	p := &choose.Problem{
		Check: t.check, Run: t.run, Cost: len(t.sources), Budget: t.flags.budget, Seed: t.sources[0].id.Seed,
		First: t.first(), Full: t.full, Priced: true,
	}
	for i := range t.factors {
		p.Sizes = append(p.Sizes, len(t.factors[i].Values))
		p.Ordered = append(p.Ordered, ascending(&t.factors[i]))
	}
	p.Start = t.start()
	for i := range t.goals {
		p.NeedsRuns = p.NeedsRuns || t.goals[i].analytic == nil
	}
	for i := range t.objectives {
		simulated := t.objectives[i].analytic == nil
		p.NeedsRuns, p.Priced = p.NeedsRuns || simulated, p.Priced && !simulated
	}
	return p
}

// first is with how many replications a point begins.
func (t *tuner) first() int { return min(firstReplications, t.full) }

// ascending tells whether the values of a factor are numbers or times, each more than the one before.
func ascending(f *vary.Factor) bool {
	last := 0.0
	for i, text := range f.Values {
		x, ok := numberOf(text)
		if !ok || i > 0 && x <= last {
			return false
		}
		last = x
	}
	return true
}

// stopped turns what ended a search early into what the user has to know.
func (t *tuner) stopped(err error) error {
	var part partDone
	switch {
	case errors.Is(err, errStopped):
		e := t.evaluator
		if t.flags.study.results == "" {
			fmt.Fprintf(t.process.Stderr, "%d runs were made, and are lost; with --results FOLDER they would be kept\n", e.runs.Load())
		} else {
			fmt.Fprintf(t.process.Stderr, "%d records are in %s; the same command goes on from there\n", len(e.records), t.flags.study.results)
		}
		return verdict(exitInterrupted)
	case asPart(err, &part):
		fmt.Fprintf(t.process.Stderr, "shard %s: stage %d has %d records to make, of which %d are missing in %s; "+
			"put the folders of all shards together with apfsim merge, and go on with the next stage by the same command\n",
			&t.flags.study.shard, part.stage, part.tasks, part.missing, t.flags.study.results)
		return nil
	}
	return err
}

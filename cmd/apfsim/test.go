package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/cobra"
)

// testFlags are the flags of `apfsim test`.
type testFlags struct {
	run       runFlags
	pattern   string
	failFast  bool
	verbose   bool
	confident bool
	coverage  coverageFlags

	selected *regexp.Regexp // nil for all
}

// testCommand makes `apfsim test`.
func testCommand(p *Process) *cobra.Command {
	var f testFlags
	c := &cobra.Command{
		Use:   "test DIR|FILE|SCENARIO...",
		Short: "Test a configuration: what requests match, and what traffic makes of it",
		Long: `Run the tests and judge the expectations of scenarios, as a check in CI. Tests hold
single requests against the configuration, without traffic: which FlowSchema takes
them, which level, how many seats. Expectations hold a simulation against bounds.

A folder stands for all scenarios in it and in the folders within: files *.yaml and
*.yml of the kind Scenario. Other documents, such as the manifests that scenarios
name, are passed over. The name of a library scenario, and - for the standard input,
are fine too. All files are read and checked before the first one runs.

The exit code is 1 if anything fails, and 3 if a file is wrong or no scenario is
there. What failed says where the scenario demands it, what was wanted, what is so,
and by how much.

With --coverage it also says which FlowSchemas and rules no request and no test has
matched, and which levels had no traffic or always had seats to spare.`,
		Example: `  apfsim test apf/
  apfsim test apf/leader-election.yaml -v
  apfsim test apf/ --run 'leader-election|nodes' --fail-fast
  apfsim test apf/ -o text -o junit=report.xml -o github=annotations.txt
  apfsim test apf/ --coverage --coverage-min 80%`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name a folder, as in apfsim test .", "no scenario to test")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(c *cobra.Command, args []string) error {
			return f.test(p, args, c.Flags().Changed)
		},
	}
	f.register(c)
	return c
}

// register adds the flags to the command.
func (f *testFlags) register(c *cobra.Command) {
	f.run.output.register(c, formsHelp())
	f.run.variation.register(c)
	flags := c.Flags()
	flags.StringVar(&f.pattern, "run", "", "only what a regular expression matches: scenarios by their name, tests by `SCENARIO/TEST`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show what passes too")
	flags.BoolVar(&f.failFast, "fail-fast", false, "end with the first file that fails")
	flags.BoolVar(&f.confident, "confident", false, "let every expectation fail whose interval over the replications reaches beyond its bounds")
	flags.Uint64Var(&f.run.seed, "seed", 0, "`number` that all random numbers derive from, in place of the scenario's")
	flags.IntVar(&f.run.replications, "replications", 0, "`number` of independent runs, in place of the scenario's")
	flags.IntVar(&f.run.workers, "workers", 0, "`number` of replications that run side by side (default: one for each core)")
	f.coverage.register(flags)
}

// test finds the scenarios, runs them, and says how they did.
func (f *testFlags) test(p *Process, args []string, given func(string) bool) error {
	targets, err := f.targets(p, args, given)
	if err != nil {
		return err
	}
	if f.selected, err = regexp.Compile(f.pattern); err != nil {
		return usagef("as in --run 'leader-election|nodes'", "--run: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if err := f.coverage.check(given); err != nil {
		return err
	}
	options, err := f.run.variation.options(p)
	if err != nil {
		return err
	}
	loaded, others, err := findAll(p, args, options)
	if err != nil {
		return err
	}
	for _, s := range loaded {
		f.run.override(s, given)
	}
	files := newOutputs(p)
	out := &runOutput{process: p, files: files, targets: targets}
	if err := out.open(""); err != nil {
		return withCleanup(err, files)
	}
	t := &tester{
		testFlags: f, process: p, others: others, out: testTexts(out), aside: &out.aside,
		runner: &runner{process: p, workers: f.run.workers, overrides: f.run.overrides(given), matches: f.coverage.wanted},
	}
	if err := t.all(loaded); err != nil {
		return withCleanup(err, files)
	}
	if err := t.summary(len(loaded)); err != nil {
		return withCleanup(err, files)
	}
	if err := out.write(t.results, t.runner.interrupted.Load()); err != nil {
		return withCleanup(err, files)
	}
	return t.verdict()
}

// targets tells where the forms go. Those about the servers' own metrics are of one run.
func (f *testFlags) targets(p *Process, args []string, given func(string) bool) ([]target, error) {
	targets, err := f.run.targets(p, args, given)
	if form := wanted(targets, serverForms); err == nil && form != "" {
		err = usagef("apfsim run SCENARIO writes it", "-o %s is no form of tests", form)
	}
	return targets, err
}

// verdict is the outcome of the command.
func (t *tester) verdict() error {
	if err := t.runner.verdict(t.results); err != nil {
		return err
	}
	if !t.covered {
		return verdict(exitExpectation)
	}
	return nil
}

// findAll reads the scenarios that the arguments name, those in folders among them. others is how
// many files of the folders hold none.
func findAll(p *Process, args []string, o scenarios.Options) (loaded []*scenarios.Scenario, others int, err error) {
	var names []string
	var faults scenarios.Diagnostics
	for _, arg := range args {
		info, err := p.FS.Stat(arg)
		if _, library := scenarios.LibraryFile(arg); library || arg == "" || err != nil || !info.IsDir() {
			names = append(names, arg)
			continue
		}
		found, wrong := scenarios.FindScenarios(arg, scenarioFiles{p.FS, p.Stdin})
		if len(found.Files) == 0 && !wrong.HasErrors() {
			return nil, 0, inputf("a file *.yaml or *.yml of kind: Scenario is needed; apfsim scenarios show prints examples", "%s: no scenario is in this folder", arg)
		}
		names, others = append(names, found.Files...), others+found.Others
		faults = append(faults, wrong...)
	}
	loaded, err = loadAnyWith(p, once(names), o)
	if wrong := (badInput{}); errors.As(err, &wrong) {
		faults, err = append(faults, wrong.faults...), nil
	}
	if err == nil && faults.HasErrors() {
		err = badInput{faults}
	}
	return loaded, others, err
}

// once leaves out names that have been there before: a folder and a file in it are both given. The
// standard input is left, so that it is refused.
func once(names []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, name := range names {
		if name == "-" || !seen[name] {
			out = append(out, name)
		}
		seen[name] = true
	}
	return out
}

// selects tells whether --run lets a scenario run, and which of its tests.
func (f *testFlags) selects(s *scenarios.Scenario) (traffic bool, tests []scenarios.Test) {
	for i := range s.Tests {
		if f.selected.MatchString(s.Name + "/" + s.Tests[i].Name) {
			tests = append(tests, s.Tests[i])
		}
	}
	return s.HasTraffic() && f.selected.MatchString(s.Name), tests
}

// quantity is a number of things, in words.
func quantity(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// display is how the lines of a test name a scenario.
func display(s *scenarios.Scenario) string {
	if s.InLibrary {
		return s.Name
	}
	return s.File
}

// sum adds up what results hold.
func sum(results []*reports.Result) (expectations, failed, tests, missed int) {
	for _, r := range results {
		expectations, tests = expectations+len(r.Expectations), tests+len(r.Tests)
		for i := range r.Expectations {
			if r.Expectations[i].Outcome != reports.Passed {
				failed++
			}
		}
		for i := range r.Tests {
			if r.Tests[i].Outcome != reports.Passed {
				missed++
			}
		}
	}
	return expectations, failed, tests, missed
}

// failedOf says how many of something failed, in words.
func failedOf(failed, n int, what string) string {
	return fmt.Sprintf("%d of %d %ss", failed, n, what)
}

package main

import (
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/spf13/cobra"
)

// reportCommand makes `apfsim report`.
func reportCommand(p *Process) *cobra.Command {
	var output outputFlag
	var plots plotsFlag
	var moments momentFlags
	var all bool
	c := &cobra.Command{
		Use:   "report RESULT...",
		Short: "Write saved results in other forms",
		Long: `Write results that "apfsim run -o json=RESULT" has saved in any form that run has, with
the same bytes. Nothing is simulated.

A RESULT is a file with one result or a list of them, or - for the standard input. Of
several the form is as of one run of several scenarios, in the order of the arguments. It
can also be what "apfsim compare -o json=RESULT" or "apfsim sweep -o json=RESULT" has saved,
alone, in the forms of these verbs.

The exit code is as of the run: 1 if an expectation of any of the results failed, or a
condition of the comparison.`,
		Example: `  apfsim report result.json
  apfsim report result.json -o markdown -o junit=report.xml
  apfsim report result.json --plots charts
  apfsim report monday.json tuesday.json -o csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("save one with apfsim run SCENARIO -o json=result.json", "no result to report")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(c *cobra.Command, args []string) error {
			return reportSaved(p, args, &output, &moments, &plots, all, c.Flags().Changed)
		},
	}
	output.register(c, formsHelp())
	plots.register(c.Flags())
	moments.register(c.Flags())
	c.Flags().BoolVar(&all, "all", false, "of a comparison, show all figures, those that do not differ too; of a sweep all points")
	return c
}

// reportSaved reads saved results and writes them.
func reportSaved(p *Process, args []string, output *outputFlag, moments *momentFlags, plots *plotsFlag, all bool, given func(string) bool) error {
	targets, err := output.targets(formNames()...)
	if err != nil {
		return err
	}
	if targets, err = moments.targets(targets); err != nil {
		return err
	}
	read, err := readDocuments(p, args)
	switch {
	case err != nil:
		return err
	case read.compared != nil:
		return reportComparison(p, read.compared, all, targets, given)
	case read.swept != nil:
		return reportSweep(p, read.swept, all, targets, given)
	case all:
		return usagef("leave it out", "--all is for a comparison or a sweep, and %s holds results", args[0])
	}
	files := newOutputs(p)
	out := &runOutput{process: p, files: files, targets: targets}
	if err := out.open(""); err != nil {
		return withCleanup(err, files)
	}
	if err := plots.open(p, given("plots")); err != nil {
		return withCleanup(err, files)
	}
	out.plots = *plots
	if err := out.write(read.results, false); err != nil {
		return withCleanup(err, files)
	}
	return verdictOf(read.results)
}

// reportComparison writes a saved comparison.
func reportComparison(p *Process, c *compare.Comparison, all bool, targets []target, given func(string) bool) error {
	if err := checkForms("comparison", compareFormNames(), targets, given); err != nil {
		return err
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	if err := writeComparison(p, c, all, targets, writers); err != nil {
		return withCleanup(err, files)
	}
	if err := files.commit(); err != nil {
		return err
	}
	if !c.Passed() {
		return verdict(exitExpectation)
	}
	return nil
}

// checkForms refuses flags and forms that are of results alone.
func checkForms(what string, forms []string, targets []target, given func(string) bool) error {
	for _, flag := range []string{"plots", "at"} {
		if given(flag) {
			return usagef("it is for results", "--%s says nothing about a %s", flag, what)
		}
	}
	for _, t := range targets {
		if !slices.Contains(forms, t.form) {
			return usagef("legal are "+strings.Join(forms, ", "), "-o %s is no form of a %s", t.form, what)
		}
	}
	return nil
}

// reportSweep writes a saved sweep.
func reportSweep(p *Process, t *study.Table, all bool, targets []target, given func(string) bool) error {
	if err := checkForms("sweep", tableForms, targets, given); err != nil {
		return err
	}
	files := newOutputs(p)
	writers, err := openTargets(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	if err := writeTable(p, t, all, targets, writers); err != nil {
		return withCleanup(err, files)
	}
	return files.commit()
}

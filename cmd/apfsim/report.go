package main

import (
	"github.com/spf13/cobra"
)

// reportCommand makes `apfsim report`.
func reportCommand(p *Process) *cobra.Command {
	var output outputFlag
	var plots plotsFlag
	var moments momentFlags
	c := &cobra.Command{
		Use:   "report RESULT...",
		Short: "Write saved results in other forms",
		Long: `Write results that "apfsim run -o json=RESULT" has saved in any form that run has, with
the same bytes. Nothing is simulated.

A RESULT is a file with one result or a list of them, or - for the standard input. Of
several the form is as of one run of several scenarios, in the order of the arguments.

The exit code is as of the run: 1 if an expectation of any of the results failed.`,
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
			return reportSaved(p, args, &output, &moments, &plots, c.Flags().Changed("plots"))
		},
	}
	output.register(c, formsHelp())
	plots.register(c.Flags())
	moments.register(c.Flags())
	return c
}

// reportSaved reads saved results and writes them.
func reportSaved(p *Process, args []string, output *outputFlag, moments *momentFlags, plots *plotsFlag, drawn bool) error {
	targets, err := output.targets(formNames()...)
	if err != nil {
		return err
	}
	if targets, err = moments.targets(targets); err != nil {
		return err
	}
	results, err := readSaved(p, args)
	if err != nil {
		return err
	}
	files := newOutputs(p)
	out := &runOutput{process: p, files: files, targets: targets}
	if err := out.open(""); err != nil {
		return withCleanup(err, files)
	}
	if err := plots.open(p, drawn); err != nil {
		return withCleanup(err, files)
	}
	out.plots = *plots
	if err := out.write(results, false); err != nil {
		return withCleanup(err, files)
	}
	return verdictOf(results)
}

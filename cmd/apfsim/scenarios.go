package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/apfsim/apfsim/internal/suggest"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/cobra"
)

// scenariosCommand makes `apfsim scenarios` and its verbs.
func scenariosCommand(p *Process) *cobra.Command {
	c := &cobra.Command{
		Use:   "scenarios",
		Short: "List and show the scenarios that come with apfsim",
		Long: `The library holds scenarios that can be run by name. Each tells a story in its
comments, and what to look at in the report.`,
		Example: `  apfsim scenarios list
  apfsim scenarios show elephants-and-mice`,
		Args: cobra.ArbitraryArgs,
		RunE: group,
	}
	c.AddCommand(listCommand(p), showCommand(p))
	return c
}

// listCommand makes `apfsim scenarios list`.
func listCommand(p *Process) *cobra.Command {
	var o outputFlag
	c := &cobra.Command{
		Use:   "list",
		Short: "List the library",
		Long:  "List the scenarios of the library with what they are about.",
		Example: `  apfsim scenarios list
  apfsim scenarios list -o name`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			form, err := o.single(formText, formName, formJSON)
			if err != nil {
				return err
			}
			return printLibrary(p, form)
		},
	}
	o.register(c, "text, name or json")
	return c
}

// scenarioList is what `apfsim scenarios list -o json` prints.
type scenarioList struct {
	APIVersion string        `json:"apiVersion"`
	Kind       string        `json:"kind"`
	Items      []scenarioRef `json:"items"`
}

// scenarioRef names one scenario.
type scenarioRef struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// printLibrary prints the library in one form.
func printLibrary(p *Process, form string) error {
	switch form {
	case formName:
		_, err := fmt.Fprintln(p.Stdout, strings.Join(libraryNames(), "\n"))
		return err
	case formJSON:
		list := scenarioList{APIVersion: outputVersion, Kind: "ScenarioList"}
		for _, s := range scenarios.Library() {
			list.Items = append(list.Items, scenarioRef(s))
		}
		return writeJSON(p.Stdout, list)
	}
	tw := tabwriter.NewWriter(p.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "NAME\tDESCRIPTION")
	for _, s := range scenarios.Library() {
		fmt.Fprintf(tw, "%s\t%s\n", s.Name, s.Description)
	}
	return tw.Flush()
}

// showCommand makes `apfsim scenarios show`.
func showCommand(p *Process) *cobra.Command {
	expand := false
	c := &cobra.Command{
		Use:   "show SCENARIO",
		Short: "Print a scenario as YAML",
		Long: `Print a scenario of the library as it was written, with the comments that tell its
story. It is a good start for a scenario of your own.

With --expand, presets are written out in the primitives that they stand for, and
defaults with their values, so that nothing is hidden. That works for files too.`,
		Example: `  apfsim scenarios show elephants-and-mice
  apfsim scenarios show leader-election --expand`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("see apfsim scenarios list", "scenarios show takes one scenario, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeScenarios,
		RunE: func(_ *cobra.Command, args []string) error {
			return show(p, args[0], expand)
		},
	}
	c.Flags().BoolVar(&expand, "expand", false, "write out presets and defaults")
	return c
}

// show prints one scenario.
func show(p *Process, arg string, expand bool) error {
	if !expand {
		text, ok := scenarios.LibraryFile(arg)
		if !ok && missing(p, arg) {
			return inputf(didYouMean(arg, libraryNames()), "%s: no scenario of the library has this name", arg)
		}
		if !ok {
			return usagef("give --expand to see what the file stands for", "%s is a file: print it yourself", arg)
		}
		_, err := p.Stdout.Write(text)
		return err
	}
	loaded, err := loadAll(p, []string{arg})
	if err != nil {
		return err
	}
	text, err := loaded[0].Expanded()
	if err != nil {
		return err
	}
	_, err = p.Stdout.Write(text)
	return err
}

// nearestScenario finds the library scenario that was probably meant.
func nearestScenario(name string) (string, bool) {
	return suggest.Nearest(name, libraryNames())
}

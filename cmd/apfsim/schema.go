package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/apfsim/apfsim/internal/jsonschema"
	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/calibration"
	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/reports/tuning"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/cobra"
)

// schemas are the published schemas.
var schemas = []struct {
	name, about string
	make        func() *jsonschema.Schema
}{
	{"scenario", "a scenario file", scenarios.Schema},
	{"result", "what run -o json writes, of one scenario or of several", reports.Schema},
	{"sweep", "what sweep -o json and merge -o json write", study.TableSchema},
	{"proposal", "what tune -o json writes", tuning.Schema},
	{"calibration", "what calibrate -o json writes", calibration.Schema},
	{"growth", "what plan -o json writes", study.GrowthSchema},
}

// schemaNames lists the names of the schemas.
func schemaNames() []string {
	var names []string
	for _, s := range schemas {
		names = append(names, s.name)
	}
	return names
}

// schemaCommand makes `apfsim schema`.
func schemaCommand(p *Process) *cobra.Command {
	var o outputFlag
	c := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of scenarios or of what is written as JSON",
		Long: `Print a JSON Schema, draft-07, of scenarios or of what is written as JSON; without a NAME,
list them.

The schema of scenarios lets editors complete and check scenario files as they are
written. It knows every field with its text, its default and what is legal. What follows
from other values apfsim itself checks when it reads the file.`,
		Example: `  apfsim schema
  apfsim schema scenario`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("", "schema takes one name, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(schemaNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listSchemas(p, &o)
			}
			if len(o.values) > 0 {
				return usagef("leave -o out", "a schema is JSON, and has no other form")
			}
			for _, s := range schemas {
				if s.name == args[0] {
					return reports.WriteIndented(p.Stdout, s.make())
				}
			}
			return usagef(didYouMean(args[0], schemaNames()), "there is no schema %q", args[0])
		},
	}
	o.register(c, "of the list: text or name")
	return c
}

// listSchemas lists the schemas.
func listSchemas(p *Process, o *outputFlag) error {
	form, err := o.single(formText, formName)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 8, 2, ' ', 0)
	if form == formText {
		fmt.Fprintln(w, "NAME\tOF\tADDRESS")
	}
	for _, s := range schemas {
		if form == formName {
			fmt.Fprintln(w, s.name)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.name, s.about, jsonschema.Address(s.name))
	}
	return w.Flush()
}

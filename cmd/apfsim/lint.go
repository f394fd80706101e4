package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/lint"
	"github.com/spf13/cobra"
)

// formSARIF is a form of output that only this verb has.
const formSARIF = "sarif"

// lintFlags are the flags of `apfsim lint`.
type lintFlags struct {
	configurationFlags
	output  outputFlag
	strict  bool
	disable []string
}

// lintCommand makes `apfsim lint`.
func lintCommand(p *Process) *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Check manifests of flow control and give advice on them",
		Long: `Check FlowSchemas and PriorityLevelConfigurations, as kubectl, Helm or Git give them,
together with the built-in objects of the server's release.

Errors are what the API server refuses. Warnings and notes are advice on what it takes
and what may not do what was meant: schemas that never match, levels that are too
small, names that nobody has. Each has a code, such as APF012; "apfsim explain APF012"
says why it matters, with a bad and a good example.

A comment "# apfsim:disable=APF012" disables advice: on a line or above it for that
line, on the first line of an object or above it for the object. --disable does so for
all files.

The exit code is 3 if there is an error, and 1 with --strict if there is a warning.`,
		Example: `  apfsim lint flowcontrol.yaml
  apfsim lint flowcontrol.yaml --kubernetes-version 1.31
  apfsim lint flowcontrol.yaml --strict --disable APF004
  apfsim lint flowcontrol.yaml -o text -o sarif=lint.sarif`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && len(f.filenames) == 0 {
				return usagef("name files or folders, or - for the standard input", "nothing to check")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			f.filenames = append(args, f.filenames...)
			return f.run(p)
		},
	}
	f.configurationFlags.register(c)
	f.output.register(c, "text, json, sarif or github, or text=FILE and so on; may repeat")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 1 if there is a warning")
	c.Flags().StringArrayVar(&f.disable, "disable", nil, "`code` of which nothing is to be said; may repeat")
	return c
}

// run checks the files and prints what was found.
func (f *lintFlags) run(p *Process) error {
	targets, err := f.output.targets(formText, formJSON, formSARIF, formGitHub)
	if err != nil {
		return err
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	files := newOutputs(p)
	writers, err := lintWriters(p, files, targets)
	if err != nil {
		return withCleanup(err, files)
	}
	cfg, faults, err := f.read(p, true)
	if err != nil {
		return withCleanup(err, files)
	}
	if cfg != nil {
		_, wrong := readTuning(&cfg.Tune, nil)
		faults = append(faults, wrong...)
	}
	options.Seats = f.reads + f.writes // a scenario among the files may have told them
	r := lint.NewResult(cfg, lint.CheckWith(cfg, faults, options), options)
	for i, t := range targets {
		if err := writeLint(writers[i], t.form, r, p.Build.Version); err != nil {
			return withCleanup(err, files)
		}
	}
	if err := files.commit(); err != nil {
		return err
	}
	switch {
	case r.Summary.Errors > 0:
		return verdict(exitInput)
	case f.strict && r.Summary.Warnings > 0:
		return verdict(exitExpectation)
	}
	return nil
}

// options checks the flags of the advice.
func (f *lintFlags) options() (lint.Options, error) {
	var o lint.Options
	if err := f.checkSize(); err != nil {
		return o, err
	}
	codes := lint.Codes()
	for _, value := range f.disable {
		for _, code := range strings.Split(value, ",") {
			if !slices.Contains(codes, code) {
				return o, usagef(didYouMean(code, codes), "--disable %s: there is no such code", value)
			}
			o.Disable = append(o.Disable, scenarios.Code(code))
		}
	}
	return o, nil
}

// lintWriters opens where the forms go.
func lintWriters(p *Process, files *outputs, targets []target) ([]io.Writer, error) {
	var out []io.Writer
	for _, t := range targets {
		if t.file == "" {
			out = append(out, p.Stdout)
			continue
		}
		w, err := files.create(t.file)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// writeLint writes a result in one form.
func writeLint(w io.Writer, form string, r *lint.Result, program string) error {
	switch form {
	case formText:
		return lint.WriteText(w, r)
	case formJSON:
		return lint.WriteJSON(w, r)
	case formSARIF:
		return lint.WriteSARIF(w, r, program)
	case formGitHub:
		return lint.WriteGitHub(w, r)
	}
	panic(fmt.Sprintf("no such form: %s", form))
}

// checkSize checks the two flags that make up the size of the server.
func (f *configurationFlags) checkSize() error {
	for _, n := range []struct {
		flag  string
		value int
	}{{readsFlag, f.reads}, {writesFlag, f.writes}} {
		if n.value < 0 || n.value > seatsMax {
			return usagef("", "--%s %d: legal are 0 to %d", n.flag, n.value, seatsMax)
		}
	}
	if f.reads+f.writes == 0 {
		return usagef("", "--%s and --%s are both 0: the server needs a seat", readsFlag, writesFlag)
	}
	return nil
}

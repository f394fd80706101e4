package main

import (
	"fmt"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/spf13/cobra"
)

// configurationFlags are the flags of the verbs that look at a configuration of flow
// control without traffic. Their names are kubectl's and kube-apiserver's.
type configurationFlags struct {
	filenames  []string
	recursive  bool
	version    string
	noDefaults bool
	reads      int
	writes     int
}

// The two flags of kube-apiserver whose sum is the seats of the server.
const (
	readsFlag  = "max-requests-inflight"
	writesFlag = "max-mutating-requests-inflight"
)

// register adds the flags to a command.
func (f *configurationFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVarP(&f.filenames, "filename", "f", nil, "`file` or folder of manifests, - for the standard input; may repeat")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "read the folders within folders too")
	flags.StringVar(&f.version, "kubernetes-version", scenarios.DefaultVersion, "`release` of the server, such as 1.28 or 1.28.4")
	flags.BoolVar(&f.noDefaults, "no-defaults", false, "leave out the suggested objects that come with the release")
	flags.IntVar(&f.reads, readsFlag, 400, "the server's flag, a `number`")
	flags.IntVar(&f.writes, writesFlag, 200, "the server's flag, a `number`")
}

// load reads the configuration. Warnings go to the standard error.
func (f *configurationFlags) load(p *Process) (*scenarios.Configuration, error) {
	loaded, faults, err := f.read(p, false)
	if err != nil {
		return nil, err
	}
	if faults.HasErrors() {
		return nil, badInput{faults}
	}
	fmt.Fprint(p.Stderr, faults)
	return loaded, nil
}

// read reads the configuration, if need be without the objects that have errors, and
// says what was found. The error is one of the flags.
func (f *configurationFlags) read(p *Process, keepSound bool) (*scenarios.Configuration, scenarios.Diagnostics, error) {
	v, err := release.Parse(f.version)
	if err != nil {
		return nil, nil, usagef("", "--kubernetes-version: %s", err)
	}
	var names []string
	for _, name := range f.filenames {
		if name == "-" {
			name = stdinName
		}
		names = append(names, name)
	}
	files := scenarioFiles{p.FS, p.Stdin}
	loaded, faults := scenarios.LoadConfiguration(names, files, scenarios.ConfigurationOptions{
		Release: v, NoDefaults: f.noDefaults, Recursive: f.recursive, KeepSound: keepSound,
	})
	return loaded, faults, nil
}

// scheduler makes the configuration of the scheduler of such a server.
func (f *configurationFlags) scheduler(c *scenarios.Configuration) scheduler.Config {
	cfg := c.Compile()
	cfg.Release = c.Release
	cfg.Seats = f.reads + f.writes
	cfg.RequestTimeout = scenarios.DefaultRequestTimeout
	cfg.ConsistentReadsFromCache = true
	return cfg
}

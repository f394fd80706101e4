package main

import (
	"fmt"
	"slices"

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
	validate   string
	noDefaults bool
	reads      int
	writes     int
	// stored tells that the objects are in a cluster already, whatever their version.
	stored bool
	// changed tells whether a flag was given; those that were not leave it to a scenario
	// among the files.
	changed func(flag string) bool
}

// The two flags of kube-apiserver whose sum is the seats of the server, and the flag that
// some verbs have in their place.
const (
	readsFlag  = "max-requests-inflight"
	writesFlag = "max-mutating-requests-inflight"
	seatsFlag  = "seats"
)

// The flag that tells what becomes of unknown fields.
const (
	validateFlag  = "validate"
	validateUsage = "`mode` for unknown and repeated fields, as kubectl has it: strict, warn or ignore"
)

// register adds the flags to a command.
func (f *configurationFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVarP(&f.filenames, "filename", "f", nil, "`file` or folder of manifests, - for the standard input; may repeat")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "read the folders within folders too")
	flags.StringVar(&f.version, "kubernetes-version", scenarios.DefaultVersion, "`release` of the server, such as 1.28 or 1.28.4")
	flags.BoolVar(&f.noDefaults, "no-defaults", false, "leave out the suggested objects that come with the release")
	flags.StringVar(&f.validate, validateFlag, string(scenarios.ValidateStrict), validateUsage)
	flags.IntVar(&f.reads, readsFlag, 400, "the server's flag, a `number`")
	flags.IntVar(&f.writes, writesFlag, 200, "the server's flag, a `number`")
	f.changed = flags.Changed
}

// load reads the configuration. Warnings go to the standard error. A scenario among the
// files tells what the flags do not.
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
	o, err := f.options()
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, name := range f.filenames {
		if name == "-" {
			name = stdinName
		}
		if name == stdinName && slices.Contains(names, name) {
			return nil, nil, usagef("", "- is there twice, and the standard input can be read once")
		}
		names = append(names, name)
	}
	o.KeepSound = keepSound
	loaded, faults := scenarios.LoadConfiguration(names, scenarioFiles{p.FS, p.Stdin}, o)
	if loaded != nil {
		f.settle(loaded.Server)
	}
	return loaded, faults, nil
}

// options makes the loader's options of the flags.
func (f *configurationFlags) options() (scenarios.ConfigurationOptions, error) {
	o := scenarios.ConfigurationOptions{NoDefaults: f.noDefaults, Recursive: f.recursive, Stored: f.stored}
	var err error
	if f.changed("kubernetes-version") {
		if o.Release, err = parseRelease("--kubernetes-version", f.version); err != nil {
			return o, err
		}
	}
	if f.changed(validateFlag) {
		if o.Validate, err = scenarios.ParseValidate(f.validate); err != nil {
			return o, usagef("", "--validate: %s", err)
		}
	}
	return o, nil
}

// parseRelease reads the value of a flag that names a release.
func parseRelease(flag, text string) (release.Version, error) {
	v, err := release.Parse(text)
	if err != nil {
		known := scenarios.Versions()
		return v, usagef(fmt.Sprintf("%s to %s are known, with or without a patch", known[0], known[len(known)-1]), "%s: %s", flag, err)
	}
	return v, nil
}

// settle takes the size of the server from a scenario among the files, unless flags tell
// it.
func (f *configurationFlags) settle(s *scenarios.ServerSettings) {
	if s == nil || f.changed(seatsFlag) {
		return
	}
	if !f.changed(readsFlag) {
		f.reads = s.MaxRequestsInflight
	}
	if !f.changed(writesFlag) {
		f.writes = s.MaxMutatingRequestsInflight
	}
}

// scheduler makes the configuration of the scheduler of such a server, after load.
func (f *configurationFlags) scheduler(c *scenarios.Configuration) scheduler.Config {
	cfg := c.Compile()
	cfg.Release = c.Release
	cfg.Seats = f.reads + f.writes
	cfg.RequestTimeout = scenarios.DefaultRequestTimeout
	cfg.ConsistentReadsFromCache = true
	if c.Server != nil {
		cfg.RequestTimeout, cfg.ConsistentReadsFromCache = c.Server.RequestTimeout, c.Server.ConsistentReadsFromCache
	}
	return cfg
}

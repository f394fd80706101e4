package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/apfsim/apfsim/reports/study"
	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/workload"
)

// studied is one scenario of a study: as the user named it, and what it is without any setting
// that is searched.
type studied struct {
	process *Process
	arg     string
	// stdin is what the standard input held, for the argument -.
	stdin []byte
	// settings are those of --set, which hold at every point, and manifests those in place of the scenario's.
	options scenarios.Options
	// base is the scenario as it is, and id what a study says of it.
	base *scenarios.Scenario
	// traces are those of the base, which no point reads again.
	traces map[string]*workload.Trace
	id     study.Scenario
}

// studiedOf reads the scenarios of a study as they are, and refuses those in which nothing happens.
func studiedOf(p *Process, args []string, o scenarios.Options, seed *uint64, replications int) ([]*studied, error) {
	from := *p
	var stdin []byte
	if slices.Contains(args, "-") {
		var err error
		if stdin, err = readInput(p, "-"); err != nil {
			return nil, inputf("", "<stdin>: cannot read the file: %s", fileReason(err))
		}
		from.Stdin = bytes.NewReader(stdin)
	}
	loaded, err := loadAllWith(&from, args, o)
	if err != nil {
		return nil, err
	}
	var out []*studied
	for i, s := range loaded {
		if slices.ContainsFunc(loaded[:i], func(o *scenarios.Scenario) bool { return o.Name == s.Name }) {
			return nil, usagef("rename one of them: metadata.name", "two scenarios are called %s", s.Name)
		}
		one := &studied{process: p, arg: args[i], stdin: stdin, options: o, base: s, traces: tracesOf(s)}
		one.id = study.Scenario{Name: s.Name, Seed: s.Config.Seed, Replications: s.Replications}
		if seed != nil {
			one.id.Seed = *seed
		}
		if replications > 0 {
			one.id.Replications = replications
		}
		if one.id.Digest, err = one.digest(); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// tracesOf are the traces that a scenario has opened, by the names of their files.
func tracesOf(s *scenarios.Scenario) map[string]*workload.Trace {
	out := map[string]*workload.Trace{}
	for i := range s.Config.Populations {
		if t := s.Config.Populations[i].Trace; t != nil {
			out[t.Name()] = t
		}
	}
	return out
}

// digest is a hash of all that a scenario is made of. The names of the files are not in it: it is the
// same wherever they lie.
func (s *studied) digest() (string, error) {
	h := sha256.New()
	for _, source := range s.base.Sources {
		fmt.Fprintf(h, "%d\n", len(source.Text))
		h.Write(source.Text)
	}
	for i := range s.base.Config.Populations {
		t := s.base.Config.Populations[i].Trace
		if t == nil {
			continue
		}
		f, err := s.process.FS.Open(t.Name())
		if err != nil {
			return "", inputf("", "%s: cannot read the trace: %s", t.Name(), fileReason(err))
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", inputf("", "%s: cannot read the trace: %s", t.Name(), fileReason(err))
		}
	}
	for _, setting := range s.options.Settings {
		fmt.Fprintf(h, "%q\n", setting.Text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// with reads the scenario with further settings.
func (s *studied) with(settings []scenarios.Setting) (*scenarios.Scenario, scenarios.Diagnostics) {
	p := *s.process
	p.Stdin = bytes.NewReader(s.stdin)
	o := s.options
	o.Settings = append(slices.Clone(o.Settings), settings...)
	o.Traces = s.traces
	loaded, faults := loadOne(&p, s.arg, o)
	if loaded != nil {
		loaded.Config.Seed = s.id.Seed
	}
	return loaded, faults
}

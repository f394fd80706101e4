package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/apfsim/apfsim/scenarios"
)

// The forms of a proposal: what has to be done to a cluster so that it is configured otherwise.
const (
	formManifests = "manifests"
	formDiff      = "diff"
)

// proposalForms are the forms that need two configurations of one cluster, and no run.
var proposalForms = []string{formManifests, formDiff}

// proposalBetween tells what leads from the configuration of one scenario to that of another.
func proposalBetween(before, after *scenarios.Scenario) (*scenarios.Proposal, error) {
	var both [2]*scenarios.Configuration
	for i, s := range []*scenarios.Scenario{before, after} {
		loaded, faults := s.Configuration(s.Release)
		if loaded == nil {
			return nil, badInput{faults}
		}
		both[i] = loaded
	}
	return scenarios.Propose(both[0], both[1]), nil
}

// writeProposal writes a proposal in a form.
func writeProposal(w io.Writer, p *scenarios.Proposal, form string) error {
	text := manifestsText(p)
	if form == formDiff {
		text = proposalDiff(p)
	}
	_, err := io.WriteString(w, text)
	return err
}

// manifestsText is a file for kubectl apply: the objects that change, and as comments what no manifest
// can do.
func manifestsText(p *scenarios.Proposal) string {
	var b strings.Builder
	for _, line := range besides(p) {
		b.WriteString("# " + line + "\n")
	}
	if len(p.Objects) == 0 {
		b.WriteString("# No object of flow control changes.\n")
	}
	b.WriteString(p.Manifests())
	return b.String()
}

// besides says what has to be done that kubectl apply does not do.
func besides(p *scenarios.Proposal) []string {
	var out []string
	for _, f := range p.Flags {
		out = append(out, fmt.Sprintf("kube-apiserver --%s=%d # was %d", f.Name, f.After, f.Before))
	}
	for _, o := range p.Gone {
		out = append(out, fmt.Sprintf("kubectl delete %s %s", strings.ToLower(o.Kind), o.Name))
	}
	return out
}

// proposalDiff shows each object that changes as kubectl diff does, and the flags of the servers.
func proposalDiff(p *scenarios.Proposal) string {
	var b strings.Builder
	for _, list := range [][]scenarios.ProposedObject{p.Objects, p.Gone} {
		for _, o := range list {
			name := strings.ToLower(o.Kind) + "/" + o.Name
			b.Write(diff.Diff("live/"+name, []byte(o.Before), "proposed/"+name, []byte(o.After)))
		}
	}
	if len(p.Flags) > 0 {
		var flags [2]strings.Builder
		for _, f := range p.Flags {
			fmt.Fprintf(&flags[0], "--%s=%d\n", f.Name, f.Before)
			fmt.Fprintf(&flags[1], "--%s=%d\n", f.Name, f.After)
		}
		b.Write(diff.Diff("live/kube-apiserver", []byte(flags[0].String()), "proposed/kube-apiserver", []byte(flags[1].String())))
	}
	return b.String()
}

package main

import (
	"strings"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/cobra"
)

// The flags that stand in place of what a scenario says. Positions of faults begin with them.
const (
	setFlag       = "--set"
	manifestsFlag = "--manifests"
)

// variationFlags are those flags, of the verbs that run scenarios.
type variationFlags struct {
	sets, manifests []string
}

// register adds the flags to a command.
func (v *variationFlags) register(c *cobra.Command) {
	v.registerSet(c, "`PATH=VALUE` in place of what the scenario or one of its objects says, such as\n"+
		"server.maxRequestsInflight=800 or priorityLevel/workload-low.queues=64; may repeat")
	c.Flags().StringArrayVar(&v.manifests, "manifests", nil, "`file` or folder of manifests in place of the scenario's; may repeat")
}

// registerSet adds --set alone.
func (v *variationFlags) registerSet(c *cobra.Command, usage string) {
	c.Flags().StringArrayVar(&v.sets, "set", nil, usage)
}

// options are the flags as the loader takes them.
func (v *variationFlags) options(p *Process) (scenarios.Options, error) {
	var o scenarios.Options
	for _, text := range v.sets {
		if path, _, ok := strings.Cut(text, "="); !ok || path == "" {
			return o, usagef("for example --set server.maxRequestsInflight=800", "--set %s: PATH=VALUE is needed", text)
		}
		o.Settings = append(o.Settings, scenarios.Setting{Flag: setFlag, Text: text})
	}
	for _, name := range v.manifests {
		if name == "" {
			return o, usagef("is a variable of the shell empty?", "--manifests: the file has no name")
		}
	}
	o.Manifests, o.ManifestFiles = v.manifests, p.FS
	return o, nil
}

// words are the flags as a user would give them again.
func (v *variationFlags) words() []string { return v.wordsInside(asIs) }

// wordsInside are the flags where files have the names that inside tells.
func (v *variationFlags) wordsInside(inside func(string) string) []string {
	var out []string
	for _, name := range v.manifests {
		out = append(out, manifestsFlag, inside(name))
	}
	for _, text := range v.sets {
		out = append(out, setFlag, text)
	}
	return out
}

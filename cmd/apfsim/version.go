package main

import (
	"encoding/json"
	"fmt"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/spf13/cobra"
)

// versionCommand makes `apfsim version`.
func versionCommand(p *Process) *cobra.Command {
	var o outputFlag
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of apfsim and of the API server that it follows",
		Long:  "Print the version of apfsim, the releases of Kubernetes whose decisions it takes, and how it was built.",
		Example: `  apfsim version
  apfsim version -o json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			form, err := o.single(formText, formJSON)
			if err != nil {
				return err
			}
			return printVersion(p, form)
		},
	}
	o.register(c, "text or json")
	return c
}

// versionInfo is what `apfsim version -o json` prints.
type versionInfo struct {
	Version    string   `json:"version"`
	Revision   string   `json:"revision,omitempty"`
	Kubernetes []string `json:"kubernetes"`
	Go         string   `json:"go"`
	Platform   string   `json:"platform"`
}

// printVersion prints who we are.
func printVersion(p *Process, form string) error {
	v := versionInfo{p.Build.Version, p.Build.Revision, scenarios.Versions(), p.Build.Go, p.Build.Platform}
	if form == formJSON {
		return json.NewEncoder(p.Stdout).Encode(v)
	}
	fmt.Fprintf(p.Stdout, "apfsim      %s\n", v.Version)
	if v.Revision != "" {
		fmt.Fprintf(p.Stdout, "revision    %s\n", v.Revision)
	}
	fmt.Fprintf(p.Stdout, "kubernetes  %s to %s\n", v.Kubernetes[0], v.Kubernetes[len(v.Kubernetes)-1])
	fmt.Fprintf(p.Stdout, "built with  %s for %s\n", v.Go, v.Platform)
	return nil
}

package main

import (
	"io"

	"github.com/spf13/cobra"
)

// shells maps the shells to what writes their completion script, in the order in which
// the help names them.
var shells = []struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error
}{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) }},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) }},
}

// completionCommand makes `apfsim completion`.
func completionCommand(p *Process) *cobra.Command {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Long: `Print a script that completes verbs, flags and the names of library scenarios.

  bash        source <(apfsim completion bash)
  zsh         apfsim completion zsh > "${fpath[1]}/_apfsim"
  fish        apfsim completion fish > ~/.config/fish/completions/apfsim.fish
  powershell  apfsim completion powershell | Out-String | Invoke-Expression`,
		Example:   "  apfsim completion bash",
		ValidArgs: names,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("see apfsim completion --help", "completion takes the name of one shell, got %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return s.write(c.Root(), p.Stdout)
				}
			}
			return usagef(didYouMean(args[0], names), "no completion for the shell %q", args[0])
		},
	}
}

package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/apfsim/apfsim/cmd/apfsim/kubectl"
	"github.com/apfsim/apfsim/scenarios/explain"
)

// explainFlags are the flags of explain.
type explainFlags struct {
	configuration configurationFlags
	request       requestFlags
	stored        storedFlags
	traceLine     string
	all           bool
	output        outputFlag
}

// explainCommand makes `apfsim explain`.
func explainCommand(p *Process) *cobra.Command {
	f := &explainFlags{}
	c := &cobra.Command{
		Use:   "explain [kubectl SENTENCE | FIELD | CODE | -]",
		Short: "Explain a request, a field or a diagnostic",
		Long: `Explain what API Priority and Fairness makes of a request: which FlowSchema takes it
and which rule, subject and line decided that, why the others lost, its level, flow,
hash and hand of queues, its seats and how long it may wait, each with its arithmetic.

The request is given by flags, as a kubectl command line, or as a line of a trace
(--trace-line, or - for many from the standard input). A kubectl command line ends the
flags of apfsim: they go before it.

Without --group, the groups that follow from the user's name are added: those of a
service account, system:nodes for a node, and system:authenticated. The lines of a
trace are taken as they are.

A word such as scenario.server or flowschema.spec explains a field, and a code such
as FC004 a diagnostic.`,
		Example: `  apfsim explain --user alice --verb list --resource pods
  apfsim explain kubectl get pods -n prod --as system:serviceaccount:ci:bot
  apfsim explain -f flowcontrol.yaml --objects pods=50000x4000 kubectl get pods -A
  apfsim explain --user system:node:n1 --verb get --path /healthz
  apfsim explain scenario.server.requestTimeout
  apfsim explain FC004`,
		ValidArgsFunction: completeExplained,
		RunE:              func(c *cobra.Command, args []string) error { return f.run(p, c, args) },
	}
	f.configuration.register(c)
	f.request.register(c)
	f.stored.register(c)
	flags := c.Flags()
	flags.StringVar(&f.traceLine, "trace-line", "", "explain this `line` of a trace")
	flags.BoolVar(&f.all, "all", false, "show every FlowSchema that does not take the request")
	f.output.register(c, "text or json")
	// What follows kubectl is kubectl's.
	flags.SetInterspersed(false)
	return c
}

// run finds out what is to be explained.
func (f *explainFlags) run(p *Process, c *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] == "kubectl" {
		return f.sentence(p, c, args[1:])
	}
	args, helped, err := furtherFlags(c, args)
	if err != nil || helped {
		return err
	}
	form, err := f.output.single(formText, formJSON)
	if err != nil {
		return err
	}
	switch {
	case len(args) > 1:
		return usagef(kubectlHint(args), "explain takes one word, or kubectl and a command line, got %q", strings.Join(args, " "))
	case len(args) == 1 && args[0] == "-":
		return f.traces(p, c, form)
	case len(args) == 1:
		return f.word(p, c, args[0], form)
	case f.traceLine != "":
		return f.oneTraceLine(p, c, form)
	}
	r, err := f.request.request(c.Flags())
	if err != nil {
		return err
	}
	return f.requests(p, []explain.Request{r}, form, false)
}

// furtherFlags reads the flags behind the first word, which the command's own parser has
// left alone.
func furtherFlags(c *cobra.Command, args []string) (words []string, helped bool, err error) {
	for len(args) > 0 {
		words = append(words, args[0])
		if err := c.Flags().Parse(args[1:]); err != nil {
			return nil, false, flagFault(c, err)
		}
		args = c.Flags().Args()
	}
	if help, _ := c.Flags().GetBool("help"); help {
		return nil, true, c.Help()
	}
	return words, false, nil
}

// kubectlHint is for words that may be a command line of kubectl.
func kubectlHint(words []string) string {
	if _, err := kubectl.Parse(words, nil); err == nil || kubectl.Knows(words[0]) {
		return "did you mean apfsim explain kubectl " + strings.Join(words, " ") + "?"
	}
	return "see apfsim explain --help"
}

// otherFlag names a flag that was given and is none of those that may be, "" if there is
// none.
func otherFlag(flags *pflag.FlagSet, allowed ...string) string {
	name := ""
	flags.Visit(func(f *pflag.Flag) {
		if name == "" && !slices.Contains(allowed, f.Name) {
			name = "--" + f.Name
		}
	})
	return name
}

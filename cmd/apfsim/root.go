package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// run executes the command line of a process and returns its exit code. It never
// exits, and touches nothing outside of the process that it is given.
//
// The command runs on a goroutine of its own, so that a wish to stop is heard whatever
// it does. The first wish asks a verb to end early with what it has; the second, or the
// first where a verb has nothing to give, leaves it behind.
func run(p *Process) int {
	out, diagnostics := &stream{w: p.Stdout}, &stream{w: p.Stderr}
	inner := *p
	inner.Stdout, inner.Stderr, inner.stopper = out, diagnostics, &stopper{}
	done := make(chan int, 1)
	go func() { done <- execute(&inner) }()
	for {
		select {
		case code := <-done:
			return closing(code, out, diagnostics)
		case <-p.Signals:
			if inner.stopper.wish() {
				fmt.Fprintln(diagnostics, "interrupted: ending with what there is; once more to quit at once")
				continue
			}
			out.shut()
			if err := inner.stopper.abandon(); err != nil {
				fmt.Fprintf(diagnostics, "error: cannot remove a file: %s\n", fileReason(err))
			}
			diagnostics.shut()
			return exitInterrupted
		}
	}
}

// closing looks at what became of the standard output. That nobody reads it any more
// is no fault; that it cannot be written is one.
func closing(code int, out, diagnostics *stream) int {
	if err := out.fault(); err != nil && !readerGone(err) {
		fmt.Fprintf(diagnostics, "error: cannot write to the standard output: %s\n", fileReason(err))
		return max(code, exitInput)
	}
	return code
}

// execute runs the command and turns its error, or its panic, into an exit code.
func execute(p *Process) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = crashed(p.Stderr, r, debug.Stack())
		}
	}()
	root := newRoot(p)
	root.SetArgs(append([]string{}, p.Args...)) // not nil, which would mean os.Args
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	return report(p.Stderr, root.Execute())
}

// crashed prints a programmer's fault. The numbers in it are what a bug report needs.
func crashed(stderr io.Writer, what any, stack []byte) int {
	if c, ok := what.(crash); ok { // from another goroutine, whose stack matters
		what, stack = c.what, c.stack
	}
	fmt.Fprintf(stderr, "internal error: %v\n\n%s\nThis is a bug of apfsim. Please report it with the scenario and the lines above.\n", what, stack)
	return exitInternal
}

// stream is a writer that never fails: it remembers its first error and lets nothing
// through after it, so that printing code need not look at every write. It may be shut
// from another goroutine.
type stream struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// errShut is the error of a stream that takes no more.
var errShut = errors.New("the stream is shut")

// Write passes on what comes before the first error. It holds no lock while it writes:
// a reader that does not read must not keep the stream from being shut.
func (s *stream) Write(b []byte) (int, error) {
	if s.fault() == nil {
		if _, err := s.w.Write(b); err != nil {
			s.fail(err)
		}
	}
	return len(b), nil
}

// shut lets nothing through any more.
func (s *stream) shut() { s.fail(errShut) }

// fail remembers the first error.
func (s *stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// fault is the first error.
func (s *stream) fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// newRoot makes the command tree.
func newRoot(p *Process) *cobra.Command {
	root := &cobra.Command{
		Use:   "apfsim",
		Short: "Simulate API Priority and Fairness of kube-apiserver",
		Long: `apfsim simulates what kube-apiserver's API Priority and Fairness (APF) does to given
traffic: who waits, for how long, and who is rejected and why. It needs no cluster,
and takes the same decisions as kube-apiserver of any release from 1.20 to 1.37, to
the nanosecond. Questions that need no traffic it answers from manifests alone.

Data goes to the standard output and everything else to the standard error.

Exit codes:
` + strings.TrimRight(exitCodesText(), "\n"),
		Example: `  apfsim run elephants-and-mice
  apfsim explain kubectl get pods -A --as jane
  apfsim diff --kubernetes-version 1.33..1.34
  apfsim shuffle --queues 128 --hand-size 6 --elephants 1,4,16`,
		Version:       p.Build.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          group,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagFault)
	root.AddCommand(verbs(p)...)
	root.SetHelpCommand(helpCommand(root))
	root.SetUsageTemplate(usageTemplate)
	root.SetVersionTemplate("apfsim {{.Version}}\n")
	return root
}

// usageTemplate is the second half of each help text: cobra's own, in the words of this
// program and without the lines that say nothing.
const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} VERB{{else}}{{.UseLine}}{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableSubCommands}}

Verbs:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}

{{.CommandPath}} VERB --help explains a verb.{{else}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
`

// verbs lists the commands, each made in a file of its own.
func verbs(p *Process) []*cobra.Command {
	return []*cobra.Command{
		runCommand(p),
		testCommand(p),
		reportCommand(p),
		schemaCommand(p),
		compareCommand(p),
		sweepCommand(p),
		mergeCommand(p),
		planCommand(p),
		tuneCommand(p),
		lintCommand(p),
		explainCommand(p),
		importCommand(p),
		calibrateCommand(p),
		scenariosCommand(p),
		seatsCommand(p),
		diffCommand(p),
		shuffleCommand(p),
		versionCommand(p),
		completionCommand(p),
	}
}

// group runs a command that only holds others: alone it explains itself, and any word
// after it is an unknown verb.
func group(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	return unknownVerb(c, args[0])
}

// unknownVerb makes the fault of a word that is no verb of a command.
func unknownVerb(c *cobra.Command, word string) error {
	return usagef(didYouMean(word, verbNames(c)), "%q is no verb of %s", word, c.CommandPath())
}

// verbNames lists what may follow a command.
func verbNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// helpCommand replaces cobra's, which succeeds on an unknown topic.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Explain a verb",
		Long:  "Explain a verb, as VERB --help does.",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownVerb(c, rest[0])
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// flagFault turns an error of the flag parser into a fault with a hint.
func flagFault(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			name = "-" + unknown.GetSpecifiedName()
		}
		return usagef(didYouMean(name, flagNames(c)), "unknown flag %s for %s", name, c.CommandPath())
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		return usagef("see "+c.CommandPath()+" --help", "--%s %s: %s", f.Name, invalid.GetValue(), needed(f.Value.Type()))
	}
	return usagef("see "+c.CommandPath()+" --help", "%s", err)
}

// needed says what a flag of a type takes.
func needed(flagType string) string {
	switch flagType {
	case "int", "int64":
		return "a whole number is needed"
	case "uint64":
		return "a whole number of 0 or more is needed"
	case "intSlice":
		return "whole numbers are needed, separated by commas"
	case "bool":
		return "true or false is needed"
	}
	return "not a value of the type " + flagType
}

// flagNames lists the flags of a command as the user writes them.
func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	slices.Sort(names)
	return names
}

// noArguments refuses words after a verb that takes none.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef(fmt.Sprintf("see %s --help", c.CommandPath()), "%s takes no arguments, got %q", c.CommandPath(), args[0])
}

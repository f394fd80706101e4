package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/scenarios/start"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// formSummary and formScenario are the forms of `apfsim import dump`.
const (
	formSummary  = "summary"
	formScenario = "scenario"
)

// importDumpFlags are the flags of `apfsim import dump`.
type importDumpFlags struct {
	output    outputFlag
	at        string
	version   string
	manifests []string
	duration  time.Duration
	strict    bool
}

// importDumpCommand makes `apfsim import dump`.
func importDumpCommand(p *Process) *cobra.Command {
	var f importDumpFlags
	c := &cobra.Command{
		Use:   "dump FILE...",
		Short: "Make debug pages of a server the start of a run",
		Long: `Read debug pages of an API server as curl and kubectl get --raw save them
(dump_priority_levels, dump_queues and dump_requests below /debug/api_priority_and_fairness),
and tell what executes and waits, in which queues. A scrape of /metrics of the same time
may be among the files, for the limits and the virtual time, which the pages do not tell.

With -o scenario=FILE a scenario is written that begins where the pages tell, and in which
those who had requests there ask on. What was assumed is told on the standard error.`,
		Example: `  apfsim import dump levels.txt queues.txt requests.txt
  apfsim import dump levels.txt queues.txt requests.txt metrics.txt --manifests flowcontrol.yaml -o scenario=incident.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name files with debug pages", "no file to import")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return f.run(p, args) },
	}
	f.output.register(c, "summary; scenario=FILE writes a scenario; FORM=FILE writes a file, and -o may repeat")
	flags := c.Flags()
	flags.StringVar(&f.at, "at", "", "`time` at which the pages were made, as 2026-11-30T10:00:00.5Z (default: the latest time in them)")
	flags.StringVar(&f.version, "kubernetes-version", "", "`release` of the server, for the scenario")
	flags.StringSliceVar(&f.manifests, "manifests", nil, "`files` or folders with the FlowSchemas and PriorityLevelConfigurations of the server, for the scenario")
	flags.DurationVar(&f.duration, "duration", time.Minute, "how long the `time` is that the scenario goes on for")
	flags.BoolVar(&f.strict, "strict", false, "fail if the pages tell something that is not understood")
	return c
}

func (f *importDumpFlags) run(p *Process, args []string) error {
	targets, err := f.output.targets(formSummary, formScenario)
	if err != nil {
		return err
	}
	at, err := f.time()
	if err != nil {
		return err
	}
	files, err := readDumps(p, args)
	if err != nil {
		return err
	}
	moment, faults, account := dump.Read(files)
	if len(faults) > 0 {
		return dumpFaults(p.Stderr, faults)
	}
	for i := range moment.Servers {
		if !at.IsZero() {
			moment.Servers[i].Time, moment.Servers[i].Told = at, true
		}
	}
	if f.strict && len(account.LeftOut)+len(account.Assumed) > 0 {
		writeEntries(p.Stderr, "left out", account.LeftOut)
		writeEntries(p.Stderr, "noted", account.Assumed)
		return inputf("leave --strict out to go on without it", "not all of the pages is understood")
	}
	out := newOutputs(p)
	defer out.discard()
	for _, t := range targets {
		var w io.Writer = p.Stdout
		if t.file != "" {
			if w, err = out.create(t.file); err != nil {
				return err
			}
		}
		text := dumpSummary(moment)
		if t.form == formScenario {
			text = f.scenario(moment, args, t.file)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return cannotWrite(t.form, err)
		}
	}
	writeEntries(p.Stderr, "left out", account.LeftOut)
	writeEntries(p.Stderr, "noted", account.Assumed)
	if err := out.commit(); err != nil {
		return err
	}
	for _, t := range targets {
		if t.form == formScenario && t.file != "" {
			fmt.Fprintf(p.Stderr, "next: apfsim run %s\n", shellWord(t.file))
		}
	}
	return nil
}

// time reads --at.
func (f *importDumpFlags) time() (time.Time, error) {
	if f.at == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, f.at)
	if err != nil {
		return at, usagef("write 2026-11-30T10:00:00Z", "--at %q is no time", f.at)
	}
	return at, nil
}

// readDumps reads all files.
func readDumps(p *Process, args []string) ([]dump.File, error) {
	var files []dump.File
	for _, name := range args {
		err := readRecord(p, name, -1, func(name string, _ int32, text io.Reader) error {
			all, err := io.ReadAll(text)
			files = append(files, dump.File{Name: name, Text: all})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// faultsShown bounds how many faults of pages are shown.
const faultsShown = 20

// dumpFaults shows what is wrong with pages.
func dumpFaults(w io.Writer, faults []dump.Fault) error {
	for _, f := range faults[:min(len(faults), faultsShown)] {
		fmt.Fprintf(w, "%s:%d:%d: %s\n", f.File, f.Line, f.Column, f.Problem)
		if f.Legal != "" {
			fmt.Fprintf(w, "  legal: %s\n", f.Legal)
		}
		if f.Hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", f.Hint)
		}
	}
	if more := len(faults) - faultsShown; more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	return inputf("", "%d faults in the pages", len(faults))
}

// known is a number, - for one that no page tells.
func known(n int) string {
	if n == dump.Unknown {
		return "-"
	}
	return fmt.Sprint(n)
}

// scenario writes a scenario that begins where the pages tell.
func (f *importDumpFlags) scenario(m *dump.Moment, args []string, file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata:\n  name: from-dump\n  description: What executes and waits in debug pages, and those who sent it asking on.\n")
	if f.version != "" {
		fmt.Fprintf(&b, "kubernetesVersion: %q\n", f.version)
	}
	fmt.Fprintf(&b, "duration: %v\n", f.duration)
	if len(m.Servers) > 1 {
		fmt.Fprintf(&b, "server: {count: %d}\n", len(m.Servers))
	}
	if len(f.manifests) > 0 {
		b.WriteString("flowControl:\n  manifests:\n")
		for _, name := range f.manifests {
			fmt.Fprintf(&b, "  - %q\n", beside(name, file))
		}
	}
	b.WriteString("start:\n  dump:\n")
	for _, name := range args {
		fmt.Fprintf(&b, "  - %q\n", beside(name, file))
	}
	if f.at != "" {
		fmt.Fprintf(&b, "  at: %q\n", f.at)
	}
	mean := 100 * time.Millisecond
	if len(m.Servers) > 0 {
		if age := start.MeanAge(&m.Servers[0]); age > 0 {
			mean = age.Round(time.Microsecond)
			b.WriteString("  # Assumed: the requests that execute have executed for so long on average.\n")
		} else {
			b.WriteString("  # Assumed: no page tells for how long requests execute.\n")
		}
	}
	fmt.Fprintf(&b, "  duration: {exponential: {mean: %v}}\n", mean)
	writeSenders(&b, m, mean)
	return b.String()
}

// beside is a file as a scenario names it: relative to its own folder.
func beside(name, scenario string) string {
	if relative, err := filepath.Rel(filepath.Dir(scenario), name); err == nil && !filepath.IsAbs(name) {
		return filepath.ToSlash(relative)
	}
	return name
}

// sendersMax and asksMax bound what a scenario has of senders: it is to be read.
const (
	sendersMax = 30
	asksMax    = 5
)

// writeSenders writes clients that go on as those who had requests seem to have done.
func writeSenders(b *strings.Builder, m *dump.Moment, mean time.Duration) {
	if len(m.Servers) == 0 {
		return
	}
	senders := start.Senders(&m.Servers[0])
	if len(senders) == 0 {
		b.WriteString("# No requests with details are in the pages, so nobody is known who would ask on.\n")
		return
	}
	b.WriteString("# Assumed: rates, from how many requests came since the oldest one that waits (rejected ones are not\n# among them); groups, which no page tells, from the names.\nclients:\n")
	for i, s := range senders[:min(len(senders), sendersMax)] {
		fmt.Fprintf(b, "- name: sender-%d # %d waiting, %d executing in %s\n  user: %q\n  groups: [%s]\n", i+1, s.Waiting, s.Executing, s.Level, escaped(s.User), strings.Join(s.Groups, ", "))
		fmt.Fprintf(b, "  arrivals: {poisson: {rate: %.3g}}\n  duration: {exponential: {mean: %v}}\n  requests:\n", max(s.Rate, 0.001), mean)
		for _, a := range s.Asks[:min(len(s.Asks), asksMax)] {
			fmt.Fprintf(b, "  - {%s, weight: %d}\n", askText(&a), a.Count)
		}
	}
	if left := len(senders) - sendersMax; left > 0 {
		fmt.Fprintf(b, "# %d more had requests, with fewer of them.\n", left)
	}
}

// escaped keeps braces of a name from being placeholders.
func escaped(text string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(text) }

func askText(a *start.Ask) string {
	parts := []string{fmt.Sprintf("verb: %q", a.Verb)}
	for _, f := range []struct{ name, text string }{
		{"apiGroup", a.Group}, {"resource", a.Resource}, {"subresource", a.Subresource}, {"namespace", a.Namespace}, {"path", a.Path},
	} {
		if f.text != "" {
			parts = append(parts, fmt.Sprintf("%s: %q", f.name, escaped(f.text)))
		}
	}
	return strings.Join(parts, ", ")
}

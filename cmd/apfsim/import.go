package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/apfsim/apfsim/workload/recording"
)

// importCommand makes `apfsim import`, whose verbs are the kinds of records.
func importCommand(p *Process) *cobra.Command {
	c := &cobra.Command{
		Use:   "import",
		Short: "Turn what a cluster has recorded into a trace",
		Long: `Turn what a cluster has recorded into a trace, which apfsim run replays, and tell what the
record does not hold, what was left out and what was assumed.`,
		Example: "  apfsim import audit audit.log -o trace=incident.jsonl.gz -o replay=incident.yaml",
		Args:    cobra.ArbitraryArgs,
		RunE:    group,
	}
	c.AddCommand(importAuditCommand(p), importHTTPLogCommand(p), importDumpCommand(p), importMetricsCommand(p))
	return c
}

// The forms of what an import gives.
const (
	formTrace  = "trace"
	formReplay = "replay"
)

// importFlags are the flags that imports of requests have in common.
type importFlags struct {
	strict   bool
	from, to string
	sample   float64
	servers  []string
	names    anonymizeFlags
	fit      fitFlags
	output   outputFlag
}

// register adds the flags to a command.
func (f *importFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.strict, "strict", false, "fail if anything is malformed")
	flags.StringVar(&f.from, "from", "", "`time` from which on arrivals count, as 2026-11-30T10:00:00Z, or since the first second, as 5m; it is the start of the trace")
	flags.StringVar(&f.to, "to", "", "`time` at which arrivals do not count any more")
	flags.Float64Var(&f.sample, "sample", 1, "`share` of the requests that is kept, as 0.1; queues are shorter then than they were")
	flags.StringSliceVar(&f.servers, "servers", nil, "`names` of the API servers that the files are of, in their order; NAME=FILE names one, too")
	f.names.register(c)
	f.fit.register(c)
	f.output.register(c, "trace, JSON Lines, which is compressed if the name of the file ends with .gz; replay=FILE writes a scenario that replays the trace; scenario, populations of clients that are fitted to it; FORM=FILE writes a file, and -o may repeat")
}

// recordFile is a file of a record and the server that it is of: its name, "" if it has none.
type recordFile struct{ server, file string }

// files takes the arguments apart: FILE, or NAME=FILE.
func (f *importFlags) files(args []string) ([]recordFile, error) {
	if len(args) == 0 {
		return nil, usagef("name a file, or - for the standard input", "no file to import")
	}
	if len(f.servers) > 0 && len(f.servers) != len(args) {
		return nil, usagef("give a name for each file", "--servers has %d names for %d files", len(f.servers), len(args))
	}
	var all []recordFile
	stdin := 0
	for i, arg := range args {
		name, file, named := strings.Cut(arg, "=")
		switch {
		case len(f.servers) > 0:
			name, file = f.servers[i], arg
		case !named || strings.ContainsAny(name, `/\`):
			name, file = "", arg
		}
		if file == "" {
			return nil, usagef("write NAME=FILE", "%q names no file", arg)
		}
		if file == "-" {
			stdin++
		}
		all = append(all, recordFile{name, file})
	}
	if stdin > 1 {
		return nil, usagef("", "- is there twice, and the standard input can be read once")
	}
	unnamed := slices.IndexFunc(all, func(r recordFile) bool { return r.server == "" })
	if someNamed := slices.ContainsFunc(all, func(r recordFile) bool { return r.server != "" }); someNamed && unnamed >= 0 {
		return nil, usagef("write NAME=FILE for each, or for none", "%s is of no named server, but others are", all[unnamed].file)
	}
	return all, nil
}

// serverNames lists the servers of files, in the order in which they first occur: their numbers.
func serverNames(files []recordFile) []string {
	var names []string
	for _, f := range files {
		if f.server != "" && !slices.Contains(names, f.server) {
			names = append(names, f.server)
		}
	}
	return names
}

// read hands each file to a reader, with the number of its server: -1 where there is only one.
func (f *importFlags) read(p *Process, files []recordFile, read func(name string, server int32, text io.Reader) error) error {
	names := serverNames(files)
	for _, file := range files {
		server := int32(-1)
		if len(names) > 1 {
			server = int32(slices.Index(names, file.server))
		}
		if err := readRecord(p, file.file, server, read); err != nil {
			return err
		}
	}
	return nil
}

func readRecord(p *Process, name string, server int32, read func(string, int32, io.Reader) error) error {
	text := io.NopCloser(p.Stdin)
	if name != "-" {
		opened, err := p.FS.Open(name)
		if err != nil {
			return inputf("", "%s: cannot read the file: %s", name, fileReason(err))
		}
		text = opened
	}
	defer text.Close()
	if err := read(inputName(name), server, text); err != nil {
		return inputf("", "%s: cannot read the file: %s", inputName(name), fileReason(err))
	}
	return nil
}

// selection makes the bounds of what is wanted, and the start of the trace: --from, or the second
// in which the first request arrived. So a trace keeps its place within seconds, by which
// Retry-After is counted.
func (f *importFlags) selection(account *recording.Account) (recording.Selection, int64, error) {
	start := account.First - account.First%int64(time.Second)
	s := recording.Selection{}
	if f.sample <= 0 || f.sample > 1 {
		return s, 0, usagef("", "--sample %v: legal is more than 0 and up to 1", f.sample)
	}
	if f.sample < 1 {
		s.Share = f.sample
	}
	var err error
	if s.From, err = moment64("from", f.from, start); err != nil {
		return s, 0, err
	}
	if s.To, err = moment64("to", f.to, start); err != nil {
		return s, 0, err
	}
	if s.From != 0 && s.To != 0 && s.From >= s.To {
		return s, 0, usagef("", "--from %s is not before --to %s", f.from, f.to)
	}
	if s.From != 0 {
		start = s.From
	}
	return s, start, nil
}

// moment64 parses a time of day, or one since the start, as nanoseconds since 1970; "" is 0.
func moment64(flag, text string, start int64) (int64, error) {
	if text == "" {
		return 0, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return start + int64(d), nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return 0, usagef("write 2026-11-30T10:00:00Z, or 5m for five minutes after the first second of the record", "--%s %q is no time", flag, text)
	}
	return t.UnixNano(), nil
}

// replayScenario is a scenario that replays a trace, until just after the last request has ended.
func replayScenario(trace string, start int64, length time.Duration, servers int, stops []recording.Stop) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: replay}\n")
	fmt.Fprintf(&b, "duration: %v # from the first second of the record to the end of the last request\n", length.Truncate(time.Millisecond)+time.Millisecond)
	if servers > 1 {
		fmt.Fprintf(&b, "server: {count: %d}\n", servers)
	}
	writeOperations(&b, start, length, max(servers, 1), stops)
	fmt.Fprintf(&b, "clients:\n- name: recorded\n  trace: {file: %q}\n", trace)
	return b.String()
}

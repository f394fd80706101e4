package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// writeAccount tells what was read, in units such as events, what was left out and what was assumed.
func writeAccount(w io.Writer, a *recording.Account, unit string, servers []string) {
	fmt.Fprintf(w, "%-11s %d, of %d %s read\n", "requests", a.Requests, a.Lines, unit)
	if a.Seen {
		first, last := time.Unix(0, a.First).UTC(), time.Unix(0, a.Last).UTC()
		fmt.Fprintf(w, "%-11s %s to %s (%v)\n", "period", first.Format(time.RFC3339Nano), last.Format(time.RFC3339Nano), last.Sub(first))
	}
	if len(servers) > 0 {
		fmt.Fprintf(w, "%-11s %s\n", "servers", strings.Join(servers, ", "))
	}
	if a.Requests > 0 {
		fmt.Fprintf(w, "%-11s %s\n", "execution", evidenceText(a))
	}
	writeEntries(w, "left out", a.LeftOut)
	writeEntries(w, "assumed", a.Assumed)
	writeEntries(w, "noted", a.Notes)
	writeStops(w, a, servers)
	writeFaults(w, a)
}

// evidenceText lists where the execution times come from, the best first.
func evidenceText(a *recording.Account) string {
	var parts []string
	for e, n := range a.Evidence {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", recording.Evidence(e), n))
		}
	}
	return strings.Join(parts, ", ")
}

// writeEntries lists counts by reason.
func writeEntries(w io.Writer, title string, counts map[string]int64) {
	for _, e := range recording.Entries(counts) {
		fmt.Fprintf(w, "%-11s %d: %s\n", title, e.Count, e.Reason)
		title = ""
	}
}

// writeStops tells when servers seem to have stopped.
func writeStops(w io.Writer, a *recording.Account, servers []string) {
	for _, s := range a.Stops {
		who := ""
		if s.Server >= 0 {
			who = servers[s.Server] + " "
		}
		until := "until the record ends"
		if s.Next != recording.Never {
			until = fmt.Sprintf("to %s (%v)", time.Unix(0, s.Next).UTC().Format(time.RFC3339Nano), time.Duration(s.Next-s.Last))
		}
		fmt.Fprintf(w, "%-11s %sfrom %s %s, with %d requests that have no end: the server stopped, or a part of its log is missing\n",
			"silent", who, time.Unix(0, s.Last).UTC().Format(time.RFC3339Nano), until, s.Lost)
	}
}

// writeFaults shows the first of the malformed lines.
func writeFaults(w io.Writer, a *recording.Account) {
	if a.Malformed == 0 {
		return
	}
	fmt.Fprintf(w, "%-11s %d\n", "malformed", a.Malformed)
	for _, f := range a.Faults {
		fmt.Fprintf(w, "  %s:%d: %s", f.File, f.Line, f.Problem)
		if f.Text != "" {
			fmt.Fprintf(w, ": %q", f.Text)
		}
		fmt.Fprintln(w)
	}
	if more := a.Malformed - int64(len(a.Faults)); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/table"
)

// TextOptions tells how to lay out a text report.
type TextOptions struct {
	// Width is the number of columns; 0 is 100. Names are shortened to keep to it, figures
	// are not, so that below about 80 lines may be longer.
	Width int
	// Color allows the escape sequences of terminals.
	Color bool
}

const (
	defaultWidth = 100
	minWidth     = 40
)

// WriteText writes the report that an operator reads: what was run, who had trouble
// and why, then the figures by priority level, flow schema and population.
//
// "-" stands for no data. "~" marks a percentile of too few requests.
func WriteText(w io.Writer, r *Result, o TextOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	t := &text{result: r, width: max(o.Width, minWidth), color: o.Color}
	t.header()
	t.deadlocks()
	t.summary()
	t.verdicts()
	t.servers()
	t.levels()
	t.schemas()
	t.populations()
	t.operations()
	t.refusals()
	t.fates()
	t.backlogs()
	t.inversions()
	t.histograms()
	t.intervals()
	t.sharding()
	t.limits()
	t.footnotes()
	t.expectations()
	_, err := io.WriteString(w, t.b.String())
	return err
}

// text is a report in the making.
type text struct {
	b      strings.Builder
	result *Result
	width  int
	color  bool
	// hinted tells that a percentile of too few requests is in it.
	hinted bool
}

// style is the number of a terminal's graphic rendition (ECMA-48, SGR).
type style string

const (
	bold   style = "1"
	red    style = "31"
	yellow style = "33"
)

func (t *text) styled(s style, line string) string {
	if !t.color {
		return line
	}
	return "\x1b[" + string(s) + "m" + line + "\x1b[0m"
}

func (t *text) line(s string) { t.b.WriteString(s + "\n") }

// paragraph writes a text broken into lines, the second and later ones indented more.
func (t *text) paragraph(s style, body string) {
	for i, line := range table.Wrap(body, t.width-2*len(table.Indent)) {
		if i > 0 {
			line = table.Indent + line
		}
		line = table.Indent + line
		if s != "" {
			line = t.styled(s, line)
		}
		t.line(line)
	}
}

// section begins a section.
func (t *text) section(title string) {
	t.line("")
	t.line(t.styled(bold, title))
}

// table writes a table, if there is anything in it.
func (t *text) table(title string, tab *table.Table) {
	if tab.Empty() {
		return
	}
	t.section(title)
	t.rows(tab)
}

func (t *text) rows(tab *table.Table) {
	for _, line := range tab.Lines(t.width) {
		t.line(line)
	}
}

// header tells what was run.
func (t *text) header() {
	r := t.result
	t.line(t.styled(bold, r.Metadata.Name))
	t.field("server", fmt.Sprintf("Kubernetes %s, %s seats, request timeout %s",
		r.KubernetesVersion, formatCount(int64(r.Server.Seats)), formatTime(time.Duration(r.Server.RequestTimeout))))
	t.field("run", t.run())
	fingerprints := make([]string, len(r.Replications))
	for i, run := range r.Replications {
		fingerprints[i] = run.Fingerprint
	}
	t.field("fingerprint", strings.Join(fingerprints, " "))
	t.field("configuration", shortDigest(r.Configuration))
	t.changes()
	if r.Partial {
		t.paragraph(red, "PARTIAL RESULT: "+t.progress())
	}
}

// run describes the run in one line.
func (t *text) run() string {
	r := t.result
	length := "until the last request has ended"
	if r.Duration > 0 {
		length = formatTime(time.Duration(r.Duration)) + " of virtual time"
	}
	parts := []string{length}
	if r.Warmup > 0 {
		parts = append(parts, "the first "+formatTime(time.Duration(r.Warmup))+" left out")
	}
	parts = append(parts, fmt.Sprintf("seed %d", r.Seed))
	if n := len(r.Replications); n > 1 {
		parts = append(parts, fmt.Sprintf("%d replications (counts are their sums)", n))
	}
	return strings.Join(parts, ", ")
}

// progress tells how far an interrupted run got.
func (t *text) progress() string {
	var ends []string
	for _, run := range t.result.Replications {
		if run.Partial {
			ends = append(ends, formatDuration(time.Duration(run.End)))
		}
	}
	if len(ends) > 0 {
		return "interrupted at " + strings.Join(ends, ", ") + " of virtual time."
	}
	return fmt.Sprintf("interrupted; all replications but %d are missing.", len(t.result.Replications))
}

// field writes one line of the header, broken if need be.
func (t *text) field(name, value string) {
	const width = 15
	for i, line := range table.Wrap(value, t.width-width-len(table.Indent)) {
		if i > 0 {
			name = ""
		}
		t.line(table.Indent + fmt.Sprintf("%-*s", width, name) + line)
	}
}

// shortDigest keeps the first 12 digits of a digest, which is what people compare.
func shortDigest(digest string) string {
	scheme, digits, _ := strings.Cut(digest, ":")
	return scheme + ":" + digits[:min(12, len(digits))]
}

// footnotes explains the marks that were used.
func (t *text) footnotes() {
	if !t.hinted {
		return
	}
	t.line("")
	t.paragraph("", "~ too few requests for this percentile (p50 needs 2, p90 10, p99 100): no more than a hint")
}

// quantile writes a quantile of a distribution, marked if it is only a hint.
func (t *text) quantile(w *Wait, name string) string {
	if w == nil {
		return none
	}
	for _, q := range quantiles {
		if q.name == name {
			mark := ""
			if w.few(name) {
				mark, t.hinted = "~", true
			}
			return mark + formatDuration(time.Duration(*q.of(w)))
		}
	}
	panic(fmt.Sprintf("reports: no quantile %q", name))
}

// expectations tells what became of what the scenario expects.
func (t *text) expectations() {
	if len(t.result.Expectations) == 0 {
		return
	}
	t.section("Expectations")
	for i := range t.result.Expectations {
		t.line("  " + t.result.Expectations[i].String())
	}
}

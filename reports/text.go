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
	// Width is the number of columns; 0 is 100. Names are shortened to keep to it, and tables that
	// are too wide even so are folded.
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
	t := &text{result: r, width: max(o.Width, minWidth), more: 1}
	p := &layout{width: t.width, color: o.Color}
	for i, s := range t.outline() {
		p.section(&s, i == 0)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// text is a report in the making.
type text struct {
	result *Result
	// width is the number of columns that names are shortened to where they are part of a
	// sentence, 0 for any.
	width int
	// more is how many times as long as in a text lists may be.
	more int
	// part is what is being written about.
	part     Part
	sections []Section
	// hinted tells that a percentile of too few requests is in it.
	hinted bool
}

// section begins a section.
func (t *text) section(title string) {
	t.sections = append(t.sections, Section{Part: t.part, Title: title})
}

// ofLevel tells that the section that has begun is about a priority level.
func (t *text) ofLevel(name string) { t.sections[len(t.sections)-1].Level = name }

// add appends a block to the section that has begun.
func (t *text) add(b Block) {
	last := &t.sections[len(t.sections)-1]
	last.Blocks = append(last.Blocks, b)
}

// paragraph writes a text.
func (t *text) paragraph(tone Tone, body string) { t.add(Block{Text: body, Tone: tone}) }

// table writes a section of a table, if there is anything in it.
func (t *text) table(title string, tab *table.Table) {
	if tab.Empty() {
		return
	}
	t.section(title)
	t.rows(tab)
}

// rows writes a table.
func (t *text) rows(tab *table.Table) { t.add(Block{Table: tab}) }

// field writes a value with its name.
func (t *text) field(name, value string) { t.add(Block{Field: true, Label: name, Text: value}) }

// shorten shortens a name that stands in a line with so many other characters.
func (t *text) shorten(name string, others int) string {
	if t.width == 0 {
		return name
	}
	return table.Shorten(name, max(table.ShortestName, t.width-others))
}

// header tells what was run.
func (t *text) header() {
	r := t.result
	t.section(r.Metadata.Name)
	if r.TestsAlone() {
		t.field("server", "Kubernetes "+r.KubernetesVersion)
		t.field("run", "none, tests of the configuration alone")
		return
	}
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
		t.paragraph(Bad, "PARTIAL RESULT: "+t.progress())
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
	t.section("")
	t.paragraph(Plain, "~ too few requests for this percentile (p50 needs 2, p90 10, p99 100): no more than a hint")
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
	t.lines("Expectations", len(t.result.Expectations), func(i int) string { return t.result.Expectations[i].String() })
	t.lines("Tests of the configuration", len(t.result.Tests), func(i int) string { return t.result.Tests[i].String() })
}

// lines adds a section of lines, however long they are; none without lines.
func (t *text) lines(title string, n int, line func(int) string) {
	if n == 0 {
		return
	}
	t.section(title)
	for i := range n {
		t.add(Block{Text: line(i), Whole: true})
	}
}

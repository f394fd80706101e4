package calibration

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteMarkdown writes a calibration for a comment on a pull request, or the summary of a job.
func WriteMarkdown(w io.Writer, c *Calibration, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Calibration: %s\n\n", escape(c.Scenario))
	fmt.Fprintf(&b, "%s\n\n", escape(c.Summary()))
	fmt.Fprintf(&b, "Record %s (%s), from %s to %s. Simulated: %s; %s.\n",
		escape(c.Record), c.Source, clock(time.Duration(c.From)), clock(time.Duration(c.Until)), escape(c.Server()), c.Tolerance())
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "\n*%s*\n", escape(n))
	}
	if len(c.Reasons) > 0 {
		b.WriteString("\n### Likely reasons\n\n")
	}
	for i := range c.Reasons {
		r := &c.Reasons[i]
		fmt.Fprintf(&b, "%d. **%s** %s %s\n", i+1, escape(r.About()), escape(r.Evidence), escape(r.Remedy))
	}
	for _, t := range c.Tables(all) {
		writeTable(&b, t)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeTable writes a table; the headings over columns become a part of those.
func writeTable(b *strings.Builder, t Titled) {
	if t.Empty() {
		return
	}
	b.WriteString("\n")
	if t.Title != "" {
		fmt.Fprintf(b, "### %s\n\n", escape(t.Title))
	}
	heading := append([]string{}, t.Heading()...)
	at := 0
	for _, span := range t.Spans() {
		for range span.Columns {
			if span.Title != "" {
				heading[at] = span.Title + ", " + strings.TrimSpace(heading[at])
			}
			at++
		}
	}
	line := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + escape(strings.TrimRight(cell, " ")) + " ")
		}
		b.WriteString("|\n")
	}
	line(heading)
	for i := range heading {
		if i < t.Names() {
			b.WriteString("|---")
		} else {
			b.WriteString("|--:")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows() {
		line(row)
	}
}

// escape takes the meaning from what Markdown would read as its own.
var escaper = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "\n", " ")

func escape(s string) string { return escaper.Replace(s) }

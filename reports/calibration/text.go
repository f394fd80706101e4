package calibration

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/table"
)

// TextOptions tell how a calibration is written for people.
type TextOptions struct {
	// Width is the number of columns, 0 for the default of 80.
	Width int
	// Color marks what differs.
	Color bool
	// All shows every figure, not only those of what differs.
	All bool
}

const defaultWidth = 80

// Legend explains the tables.
const Legend = "* differs. A distance of 0 is the same, 1 is nothing in common; beside it, ± is what it may be by chance."

// spanStart is when the span of a row begins.
func (c *Calibration) spanStart(r *Row) time.Duration { return time.Duration(*r.From) }

// WriteText writes a calibration for people.
func WriteText(w io.Writer, c *Calibration, o TextOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	t := &text{Calibration: c, TextOptions: o}
	t.head()
	t.why()
	t.tables()
	_, err := io.WriteString(w, strings.Join(t.lines, "\n")+"\n")
	return err
}

// text is a calibration while it is written.
type text struct {
	*Calibration
	TextOptions
	lines []string
}

// field adds a text behind a word, in lines of the width.
func (t *text) field(word, words string) {
	indent := fmt.Sprintf("  %-11s", word)
	for _, line := range table.Wrap(words, t.Width-len(indent)) {
		t.lines = append(t.lines, indent+line)
		indent = strings.Repeat(" ", len(indent))
	}
}

// head says what is compared, and what came of it.
func (t *text) head() {
	t.lines = append(t.lines, "Calibration: "+t.Scenario)
	t.field("record", fmt.Sprintf("%s (%s), from %s to %s", t.Record, t.Source, clock(time.Duration(t.From)), clock(time.Duration(t.Until))))
	t.field("simulated", t.Server())
	t.field("tolerance", t.Tolerance())
	for _, n := range t.Notes {
		t.field("note", n)
	}
	t.lines = append(t.lines, "", "In short")
	tone := ""
	if t.Color && !t.Agrees() {
		tone = "\x1b[33m"
	}
	for _, line := range table.Wrap(t.Summary(), t.Width-2) {
		line = "  " + line
		if tone != "" {
			line = tone + line + "\x1b[0m"
		}
		t.lines = append(t.lines, line)
	}
}

// why lists the reasons.
func (t *text) why() {
	if len(t.Reasons) == 0 {
		return
	}
	t.lines = append(t.lines, "", "Likely reasons")
	for i := range t.Reasons {
		r := &t.Reasons[i]
		mark := fmt.Sprintf("  %d. ", i+1)
		for _, words := range []string{r.About(), r.Evidence, r.Remedy} {
			if words == "" {
				continue
			}
			for _, line := range table.Wrap(words, t.Width-len(mark)) {
				t.lines = append(t.lines, mark+line)
				mark = strings.Repeat(" ", len(mark))
			}
		}
	}
}

// add adds a table.
func (t *text) add(of Titled) {
	if of.Empty() {
		return
	}
	t.lines = append(t.lines, "")
	if of.Title != "" {
		t.lines = append(t.lines, of.Title)
	}
	t.lines = append(t.lines, of.Lines(t.Width)...)
}

// tables are the figures.
func (t *text) tables() {
	for _, of := range t.Tables(t.All) {
		t.add(of)
	}
	if !t.Agrees() {
		t.lines = append(t.lines, "")
		t.lines = append(t.lines, table.Wrap(Legend, t.Width)...)
	}
}

// Tables are the tables that are shown: an overview, and all figures of what differs, or of
// everything.
func (c *Calibration) Tables(all bool) []Titled {
	out := []Titled{c.overview(OfLevel, true)}
	for _, s := range c.subjectsOf(OfLevel) {
		if all || c.matters(s) {
			out = append(out, c.figures(s), c.overTime(s), c.use(s))
		}
	}
	out = append(out, c.overview(OfSchema, true))
	for _, s := range c.subjectsOf(OfSchema) {
		if all {
			out = append(out, c.figures(s))
		}
	}
	return append(out, c.overview(OfUsers, false), c.overview(OfServer, false))
}

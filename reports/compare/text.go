package compare

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/reports"
)

// TextOptions tell how a comparison is written for people.
type TextOptions struct {
	// Width is the number of columns, 0 for the default of 80.
	Width int
	// Color marks the verdicts.
	Color bool
	// All shows every figure, not only headlines that differ.
	All bool
}

// defaultWidth is the width of a text that nobody looks at right now.
const defaultWidth = 80

// WriteText writes a comparison for people.
func WriteText(w io.Writer, c *Comparison, o TextOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	t := &text{Comparison: c, TextOptions: o}
	t.head()
	t.configuration()
	t.rows()
	t.unclear()
	t.summary()
	t.footnotes()
	t.conditions()
	_, err := io.WriteString(w, strings.Join(t.lines, "\n")+"\n")
	return err
}

// text is a comparison while it is written.
type text struct {
	*Comparison
	TextOptions
	lines []string
	notes []string
	// chance tells that there is a row that may be chance.
	chance bool
}

// section begins a section after an empty line.
func (t *text) section(title string) { t.lines = append(t.lines, "", title) }

// paragraph adds a text in lines of the width.
func (t *text) paragraph(first, rest, words string) {
	for _, line := range table.Wrap(words, t.Width-max(len([]rune(first)), len([]rune(rest)))) {
		t.lines = append(t.lines, first+line)
		first = rest
	}
}

// note adds a footnote, unless it is there, and returns its mark.
func (t *text) note(words string) string {
	for i, n := range t.notes {
		if n == words {
			return superscript(i + 1)
		}
	}
	t.notes = append(t.notes, words)
	return superscript(len(t.notes))
}

// superscript writes the number of a footnote.
func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	var b strings.Builder
	for _, d := range strconv.Itoa(n) {
		b.WriteRune(digits[d-'0'])
	}
	return b.String()
}

// head says what is compared, and how.
func (t *text) head() {
	title := t.A.Scenario
	if t.B.Scenario != t.A.Scenario {
		title += " and " + t.B.Scenario
	}
	t.lines = append(t.lines, "Comparison: "+title)
	for _, s := range []struct {
		mark string
		Side
	}{{"A", t.A}, {"B", t.B}} {
		words := fmt.Sprintf("%s, Kubernetes %s, %s, %s", s.Name, s.KubernetesVersion, plural(s.Seats, "seat"), plural(s.Replications, "replication"))
		if s.Expected > 0 {
			words += fmt.Sprintf(", %d of %s passed", s.Passed, plural(s.Expected, "expectation"))
		}
		if s.Partial {
			words += ", interrupted"
		}
		t.paragraph("  "+s.mark+"  ", "     ", words)
	}
	t.paragraph("  ", "  ", t.method())
	for _, n := range t.Notes {
		t.paragraph("  note: ", "        ", n)
	}
}

// method says in words how the figures are compared.
func (c *Comparison) method() string {
	switch c.Method {
	case Paired:
		return fmt.Sprintf("paired: both sides have the random numbers of seed %d, so that replications are compared one by one; intervals of 95 %% by Student's t", c.A.Seed)
	case Unpaired:
		return "unpaired, since " + c.Why + "; intervals of 95 % by Welch's t"
	}
	return "no intervals: " + c.Why
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return reports.MetricArrivals.Text(reports.Value(n)) + " " + word + "s"
}

// shownSettings is how many differences of the configuration a text shows.
const shownSettings = 20

// shownValue is how many characters of one of them a text shows.
const shownValue = 240

// configuration lists what differs in the configuration, and which requests go elsewhere.
func (t *text) configuration() {
	if len(t.Configuration) > 0 {
		t.section("Configuration")
	}
	for i, s := range t.Configuration {
		if i == shownSettings && !t.All && len(t.Configuration) > shownSettings+1 {
			t.lines = append(t.lines, fmt.Sprintf("  and %d more: --all shows them", len(t.Configuration)-i))
			break
		}
		words := s.String()
		if !t.All {
			words = table.Shorten(words, shownValue)
		}
		t.paragraph("  ", "    ", words)
	}
	if len(t.Moved) == 0 {
		return
	}
	t.section("Requests that go elsewhere, per replication")
	tab := table.New(3, "client", "flow schema", "level", "A", "B")
	for _, m := range t.Moved {
		level := m.PriorityLevel
		if level == "" {
			level = "-"
		}
		tab.Add(m.Client, m.FlowSchema, level, count(m.A), count(m.B))
	}
	t.lines = append(t.lines, tab.Lines(t.Width)...)
}

func count(n reports.Number) string { return reports.MetricArrivals.Text(reports.Value(n)) }

// String says what a setting is on both sides.
func (s Setting) String() string {
	a, b := s.A, s.B
	if a == "" {
		a = "none"
	}
	if b == "" {
		b = "none"
	}
	return fmt.Sprintf("%s: %s → %s", s.Path, a, b)
}

// kindTitles are the titles of the tables.
var kindTitles = map[kind]string{
	ofLevel: "priority level", ofClient: "client", ofRun: "run", ofServer: "server", ofSchema: "flow schema",
}

// rows writes a table for each kind of subject.
func (t *text) rows() {
	for k := ofLevel; k <= ofSchema; k++ {
		rows := t.shown(k, t.All)
		if len(rows) > 0 {
			t.lines = append(t.lines, "")
			t.table(k, rows)
		}
	}
}

// table writes rows of one kind.
func (t *text) table(k kind, rows []*Row) {
	tab := table.New(2, kindTitles[k], "figure", "A", "B", "change", "±", "")
	last := "\x00"
	for _, r := range rows {
		_, name := r.kind()
		shown := name
		if name == last {
			shown = ""
		}
		last = name
		change, half := r.change()
		t.chance = t.chance || r.Verdict == Unclear && r.Why == ""
		tab.Add(shown, r.figure(), r.text(r.A), r.text(r.B), change, half, r.said()+t.mark(r))
	}
	for _, line := range tab.Lines(t.Width) {
		t.lines = append(t.lines, t.colored(line))
	}
}

// mark is the footnote of a row.
func (t *text) mark(r *Row) string {
	switch {
	case r.Why != "":
		return t.note(r.Why)
	case r.Verdict == Unclear:
		return "" // explained at the end
	case r.FewSamples:
		return t.note("the quantile rests on too few requests to be more than a hint")
	}
	return ""
}

// said is the verdict, of what may be chance with the number of replications that would tell.
func (r *Row) said() string {
	if r.Needed > 0 {
		return fmt.Sprintf("~ n≈%d", r.Needed)
	}
	return string(r.Verdict)
}

// text writes a value of the row.
func (r *Row) text(v *reports.Value) string {
	if v == nil {
		return "-"
	}
	return r.Metric.Text(*v)
}

// change writes the difference as a part of A with its half-width, or as it is where A is 0.
func (r *Row) change() (change, half string) {
	switch {
	case r.Difference == nil:
		return "-", "-"
	case r.Relative != nil && r.RelativeHalfWidth != nil:
		return signed(percent(*r.Relative)), percent(*r.RelativeHalfWidth)
	case r.Relative != nil:
		return signed(percent(*r.Relative)), "-"
	case r.HalfWidth == nil:
		return signed(r.Metric.Text(*r.Difference)), "-"
	}
	return signed(r.Metric.Text(*r.Difference)), r.Metric.Text(*r.HalfWidth)
}

// signed puts a plus before what is neither negative nor 0.
func signed(text string) string {
	if strings.HasPrefix(text, "-") || text == "0" || text == "0%" {
		return text
	}
	return "+" + text
}

// percent writes a part as a percentage, whole ones from 100 % on.
func percent(n reports.Number) string {
	x := 100 * float64(n)
	switch size := math.Abs(x); {
	case x == 0:
		return "0%"
	case size < 0.05:
		return strconv.FormatFloat(x, 'f', 2, 64) + "%"
	case size < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64) + "%"
	}
	return reports.MetricArrivals.Text(reports.Value(math.Round(x))) + "%"
}

// colors are the escapes of verdicts: red for what is worse, green for what is better.
var colors = map[Verdict]string{Worse: "\x1b[31m", Better: "\x1b[32m"}

// colored marks the verdict at the end of a line.
func (t *text) colored(line string) string {
	if !t.Color {
		return line
	}
	for _, v := range []Verdict{Worse, Better} {
		if i := strings.LastIndex(line, " "+string(v)); i >= 0 && len(line)-i < len(v)+8 {
			return line[:i+1] + colors[v] + line[i+1:] + "\x1b[0m"
		}
	}
	return line
}

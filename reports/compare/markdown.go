package compare

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// maxMarkdownRows is how many rows of one kind a comment shows: those of pull requests are
// bounded.
const maxMarkdownRows = 60

// WriteMarkdown writes a comparison for a pull request: what was demanded first, then what
// differs, and the details folded. With all it shows every figure.
func WriteMarkdown(w io.Writer, c *Comparison, all bool) error {
	m := &markdown{Comparison: c}
	m.line("### %s", m.title())
	m.line("")
	m.line("| | what | Kubernetes | seats | replications | expectations |")
	m.line("|---|---|---|--:|--:|---|")
	for _, s := range []struct {
		mark string
		Side
	}{{"A", c.A}, {"B", c.B}} {
		m.line("| %s | %s | %s | %d | %d | %d of %d passed |", s.mark, code(s.Name), escape(s.KubernetesVersion), s.Seats, s.Replications, s.Passed, s.Expected)
	}
	m.conditions()
	for k := ofLevel; k <= ofSchema; k++ {
		m.table(k, c.shown(k, all))
	}
	m.doubts()
	m.line("")
	m.line("%s", escape(c.Summary()))
	m.line("%s.", escape(upperFirst(c.method())))
	for _, n := range c.Notes {
		m.line("Note: %s.", escape(n))
	}
	m.configuration()
	m.commands()
	_, err := io.WriteString(w, strings.Join(m.lines, "\n")+"\n")
	return err
}

// markdown is a comparison while it is written.
type markdown struct {
	*Comparison
	lines []string
}

func (m *markdown) line(format string, args ...any) {
	m.lines = append(m.lines, fmt.Sprintf(format, args...))
}

// title says at once how it went.
func (m *markdown) title() string {
	title := "Comparison: " + escape(m.A.Scenario)
	if m.B.Scenario != m.A.Scenario {
		title += " and " + escape(m.B.Scenario)
	}
	failed := 0
	for i := range m.Conditions {
		if !m.Conditions[i].Passed() {
			failed++
		}
	}
	switch {
	case failed > 0:
		return fmt.Sprintf("❌ %s: %d of %s failed", title, failed, plural(len(m.Conditions), "condition"))
	case len(m.Conditions) > 0:
		return fmt.Sprintf("✅ %s: %s passed", title, plural(len(m.Conditions), "condition"))
	}
	return title
}

// conditions lists what became of each condition.
func (m *markdown) conditions() {
	if len(m.Conditions) == 0 {
		return
	}
	m.line("")
	m.line("| condition | outcome | want | got | |")
	m.line("|---|---|---|---|---|")
	for i := range m.Conditions {
		j := &m.Conditions[i]
		m.line("| %s | %s | %s | %s | %s |", code(j.Condition), j.Outcome, escape(j.Want), escape(j.Got), escape(j.certainty()))
	}
}

// table writes rows of one kind.
func (m *markdown) table(k kind, rows []*Row) {
	if len(rows) == 0 {
		return
	}
	m.line("")
	m.line("| %s | figure | A | B | change | ± | |", kindTitles[k])
	m.line("|---|---|--:|--:|--:|--:|---|")
	for i, r := range rows {
		if i == maxMarkdownRows {
			m.line("| and %d more | | | | | | |", len(rows)-i)
			return
		}
		_, name := r.kind()
		change, half := r.change()
		verdict := r.said()
		if r.Verdict == Worse || r.Verdict == Better {
			verdict = "**" + verdict + "**"
		}
		m.line("| %s | %s | %s | %s | %s | %s | %s |", escape(name), r.figure(), r.text(r.A), r.text(r.B), change, half, escape(verdict))
	}
}

// doubts folds what seems to differ and may be chance, with the replications that it takes to tell.
func (m *markdown) doubts() {
	n := 0
	for k := ofLevel; k <= ofSchema; k++ {
		n += len(m.doubtful(k))
	}
	if n == 0 {
		return
	}
	m.line("")
	m.line("<details><summary>%s that may be chance</summary>", plural(n, "difference"))
	for k := ofLevel; k <= ofSchema; k++ {
		m.table(k, m.doubtful(k))
	}
	m.line("")
	m.line("</details>")
}

// configuration folds what differs in the configuration.
func (m *markdown) configuration() {
	if len(m.Configuration)+len(m.Moved) == 0 {
		return
	}
	m.line("")
	m.line("<details><summary>What is configured otherwise</summary>")
	m.line("")
	for _, s := range m.Configuration {
		m.line("- %s", escape(s.String()))
	}
	if len(m.Moved) > 0 {
		m.line("")
		m.line("| client | flow schema | level | requests in A | in B |")
		m.line("|---|---|---|--:|--:|")
		for _, v := range m.Moved {
			m.line("| %s | %s | %s | %s | %s |", escape(v.Client), escape(v.FlowSchema), escape(v.PriorityLevel), count(v.A), count(v.B))
		}
	}
	m.line("")
	m.line("</details>")
}

// commands folds what makes the results again.
func (m *markdown) commands() {
	if m.A.Command == "" && m.B.Command == "" {
		return
	}
	m.line("")
	m.line("<details><summary>How to make the results again</summary>")
	m.line("")
	m.line("```")
	for _, s := range []Side{m.A, m.B} {
		if s.Command != "" {
			m.line("%s", s.Command)
		}
	}
	m.line("```")
	m.line("")
	m.line("</details>")
}

// escape makes text of what Markdown would take for more.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>|~&#", r) {
			b.WriteRune('\\')
		}
		if r == '\n' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), `\*\*`, "**")
}

// code writes text as code, also in a table.
func code(text string) string {
	return "`` " + strings.ReplaceAll(strings.ReplaceAll(text, "``", "` `"), "|", `\|`) + " ``"
}

// upperFirst begins a sentence.
func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Table is the comparison as rows of text, for CSV: the first row are the names of the columns.
// Times are in seconds.
func (c *Comparison) Table() [][]string {
	out := [][]string{{
		"priorityLevel", "flowSchema", "client", "holder", "server", "metric", "quantile", "a", "b", "difference", "halfWidth",
		"relative", "relativeHalfWidth", "verdict", "replications", "needed", "why",
	}}
	for i := range c.Rows {
		r := &c.Rows[i]
		server, quantile, needed := "", "", ""
		if r.Server != nil {
			server = strconv.Itoa(*r.Server)
		}
		if r.Metric.IsDistribution() {
			quantile = strconv.FormatFloat(r.Quantile, 'f', -1, 64)
		}
		if r.Needed > 0 {
			needed = strconv.Itoa(r.Needed)
		}
		out = append(out, []string{
			r.PriorityLevel, r.FlowSchema, r.Client, r.Holder, server, string(r.Metric), quantile, cell(r.A), cell(r.B), cell(r.Difference), cell(r.HalfWidth),
			cell(r.Relative), cell(r.RelativeHalfWidth), string(r.Verdict), strconv.Itoa(r.Replications), needed, r.Why,
		})
	}
	return out
}

// cell writes a number, nothing where there is none.
func cell[T reports.Value | reports.Number](v *T) string {
	switch {
	case v == nil:
		return ""
	case math.IsInf(float64(*v), 1):
		return "+Inf"
	}
	return strconv.FormatFloat(float64(*v), 'f', -1, 64)
}

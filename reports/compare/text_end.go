package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// notable is the part of A from which a difference that may be chance is worth a line.
const notable = 0.05

// unclear lists the headlines that seem to differ and may not.
func (t *text) unclear() {
	if t.All || t.Method == Single {
		t.single()
		return
	}
	titled := false
	for _, k := range []kind{ofLevel, ofClient, ofServer} {
		rows := t.doubtful(k)
		if len(rows) > 0 && !titled {
			t.section("May be chance")
			titled = true
		}
		if len(rows) > 0 {
			t.table(k, rows)
		}
	}
}

// single lists the headlines of a comparison without intervals.
func (t *text) single() {
	if t.All {
		return
	}
	for k := ofLevel; k < ofSchema; k++ {
		var rows []*Row
		for _, r := range t.shown(k, true) {
			if r.Verdict == Unclear && r.headline() < math.MaxInt {
				rows = append(rows, r)
			}
		}
		if len(rows) > 0 {
			t.lines = append(t.lines, "")
			t.table(k, rows)
		}
	}
}

// summary counts the verdicts.
func (t *text) summary() {
	t.lines = append(t.lines, "")
	t.paragraph("", "", t.Summary())
	if n := t.Counts; t.Method != Single && !t.Identical && n.Better+n.Worse+n.Changed > 0 {
		t.paragraph("", "", fmt.Sprintf("Each interval is of 95 %% by itself: of %s that nothing changes, about %s would seem to.",
			plural(len(t.Rows)-n.Same, "figure"), chance(len(t.Rows)-n.Same)))
	}
}

// chance is how many of so many figures seem to differ though they do not.
func chance(n int) string {
	if n < 20 {
		return "one in twenty"
	}
	return reports.MetricArrivals.Text(reports.Value(math.Round(float64(n) / 20)))
}

// Summary says in a sentence or two how the figures compare.
func (c *Comparison) Summary() string {
	if c.Identical {
		return "Nothing has changed at all: in all replications both sides took the same decisions at the same times."
	}
	n := c.Counts
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{n.Worse, "worse"}, {n.Better, "better"}, {n.Changed, "changed"}, {n.Unclear, "~ (may be chance)"}, {n.Same, "the same"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", reports.MetricArrivals.Text(reports.Value(p.n)), p.word))
		}
	}
	if len(parts) == 0 {
		return "Neither side has a figure."
	}
	return fmt.Sprintf("Of %s: %s.", plural(len(c.Rows), "figure"), strings.Join(parts, ", "))
}

// footnotes explain the marks.
func (t *text) footnotes() {
	if t.chance {
		t.paragraph("~ ", "  ", "the interval of the difference includes 0: it may be chance; to tell a difference of this size from none takes about n replications")
	}
	for i, n := range t.notes {
		mark := superscript(i+1) + " "
		t.paragraph(mark, strings.Repeat(" ", len([]rune(mark))), n)
	}
}

// conditions says what became of each condition.
func (t *text) conditions() {
	if len(t.Conditions) > 0 {
		t.section("Conditions")
	}
	for i := range t.Conditions {
		t.paragraph("  ", "    ", t.Conditions[i].String())
	}
}

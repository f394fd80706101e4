package reports

import (
	"strings"
	"unicode/utf8"
)

// table is a text table: a heading, then rows. The first columns are names and aligned
// to the left, all others are figures and aligned to the right.
type table struct {
	names int // how many columns are names
	rows  [][]string
	// groups are headings over several columns.
	groups []tableGroup
}

// tableGroup is a heading over the columns from first to last.
type tableGroup struct {
	first, last int
	title       string
}

func newTable(names int, heading ...string) *table {
	return &table{names: names, rows: [][]string{heading}}
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// group sets a heading over the columns from first to last.
func (t *table) group(first, last int, title string) {
	t.groups = append(t.groups, tableGroup{first, last, title})
}

func (t *table) empty() bool { return len(t.rows) == 1 }

// columnGap separates columns, indent precedes every line of a section.
const (
	columnGap = "  "
	indent    = "  "
)

// lines lays the table out in a width. Names are shortened in the middle, the longest
// first, if it is not wide enough otherwise; figures never are.
func (t *table) lines(width int) []string {
	widths := t.columnWidths()
	total := len(indent) + len(columnGap)*(len(widths)-1)
	for _, w := range widths {
		total += w
	}
	for ; total > width && t.shrink(widths); total-- {
		continue
	}
	var out []string
	if len(t.groups) > 0 {
		out = append(out, t.groupLine(widths))
	}
	for _, row := range t.rows {
		out = append(out, t.line(row, widths))
	}
	return out
}

// shortestName is how far names may be shortened.
const shortestName = 12

// shrink takes one character from the widest column of names, if it can.
func (t *table) shrink(widths []int) bool {
	if t.names == 0 {
		return false
	}
	widest := 0
	for i := range t.names {
		if widths[i] > widths[widest] {
			widest = i
		}
	}
	if widths[widest] <= shortestName {
		return false
	}
	widths[widest]--
	return true
}

func (t *table) columnWidths() []int {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, g := range t.groups {
		widths[g.last] += max(0, utf8.RuneCountInString(g.title)-span(widths, g))
	}
	return widths
}

// span returns the width of the columns under a group's heading.
func span(widths []int, g tableGroup) int {
	n := len(columnGap) * (g.last - g.first)
	for _, w := range widths[g.first : g.last+1] {
		n += w
	}
	return n
}

// groupLine sets the headings of groups over their columns, with dashes on both sides
// that show how far they reach.
func (t *table) groupLine(widths []int) string {
	var b strings.Builder
	b.WriteString(indent)
	column := 0
	for _, g := range t.groups {
		for ; column < g.first; column++ {
			b.WriteString(strings.Repeat(" ", widths[column]) + columnGap)
		}
		free := span(widths, g) - utf8.RuneCountInString(g.title)
		left, right := free/2, free-free/2
		b.WriteString(rule(left, false) + g.title + rule(right, true) + columnGap)
		column = g.last + 1
	}
	return strings.TrimRight(b.String(), " ")
}

// rule returns n characters of dashes with a blank towards the title.
func rule(n int, after bool) string {
	switch {
	case n == 0:
		return ""
	case after:
		return " " + strings.Repeat("-", n-1)
	}
	return strings.Repeat("-", n-1) + " "
}

func (t *table) line(row []string, widths []int) string {
	var b strings.Builder
	b.WriteString(indent)
	for i, cell := range row {
		if i > 0 {
			b.WriteString(columnGap)
		}
		if i < t.names {
			cell = shorten(cell, widths[i])
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		} else {
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
			b.WriteString(cell)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// shorten replaces the middle of a text that is too long by an ellipsis.
func shorten(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	left := (width - 1) / 2
	return string(runes[:left]) + "…" + string(runes[len(runes)-(width-1-left):])
}

// wrap breaks a text into lines of a width at blanks.
func wrap(text string, width int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			out = append(out, line)
			line = word
		}
	}
	return append(out, line)
}

// Package table lays out text in columns for people: tables with headings that keep to
// the width of a terminal by shortening names and never figures, and the two operations
// on text that go with them.
package table

import (
	"strings"
	"unicode/utf8"
)

// Table is a text table: a heading, then rows. The first columns are names and aligned
// to the left, all others are figures and aligned to the right.
type Table struct {
	names int // how many columns are names
	rows  [][]string
	// groups are headings over several columns.
	groups []group
}

// group is a heading over the columns from first to last.
type group struct {
	first, last int
	title       string
}

// Span is a heading over so many columns; one without a title is over columns that belong to
// no group.
type Span struct {
	Columns int
	Title   string
}

// New returns a table without rows. The heading has one cell for each column; so many
// of them, from the left, are columns of names.
func New(names int, heading ...string) *Table {
	return &Table{names: names, rows: [][]string{heading}}
}

// Add adds a row, which has as many cells as the heading.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Group sets a heading over the columns from first to last, counted from 0. Groups have
// to come in the order of their columns and must not overlap.
func (t *Table) Group(first, last int, title string) {
	t.groups = append(t.groups, group{first, last, title})
}

// Empty tells that the table has no rows.
func (t *Table) Empty() bool { return len(t.rows) == 1 }

// Names returns how many columns, from the left, are names.
func (t *Table) Names() int { return t.names }

// Heading returns the heading of each column.
func (t *Table) Heading() []string { return t.rows[0] }

// Rows returns the rows without the heading.
func (t *Table) Rows() [][]string { return t.rows[1:] }

// Spans returns the headings over the columns, which cover all of them; none if there are no
// groups.
func (t *Table) Spans() []Span {
	if len(t.groups) == 0 {
		return nil
	}
	var out []Span
	at := 0
	between := func(to int) {
		if to > at {
			out = append(out, Span{Columns: to - at})
		}
	}
	for _, g := range t.groups {
		between(g.first)
		out = append(out, Span{g.last - g.first + 1, g.title})
		at = g.last + 1
	}
	between(len(t.rows[0]))
	return out
}

// Gap separates columns, Indent precedes every line.
const (
	Gap    = "  "
	Indent = "  "
)

// Lines lays the table out in a width. Names are shortened in the middle, the longest
// first, if it is not wide enough otherwise; figures never are.
func (t *Table) Lines(width int) []string {
	widths := t.shrunk(width)
	var out []string
	if len(t.groups) > 0 {
		out = append(out, t.groupLine(widths))
	}
	for _, row := range t.rows {
		out = append(out, t.line(row, widths))
	}
	return out
}

// shrunk returns the widths of the columns, of names as far as a width allows.
func (t *Table) shrunk(width int) []int {
	widths := t.columnWidths()
	for total := t.width(widths); total > width && t.shrink(widths); total-- {
		continue
	}
	return widths
}

// width returns how wide the table is with columns of these widths.
func (t *Table) width(widths []int) int {
	total := len(Indent) + len(Gap)*(len(widths)-1)
	for _, w := range widths {
		total += w
	}
	return total
}

// ShortestName is how far names may be shortened.
const ShortestName = 12

// shrink takes one character from the widest column of names, if it can.
func (t *Table) shrink(widths []int) bool {
	if t.names == 0 {
		return false
	}
	widest := 0
	for i := range t.names {
		if widths[i] > widths[widest] {
			widest = i
		}
	}
	if widths[widest] <= ShortestName {
		return false
	}
	widths[widest]--
	return true
}

func (t *Table) columnWidths() []int {
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
func span(widths []int, g group) int {
	n := len(Gap) * (g.last - g.first)
	for _, w := range widths[g.first : g.last+1] {
		n += w
	}
	return n
}

// groupLine sets the headings of groups over their columns, with dashes on both sides
// that show how far they reach.
func (t *Table) groupLine(widths []int) string {
	var b strings.Builder
	b.WriteString(Indent)
	column := 0
	for _, g := range t.groups {
		for ; column < g.first; column++ {
			b.WriteString(strings.Repeat(" ", widths[column]) + Gap)
		}
		free := span(widths, g) - utf8.RuneCountInString(g.title)
		left, right := free/2, free-free/2
		b.WriteString(rule(left, false) + g.title + rule(right, true) + Gap)
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

func (t *Table) line(row []string, widths []int) string {
	var b strings.Builder
	b.WriteString(Indent)
	for i, cell := range row {
		if i > 0 {
			b.WriteString(Gap)
		}
		if i < t.names {
			cell = Shorten(cell, widths[i])
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		} else {
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
			b.WriteString(cell)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// Shorten replaces the middle of a text that is too long by an ellipsis.
func Shorten(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	left := (width - 1) / 2
	return string(runes[:left]) + "…" + string(runes[len(runes)-(width-1-left):])
}

// Wrap breaks a text into lines of a width at blanks. A word that is longer stands in a
// line of its own; a text without words is one empty line.
func Wrap(text string, width int) []string {
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

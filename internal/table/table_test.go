package table

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Columns line up, whatever is in them, and a table that can keep to its width does.
func TestTablesLineUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.IntRange(0, 2).Draw(t, "names")
		columns := names + rapid.IntRange(1, 5).Draw(t, "figures")
		cell := rapid.StringOfN(rapid.RuneFrom([]rune("abµ…9")), 1, 30, -1)
		row := func(label string) []string { return rapid.SliceOfN(cell, columns, columns).Draw(t, label) }
		tab := New(names, row("heading")...)
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			tab.Add(row("row")...)
		}
		first := rapid.IntRange(names, columns-1).Draw(t, "first")
		last := rapid.IntRange(first, columns-1).Draw(t, "last")
		title := cell.Draw(t, "title")
		tab.Group(first, last, title)
		figures := 0
		for i, w := range tab.columnWidths() {
			if i < names {
				w = min(w, ShortestName)
			}
			figures += w + len(Gap)
		}
		width := rapid.IntRange(20, 200).Draw(t, "width")
		lines := tab.Lines(width)
		if !strings.Contains(lines[0], title) {
			t.Fatalf("no title in %q", lines[0])
		}
		body := lines[1:]
		ends := utf8.RuneCountInString(body[0])
		for i, line := range body {
			if n := utf8.RuneCountInString(line); n != ends || n > max(width, figures) {
				t.Fatalf("width %d: line %d has %d columns, the first %d:\n%s", width, i, n, ends, strings.Join(lines, "\n"))
			}
		}
	})
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"global-default", 14, "global-default"},
		{"global-default", 13, "global…efault"},
		{"ägyptische", 5, "äg…he"},
		{"ab", 1, "…"},
	} {
		if got := Shorten(c.in, c.width); got != c.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestWrapKeepsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("abc  "))).Draw(t, "text")
		width := rapid.IntRange(1, 20).Draw(t, "width")
		lines := Wrap(text, width)
		if got, want := strings.Fields(strings.Join(lines, " ")), strings.Fields(text); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Fatalf("words %q became %q", want, got)
		}
		for _, line := range lines {
			if len(line) > width && strings.Contains(line, " ") {
				t.Fatalf("%q is longer than %d", line, width)
			}
		}
	})
}

// Spans cover all columns, those without a group too.
func TestSpans(t *testing.T) {
	tab := New(1, "a", "b", "c", "d", "e", "f")
	if got := tab.Spans(); got != nil {
		t.Errorf("without groups: %v", got)
	}
	tab.Group(1, 2, "bc")
	tab.Group(4, 4, "e")
	want := []Span{{1, ""}, {2, "bc"}, {1, ""}, {1, "e"}, {1, ""}}
	if got := tab.Spans(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A folded table has all cells of the table, once, under their headings and beside their names; it
// keeps to the width if each figure does beside the names; and one that fits is not folded.
func TestFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names, figures := rapid.IntRange(1, 2).Draw(t, "names"), rapid.IntRange(1, 9).Draw(t, "figures")
		tab := New(names)
		tab.rows = nil
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		for row := range rows + 1 {
			var cells []string
			for column := range names + figures {
				// Each cell is another word.
				word := strings.Repeat(string(rune('a'+row)), rapid.IntRange(1, 9).Draw(t, "length")) + string(rune('A'+column))
				cells = append(cells, word)
			}
			tab.rows = append(tab.rows, cells)
		}
		if figures > 2 {
			first := names + rapid.IntRange(0, figures-2).Draw(t, "first")
			tab.Group(first, rapid.IntRange(first+1, names+figures-1).Draw(t, "last"), "gg")
		}
		width := rapid.IntRange(40, 120).Draw(t, "width")
		lines := tab.Folded(width)
		if whole := tab.Lines(width); len(whole[0]) <= width && len(whole[len(whole)-1]) <= width && strings.Join(whole, "\n") != strings.Join(lines, "\n") {
			t.Fatalf("folded without need:\n%s", strings.Join(lines, "\n"))
		}
		text := strings.Join(lines, "\n")
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > width {
				t.Fatalf("%d columns of %d:\n%s", n, width, text)
			}
		}
		for _, row := range tab.rows {
			for column, cell := range row {
				if n := strings.Count(text, cell+"  ") + strings.Count(text+"\n", cell+"\n"); n == 0 || n > 1 && column >= names {
					t.Fatalf("%q is there %d times:\n%s", cell, n, text)
				}
				if i := strings.Index(text, cell); column >= names && !strings.Contains(lineOf(text, i), row[0]) {
					t.Fatalf("%q stands beside another name than %q:\n%s", cell, row[0], text)
				}
			}
		}
	})
}

// lineOf returns the line of a text that a byte is in.
func lineOf(text string, at int) string {
	from := strings.LastIndex(text[:at], "\n") + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	return line
}

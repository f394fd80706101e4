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

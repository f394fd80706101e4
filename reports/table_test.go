package reports

import (
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
		table := newTable(names, row("heading")...)
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			table.add(row("row")...)
		}
		first := rapid.IntRange(names, columns-1).Draw(t, "first")
		last := rapid.IntRange(first, columns-1).Draw(t, "last")
		title := cell.Draw(t, "title")
		table.group(first, last, title)
		figures := 0
		for i, w := range table.columnWidths() {
			if i < names {
				w = min(w, shortestName)
			}
			figures += w + len(columnGap)
		}
		width := rapid.IntRange(20, 200).Draw(t, "width")
		lines := table.lines(width)
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
		if got := shorten(c.in, c.width); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestWrapKeepsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("abc  "))).Draw(t, "text")
		width := rapid.IntRange(1, 20).Draw(t, "width")
		lines := wrap(text, width)
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

// The bar of the largest amount has the whole room, and no amount is invisible.
func TestBar(t *testing.T) {
	for _, c := range []struct {
		n, most int64
		room    int
		want    string
	}{
		{0, 10, 10, ""}, {10, 10, 10, "##########"}, {5, 10, 10, "#####"}, {1, 1000, 10, "."},
		{44, 100, 10, "####"}, {45, 100, 10, "#####"}, {1 << 50, 1 << 50, 3, "###"}, {1, 2, 0, "#"},
	} {
		if got := bar(c.n, c.most, c.room); got != c.want {
			t.Errorf("bar(%d, %d, %d) = %q, want %q", c.n, c.most, c.room, got, c.want)
		}
	}
}

package dump

import (
	"strings"
	"unicode/utf8"
)

// The server writes its pages with a tabwriter: each cell but the last of a row is followed by a comma and
// by spaces up to the next column, which begins in the same place in all rows of a page. So a cell
// that has commas in it can still be told: a row is cut where its header is. A page whose columns
// were moved by somebody is cut at its commas.

// cell is a cell of a row.
type cell struct {
	text string
	// column is where it begins, in characters from 1.
	column int
}

// cutHeader cuts a header at its commas. No title has one.
func cutHeader(line string) []cell {
	var cells []cell
	column := 1
	for _, text := range strings.Split(line, ",") {
		trimmed := strings.TrimLeft(text, " \t")
		cells = append(cells, cell{strings.TrimSpace(text), column + utf8.RuneCountInString(text) - utf8.RuneCountInString(trimmed)})
		column += utf8.RuneCountInString(text) + 1
	}
	return cells
}

// cutRow cuts a row of a page with this header.
func cutRow(line string, header []cell) []cell {
	if cells, ok := cutAligned(line, header); ok {
		return cells
	}
	return cutHeader(line)
}

// cutAligned cuts a row where its header is, and returns false if it is not laid out so.
func cutAligned(line string, header []cell) ([]cell, bool) {
	runes := []rune(line)
	cells := make([]cell, len(header))
	for i, h := range header {
		from, to := h.column-1, len(runes)
		if i+1 < len(header) {
			to = header[i+1].column - 1
		}
		if from > len(runes) || to > len(runes) || from > to {
			return nil, false
		}
		text := string(runes[from:to])
		if i+1 < len(header) {
			cut, ok := strings.CutSuffix(strings.TrimRight(text, " "), ",")
			if !ok || strings.HasSuffix(text, ",") {
				return nil, false
			}
			text = cut
		}
		cells[i] = cell{text, h.column}
	}
	return cells, true
}

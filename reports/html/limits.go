package html

import "fmt"

// limits bound what a page shows.
type limits struct {
	// rows are of a table, paragraphs of a part of a section, text is of a cell in characters,
	// and source of all files together in bytes.
	rows, paragraphs, text, source int
	charts                         charted
}

// charted tells which drawings of charts a page has.
type charted int

const (
	none charted = iota
	wide
	both // for narrow screens, too
)

// ladder are the limits to be tried: the first that give a page which is small enough.
var ladder = []limits{
	{rows: 250, paragraphs: 60, text: 2000, source: 256 << 10, charts: both},
	{rows: 100, paragraphs: 60, text: 1000, source: 64 << 10, charts: both},
	{rows: 60, paragraphs: 30, text: 800, source: 32 << 10, charts: wide},
	{rows: 30, paragraphs: 15, text: 400, source: 16 << 10, charts: wide},
	{rows: 25, paragraphs: 12, text: 300, source: 8 << 10},
	{rows: 12, paragraphs: 8, text: 200, source: 2 << 10},
	{rows: 5, paragraphs: 4, text: 100},
}

// leftRows says how many rows are not shown.
func leftRows(shown, all int) string {
	if shown >= all {
		return ""
	}
	return fmt.Sprintf("The first %d of %d rows. The form json of the result has all of them.", shown, all)
}

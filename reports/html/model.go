package html

import "html/template"

// document is the page, as the template takes it.
type document struct {
	Title string
	// Results are one article each.
	Results []*article
	// Several tells that there is more than one; each has an entry of its own in the contents.
	Several bool
	Style   template.CSS
	Script  template.JS
	// Policy is the Content-Security-Policy.
	Policy string
}

// article is one result.
type article struct {
	// ID is its identifier and Prefix begins those of everything in it; both are empty if there is
	// one result alone.
	ID, Prefix, Name string
	// Level is the level of its heading.
	Level    int
	Verdict  verdict
	Facts    []fact
	Sections []*section
}

// verdict is the outcome of a result in a few words.
type verdict struct {
	// Tone is good, warning or bad.
	Tone, Text string
}

// fact is a value with its name.
type fact struct{ Name, Value string }

// section is a part of an article with a heading.
type section struct {
	ID, Title string
	Level     int
	Items     []item
}

// item is one thing in a section: the one that is not nil.
type item struct {
	Paragraph *paragraph
	Heading   *heading
	Facts     []fact
	Table     *grid
	Chart     *figure
	Cards     []card
	Code      *code
	Outcomes  []outcome
}

// heading stands before items that belong together.
type heading struct {
	Level    int
	ID, Text string
}

// paragraph is a text with a tone: "", note, good, warning or bad.
type paragraph struct {
	Tone, Text string
	// Scripted tells that it is about what the script does, and not shown without it.
	Scripted bool
}

// grid is a table.
type grid struct {
	// Title is its caption. Folded tells that only its title is seen at first, Quiet that the
	// title is not shown, because it stands above.
	Title         string
	Folded, Quiet bool
	// Names is how many columns, from the left, are names.
	Names   int
	Spans   []span
	Heading []string
	Rows    [][]cell
	// Left says what is not shown.
	Left string
	// Bars tells that the last column of each row is a bar.
	Bars bool
	// Sortable tells that the script lets the reader sort the rows.
	Sortable bool
}

// span is a heading over so many columns.
type span struct {
	Columns int
	Title   string
}

// cell is a cell of a table.
type cell struct {
	Text string
	// Lines take the place of the text where there are several.
	Lines []string
	// Heat is the shade of the cell, from 0 for none to 9.
	Heat int
	// Bar is the length of a bar in percent, in a table with bars.
	Bar string
	// Key is what rows are sorted by in place of the text, in a table that can be sorted.
	Key string
	// Missed tells of a figure that is not as expected.
	Missed bool
}

// figure is a chart with its table.
type figure struct {
	ID, Title, Caption string
	Level              int
	// Narrow is for phones; empty if the other drawing has to do there too.
	Wide, Narrow template.HTML
	Table        *grid
	// levels are the priority levels whose sections of the text it takes the place of.
	levels []string
}

// card is a priority level at a glance.
type card struct {
	Name, Tone, State string
	Facts             []fact
	// Used is the part of the limit that was in use in percent, and UsedText the same in words;
	// empty without a limit.
	Used, UsedText string
}

// code is a text as it is.
type code struct {
	Title string
	// Copy tells that it is there to be copied.
	Copy   bool
	Folded bool
	Text   string
	// Left says what is not shown.
	Left string
}

// outcome is what became of an expectation.
type outcome struct{ Tone, Outcome, Text, Place string }

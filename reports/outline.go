package reports

import "github.com/apfsim/apfsim/internal/table"

// Section is one section of a report for people, before it is laid out for where it is read. All
// forms for people are made of the same sections, so that they say the same in the same words.
type Section struct {
	// Part is what the section is about.
	Part Part
	// Title is empty for one that needs none.
	Title string
	// Level is the priority level that it shows waits or seats of, if a chart can show the same.
	Level  string
	Blocks []Block
}

// Part names what sections are about; those of one part follow each other.
type Part string

// The parts, in their order.
const (
	PartHeader       Part = "header"
	PartDeadlocks    Part = "deadlocks"
	PartSummary      Part = "summary"
	PartVerdicts     Part = "verdicts"
	PartServers      Part = "servers"
	PartLevels       Part = "levels"
	PartSeats        Part = "seats"
	PartQueues       Part = "queues"
	PartBlame        Part = "blame"
	PartSchemas      Part = "schemas"
	PartPopulations  Part = "populations"
	PartOperations   Part = "operations"
	PartBacklogs     Part = "backlogs"
	PartInversions   Part = "inversions"
	PartWaits        Part = "waits"
	PartIntervals    Part = "intervals"
	PartSharding     Part = "sharding"
	PartLimits       Part = "limits"
	PartFootnotes    Part = "footnotes"
	PartExpectations Part = "expectations"
)

// parts write the sections of each part.
var parts = []struct {
	part  Part
	write func(*text)
}{
	{PartHeader, (*text).header},
	{PartDeadlocks, (*text).deadlocks},
	{PartSummary, (*text).summary},
	{PartSummary, (*text).caveats},
	{PartVerdicts, (*text).verdicts},
	{PartServers, (*text).servers},
	{PartLevels, (*text).levels},
	{PartSeats, (*text).levelSeats},
	{PartQueues, (*text).levelQueues},
	{PartBlame, (*text).blame},
	{PartSchemas, (*text).schemas},
	{PartPopulations, (*text).populations},
	{PartOperations, (*text).operations},
	{PartOperations, (*text).refusals},
	{PartOperations, (*text).fates},
	{PartBacklogs, (*text).backlogs},
	{PartInversions, (*text).inversions},
	{PartWaits, (*text).histograms},
	{PartIntervals, (*text).intervals},
	{PartSharding, (*text).sharding},
	{PartLimits, (*text).limits},
	{PartFootnotes, (*text).footnotes},
	{PartExpectations, (*text).expectations},
}

// Block is a paragraph, or a table if there is one.
type Block struct {
	// Field tells that the text is the value of a label; an empty label is that of the field
	// before.
	Field bool
	Label string
	Text  string
	Tone  Tone
	// Tabled tells that a form with room for it has the same in a table of all levels.
	Tabled bool
	// Whole tells that the text is one line, however long.
	Whole bool
	Table *table.Table
	// Bars are amounts to be drawn beside the rows of the table, one for each; nil for none.
	Bars []int64
}

// Tone tells how a sentence is meant.
type Tone string

// The tones: of most sentences, of what somebody suffers from, and of what fails.
const (
	Plain   Tone = ""
	Warning Tone = "warning"
	Bad     Tone = "bad"
)

// Outline returns the sections of the report of a result, with nothing shortened to a width and
// with longer lists than a text has.
func Outline(r *Result) []Section {
	t := &text{result: r, more: 10}
	return t.outline()
}

// outline makes all sections.
func (t *text) outline() []Section {
	for _, p := range parts {
		if t.result.TestsAlone() && p.part != PartHeader && p.part != PartExpectations {
			continue
		}
		t.part = p.part
		p.write(t)
	}
	return t.sections
}

package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apfsim/apfsim/internal/table"
	"github.com/apfsim/apfsim/reports"
)

// builder makes the article of one result.
type builder struct {
	result  *reports.Result
	article *article
	limits  limits
	// outline are the sections of the text; parts are the same by part, charts the charts by section.
	outline []reports.Section
	parts   map[reports.Part][]reports.Section
	charts  map[string][]*figure
	// sections are the names of those that have charts, in their order.
	sections []string
	// current is the section that is being built, charted the priority levels that charts of it
	// show with all their figures.
	current *section
	charted []string
	// whole tells that tables keep rows of zeros: that a server got nothing is worth a row.
	whole bool
}

// plan is a section of the page: what of the outline and which charts are in it, and what else.
type plan struct {
	id, title string
	// parts are of the outline, charts names sections of package plots.
	parts  []reports.Part
	charts string
	before func(*builder)
	after  func(*builder)
}

// plans are the sections in their order. What is in none of them comes under "More figures",
// before the configuration.
func plans() []plan {
	return []plan{
		{id: "summary", title: "What happened", parts: []reports.Part{reports.PartDeadlocks, reports.PartSummary, reports.PartVerdicts}, after: (*builder).judgements},
		{id: "levels", title: "Priority levels", before: (*builder).cards, parts: []reports.Part{reports.PartLevels, reports.PartSchemas}},
		{id: "time", title: "Over time", charts: "Over time"},
		{id: "waits", title: "Waits", charts: "Waits", parts: []reports.Part{reports.PartWaits}},
		{id: "rejections", title: "Rejections", charts: "Rejections"},
		{id: "seats", title: "Seats and borrowing", charts: "Seats and borrowing", parts: []reports.Part{reports.PartSeats, reports.PartLimits}},
		{id: "queues", title: "Queues", charts: "Queues", parts: []reports.Part{reports.PartQueues, reports.PartBacklogs}},
		{id: "blame", title: "Who held the seats", charts: "Who held the seats", parts: []reports.Part{reports.PartBlame}},
		{id: "sharding", title: "Shuffle sharding and fairness", charts: "Shuffle sharding", parts: []reports.Part{reports.PartSharding}, after: (*builder).fairness},
		{id: "clients", title: "Clients", charts: "Clients", parts: []reports.Part{reports.PartPopulations, reports.PartOperations}},
		{id: "servers", title: "Servers", charts: "Servers", parts: []reports.Part{reports.PartServers, reports.PartInversions}},
		{id: "more", title: "More figures", before: (*builder).unplanned},
		{id: "coverage", title: "Coverage", before: (*builder).coverage},
		{id: "metrics", title: "Metrics and debug pages of the server", before: (*builder).served},
		{id: "certainty", title: "How sure this is", before: (*builder).certainty, parts: []reports.Part{reports.PartIntervals, reports.PartFootnotes}},
		{id: "configuration", title: "Configuration", before: (*builder).configuration},
		{id: "reproduce", title: "How to reproduce this", before: (*builder).reproduce},
	}
}

// elsewhere are the parts that the plans do not name because they are told in another way.
var elsewhere = []reports.Part{reports.PartHeader, reports.PartExpectations}

// build makes the article, with the charts that were drawn.
func (b *builder) build(charts []drawing) {
	a := b.article
	a.Name = b.result.Metadata.Name
	b.parts = map[reports.Part][]reports.Section{}
	for _, s := range b.outline {
		b.parts[s.Part] = append(b.parts[s.Part], s)
	}
	b.draw(charts)
	a.Verdict = b.verdict()
	b.facts()
	for _, p := range plans() {
		b.section(&p)
	}
}

// section adds a section, unless there is nothing in it.
func (b *builder) section(p *plan) {
	b.current = &section{ID: b.article.Prefix + p.id, Title: p.title, Level: b.article.Level + 1}
	if p.before != nil {
		p.before(b)
	}
	b.charted = nil
	for _, f := range b.charts[p.charts] {
		b.add(item{Chart: f})
		b.charted = append(b.charted, f.levels...)
	}
	for _, part := range p.parts {
		b.part(part)
	}
	if p.after != nil {
		p.after(b)
	}
	if len(b.current.Items) > 0 {
		b.article.Sections = append(b.article.Sections, b.current)
	}
}

func (b *builder) add(i item) { b.current.Items = append(b.current.Items, i) }

func (b *builder) say(tone, format string, args ...any) {
	b.add(item{Paragraph: &paragraph{Tone: tone, Text: fmt.Sprintf(format, args...)}})
}

func (b *builder) heading(text string) {
	if text != "" {
		b.add(item{Heading: &heading{Level: b.current.Level + 1, Text: text}})
	}
}

// part adds the sections of a part of the outline, but for those that a chart stands for.
func (b *builder) part(part reports.Part) {
	b.whole = part == reports.PartServers
	for i := range b.parts[part] {
		s := &b.parts[part][i]
		if s.Level != "" && slices.Contains(b.charted, s.Level) {
			continue
		}
		if len(s.Blocks) == 1 && s.Blocks[0].Table != nil && s.Blocks[0].Bars == nil {
			b.add(item{Table: b.grid(s.Title, s.Blocks[0].Table)})
			continue
		}
		if part == reports.PartLimits && len(s.Blocks) > fewLimits {
			b.limitsMoved(s)
			continue
		}
		b.heading(s.Title)
		b.blocks(s.Title, s.Blocks)
	}
}

// fewLimits is of how many levels the page tells the limits at once.
const fewLimits = 3

// limitsMoved adds what became of the limits of levels as a folded table, for a chart shows the same.
func (b *builder) limitsMoved(s *reports.Section) {
	var rows [][]string
	for i := range s.Blocks {
		text := s.Blocks[i].Text
		at := max(strings.LastIndex(text, ": "), 0) // what is after the name has no colon
		rows = append(rows, []string{text[:at], strings.TrimPrefix(text[at:], ": ")})
	}
	g := b.cells(s.Title, []string{"level", "limits"}, rows)
	g.Names, g.Folded = 2, true
	b.add(item{Table: g})
}

// blocks adds blocks of the outline, of very many paragraphs the first ones.
func (b *builder) blocks(title string, blocks []reports.Block) {
	told, left := 0, 0
	for i := range blocks {
		block := &blocks[i]
		switch {
		case block.Tabled: // see fairness
		case block.Table != nil:
			g := b.grid(title, block.Table)
			g.bars(block.Bars)
			if g.Quiet = !g.Folded; g.Folded {
				g.Title = fmt.Sprintf("%s: %d rows", title, len(block.Table.Rows()))
			}
			b.add(item{Table: g})
		case told < b.limits.paragraphs:
			told++
			b.add(item{Paragraph: &paragraph{Tone: string(block.Tone), Text: b.clip(sentence(block))}})
		default:
			left++
		}
	}
	if left > 0 {
		b.say("note", "And %d more.", left)
	}
}

// sentence is the text of a block, with its label.
func sentence(block *reports.Block) string {
	if block.Label != "" {
		return block.Label + ": " + block.Text
	}
	return block.Text
}

// unfolded is how many rows a table has at most that is shown at once.
const unfolded = 15

// grid turns a table of the text into one of the page.
func (b *builder) grid(title string, t *table.Table) *grid {
	rows := slices.Clone(t.Rows())
	for i := 1; i < len(rows); i++ {
		if rows[i][0] == "" { // it goes on with the name above, which each row needs by itself
			rows[i] = slices.Clone(rows[i])
			rows[i][0] = rows[i-1][0]
		}
	}
	columns, zeros := broad(t, rows)
	if len(zeros) > 0 {
		t = t.Pick(columns)
		for i, row := range rows {
			rows[i] = make([]string, len(columns))
			for j, c := range columns {
				rows[i][j] = row[c]
			}
		}
	}
	told := slices.DeleteFunc(slices.Clone(rows), func(row []string) bool { return t.Names() > 0 && !b.whole && silent(row[t.Names():]) })
	if len(told) == 0 {
		told = rows
	}
	g := b.cells(title, t.Heading(), told)
	g.Names = t.Names()
	if n := len(rows) - len(told); n > 0 {
		g.Left = strings.TrimSpace(fmt.Sprintf("Without %s of zeros. %s", plural(n, "row"), g.Left))
	}
	if len(zeros) > 0 {
		g.Left = strings.TrimSpace(fmt.Sprintf("Nothing to tell in: %s. %s", strings.Join(zeros, ", "), g.Left))
	}
	for _, s := range t.Spans() {
		g.Spans = append(g.Spans, span{s.Columns, s.Title})
	}
	return g
}

// narrowEnough is how many columns a table may have and keep those of zeros.
const narrowEnough = 10

// broad returns the columns of a table that are worth their room, and the headings of the others: in
// a broad table those that hold nothing but zeros.
func broad(t *table.Table, rows [][]string) (columns []int, zeros []string) {
	for i, heading := range t.Heading() {
		column := make([]string, len(rows))
		for j := range rows {
			column[j] = rows[j][i]
		}
		if len(t.Heading()) > narrowEnough && i >= t.Names() && silent(column) {
			zeros = append(zeros, heading)
			continue
		}
		columns = append(columns, i)
	}
	return columns, zeros
}

// silent tells of figures that all say that there was nothing.
func silent(figures []string) bool {
	return !slices.ContainsFunc(figures, func(s string) bool { return s != "" && s != "0" && s != "0%" && s != "-" })
}

// cells makes a table of texts.
func (b *builder) cells(title string, heading []string, rows [][]string) *grid {
	shown := rows[:min(len(rows), b.limits.rows)]
	g := &grid{
		Title: title, Names: 1, Heading: heading,
		Folded: len(rows) > unfolded, Left: leftRows(len(shown), len(rows)),
	}
	for _, row := range shown {
		out := make([]cell, len(row))
		for i, text := range row {
			out[i].Text = b.clip(text)
		}
		g.Rows = append(g.Rows, out)
	}
	return g
}

// bars adds a column of bars, if there are any.
func (g *grid) bars(amounts []int64) {
	if amounts == nil {
		return
	}
	most := slices.Max(amounts)
	g.Bars, g.Heading = true, append(slices.Clone(g.Heading), "")
	for i := range g.Rows {
		bar := ""
		if most > 0 {
			bar = percent(float64(amounts[i]), float64(most))
		}
		g.Rows[i] = append(g.Rows[i], cell{Bar: bar})
	}
}

// percent is a part in percent, as the width of a bar: something is never nothing.
func percent(part, total float64) string {
	p := 100 * part / total
	if part > 0 {
		p = max(p, 0.5)
	}
	return strconv.FormatFloat(min(p, 100), 'f', 1, 64)
}

// clip cuts a text that is too long.
func (b *builder) clip(text string) string {
	if utf8.RuneCountInString(text) <= b.limits.text {
		return text
	}
	return string([]rune(text)[:b.limits.text]) + "…"
}

// unplanned adds what no plan names.
func (b *builder) unplanned() {
	known := slices.Clone(elsewhere)
	sections := []string{""}
	for _, p := range plans() {
		known, sections = append(known, p.parts...), append(sections, p.charts)
	}
	var last reports.Part
	for _, s := range b.outline {
		if !slices.Contains(known, s.Part) && s.Part != last {
			last = s.Part
			b.part(s.Part)
		}
	}
	for _, name := range b.sections {
		if !slices.Contains(sections, name) {
			for _, f := range b.charts[name] {
				b.add(item{Chart: f})
			}
		}
	}
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return strconv.Itoa(n) + " " + strings.TrimSuffix(noun, "y") + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

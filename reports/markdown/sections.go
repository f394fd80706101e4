package markdown

import (
	"html"
	"iter"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// open are the parts that are not folded. The expectations are written apart from the others.
var open = map[reports.Part]bool{reports.PartDeadlocks: true, reports.PartSummary: true, reports.PartVerdicts: true}

// parts yields the sections of each part, of which there is one at least.
func parts(all []reports.Section) iter.Seq[[]reports.Section] {
	return func(yield func([]reports.Section) bool) {
		for begin := 0; begin < len(all); {
			end := begin + 1
			for end < len(all) && all[end].Part == all[begin].Part {
				end++
			}
			if !yield(all[begin:end]) {
				return
			}
			begin = end
		}
	}
}

// sections writes sections one after the other, with their titles but for what stands above
// them already.
func sections(list []reports.Section, above string) string {
	var b strings.Builder
	for i := range list {
		s := &list[i]
		title, _ := strings.CutPrefix(s.Title, above+": ")
		if title != "" && title != above {
			b.WriteString("\n**" + escape(title) + "**\n")
		}
		blocks(&b, s.Blocks)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// partTitle is the title of a part: of its section, or what the first of several has before its
// colon.
func partTitle(list []reports.Section) string {
	title := list[0].Title
	if len(list) > 1 {
		title, _, _ = strings.Cut(title, ":")
	}
	if title == "" {
		return string(list[0].Part)
	}
	return title
}

// blocks writes paragraphs as the items of a list, and tables.
func blocks(b *strings.Builder, list []reports.Block) {
	items := false
	for i := range list {
		block := &list[i]
		if block.Table != nil {
			b.WriteString("\n" + figures(block).String())
			items = false
			continue
		}
		if !items {
			b.WriteString("\n")
		}
		items = true
		text := escape(block.Text)
		if block.Tone == reports.Bad {
			text = "**" + text + "**"
		}
		if block.Label != "" {
			text = "**" + escape(block.Label) + "** " + text
		}
		b.WriteString(item(text))
	}
}

// details folds a text under a title.
func details(title, text string) string {
	return "<details><summary>" + html.EscapeString(title) + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>\n"
}

// table is a table of Markdown, whose cells are Markdown.
type table struct {
	names   int
	heading []string
	rows    [][]string
}

// newTable makes a table whose first columns are names, aligned to the left.
func newTable(names int, heading ...string) *table { return &table{names: names, heading: heading} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// String writes the table.
func (t *table) String() string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.heading)
	rule := make([]string, len(t.heading))
	for i := range rule {
		rule[i] = "---"
		if i >= t.names {
			rule[i] = "--:"
		}
	}
	line(rule)
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// figures makes the table of a block. A heading over several columns stands before that of each.
func figures(block *reports.Block) *table {
	from := block.Table
	var over []string
	for _, s := range from.Spans() {
		for range s.Columns {
			over = append(over, s.Title)
		}
	}
	t := &table{names: from.Names()}
	for i, cell := range from.Heading() {
		if i < len(over) && over[i] != "" {
			cell = over[i] + ": " + cell
		}
		t.heading = append(t.heading, escape(cell))
	}
	for _, row := range from.Rows() {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escape(cell)
		}
		t.rows = append(t.rows, cells)
	}
	return t
}

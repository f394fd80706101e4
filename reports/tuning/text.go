package tuning

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
)

// defaultWidth is the width of a text that nobody looks at right now.
const defaultWidth = 80

// WriteText writes the proposal for people, in so many columns; 0 is the default.
func (p *Proposal) WriteText(w io.Writer, width int) error {
	if width == 0 {
		width = defaultWidth
	}
	var b strings.Builder
	for i := range p.Scenarios {
		s := &p.Scenarios[i]
		fmt.Fprintf(&b, "%s, seed %d\n", s.Name, s.Seed)
	}
	for i, s := range p.sections() {
		b.WriteString("\n")
		if i > 0 {
			b.WriteString(s.title + "\n")
		}
		for _, text := range s.words {
			wrapped(&b, text, width)
		}
		if len(s.rows) > 0 {
			if i == 0 {
				b.WriteString("\n")
			}
			t := table.New(s.names, s.heading...)
			for _, row := range s.rows {
				t.Add(row...)
			}
			for _, line := range t.Folded(width) {
				b.WriteString(strings.TrimRight(line, " ") + "\n")
			}
		}
		for _, text := range s.notes {
			wrapped(&b, text, width)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrapped writes a paragraph. Below a title all is indented.
func wrapped(b *strings.Builder, text string, width int) {
	for _, line := range table.Wrap(text, width-2) {
		b.WriteString("  " + line + "\n")
	}
}

// WriteMarkdown writes the proposal as a page.
func (p *Proposal) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	var names []string
	for i := range p.Scenarios {
		names = append(names, p.Scenarios[i].Name)
	}
	fmt.Fprintf(&b, "# Proposal for %s\n", strings.Join(names, ", "))
	for i, s := range p.sections() {
		if i > 0 {
			fmt.Fprintf(&b, "\n## %s\n", s.title)
		}
		for _, text := range s.words {
			fmt.Fprintf(&b, "\n%s\n", escaped(text))
		}
		if len(s.rows) > 0 {
			b.WriteString("\n" + row(s.heading) + "|" + strings.Repeat(" --- |", len(s.heading)) + "\n")
			for _, cells := range s.rows {
				b.WriteString(row(cells))
			}
		}
		for _, text := range s.notes {
			fmt.Fprintf(&b, "\n%s\n", escaped(text))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// row is a row of a table in Markdown.
func row(cells []string) string {
	out := "|"
	for _, c := range cells {
		out += " " + escaped(c) + " |"
	}
	return out + "\n"
}

// escaped takes the meaning from what means something in Markdown.
var escaper = strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "\n", " ")

func escaped(text string) string { return escaper.Replace(text) }

// WriteCSV writes a row for each point that matters, in base units: today, the recommended one, the front
// and the neighbours.
func (p *Proposal) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"role"}
	for _, k := range p.Search.Knobs {
		head = append(head, k.Path)
	}
	head = append(head, "verdict", "why", "replications")
	for i := range p.Today.Prices {
		head = append(head, p.Today.Prices[i].Objective, p.Today.Prices[i].Objective+" half-width")
	}
	for i := range p.Today.Goals {
		name := p.goalName(&p.Today.Goals[i])
		head = append(head, name, name+" half-width", name+" verdict")
	}
	rows := [][]string{head, p.csvRow("today", &p.Today)}
	if p.Recommended != nil {
		rows = append(rows, p.csvRow("recommended", p.Recommended))
	}
	for i := range p.Front {
		rows = append(rows, p.csvRow("front", &p.Front[i]))
	}
	for i := range p.Sensitivity {
		rows = append(rows, p.csvRow("step of "+p.Sensitivity[i].Path, &p.Sensitivity[i].Point))
	}
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return c.Error()
}

// csvRow is a point in CSV.
func (p *Proposal) csvRow(role string, point *Point) []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	out := []string{role}
	for i := range p.Search.Knobs {
		if i < len(point.Settings) {
			out = append(out, point.Settings[i].Value)
		} else {
			out = append(out, "")
		}
	}
	out = append(out, point.Verdict, point.Why, strconv.Itoa(point.Replications))
	for i := range p.Today.Prices {
		cells := []string{"", ""}
		if i < len(point.Prices) {
			cells[0] = number(float64(point.Prices[i].Value))
			if h := point.Prices[i].HalfWidth; h != nil {
				cells[1] = number(float64(*h))
			}
		}
		out = append(out, cells...)
	}
	for i := range p.Today.Goals {
		cells := []string{"", "", ""}
		if i < len(point.Goals) {
			g := &point.Goals[i]
			cells[2] = g.Verdict
			if g.Value != nil {
				cells[0] = number(float64(*g.Value))
			}
			if g.HalfWidth != nil {
				cells[1] = number(float64(*g.HalfWidth))
			}
		}
		out = append(out, cells...)
	}
	return out
}

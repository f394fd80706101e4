package reports

import (
	"fmt"
	"strings"

	"github.com/apfsim/apfsim/internal/table"
)

// layout lays sections out in the columns of a terminal.
type layout struct {
	b     strings.Builder
	width int
	color bool
}

// style is the number of a terminal's graphic rendition (ECMA-48, SGR).
type style string

const (
	bold   style = "1"
	red    style = "31"
	yellow style = "33"
)

// styles are those of the tones.
var styles = map[Tone]style{Warning: yellow, Bad: red}

func (p *layout) styled(s style, line string) string {
	if !p.color || s == "" {
		return line
	}
	return "\x1b[" + string(s) + "m" + line + "\x1b[0m"
}

func (p *layout) line(s string) { p.b.WriteString(s + "\n") }

// section writes a section, after an empty line if it is not the first one.
func (p *layout) section(s *Section, first bool) {
	if !first {
		p.line("")
	}
	if s.Title != "" {
		for _, line := range table.Wrap(s.Title, p.width) {
			p.line(p.styled(bold, line))
		}
	}
	for i := range s.Blocks {
		switch b := &s.Blocks[i]; {
		case b.Bars != nil:
			p.bars(b)
		case b.Table != nil:
			p.lines(b.Table.Folded(p.width))
		case b.Whole:
			p.line(table.Indent + b.Text)
		case b.Field:
			p.field(b)
		default:
			p.paragraph(b)
		}
	}
}

func (p *layout) lines(lines []string) {
	for _, line := range lines {
		p.line(line)
	}
}

// paragraph writes a text broken into lines, the second and later ones indented more.
func (p *layout) paragraph(b *Block) {
	for i, line := range table.Wrap(b.Text, p.width-2*len(table.Indent)) {
		if i > 0 {
			line = table.Indent + line
		}
		p.line(p.styled(styles[b.Tone], table.Indent+line))
	}
}

// field writes a value with its name, broken if need be.
func (p *layout) field(b *Block) {
	const width = 15
	name := b.Label
	for _, line := range table.Wrap(b.Text, p.width-width-len(table.Indent)) {
		p.line(table.Indent + fmt.Sprintf("%-*s", width, name) + line)
		name = ""
	}
}

// bars writes a table with a bar beside each row.
func (p *layout) bars(b *Block) {
	most := int64(0)
	for _, n := range b.Bars {
		most = max(most, n)
	}
	lines := b.Table.Lines(p.width)
	room := p.width - len(lines[0]) - 2*len(table.Gap)
	for i, line := range lines {
		if i > 0 {
			line = strings.TrimRight(line+table.Gap+bar(b.Bars[i-1], most, room), " ")
		}
		p.line(line)
	}
}

// bar draws n on a scale on which most has the whole room; a point stands for what is
// too little for a mark.
func bar(n, most int64, room int) string {
	scale := int64(max(room, 1))
	marks := (2*n*scale + most) / (2 * most)
	if marks == 0 && n > 0 {
		return "."
	}
	return strings.Repeat("#", int(marks))
}

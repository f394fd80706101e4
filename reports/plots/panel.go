package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// xTicks and yTicks are how many tick labels have room.
func xTicks(width vg.Length) int  { return max(int(width/75), 2) }
func yTicks(height vg.Length) int { return max(min(int(height/28), 5), 1) }

// leastRoom is what the name of a column needs.
const leastRoom = 34

// ticksBelow tells whether the panel has tick labels below it.
func (p *panel) ticksBelow() bool { return !p.bare && p.x.kind != plain }

// labelWidth is the room that the labels on the left need: at most 40 % of the width.
func (p *panel) labelWidth(width vg.Length, scale float64) vg.Length {
	var widest vg.Length
	most := width * 0.4
	for _, t := range p.y.ticks(yTicks(p.height * vg.Length(scale))) {
		if tooMany(len([]rune(t.Label)), most) {
			return most
		}
		widest = max(widest, tickStyle.Width(t.Label))
	}
	if widest == 0 {
		return 0
	}
	return min(widest+6, most)
}

// draw draws the axes and everything between them. The canvas is the part between them.
func (p *panel) draw(c draw.Canvas) {
	pl := plot.New()
	pl.X.Min, pl.X.Max, pl.X.Scale = p.x.min, p.x.max, p.x.normalizer()
	pl.Y.Min, pl.Y.Max, pl.Y.Scale = p.y.min, p.y.max, p.y.normalizer()
	p.drawGrid(c, pl)
	if p.heat != nil {
		p.heat.Plot(c, pl)
	}
	for _, m := range p.marks {
		m.Plot(c, pl)
	}
	p.drawLabels(c, pl)
}

// drawGrid draws a line for each tick of an axis that has numbers, and the base line.
func (p *panel) drawGrid(c draw.Canvas, pl *plot.Plot) {
	x, y := pl.Transforms(&c)
	var path vg.Path
	if p.x.kind != categories {
		for _, t := range p.x.ticks(xTicks(c.Size().X)) {
			path.Move(vg.Point{X: x(t.Value), Y: c.Min.Y})
			path.Line(vg.Point{X: x(t.Value), Y: c.Max.Y})
		}
	}
	if p.y.kind != categories {
		for _, t := range p.y.ticks(yTicks(c.Size().Y)) {
			path.Move(vg.Point{X: c.Min.X, Y: y(t.Value)})
			path.Line(vg.Point{X: c.Max.X, Y: y(t.Value)})
		}
	}
	if len(path) > 0 {
		c.SetLineStyle(stroke{paint: grid, width: 1}.line())
		c.Stroke(path)
	}
	if p.y.kind == categories && p.x.kind == categories || p.y.kind == plain {
		return
	}
	base := vg.Path{}
	if p.y.kind == categories {
		base.Move(c.Min)
		base.Line(vg.Point{X: c.Min.X, Y: c.Max.Y})
	} else {
		base.Move(c.Min)
		base.Line(vg.Point{X: c.Max.X, Y: c.Min.Y})
	}
	c.SetLineStyle(stroke{paint: rule, width: 1}.line())
	c.Stroke(base)
}

// drawLabels writes the labels of the ticks.
func (p *panel) drawLabels(c draw.Canvas, pl *plot.Plot) {
	x, y := pl.Transforms(&c)
	right := aligned(tickStyle, text.XRight)
	if p.y.kind == categories {
		right.Color = ink
	}
	for _, t := range p.y.ticks(yTicks(c.Size().Y)) {
		label := t.Label
		if p.y.kind == categories {
			label = shorten(right, label, c.Min.X-margin-6)
		}
		write(&c, right, c.Min.X-6, y(t.Value)-middle, label)
	}
	if !p.ticksBelow() {
		return
	}
	ticks := p.x.ticks(xTicks(c.Size().X))
	room := c.Size().X / vg.Length(max(len(ticks), 1))
	every := 1
	if p.x.kind == categories && room < leastRoom {
		every = int(leastRoom/room) + 1
		room *= vg.Length(every)
	}
	for i := 0; i < len(ticks); i += every {
		label := ticks[i].Label
		if p.x.kind == categories {
			label = shorten(tickStyle, label, room-4)
		}
		write(&c, tickStyle, x(ticks[i].Value), c.Min.Y-14, label)
	}
}

// legendRows splits the legend into rows that fit into a width.
func (p *panel) legendRows(width vg.Length) [][]entry {
	var rows [][]entry
	var used vg.Length
	for _, e := range append(p.heat.legend(), p.legend...) {
		w := e.width(width)
		if len(rows) == 0 || used+w > width {
			rows, used = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		used += w
	}
	return rows
}

// width is the room that an entry takes, with the gap to the next one.
func (e *entry) width(most vg.Length) vg.Length {
	return sampleWide + 4 + labelStyle.Width(e.shown(most)) + 14
}

// shown is the label as it fits into a row.
func (e *entry) shown(most vg.Length) string { return shorten(labelStyle, e.label, most-sampleWide-18) }

// drawLegend draws one row below a line.
func (p *panel) drawLegend(c draw.Canvas, row []entry, top vg.Length) {
	x, y := c.Min.X, top-legendRow/2
	for i := range row {
		e := &row[i]
		switch {
		case e.stroke != nil:
			c.StrokeLine2(e.stroke.line(), x, y, x+sampleWide, y)
		case e.fill != nil:
			e.fill.rectangle(c, vg.Rectangle{Min: vg.Point{X: x, Y: y - 5}, Max: vg.Point{X: x + sampleWide, Y: y + 5}})
		case e.dot != nil:
			e.dot.draw(c, vg.Point{X: x + sampleWide/2, Y: y})
		}
		write(&c, labelStyle, x+sampleWide+4, y-middle, e.shown(c.Size().X))
		x += e.width(c.Size().X)
	}
}

// lineEntry, fillEntry and dotEntry make entries of legends.
func lineEntry(label string, s stroke) entry { return entry{label: label, stroke: &s} }
func fillEntry(label string, f fill) entry   { return entry{label: label, fill: &f} }
func dotEntry(label string, d dot) entry     { return entry{label: label, dot: &d} }

package plots

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stroke is how a line looks.
type stroke struct {
	paint paint
	width vg.Length
	dash  []vg.Length
}

// line returns the style of gonum for a stroke.
func (s stroke) line() draw.LineStyle {
	return draw.LineStyle{Color: s.paint, Width: s.width, Dashes: s.dash}
}

// fill is how an area looks: a paint, and lines across it by which it can be told without its
// colour.
type fill struct {
	paint paint
	hatch hatch
}

// hatch are vertical lines in the colour of the ground: their distance, 0 for none, and how
// wide they are.
type hatch struct{ every, width vg.Length }

// hatchPaint is what they are drawn with.
var hatchPaint = ground.faded(55)

// hatches tell areas apart. The first is none.
var hatches = []hatch{{}, {6, 0.8}, {3, 0.7}, {9, 1.8}, {12, 0.8}, {4.5, 1.2}, {18, 2.5}, {24, 0.8}}

// dashes tell lines apart. The first is none.
var dashes = [][]vg.Length{
	nil, {9, 3}, {2, 2}, {10, 3, 2, 3}, {5, 4}, {14, 3}, {1, 3}, {9, 2, 2, 2, 2, 2},
}

// steps is a line that keeps its value from an edge to the next one. A value that is NaN is a
// gap.
type steps struct {
	edges  []float64 // one more than values
	values []float64
	stroke stroke
}

// Plot draws the line.
func (s *steps) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var path vg.Path
	gap := true
	for i, v := range s.values {
		if math.IsNaN(v) {
			gap = true
			continue
		}
		from := vg.Point{X: x(s.edges[i]), Y: y(within(p.Y, v))}
		if gap {
			path.Move(from)
		} else {
			path.Line(from)
		}
		path.Line(vg.Point{X: x(s.edges[i+1]), Y: from.Y})
		gap = false
	}
	c.SetLineStyle(s.stroke.line())
	if len(path) > 0 {
		c.Stroke(path)
	}
}

// within keeps a value in the range of an axis.
func within(a plot.Axis, x float64) float64 { return math.Max(a.Min, math.Min(a.Max, x)) }

// area is what lies between two lines of steps.
type area struct {
	edges     []float64
	low, high []float64
	fill      fill
}

// Plot draws the parts of the area that are not empty.
func (a *area) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var path vg.Path
	for i := 0; i < len(a.high); {
		end := i
		for end < len(a.high) && a.high[end] > a.low[end] {
			end++
		}
		if end == i {
			i++
			continue
		}
		path.Move(vg.Point{X: x(a.edges[i]), Y: y(within(p.Y, a.low[i]))})
		for j := i; j < end; j++ {
			level := y(within(p.Y, a.high[j]))
			path.Line(vg.Point{X: x(a.edges[j]), Y: level})
			path.Line(vg.Point{X: x(a.edges[j+1]), Y: level})
		}
		for j := end - 1; j >= i; j-- {
			level := y(within(p.Y, a.low[j]))
			path.Line(vg.Point{X: x(a.edges[j+1]), Y: level})
			path.Line(vg.Point{X: x(a.edges[j]), Y: level})
		}
		path.Close()
		i = end
	}
	if len(path) == 0 {
		return
	}
	c.SetColor(a.fill.paint)
	c.Fill(path)
	a.hatch(c, p)
}

// hatch draws lines across the area.
func (a *area) hatch(c draw.Canvas, p *plot.Plot) {
	every := a.fill.hatch.every
	if every == 0 {
		return
	}
	x, y := p.Transforms(&c)
	var path vg.Path
	i := 0
	for at := c.Min.X + every/2; at < c.Max.X; at += every {
		for i < len(a.high) && x(a.edges[i+1]) < at {
			i++
		}
		if i == len(a.high) || x(a.edges[i]) > at || a.high[i] <= a.low[i] {
			continue
		}
		low, high := y(within(p.Y, a.low[i])), y(within(p.Y, a.high[i]))
		if high-low < 1 {
			continue
		}
		path.Move(vg.Point{X: at, Y: low})
		path.Line(vg.Point{X: at, Y: high})
	}
	if len(path) > 0 {
		c.SetLineStyle(stroke{paint: hatchPaint, width: a.fill.hatch.width}.line())
		c.Stroke(path)
	}
}

// box is a filled rectangle in coordinates of data.
type box struct {
	x0, x1, y0, y1 float64
	fill           fill
}

// Plot draws the rectangle.
func (b *box) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	r := vg.Rectangle{
		Min: vg.Point{X: x(within(p.X, b.x0)), Y: y(within(p.Y, b.y0))},
		Max: vg.Point{X: x(within(p.X, b.x1)), Y: y(within(p.Y, b.y1))},
	}
	if r.Max.X <= r.Min.X || r.Max.Y <= r.Min.Y {
		return
	}
	b.fill.rectangle(c, r)
}

// rectangle fills a rectangle of the canvas.
func (f fill) rectangle(c draw.Canvas, r vg.Rectangle) {
	c.SetColor(f.paint)
	c.Fill(r.Path())
	if f.hatch.every == 0 {
		return
	}
	// One wide line with gaps is all the lines at once.
	h := f.hatch
	c.SetLineStyle(stroke{hatchPaint, r.Size().Y, []vg.Length{h.width, h.every - h.width}}.line())
	y := (r.Min.Y + r.Max.Y) / 2
	if start := r.Min.X + h.every/2; start < r.Max.X {
		var path vg.Path
		path.Move(vg.Point{X: start, Y: y})
		path.Line(vg.Point{X: r.Max.X, Y: y})
		c.Stroke(path)
	}
}

// segment is a straight line in coordinates of data.
type segment struct {
	x0, y0, x1, y1 float64
	stroke         stroke
}

// Plot draws the line.
func (s *segment) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(s.stroke.line(), x(within(p.X, s.x0)), y(within(p.Y, s.y0)), x(within(p.X, s.x1)), y(within(p.Y, s.y1)))
}

// shape is what a dot looks like.
type shape uint8

const (
	disc shape = iota // drawn with eight corners
	square
	diamond
	tick // a vertical line
)

// dot is a mark at one point.
type dot struct {
	x, y  float64
	shape shape
	paint paint
	size  vg.Length // half of its width
}

// Plot draws the mark.
func (d *dot) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	d.draw(c, vg.Point{X: x(within(p.X, d.x)), Y: y(within(p.Y, d.y))})
}

// draw draws the mark at a point of the canvas.
func (d *dot) draw(c draw.Canvas, at vg.Point) {
	r := d.size
	var corners []vg.Point
	switch d.shape {
	case disc:
		s := r * 0.4142
		corners = []vg.Point{{X: -r, Y: -s}, {X: -r, Y: s}, {X: -s, Y: r}, {X: s, Y: r}, {X: r, Y: s}, {X: r, Y: -s}, {X: s, Y: -r}, {X: -s, Y: -r}}
	case square:
		corners = []vg.Point{{X: -r, Y: -r}, {X: -r, Y: r}, {X: r, Y: r}, {X: r, Y: -r}}
	case diamond:
		corners = []vg.Point{{X: -r, Y: 0}, {X: 0, Y: r}, {X: r, Y: 0}, {X: 0, Y: -r}}
	case tick:
		corners = []vg.Point{{X: -1, Y: -r}, {X: -1, Y: r}, {X: 1, Y: r}, {X: 1, Y: -r}}
	}
	var path vg.Path
	for i, corner := range corners {
		if i == 0 {
			path.Move(at.Add(corner))
		} else {
			path.Line(at.Add(corner))
		}
	}
	path.Close()
	c.SetColor(d.paint)
	c.Fill(path)
}

// note is text at a point, shifted by some points.
type note struct {
	x, y   float64
	dx, dy vg.Length
	text   string
	align  text.XAlignment
	bold   bool
	room   float64 // the width that it must fit into, in units of the x axis; 0 is any
	plate  bool    // a ground behind it, so that it can be read on an area
}

// Plot writes the text. What would leave the canvas on the right goes to the left of the
// point, where a bar may be.
func (n *note) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := textStyle(sizeTick, n.bold, ink, n.align)
	at := vg.Point{X: x(within(p.X, n.x)) + n.dx, Y: y(within(p.Y, n.y)) + n.dy - middle}
	gap := vg.Length(noteGap)
	if n.plate {
		gap = plateGap
	}
	if n.room > 0 && style.Width(n.text)+gap > x(p.X.Min+n.room)-x(p.X.Min) {
		return
	}
	if n.align == text.XLeft && at.X+style.Width(n.text) > c.Max.X {
		style.XAlign = text.XRight
		at.X -= 2*n.dx + 2
	}
	if n.plate || style.XAlign == text.XRight {
		left := at.X + vg.Length(style.XAlign)*style.Width(n.text)
		c.SetColor(ground.faded(85))
		c.Fill(vg.Rectangle{Min: vg.Point{X: left - 3, Y: at.Y - 3}, Max: vg.Point{X: left + style.Width(n.text) + 3, Y: at.Y + sizeTick - 1}}.Path())
	}
	write(&c, style, at.X, at.Y, n.text)
}

const (
	// noteGap is what has to be free between two notes in a row.
	noteGap = 5
	// plateGap is what has to be left of an area beside a plate, the plate's own rim included.
	plateGap = 16
)

// middle is how far the base line of text lies below its middle.
const middle = vg.Length(sizeTick) * 0.36

// cells is a picture of numbers, row by row from the top, that fills its panel.
type cells struct {
	rows  [][]float64
	most  float64 // the number that is drawn in full colour
	unit  string
	paint paint
}

// legend shows some shades with their numbers. A panel without a picture has none.
func (m *cells) legend() []entry {
	if m == nil {
		return nil
	}
	var out []entry
	for _, share := range []float64{0.25, 0.5, 1} {
		out = append(out, fillEntry(number(m.most*share), fill{paint: m.paint.faded(alphaOf(shadeOf(share)))}))
	}
	out[len(out)-1].label += " " + m.unit
	return out
}

// cellShades is how many shades a picture has, 0 included.
const cellShades = 16

// Plot draws the picture: in SVG as an image, which is small, else cell by cell.
func (m *cells) Plot(c draw.Canvas, _ *plot.Plot) {
	if _, ok := c.Canvas.(*svgCanvas); ok {
		c.DrawImage(c.Rectangle, m.image())
		return
	}
	columns := len(m.rows[0])
	dx, dy := c.Size().X/vg.Length(columns), c.Size().Y/vg.Length(len(m.rows))
	for i, row := range m.rows {
		for j := 0; j < columns; {
			end := j + 1
			for end < columns && m.shade(row[end]) == m.shade(row[j]) {
				end++
			}
			if s := m.shade(row[j]); s > 0 {
				top := c.Max.Y - dy*vg.Length(i)
				c.SetColor(m.paint.faded(alphaOf(s)))
				c.Fill(vg.Rectangle{
					Min: vg.Point{X: c.Min.X + dx*vg.Length(j), Y: top - dy}, Max: vg.Point{X: c.Min.X + dx*vg.Length(end), Y: top},
				}.Path())
			}
			j = end
		}
	}
}

// shade returns the shade of a number.
func (m *cells) shade(n float64) int { return shadeOf(n / m.most) }

// shadeOf returns the shade of a share: none for 0 alone.
func shadeOf(share float64) int {
	if !(share > 0) {
		return 0
	}
	return min(1+int(share*(cellShades-1)), cellShades-1)
}

// alphaOf returns the opacity of a shade in percent.
func alphaOf(shade int) uint8 {
	if shade == 0 {
		return 0
	}
	return uint8(10 + 90*shade/(cellShades-1))
}

// image makes a picture with a pixel for each cell, which lets the ground through.
func (m *cells) image() image.Image {
	colors := make(color.Palette, cellShades)
	for i := range colors {
		alpha := uint8(uint16(alphaOf(i)) * 255 / 100)
		colors[i] = color.NRGBA{uint8(m.paint.light >> 16), uint8(m.paint.light >> 8), uint8(m.paint.light), alpha}
	}
	img := image.NewPaletted(image.Rect(0, 0, len(m.rows[0]), len(m.rows)), colors)
	for y, row := range m.rows {
		for x, n := range row {
			img.SetColorIndex(x, y, uint8(m.shade(n)))
		}
	}
	return img
}

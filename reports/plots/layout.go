package plots

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// panel is a pair of axes with what is drawn between them.
type panel struct {
	// heading says what the panel shows, with its unit.
	heading string
	// key is what panels of two results are matched by, if it is not the heading.
	key  string
	x, y axis
	// heat is the picture that fills the panel, if there is one.
	heat *cells
	// height is that of the drawing alone, without heading, legend and ticks.
	height vg.Length
	marks  []plot.Plotter
	legend []entry
	// bare leaves the tick labels below to the next panel, which has the same x axis.
	bare bool
}

// entry is a line of a legend: exactly one of its samples is there.
type entry struct {
	label  string
	stroke *stroke
	fill   *fill
	dot    *dot
}

// The measures of a chart, in points.
const (
	// DefaultWidth is the width that charts are made for. They can be as narrow as MinWidth.
	DefaultWidth = 760
	MinWidth     = 280

	margin     = 6
	headRow    = 18
	legendRow  = 16
	legendGap  = 7 // between what is above a drawing and its topmost tick label
	tickRow    = 18
	captionRow = 15
	panelGap   = 12
	columnGap  = 24
	sampleWide = 18
	narrow     = 560 // two columns become one below
)

// SVG draws the chart as a standalone picture, with a style sheet for light and dark. Width and
// height are in pixels of CSS; a height of 0 is the one that suits.
func (c *Chart) SVG(width, height int) ([]byte, error) { return c.svg(width, height, true) }

// Inline draws the chart as an element for a page that has the style sheet Style.
func (c *Chart) Inline(width, height int) ([]byte, error) { return c.svg(width, height, false) }

// svg draws the chart as SVG with or without a style sheet.
func (c *Chart) svg(width, height int, standalone bool) ([]byte, error) {
	if err := c.check(width, height); err != nil {
		return nil, err
	}
	w := vg.Length(width)
	h := c.fit(w, vg.Length(height), 0)
	canvas := &svgCanvas{height: h}
	c.draw(draw.NewCanvas(canvas, w, h), 0)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="apfsim-chart" role="img" viewBox="0 0 %d %s" width="%d" height="%s" font-size="%d">`+"\n",
		width, hundredths(centi(h)), width, hundredths(centi(h)), sizeTick)
	b.WriteString("<title>")
	escape(&b, c.Title)
	b.WriteString("</title>\n<desc>")
	escape(&b, strings.TrimSpace(c.subtitle+". "+c.Caption))
	b.WriteString("</desc>\n")
	if standalone {
		canvas.paint = ground
		canvas.class()
		b.WriteString("<style>" + styleOf(canvas.used) + "</style>\n")
		fmt.Fprintf(&b, `<path class="f bg" d="M0 0h%dv%sH0z"/>`+"\n", width, hundredths(centi(h)))
	}
	b.Write(canvas.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// pngScale is how many pixels a PNG has for each point: pictures are pasted into pages that
// are looked at on dense screens.
const pngScale = 2

// PNG draws the chart as a picture with its title and caption, on white, with twice as many pixels as
// width and height say. A height of 0 is the one that suits.
func (c *Chart) PNG(width, height int) ([]byte, error) {
	if err := c.check(width, height); err != nil {
		return nil, err
	}
	w := vg.Length(width)
	below := textStyle(sizeTick, false, dim, text.XLeft)
	caption := wrap(below, c.Caption, w-2*margin)
	head := vg.Length(sizeTitle + sizeTick + 14)
	foot := captionRow * vg.Length(len(caption))
	h := c.fit(w, vg.Length(height), head+foot)
	img := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(72*pngScale))
	canvas := draw.NewCanvas(img, w, h)
	title := textStyle(sizeTitle, true, ink, text.XLeft)
	write(&canvas, title, margin, h-margin-sizeTitle, shorten(title, c.Title, w-2*margin))
	for i, line := range caption {
		write(&canvas, below, margin, foot-captionRow*vg.Length(i)-sizeTick+2, line)
	}
	write(&canvas, below, margin, h-margin-sizeTitle-sizeTick-5, shorten(below, c.subtitle, w-2*margin))
	c.draw(draw.Crop(canvas, 0, 0, foot, 0), head)
	var b bytes.Buffer
	if err := png.Encode(&b, img.Image()); err != nil {
		return nil, fmt.Errorf("drawing %s: %w", c.ID, err)
	}
	return b.Bytes(), nil
}

// errSize is the fault of a size that no chart fits into.
var errSize = errors.New("no chart fits into it")

// check refuses sizes that nothing fits into.
func (c *Chart) check(width, height int) error {
	if width < MinWidth || width > 10_000 || height < 0 || height > 10_000 {
		return fmt.Errorf("drawing %s with %d x %d: %w", c.ID, width, height, errSize)
	}
	return nil
}

// stacked tells whether the columns of a comparison are one above the other.
func (c *Chart) stacked(width vg.Length) bool { return width < narrow }

// columnWidth is the width of one column.
func (c *Chart) columnWidth(width vg.Length) vg.Length {
	inner := width - 2*margin
	if n := vg.Length(len(c.columns)); n > 1 && !c.stacked(width) {
		return (inner - (n-1)*columnGap) / n
	}
	return inner
}

// natural is the height that suits a width, without a title.
func (c *Chart) natural(width vg.Length) vg.Length {
	var sum, most vg.Length
	for i := range c.columns {
		h := c.columns[i].height(c.columnWidth(width), 1)
		sum += h
		most = max(most, h)
	}
	if c.stacked(width) {
		most = sum
	}
	return most + 2*margin
}

// fit returns the height of a picture: the one that was asked for, if all text has its place
// in it.
func (c *Chart) fit(width, height, head vg.Length) vg.Length {
	natural := c.natural(width) + head
	if height > 0 {
		least := natural - c.elastic(width)*(1-leastScale)
		return max(height, least)
	}
	return natural
}

// leastScale is how flat panels can get, of their own height.
const leastScale = 0.5

// elastic is the part of the height that panels are drawn in.
func (c *Chart) elastic(width vg.Length) vg.Length {
	var sum, most vg.Length
	for i := range c.columns {
		var h vg.Length
		for j := range c.columns[i].panels {
			h += c.columns[i].panels[j].height
		}
		sum += h
		most = max(most, h)
	}
	if c.stacked(width) {
		return sum
	}
	return most
}

// draw draws all columns below a head.
func (c *Chart) draw(canvas draw.Canvas, head vg.Length) {
	width, height := canvas.Size().X, canvas.Size().Y
	scale := 1.0
	if elastic := c.elastic(width); elastic > 0 {
		scale = 1 + float64((height-head-c.natural(width))/elastic)
	}
	w := c.columnWidth(width)
	x, y := canvas.Min.X+margin, canvas.Max.Y-head-margin
	for i := range c.columns {
		h := c.columns[i].height(w, scale)
		c.columns[i].draw(draw.Canvas{Canvas: canvas.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: x, Y: y - h}, Max: vg.Point{X: x + w, Y: y},
		}}, scale)
		if c.stacked(width) {
			y -= h
		} else {
			x += w + columnGap
		}
	}
}

// height is that of the whole column.
func (c *column) height(width vg.Length, scale float64) vg.Length {
	var sum vg.Length
	if c.name != "" {
		sum += headRow
	}
	for i := range c.panels {
		p := &c.panels[i]
		sum += headRow + legendGap + legendRow*vg.Length(len(p.legendRows(width))) + p.height*vg.Length(scale)
		if i < len(c.panels)-1 {
			sum += panelGap
		}
		if p.ticksBelow() {
			sum += tickRow
		}
	}
	return sum
}

// draw draws the panels from the top, with their left edges in one line.
func (c *column) draw(canvas draw.Canvas, scale float64) {
	top := canvas.Max.Y
	if c.name != "" {
		write(&canvas, headingStyle, canvas.Min.X, top-sizeHead, shorten(headingStyle, c.name, canvas.Size().X))
		top -= headRow
	}
	var left vg.Length
	for i := range c.panels {
		left = max(left, c.panels[i].labelWidth(canvas.Size().X, scale))
	}
	right := c.rightMargin(canvas.Size().X - left)
	for i := range c.panels {
		p := &c.panels[i]
		write(&canvas, headingStyle, canvas.Min.X, top-sizeHead, shorten(headingStyle, p.heading, canvas.Size().X))
		top -= headRow
		for _, row := range p.legendRows(canvas.Size().X) {
			p.drawLegend(canvas, row, top)
			top -= legendRow
		}
		top -= legendGap
		h := p.height * vg.Length(scale)
		p.draw(draw.Canvas{Canvas: canvas.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: canvas.Min.X + left, Y: top - h}, Max: vg.Point{X: canvas.Max.X - right, Y: top},
		}})
		top -= h + panelGap
		if p.ticksBelow() {
			top -= tickRow
		}
	}
}

// rightMargin leaves room for the half of the last tick label.
func (c *column) rightMargin(width vg.Length) vg.Length {
	right := vg.Length(2)
	for i := range c.panels {
		a := &c.panels[i].x
		for _, t := range a.ticks(xTicks(width)) {
			if share := a.normalizer().Normalize(a.min, a.max, t.Value); a.kind != categories && a.kind != plain {
				right = max(right, tickStyle.Width(t.Label)/2-width*vg.Length(1-share))
			}
		}
	}
	return right
}

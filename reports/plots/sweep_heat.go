package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heatMaps draws a figure over each pair of factors.
func (v *sweepView) heatMaps(column int) []Chart {
	var out []Chart
	for i := range v.factors {
		for j := i + 1; j < len(v.factors); j++ {
			a, b := &v.factors[i], &v.factors[j]
			if len(a.values) > 1 && len(b.values) > 1 && len(a.values) <= mostTiles && len(b.values) <= mostTiles {
				out = append(out, v.heatMap(column, i, j))
			}
		}
	}
	return out
}

// heatMap draws a figure over two factors, with a panel for the values of the rest.
func (v *sweepView) heatMap(column, up, across int) Chart {
	rest := v.others(up, across)
	groups, means := v.panelsOf(rest)
	name, a, b := v.table.Study.Columns[column].Text, &v.factors[up], &v.factors[across]
	c := Chart{ID: slug(fmt.Sprintf("heat-%d-%s-%s", column+1, a.name, b.name)), Section: sectionHeat,
		Title:   fmt.Sprintf("%s over %s and %s", name, a.name, b.name),
		Caption: fmt.Sprintf("%s upwards, %s across; the stronger the colour, the more.", a.name, b.name)}
	switch {
	case means:
		c.Caption += " Each tile is the mean over all points with these values."
	case len(rest) > 0:
		c.Caption += " A panel for each value of the rest."
	}
	scale := v.scale(column)
	if scale.log {
		c.Caption += " The shades are logarithmic."
	}
	c.Caption += " An empty tile has no point; a hatched one has no figure, or cannot be run."
	var panels []panel
	for i := range groups {
		p := panel{heading: name, x: category(b.names()), y: category(a.names()), height: tileHigh * vg.Length(len(a.values))}
		if at := v.named(rest, &groups[i]); at != "" {
			p.heading = at
		}
		m := v.tiles(&groups[i], column, up, across, scale)
		p.marks, p.legend = append(p.marks, m), m.legend(func(y float64) string { return v.text(column, y) })
		panels = append(panels, p)
		m.rows(&c.Table, a, b, v.named(rest, &groups[i]))
	}
	c.columns = spread(panels)
	return c
}

// heatScale is which figure has which shade.
type heatScale struct {
	least, most float64
	log         bool
}

// scale is that of a column, the same in all panels.
func (v *sweepView) scale(column int) heatScale {
	s := heatScale{least: math.Inf(1), most: math.Inf(-1)}
	for _, p := range v.points {
		if y, ok := p.mean(column); ok {
			s.least, s.most = min(s.least, y), max(s.most, y)
		}
	}
	s.log = v.metric(column).Unit() == reports.UnitSeconds && s.least > 0 && s.most/s.least > steep
	return s
}

// share is where a figure lies between the least and the most.
func (s *heatScale) share(y float64) float64 {
	if s.log {
		return math.Log2(y/s.least) / math.Log2(s.most/s.least)
	}
	return (y - s.least) / (s.most - s.least)
}

// tiles is a heat map.
type tiles struct {
	scale heatScale
	// rows are from below.
	cells [][]heatTile
	// hatched, best and same tell that some tile is.
	hatched, best, same bool
}

// heatTile is a tile: without a point, with a figure or without.
type heatTile struct {
	points       int
	y            float64
	known        bool
	text         string
	best, sameAs bool
}

// tiles makes the heat map of the points of a panel.
func (v *sweepView) tiles(g *sweepGroup, column, up, across int, scale heatScale) *tiles {
	a, b := &v.factors[up], &v.factors[across]
	m := &tiles{scale: scale, cells: make([][]heatTile, len(a.values))}
	for i := range m.cells {
		m.cells[i] = make([]heatTile, len(b.values))
	}
	counts := map[*heatTile]float64{}
	for _, p := range g.points {
		tile := &m.cells[slices.Index(a.order, p.at[up])][slices.Index(b.order, p.at[across])]
		tile.points++
		if y, ok := p.mean(column); ok {
			tile.y, tile.known = tile.y+y, true
			counts[tile]++
		}
		tile.best = tile.best || p.Row == v.best
		tile.sameAs = tile.sameAs || p.Same
	}
	for i := range m.cells {
		for j := range m.cells[i] {
			tile := &m.cells[i][j]
			if tile.known {
				tile.y /= counts[tile]
				tile.text = v.text(column, float64(v.metric(column).RoundedValue(tile.y)))
			}
			m.hatched = m.hatched || tile.points > 0 && !tile.known
			m.best, m.same = m.best || tile.best, m.same || tile.sameAs
		}
	}
	return m
}

// tileAlpha is the opacity of a share in percent: so little that text can be read on it.
func tileAlpha(share float64) uint8 { return uint8(6 + math.Round(46*math.Max(0, math.Min(1, share)))) }

// tileShade is what a share is painted with.
func tileShade(share float64) fill { return fill{paint: series[0].faded(tileAlpha(share))} }

// unknownTile is what a tile without a figure looks like.
var unknownTile = fill{paint: rest.faded(45), hatch: hatch{4, 1.6}}

// legend says what the shades and the marks are.
func (m *tiles) legend(write func(float64) string) []entry {
	middle := (m.scale.least + m.scale.most) / 2
	if m.scale.log {
		middle = m.scale.least * math.Sqrt(m.scale.most/m.scale.least)
	}
	var out []entry
	for i, y := range []float64{m.scale.least, middle, m.scale.most} {
		out = append(out, fillEntry(write(significant(y)), tileShade(float64(i)/2)))
	}
	if m.hatched {
		out = append(out, fillEntry("no figure", unknownTile))
	}
	if m.best {
		out = append(out, lineEntry("framed: the best", frame))
	}
	if m.same {
		out = append(out, dotEntry("as it is", dot{shape: diamond, paint: ink, size: 4}))
	}
	return out
}

// frame is what the best tile is framed with.
var frame = stroke{paint: ink, width: 2}

// Plot draws the tiles.
func (m *tiles) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, row := range m.cells {
		for j := range row {
			t := &row[j]
			if t.points == 0 {
				continue
			}
			r := vg.Rectangle{
				Min: vg.Point{X: x(float64(j)-0.5) + 0.5, Y: y(float64(i)-0.5) + 0.5},
				Max: vg.Point{X: x(float64(j)+0.5) - 0.5, Y: y(float64(i)+0.5) - 0.5},
			}
			t.draw(c, r, &m.scale)
		}
	}
}

// draw draws one tile.
func (t *heatTile) draw(c draw.Canvas, r vg.Rectangle, scale *heatScale) {
	look := unknownTile
	if t.known {
		look = tileShade(scale.share(t.y))
	}
	look.rectangle(c, r)
	if t.best {
		c.SetLineStyle(frame.line())
		in := vg.Rectangle{Min: r.Min.Add(vg.Point{X: 1, Y: 1}), Max: r.Max.Sub(vg.Point{X: 1, Y: 1})}
		c.Stroke(in.Path())
	}
	style := textStyle(sizeTick, false, ink, text.XCenter)
	at := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	if style.Width(t.text)+6 <= r.Size().X {
		write(&c, style, at.X, at.Y-middle, t.text)
	}
	if t.sameAs {
		d := dot{shape: diamond, paint: ink, size: 4}
		d.draw(c, vg.Point{X: r.Min.X + 6, Y: r.Max.Y - 6})
	}
}

// rows adds the tiles to the table of the chart, the uppermost first.
func (m *tiles) rows(t *Table, up, across *sweepFactor, at string) {
	if t.Columns == nil {
		t.Columns = []string{up.name}
		if at != "" {
			t.Columns = []string{"of", up.name}
		}
		for _, name := range across.names() {
			t.Columns = append(t.Columns, across.name+" "+name)
		}
	}
	for i := len(m.cells) - 1; i >= 0; i-- {
		cells := []string{up.names()[i]}
		if at != "" {
			cells = []string{at, up.names()[i]}
		}
		for j := range m.cells[i] {
			tile := &m.cells[i][j]
			switch {
			case tile.known:
				cells = append(cells, tile.text)
			case tile.points > 0:
				cells = append(cells, "-")
			default:
				cells = append(cells, "")
			}
		}
		t.Rows = append(t.Rows, cells)
	}
}

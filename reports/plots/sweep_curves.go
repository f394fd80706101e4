package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostLines is how many lines a panel of curves has.
const mostLines = 8

// steep is how many times the least value of a time the greatest is on a logarithmic axis.
const steep = 50

// curves draws a figure against each factor that is a number.
func (v *sweepView) curves(column int) []Chart {
	var out []Chart
	for i := range v.factors {
		if v.factors[i].numbers != nil {
			out = append(out, v.curve(column, i))
		}
	}
	return out
}

// curve draws a figure against one factor: a line for each value of another one, and a panel for those of the
// rest.
func (v *sweepView) curve(column, factor int) Chart {
	f, name := &v.factors[factor], v.table.Study.Columns[column].Text
	other, rest := v.lines(factor)
	groups, means := v.panelsOf(rest)
	c := Chart{ID: slug(fmt.Sprintf("curve-%d-%s", column+1, f.name)), Section: sectionCurves,
		Title: name + " against " + f.name, Caption: v.curveCaption(column, other, rest, means), Table: v.rows(column)}
	y := v.figureAxis(column)
	var panels []panel
	for i := range groups {
		g := &groups[i]
		p := panel{heading: name, x: f.axis(), y: y, height: curvesHigh}
		if at := v.named(rest, g); at != "" {
			p.heading = at
		}
		v.drawBase(&p, column)
		lines := []sweepGroup{{points: g.points}}
		if other >= 0 {
			lines = groupedBy(g.points, []int{other})
			slices.SortStableFunc(lines, func(a, b sweepGroup) int {
				return slices.Index(v.factors[other].order, a.at[0]) - slices.Index(v.factors[other].order, b.at[0])
			})
		}
		for j := range lines {
			aside := (float64(j) - float64(len(lines)-1)/2) * apart * (p.x.max - p.x.min)
			v.line(&p, &lines[j], column, lineOf{factor, other, j, aside})
		}
		panels = append(panels, p)
	}
	c.columns = spread(panels)
	return c
}

// lines chooses the factor whose values are lines, -1 for none; the rest are panels.
func (v *sweepView) lines(factor int) (other int, rest []int) {
	others := v.others(factor)
	for _, o := range others {
		if n := len(v.factors[o].values); n <= mostLines {
			return o, v.others(factor, o)
		}
	}
	return -1, others
}

// curveCaption says how to read the curves.
func (v *sweepView) curveCaption(column, other int, rest []int, means bool) string {
	text := "Each dot is the mean over the replications at one point, with its interval of 95 % where there are several."
	if means {
		text = "Each dot is the mean over all points with these values."
	}
	if other >= 0 {
		text += fmt.Sprintf(" A line for each value of %s.", v.factors[other].name)
	}
	if len(rest) > 0 && !means {
		text += " A panel for each value of the rest."
	}
	if _, ok := meanOf(v.base, column); ok {
		text += " The broken line is the scenario as it is."
	}
	if slices.ContainsFunc(v.points, func(p *sweepPoint) bool { return p.Same }) {
		text += " A diamond is a point that is configured like it."
	}
	if v.endless(column) {
		text += " Points without end or without data are left out."
	}
	return text
}

// endless tells that some point has no figure.
func (v *sweepView) endless(column int) bool {
	return slices.ContainsFunc(v.points, func(p *sweepPoint) bool {
		_, ok := p.mean(column)
		return !ok
	})
}

// figureAxis is the axis of a figure, the same in all panels.
func (v *sweepView) figureAxis(column int) axis {
	least, greatest := math.Inf(1), 0.0
	add := func(r *study.Row) {
		y, ok := meanOf(r, column)
		if !ok {
			return
		}
		least, greatest = min(least, y), max(greatest, y)
		if h := r.Cells[column].HalfWidth; h != nil && !math.IsInf(float64(*h), 0) {
			greatest = max(greatest, min(y+float64(*h), 1.5*y))
		}
	}
	add(v.base)
	for _, p := range v.points {
		add(p.Row)
	}
	switch unit := v.metric(column).Unit(); {
	case unit == reports.UnitSeconds && least > 0 && greatest/least > steep:
		return spanAxis(least, greatest)
	case unit == reports.UnitSeconds:
		return from0(times, greatest)
	case unit == reports.UnitShare:
		return from0(shares, greatest)
	}
	return from0(counts, greatest)
}

// drawBase draws the scenario as it is across a panel.
func (v *sweepView) drawBase(p *panel, column int) {
	y, ok := meanOf(v.base, column)
	if !ok {
		return
	}
	s := stroke{paint: dim, width: 1.5, dash: []vg.Length{6, 4}}
	p.marks = append(p.marks, &segment{p.x.min, y, p.x.max, y, s})
	p.legend = append(p.legend, lineEntry("as it is", s))
}

// apart is how far intervals of different lines at one value are drawn apart, as a part of the axis.
const apart = 0.006

// lineOf tells which line of a panel it is: against which factor, for a value of which other one, its number,
// and by how much it is drawn aside.
type lineOf struct {
	factor, other, number int
	aside                 float64
}

// line draws the points of one line.
func (v *sweepView) line(p *panel, g *sweepGroup, column int, of lineOf) {
	factor, other, number := of.factor, of.other, of.number
	look := stroke{paint: series[number%len(series)], width: 1.75, dash: dashes[number%len(dashes)]}
	f := &v.factors[factor]
	run := &polyline{stroke: look}
	var over []plot.Plotter
	for _, place := range f.order {
		at := sweepGroup{}
		for _, point := range g.points {
			if _, ok := point.mean(column); ok && point.at[factor] == place {
				at.points = append(at.points, point)
			}
		}
		if len(at.points) == 0 {
			continue
		}
		x, y := f.place(place)+of.aside, at.mean(column)
		run.x, run.y = append(run.x, x), append(run.y, y)
		over = append(over, at.marks(column, x, y, look.paint)...)
	}
	if len(run.x) == 0 {
		return
	}
	p.marks = append(append(p.marks, run), over...)
	if other >= 0 {
		p.legend = append(p.legend, lineEntry(v.factors[other].name+" "+v.factors[other].values[g.at[0]], look))
	}
}

// mean is the mean over the points of a group, all of which have a figure.
func (g *sweepGroup) mean(column int) float64 {
	sum := 0.0
	for _, p := range g.points {
		y, _ := p.mean(column)
		sum += y
	}
	return sum / float64(len(g.points))
}

// marks are the dot of a group, with the interval if it is of one point.
func (g *sweepGroup) marks(column int, x, y float64, color paint) []plot.Plotter {
	one := len(g.points) == 1
	var out []plot.Plotter
	if h := g.points[0].Cells[column].HalfWidth; one && h != nil && *h > 0 && !math.IsInf(float64(*h), 0) {
		out = append(out, &segment{x, y - float64(*h), x, y + float64(*h), stroke{paint: color, width: 1}})
	}
	d := &dot{x: x, y: y, shape: disc, paint: color, size: 3}
	if one && g.points[0].Same {
		d.shape, d.size = diamond, 6
	}
	return append(out, d)
}

// polyline joins points by straight lines.
type polyline struct {
	x, y   []float64
	stroke stroke
}

// Plot draws the lines.
func (l *polyline) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var path vg.Path
	for i := range l.x {
		at := vg.Point{X: x(within(p.X, l.x[i])), Y: y(within(p.Y, l.y[i]))}
		if i == 0 {
			path.Move(at)
		} else {
			path.Line(at)
		}
	}
	c.SetLineStyle(l.stroke.line())
	c.Stroke(path)
}

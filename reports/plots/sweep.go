package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
)

const (
	sectionCurves = "Response curves"
	sectionHeat   = "Heat maps"

	// curvesHigh is the height of a panel of curves, and tileHigh of a row of a heat map.
	curvesHigh = 170
	tileHigh   = 26
	// mostSweepCharts is how many charts of a kind there are of a scenario.
	mostSweepCharts = 12
	// mostPanels is how many panels a chart has beside each other and below.
	mostPanels = 6
	// mostTiles is how many values a direction of a heat map has.
	mostTiles = 40
)

// SweepCharts returns the charts of what a sweep showed of one scenario: curves of each figure against each
// factor that is a number, and heat maps of each figure over each pair of factors. A figure
// that is the same at all points has none.
func SweepCharts(t *study.Table, scenario string) []Chart {
	v := &sweepView{table: t, factors: factorsOf(t.Study)}
	for _, r := range t.Of(scenario) {
		switch {
		case r.Point == study.AsItIs:
			v.base = r
		default:
			v.points = append(v.points, &sweepPoint{r, t.Study.Points[r.Point]})
		}
	}
	v.best = t.Best(scenario)
	var columns []int
	for i := range t.Study.Columns {
		if c := &t.Study.Columns[i]; (c.Scenario == "" || c.Scenario == scenario) && v.varies(i) {
			columns = append(columns, i)
		}
	}
	var curves, heats []Chart
	for _, c := range columns {
		curves = append(curves, v.curves(c)...)
		heats = append(heats, v.heatMaps(c)...)
	}
	out := append(most(curves), most(heats)...)
	for i := range out {
		for j := range t.Study.Scenarios {
			if s := &t.Study.Scenarios[j]; s.Name == scenario {
				out[i].subtitle = s.Name + " · " + counted(s.Replications, "replication")
			}
		}
	}
	return out
}

// most keeps the first charts, and says at the last how many there were.
func most(charts []Chart) []Chart {
	if n := len(charts) - mostSweepCharts; n > 0 {
		charts = charts[:mostSweepCharts]
		charts[mostSweepCharts-1].Caption += fmt.Sprintf(" There would be %s more; --column chooses figures.", counted(n, "chart"))
	}
	return charts
}

// sweepView is what charts of a scenario are made from.
type sweepView struct {
	table   *study.Table
	factors []sweepFactor
	base    *study.Row
	best    *study.Row
	points  []*sweepPoint
}

// sweepPoint is a row with the numbers of its values.
type sweepPoint struct {
	*study.Row
	at []int
}

// varies tells that a figure is not the same at all points, and known at two of them.
func (v *sweepView) varies(column int) bool {
	var means []float64
	for _, p := range v.points {
		if y, ok := p.mean(column); ok {
			means = append(means, y)
		}
	}
	return len(means) > 1 && slices.Min(means) != slices.Max(means)
}

// mean is the figure at a point; false where there is none, or one without end.
func (p *sweepPoint) mean(column int) (float64, bool) { return meanOf(p.Row, column) }

func meanOf(r *study.Row, column int) (float64, bool) {
	if r == nil || column >= len(r.Cells) || r.Cells[column].Mean == nil {
		return 0, false
	}
	y := float64(*r.Cells[column].Mean)
	return y, !math.IsInf(y, 0)
}

// metric is that of a column.
func (v *sweepView) metric(column int) reports.Metric {
	for _, p := range v.points {
		if column < len(p.Cells) && p.Cells[column].Metric != "" {
			return p.Cells[column].Metric
		}
	}
	return ""
}

// text writes a value of a column.
func (v *sweepView) text(column int, y float64) string {
	return v.metric(column).Text(reports.Value(y))
}

// others are the numbers of the factors that are none of these.
func (v *sweepView) others(not ...int) []int {
	var out []int
	for i := range v.factors {
		if !slices.Contains(not, i) {
			out = append(out, i)
		}
	}
	return out
}

// sweepGroup are points that have the same values of some factors.
type sweepGroup struct {
	at     []int
	points []*sweepPoint
}

// grouped returns points by their values of some factors, in the order of these.
func groupedBy(points []*sweepPoint, factors []int) []sweepGroup {
	var out []sweepGroup
	for _, p := range points {
		at := make([]int, len(factors))
		for i, f := range factors {
			at[i] = p.at[f]
		}
		i, found := slices.BinarySearchFunc(out, at, func(g sweepGroup, at []int) int { return slices.Compare(g.at, at) })
		if !found {
			out = slices.Insert(out, i, sweepGroup{at: at})
		}
		out[i].points = append(out[i].points, p)
	}
	return out
}

// panelsOf splits the points into panels by the values of some factors: one panel, whose points are means
// over them, where there would be too many.
func (v *sweepView) panelsOf(rest []int) (groups []sweepGroup, whole bool) {
	groups = groupedBy(v.points, rest)
	if len(groups) > mostPanels {
		return []sweepGroup{{points: v.points}}, true
	}
	return groups, false
}

// named says which values a group has: "queues 64, handSize 8".
func (v *sweepView) named(factors []int, g *sweepGroup) string {
	var parts []string
	for i := range g.at {
		f := &v.factors[factors[i]]
		parts = append(parts, f.name+" "+f.values[g.at[i]])
	}
	return strings.Join(parts, ", ")
}

// spread puts panels into one column, or many into two.
func spread(panels []panel) []column {
	if len(panels) < 2 {
		return []column{{panels: panels}}
	}
	half := (len(panels) + 1) / 2
	return []column{{panels: panels[:half]}, {panels: panels[half:]}}
}

// rows are all points with a figure, for the table of a chart.
func (v *sweepView) rows(column int) Table {
	t := Table{}
	for i := range v.factors {
		t.Columns = append(t.Columns, v.factors[i].name)
	}
	t.Columns = append(t.Columns, v.table.Study.Columns[column].Text, "±", "change")
	line := func(r *study.Row, values []string) {
		cells := append(values, "-", "", "")
		n := len(v.factors)
		if column < len(r.Cells) && r.Cells[column].Mean != nil {
			c := &r.Cells[column]
			cells[n] = c.Metric.Text(*c.Mean)
			if c.HalfWidth != nil {
				cells[n+1] = c.Metric.Text(*c.HalfWidth)
			}
			cells[n+2] = c.Change()
		}
		t.Rows = append(t.Rows, cells)
	}
	if v.base != nil {
		values := make([]string, len(v.factors))
		values[0] = "as it is"
		line(v.base, values)
	}
	for _, p := range v.points {
		line(p.Row, slices.Clone(p.Values))
	}
	return t
}

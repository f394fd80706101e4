package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/study"
)

// madeSweep is a sweep over the given factors, all combinations of them, whose wait is the product of the
// numbers of the values, and whose first point cannot be run.
func madeSweep(sizes ...int) *study.Table {
	s := &study.Study{Scenarios: []study.Scenario{{Name: "small", Replications: 2}}, Columns: []study.Column{
		{Text: "wait p99", Better: study.Lower}, {Text: "rejected", Better: study.Lower},
	}}
	s.Points = [][]int{nil}
	for i, n := range sizes {
		f := study.Factor{Path: fmt.Sprintf("level.factor%d", i)}
		var points [][]int
		for v := range n {
			f.Values = append(f.Values, fmt.Sprint(1<<v))
		}
		for _, p := range s.Points {
			for v := range n {
				points = append(points, append(slices.Clone(p), v))
			}
		}
		s.Factors, s.Points = append(s.Factors, f), points
	}
	return study.NewTable(s, func(_, point int) *study.Record {
		r := &study.Record{Configuration: fmt.Sprint(point)}
		y := 0.01
		switch point {
		case 0:
			r.Invalid = "no"
			return r
		case 1, study.AsItIs:
			r.Configuration = "as it is"
		default:
			for _, v := range s.Points[point] {
				y *= float64(v*v + 1)
			}
		}
		r.Asked = []study.Asked{
			{Figure: &reports.Figure{Metric: reports.MetricWait, Quantile: 0.99, Replications: []*reports.Value{new(reports.Value(y)), new(reports.Value(1.1 * y))}}},
			{Figure: &reports.Figure{Metric: reports.MetricRejected, Replications: []*reports.Value{new(reports.Value(0)), new(reports.Value(0))}}},
		}
		return r
	})
}

// TestSweepCharts holds which charts a sweep has, and that they can be drawn.
func TestSweepCharts(t *testing.T) {
	for _, c := range []struct {
		sizes                 []int
		curves, heats, panels int
	}{
		{[]int{5}, 1, 0, 1}, {[]int{3, 4}, 2, 1, 1}, {[]int{2, 3, 4}, 3, 3, 4}, {[]int{3, 3, 3, 3}, 4, 6, 1}, {[]int{9, 9}, 2, 1, 6}, {[]int{1, 4}, 1, 0, 1},
	} {
		charts := SweepCharts(madeSweep(c.sizes...), "small")
		curves, heats := 0, 0
		ids := map[string]bool{}
		for i := range charts {
			chart := &charts[i]
			if ids[chart.ID] {
				t.Errorf("%v: two charts are called %s", c.sizes, chart.ID)
			}
			ids[chart.ID] = true
			switch chart.Section {
			case sectionCurves:
				curves++
			case sectionHeat:
				heats++
			}
			panels := 0
			for j := range chart.columns {
				panels += len(chart.columns[j].panels)
			}
			if panels > mostPanels || panels == 0 {
				t.Errorf("%v: %s has %d panels", c.sizes, chart.ID, panels)
			}
			if strings.Contains(chart.Title, "rejected") {
				t.Errorf("%v: the figure that is the same at all points has the chart %s", c.sizes, chart.ID)
			}
			if len(chart.Table.Rows) == 0 {
				t.Errorf("%v: %s has no table", c.sizes, chart.ID)
			}
			for _, row := range chart.Table.Rows {
				if len(row) != len(chart.Table.Columns) {
					t.Errorf("%v: %s has a row of %d cells under %d headings", c.sizes, chart.ID, len(row), len(chart.Table.Columns))
				}
			}
			checkSVG(t, chart, DefaultWidth)
			checkSVG(t, chart, MinWidth)
		}
		if curves != c.curves || heats != c.heats {
			t.Errorf("%v: %d curves and %d heat maps, want %d and %d", c.sizes, curves, heats, c.curves, c.heats)
		}
	}
}

// TestHeatMap holds what the tiles are: the figures, the point that cannot be run, and the one that is like the
// scenario.
func TestHeatMap(t *testing.T) {
	table := madeSweep(3, 4)
	c := find(SweepCharts(table, "small"), "heat-1-factor0-factor1")
	if c == nil {
		t.Fatal("there is no heat map")
	}
	m := c.columns[0].panels[0].marks[0].(*tiles)
	if len(m.cells) != 3 || len(m.cells[0]) != 4 {
		t.Fatalf("%d x %d tiles", len(m.cells), len(m.cells[0]))
	}
	if first := m.cells[0][0]; first.known || first.points != 1 || !m.hatched {
		t.Errorf("the point that cannot be run is %+v", first)
	}
	if second := m.cells[0][1]; !second.sameAs || !second.known {
		t.Errorf("the point that is like the scenario is %+v", second)
	}
	if last := m.cells[2][3]; math.Abs(last.y-0.01*5*10*1.05) > 1e-6 || m.scale.share(last.y) != 1 {
		t.Errorf("the largest tile is %+v of %+v", last, m.scale)
	}
	best := 0
	for _, row := range m.cells {
		for _, tile := range row {
			if tile.best {
				best++
			}
		}
	}
	if best > 1 {
		t.Errorf("%d tiles are the best", best)
	}
	if got := c.Table.Rows[2]; got[0] != "1" || got[1] != "-" {
		t.Errorf("the last row of the table is %v", got)
	}
}

// TestCurve holds that the dots of a curve lie in the order of the values, whatever order they were
// given in, and that the scenario as it is goes across.
func TestCurve(t *testing.T) {
	table := madeSweep(6)
	table.Study.Factors[0].Values = []string{"32", "8", "2", "16", "1", "4"}
	c := find(SweepCharts(table, "small"), "curve-1-factor0")
	if c == nil {
		t.Fatal("there is no curve")
	}
	p := c.columns[0].panels[0]
	line := (*polyline)(nil)
	across := false
	for _, m := range p.marks {
		switch m := m.(type) {
		case *polyline:
			line = m
		case *segment:
			across = across || m.x0 == p.x.min && m.x1 == p.x.max && m.y0 == m.y1
		}
	}
	if line == nil || len(line.x) != 5 || !slices.IsSorted(line.x) {
		t.Errorf("the line is %+v", line)
	}
	if !across {
		t.Error("the scenario as it is is not there")
	}
	if p.x.kind != labelled || fmt.Sprint(p.x.labels) != "[1 2 4 8 16 32]" || p.x.at[5] != 5 {
		t.Errorf("the axis is %+v", p.x)
	}
}

// TestValueTicks holds that labels of values keep apart, and the first and the last are there.
func TestValueTicks(t *testing.T) {
	a := axis{kind: labelled, min: 0, max: 100}
	for i := range 101 {
		a.at, a.labels = append(a.at, float64(i)), append(a.labels, fmt.Sprint(i))
	}
	for _, n := range []int{1, 2, 5, 10} {
		got := a.ticks(n)
		if got[0].Label != "0" && n > 1 || got[len(got)-1].Label != "100" || len(got) > 2*n {
			t.Errorf("%d ticks: %v", n, got)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Value-got[i-1].Value < 0.6*100/float64(n) {
				t.Errorf("%d ticks: %v and %v are close", n, got[i-1], got[i])
			}
		}
	}
}

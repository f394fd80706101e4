package plots

import (
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/apfsim/apfsim/reports/calibration"
)

// The looks of what was recorded and of what was simulated.
var (
	recordedLine  = stroke{paint: ink, width: 1.5}
	simulatedLine = stroke{paint: series[0], width: 1.75, dash: []vg.Length{5, 3}}
	spreadArea    = fill{paint: series[0].faded(20)}
)

// traced is a figure over time, with the axis and the height of its panel.
type traced struct {
	metric   calibration.Metric
	quantile float64
	heading  string
	kind     axisKind
	height   vg.Length
}

// tracedFigures are those that are drawn, where there is any data for them.
var tracedFigures = []traced{
	{calibration.Rate, 0, "Requests per second", counts, 90},
	{calibration.Rejected, 0, "Rejected requests, in each span of time", counts, 80},
	{calibration.Seats, 0, "Seats in use", counts, 90},
	{calibration.Wait, 0.9, "Wait, p90", times, 80},
	{calibration.Execution, 0.5, "Execution, p50", times, 80},
}

// Calibrated returns a chart for each priority level of which something differs or was rejected: what
// was recorded and what was simulated, over time.
func Calibrated(c *calibration.Calibration) []Chart {
	var out []Chart
	var seen []string
	for i := range c.Rows {
		level := c.Rows[i].PriorityLevel
		if level == "" || slices.Contains(seen, level) {
			continue
		}
		seen = append(seen, level)
		rows := levelRows(c, level)
		if !slices.ContainsFunc(rows, worthDrawing) {
			continue
		}
		if chart := calibrated(level, rows); len(chart.columns[0].panels) > 0 {
			out = append(out, chart)
		}
	}
	return out
}

// levelRows are the figures of a level, but for those by the reasons of rejections.
func levelRows(c *calibration.Calibration, level string) []*calibration.Row {
	var out []*calibration.Row
	for i := range c.Rows {
		if r := &c.Rows[i]; r.PriorityLevel == level && r.FlowSchema == "" && r.Reason == "" {
			out = append(out, r)
		}
	}
	return out
}

// worthDrawing tells whether a figure makes its level worth a chart.
func worthDrawing(r *calibration.Row) bool {
	return r.Verdict == calibration.Differs || r.Metric == calibration.Rejected && r.Recorded != nil && *r.Recorded > 0
}

// calibrated draws a level.
func calibrated(level string, rows []*calibration.Row) Chart {
	chart := Chart{ID: slug("calibrated-" + level), Section: sectionTime, Title: level + " over time",
		Caption: "What was recorded and what was simulated, which should lie on each other."}
	edges := edgesOf(rows)
	var panels []panel
	for _, from := range edges[:max(len(edges)-1, 0)] {
		chart.Table.Rows = append(chart.Table.Rows, []string{moment(math.Round(from*1e3) / 1e3)})
	}
	chart.Table.Columns = []string{"from"}
	for _, f := range tracedFigures {
		s := sideBySide(rows, f, edges)
		if s == nil {
			continue
		}
		panels = append(panels, s.panel(f, edges))
		format := number
		if f.kind == times {
			format = lasting
		}
		chart.Table.both(f.heading, s, format)
	}
	if len(panels) > 0 {
		stack(panels)
		onceEach(panels)
	}
	chart.columns = []column{{panels: panels}}
	return chart
}

// edgesOf are the times between which the spans of a level lie, in seconds.
func edgesOf(rows []*calibration.Row) []float64 {
	var edges []float64
	for _, r := range rows {
		if r.From != nil && r.Until != nil {
			edges = append(edges, seconds(*r.From), seconds(*r.Until))
		}
	}
	slices.Sort(edges)
	return slices.Compact(edges)
}

// sides are a figure of both sides over time, NaN where there is no data, and how far another
// replication may be off.
type sides struct{ recorded, simulated, low, high []float64 }

// sideBySide gathers a figure over time; nil if it was not recorded, or is 0 on both sides.
func sideBySide(rows []*calibration.Row, f traced, edges []float64) *sides {
	n := max(len(edges)-1, 0)
	s := &sides{without(n), without(n), make([]float64, n), make([]float64, n)}
	told := false
	for _, r := range rows {
		if r.Metric != f.metric || r.Quantile != f.quantile || r.From == nil {
			continue
		}
		i, _ := slices.BinarySearch(edges, time.Duration(*r.From).Seconds())
		if r.Recorded != nil {
			s.recorded[i], told = float64(*r.Recorded), true
		}
		if r.Simulated == nil {
			continue
		}
		s.simulated[i] = float64(*r.Simulated)
		if r.Spread != nil {
			s.low[i], s.high[i] = max(s.simulated[i]-float64(*r.Spread), 0), s.simulated[i]+float64(*r.Spread)
		}
	}
	if !told || largest(s.recorded, s.simulated) == 0 {
		return nil
	}
	return s
}

// without is a list of n figures that there is no data for.
func without(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// panel draws both sides.
func (s *sides) panel(f traced, edges []float64) panel {
	most := largest(s.recorded, s.simulated)
	y := from0(f.kind, max(most, min(largest(s.high), 1.5*most)))
	p := panel{heading: f.heading, x: axis{kind: times, min: edges[0], max: edges[len(edges)-1]}, y: y, height: f.height,
		legend: []entry{lineEntry("recorded", recordedLine), lineEntry("simulated", simulatedLine)}}
	if largest(s.high) > 0 {
		p.marks = append(p.marks, &area{edges: edges, low: s.low, high: s.high, fill: spreadArea})
		p.legend = append(p.legend, fillEntry("95 of 100 replications", spreadArea))
	}
	p.marks = append(p.marks, plot.Plotter(&steps{edges, s.simulated, simulatedLine}), &steps{edges, s.recorded, recordedLine})
	return p
}

// both adds two columns of a figure.
func (t *Table) both(heading string, s *sides, format func(float64) string) {
	name, _, _ := strings.Cut(heading, ", in each")
	t.Columns = append(t.Columns, name+": recorded", "simulated")
	for i := range t.Rows {
		for _, x := range []float64{s.recorded[i], s.simulated[i]} {
			text := "-"
			if !math.IsNaN(x) {
				text = format(x)
			}
			t.Rows[i] = append(t.Rows[i], text)
		}
	}
}

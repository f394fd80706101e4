package plots

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// maxLevels is how many levels have a chart over time of their own.
const maxLevels = 8

// maxSlices is how many values a line over time has; longer ones are folded. maxRows is the
// same for tables.
const (
	maxSlices = 200
	maxRows   = 60
)

// clock is the time axis of a timeline, some slices of which are folded into one.
type clock struct {
	slice  float64 // seconds of one slice of the result
	slices int
	fold   int
	end    float64 // seconds
	warmup float64
}

// clockOf makes the time axis of a result's timeline with at most so many values.
func clockOf(r *reports.Result, most int) *clock {
	t := r.Timeline
	c := &clock{slice: seconds(t.Slice), slices: t.Slices, warmup: seconds(r.Warmup)}
	c.fold = max((t.Slices+most-1)/most, 1)
	c.end = float64(t.Slices) * c.slice
	if len(r.Replications) > 0 {
		if end := seconds(r.Replications[0].End); end > 0 && end < c.end {
			c.end = end
		}
	}
	return c
}

// seconds converts a duration.
func seconds(d reports.Duration) float64 { return time.Duration(d).Seconds() }

// steps is how many values there are after folding.
func (c *clock) steps() int { return (c.slices + c.fold - 1) / c.fold }

// edges are the ends of the folded slices.
func (c *clock) edges() []float64 {
	out := make([]float64, c.steps()+1)
	for i := range out {
		out[i] = math.Min(float64(i*c.fold)*c.slice, c.end)
	}
	return out
}

// axis is the time axis. It ends where the run does.
func (c *clock) axis() axis { return axis{kind: times, max: c.end} }

// folded makes one value of each group of slices. A list that was left out is of zeros.
func folded[T int64 | reports.Number](c *clock, list []T, join func(group []T) float64) []float64 {
	out := make([]float64, c.steps())
	for i := range out {
		from, to := min(i*c.fold, len(list)), min((i+1)*c.fold, len(list))
		if from < to {
			out[i] = join(list[from:to])
		}
	}
	return out
}

// rate makes a rate per second of counts, by the time that each value is of.
func (c *clock) rate(list []int64) []float64 {
	out := folded(c, list, func(group []int64) float64 {
		sum := int64(0)
		for _, n := range group {
			sum += n
		}
		return float64(sum)
	})
	edges := c.edges()
	for i := range out {
		if span := edges[i+1] - edges[i]; span > 0 {
			out[i] /= span
		}
	}
	return out
}

// mean and highest join slices.
func mean[T int64 | reports.Number](group []T) float64 {
	sum := 0.0
	for _, x := range group {
		sum += float64(x)
	}
	return sum / float64(len(group))
}

func highest[T int64 | reports.Number](group []T) float64 {
	most := 0.0
	for _, x := range group {
		most = math.Max(most, float64(x))
	}
	return most
}

// last is the value at the end of a group: of limits, which are not averages.
func last[T int64 | reports.Number](group []T) float64 { return float64(group[len(group)-1]) }

// warm shades the warm-up, however high the panel.
func (c *clock) warm() plot.Plotter {
	return &box{x0: 0, x1: math.Min(c.warmup, c.end), y0: math.Inf(-1), y1: math.Inf(1), fill: fill{paint: shade}}
}

// The looks of lines over time.
var (
	limitLine   = stroke{paint: ink, width: 1.5}
	nominalLine = stroke{paint: dim, width: 1.25, dash: []vg.Length{5, 3}}
	peakLine    = stroke{paint: dim, width: 1, dash: []vg.Length{1, 2}}
	usedArea    = fill{paint: series[0].faded(55)}
	usedLine    = stroke{paint: series[0], width: 1.25}
	waitArea    = fill{paint: series[4].faded(55)}
	waitLine    = stroke{paint: series[4], width: 1.25}
	longestArea = fill{paint: series[1].faded(45)}
	longestLine = stroke{paint: series[1], width: 1.25}
	meanLine    = stroke{paint: ink, width: 1.25, dash: []vg.Length{4, 2}}
)

// timelines draws what happened over time in each level that had something to do.
func (v *view) timelines() []Chart {
	if v.r.Timeline == nil || v.r.Timeline.Slices == 0 || v.r.Timeline.Slice <= 0 {
		return nil
	}
	levels := v.r.Timeline.PriorityLevels
	sizes := make([]float64, len(levels))
	for i := range levels {
		sizes[i] = trouble(&levels[i])
	}
	var out []Chart
	for _, i := range top(sizes, maxLevels) {
		out = append(out, v.timeline(&levels[i]))
	}
	return out
}

// trouble ranks levels: rejections and waiting count more than requests that went through.
func trouble(l *reports.LevelTimeline) float64 {
	sum := 0.0
	for _, n := range l.Arrivals {
		sum += float64(n)
	}
	for i := range reasons {
		for _, n := range reasons[i].over(&l.GroupTimeline) {
			sum += 1e9 * float64(n)
		}
	}
	for _, w := range l.Waiting {
		sum += 1e6 * float64(w)
	}
	return sum
}

// timeline draws one level.
func (v *view) timeline(l *reports.LevelTimeline) Chart {
	c := clockOf(v.r, maxSlices)
	panels := []panel{c.seatsPanel(l)}
	if len(l.Waiting) > 0 || len(l.WaitingPeak) > 0 {
		panels = append(panels, c.waitingPanel(l))
	}
	panels = append(panels, c.requestsPanel(&l.GroupTimeline))
	caption := v.timeCaption(c) + " Seats and waiting requests are means over each step, with the peaks dotted."
	if len(l.WaitMax) > 0 {
		caption += " Where no request left a queue there is no wait."
		panels = append(panels, c.waitPanel(&l.GroupTimeline))
	}
	stack(panels)
	return Chart{
		ID: "time-" + slug(l.Name), Section: sectionTime, Title: "Priority level " + l.Name + " over time",
		Caption: caption,
		Table:   v.timelineTable(l),
		columns: []column{{panels: panels}},
	}
}

// onceEach takes away a legend that is the one before it.
func onceEach(panels []panel) {
	for i := len(panels) - 1; i > 0; i-- {
		same := func(a, b entry) bool { return a.label == b.label }
		if slices.EqualFunc(panels[i].legend, panels[i-1].legend, same) {
			panels[i].legend = nil
		}
	}
}

// stack joins panels that have one time axis: only the last one has tick labels.
func stack(panels []panel) {
	for i := range panels[:len(panels)-1] {
		panels[i].bare = true
	}
}

// timeCaption says what a chart over time is of.
func (v *view) timeCaption(c *clock) string {
	text := fmt.Sprintf("Steps of %s", moment(c.slice*float64(c.fold)))
	if len(v.r.Replications) > 1 {
		text += ", of the first replication"
	}
	if c.warmup > 0 {
		text += "; the warm-up is shaded"
	}
	return text + "."
}

// seatsPanel shows seats in use under their limits.
func (c *clock) seatsPanel(l *reports.LevelTimeline) panel {
	edges := c.edges()
	used, peak := folded(c, l.Seats, mean), folded(c, l.SeatsPeak, highest)
	current, nominal := folded(c, l.Current, last), folded(c, l.Nominal, last)
	y := from0(counts, largest(used, peak, current, nominal))
	p := panel{heading: "Seats", x: c.axis(), y: y, height: 110}
	p.marks = []plot.Plotter{
		c.warm(),
		&area{edges: edges, low: make([]float64, len(used)), high: used, fill: usedArea},
		&steps{edges, used, usedLine},
	}
	p.legend = []entry{fillEntry("in use", usedArea)}
	for _, line := range []struct {
		label  string
		values []float64
		stroke stroke
	}{{"in use, peak", peak, peakLine}, {"nominal limit", nominal, nominalLine}, {"current limit", current, limitLine}} {
		if largest(line.values) > 0 {
			p.marks = append(p.marks, &steps{edges, line.values, line.stroke})
			p.legend = append(p.legend, lineEntry(line.label, line.stroke))
		}
	}
	return p
}

// waitingPanel shows how many requests wait.
func (c *clock) waitingPanel(l *reports.LevelTimeline) panel {
	waiting, peak := folded(c, l.Waiting, mean), folded(c, l.WaitingPeak, highest)
	y := from0(counts, largest(waiting, peak))
	return panel{heading: "Waiting requests", x: c.axis(), y: y, height: 80,
		marks: []plot.Plotter{
			c.warm(),
			&area{edges: c.edges(), low: make([]float64, len(waiting)), high: waiting, fill: waitArea},
			&steps{c.edges(), waiting, waitLine}, &steps{c.edges(), peak, peakLine},
		},
		legend: []entry{fillEntry("in queues", waitArea), lineEntry("peak", peakLine)},
	}
}

// requestsPanel shows arrivals over what became of requests, one on top of the other.
func (c *clock) requestsPanel(t *reports.GroupTimeline) panel {
	arrivals := c.rate(t.Arrivals)
	sum := make([]float64, c.steps())
	var areas []plot.Plotter
	var legend []entry
	for _, o := range append([]outcome{executed}, reasons...) {
		rates := c.rate(o.over(t))
		if largest(rates) == 0 {
			continue
		}
		high := make([]float64, len(sum))
		for i := range high {
			high[i] = sum[i] + rates[i]
		}
		areas = append(areas, &area{edges: c.edges(), low: sum, high: high, fill: o.fill})
		legend = append(legend, fillEntry(o.name, o.fill))
		sum = high
	}
	y := from0(counts, largest(arrivals, sum))
	line := stroke{paint: ink, width: 1.25}
	return panel{heading: "Requests per second", x: c.axis(), y: y, height: 100,
		marks:  append(append([]plot.Plotter{c.warm()}, areas...), &steps{c.edges(), arrivals, line}),
		legend: append(legend, lineEntry("arrivals", line)),
	}
}

// waitPanel shows the waits that ended in each slice.
func (c *clock) waitPanel(t *reports.GroupTimeline) panel {
	longest, average := folded(c, t.WaitMax, highest), folded(c, t.WaitMean, mean)
	y := from0(times, largest(longest, average))
	for i := range longest { // a slice in which nothing left has no wait
		if longest[i] == 0 {
			longest[i], average[i] = math.NaN(), math.NaN()
		}
	}
	return panel{heading: "Wait of requests that left the queues", x: c.axis(), y: y, height: 90,
		marks: []plot.Plotter{
			c.warm(), &area{edges: c.edges(), low: make([]float64, len(longest)), high: longest, fill: longestArea},
			&steps{c.edges(), longest, longestLine}, &steps{c.edges(), average, meanLine},
		},
		legend: []entry{fillEntry("longest", longestArea), lineEntry("mean", meanLine)},
	}
}

// largest returns the largest value of some lists, 0 without any.
func largest(lists ...[]float64) float64 {
	most := 0.0
	for _, list := range lists {
		for _, x := range list {
			if x > most {
				most = x
			}
		}
	}
	return most
}

// timelineTable holds the figures of a level over time.
func (v *view) timelineTable(l *reports.LevelTimeline) Table {
	c := clockOf(v.r, maxRows)
	t := c.table()
	t.add(c, "seats in use", folded(c, l.Seats, mean), number)
	t.add(c, "current limit", folded(c, l.Current, last), number)
	t.add(c, "nominal limit", folded(c, l.Nominal, last), number)
	t.add(c, "waiting", folded(c, l.Waiting, mean), number)
	t.add(c, "arrivals/s", c.rate(l.Arrivals), number)
	for _, o := range append([]outcome{executed}, reasons...) {
		t.add(c, o.name+"/s", c.rate(o.over(&l.GroupTimeline)), number)
	}
	t.add(c, "mean wait", folded(c, l.WaitMean, mean), lasting)
	t.add(c, "longest wait", folded(c, l.WaitMax, highest), lasting)
	return t
}

// table begins a table with a row for each slice.
func (c *clock) table() Table {
	t := Table{Columns: []string{"from"}}
	for _, from := range c.edges()[:c.steps()] {
		t.Rows = append(t.Rows, []string{moment(math.Round(from*1e3) / 1e3)})
	}
	return t
}

// add adds a column, unless it has nothing but zeros.
func (t *Table) add(_ *clock, name string, values []float64, format func(float64) string) {
	if largest(values) == 0 {
		return
	}
	t.Columns = append(t.Columns, name)
	for i, x := range values {
		t.Rows[i] = append(t.Rows[i], format(x))
	}
}

// populationTimelines draws what the populations sent and what was rejected of it.
func (v *view) populationTimelines() []Chart {
	if v.r.Timeline == nil || v.r.Timeline.Slices == 0 || v.r.Timeline.Slice <= 0 {
		return nil
	}
	c := clockOf(v.r, maxSlices)
	panels := []panel{
		v.groupLines(c, "Arrivals per second", func(t *reports.GroupTimeline) []int64 { return t.Arrivals }),
		v.groupLines(c, "Rejections per second", rejectedOver),
	}
	if len(panels[1].legend) == 0 {
		panels = panels[:1]
	}
	if len(panels[0].legend) == 0 {
		return nil
	}
	stack(panels)
	onceEach(panels)
	short := clockOf(v.r, maxRows)
	table := short.table()
	groups := v.r.Timeline.Populations
	for i := range groups {
		table.add(short, groups[i].Name+" arrivals/s", short.rate(groups[i].Arrivals), number)
		table.add(short, groups[i].Name+" rejections/s", short.rate(rejectedOver(&groups[i])), number)
	}
	return []Chart{{
		ID: "time-populations", Section: sectionTime, Title: "Arrivals and rejections of populations over time",
		Caption: v.timeCaption(c) + " A retry arrives again.",
		Table:   table, columns: []column{{panels: panels}},
	}}
}

// groupLines draws a line for each population that has a colour, and one for all others.
func (v *view) groupLines(c *clock, heading string, of func(*reports.GroupTimeline) []int64) panel {
	p := panel{heading: heading, x: c.axis(), height: 130}
	edges := c.edges()
	remainder := make([]float64, c.steps())
	most := 0.0
	var lines []plot.Plotter
	for i := range v.r.Timeline.Populations {
		group := &v.r.Timeline.Populations[i]
		rates := c.rate(of(group))
		if !v.colors.populations.has(group.Name) {
			for j := range rates {
				remainder[j] += rates[j]
			}
			continue
		}
		if largest(rates) > 0 {
			look := v.colors.populations.line(group.Name)
			lines = append(lines, &steps{edges, rates, look})
			p.legend = append(p.legend, lineEntry(group.Name, look))
			most = math.Max(most, largest(rates))
		}
	}
	if largest(remainder) > 0 {
		look := v.colors.populations.line(others)
		lines = append(lines, &steps{edges, remainder, look})
		p.legend = append(p.legend, lineEntry(others, look))
		most = math.Max(most, largest(remainder))
	}
	p.y = from0(counts, most)
	p.marks = append([]plot.Plotter{c.warm()}, lines...)
	return p
}

// rejectedOver adds up the rejections of all reasons.
func rejectedOver(t *reports.GroupTimeline) []int64 {
	var sum []int64
	for i := range reasons {
		for j, n := range reasons[i].over(t) {
			if sum == nil {
				sum = make([]int64, len(reasons[i].over(t)))
			}
			sum[j] += n
		}
	}
	return sum
}

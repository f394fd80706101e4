package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
)

// waiting is the distribution of the waits of a level or population.
type waiting struct {
	name string
	wait *reports.Wait
	look stroke
}

// waitDistributions draws the shares of requests that waited no longer than a time.
func (v *view) waitDistributions() []Chart {
	var levels, populations []waiting
	for i := range v.r.PriorityLevels {
		l := &v.r.PriorityLevels[i]
		levels = append(levels, waiting{l.Name, l.Wait, v.colors.levels.line(l.Name)})
	}
	for i := range v.r.Populations {
		p := &v.r.Populations[i]
		populations = append(populations, waiting{p.Name, p.Wait, v.colors.populations.line(p.Name)})
	}
	if l, p := sole(levels), sole(populations); l != nil && p != nil && l.Count == p.Count && l.Sum == p.Sum {
		populations = nil // the same curve once more
	}
	var out []Chart
	for _, part := range []struct {
		id, kind string
		all      []waiting
	}{{"wait-levels", "priority level", levels}, {"wait-populations", "population", populations}} {
		if c, ok := distributionChart(part.all); ok {
			c.ID, c.Title = part.id, "How long requests waited, by "+part.kind
			out = append(out, c)
		}
	}
	return out
}

// sole returns the waits of the only one where somebody waited, or nil.
func sole(all []waiting) *reports.Wait {
	var found *reports.Wait
	for i := range all {
		if w := all[i].wait; w != nil && w.Waited > 0 {
			if found != nil {
				return nil
			}
			found = w
		}
	}
	return found
}

// distributionChart draws the distributions of those where somebody waited, at most as many as
// there are looks.
func distributionChart(all []waiting) (Chart, bool) {
	sizes, still := make([]float64, len(all)), 0
	for i := range all {
		if w := all[i].wait; w != nil && w.Waited > 0 && len(w.Distribution) > 0 {
			sizes[i] = w.Sum.Seconds()
		} else if w != nil {
			still++
		}
	}
	chosen := top(sizes, len(series))
	if len(chosen) == 0 {
		return Chart{}, false
	}
	lowest, shortest, longest := 1.0, math.Inf(1), 0.0
	for _, i := range chosen {
		w := all[i].wait
		lowest = min(lowest, float64(w.Count-w.Waited)/float64(w.Count))
		longest = max(longest, seconds(w.Max))
		for _, step := range w.Distribution {
			if step.LE > 0 {
				shortest = min(shortest, seconds(step.LE))
			}
		}
	}
	x := spanAxis(max(shortest, longest/1e5), longest)
	y := zoomed(lowest)
	p := panel{heading: "Requests that waited no longer", x: x, y: y, height: 230}
	table := Table{Columns: []string{"name", "requests", "did not wait"}}
	for _, q := range shownQuantiles {
		table.Columns = append(table.Columns, q.name)
	}
	for _, i := range chosen {
		p.marks = append(p.marks, curve(x, all[i].wait, all[i].look))
		p.legend = append(p.legend, lineEntry(all[i].name, all[i].look))
		table.Rows = append(table.Rows, waitRow(&all[i]))
	}
	caption := "Each curve begins with the share that did not wait at all. All replications since the warm-up; time-outs in a queue count, rejections at once do not."
	if y.min > 0 {
		caption += fmt.Sprintf(" The axis begins at %s.", percent(y.min))
	}
	if still > 0 {
		caption += fmt.Sprintf(" Not shown: %d without any wait.", still)
	}
	return Chart{Section: sectionWaits, Caption: caption, Table: table, columns: []column{{panels: []panel{p}}}}, true
}

// zoomed is an axis of shares up to 1 that begins at a round share below the lowest.
func zoomed(lowest float64) axis {
	a := axis{kind: shares, max: 1}
	for _, from := range []float64{0.5, 0.8, 0.9, 0.95, 0.98, 0.99} {
		if lowest >= from {
			a.min = from
		}
	}
	return a
}

// curve is the distribution of waits as steps.
func curve(x axis, w *reports.Wait, look stroke) plot.Plotter {
	out := &steps{edges: []float64{x.min}, values: []float64{0}, stroke: look}
	seen := int64(0)
	for _, step := range w.Distribution {
		seen += step.Count
		share := float64(seen) / float64(w.Count)
		if at := seconds(step.LE); at > x.min {
			out.edges, out.values = append(out.edges, math.Min(at, x.max)), append(out.values, share)
		} else {
			out.values[0] = share
		}
	}
	out.edges = append(out.edges, x.max)
	return out
}

// shownQuantiles are those of tables.
var shownQuantiles = []struct {
	name string
	of   func(*reports.Wait) reports.Duration
}{
	{"p50", func(w *reports.Wait) reports.Duration { return w.P50 }},
	{"p90", func(w *reports.Wait) reports.Duration { return w.P90 }},
	{"p99", func(w *reports.Wait) reports.Duration { return w.P99 }},
	{"p999", func(w *reports.Wait) reports.Duration { return w.P999 }},
	{"longest", func(w *reports.Wait) reports.Duration { return w.Max }},
}

// waitRow is the row of one curve. A quantile that rests on too few requests is marked, as in
// the report.
func waitRow(w *waiting) []string {
	row := []string{w.name, grouped(w.wait.Count), shareOf(w.wait.Count-w.wait.Waited, w.wait.Count)}
	for _, q := range shownQuantiles {
		cell := lasting(seconds(q.of(w.wait)))
		for _, few := range w.wait.FewSamplesFor {
			if few == q.name {
				cell += "?"
			}
		}
		row = append(row, cell)
	}
	return row
}

// maxHistograms is how many levels have a histogram.
const maxHistograms = 6

// waitHistograms draws the waits of levels in the buckets of the real server's metric.
func (v *view) waitHistograms() []Chart {
	sizes := make([]float64, len(v.r.PriorityLevels))
	for i := range v.r.PriorityLevels {
		if l := &v.r.PriorityLevels[i]; l.Wait != nil && len(l.WaitHistogram) > 1 {
			sizes[i] = float64(l.Wait.Waited)
		}
	}
	chosen := top(sizes, maxHistograms)
	if len(chosen) == 0 {
		return nil
	}
	table, levels := Table{Columns: []string{"priority level"}}, []string(nil)
	for _, b := range v.r.PriorityLevels[chosen[0]].WaitHistogram {
		table.Columns = append(table.Columns, bucketLabel(b.LE))
	}
	table.Columns = append(table.Columns, "rejected at once")
	var panels []panel
	for _, i := range chosen {
		l := &v.r.PriorityLevels[i]
		panels = append(panels, histogramPanel(l, v.colors.levels.plain(l.Name)))
		row, atOnce := []string{l.Name}, int64(0)
		for _, b := range l.WaitHistogram {
			row = append(row, grouped(b.ExecuteTrue))
			atOnce += b.ExecuteFalse
		}
		table.Rows, levels = append(table.Rows, append(row, grouped(atOnce))), append(levels, l.Name)
	}
	stack(panels)
	return []Chart{{
		ID: "wait-histogram", Section: sectionWaits, Title: "Waits in the buckets of the server's metric",
		Caption: "What request_wait_duration_seconds would count with execute=\"true\", bucket by bucket, of the requests that waited at all. Those rejected at once have execute=\"false\".",
		Levels:  levels,
		Table:   table, columns: []column{{panels: panels}},
	}}
}

// bucketLabel writes an upper bound as a time.
func bucketLabel(le string) string {
	x, err := strconv.ParseFloat(le, 64)
	if err != nil || math.IsInf(x, 0) {
		return "+Inf"
	}
	return "≤" + lasting(x)
}

// histogramPanel draws the buckets of one level but the first, which is of those that did not
// wait.
func histogramPanel(l *reports.PriorityLevel, look fill) panel {
	buckets := l.WaitHistogram[1:]
	var labels []string
	most := int64(0)
	for _, b := range buckets {
		labels = append(labels, strings.TrimPrefix(bucketLabel(b.LE), "≤"))
		most = max(most, b.ExecuteTrue)
	}
	p := panel{
		heading: fmt.Sprintf("%s: %s of %s requests waited", l.Name, shareOf(l.Wait.Waited, l.Wait.Count), grouped(l.Wait.Count)),
		key:     l.Name, x: category(labels), y: from0(counts, float64(most)*1.15), height: 80,
	}
	for i, b := range buckets {
		if b.ExecuteTrue == 0 {
			continue
		}
		x, n := float64(i), float64(b.ExecuteTrue)
		p.marks = append(p.marks, &box{x - 0.4, x + 0.4, 0, n, look},
			&note{x: x, y: n, dy: 8, text: compact(n), align: text.XCenter, room: 1})
	}
	return p
}

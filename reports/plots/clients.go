package plots

import (
	"fmt"
	"math"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// latencyMarks are the quantiles of latencies, with their marks.
var latencyMarks = []struct {
	name string
	of   func(*reports.Latency) reports.Duration
	dot  dot
}{
	{"p50", func(l *reports.Latency) reports.Duration { return l.P50 }, dot{shape: disc, size: 4}},
	{"p90", func(l *reports.Latency) reports.Duration { return l.P90 }, dot{shape: square, size: 3.5}},
	{"p99", func(l *reports.Latency) reports.Duration { return l.P99 }, dot{shape: diamond, size: 5}},
	{"longest", func(l *reports.Latency) reports.Duration { return l.Max }, dot{shape: tick, size: 6}},
}

// operating returns the populations with operations that a chart shows, in their order.
func (v *view) operating(size func(*reports.Operations) float64) []*reports.Population {
	sizes := make([]float64, len(v.r.Populations))
	for i := range v.r.Populations {
		if o := v.r.Populations[i].Operations; o != nil {
			sizes[i] = size(o)
		}
	}
	var out []*reports.Population
	for _, i := range top(sizes, maxBars) {
		out = append(out, &v.r.Populations[i])
	}
	return out
}

// latencies draws how long the operations of clients took.
func (v *view) latencies() []Chart {
	chosen := v.operating(func(o *reports.Operations) float64 {
		if o.Latency == nil || o.Latency.Max <= 0 {
			return 0
		}
		return float64(o.Count)
	})
	if len(chosen) == 0 {
		return nil
	}
	names := make([]string, len(chosen))
	p := panel{heading: "Latency of operations that succeeded", height: barHeight * vg.Length(len(chosen))}
	table := Table{Columns: []string{"population", "succeeded", "failed", "attempts per success", "mean"}}
	shortest, longest := math.Inf(1), 0.0
	for _, m := range latencyMarks {
		p.legend = append(p.legend, dotEntry(m.name, dot{shape: m.dot.shape, size: m.dot.size, paint: ink}))
		table.Columns = append(table.Columns, m.name)
	}
	for i, pop := range chosen {
		l, y := pop.Operations.Latency, len(chosen)-1-i
		names[y] = pop.Name
		look := v.colors.populations.line(pop.Name)
		first := math.Max(seconds(l.P50), 1e-9)
		p.marks = append(p.marks, &segment{first, float64(y), seconds(l.Max), float64(y), stroke{paint: look.paint, width: 1.5}})
		row := []string{pop.Name, grouped(pop.Operations.Succeeded), grouped(pop.Operations.Failed.Total), attempts(pop.Operations), lasting(seconds(l.Mean))}
		for _, m := range latencyMarks {
			d := m.dot
			d.x, d.y, d.paint = math.Max(seconds(m.of(l)), 1e-9), float64(y), look.paint
			p.marks = append(p.marks, &d)
			row = append(row, lasting(seconds(m.of(l))))
		}
		shortest, longest = math.Min(shortest, first), math.Max(longest, seconds(l.Max))
		table.Rows = append(table.Rows, row)
	}
	p.x, p.y = spanAxis(shortest, longest), category(names)
	return []Chart{{
		ID: "latency", Section: sectionClients, Title: "How long the operations of clients took",
		Caption: "From the wish of a client to the answer, with all attempts, pauses and limiters in between; operations that failed are not in it. Logarithmic.",
		Table:   table, columns: []column{{panels: []panel{p}}},
	}}
}

// attempts writes how often an operation was sent.
func attempts(o *reports.Operations) string {
	if o.AttemptsPerSuccess == nil {
		return "-"
	}
	return number(float64(*o.AttemptsPerSuccess))
}

// spending is where time can go.
var spending = []struct {
	name string
	of   func(*reports.Time) reports.Total
	fill fill
}{
	{"in the client's limiter", func(t *reports.Time) reports.Total { return t.Throttled }, fill{series[3], hatches[2]}},
	{"pausing between attempts", func(t *reports.Time) reports.Total { return t.Paused }, fill{series[4], hatches[3]}},
	{"in queues of APF", func(t *reports.Time) reports.Total { return t.Queued }, fill{series[1], hatches[1]}},
	{"executing", func(t *reports.Time) reports.Total { return t.Executing }, fill{series[2], hatches[0]}},
	{"elsewhere", func(t *reports.Time) reports.Total { return t.Elsewhere }, fill{series[7], hatches[5]}},
}

// operationTimes draws where the time of the operations went.
func (v *view) operationTimes() []Chart {
	chosen := v.operating(func(o *reports.Operations) float64 {
		if o.Count == 0 {
			return 0
		}
		return o.Time.Total.Seconds()
	})
	if len(chosen) == 0 {
		return nil
	}
	names := make([]string, len(chosen))
	p := panel{heading: "Share of the time of operations", x: axis{kind: shares, max: 1}, height: barHeight * vg.Length(len(chosen))}
	table := Table{Columns: []string{"population", "operations", "mean time"}}
	for _, s := range spending {
		p.legend = append(p.legend, fillEntry(s.name, s.fill))
		table.Columns = append(table.Columns, s.name)
	}
	for i, pop := range chosen {
		o, y := pop.Operations, len(chosen)-1-i
		total := o.Time.Total.Seconds()
		average := lasting(total / float64(o.Count))
		names[y] = fmt.Sprintf("%s (%s)", pop.Name, average)
		row := []string{pop.Name, grouped(o.Count), average}
		at := 0.0
		for _, s := range spending {
			share := math.Min(s.of(&o.Time).Seconds()/total, 1)
			p.marks = append(p.marks, &box{at, at + share, float64(y) - 0.36, float64(y) + 0.36, s.fill})
			if share > 0 {
				p.marks = append(p.marks, plate(at+share/2, float64(y), share, percent(share)))
			}
			at += share
			row = append(row, percent(share))
		}
		table.Rows = append(table.Rows, row)
	}
	p.y = category(names)
	return []Chart{{
		ID: "operation-time", Section: sectionClients, Title: "Where the time of operations went",
		Caption: "All operations that ended, failed ones too; in brackets the mean time of one.",
		Table:   table, columns: []column{{panels: []panel{p}}},
	}}
}

// plate is a text that can be read on any area, if it fits into a width with some of the area on
// both sides.
func plate(x, y, room float64, txt string) plot.Plotter {
	return &note{x: x, y: y, text: txt, align: text.XCenter, plate: true, room: room}
}

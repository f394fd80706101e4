package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot/vg"
)

// maxHeatMaps is how many levels have a heat map.
const maxHeatMaps = 4

// queues draws how long the queues of levels were, over time.
func (v *view) queues() []Chart {
	if v.r.Timeline == nil {
		return nil
	}
	levels := v.r.Timeline.PriorityLevels
	sizes := make([]float64, len(levels))
	for i := range levels {
		if q := levels[i].Queues; q != nil && q.Slice > 0 {
			for _, row := range q.Rows {
				for _, n := range row {
					sizes[i] += float64(n)
				}
			}
		}
	}
	var out []Chart
	for _, i := range top(sizes, maxHeatMaps) {
		out = append(out, v.heatMap(&levels[i]))
	}
	return out
}

// heatPaint is the colour of full queues.
var heatPaint = series[1]

// heatMap draws the queues of one level.
func (v *view) heatMap(l *reports.LevelTimeline) Chart {
	q := l.Queues
	columns := 0
	for _, row := range q.Rows {
		columns = max(columns, len(row))
	}
	fold := max((columns+maxSlices-1)/maxSlices, 1)
	rows := make([][]float64, len(q.Rows))
	most := 0.0
	for i, row := range q.Rows {
		rows[i] = foldRow(row, columns, fold)
		most = max(most, largest(rows[i]))
	}
	slices.Reverse(rows) // queue 0 lies at the bottom
	group := max(q.Group, 1)
	end := float64(len(rows[0])*fold) * seconds(q.Slice)
	p := panel{
		heading: "Queue", x: axis{kind: times, max: end}, y: axis{kind: counts, max: float64(len(rows) * group)},
		height: vg.Length(min(max(2*len(rows), 90), 260)),
		heat:   &cells{rows, most, "waiting requests", heatPaint},
	}
	caption := fmt.Sprintf("Mean number of requests that wait in each queue, in steps of %s, first replication. Nothing is drawn where nobody waits.", moment(seconds(q.Slice)*float64(fold)))
	if group > 1 {
		caption += fmt.Sprintf(" A row is of %d queues.", group)
	}
	return Chart{
		ID: "queues-" + slug(l.Name), Section: sectionQueues, Title: "Queues of priority level " + l.Name + " over time",
		Caption: caption, Table: queueTable(q), columns: []column{{panels: []panel{p}}},
	}
}

// foldRow makes means of groups of values. An empty row is of zeros.
func foldRow(row []reports.Number, columns, fold int) []float64 {
	out := make([]float64, (columns+fold-1)/fold)
	for i, n := range row {
		out[i/fold] += float64(n) / float64(min(fold, columns-i/fold*fold))
	}
	return out
}

// maxQueueRows is how many queues a table lists.
const maxQueueRows = 24

// queueTable lists the queues in which the most waited.
func queueTable(q *reports.QueueTimeline) Table {
	type queue struct {
		number           int
		mean, peak, when float64
	}
	var all []queue
	for i, row := range q.Rows {
		if len(row) == 0 {
			continue
		}
		one := queue{number: i * max(q.Group, 1)}
		for j, n := range row {
			one.mean += float64(n) / float64(len(row))
			if float64(n) > one.peak {
				one.peak, one.when = float64(n), float64(j)*seconds(q.Slice)
			}
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b queue) int { return cmp.Compare(b.mean, a.mean) })
	t := Table{Columns: []string{"queue", "waiting, mean", "waiting, most in a step", "from"}}
	for _, one := range all[:min(len(all), maxQueueRows)] {
		t.Rows = append(t.Rows, []string{grouped(int64(one.number)), number(one.mean), number(one.peak), moment(math.Round(one.when*1e3) / 1e3)})
	}
	return t
}

package plots

import (
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// The looks of the chart of seats.
var (
	reachBar   = fill{paint: rule.faded(35)}
	nominalDot = dot{shape: tick, paint: ink, size: 8}
	usedDot    = dot{shape: disc, paint: ink, size: 3.5}
	peakDot    = dot{shape: diamond, paint: ink, size: 4.5}
)

// seats draws the limits of each level and what it used of them.
func (v *view) seats() []Chart {
	var levels []*reports.PriorityLevel
	most := 0.0
	for i := range v.r.PriorityLevels {
		l := &v.r.PriorityLevels[i]
		if l.Exempt || l.Occupancy == nil {
			continue
		}
		levels = append(levels, l)
		most = max(most, float64(l.Seats.CurrentHighest), float64(l.Seats.Nominal), float64(l.Occupancy.SeatsUsedPeak))
	}
	if len(levels) == 0 {
		return nil
	}
	names := make([]string, len(levels))
	table := Table{Columns: []string{"priority level", "nominal", "min", "max", "current lowest", "current average", "current highest", "in use average", "in use peak"}}
	p := panel{heading: "Seats", height: barHeight * vg.Length(len(levels))}
	p.x = from0(counts, most)
	for i, l := range levels {
		y := len(levels) - 1 - i
		names[y] = l.Name
		look := v.colors.levels.plain(l.Name)
		p.marks = append(p.marks, levelSeats(l, float64(y), look)...)
		s, o := &l.Seats, l.Occupancy
		table.Rows = append(table.Rows, []string{
			l.Name, grouped(int64(s.Nominal)), grouped(int64(s.Min)), grouped(int64(s.Max)),
			grouped(int64(s.CurrentLowest)), number(float64(o.CurrentAverage)), grouped(int64(s.CurrentHighest)),
			number(float64(o.SeatsUsedAverage)), grouped(o.SeatsUsedPeak),
		})
	}
	p.y = category(names)
	p.legend = []entry{
		fillEntry("from minimum to maximum", reachBar), fillEntry("current limit, lowest to highest", fill{paint: dim}),
		dotEntry("nominal limit", nominalDot), dotEntry("in use, average", usedDot), dotEntry("in use, peak", peakDot),
	}
	return []Chart{{
		ID: "seats", Section: sectionSeats, Title: "Seats of priority levels: limits and use",
		Caption: "A level lends down to its minimum and borrows up to its maximum; the bar in its colour is how far its limit moved since the warm-up. A maximum beyond the axis is cut.",
		Table:   table, columns: []column{{panels: []panel{p}}},
	}}
}

// levelSeats draws one level.
func levelSeats(l *reports.PriorityLevel, y float64, look fill) []plot.Plotter {
	s, o := &l.Seats, l.Occupancy
	nominal, used, peak := nominalDot, usedDot, peakDot
	nominal.x, nominal.y = float64(s.Nominal), y
	used.x, used.y = float64(o.SeatsUsedAverage), y
	peak.x, peak.y = float64(o.SeatsUsedPeak), y
	low, high := float64(s.CurrentLowest), float64(s.CurrentHighest)
	return []plot.Plotter{
		&box{float64(s.Min), float64(s.Max), y - 0.12, y + 0.12, reachBar},
		&box{low, high, y - 0.3, y + 0.3, look},
		&segment{low, y - 0.3, low, y + 0.3, stroke{paint: look.paint, width: 3}},
		&nominal, &used, &peak,
	}
}

// limits draws the current limits over time, one on top of the other, if any of them moved.
func (v *view) limits() []Chart {
	if len(v.r.Replications) == 0 || v.r.Replications[0].End <= 0 {
		return nil
	}
	edges := v.adjustmentTimes()
	if len(edges) < 3 {
		return nil
	}
	p := panel{heading: "Current limits, seats", height: 190}
	p.x = axis{kind: times, max: edges[len(edges)-1]}
	table := Table{Columns: []string{"at"}}
	for _, from := range edges[:len(edges)-1] {
		table.Rows = append(table.Rows, []string{moment(math.Round(from*1e3) / 1e3)})
	}
	sum := make([]float64, len(edges)-1)
	moved := false
	for i := range v.r.PriorityLevels {
		l := &v.r.PriorityLevels[i]
		current := limitsAt(l.Adjustments, edges[:len(edges)-1])
		moved = moved || !l.Exempt && slices.Max(current) > slices.Min(current)
		if l.Exempt || largest(current) == 0 {
			continue
		}
		high := make([]float64, len(sum))
		for j := range high {
			high[j] = sum[j] + current[j]
		}
		look := v.colors.levels.fill(l.Name)
		p.marks = append(p.marks, &area{edges, sum, high, look}, &steps{edges, high, stroke{paint: ground, width: 0.75}})
		p.legend = append(p.legend, fillEntry(l.Name, look))
		table.Columns = append(table.Columns, l.Name)
		for j, x := range current {
			table.Rows[j] = append(table.Rows[j], number(x))
		}
		sum = high
	}
	if len(p.legend) == 0 || !moved { // what stands still needs no picture
		return nil
	}
	slices.Reverse(p.legend) // as they lie
	p.y = from0(counts, largest(sum))
	table.thin(maxRows)
	return []Chart{{
		ID: "limits", Section: sectionSeats, Title: "Current limits of priority levels over time",
		Caption: "Every ten seconds the limits follow the demand. First replication, exempt levels left out.",
		Table:   table, columns: []column{{panels: []panel{p}}},
	}}
}

// thin keeps at most so many rows, evenly spaced.
func (t *Table) thin(most int) {
	every := (len(t.Rows) + most - 1) / most
	if every < 2 {
		return
	}
	var rows [][]string
	for i := 0; i < len(t.Rows); i += every {
		rows = append(rows, t.Rows[i])
	}
	t.Rows = rows
}

// adjustmentTimes are the times at which any limit was adjusted, and the end of the run; of
// many, every second, every third and so on.
func (v *view) adjustmentTimes() []float64 {
	var all []float64
	for i := range v.r.PriorityLevels {
		for _, a := range v.r.PriorityLevels[i].Adjustments {
			all = append(all, seconds(a.Time))
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	end := seconds(v.r.Replications[0].End)
	every := (len(all) + maxSlices - 1) / maxSlices
	var out []float64
	for i := 0; i < len(all); i += every {
		if all[i] < end {
			out = append(out, all[i])
		}
	}
	return append(out, end)
}

// limitsAt returns the limit that was in force at each of some times.
func limitsAt(adjustments []reports.Adjustment, at []float64) []float64 {
	out := make([]float64, len(at))
	now, i := 0.0, 0
	for j, t := range at {
		for i < len(adjustments) && seconds(adjustments[i].Time) <= t {
			now = float64(adjustments[i].Current)
			if adjustments[i].Gone {
				now = 0
			}
			i++
		}
		out[j] = now
	}
	return out
}

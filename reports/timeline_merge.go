package reports

import (
	"cmp"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// timeline renders the timeline of the first replication, nil if that has none.
func (m *merger) timeline() *Timeline {
	t := m.first.timeline
	if t == nil {
		return nil
	}
	out := &Timeline{
		Slice: Duration(t.width), Slices: t.slices,
		PriorityLevels: []LevelTimeline{}, FlowSchemas: []GroupTimeline{}, Populations: []GroupTimeline{},
	}
	end := m.first.end
	for i := range m.first.levels {
		rows := t.sum(m.first, selection{all, all, i})
		if rows == nil {
			continue
		}
		level := &t.levels[i]
		for slice := range rows {
			// The gauge knows what a server trims, and those who wait are the same.
			rows[slice].seatTime = level.rows[slice].seatTime
		}
		l := LevelTimeline{GroupTimeline: t.group(m.levelName(i), rows, end), Queues: level.heat.render(t.width, end)}
		level.render(&l)
		out.PriorityLevels = append(out.PriorityLevels, l)
	}
	slices.SortStableFunc(out.PriorityLevels, func(a, b LevelTimeline) int { return cmp.Compare(a.Name, b.Name) })
	for i, name := range m.first.schemas {
		if rows := t.sum(m.first, selection{all, i, all}); rows != nil {
			out.FlowSchemas = append(out.FlowSchemas, t.group(name, rows, end))
		}
	}
	for i := range m.first.populations {
		if rows := t.sum(m.first, selection{i, all, all}); rows != nil {
			out.Populations = append(out.Populations, t.group(m.first.populations[i].name, rows, end))
		}
	}
	return out
}

// sum adds up the rows of the tracks of a selection, nil if there are none. Of a population
// alone the requests that APF does not concern are among them.
func (t *timeline) sum(o *Collected, s selection) []row {
	var rows []row
	for _, k := range t.tracks {
		whole := s.schema == all && s.level == all && k.column == longRunning
		if s.population != all && s.population != k.population || !whole && !s.has(o.columns[k.column]) {
			continue
		}
		if rows == nil {
			rows = make([]row, t.slices)
		}
		for slice := range rows {
			rows[slice].plus(&k.rows[slice])
		}
	}
	return rows
}

// plus adds the row of another track of the same slice.
func (r *row) plus(s *row) {
	r.arrivals += s.arrivals
	r.executed += s.executed
	r.cut += s.cut
	for i := range r.rejected {
		r.rejected[i] += s.rejected[i]
	}
	r.waits += s.waits
	r.waitSum.plus(s.waitSum)
	r.seatTime.plus(s.seatTime)
	r.waitTime.plus(s.waitTime)
	r.waitMax = max(r.waitMax, s.waitMax)
}

// group renders the rows of a level, flow schema or population.
func (t *timeline) group(name string, rows []row, end time.Duration) GroupTimeline {
	return GroupTimeline{
		Name:             name,
		Arrivals:         differences(rows, func(r *row) int64 { return r.arrivals }),
		Executed:         differences(rows, func(r *row) int64 { return r.executed }),
		QueueFull:        differences(rows, func(r *row) int64 { return r.rejected[fairqueue.QueueFull] }),
		ConcurrencyLimit: differences(rows, func(r *row) int64 { return r.rejected[fairqueue.ConcurrencyLimit] }),
		TimeOut:          differences(rows, func(r *row) int64 { return r.rejected[fairqueue.TimeOut] }),
		Cancelled:        differences(rows, func(r *row) int64 { return r.rejected[fairqueue.Cancelled] }),
		Ejected:          differences(rows, func(r *row) int64 { return r.rejected[fairqueue.Ejected] }),
		Cut:              differences(rows, func(r *row) int64 { return r.cut }),
		Seats:            t.means(rows, end, func(r *row) Total { return r.seatTime }),
		Waiting:          t.means(rows, end, func(r *row) Total { return r.waitTime }),
		WaitMean:         waitMeans(rows),
		WaitMax:          waitsMax(rows),
	}
}

// differences returns what a count has grown by in each slice, nil if it has not.
func differences(rows []row, of func(*row) int64) []int64 {
	out := make([]int64, len(rows))
	before := int64(0)
	for i := range rows {
		out[i], before = of(&rows[i])-before, of(&rows[i])
	}
	return unlessZero(out)
}

// unlessZero returns a list unless all of it is 0.
func unlessZero[T int64 | Number](list []T) []T {
	if slices.ContainsFunc(list, func(x T) bool { return x != 0 }) {
		return list
	}
	return nil
}

// means returns, of a number multiplied by time, its mean over each slice.
func (t *timeline) means(rows []row, end time.Duration, of func(*row) Total) []Number {
	out := make([]Number, len(rows))
	var before Total
	for i := range rows {
		d := of(&rows[i])
		d.minus(before)
		before = of(&rows[i])
		out[i] = meanOver(d, lengthOf(i, t.width, end))
	}
	return unlessZero(out)
}

// lengthOf returns how long a slice is. The last one ends with the run.
func lengthOf(slice int, width, end time.Duration) time.Duration {
	return min(width, end-time.Duration(slice)*width)
}

// meanOver returns a number multiplied by time as its mean over that time; over no time it is 0.
func meanOver(t Total, d time.Duration) Number {
	if d == 0 || t == (Total{}) {
		return 0
	}
	return newNumber(t.over(float64(d)))
}

// waitMeans and waitsMax return the mean and the longest of the waits that ended in each
// slice, in seconds.
func waitMeans(rows []row) []Number {
	out := make([]Number, len(rows))
	var before row
	for i := range rows {
		r := &rows[i]
		if n := r.waits - before.waits; n > 0 {
			d := r.waitSum
			d.minus(before.waitSum)
			out[i] = newNumber(d.over(float64(n)) / 1e9)
		}
		before = *r
	}
	return unlessZero(out)
}

func waitsMax(rows []row) []Number {
	out := make([]Number, len(rows))
	for i := range rows {
		out[i] = newNumber(rows[i].waitMax.Seconds())
	}
	return unlessZero(out)
}

// render adds what a level has beside what all groups have.
func (l *levelTrack) render(out *LevelTimeline) {
	list := func(of func(*levelRow) int64) []int64 {
		values := make([]int64, len(l.rows))
		for i := range l.rows {
			values[i] = of(&l.rows[i])
		}
		return unlessZero(values)
	}
	out.SeatsPeak = list(func(r *levelRow) int64 { return r.seatsPeak })
	out.WaitingPeak = list(func(r *levelRow) int64 { return r.waitingPeak })
	out.Nominal = list(func(r *levelRow) int64 { return r.nominal })
	out.Current = list(func(r *levelRow) int64 { return r.current })
}

// heatDigits are the significant digits of a heat map, which is to be looked at.
const heatDigits = 3

// render returns the heat map, nil if nothing ever waited in a queue for any time. The width
// is that of a slice of the timeline.
func (h *heat) render(width, end time.Duration) *QueueTimeline {
	out := &QueueTimeline{Slice: Duration(heatSlices * width), Group: 1 << h.shift}
	some := false
	for _, totals := range h.totals {
		row := []Number{}
		before := uint64(0)
		for i, total := range totals {
			some = true
			mean := meanOver(Total{lo: total - before}, lengthOf(i, heatSlices*width, end))
			row = append(row, Number(roundSignificant(float64(mean), heatDigits)))
			before = total
		}
		out.Rows = append(out.Rows, row)
	}
	if !some {
		return nil
	}
	return out
}

package plots

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// maxMatrix is how many rows and columns a matrix has.
const maxMatrix = 8

// blames draws for each level who held its seats while others waited, if there is a choice.
func (v *view) blames() []Chart {
	sizes := make([]float64, len(v.r.PriorityLevels))
	for i := range v.r.PriorityLevels {
		if b := v.r.PriorityLevels[i].Blame; b != nil {
			for j := range b.Waiters {
				sizes[i] += b.Waiters[j].Time.Seconds()
			}
		}
	}
	var out []Chart
	for _, i := range top(sizes, maxLevels) {
		l := &v.r.PriorityLevels[i]
		if m := matrixOf(l.Blame); len(m.waiters)*len(m.holders) > 1 {
			out = append(out, blameChart(l, m))
		}
	}
	return out
}

// blameCell is what a matrix shows of a waiter and a holder.
type blameCell struct{ time, share float64 }

// matrix is who waited for whom.
type matrix struct {
	waiters, holders []string
	time             []float64 // of each waiter
	cells            [][]blameCell
}

// nobody stands for seats that nobody held.
const nobody = "free seats"

// matrixOf takes the waiters and holders with the largest parts; all others are one.
func matrixOf(b *reports.Blame) *matrix {
	var waited, held weights
	for i := range b.Waiters {
		w := &b.Waiters[i]
		waited.addFloat(w.Population, w.Time.Seconds())
		for _, h := range w.Holders {
			held.addFloat(holderName(h.Population), float64(h.Time))
		}
	}
	m := &matrix{waiters: waited.atMost(maxMatrix), holders: held.atMost(maxMatrix)}
	m.time = make([]float64, len(m.waiters))
	m.cells = make([][]blameCell, len(m.waiters))
	for i := range m.cells {
		m.cells[i] = make([]blameCell, len(m.holders))
	}
	for i := range b.Waiters {
		w := &b.Waiters[i]
		row := place(m.waiters, w.Population)
		m.time[row] += w.Time.Seconds()
		for _, h := range w.Holders {
			m.cells[row][place(m.holders, holderName(h.Population))].time += float64(h.Time)
		}
		if w.Others != nil && len(m.holders) == maxMatrix { // the last one is others
			m.cells[row][len(m.holders)-1].time += float64(w.Others.Time)
		}
	}
	for i := range m.cells {
		for j := range m.cells[i] {
			if m.time[i] > 0 {
				m.cells[i][j].share = math.Min(m.cells[i][j].time/m.time[i], 1)
			}
		}
	}
	return m
}

func holderName(name string) string { return cmp.Or(name, nobody) }

// place is the place of a name, or of the last one, which is all others.
func place(names []string, name string) int {
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return len(names) - 1
}

// addFloat adds to a name.
func (w *weights) addFloat(name string, x float64) {
	w.add(name, 0)
	w.sizes[slices.Index(w.names, name)] += x
}

// atMost returns the names with the most, the largest first; if there are more than n, the
// last one is others.
func (w *weights) atMost(n int) []string {
	order := make([]int, len(w.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.sizes[b], w.sizes[a]) })
	var out []string
	for i, at := range order {
		if i == n-1 && len(order) > n {
			return append(out, others)
		}
		out = append(out, w.names[at])
	}
	return out
}

// blameChart draws the matrix of one level.
func blameChart(l *reports.PriorityLevel, m *matrix) Chart {
	rows := len(m.waiters)
	names := make([]string, rows)
	p := panel{heading: "Waited (rows) while seats were held by (columns)", x: category(m.holders), height: 30 * vg.Length(rows)}
	for i, waiter := range m.waiters {
		y := float64(rows - 1 - i)
		names[rows-1-i] = waiter + " (" + lasting(m.time[i]) + ")"
		for j := range m.holders {
			p.marks = append(p.marks, matrixCell(m.cells[i][j].share, float64(j), y)...)
		}
	}
	p.y = category(names)
	return Chart{
		ID: "blame-" + slug(l.Name), Section: sectionBlame, Title: "Who held the seats of " + l.Name + " while others waited",
		Caption: "In brackets the waiting time: requests multiplied by time. Each row splits it by the seats that each population held meanwhile; all replications since the warm-up.",
		Levels:  []string{l.Name},
		Table:   blameTable(l.Blame), columns: []column{{panels: []panel{p}}},
	}
}

// matrixCell is a cell with its share.
func matrixCell(share, x, y float64) []plot.Plotter {
	if share <= 0 {
		return []plot.Plotter{&note{x: x, y: y, text: "·", align: text.XCenter}}
	}
	look := fill{paint: series[0].faded(uint8(8 + math.Round(52*share)))}
	return []plot.Plotter{
		&box{x - 0.48, x + 0.48, y - 0.46, y + 0.46, look},
		&note{x: x, y: y, text: percent(share), align: text.XCenter, bold: share >= 0.5},
	}
}

// blameTable lists all waiters with all holders.
func blameTable(b *reports.Blame) Table {
	t := Table{Columns: []string{"waited", "waiting time", "held the seats", "part", "share", "shared queues"}}
	for i := range b.Waiters {
		w := &b.Waiters[i]
		for _, h := range w.Holders {
			shared := "-"
			if h.SharedQueues != nil {
				shared = number(float64(*h.SharedQueues))
			}
			t.Rows = append(t.Rows, []string{
				w.Population, lasting(w.Time.Seconds()), holderName(h.Population), lasting(float64(h.Time)), percent(float64(h.Share)), shared,
			})
		}
		if o := w.Others; o != nil {
			name := strconv.Itoa(o.Count) + " others"
			t.Rows = append(t.Rows, []string{w.Population, lasting(w.Time.Seconds()), name, lasting(float64(o.Time)), percent(float64(o.Share)), "-"})
		}
	}
	return t
}

package reports

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// books are the cells of one or more replications: a row for each population, a column
// for each flow schema and the level that it led to. Column 0 is of the requests that APF
// does not concern.
type books struct {
	populations  []population
	schemas      []string
	columns      []column
	levels       []levelRun // for their names and kinds
	buckets      buckets
	cells        []cell
	stats        []populationStats
	replications []*Collected
	window       time.Duration // the time that was measured, of all replications
	runs         int

	// sums, limits and ofClients keep what has been added up: many figures are of the same
	// selection.
	sums      map[selection]*cell
	limits    map[selection]*waits
	ofClients map[selection]*populationStats
	// blames are what was waited for, and who is to blame.
	blames map[selection]*blamed
	// fair is how evenly each level served its flows; nil before anybody has asked.
	fair []*Fairness
}

// openBooks returns books without entries.
func openBooks(o *Collected) *books {
	return &books{
		populations: o.populations,
		schemas:     o.schemas,
		columns:     o.columns,
		levels:      o.levels,
		buckets:     o.buckets,
		cells:       make([]cell, len(o.cells)),
		stats:       make([]populationStats, len(o.populationStats)),
		sums:        map[selection]*cell{},
		limits:      map[selection]*waits{},
		ofClients:   map[selection]*populationStats{},
		blames:      map[selection]*blamed{},
	}
}

// openOwn returns the books of one replication. They share its figures.
func openOwn(o *Collected) *books {
	b := openBooks(o)
	b.cells, b.stats, b.replications = o.cells, o.populationStats, []*Collected{o}
	b.window, b.runs = o.window, 1
	return b
}

// enter adds one replication, which may have fewer columns.
func (b *books) enter(o *Collected) {
	for i := range o.cells {
		row, column := i/len(o.columns), i%len(o.columns)
		b.cells[row*len(b.columns)+column].merge(&o.cells[i])
	}
	for i := range o.populationStats {
		b.stats[i].plus(&o.populationStats[i])
	}
	b.replications = append(b.replications, o)
	b.window += o.window
	b.runs++
}

// at returns the cell of a population in a column.
func (b *books) at(population, column int) *cell {
	return &b.cells[population*len(b.columns)+column]
}

// longRunning is the column of the requests that APF does not concern.
const longRunning = 0

// selection tells which cells to add up: those of one population, schema and level. Any
// of them can be all, which does not include long-running requests for levels and
// schemas.
type selection struct{ population, schema, level int }

// all as a part of a selection makes no restriction.
const all = -1

// sum adds up the cells of a selection. What it returns is the books' own.
func (b *books) sum(s selection) *cell {
	if known := b.sums[s]; known != nil {
		return known
	}
	total := &cell{}
	b.sums[s] = total
	for p := range b.populations {
		if s.population != all && s.population != p {
			continue
		}
		for i := range b.columns {
			if s.has(b.columns[i]) {
				total.merge(b.at(p, i))
			}
		}
	}
	return total
}

// has tells whether a selection includes a column.
func (s selection) has(c column) bool {
	return c.level >= 0 && (s.schema == all || s.schema == c.schema) && (s.level == all || s.level == c.level)
}

// bySchema returns the columns of flow schemas, schema by schema.
func (b *books) bySchema() []column {
	out := slices.Clone(b.columns[longRunning+1:])
	slices.SortStableFunc(out, func(x, y column) int { return cmp.Compare(x.schema, y.schema) })
	return out
}

// exempt tells whether a level is exempt.
func (b *books) exempt(level int) bool { return b.levels[level].info.Exempt }

// perTime returns seats multiplied by time as a mean number of seats, nil if no time
// was measured.
func (b *books) perTime(t Total) *Number {
	if b.window == 0 {
		return nil
	}
	n := newNumber(t.over(float64(b.window)))
	return &n
}

// requests renders counts.
func (c *counts) requests() Requests {
	refused := c.refused()
	return Requests{
		Arrivals: c.arrivals,
		Executed: c.executed,
		Finished: c.finished,
		Rejected: Rejected{
			Total:            refused,
			QueueFull:        c.rejected[fairqueue.QueueFull],
			ConcurrencyLimit: c.rejected[fairqueue.ConcurrencyLimit],
			TimeOut:          c.rejected[fairqueue.TimeOut],
			Cancelled:        c.rejected[fairqueue.Cancelled],
			Ejected:          c.rejected[fairqueue.Ejected],
		},
		Cut: Cut{
			Total:     c.cutWaiting + c.cutExecuting,
			Waiting:   c.cutWaiting,
			Executing: c.cutExecuting,
		},
		Waiting:   c.arrivals - c.executed - refused - c.cutWaiting,
		Executing: c.executed - c.finished - c.cutExecuting,
	}
}

// quantiles are those of a Wait, in ascending order, with the number of samples below which less than one
// lies beyond.
var quantiles = [...]struct {
	name string
	q    float64
	need int64
	of   func(*Wait) *Duration
}{
	{"p50", 0.5, 2, func(w *Wait) *Duration { return &w.P50 }},
	{"p75", 0.75, 4, func(w *Wait) *Duration { return &w.P75 }},
	{"p90", 0.9, 10, func(w *Wait) *Duration { return &w.P90 }},
	{"p95", 0.95, 20, func(w *Wait) *Duration { return &w.P95 }},
	{"p99", 0.99, 100, func(w *Wait) *Duration { return &w.P99 }},
	{"p999", 0.999, 1000, func(w *Wait) *Duration { return &w.P999 }},
}

// render returns the figures of a distribution, nil for one without samples.
func (w *waits) render() *Wait {
	n := w.count()
	if n == 0 {
		return nil
	}
	out := &Wait{Count: n, Waited: w.some, Sum: w.sum, Mean: Duration(w.mean()), Max: Duration(w.max)}
	shares := make([]float64, len(quantiles))
	for i, q := range quantiles {
		shares[i] = q.q
	}
	values := w.quantiles(shares...)
	for i, q := range quantiles {
		*q.of(out) = Duration(values[i])
		if n < q.need {
			out.FewSamplesFor = append(out.FewSamplesFor, q.name)
		}
	}
	return out
}

// renderWhole returns the figures of a distribution together with its buckets.
func (w *waits) renderWhole() *Wait {
	out := w.render()
	if out != nil {
		out.Distribution = w.distribution()
	}
	return out
}

// few tells whether a quantile of the distribution is only a hint.
func (w *Wait) few(name string) bool { return slices.Contains(w.FewSamplesFor, name) }

// check panics unless a replication belongs to the same scenario as the books. Of one that
// ended early the later levels, schemas and columns may be missing.
func (b *books) check(o *Collected) {
	if !slices.Equal(b.populations, o.populations) || !begins(b.schemas, o.schemas) || !begins(b.columns, o.columns) || len(b.levels) < len(o.levels) {
		panic(fmt.Sprintf("reports: replication %d is not of the same scenario: %d populations, %d flow schemas, %d levels against %d, %d, %d",
			o.replication, len(o.populations), len(o.schemas), len(o.levels), len(b.populations), len(b.schemas), len(b.levels)))
	}
}

// begins tells whether a list begins as a shorter one says.
func begins[T comparable](list, start []T) bool {
	return len(start) <= len(list) && slices.Equal(list[:len(start)], start)
}

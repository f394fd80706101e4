package plots

import (
	"slices"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot/vg"
)

// colors gives levels and populations their looks, the same in all charts.
type colors struct {
	levels, populations palette
}

// palette holds the names that have a look: the first one has the first.
type palette struct{ names []string }

// newColors makes the looks of one or more results. The levels and populations with the most
// arrivals get one of their own; all others share the last.
func newColors(results ...*reports.Result) *colors {
	var levels, populations weights
	for _, r := range results {
		for i := range r.PriorityLevels {
			levels.add(r.PriorityLevels[i].Name, r.PriorityLevels[i].Requests.Arrivals)
		}
		for i := range r.Populations {
			populations.add(r.Populations[i].Name, r.Populations[i].Requests.Arrivals)
		}
	}
	return &colors{palette{levels.largest(len(series))}, palette{populations.largest(len(series))}}
}

// weights are names with how much there is of each.
type weights struct {
	names []string
	sizes []float64
}

// add adds to a name.
func (w *weights) add(name string, n int64) {
	i := slices.Index(w.names, name)
	if i < 0 {
		i = len(w.names)
		w.names, w.sizes = append(w.names, name), append(w.sizes, 0)
	}
	w.sizes[i] += float64(n)
}

// largest returns at most n names, the largest first.
func (w *weights) largest(n int) []string {
	return w.atMost(len(w.names))[:min(n, len(w.names))]
}

// has tells whether a name has a look of its own.
func (p *palette) has(name string) bool { return slices.Contains(p.names, name) }

// line returns the look of a name as a line.
func (p *palette) line(name string) stroke {
	i := slices.Index(p.names, name)
	if i < 0 {
		return stroke{paint: rest, width: 1.5, dash: []vg.Length{1, 2}}
	}
	return stroke{paint: series[i], width: 1.75, dash: dashes[i]}
}

// plain returns the colour of a name where something else names it.
func (p *palette) plain(name string) fill { return fill{paint: p.fill(name).paint} }

// fill returns the look of a name as an area.
func (p *palette) fill(name string) fill {
	i := slices.Index(p.names, name)
	if i < 0 {
		return fill{paint: rest}
	}
	return fill{series[i], hatches[i]}
}

// outcome is what becomes of requests, with its look.
type outcome struct {
	name string
	fill fill
	of   func(*reports.Requests) int64
	over func(*reports.GroupTimeline) []int64
}

// executed is the outcome of those that were dispatched.
var executed = outcome{"executed", fill{series[2], hatches[0]},
	func(r *reports.Requests) int64 { return r.Executed },
	func(t *reports.GroupTimeline) []int64 { return t.Executed }}

// reasons are those of rejections, in the words of the server's metric.
var reasons = []outcome{
	{"queue-full", fill{series[1], hatches[1]},
		func(r *reports.Requests) int64 { return r.Rejected.QueueFull },
		func(t *reports.GroupTimeline) []int64 { return t.QueueFull }},
	{"concurrency-limit", fill{series[3], hatches[2]},
		func(r *reports.Requests) int64 { return r.Rejected.ConcurrencyLimit },
		func(t *reports.GroupTimeline) []int64 { return t.ConcurrencyLimit }},
	{"time-out", fill{series[4], hatches[3]},
		func(r *reports.Requests) int64 { return r.Rejected.TimeOut },
		func(t *reports.GroupTimeline) []int64 { return t.TimeOut }},
	{"cancelled", fill{series[5], hatches[4]},
		func(r *reports.Requests) int64 { return r.Rejected.Cancelled },
		func(t *reports.GroupTimeline) []int64 { return t.Cancelled }},
	{"ejected", fill{series[6], hatches[5]},
		func(r *reports.Requests) int64 { return r.Rejected.Ejected },
		func(t *reports.GroupTimeline) []int64 { return t.Ejected }},
}

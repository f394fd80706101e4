package plots

import (
	"math"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// maxBars is how many bars a chart has; all others are one more.
const maxBars = 16

// barHeight is the room of one horizontal bar.
const barHeight = 22

// labelledHeight is the room of one with its numbers above it, where no bar is in their way.
const labelledHeight = 34

// group is one bar of requests.
type group struct {
	name     string
	requests reports.Requests
}

// rejections draws how many requests were rejected, by reason.
func (v *view) rejections() []Chart {
	var levels, populations []group
	for i := range v.r.PriorityLevels {
		levels = append(levels, group{v.r.PriorityLevels[i].Name, v.r.PriorityLevels[i].Requests})
	}
	for i := range v.r.Populations {
		populations = append(populations, group{v.r.Populations[i].Name, v.r.Populations[i].Requests})
	}
	table := Table{Columns: []string{"of", "name", "arrivals", "rejected", "rejected of arrivals"}}
	for i := range reasons {
		table.Columns = append(table.Columns, reasons[i].name)
	}
	var panels []panel
	for _, part := range []struct {
		kind, heading string
		groups        []group
	}{{"priority level", "Rejected requests by priority level", levels}, {"population", "Rejected requests by population", populations}} {
		groups := rejectedGroups(part.groups)
		if len(groups) == 0 {
			continue
		}
		panels = append(panels, rejectionPanel(part.heading, groups))
		for i := range groups {
			table.Rows = append(table.Rows, rejectionRow(part.kind, &groups[i]))
		}
	}
	if len(panels) == 0 {
		return nil
	}
	onceEach(panels)
	return []Chart{{
		ID: "rejections", Section: sectionRejections, Title: "Rejections by reason",
		Caption: "All replications since the warm-up, with the share of the arrivals that was rejected. A retry arrives again.",
		Table:   table, columns: []column{{panels: panels}},
	}}
}

// rejectedGroups returns those with rejections; those beyond the largest are one.
func rejectedGroups(groups []group) []group {
	sizes := make([]float64, len(groups))
	for i := range groups {
		sizes[i] = float64(groups[i].requests.Rejected.Total)
	}
	var out []group
	chosen := map[int]bool{}
	for _, i := range top(sizes, maxBars) {
		out = append(out, groups[i])
		chosen[i] = true
	}
	remainder := group{name: others}
	for i := range groups {
		if !chosen[i] && sizes[i] > 0 {
			remainder.add(&groups[i].requests)
		}
	}
	if remainder.requests.Rejected.Total > 0 {
		out = append(out, remainder)
	}
	return out
}

// add adds what a bar shows of requests.
func (g *group) add(r *reports.Requests) {
	g.requests.Arrivals += r.Arrivals
	to, from := &g.requests.Rejected, &r.Rejected
	to.Total += from.Total
	to.QueueFull += from.QueueFull
	to.ConcurrencyLimit += from.ConcurrencyLimit
	to.TimeOut += from.TimeOut
	to.Cancelled += from.Cancelled
	to.Ejected += from.Ejected
}

// rejectionPanel draws a bar for each group, the first one at the top.
func rejectionPanel(heading string, groups []group) panel {
	names := make([]string, len(groups))
	most := 0.0
	for i := range groups {
		names[len(groups)-1-i] = groups[i].name
		most = math.Max(most, float64(groups[i].requests.Rejected.Total))
	}
	p := panel{heading: heading, x: from0(counts, most*1.08), y: category(names), height: labelledHeight * vg.Length(len(groups))}
	for _, o := range reasons {
		there := false
		for i := range groups {
			there = there || o.of(&groups[i].requests) > 0
		}
		if there {
			p.legend = append(p.legend, fillEntry(o.name, o.fill))
		}
	}
	for i := range groups {
		r, y := &groups[i].requests, float64(len(groups)-1-i)
		at := 0.0
		for _, o := range reasons {
			n := float64(o.of(r))
			p.marks = append(p.marks, &box{at, at + n, y - 0.42, y + 0.02, o.fill})
			at += n
		}
		p.marks = append(p.marks, &note{x: 0, y: y + 0.24, dx: 2, text: grouped(r.Rejected.Total) + " · " + shareOf(r.Rejected.Total, r.Arrivals), align: text.XLeft})
	}
	return p
}

// shareOf writes n of a total as a percentage.
func shareOf(n, total int64) string {
	if total == 0 {
		return "-"
	}
	return percent(float64(n) / float64(total))
}

// rejectionRow is the row of one bar.
func rejectionRow(kind string, g *group) []string {
	r := &g.requests
	row := []string{kind, g.name, grouped(r.Arrivals), grouped(r.Rejected.Total), shareOf(r.Rejected.Total, r.Arrivals)}
	for i := range reasons {
		row = append(row, grouped(reasons[i].of(r)))
	}
	return row
}

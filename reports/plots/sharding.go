package plots

import (
	"fmt"
	"math"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// maxSharded is how many levels the chart of shuffle sharding has.
const maxSharded = 5

// herd is a group of flows of one level.
type herd struct {
	level, name string
	flows       *reports.FlowGroup
	fill        fill
}

// sharding draws what became of elephants and mice in each level that was crowded.
func (v *view) sharding() []Chart {
	sizes := make([]float64, len(v.r.PriorityLevels))
	for i := range v.r.PriorityLevels {
		if s := v.r.PriorityLevels[i].Sharding; s != nil && s.Elephants.Flows > 0 {
			sizes[i] = float64(s.CrowdedPeriods)
		}
	}
	var herds []herd
	caption := "An elephant asked for more than its fair share; a mouse is crushed if all queues of its hand are in the hands of elephants."
	for _, i := range top(sizes, maxSharded) {
		l := &v.r.PriorityLevels[i]
		s := l.Sharding
		for _, h := range []herd{
			{l.Name, "elephants", &s.Elephants, fill{paint: series[1]}},
			{l.Name, "crushed mice", &s.CrushedMice, fill{paint: series[3]}},
			{l.Name, "other mice", &s.OtherMice, fill{paint: series[2]}},
		} {
			if h.flows.Flows > 0 {
				herds = append(herds, h)
			}
		}
		caption += odds(l)
	}
	if len(herds) == 0 {
		return nil
	}
	return []Chart{{
		ID: "sharding", Section: sectionSharding, Title: "Elephants and mice: how well shuffle sharding kept them apart",
		Caption: caption, Table: v.shardingTable(herds),
		columns: []column{{panels: []panel{
			herdPanel("Wait, 99th percentile", herds, times, lasting, func(f *reports.FlowGroup) float64 {
				if f.Wait == nil {
					return 0
				}
				return seconds(f.Wait.P99)
			}),
			herdPanel("Rejected of arrivals", herds, shares, percent, func(f *reports.FlowGroup) float64 {
				if f.Requests.Arrivals == 0 {
					return 0
				}
				return float64(f.Requests.Rejected.Total) / float64(f.Requests.Arrivals)
			}),
		}}},
	}}
}

// odds says how likely it was that a mouse is crushed, and how many were.
func odds(l *reports.PriorityLevel) string {
	s := l.Sharding
	mice := s.CrushedMice.Flows + s.OtherMice.Flows
	if mice == 0 {
		return ""
	}
	text := fmt.Sprintf(" %s: %d of %s crushed", l.Name, s.CrushedMice.Flows, counted(mice, "mouse"))
	if mice > 1 {
		text = fmt.Sprintf(" %s: %d of %s mice crushed", l.Name, s.CrushedMice.Flows, grouped(int64(mice)))
	}
	if s.Odds != nil {
		text += fmt.Sprintf(" (expected of random hands with %s: %s)", counted(s.Elephants.Flows, "elephant"), percent(float64(*s.Odds)))
	}
	return text + "."
}

// herdPanel draws a bar for each herd.
func herdPanel(heading string, herds []herd, kind axisKind, format func(float64) string, of func(*reports.FlowGroup) float64) panel {
	names := make([]string, len(herds))
	several := false
	for i := range herds {
		several = several || herds[i].level != herds[0].level
	}
	most := 0.0
	var marks []plot.Plotter
	for i := range herds {
		h, y := &herds[i], len(herds)-1-i
		names[y] = fmt.Sprintf("%s (%s)", h.name, grouped(int64(h.flows.Flows)))
		if several {
			names[y] = h.level + ", " + names[y]
		}
		x := of(h.flows)
		most = math.Max(most, x)
		marks = append(marks, &box{0, x, float64(y) - 0.36, float64(y) + 0.36, h.fill},
			&note{x: x, y: float64(y), dx: 4, text: format(x), align: text.XLeft})
	}
	x := from0(kind, most*1.05)
	if kind == shares && x.max > 1 {
		x.max = 1
	}
	return panel{heading: heading, x: x, y: category(names), height: barHeight * vg.Length(len(herds)), marks: marks}
}

// shardingTable lists the herds, and the flows that the result lists.
func (v *view) shardingTable(herds []herd) Table {
	t := Table{Columns: []string{"priority level", "flows", "number", "seats offered", "seats used", "arrivals", "rejected", "p99 wait", "longest wait"}}
	row := func(level, name, n string, offered, used reports.Number, r *reports.Requests, w *reports.Wait) {
		p99, longest := "-", "-"
		if w != nil {
			p99, longest = lasting(seconds(w.P99)), lasting(seconds(w.Max))
		}
		t.Rows = append(t.Rows, []string{
			level, name, n, number(float64(offered)), number(float64(used)), grouped(r.Arrivals), grouped(r.Rejected.Total), p99, longest,
		})
	}
	for i := range herds {
		f := herds[i].flows
		row(herds[i].level, herds[i].name, grouped(int64(f.Flows)), f.SeatsOffered, f.SeatsUsed, &f.Requests, f.Wait)
	}
	for i := range v.r.Flows.Listed {
		f := &v.r.Flows.Listed[i]
		if i == maxRows {
			break
		}
		row(f.PriorityLevel, f.FlowSchema+"/"+f.Distinguisher, string(f.Role), f.SeatsOffered, f.SeatsUsed, &f.Requests, f.Wait)
	}
	return t
}

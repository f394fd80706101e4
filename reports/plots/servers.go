package plots

import (
	"fmt"
	"math"

	"github.com/apfsim/apfsim/reports"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// bar is one bar with its text.
type bar struct {
	name, text string
	x          float64
	fill       fill
}

// labelledPanel draws bars from the top, each with its text above it, so that long texts have room.
func labelledPanel(heading string, x axis, bars []bar) panel {
	p := barPanel(heading, x, bars)
	p.height, p.marks = labelledHeight*vg.Length(len(bars)), nil
	for i, b := range bars {
		y := float64(len(bars) - 1 - i)
		p.marks = append(p.marks, &box{0, b.x, y - 0.42, y + 0.02, b.fill},
			&note{x: 0, y: y + 0.24, dx: 2, text: b.text, align: text.XLeft})
	}
	return p
}

// barPanel draws bars from the top.
func barPanel(heading string, x axis, bars []bar) panel {
	p := panel{heading: heading, x: x, height: barHeight * vg.Length(len(bars))}
	names := make([]string, len(bars))
	for i, b := range bars {
		y := len(bars) - 1 - i
		names[y] = b.name
		p.marks = append(p.marks, &box{0, b.x, float64(y) - 0.36, float64(y) + 0.36, b.fill},
			&note{x: b.x, y: float64(y), dx: 4, text: b.text, align: text.XLeft})
	}
	p.y = category(names)
	return p
}

// servers draws what the servers and the etcd members behind them did, if there is more than
// one server or a backend.
func (v *view) servers() []Chart {
	var panels []panel
	table := Table{Columns: []string{"what", "which", "figure", "of"}}
	add := func(p panel, rows [][]string) {
		panels = append(panels, p)
		table.Rows = append(table.Rows, rows...)
	}
	if len(v.r.Servers) > 1 {
		add(v.serverRequests())
	}
	if p, rows := v.utilization(); len(rows) > 0 {
		add(p, rows)
	}
	if p, rows := v.memory(); len(rows) > 0 {
		add(p, rows)
	}
	if len(panels) == 0 {
		return nil
	}
	return []Chart{{
		ID: "servers", Section: sectionServers, Title: "Servers and what is behind them",
		Caption: "All replications since the warm-up; the peak of memory is of the warm-up too.",
		Table:   table, columns: []column{{panels: panels}},
	}}
}

// serverRequests draws what became of the requests of each server.
func (v *view) serverRequests() (panel, [][]string) {
	var rows [][]string
	most := 0.0
	shown := v.r.Servers[:min(len(v.r.Servers), maxBars)]
	p := panel{heading: "Requests by server", height: barHeight * vg.Length(len(shown))}
	names := make([]string, len(shown))
	outcomes := append([]outcome{executed}, reasons...)
	for i := range shown {
		s, y := &shown[i], len(shown)-1-i
		names[y] = serverName(s.Server)
		at := 0.0
		for _, o := range outcomes {
			n := float64(o.of(&s.Requests))
			p.marks = append(p.marks, &box{at, at + n, float64(y) - 0.36, float64(y) + 0.36, o.fill})
			at += n
		}
		most = math.Max(most, at)
		label := grouped(s.Requests.Arrivals)
		if s.Share != nil {
			label += " · " + percent(float64(*s.Share))
		}
		p.marks = append(p.marks, &note{x: at, y: float64(y), dx: 4, text: label, align: text.XLeft})
		rows = append(rows, []string{"requests", names[y], grouped(s.Requests.Arrivals), grouped(s.Requests.Rejected.Total) + " rejected"})
	}
	for _, o := range outcomes {
		for i := range shown {
			if o.of(&shown[i].Requests) > 0 {
				p.legend = append(p.legend, fillEntry(o.name, o.fill))
				break
			}
		}
	}
	p.x, p.y = from0(counts, most*1.08), category(names)
	return p, rows
}

// serverName names a server.
func serverName(n int) string { return fmt.Sprintf("server %d", n) }

// utilization draws how busy cores and etcd members were.
func (v *view) utilization() (panel, [][]string) {
	var bars []bar
	var rows [][]string
	add := func(name string, busy reports.Number) {
		if len(bars) < 2*maxBars {
			bars = append(bars, bar{name, percent(float64(busy)), float64(busy), fill{paint: series[0]}})
			rows = append(rows, []string{"busy", name, percent(float64(busy)), "its time"})
		}
	}
	for i := range v.r.Servers {
		if m := v.r.Servers[i].Machine; m != nil {
			add(serverName(v.r.Servers[i].Server)+", cores", m.Utilization)
		}
	}
	for _, m := range v.r.Etcd {
		add(fmt.Sprintf("etcd %d, reads", m.Member), m.Reads.Utilization)
		add(fmt.Sprintf("etcd %d, writes", m.Member), m.Writes.Utilization)
	}
	return barPanel("Part of the time that they were busy", axis{kind: shares, max: 1}, bars), rows
}

// memory draws the peak of each server's memory, with its limit.
func (v *view) memory() (panel, [][]string) {
	var bars []bar
	var rows [][]string
	var limits []plot.Plotter
	most := 0.0
	shown := v.r.Servers[:min(len(v.r.Servers), maxBars)]
	for i := range shown {
		s := &shown[i]
		if s.Machine == nil || s.Machine.MemoryPeak == 0 {
			continue
		}
		peak, limit := float64(s.Machine.MemoryPeak)/1e9, float64(s.Machine.MemoryLimit)/1e9
		label := number(peak) + " GB"
		if s.OutOfMemory > 0 {
			label += " · killed " + counted(int(s.OutOfMemory), "time")
		}
		bars = append(bars, bar{serverName(s.Server), label, peak, fill{paint: series[4]}})
		of := "no limit"
		if limit > 0 {
			of = number(limit) + " GB"
			limits = append(limits, &dot{x: limit, y: float64(len(bars) - 1), shape: tick, paint: ink, size: 9})
		}
		rows = append(rows, []string{"memory", serverName(s.Server), number(peak) + " GB", of})
		most = max(most, peak, limit)
	}
	p := labelledPanel("Memory, peak, GB", from0(counts, most*1.08), bars)
	for _, l := range limits {
		l := l.(*dot)
		l.y = float64(len(bars)-1) - l.y - 0.2 // the middle of its bar
		p.marks = append(p.marks, l)
	}
	if len(limits) > 0 {
		p.legend = []entry{dotEntry("limit", dot{shape: tick, paint: ink, size: 6})}
	}
	return p, rows
}

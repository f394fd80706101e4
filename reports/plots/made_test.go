package plots

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// made makes a result with so many slices, levels and populations, with all that charts are
// made of.
func made(slices, levels, populations int) *reports.Result {
	r := &reports.Result{
		Metadata: reports.Metadata{Name: "made-up"}, KubernetesVersion: "1.37", Warmup: reports.Duration(10 * time.Second),
		Replications: []reports.Replication{{End: reports.Duration(time.Duration(slices) * time.Second)}, {}},
	}
	t := &reports.Timeline{Slice: reports.Duration(time.Second), Slices: slices}
	for i := range levels {
		l := madeLevel(slices, i)
		t.PriorityLevels = append(t.PriorityLevels, l)
		r.PriorityLevels = append(r.PriorityLevels, reports.PriorityLevel{Name: l.Name, Requests: madeRequests(int64(i + 1))})
	}
	for i := range populations {
		g := madeGroup(fmt.Sprintf("population-%d", i), slices, i)
		t.Populations = append(t.Populations, g)
		r.Populations = append(r.Populations, reports.Population{Name: g.Name, Requests: madeRequests(int64(i + 1))})
	}
	r.Timeline = t
	return r
}

// madeRequests are requests of which some were rejected for each reason.
func madeRequests(n int64) reports.Requests {
	return reports.Requests{
		Arrivals: 1000 * n, Executed: 940 * n,
		Rejected: reports.Rejected{Total: 60 * n, QueueFull: 30 * n, ConcurrencyLimit: 20 * n, TimeOut: 10 * n},
	}
}

// madeGroup is a timeline that goes up and down.
func madeGroup(name string, slices, phase int) reports.GroupTimeline {
	g := reports.GroupTimeline{Name: name}
	for i := range slices {
		n := int64((i*7+phase*13)%40 + 1)
		g.Arrivals = append(g.Arrivals, 10*n)
		g.Executed = append(g.Executed, 8*n)
		g.QueueFull = append(g.QueueFull, n)
		g.TimeOut = append(g.TimeOut, n/3)
		g.Seats = append(g.Seats, reports.Number(n)/2)
		g.Waiting = append(g.Waiting, reports.Number(n)/4)
		g.WaitMean = append(g.WaitMean, reports.Number(n)/100)
		g.WaitMax = append(g.WaitMax, reports.Number(n)/20)
	}
	return g
}

// madeLevel is the timeline of a level whose limit is adjusted.
func madeLevel(slices, phase int) reports.LevelTimeline {
	l := reports.LevelTimeline{GroupTimeline: madeGroup(fmt.Sprintf("level-%d", phase), slices, phase)}
	for i := range slices {
		l.SeatsPeak = append(l.SeatsPeak, int64(l.Seats[i])+3)
		l.WaitingPeak = append(l.WaitingPeak, int64(l.Waiting[i])+5)
		l.Nominal = append(l.Nominal, 20)
		l.Current = append(l.Current, int64(20+i/10%5))
	}
	return l
}

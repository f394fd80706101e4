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
		r.PriorityLevels = append(r.PriorityLevels, madeState(l.Name, i, populations))
	}
	for i := range populations {
		g := madeGroup(fmt.Sprintf("population-%d", i), slices, i)
		t.Populations = append(t.Populations, g)
		r.Populations = append(r.Populations, reports.Population{
			Name: g.Name, Requests: madeRequests(int64(i + 1)), Wait: madeWait(i), Operations: madeOperations(i),
		})
	}
	r.Timeline = t
	for i := range 3 {
		r.Servers = append(r.Servers, reports.ServerUse{
			Server: i, Requests: madeRequests(int64(3 - i)), OutOfMemory: int64(i),
			Machine: &reports.MachineUse{Utilization: 0.5, MemoryPeak: int64(i+1) << 30, MemoryLimit: 4 << 30},
		})
	}
	r.Etcd = []reports.MemberUse{{Member: 0, Reads: reports.StationUse{Utilization: 0.25}, Writes: reports.StationUse{Utilization: 1}}}
	return r
}

// ms makes a duration of milliseconds.
func ms(n int) reports.Duration { return reports.Duration(n) * reports.Duration(time.Millisecond) }

// total makes a sum of times of seconds.
func total(seconds int) (t reports.Total) {
	if err := t.UnmarshalText(fmt.Appendf(nil, "%ds", seconds)); err != nil {
		panic(err)
	}
	return t
}

// madeWait is a distribution in which half of the requests did not wait.
func madeWait(phase int) *reports.Wait {
	w := &reports.Wait{Count: 200, Waited: 100, Sum: total(50 + phase), P50: 0, P90: ms(800), P99: ms(990), P999: ms(1000), Max: ms(1000 + phase)}
	w.Distribution = []reports.WaitStep{{LE: 0, Count: 100}}
	for i := range 10 {
		w.Distribution = append(w.Distribution, reports.WaitStep{LE: ms(100*(i+1) + phase), Count: 10})
	}
	w.FewSamplesFor = []string{"p999"}
	return w
}

// madeOperations took their time in many places.
func madeOperations(phase int) *reports.Operations {
	return &reports.Operations{
		Count: 100, Succeeded: 90, Latency: &reports.Latency{Count: 90, Mean: ms(30), P50: ms(20), P90: ms(50 + phase), P99: ms(900), Max: ms(5000)},
		Time: reports.Time{Total: total(100), Throttled: total(10), Paused: total(20), Queued: total(30), Executing: total(30), Elsewhere: total(10)},
	}
}

// madeState is a level with all that can be drawn of it.
func madeState(name string, phase, populations int) reports.PriorityLevel {
	l := reports.PriorityLevel{
		Name: name, Requests: madeRequests(int64(phase + 1)), Wait: madeWait(phase),
		WaitHistogram: []reports.WaitBucket{{LE: "0", ExecuteTrue: 100}, {LE: "0.5", ExecuteTrue: 50}, {LE: "+Inf", ExecuteTrue: 50}},
		Seats:         reports.Seats{Nominal: 20, Min: 10, Max: 40, Current: 25, CurrentLowest: 20, CurrentHighest: 30},
		Occupancy:     &reports.Occupancy{CurrentAverage: 25, SeatsUsedAverage: 12.5, SeatsUsedPeak: 28},
		Sharding: &reports.Sharding{
			CrowdedPeriods: 3, Odds: new(reports.Number(0.01)),
			Elephants:   reports.FlowGroup{Flows: 2, Requests: madeRequests(3), Wait: madeWait(1)},
			CrushedMice: reports.FlowGroup{Flows: 1, Requests: madeRequests(2), Wait: madeWait(2)},
			OtherMice:   reports.FlowGroup{Flows: 9, Requests: madeRequests(1)},
		},
		Blame: &reports.Blame{},
	}
	for i := range 3 {
		l.Adjustments = append(l.Adjustments, reports.Adjustment{Time: ms(10_000 * i), Current: int64(20 + 5*i)})
	}
	for i := range populations {
		w := reports.Waiter{Population: fmt.Sprintf("population-%d", i), Time: total(100)}
		for j := range min(populations, 10) {
			w.Holders = append(w.Holders, reports.Holder{Population: fmt.Sprintf("population-%d", j), Time: 10, Share: 0.1})
		}
		l.Blame.Waiters = append(l.Blame.Waiters, w)
	}
	return l
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
	if slices > 0 {
		l.Queues = &reports.QueueTimeline{Slice: reports.Duration(time.Second), Group: 1, Rows: make([][]reports.Number, 128)}
		for i := 0; i < 128; i += 2 {
			l.Queues.Rows[i] = l.Waiting
		}
	}
	return l
}

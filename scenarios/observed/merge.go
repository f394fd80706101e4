package observed

import (
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload/recording"
)

// total is what a cell did in all intervals of all servers.
type total struct {
	recording.ObservedCell
	// perInterval are the arrivals of each interval of the time line.
	perInterval []int64
	// waited is the time that its requests have waited, in seconds, and waiting how many waited on
	// average over time.
	waited, waiting float64
	// before is its arrivals in a second before the first interval, if they are known, and executedBefore
	// what was executed of them.
	before, executedBefore float64
}

// span is a piece of the time line, the same for all servers.
type span struct{ from, until recording.Moment }

// spans makes one time line of the intervals of all servers: those of the first one. Another
// server's interval counts where its middle lies.
func (o *Observation) spans() []span {
	var out []span
	for i := range o.Servers[0].Intervals {
		v := &o.Servers[0].Intervals[i]
		out = append(out, span{v.From, v.Until})
	}
	return out
}

// totals adds up what the cells did, in the order of levels and schemas.
func (o *Observation) totals(spans []span) []*total {
	all := map[cell]*total{}
	for s := range o.Servers {
		for i := range o.Servers[s].Intervals {
			v := &o.Servers[s].Intervals[i]
			at := slices.IndexFunc(spans, func(p span) bool { return p.until > v.From+(v.Until-v.From)/2 })
			if at < 0 {
				at = len(spans) - 1
			}
			for j := range v.Cells {
				c := &v.Cells[j]
				key := cell{c.PriorityLevel, c.FlowSchema}
				if all[key] == nil {
					all[key] = &total{perInterval: make([]int64, len(spans))}
					all[key].FlowSchema, all[key].PriorityLevel = c.FlowSchema, c.PriorityLevel
					all[key].WaitingBefore = c.WaitingBefore
				}
				all[key].add(c, at, v)
			}
		}
	}
	var out []*total
	for _, key := range sortedCells(all) {
		out = append(out, all[key])
	}
	return out
}

// add adds what the cell did in an interval.
func (t *total) add(c *recording.ObservedCell, at int, v *recording.ObservedInterval) {
	t.Arrivals += c.Arrivals
	t.perInterval[at] += c.Arrivals
	t.Executed += c.Executed
	t.WaitingAfter = c.WaitingAfter
	for _, reason := range sortedKeys(c.Rejected) {
		if t.Rejected == nil {
			t.Rejected = map[string]int64{}
		}
		t.Rejected[reason] += c.Rejected[reason]
	}
	t.Wait, t.TurnedAway = plus(t.Wait, c.Wait), plus(t.TurnedAway, c.TurnedAway)
	t.Execution, t.WatchExecution = plus(t.Execution, c.Execution), plus(t.WatchExecution, c.WatchExecution)
	t.Width, t.QueueLength = plus(t.Width, c.Width), plus(t.QueueLength, c.QueueLength)
	if c.Wait != nil {
		t.waited += c.Wait.Sum
	}
}

// seconds is how long the spans are in all.
func seconds(spans []span) float64 {
	sum := 0.0
	for _, p := range spans {
		sum += time.Duration(p.until - p.from).Seconds()
	}
	return sum
}

// setWaiting finds how many requests of each cell waited on average. Of a level that is told as a share
// of what its queues hold (up to 1.24: one of them); of its cells it follows from what their
// requests waited, and so does all, by Little's law, where it is not told.
func (o *Observation) setWaiting(totals []*total, cfg *scheduler.Config, spans []span) {
	waited := map[string]float64{}
	for _, t := range totals {
		waited[t.PriorityLevel] += t.waited
	}
	for _, t := range totals {
		t.waiting = t.waited / seconds(spans)
		at := slices.IndexFunc(cfg.PriorityLevels, func(l scheduler.PriorityLevel) bool { return l.Name == t.PriorityLevel })
		if at < 0 || cfg.PriorityLevels[at].Queuing == nil || waited[t.PriorityLevel] == 0 {
			continue
		}
		q := cfg.PriorityLevels[at].Queuing
		limit := float64(q.QueueLengthLimit)
		if cfg.Release == (release.Version{}) || cfg.Release.Minor >= 25 {
			limit *= float64(q.Queues)
		}
		if share, told := o.waitingShare(t.PriorityLevel); told {
			t.waiting = share * limit * t.waited / waited[t.PriorityLevel]
		}
	}
}

// waitingShare is the mean over all intervals and servers.
func (o *Observation) waitingShare(level string) (share float64, told bool) {
	all := 0.0
	for s := range o.Servers {
		for i := range o.Servers[s].Intervals {
			v := &o.Servers[s].Intervals[i]
			for j := range v.Levels {
				if l := &v.Levels[j]; l.PriorityLevel == level && l.WaitingShare != nil {
					length := float64(v.Until - v.From)
					share, all = share+float64(*l.WaitingShare*length), all+length
				}
			}
		}
	}
	if all == 0 {
		return 0, false
	}
	return share / all * float64(len(o.Servers)), true
}

// plus adds histograms. Of different bounds only the larger one counts.
func plus(a, b *recording.ObservedHistogram) *recording.ObservedHistogram {
	switch {
	case a == nil:
		if b == nil {
			return nil
		}
		return &recording.ObservedHistogram{Bounds: b.Bounds, Counts: slices.Clone(b.Counts), Sum: b.Sum}
	case b == nil:
		return a
	case !slices.Equal(a.Bounds, b.Bounds):
		if a.Count() >= b.Count() {
			return a
		}
		return plus(nil, b)
	}
	for i := range b.Counts {
		a.Counts[i] += b.Counts[i]
	}
	a.Sum += b.Sum
	return a
}

package reports

import (
	"cmp"
	"slices"

	"github.com/apfsim/apfsim/scheduler/shuffle"
)

const (
	// maxCrushedListed and maxTopListed bound the flows of one level in a result.
	maxCrushedListed = 100
	maxTopListed     = 20
	// maxOddsElephants bounds the numbers in the exact odds, and the time that they take.
	maxOddsElephants = 1000
)

// mergedFlow is one flow over all replications.
type mergedFlow struct {
	flowRun
	elephant bool
	crushed  bool
}

type flowKey struct {
	schema, level int32
	distinguisher string
}

// flows fills in all that is about flows.
func (m *merger) flows(r *Result) {
	merged := m.mergeFlows()
	r.Flows = Flows{Count: len(merged), Listed: []Flow{}}
	byLevel := make([][]*mergedFlow, len(m.books.levels))
	for _, f := range merged {
		byLevel[f.Level] = append(byLevel[f.Level], f)
	}
	for i, flows := range byLevel {
		if len(flows) == 0 {
			continue
		}
		level := &r.PriorityLevels[i]
		level.Sharding, level.Fairness = m.sharding(i, flows), m.books.fairness(i)
		m.shareQueues(level.Blame, flows)
		for _, f := range worthALook(flows) {
			r.Flows.Listed = append(r.Flows.Listed, m.renderFlow(f))
		}
	}
	slices.SortStableFunc(r.Flows.Listed, func(a, b Flow) int { return cmp.Compare(a.PriorityLevel, b.PriorityLevel) })
}

// mergeFlows adds up the flows of the replications, in the order of schema, level and
// distinguisher.
func (m *merger) mergeFlows() []*mergedFlow {
	var out []*mergedFlow
	known := map[flowKey]*mergedFlow{}
	for _, run := range m.runs {
		for i := range run.flows {
			from := &run.flows[i]
			key := flowKey{from.Schema, from.Level, from.Distinguisher}
			f := known[key]
			if f == nil {
				f = &mergedFlow{flowRun: *from}
				if len(m.runs) > 1 {
					f.flowStats = &flowStats{}
					f.add(from.flowStats)
				}
				known[key] = f
				out = append(out, f)
				continue
			}
			f.add(from.flowStats)
		}
	}
	slices.SortFunc(out, func(a, b *mergedFlow) int { return a.compareNames(&b.flowRun) })
	return out
}

// add adds the statistics of one more replication.
func (f *flowStats) add(from *flowStats) {
	f.counts.plus(&from.counts)
	f.offered.plus(from.offered)
	f.crowded.plus(from.crowded)
	f.due.plus(from.due)
	f.users.plus(&from.users)
	f.occupancy.total.plus(from.occupancy.total)
	f.waits.merge(&from.waits, coarse)
}

// compareOffers orders by offered work, the most first, then by name.
func (f *mergedFlow) compareOffers(g *mergedFlow) int {
	return cmp.Or(g.offered.compare(f.offered), f.compareNames(&g.flowRun))
}

// compareSuffering orders by rejections, then by the longest wait, the most first.
func (f *mergedFlow) compareSuffering(g *mergedFlow) int {
	return cmp.Or(cmp.Compare(g.refused(), f.refused()), cmp.Compare(g.waits.max, f.waits.max), f.compareOffers(g))
}

// sharding gives the flows of a level their roles and sums them up.
func (m *merger) sharding(level int, flows []*mergedFlow) *Sharding {
	var fair Total
	out := &Sharding{}
	for _, run := range m.runs {
		if level < len(run.levels) {
			fair.plus(run.levels[level].fair)
			out.CrowdedPeriods += run.levels[level].crowded
		}
	}
	assignRoles(flows, fair)
	elephants := func(f *mergedFlow) bool { return f.elephant }
	crushed := func(f *mergedFlow) bool { return f.crushed }
	others := func(f *mergedFlow) bool { return !f.elephant && !f.crushed }
	out.Elephants = m.group(flows, elephants)
	out.CrushedMice = m.group(flows, crushed)
	out.OtherMice = m.group(flows, others)
	if n := out.Elephants.Flows; n <= maxOddsElephants {
		l := &m.books.levels[level]
		odds, _ := shuffle.Covered(l.queues, l.hand, n).Float64()
		rounded := newNumber(odds)
		out.Odds = &rounded
	}
	return out
}

// assignRoles finds the elephants, who offered more than their fair share, and the mice
// whose queues they cover.
func assignRoles(flows []*mergedFlow, fair Total) {
	covered := map[int32]bool{}
	for _, f := range flows {
		if f.elephant = f.crowded.compare(fair) > 0; f.elephant {
			for _, queue := range f.Hand {
				covered[queue] = true
			}
		}
	}
	for _, f := range flows {
		f.crushed = !f.elephant && !slices.ContainsFunc(f.Hand, func(queue int32) bool { return !covered[queue] })
	}
}

// group sums up the flows that belong.
func (m *merger) group(flows []*mergedFlow, belongs func(*mergedFlow) bool) FlowGroup {
	var sum flowStats
	n := 0
	for _, f := range flows {
		if belongs(f) {
			sum.add(f.flowStats)
			n++
		}
	}
	return FlowGroup{
		Flows:        n,
		Requests:     sum.requests(),
		Wait:         sum.waits.render(),
		SeatsOffered: m.seats(sum.offered),
		SeatsUsed:    m.seats(sum.occupancy.total),
	}
}

// seats returns seats multiplied by time as a mean number of seats, 0 if no time was
// measured.
func (m *merger) seats(t Total) Number {
	if n := m.books.perTime(t); n != nil {
		return *n
	}
	return 0
}

// worthALook chooses the flows of a level that a result lists, by offered work.
func worthALook(flows []*mergedFlow) []*mergedFlow {
	chosen := map[*mergedFlow]bool{}
	choose := func(limit int, interesting func(*mergedFlow) bool) {
		for _, f := range flows {
			if limit > 0 && interesting(f) {
				chosen[f] = true
				limit--
			}
		}
	}
	slices.SortFunc(flows, (*mergedFlow).compareSuffering)
	choose(maxCrushedListed, func(f *mergedFlow) bool { return f.crushed })
	choose(maxTopListed, func(f *mergedFlow) bool { return f.refused() > 0 || f.waits.some > 0 })
	slices.SortFunc(flows, (*mergedFlow).compareOffers)
	choose(maxTopListed, func(*mergedFlow) bool { return true })
	return slices.DeleteFunc(slices.Clone(flows), func(f *mergedFlow) bool { return !chosen[f] })
}

func (m *merger) renderFlow(f *mergedFlow) Flow {
	role := Mouse
	if f.elephant {
		role = Elephant
	}
	return Flow{
		PriorityLevel: m.levelName(int(f.Level)),
		FlowSchema:    m.books.schemas[f.Schema],
		Distinguisher: f.Distinguisher,
		Hand:          f.Hand,
		Role:          role,
		Crushed:       f.crushed,
		Requests:      f.requests(),
		Wait:          f.waits.render(),
		SeatsOffered:  m.seats(f.offered),
		SeatsUsed:     m.seats(f.occupancy.total),
	}
}

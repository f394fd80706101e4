package reports

import (
	"fmt"
	"slices"
)

// The metrics of how a level's seats were shared.
const (
	// MetricFairness is Jain's index of a level, as in Fairness: from 1 over the number of its
	// flows, which is all for one, to 1, which is even.
	MetricFairness Metric = "fairness"
	// MetricBlame is the part of the time that a population waited for which the population
	// Holder is to blame, as in Blame, from 0 to 1: in one level or in all, and without a Client of
	// all that anybody waited.
	MetricBlame Metric = "blame"
)

// measureFairness takes the index of one level. It rests on flows.
func (v *Verdict) measureFairness(b *books, s selection) {
	if s.level == all || s.schema != all || s.population != all {
		v.Why = "fairness is of one priority level"
		return
	}
	f := b.fairness(s.level)
	if f == nil {
		v.Why = "fewer than two flows were due seats, or none got any"
		return
	}
	v.Samples, v.Value = int64(f.Flows), float64(f.Jain)
}

// measureBlame takes the part of the waiting time that is blamed on the holder. It rests on the
// requests that waited.
func (v *Verdict) measureBlame(b *books, s selection) {
	holder := slices.IndexFunc(b.populations, func(p population) bool { return p.name == v.Expectation.Holder })
	switch {
	case holder < 0:
		v.Why = fmt.Sprintf("there is no client population %q", v.Expectation.Holder)
		return
	case s.schema != all:
		v.Why = "blame belongs to levels and clients, not to a flow schema"
		return
	}
	sum := b.blame(s)
	if v.Samples = b.limited(s).some; sum.on == nil {
		v.Why = "no request waited"
		return
	}
	v.Value = min(sum.on[holder]/sum.waited.float(), 1)
}

// blame adds up what a population, or all, has waited for in a level, or in all. What it returns
// is the books' own.
func (b *books) blame(s selection) *blamed {
	if known := b.blames[s]; known != nil {
		return known
	}
	sum := &blamed{}
	b.blames[s] = sum
	for _, run := range b.replications {
		for level := range run.levels {
			for waiter := range run.levels[level].blamed {
				if (s.level == all || s.level == level) && (s.population == all || s.population == waiter) {
					sum.plus(&run.levels[level].blamed[waiter])
				}
			}
		}
	}
	return sum
}

// flowShare is what a flow got, and what it was due.
type flowShare struct{ got, due Total }

// fairness returns how evenly a level served its flows, nil if less than two of them were due
// anything, or if nobody got anything.
func (b *books) fairness(level int) *Fairness {
	if b.fair == nil {
		b.fair = make([]*Fairness, len(b.levels))
		for i, flows := range b.flowShares() {
			b.fair[i] = fairnessOf(flows)
		}
	}
	return b.fair[level]
}

// flowShares adds up the flows over the replications, level by level.
func (b *books) flowShares() [][]*flowShare {
	out := make([][]*flowShare, len(b.levels))
	known := map[flowKey]*flowShare{}
	for _, run := range b.replications {
		for i := range run.flows {
			f := &run.flows[i]
			key := flowKey{f.Schema, f.Level, f.Distinguisher}
			sum := known[key]
			if sum == nil {
				sum = &flowShare{}
				known[key] = sum
				out[f.Level] = append(out[f.Level], sum)
			}
			sum.got.plus(f.occupancy.total)
			sum.due.plus(f.due)
		}
	}
	return out
}

// fairnessOf returns how evenly flows were served.
func fairnessOf(flows []*flowShare) *Fairness {
	var parts []float64
	for _, f := range flows {
		if due := f.due.float(); due > 0 {
			parts = append(parts, f.got.float()/due)
		}
	}
	if len(parts) < 2 || slices.Max(parts) == 0 {
		return nil
	}
	return &Fairness{Flows: len(parts), Jain: newNumber(jain(parts))}
}

// jain returns the fairness index of R. Jain, D. Chiu and W. Hawe (DEC-TR-301, 1984) of shares
// that are not negative, and not all 0: the square of their sum over their number and the sum of
// their squares. It is 1 if all of them are equal, and 1/n if one of n has everything.
func jain(shares []float64) float64 {
	most := slices.Max(shares)
	var sum, squares float64
	for _, s := range shares {
		x := s / most // so that no square is too small or too large
		sum += x
		squares += float64(x * x)
	}
	return min(float64(sum*sum)/float64(float64(len(shares))*squares), 1)
}

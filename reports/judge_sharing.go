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

// fairness returns how evenly a level served its flows, in the mean over the replications of which
// that can be said; nil if there is none.
func (b *books) fairness(level int) *Fairness {
	if b.fair == nil {
		b.fair = b.fairnesses()
	}
	return b.fair[level]
}

// fairnesses are those of all levels.
func (b *books) fairnesses() []*Fairness {
	out, runs := make([]*Fairness, len(b.levels)), make([]int, len(b.levels))
	sums, flows := make([]float64, len(b.levels)), make([]int, len(b.levels))
	known := map[flowKey]bool{}
	for _, run := range b.replications {
		parts := make([][]float64, len(b.levels))
		for i := range run.flows {
			f := &run.flows[i]
			due := f.due.float()
			if due == 0 {
				continue
			}
			parts[f.Level] = append(parts[f.Level], f.occupancy.total.float()/due)
			if key := (flowKey{f.Schema, f.Level, f.Distinguisher}); !known[key] {
				known[key] = true
				flows[f.Level]++
			}
		}
		for level := range parts {
			if index, ok := evenness(parts[level]); ok {
				sums[level] += index
				runs[level]++
			}
		}
	}
	for level := range out {
		if n := runs[level]; n > 0 {
			out[level] = &Fairness{Flows: flows[level], Jain: newNumber(sums[level] / float64(n))}
		}
	}
	return out
}

// evenness is the index of what flows got of what they were due, false of less than two of them
// or if nobody got anything.
func evenness(parts []float64) (index float64, ok bool) {
	if len(parts) < 2 || slices.Max(parts) == 0 {
		return 0, false
	}
	return jain(parts), true
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

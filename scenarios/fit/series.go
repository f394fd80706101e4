package fit

import "github.com/apfsim/apfsim/workload/recording"

// The bounds of what is kept. A series takes 10 KiB at most, and those after the first plenty
// a fraction of that.
const (
	binsMax     = 256
	earlyMax    = 16
	seriesMax   = 16384
	plenty      = 1024
	sampleMax   = 1024
	sampleSmall = 64
	spacesMax   = 8
)

// series is what is known of the requests of one kind of one user.
type series struct {
	kind *kindOfClass
	// count counts requests, rejected those of them that were rejected.
	count, rejected int64
	// again is what may be retries, by policy, and againBins when they arrived.
	again     [policies]tally
	againBins [policies][]uint32
	// first and last are arrivals, since the first of all.
	first, last int64
	// fresh counts what is no retry by any policy, and lastFresh is the last of it.
	fresh, lastFresh int64
	// early are the first arrivals, until there are so many that bins count them.
	early []int64
	bins  []uint32
	// gaps are between the arrivals of what is no retry by any policy, durations those of executed requests.
	gaps, durations reservoir
	// spaces are the first of the different namespaces.
	spaces []string
	size   int
}

// kindOfClass is a kind as the users of a class send it.
type kindOfClass struct {
	kind
	number int
}

// arrive counts an arrival. width is that of a bin.
func (s *series) arrive(at, width int64, by [policies]signs) {
	fresh := true
	for p := range by {
		s.again[p].add(by[p])
		if !by[p].folded {
			continue
		}
		fresh = false
		if s.againBins[p] == nil {
			s.againBins[p] = make([]uint32, binsMax)
		}
		s.againBins[p][bin(at, width)]++
	}
	if s.count == 0 {
		s.first = at
	}
	if fresh && s.fresh > 0 {
		s.gaps.add(at-s.lastFresh, s.size)
	}
	if fresh {
		s.fresh++
		s.lastFresh = at
	}
	s.count++
	s.last = at
	if s.bins == nil && len(s.early) < earlyMax {
		s.early = append(s.early, at)
		return
	}
	if s.bins == nil {
		s.bins = make([]uint32, binsMax)
		for _, e := range s.early {
			s.bins[bin(e, width)]++
		}
		s.early = nil
	}
	s.bins[bin(at, width)]++
}

// bin is the number of the bin of a time.
func bin(at, width int64) int { return int(min(max(at, 0)/width, binsMax-1)) }

// end learns of what became of a request.
func (s *series) end(r *recording.Request) {
	switch {
	case r.Rejected():
		s.rejected++
	case r.HowExecution < recording.Assumed:
		s.durations.add(int64(max(r.Execution, 0)), s.size)
	}
}

// operations counts the requests that are no retries.
func (s *series) operations(by policy) int64 {
	if by == noRetry {
		return s.count
	}
	return s.count - s.again[by].folded
}

// addTo adds the operations of the series to bins.
func (s *series) addTo(bins []float64, width int64, by policy) {
	for _, e := range s.early {
		bins[bin(e, width)]++
	}
	for i, n := range s.bins {
		bins[i] += float64(n)
	}
	if by == noRetry {
		return
	}
	for i, n := range s.againBins[by] {
		bins[i] -= float64(n)
	}
}

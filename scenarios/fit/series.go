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
	// count counts operations: requests but for the retries of rejected ones, which folded
	// counts by the policy that they are taken for. requests is all of them.
	count, requests, rejected int64
	folded                    [policies]int64
	// strays counts requests as far from a rejected one as a retry could be but is not: what
	// chance alone makes of folded.
	strays [policies]int64
	// first and last are arrivals of operations, since the first of all.
	first, last int64
	// early are the first arrivals, until there are so many that bins count them.
	early []int64
	bins  []uint32
	// gaps are between the arrivals of operations, durations those of executed requests.
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

// arrive counts the arrival of an operation. width is that of a bin.
func (s *series) arrive(at, width int64) {
	if s.count == 0 {
		s.first = at
	} else {
		s.gaps.add(at-s.last, s.size)
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
	s.requests++
	switch {
	case r.Rejected():
		s.rejected++
	case r.HowExecution < recording.Assumed:
		s.durations.add(int64(max(r.Execution, 0)), s.size)
	}
}

// addTo adds the counts of the series to bins.
func (s *series) addTo(bins []float64, width int64) {
	for _, e := range s.early {
		bins[bin(e, width)]++
	}
	for i, n := range s.bins {
		bins[i] += float64(n)
	}
}

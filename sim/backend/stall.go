package backend

import (
	"slices"
	"time"
)

// StallTimes returns the times at which any of the stalls begins or ends, in order and each
// once.
func StallTimes(stalls []Stall) []time.Duration {
	var times []time.Duration
	for i := range stalls {
		times = append(times, stalls[i].At, stalls[i].At+stalls[i].For)
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// FactorAt returns how much slower a part is at a time: the worst of the stalls that are
// going on, from the nanosecond on at which they begin and until that at which they end.
// number is that of the member or API server.
func FactorAt(stalls []Stall, now time.Duration, part Part, number int) Factor {
	f := Unchanged
	for i := range stalls {
		s := &stalls[i]
		if s.Of == part && now >= s.At && now < s.At+s.For && (s.Only == nil || *s.Only == number) {
			f = f.worse(s.Factor)
		}
	}
	return f
}

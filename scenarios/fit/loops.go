package fit

import "slices"

// flightsMax is how many requests of a user can be in flight before it is no loop for certain.
const flightsMax = 4096

// loop is what is known of how many requests of a user are in flight, and for how long it pauses
// between the end of one and the beginning of another.
type loop struct {
	// ends are those of the requests in flight, and freed those of requests that no other one
	// has followed yet, both in rising order.
	ends, freed []int64
	most        int
	// busy is the sum of the times that requests were in flight.
	busy float64
	// arrivals counts requests, and unknown those whose end is not known.
	arrivals, unknown int64
	// pauses are those before each request, and fresh those before what is no retry by client-go.
	pauses, fresh reservoir
	// over tells that too many were in flight.
	over bool
}

// arrive takes a request that ends at a time. retry tells whether it may be one by client-go.
func (l *loop) arrive(at, end int64, retry bool) {
	l.busy += float64(end - at)
	l.arrivals++
	if l.over {
		return
	}
	n := 0
	for n < len(l.ends) && l.ends[n] <= at {
		n++
	}
	l.freed = append(l.freed, l.ends[:n]...)
	l.ends = append(l.ends[:0], l.ends[n:]...)
	if len(l.freed) > 0 {
		l.pauses.add(at-l.freed[0], sampleMax)
		if !retry {
			l.fresh.add(at-l.freed[0], sampleMax)
		}
		l.freed = slices.Delete(l.freed, 0, 1)
	}
	l.ends = insert(l.ends, end)
	l.most = max(l.most, len(l.ends))
	if len(l.ends) > flightsMax || len(l.freed) > flightsMax {
		l.over, l.ends, l.freed = true, nil, nil
	}
}

// of is the sample of pauses by a policy.
func (l *loop) of(by policy) *reservoir {
	if by == clientGo {
		return &l.fresh
	}
	return &l.pauses
}

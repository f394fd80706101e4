package fit

import "slices"

// flightsMax is how many requests of a user can be in flight before it is no loop for certain.
const flightsMax = 64

// loop is what is known of how many requests of a user are in flight, and for how long it pauses
// between the end of one and the beginning of another.
type loop struct {
	// ends are those of the requests in flight, and freed those of requests that no other one
	// has followed yet, both in rising order.
	ends, freed []int64
	most        int
	// busy is the sum of the times that requests were in flight.
	busy float64
	// arrivals counts operations, and unknown requests whose end is not known.
	arrivals, unknown int64
	pauses            reservoir
	// over tells that too many were in flight.
	over bool
}

// arrive takes a request that ends at a time. retryOf is the end of the rejected one that it
// repeats, if it does.
func (l *loop) arrive(at, end, retryOf int64, retry bool, size int) {
	l.busy += float64(end - at)
	if l.over {
		return
	}
	n := 0
	for n < len(l.ends) && l.ends[n] <= at {
		n++
	}
	l.freed = append(l.freed, l.ends[:n]...)
	l.ends = append(l.ends[:0], l.ends[n:]...)
	if retry {
		if i, found := slices.BinarySearch(l.freed, retryOf); found {
			l.freed = slices.Delete(l.freed, i, i+1)
		}
	} else {
		l.arrivals++
		if len(l.freed) > 0 {
			l.pauses.add(at-l.freed[0], size)
			l.freed = slices.Delete(l.freed, 0, 1)
		}
	}
	i, _ := slices.BinarySearch(l.ends, end)
	l.ends = slices.Insert(l.ends, i, end)
	l.most = max(l.most, len(l.ends))
	l.over = len(l.ends) > flightsMax || len(l.freed) > flightsMax
}

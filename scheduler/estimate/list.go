package estimate

import (
	"math"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// StatsState tells how much the server knows of the stored objects of a resource.
type StatsState uint8

// The states of the statistics. The zero value is that of a resource that nobody has
// spoken of.
const (
	// Unknown: the resource does not exist or another server serves it.
	Unknown StatsState = iota
	// Known: the numbers are good.
	Known
	// Stale: the last count is more than 3 minutes old, as happens when storage is
	// in trouble. Upstream then expects the worst.
	Stale
)

// Stats are the statistics of the stored objects of a resource, over all namespaces.
type Stats struct {
	State StatsState
	// Count is the number of objects, not negative.
	Count int64
	// AverageBytes is the average size of an object in storage; if it is not positive
	// while there are objects, the largest possible size is assumed.
	AverageBytes int64
}

// Size returns the size of an object in bytes, as it is taken to be.
func (s Stats) Size() int64 {
	if s.AverageBytes <= 0 && s.Count != 0 {
		return maxObjectBytes
	}
	return s.AverageBytes
}

// Fits tells whether all the objects together are no more bytes than an int64 can tell.
// With more than that upstream's product wraps around, and what follows, the conversion
// of a negative floating point number to an unsigned one, differs from machine to
// machine. There is nothing to imitate, so such statistics have to be refused before
// they come here; scheduler.New does.
func (s Stats) Fits() bool { return s.Count <= 0 || s.Size() <= math.MaxInt64/s.Count }

// Upstream's constants (request/list_work_estimator.go and config.go).
const (
	minSeats         = 1
	listSeatsLimit   = 100
	bytesPerSeat     = 100_000
	maxObjectBytes   = 1_500_000     // what etcd recommends as the largest request
	staleObjects     = 1_000_000_000 // taken for the number of objects if it is stale
	cachedBytesLimit = 1_000_000     // a LIST from the cache is streamed to the client
)

// List estimates a LIST. named tells that the request has an object's name, given by
// a field selector. maxSeats is the limit of the priority level, 0 if it sets none.
// consistentReads tells whether the server's etcd can report the progress of watches,
// without which a LIST of the most recent state has to read from it.
//
// The seats are the bytes held in memory at once over 100,000, rounded up, from 1 to
// the smaller of 100 and the level's limit.
func List(o ListOptions, named bool, s Stats, maxSeats int, consistentReads bool) fairqueue.Estimate {
	return bySize(o, named, s, maxSeats, !o.fromStorage(consistentReads))
}

// Watch estimates the initialisation of a watch; the rest of it holds no seats. A
// watch that begins with the objects that exist costs what a LIST from the cache does:
// one that asks for initial events, and one from no resourceVersion or "0", which
// gets them unasked (since 1.35). Any other takes one seat.
func Watch(o ListOptions, named bool, s Stats, maxSeats int) fairqueue.Estimate {
	if !o.SendInitialEvents && o.Version == VersionGiven {
		return Other()
	}
	return bySize(o, named, s, maxSeats, true)
}

// Other estimates every request that is neither of List, Watch and Write: one seat.
func Other() fairqueue.Estimate { return fairqueue.Estimate{InitialSeats: minSeats} }

// fromStorage tells whether a LIST is to be read from etcd and not from the watch
// cache (pkg/storage/cacher/delegator, with a cache that keeps no snapshots).
func (o ListOptions) fromStorage(consistentReads bool) bool {
	switch {
	case o.Match != MatchUnset:
		return o.Match != MatchNotOlderThan
	case o.Continue:
		return true
	case o.Limit > 0 && o.Version == VersionGiven: // means Exact, from before Match existed
		return true
	}
	return o.Version == VersionUnset && !consistentReads
}

// bySize is the estimate from the number and the size of the objects.
func bySize(o ListOptions, named bool, s Stats, maxSeats int, cached bool) fairqueue.Estimate {
	switch s.State {
	case Unknown:
		// Most likely an aggregated API: another server will do the work.
		return Other()
	case Stale:
		s.Count, s.AverageBytes = staleObjects, maxObjectBytes
	}
	// Upstream multiplies integers. Of statistics that fit, the product in floating point
	// is exact wherever less than the limit of seats comes out.
	bytes := float64(o.objects(named, s.Count, cached)) * float64(s.Size())
	if cached {
		bytes = min(bytes, cachedBytesLimit)
	}
	seats := max(minSeats, math.Ceil(bytes/bytesPerSeat))
	return fairqueue.Estimate{InitialSeats: int(min(seats, float64(limited(maxSeats, listSeatsLimit))))}
}

// objects returns how many objects are in memory at once. A LIST with a selector
// reads more of them from storage than it returns, on average half of all.
func (o ListOptions) objects(named bool, count int64, cached bool) int64 {
	if named {
		return 1
	}
	returned := count
	if o.Limit > 0 {
		returned = min(o.Limit, count)
	}
	if o.Selector && !cached {
		return max(returned, count/2)
	}
	return returned
}

// limited returns the lesser of a level's limit of seats and the estimator's own.
func limited(maxSeats, limit int) int {
	if maxSeats <= 0 {
		return limit
	}
	return min(maxSeats, limit)
}

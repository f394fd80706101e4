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
	objectsPerSeat   = 100
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
// The seats are the objects looked at over 100, or the bytes held in memory at once over
// 100,000, rounded up, from 1 to the smaller of the estimator's limit and the level's.
func (r *Rules) List(o ListOptions, named bool, s Stats, maxSeats int, consistentReads bool) fairqueue.Estimate {
	return r.list(o, named, s, maxSeats, !r.fromStorage(o, consistentReads))
}

// Watch estimates the initialisation of a watch; the rest of it holds no seats. A
// watch that begins with the objects that exist costs what a LIST from the cache does,
// where the release knows that it does: see WatchRule. Any other takes one seat.
func (r *Rules) Watch(o ListOptions, named bool, s Stats, maxSeats int) fairqueue.Estimate {
	asked := r.Watches >= WatchesAsked && o.SendInitialEvents
	fromStart := r.Watches >= WatchesFromStart && o.Version != VersionGiven
	if !asked && !fromStart {
		return Other()
	}
	return r.list(o, named, s, maxSeats, true)
}

// Other estimates every request that is neither of List, Watch and Write: one seat.
func Other() fairqueue.Estimate { return fairqueue.Estimate{InitialSeats: minSeats} }

// FromStorage tells whether a LIST with these options is taken to be read from etcd and not
// from the watch cache. consistentReads is as for List.
func (r *Rules) FromStorage(o ListOptions, consistentReads bool) bool {
	return r.fromStorage(o, consistentReads)
}

// fromStorage tells whether a LIST is to be read from etcd and not from the watch
// cache (pkg/storage/cacher/delegator, with a cache that keeps no snapshots; up to 1.32
// shouldListFromStorage beside the estimator).
func (r *Rules) fromStorage(o ListOptions, consistentReads bool) bool {
	recent := o.Version == VersionUnset && !(r.ConsistentReads && consistentReads)
	// A limit with a version means that one, from before Match existed.
	legacyExact := o.Limit > 0 && o.Match == MatchUnset && o.Version == VersionGiven
	otherMatch := o.Match != MatchUnset && o.Match != MatchNotOlderThan
	switch r.Storage {
	case StorageExact:
		return recent || o.Continue || o.Limit > 0 && o.Version != VersionZero || o.Match == MatchExact
	case StorageOtherMatch:
		return recent || o.Continue || o.Limit > 0 && o.Version != VersionZero || otherMatch
	case StorageLegacyExact:
		return recent || o.Continue || legacyExact || otherMatch
	}
	if o.Match != MatchUnset {
		return otherMatch
	}
	return recent || o.Continue || legacyExact
}

// list is the estimate from what is known of the stored objects.
func (r *Rules) list(o ListOptions, named bool, s Stats, maxSeats int, cached bool) fairqueue.Estimate {
	limit := limited(maxSeats, r.Lists.limit())
	switch {
	case r.Lists == ListsOneSeat, named && r.NamedOneSeat:
		return Other()
	case s.State == Unknown && r.UnknownWidest:
		return fairqueue.Estimate{InitialSeats: limit}
	case s.State == Unknown:
		// Most likely an aggregated API: another server will do the work.
		return Other()
	}
	var seats float64
	switch {
	case r.Lists == ListsBySize:
		seats = bySize(o, named, s, cached)
	case s.State == Stale:
		seats = float64(limit)
	default:
		seats = byCount(o, s.Count, cached)
	}
	return fairqueue.Estimate{InitialSeats: int(min(max(minSeats, math.Ceil(seats)), float64(limit)))}
}

// byCount is the estimate from the number of objects looked at. What etcd returns has to
// be decoded too, so it counts twice; a selector is applied to all objects.
func byCount(o ListOptions, count int64, cached bool) float64 {
	returned := o.returned(count)
	objects := 2 * float64(returned)
	switch {
	case cached:
		objects = float64(count)
	case o.Selector:
		objects = float64(count) + float64(returned)
	}
	return objects / objectsPerSeat
}

// bySize is the estimate from the bytes in memory.
func bySize(o ListOptions, named bool, s Stats, cached bool) float64 {
	if s.State == Stale {
		s.Count, s.AverageBytes = staleObjects, maxObjectBytes
	}
	// Upstream multiplies integers. Of statistics that fit, the product in floating point
	// is exact wherever less than the limit of seats comes out.
	bytes := float64(o.objects(named, s.Count, cached)) * float64(s.Size())
	if cached {
		bytes = min(bytes, cachedBytesLimit)
	}
	return bytes / bytesPerSeat
}

// objects returns how many objects are in memory at once. A LIST with a selector
// reads more of them from storage than it returns, on average half of all.
func (o ListOptions) objects(named bool, count int64, cached bool) int64 {
	if named {
		return 1
	}
	returned := o.returned(count)
	if o.Selector && !cached {
		return max(returned, count/2)
	}
	return returned
}

// returned is how many of so many objects are asked for.
func (o ListOptions) returned(count int64) int64 {
	if o.Limit > 0 {
		return min(o.Limit, count)
	}
	return count
}

// limited returns the lesser of a level's limit of seats and the estimator's own.
func limited(maxSeats, limit int) int {
	if maxSeats <= 0 {
		return limit
	}
	return min(maxSeats, limit)
}

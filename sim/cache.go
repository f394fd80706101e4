package sim

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/detmath"
)

// A server that starts has to fill its watch caches first, from storage. Until then it
// cannot begin a watch, nor answer a LIST that would be read from a cache. Up to 1.30 such
// requests wait, and hold their seats; from 1.31 on they are answered 429 (KEP-4568).
// In both cases some LISTs are read from storage instead, though they were estimated as
// reads from the cache.

// fillCache tells how a request fares that was dispatched while the cache of its server is
// not filled: when it begins to execute, and whether it is answered 429 instead.
func (w *World) fillCache(r *slotRecord) (begin time.Duration, rejected bool) {
	s := &w.servers[r.Server]
	rules := s.apf.Profile().Cache
	if !w.needsCache(r, rules.RejectsUnready) {
		return w.now, false
	}
	if !rules.RejectsUnready {
		return s.cacheFrom, false
	}
	r.Status, r.RetryAfter = workload.TooManyRequests, 1
	if rules.AdaptiveRetryAfter {
		r.RetryAfter = unreadyRetryAfter(w.now - (s.cacheFrom - w.cfg.CacheFill))
	}
	return w.now, true
}

// unreadyRetryAfter is what a client is told to wait for a cache that has not been filled for
// so long, in seconds (calculateRetryAfterForUnreadyCache in pkg/storage/cacher/util.go,
// v0.37.2).
func unreadyRetryAfter(downtime time.Duration) int32 {
	const factor = 0.06
	return int32(min(30, max(1, detmath.Exp(factor*downtime.Seconds()))))
}

// needsCache tells whether a request can only be answered from the watch cache: a watch, and
// a LIST unless it is read from storage anyway, or is one of those that storage answers
// while the cache is not filled. These are the LISTs that are content with any version up to
// 1.30 (Cacher.GetList in pkg/storage/cacher/cacher.go, v0.30.14), and since then those with
// a limit and without a selector (shouldDelegateListOnNotReadyCache in delegator.go, v0.37.2).
func (w *World) needsCache(r *slotRecord, rejects bool) bool {
	if r.watch {
		return true
	}
	if !r.list {
		return false
	}
	options, name := r.options, r.name
	if r.Template != none {
		q := w.prepared(r)
		options, name = q.Options, q.Name
	}
	facts := w.servers[r.Server].apf.ReadFacts(scheduler.Target{Verb: "list"}, name, options)
	switch {
	case facts.FromStorage:
		return false
	case rejects:
		return facts.Selector || options.Limit <= 0
	}
	return options.Version != estimate.VersionZero
}

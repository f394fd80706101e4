package explain

import (
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/estimate"
)

// source tells whether the estimator takes a LIST for one that the watch cache serves,
// and why (pkg/storage/cacher/delegator, up to 1.32 shouldListFromStorage beside the
// estimator).
func (w *working) source(o scheduler.ListOptions) (cached bool, reason string) {
	r := &w.rules
	if o.Match != estimate.MatchUnset && r.Storage == estimate.StorageMatchFirst {
		return matchSource(o.Match)
	}
	switch limited := o.Limit > 0 && o.Version != estimate.VersionZero; {
	case o.Continue:
		return false, "a continuation goes on where another LIST ended"
	case o.Match == estimate.MatchExact:
		return matchSource(o.Match)
	case o.Match == estimate.MatchUnknown && r.Storage >= estimate.StorageOtherMatch:
		return matchSource(o.Match)
	case o.Version == estimate.VersionUnset && !r.ConsistentReads:
		return false, "without a resourceVersion the most recent state is asked for, which only etcd has"
	case limited && r.Storage <= estimate.StorageOtherMatch:
		return false, "a limit without resourceVersion 0 goes to etcd"
	case limited && o.Version == estimate.VersionGiven && o.Match == estimate.MatchUnset:
		return false, "a limit and a resourceVersion ask for exactly that version"
	case o.Version == estimate.VersionUnset && !w.server.ConsistentReadsFromCache:
		return false, "without a resourceVersion the most recent state is asked for, and this etcd cannot tell the cache whether it has it"
	case o.Version == estimate.VersionUnset:
		return true, "without a resourceVersion the most recent state is asked for, and etcd tells the cache whether it has it"
	case o.Version == estimate.VersionZero:
		return true, "resourceVersion 0 is content with whatever the cache has"
	}
	return true, "the cache waits until it has that resourceVersion"
}

// matchSource is the source of a LIST that its resourceVersionMatch decides alone.
func matchSource(m estimate.Match) (cached bool, reason string) {
	switch m {
	case estimate.MatchNotOlderThan:
		return true, "resourceVersionMatch NotOlderThan is content with anything since then"
	case estimate.MatchExact:
		return false, "resourceVersionMatch Exact asks for one version of the past"
	}
	return false, "no such resourceVersionMatch exists: the request will fail, after it has held its seats"
}

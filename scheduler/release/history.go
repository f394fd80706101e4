package release

import (
	"github.com/apfsim/apfsim/scheduler/borrowing"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// history is APF from 1.20 on: what changed, in the order of the releases. A change takes
// back what an earlier one did if it says so. All follows from the code of the releases,
// compared minor by minor, and patch by patch where a patch is named.
//
// What is not here has been the same in all of them: classification, shuffle sharding, the
// nominal limits, and when a full queue rejects.
var history = []Change{
	// The filter lets every long-running request by, watches too, and startRequest answers an
	// exempt one with immediateRequest before the work estimator is asked.
	{
		Since: since("1.20.0"),
		Text: "Watches are not concerned at all, nor are requests to the exempt level once they " +
			"are classified. A rejected client is told to come back after one second.",
		apply: func(p *Profile) { p.WatchesBypass, p.ExemptBypasses = true, true },
	},
	// removeTimedOutRequestsFromQueueLocked in the queue set, and cancelWait, which leaves the
	// counting as something to do.
	{
		Since: since("1.20.0"),
		Text: "Who waits for more than a quarter of the request timeout is ejected when another request " +
			"arrives at the same queue, and else when the request timeout is over, which no " +
			"metric counts.",
		apply: func(p *Profile) {
			p.Waiting = Waiting{LimitedAtArrival: true, Expired: fairqueue.Ejected}
		},
	},
	// request_deadline.go appears. Before it, WithTimeoutForNonLongRunningRequests gave all
	// the same time.
	{
		Since: since("1.21.0"),
		Text:  "The timeout that a client asks for is a deadline of the request.",
		apply: func(p *Profile) { p.Waiting.ClientTimeouts = true },
	},
	// isWatchRequest in the filter, with an initialisation signal that ends its part in APF.
	{
		Since: since("1.22.0"),
		Text:  "A watch holds a seat while it is initialised, and can wait and be rejected.",
		apply: func(p *Profile) { p.WatchesBypass = false },
	},
	// request/list_work_estimator.go appears. Its sibling for writes is there too, switched off
	// by a constant.
	{
		Since: since("1.23.0"),
		Text: "A LIST takes a seat for each 100 objects that it makes the server look at, up to 10 " +
			"seats; all of them if nothing is known of the resource.",
		apply: func(p *Profile) {
			p.Estimate.Lists = estimate.ListsByCount
			p.Estimate.UnknownWidest = true
		},
	},
	// The queue set is rewritten: SeatSeconds, nextDispatchR and boundNextDispatchLocked, shuffle
	// sharding from a position that goes around. Negative work was converted in a way that is
	// right on amd64 and 0 on arm64, up to 1.27: it is as on amd64 here.
	{
		Since: since("1.23.0"),
		Text: "A request is guessed to last 3 ms and no longer a minute; it joins the queue of its hand " +
			"with the least work waiting, and no longer the one with the fewest requests; virtual " +
			"time is exact.",
		apply: func(p *Profile) { p.Queues.SeatSeconds = true },
	},
	// The decision of request.wait on decisionCancel.
	{
		Since: since("1.23.0"),
		Text:  "Requests whose timeout is over while they wait are counted, as cancelled.",
		apply: func(p *Profile) { p.Waiting.Expired = fairqueue.Cancelled },
	},
	// boundNextDispatchLocked was not called by request.wait.
	{
		Since: since("1.23.16", "1.24.10", "1.25.6", "1.26.0"),
		Text:  "A queue has no advantage from a request that gave up waiting at its head.",
		apply: func(p *Profile) { p.Queues.BoundsExpiry = true },
	},
	// ObjectCountNotFoundErr means the least now, and no longer the most
	// (kubernetes/kubernetes#109106).
	{
		Since: since("1.23.6", "1.24.0"),
		Text:  "A LIST of a resource of which nothing is known, as of an aggregated API, takes one seat.",
		apply: func(p *Profile) { p.Estimate.UnknownWidest = false },
	},
	{
		Since: since("1.23.13", "1.24.7", "1.25.3", "1.26.0"),
		Text:  "A LIST of a single object, by metadata.name, takes one seat.",
		apply: func(p *Profile) { p.Estimate.NamedOneSeat = true },
	},
	// enableMutatingWorkEstimator. The work is upstream's guess of 1/10 seat a watcher.
	{
		Since: since("1.24.0"),
		Text: "A write goes on to hold seats after it has ended, while the watchers of the object " +
			"are notified: from ten watchers on, one seat for each ten of them, for 5 ms.",
		apply: func(p *Profile) { p.Estimate.Writes = true },
	},
	// max_seats.go and finishQueueSetReconfigsLocked. The bound is of ten seats still; small
	// levels, which one LIST could fill, are what it is for.
	{
		Since: since("1.25.13", "1.26.8", "1.27.5", "1.28.0"),
		Text: "Levels with queues bound the width of their requests: 15 % of their nominal limit, and " +
			"no more than lets one flow fill its hand.",
		apply: func(p *Profile) { p.Borrowing.BoundsWidth = true },
	},
	// conc_alloc.go and updateBorrowingLocked appear. seatDemandStats takes any number over,
	// also what the square root makes of a variance just below zero.
	{
		Since: since("1.26.0"),
		Text: "Levels lend seats to each other: their limits follow the demand every ten seconds, " +
			"within lendablePercent and borrowingLimitPercent. Rounding may make the demand no " +
			"number, after which no limit changes any more.",
		apply: func(p *Profile) { p.Borrowing.Lending, p.Borrowing.NaNStays = true, true },
	},
	// isRequestExemptFromWatchEvents.
	{
		Since: since("1.26.0"),
		Text:  "The creation of a service account's token is known to notify no watcher.",
		apply: func(p *Profile) { p.Estimate.TokensSilent = true },
	},
	// seatDemandStats.update looks at what it is given.
	{
		Since: since("1.26.13", "1.27.10", "1.28.6", "1.29.0"),
		Text:  "Demand that rounding makes no number no longer stops the lending.",
		apply: func(p *Profile) { p.Borrowing.NaNStays = false },
	},
	// unsupportedMatch in shouldListFromStorage, in step with the cacher.
	{
		Since: since("1.27.0"),
		Text: "A LIST with any resourceVersionMatch but NotOlderThan is known to read from etcd, which " +
			"takes more seats, and no longer only one with Exact.",
		apply: func(p *Profile) { p.Estimate.Storage = estimate.StorageOtherMatch },
	},
	// Its queue set has a negative number of queues, which admits everything at once;
	// updateBorrowingLocked takes it for one item of the allocation like any other.
	{
		Since: since("1.28.0"),
		Text: "The exempt level is one of the levels: its requests hold seats, though none is ever " +
			"limited; it may have shares, and its demand takes seats from the others.",
		apply: func(p *Profile) {
			p.ExemptBypasses = false
			p.Borrowing.Exempt = borrowing.ExemptAmong
		},
	},
	// dropped_requests_tracker.go.
	{
		Since: since("1.28.0"),
		Text:  "A rejected client is told to stay away for up to 32 seconds, the longer the more is rejected.",
		apply: func(p *Profile) { p.AdaptiveRetryAfter = true },
	},
	// getRequestWaitContext in the filter.
	{
		Since: since("1.28.5", "1.29.0"),
		Text: "A request waits for a quarter of its own deadline, at most a minute, and is then rejected " +
			"at once, as all whose context ends: time-out is the only reason for that.",
		apply: func(p *Profile) { p.Waiting = Waiting{ClientTimeouts: true, Expired: fairqueue.TimeOut} },
	},
	// cclOfExempt in updateBorrowingLocked.
	{
		Since: since("1.31.0"),
		Text: "The exempt level is given what it used at most, and the other levels share the rest, " +
			"down to their minimum limits.",
		apply: func(p *Profile) { p.Borrowing.Exempt = borrowing.ExemptFirst },
	},
	// The gate ConsistentListFromCache is beta and on. isLegacyExactMatch replaces hasLimit.
	{
		Since: since("1.31.0"),
		Text: "A LIST of the most recent state comes from the cache, with an etcd that can tell the " +
			"progress of watches. A limit means etcd only with a resourceVersion and no match.",
		apply: func(p *Profile) {
			p.Estimate.Storage = estimate.StorageLegacyExact
			p.Estimate.ConsistentReads = true
		},
	},
	// The gate ResilientWatchCacheInitialization is beta and on (KEP-4568): Cacher.Watch and
	// Cacher.GetList in pkg/storage/cacher/cacher.go.
	{
		Since: since("1.31.0"),
		Text: "While a server fills its watch cache after a start, a WATCH, and a LIST from the cache, " +
			"is answered 429, and no longer waits with its seats taken; with a limit and no selector " +
			"such a LIST reads from etcd.",
		apply: func(p *Profile) { p.Cache.RejectsUnready = true },
	},
	// WorkEstimator looks at watches since 1.28, behind the gate WatchList: alpha and off until
	// here. Whether it is on has changed with every release.
	{
		Since: since("1.32.0"),
		Text:  "A watch that asks for initial events costs what a LIST does: WatchList is on.",
		apply: func(p *Profile) { p.Estimate.Watches = estimate.WatchesAsked },
	},
	{
		Since: since("1.33.0"),
		Text:  "WatchList is off again: any watch takes one seat.",
		apply: func(p *Profile) { p.Estimate.Watches = estimate.WatchesOneSeat },
	},
	// The estimator asks the cacher's own rule, delegator.ShouldDelegateListMeta. A continue
	// token beside NotOlderThan fails validation in any case.
	{
		Since: since("1.33.0"),
		Text:  "Where there is a resourceVersionMatch, it alone tells whether a LIST reads from etcd.",
		apply: func(p *Profile) { p.Estimate.Storage = estimate.StorageMatchFirst },
	},
	// calculateRetryAfterForUnreadyCache in pkg/storage/cacher/util.go.
	{
		Since: since("1.33.0"),
		Text:  "That 429 asks for 1 to 30 seconds of patience, the longer the cache has not been ready.",
		apply: func(p *Profile) { p.Cache.AdaptiveRetryAfter = true },
	},
	// The gate SizeBasedListCostEstimate is beta and on. The bound of ten seats that writes keep
	// becomes one of a hundred for LISTs, so that most levels' own bound counts now.
	{
		Since: since("1.34.0"),
		Text: "A LIST takes a seat for each 100 kB that it holds in memory, up to 100 seats, or 10 from " +
			"the cache. One of a single object, or of a resource not counted lately, is estimated " +
			"in the same way.",
		apply: func(p *Profile) {
			p.Estimate.Lists = estimate.ListsBySize
			p.Estimate.NamedOneSeat = false
		},
	},
	{
		Since: since("1.34.0"),
		Text:  "WatchList is on again.",
		apply: func(p *Profile) { p.Estimate.Watches = estimate.WatchesAsked },
	},
	// legacyWatch in the estimator.
	{
		Since: since("1.35.0"),
		Text: "A watch from no resourceVersion or from \"0\", which gets initial events unasked, costs " +
			"what a LIST does too.",
		apply: func(p *Profile) { p.Estimate.Watches = estimate.WatchesFromStart },
	},
}

// since reads the versions of a change. A slip in the table shows in every test.
func since(versions ...string) []Version {
	var all []Version
	for _, text := range versions {
		v, err := Parse(text)
		if err != nil || len(all) > 0 && v.Minor <= all[len(all)-1].Minor {
			panic("release: the history has a wrong version: " + text)
		}
		all = append(all, v)
	}
	return all
}

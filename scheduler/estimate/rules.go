package estimate

// Rules are how a release of kube-apiserver estimates. The zero value takes every request
// for one seat, as the releases up to 1.22 do. Package release knows which rules belong to
// which release.
type Rules struct {
	// Lists tells what the width of a LIST follows from.
	Lists ListRule
	// Storage tells which LISTs are read from etcd and not from the watch cache.
	Storage StorageRule
	// ConsistentReads lets the cache serve a LIST of the most recent state, where etcd
	// supports it: the feature gate ConsistentListFromCache.
	ConsistentReads bool
	// NamedOneSeat gives a LIST or WATCH of a single object one seat before anything else
	// is looked at.
	NamedOneSeat bool
	// UnknownWidest gives a LIST of a resource of which nothing is known as many seats as
	// any request can have, and not one.
	UnknownWidest bool
	// Watches tells which watches cost what a LIST does.
	Watches WatchRule
	// Writes tells that the watchers which a write notifies are counted.
	Writes bool
	// TokensSilent tells that the token of a service account is known to notify nobody.
	TokensSilent bool
}

// ListRule is what the width of a LIST follows from.
type ListRule uint8

// The rules for LISTs.
const (
	// ListsOneSeat: from nothing.
	ListsOneSeat ListRule = iota
	// ListsByCount: from how many objects are looked at, 100 for a seat, 10 seats at most.
	ListsByCount
	// ListsBySize: from the bytes that are held in memory at once, 100,000 for a seat, 100
	// seats at most.
	ListsBySize
)

// limit is the most seats that a LIST can have, if its level sets no lower limit.
func (r ListRule) limit() int {
	if r == ListsBySize {
		return 100
	}
	return 10
}

// StorageRule tells which LISTs are read from etcd. The estimators follow what the watch
// cache itself does, which has changed.
type StorageRule uint8

// The rules for reading from etcd.
const (
	// StorageExact: what asks for the most recent state, or for an exact one, goes on
	// where another LIST ended, or has a limit and any resourceVersion but "0".
	StorageExact StorageRule = iota
	// StorageOtherMatch: also what has a resourceVersionMatch that is not NotOlderThan.
	StorageOtherMatch
	// StorageLegacyExact: a limit no longer matters if there is a resourceVersionMatch, or
	// if there is no resourceVersion.
	StorageLegacyExact
	// StorageMatchFirst: a resourceVersionMatch decides alone. Without one: as before.
	StorageMatchFirst
)

// WatchRule tells which watches cost what a LIST from the cache does.
type WatchRule uint8

// The rules for watches.
const (
	// WatchesOneSeat: none does.
	WatchesOneSeat WatchRule = iota
	// WatchesAsked: those that ask for initial events: the feature gate WatchList.
	WatchesAsked
	// WatchesFromStart: also those that get initial events unasked, since they begin at no
	// resourceVersion or at "0".
	WatchesFromStart
)

// Kind is the way in which the work of a request is estimated.
type Kind uint8

// The kinds.
const (
	// ByOther takes one seat: Other.
	ByOther Kind = iota
	// ByList is for List.
	ByList
	// ByWatch is for Watch.
	ByWatch
	// ByWrite is for Write.
	ByWrite
)

// KindOf returns how a request is to be estimated. It looks at nothing but what it is
// given, as upstream does: a PATCH or DELETE of a path that is no resource is a write
// too (that nobody watches). The creation of a service account's token, any write to
// that subresource in fact, is none where TokensSilent: nobody is notified.
func (r *Rules) KindOf(verb, resource, subresource string) Kind {
	kind := ByOther
	switch verb {
	case "list":
		kind = ByList
	case "watch":
		kind = ByWatch
	case "create", "update", "patch", "delete":
		kind = ByWrite
	}
	switch {
	case kind == ByList && r.Lists == ListsOneSeat,
		kind == ByWatch && r.Watches == WatchesOneSeat,
		kind == ByWrite && !r.Writes,
		kind == ByWrite && r.TokensSilent && resource == "serviceaccounts" && subresource == "token":
		return ByOther
	}
	return kind
}

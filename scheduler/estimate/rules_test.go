package estimate

import "testing"

// newest are the rules of the newest release, which most tests are about. Package release
// cannot be asked here: it imports this one.
var newest = Rules{
	Lists:           ListsBySize,
	Storage:         StorageMatchFirst,
	ConsistentReads: true,
	Watches:         WatchesFromStart,
	Writes:          true,
	TokensSilent:    true,
}

// counting are the rules of the releases that count objects.
var counting = Rules{Lists: ListsByCount, NamedOneSeat: true}

func TestListByCount(t *testing.T) {
	for _, c := range []struct {
		name     string
		options  RawListOptions
		named    bool
		stats    Stats
		maxSeats int
		want     int
	}{
		{"nothing stored", storage, false, known(0, 0), 0, 1},
		{"from the cache", cached, false, known(100, 1e6), 0, 1},
		{"one object more", cached, false, known(101, 1e6), 0, 2},
		{"a limit changes nothing there", with(cached, limit(1)), false, known(900, 1), 0, 9},
		{"nor a selector", with(with(cached, limit(1)), labelSelector), false, known(900, 1), 0, 9},
		{"from storage all counts twice", storage, false, known(150, 1), 0, 3},
		{"a limit", with(storage, limit(75)), false, known(900, 1), 0, 2},
		{"a limit of more than all", with(storage, limit(900)), false, known(150, 1), 0, 3},
		{"a negative limit is none", with(storage, limit(-1)), false, known(150, 1), 0, 3},
		{"a selector reads all and returns some", with(with(storage, limit(1)), fieldSelector), false, known(400, 1), 0, 5},
		{"or all twice", with(storage, labelSelector), false, known(200, 1), 0, 4},
		{"at most ten", storage, false, known(1_000_000, 1), 0, 10},
		{"a wide level", storage, false, known(1_000_000, 1), 98, 10},
		{"a narrow level", storage, false, known(1_000_000, 1), 4, 4},
		{"named", storage, true, known(1_000_000, 1), 0, 1},
		{"named and stale", storage, true, Stats{State: Stale}, 0, 1},
		{"stale", cached, false, Stats{State: Stale, Count: 1}, 0, 10},
		{"stale, in a narrow level", cached, false, Stats{State: Stale}, 8, 8},
		{"unknown", storage, false, Stats{}, 0, 1},
		{"no overflow", storage, false, known(1<<62, 1), 0, 10},
	} {
		if got := counting.List(c.options.Parse(), c.named, c.stats, c.maxSeats, true); got != seats(c.want) {
			t.Errorf("%s: %+v, want %d seats", c.name, got, c.want)
		}
	}
	first := Rules{Lists: ListsByCount, UnknownWidest: true} // 1.23.0
	if got := first.List(ListOptions{}, false, Stats{}, 4, true); got != seats(4) {
		t.Errorf("unknown, in the first release that estimated: %+v", got)
	}
	if got := first.List(ListOptions{}, true, known(1000, 1), 0, true); got != seats(10) {
		t.Errorf("named, in the first release that estimated: %+v", got)
	}
}

// TestCacheOrStorageByRelease has a row for each kind of LIST about which releases differ:
// whether each of the rules, in their order, has it read from storage.
func TestCacheOrStorageByRelease(t *testing.T) {
	const (
		consistent = true
		old        = false // an etcd that cannot tell the progress of watches
	)
	for _, c := range []struct {
		name    string
		options RawListOptions
		etcd    bool
		want    [4]bool
	}{
		{"most recent", RawListOptions{}, consistent, [4]bool{false, false, false, false}},
		{"most recent, old etcd", RawListOptions{}, old, [4]bool{true, true, true, true}},
		{"any", RawListOptions{ResourceVersion: "0"}, old, [4]bool{false, false, false, false}},
		{"any, page", RawListOptions{ResourceVersion: "0", Limit: 5}, old, [4]bool{false, false, false, false}},
		{"most recent, page", RawListOptions{Limit: 5}, consistent, [4]bool{true, true, false, false}},
		{"page of a version", RawListOptions{ResourceVersion: "7", Limit: 5}, consistent, [4]bool{true, true, true, true}},
		{"exact", RawListOptions{ResourceVersion: "7", ResourceVersionMatch: "Exact"}, consistent, [4]bool{true, true, true, true}},
		{"no such match", RawListOptions{ResourceVersion: "7", ResourceVersionMatch: "x"}, consistent, [4]bool{false, true, true, true}},
		{"not older than, page", RawListOptions{ResourceVersion: "7", ResourceVersionMatch: "NotOlderThan", Limit: 5}, consistent, [4]bool{true, true, false, false}},
		{"not older than, continued", RawListOptions{ResourceVersion: "7", ResourceVersionMatch: "NotOlderThan", Continue: "token"}, consistent, [4]bool{true, true, true, false}},
		{"not older than nothing, old etcd", RawListOptions{ResourceVersionMatch: "NotOlderThan"}, old, [4]bool{true, true, true, false}},
	} {
		for i, want := range c.want {
			rules := Rules{Lists: ListsByCount, Storage: StorageRule(i), ConsistentReads: true}
			// Of 150 objects, two seats from the cache; from storage, three without a limit and
			// one with a limit of five.
			got := rules.List(c.options.Parse(), false, known(150, 1), 0, c.etcd)
			if fromStorage := got != seats(2); fromStorage != want {
				t.Errorf("%s, rule %d: %+v", c.name, i, got)
			}
		}
	}
	gateOff := Rules{Lists: ListsByCount, Storage: StorageOtherMatch}
	if got := gateOff.List(ListOptions{}, false, known(150, 1), 0, consistent); got != seats(3) {
		t.Errorf("most recent, with the gate off: %+v", got)
	}
}

func TestWatchByRelease(t *testing.T) {
	initial := RawListOptions{ResourceVersion: "7", SendInitialEvents: true}.Parse()
	start := RawListOptions{}.Parse()
	for _, c := range []struct {
		watches        WatchRule
		initial, start int
	}{
		{WatchesOneSeat, 1, 1},
		{WatchesAsked, 9, 1},
		{WatchesFromStart, 9, 9},
	} {
		rules := Rules{Lists: ListsByCount, Watches: c.watches}
		a, b := rules.Watch(initial, false, known(900, 1), 0), rules.Watch(start, false, known(900, 1), 0)
		if a != seats(c.initial) || b != seats(c.start) {
			t.Errorf("rule %d: %+v with initial events, %+v from the start", c.watches, a, b)
		}
	}
}

// TestZeroRules: the releases before 1.23 know nothing but single seats.
func TestZeroRules(t *testing.T) {
	var r Rules
	large := known(1e6, 1e6)
	if got := r.List(ListOptions{}, false, large, 0, true); got != Other() {
		t.Errorf("a LIST: %+v", got)
	}
	if got := r.Watch(ListOptions{SendInitialEvents: true}, false, large, 0); got != Other() {
		t.Errorf("a watch: %+v", got)
	}
	if got := r.Write(1000, 0); got != Other() {
		t.Errorf("a write: %+v", got)
	}
	for _, verb := range []string{"list", "watch", "create", "update", "patch", "delete"} {
		if got := r.KindOf(verb, "pods", ""); got != ByOther {
			t.Errorf("%s is of kind %d", verb, got)
		}
	}
}

func TestKindOfByRelease(t *testing.T) {
	tokens := Rules{Lists: ListsByCount, Writes: true}
	if got := tokens.KindOf("create", "serviceaccounts", "token"); got != ByWrite {
		t.Errorf("a token where it is taken for a write is of kind %d", got)
	}
	if got := tokens.KindOf("watch", "pods", ""); got != ByOther {
		t.Errorf("a watch where none is estimated is of kind %d", got)
	}
	if got := tokens.KindOf("list", "pods", ""); got != ByList {
		t.Errorf("a LIST is of kind %d", got)
	}
}

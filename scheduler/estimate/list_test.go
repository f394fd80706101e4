package estimate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// known returns good statistics.
func known(count, averageBytes int64) Stats {
	return Stats{State: Known, Count: count, AverageBytes: averageBytes}
}

// seats makes an estimate of nothing but initial seats.
func seats(n int) fairqueue.Estimate { return fairqueue.Estimate{InitialSeats: n} }

var (
	cached  = RawListOptions{ResourceVersion: "0"}
	storage = RawListOptions{ResourceVersion: "5", ResourceVersionMatch: "Exact"}
)

// with returns options with changes.
func with(o RawListOptions, edit func(*RawListOptions)) RawListOptions {
	edit(&o)
	return o
}

func limit(n int64) func(*RawListOptions) { return func(o *RawListOptions) { o.Limit = n } }
func fieldSelector(o *RawListOptions)     { o.FieldSelector = "status.phase=Running" }
func labelSelector(o *RawListOptions)     { o.LabelSelector = "app=x" }

func TestListBySize(t *testing.T) {
	const none = 0 // no limit of the level
	for _, c := range []struct {
		name     string
		options  RawListOptions
		named    bool
		stats    Stats
		maxSeats int
		want     int
	}{
		{"nothing stored", storage, false, known(0, 0), none, 1},
		{"nothing stored, size unknown", storage, false, known(0, -1), none, 1},
		{"one seat, exactly", storage, false, known(100, 1000), none, 1},
		{"a byte more", storage, false, known(100_001, 1), none, 2},
		{"from storage", storage, false, known(3000, 4000), none, 100},
		{"from storage, less", storage, false, known(1000, 4000), none, 40},
		{"a limit", with(storage, limit(500)), false, known(3000, 4000), none, 20},
		{"a limit of all and more", with(storage, limit(5000)), false, known(1000, 4000), none, 40},
		{"a limit of 0 is none", with(storage, limit(0)), false, known(1000, 4000), none, 40},
		{"a negative limit is none", with(storage, limit(-1)), false, known(1000, 4000), none, 40},

		{"from the cache", cached, false, known(100, 4000), none, 4},
		{"never more than a megabyte from the cache", cached, false, known(3000, 4000), none, 10},
		{"just a megabyte", cached, false, known(1000, 1000), none, 10},
		{"a limit counts in the cache too", with(cached, limit(50)), false, known(3000, 4000), none, 2},
		{"a selector with a limit reads no more there", with(with(cached, limit(10)), labelSelector), false, known(1000, 4000), none, 1},
		{"a selector does not", with(cached, fieldSelector), false, known(100, 4000), none, 4},

		{"a field selector reads half of all", with(with(storage, limit(10)), fieldSelector), false, known(1000, 4000), none, 20},
		{"a label selector too", with(with(storage, limit(10)), labelSelector), false, known(1000, 4000), none, 20},
		{"half is rounded down", with(with(storage, limit(1)), labelSelector), false, known(51, 4000), none, 1},
		{"or what it returns, if that is more", with(with(storage, limit(800)), labelSelector), false, known(1000, 4000), none, 32},
		{"all without a limit", with(storage, labelSelector), false, known(1000, 4000), none, 40},

		{"named, from storage", storage, true, known(3000, 4000), none, 1},
		{"named, large", storage, true, known(3000, 250_000), none, 3},
		{"named, nothing stored", storage, true, known(0, 0), none, 1},
		{"named, of unknown size", storage, true, known(3000, 0), none, 15},
		{"named, of unknown size, from the cache", cached, true, known(3000, 0), none, 10},
		{"of unknown size", storage, false, known(4, 0), none, 60},

		{"unknown", storage, false, Stats{}, none, 1},
		{"unknown, whatever is said", storage, false, Stats{Count: 3000, AverageBytes: 4000}, none, 1},
		{"stale, from storage", storage, false, Stats{State: Stale, Count: 1, AverageBytes: 1}, none, 100},
		{"stale, from the cache", cached, false, Stats{State: Stale}, none, 10},
		{"stale, with a limit", with(storage, limit(2)), false, Stats{State: Stale}, none, 30},
		{"stale, named, from storage", storage, true, Stats{State: Stale}, none, 15},
		{"stale, named, from the cache", cached, true, Stats{State: Stale}, none, 10},

		{"the level's limit", storage, false, known(3000, 4000), 37, 37},
		{"the level's limit in the cache", cached, false, known(3000, 4000), 8, 8},
		{"a wide level", storage, false, known(3000, 4000), 500, 100},
		{"a narrow request", storage, false, known(100, 4000), 37, 4},
		{"a limit of one seat", storage, false, known(3000, 4000), 1, 1},
		{"stale and the level's limit", storage, false, Stats{State: Stale}, 37, 37},
		{"unknown and the level's limit", storage, false, Stats{}, 37, 1},

		{"no overflow", storage, false, known(math.MaxInt64, math.MaxInt64), none, 100},
		{"no overflow in the cache", cached, false, known(math.MaxInt64, math.MaxInt64), none, 10},
	} {
		if got := newest.List(c.options.Parse(), c.named, c.stats, c.maxSeats, true); got != seats(c.want) {
			t.Errorf("%s: %+v, want %d seats", c.name, got, c.want)
		}
	}
}

// The rows are the rules for LISTs of the API concepts page, as the cacher applies
// them (pkg/storage/cacher/delegator).
func TestCacheOrStorage(t *testing.T) {
	for _, c := range []struct {
		name            string
		options         RawListOptions
		consistentReads bool
		storage         bool
	}{
		{"most recent", RawListOptions{}, true, false},
		{"most recent, old etcd", RawListOptions{}, false, true},
		{"any", RawListOptions{ResourceVersion: "0"}, false, false},
		{"not older than, from before match", RawListOptions{ResourceVersion: "7"}, false, false},
		{"most recent, page", RawListOptions{Limit: 5}, true, false},
		{"most recent, page, old etcd", RawListOptions{Limit: 5}, false, true},
		{"any, page", RawListOptions{ResourceVersion: "0", Limit: 5}, false, false},
		{"page of a version means exact", RawListOptions{ResourceVersion: "7", Limit: 5}, true, true},
		{"a limit of -1 is none", RawListOptions{ResourceVersion: "7", Limit: -1}, true, false},
		{"continued", RawListOptions{Continue: "token"}, true, true},
		{"continued, any", RawListOptions{Continue: "token", ResourceVersion: "0"}, true, true},
		{"exact", RawListOptions{ResourceVersion: "7", ResourceVersionMatch: "Exact"}, true, true},
		{"exact 0", RawListOptions{ResourceVersion: "0", ResourceVersionMatch: "Exact"}, true, true},
		{"not older than", RawListOptions{ResourceVersion: "7", ResourceVersionMatch: "NotOlderThan"}, false, false},
		{"not older than, page", RawListOptions{ResourceVersion: "7", ResourceVersionMatch: "NotOlderThan", Limit: 5}, false, false},
		{"not older than, continued", RawListOptions{ResourceVersionMatch: "NotOlderThan", Continue: "token"}, false, false},
		{"not older than nothing", RawListOptions{ResourceVersionMatch: "NotOlderThan"}, false, false},
		{"no such match", RawListOptions{ResourceVersion: "0", ResourceVersionMatch: "exact"}, true, true},
	} {
		want := 10 // a large LIST from the cache
		if c.storage {
			want = 100
		}
		stats := known(1_000_000, 100_000_000)
		if got := newest.List(c.options.Parse(), false, stats, 0, c.consistentReads); got != seats(want) {
			t.Errorf("%s: %+v, want %d seats", c.name, got, want)
		}
	}
}

func TestWatch(t *testing.T) {
	initial := func(o *RawListOptions) { o.SendInitialEvents = true }
	version := func(v string) RawListOptions { return RawListOptions{ResourceVersion: v} }
	for _, c := range []struct {
		name     string
		options  RawListOptions
		named    bool
		stats    Stats
		maxSeats int
		want     int
	}{
		{"from a version", version("7"), false, known(3000, 4000), 0, 1},
		{"from a version, with initial events", with(version("7"), initial), false, known(3000, 4000), 0, 10},
		{"from now", version(""), false, known(3000, 4000), 0, 10},
		{"from any", version("0"), false, known(3000, 4000), 0, 10},
		{"from any, few objects", version("0"), false, known(100, 4000), 0, 4},
		{"always from the cache", RawListOptions{Continue: "token", ResourceVersionMatch: "Exact"}, false, known(3000, 4000), 0, 10},
		{"named", version(""), true, known(3000, 4000), 0, 1},
		{"unknown", version(""), false, Stats{}, 0, 1},
		{"stale", version(""), false, Stats{State: Stale}, 0, 10},
		{"stale, from a version", version("7"), false, Stats{State: Stale}, 0, 1},
		{"the level's limit", version(""), false, known(3000, 4000), 4, 4},
	} {
		if got := newest.Watch(c.options.Parse(), c.named, c.stats, c.maxSeats); got != seats(c.want) {
			t.Errorf("%s: %+v, want %d seats", c.name, got, c.want)
		}
	}
}

// drawOptions draws digested options of all kinds.
func drawOptions(t *rapid.T) ListOptions {
	return RawListOptions{
		Limit:                rapid.Int64Range(-1, 2000).Draw(t, "limit"),
		ResourceVersion:      rapid.SampledFrom([]string{"", "0", "7"}).Draw(t, "version"),
		ResourceVersionMatch: rapid.SampledFrom([]string{"", "Exact", "NotOlderThan", "x"}).Draw(t, "match"),
		Continue:             rapid.SampledFrom([]string{"", "token"}).Draw(t, "continue"),
		LabelSelector:        rapid.SampledFrom([]string{"", "a=b"}).Draw(t, "selector"),
		SendInitialEvents:    rapid.Bool().Draw(t, "initial"),
	}.Parse()
}

// More objects, larger ones and a wider level never make a request narrower.
func TestEstimatesGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		count, size := rapid.Int64Range(0, 5000), rapid.Int64Range(1, 50_000)
		small := known(count.Draw(t, "count"), size.Draw(t, "size"))
		large := known(small.Count+count.Draw(t, "more"), small.AverageBytes+size.Draw(t, "larger"))
		narrow := rapid.IntRange(1, 120).Draw(t, "narrow")
		wide := narrow + rapid.IntRange(0, 50).Draw(t, "wider")
		consistent := rapid.Bool().Draw(t, "consistentReads")
		a, b := newest.List(o, false, small, narrow, consistent), newest.List(o, false, large, wide, consistent)
		if a.InitialSeats > b.InitialSeats || a.InitialSeats < 1 || b.InitialSeats > min(wide, 100) {
			t.Errorf("LIST of %+v: %+v at most %d, of %+v: %+v at most %d", small, a, narrow, large, b, wide)
		}
		if w := newest.Watch(o, false, large, wide); w.InitialSeats < 1 || w.InitialSeats > min(wide, 10) {
			t.Errorf("watch of %+v: %+v at most %d", large, w, wide)
		}
	})
}

// TestFits holds that the sum of all sizes, with what is taken for an unknown one, is an
// int64.
func TestFits(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		count, size int64
		want        bool
	}{
		{0, most, true},
		{1, most, true},
		{2, most, false},
		{2, most / 2, true},
		{2, most/2 + 1, false},
		{most, 1, true},
		{most, 0, false}, // of 1.5 MB each
		{most / maxObjectBytes, 0, true},
		{most/maxObjectBytes + 1, 0, false},
		{1e12, 1e9, false},
	} {
		if got := (Stats{Known, c.count, c.size}).Fits(); got != c.want {
			t.Errorf("%d objects of %d bytes fit: %t, want %t", c.count, c.size, got, c.want)
		}
	}
}

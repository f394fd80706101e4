package estimate

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		watchers, maxSeats int
		final              int
		latency            time.Duration
	}{
		{0, 0, 0, 0},
		{9, 0, 0, 0},
		{10, 0, 1, 5 * time.Millisecond},
		{11, 0, 2, 5 * time.Millisecond},
		{20, 0, 2, 5 * time.Millisecond},
		{100, 0, 10, 5 * time.Millisecond},
		{101, 0, 10, 5500 * time.Microsecond},
		{1000, 0, 10, 50 * time.Millisecond},
		{100, 15, 10, 5 * time.Millisecond}, // the estimator's own limit is 10
		{100, 4, 4, 12_500 * time.Microsecond},
		{100, 1, 1, 50 * time.Millisecond},
		{65, 6, 6, 5_833_333}, // 7 * 5 ms / 6, cut off
		{130, 0, 10, 6_500 * time.Microsecond},
		{190, 7, 7, 13_571_428},
	} {
		want := fairqueue.Estimate{InitialSeats: 1, FinalSeats: c.final, AdditionalLatency: c.latency}
		if got := newest.Write(c.watchers, c.maxSeats); got != want {
			t.Errorf("Write(%d, %d) = %+v, want %+v", c.watchers, c.maxSeats, got, want)
		}
	}
}

// Fewer final seats for longer are the same work: 5 ms for each ten watchers, less
// what is cut off, which is under a nanosecond a seat.
func TestWriteKeepsTheWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		watchers := rapid.IntRange(10, 1_000_000).Draw(t, "watchers")
		e := newest.Write(watchers, rapid.IntRange(0, 12).Draw(t, "maxSeats"))
		work := time.Duration((watchers+9)/10) * 5 * time.Millisecond
		lost := work - time.Duration(e.FinalSeats)*e.AdditionalLatency
		if lost < 0 || lost >= time.Duration(e.FinalSeats) {
			t.Errorf("%d watchers: %+v loses %d ns of %v", watchers, e, int64(lost), work)
		}
	})
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		verb, resource, subresource string
		want                        Kind
	}{
		{"list", "pods", "", ByList},
		{"watch", "pods", "", ByWatch},
		{"create", "pods", "", ByWrite},
		{"update", "pods", "status", ByWrite},
		{"patch", "pods", "", ByWrite},
		{"delete", "pods", "", ByWrite},
		{"deletecollection", "pods", "", ByOther},
		{"get", "pods", "", ByOther},
		{"proxy", "nodes", "", ByOther},
		{"post", "", "", ByOther},  // of a path that is no resource
		{"patch", "", "", ByWrite}, // likewise
		{"", "", "", ByOther},
		{"create", "serviceaccounts", "token", ByOther},
		{"patch", "serviceaccounts", "token", ByOther},
		{"create", "serviceaccounts", "", ByWrite},
		{"create", "secrets", "token", ByWrite},
		{"list", "serviceaccounts", "token", ByList},
	} {
		if got := newest.KindOf(c.verb, c.resource, c.subresource); got != c.want {
			t.Errorf("KindOf(%q, %q, %q) = %d, want %d", c.verb, c.resource, c.subresource, got, c.want)
		}
	}
}

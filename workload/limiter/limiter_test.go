package limiter

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestReserve holds sequences that can be computed by hand.
func TestReserve(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name    string
		limiter Limiter
		// at are the times of requests, want those at which they go.
		at, want []time.Duration
	}{
		{"burst, then one each 1/qps", Limiter{QPS: 10, Burst: 3},
			[]time.Duration{0, 0, 0, 0, 0, 0}, []time.Duration{0, 0, 0, 100 * ms, 200 * ms, 300 * ms}},
		{"the bucket fills up to its capacity", Limiter{QPS: 10, Burst: 2},
			[]time.Duration{0, 0, 0, time.Hour, time.Hour, time.Hour},
			[]time.Duration{0, 0, 100 * ms, time.Hour, time.Hour, time.Hour + 100*ms}},
		{"waits are rounded down", Limiter{QPS: 3, Burst: 1},
			[]time.Duration{0, 0, 0}, []time.Duration{0, 333333333, 666666666}},
		{"the rate is a float32", Limiter{QPS: 0.1, Burst: 1},
			// float32(0.1) is 0.100000001490116..., so a token takes less than 10 s.
			[]time.Duration{0, 0}, []time.Duration{0, 9999999850}},
		{"no limit", Limiter{}, []time.Duration{5, 5, 5}, []time.Duration{5, 5, 5}},
		{"defaults: 5 a second", New(0, 1), []time.Duration{0, 0}, []time.Duration{0, 200 * ms}},
		{"defaults: 10 at once", New(1, 0), make([]time.Duration, 11), append(make([]time.Duration, 10), time.Second)},
		{"none is asked for", New(-1, 3), []time.Duration{5, 5, 5, 5}, []time.Duration{5, 5, 5, 5}},
		{"slower than a Duration can say", Limiter{QPS: 1e-11, Burst: 1}, []time.Duration{0, 7}, []time.Duration{0, Never}},
	} {
		s := c.limiter.Full()
		for i, now := range c.at {
			var at time.Duration
			if s, at = c.limiter.Reserve(s, now); at != c.want[i] {
				t.Errorf("%s: request %d goes at %v, want %v", c.name, i, at, c.want[i])
			}
		}
	}
}

// TestWait holds that a deadline which cannot be met costs nothing.
func TestWait(t *testing.T) {
	l := Limiter{QPS: 1, Burst: 1}
	s, _ := l.Reserve(l.Full(), 0)
	for _, deadline := range []time.Duration{-1, 0, time.Second - 1} {
		if next, at, ok := l.Wait(s, 0, deadline); ok || at != 0 || next != s {
			t.Errorf("deadline %v: %v, %v, %+v, want a failure at once that takes nothing", deadline, at, ok, next)
		}
	}
	if _, at, ok := l.Wait(s, 0, time.Second); !ok || at != time.Second {
		t.Errorf("a deadline that is just met: %v, %v", at, ok)
	}
	// A wait of less than a nanosecond is rounded down to none.
	for now, want := range map[time.Duration]bool{time.Second - 2: false, time.Second - 1: true, time.Second: true} {
		if _, ok := l.TryAccept(s, now); ok != want {
			t.Errorf("TryAccept at %v: %v, want %v", now, ok, want)
		}
	}
}

// TestCancel holds what a cancelled request gives back.
func TestCancel(t *testing.T) {
	l := Limiter{QPS: 1, Burst: 1}
	s, _ := l.Reserve(l.Full(), 0)
	first, at := l.Reserve(s, 0)
	if got := l.Tokens(l.Cancel(first, 0, at), 0); got != 0 {
		t.Errorf("the last in the queue gives its token back: %v left, want 0", got)
	}
	second, _ := l.Reserve(first, 0)
	if got := l.Cancel(second, 0, at); got != second {
		t.Errorf("the first of two gives nothing back: %+v, want %+v", got, second)
	}
	if got := l.Cancel(first, at+1, at); got != first {
		t.Error("what is over gives nothing back")
	}
}

// TestBound is the promise of a token bucket: in no window do more go than the burst and what
// comes in the window.
func TestBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limiter{QPS: rapid.Float32Range(0.01, 1000).Draw(t, "qps"), Burst: rapid.IntRange(1, 20).Draw(t, "burst")}
		s := l.Full()
		var now time.Duration
		var went []time.Duration
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now += time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "pause"))
			var at time.Duration
			if s, at = l.Reserve(s, now); at < now || len(went) > 0 && at < went[len(went)-1] {
				t.Fatalf("goes at %v, asked at %v, the one before at %v", at, now, went)
			}
			went = append(went, at)
		}
		for i := range went {
			for j := i; j < len(went); j++ {
				if most := float64(l.Burst) + (went[j]-went[i]).Seconds()*float64(l.QPS) + 1e-3; float64(j-i+1) > most {
					t.Fatalf("%d go from %v to %v, at most %v may", j-i+1, went[i], went[j], most)
				}
			}
		}
	})
}

// TestNoAllocation holds that a state is a value.
func TestNoAllocation(t *testing.T) {
	l := Limiter{QPS: 20, Burst: 30}
	s := l.Full()
	if n := testing.AllocsPerRun(1000, func() { s, _ = l.Reserve(s, math.MaxInt32) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

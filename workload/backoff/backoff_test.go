package backoff

import (
	"math"
	"slices"
	"testing"
	"time"
)

const (
	ms = time.Millisecond
	s  = time.Second
)

// TestStep holds sequences that can be computed by hand.
func TestStep(t *testing.T) {
	for _, c := range []struct {
		name    string
		backoff Backoff
		u       float64
		want    []time.Duration
	}{
		{"none", Backoff{}, 0, []time.Duration{0, 0}},
		{"constant", Backoff{Duration: s, Steps: 2}, 0, []time.Duration{s, s, s}},
		{"doubling to the cap", Reflector().Backoff, 0, []time.Duration{800 * ms, 1600 * ms, 3200 * ms, 6400 * ms, 12800 * ms, 25600 * ms, 30 * s, 30 * s}},
		{"with jitter", Reflector().Backoff, 0.5, []time.Duration{1200 * ms, 2400 * ms, 4800 * ms, 9600 * ms, 19200 * ms, 38400 * ms, 45 * s}},
		{"as many steps as it has", Backoff{Duration: s, Factor: 3, Steps: 2}, 0, []time.Duration{s, 3 * s, 9 * s, 9 * s}},
		{"a cap below the first delay", Backoff{Duration: 5 * s, Factor: 2, Cap: s, Steps: 3}, 0, []time.Duration{5 * s, s, s}},
		{"rounded towards 0", Backoff{Duration: 3, Factor: 1.5, Steps: 9}, 0, []time.Duration{3, 4, 6, 9, 13, 19}},
	} {
		var got []time.Duration
		state := c.backoff.Start()
		for range c.want {
			var d time.Duration
			state, d = c.backoff.Step(state, c.u)
			got = append(got, d)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestResets holds the difference between the two backoffs that begin anew: one counts from its
// beginning, the other from when it was asked last.
func TestResets(t *testing.T) {
	b := Backoff{Duration: s, Factor: 2, Steps: 100}
	resetting, idle := Resetting{b, 10 * s}, Idle{b, 10 * s}
	r, i := resetting.Start(0), idle.Start(0)
	for _, c := range []struct{ now, resetting, idle time.Duration }{
		{0, s, s},
		{4 * s, 2 * s, 2 * s},
		{10 * s, 4 * s, 4 * s},
		{10*s + 1, s, 8 * s}, // longer than 10 s after 0
		{20 * s, 2 * s, 16 * s},
		{20*s + 1, 4 * s, 32 * s},
		{30*s + 2, s, s}, // longer than 10 s after the last
	} {
		var byTime, byIdleness time.Duration
		r, byTime = resetting.Step(r, c.now, 0)
		i, byIdleness = idle.Step(i, c.now, 0)
		if byTime != c.resetting || byIdleness != c.idle {
			t.Errorf("at %v: %v and %v, want %v and %v", c.now, byTime, byIdleness, c.resetting, c.idle)
		}
	}
	never := Resetting{b, 0}
	r = never.Start(0)
	for now := range time.Duration(5) {
		var d time.Duration
		if r, d = never.Step(r, now*time.Hour, 0); d != s {
			t.Errorf("without an interval: %v", d)
		}
	}
}

// TestJitter holds the bounds of what is added.
func TestJitter(t *testing.T) {
	for _, c := range []struct{ factor, u, want float64 }{
		{0.5, 0, 10}, {0.5, 0.5, 12.5}, {2, 0.5, 20}, {0, 0.5, 15}, {-1, 0.5, 15},
	} {
		if got := Jitter(10*s, c.factor, c.u); got != time.Duration(c.want*float64(s)) {
			t.Errorf("Jitter(10s, %v, %v) = %v, want %v s", c.factor, c.u, got, c.want)
		}
	}
	if d := Jitter(10*s, 1, 1-0x1p-53); d >= 20*s || d < 20*s-2 {
		t.Errorf("at most %v", d)
	}
}

// TestRequeue holds what a controller's queue does with items that fail.
func TestRequeue(t *testing.T) {
	r := DefaultRequeue()
	state := r.Bucket.Full()
	for i := range 120 {
		var delay time.Duration
		state, delay = r.When(state, 0, 0)
		want := 5 * ms // the item's own
		if i > 100 {
			want = time.Duration(i-99) * 100 * ms // the debt of the bucket
		}
		if i == 100 {
			want = 100 * ms
		}
		if delay != want {
			t.Fatalf("failure %d: %v, want %v", i, delay, want)
		}
	}
	item := DefaultRequeue().Item
	for failures, want := range map[int]time.Duration{0: 5 * ms, 1: 10 * ms, 10: 5120 * ms, 17: 655360 * ms, 18: 1000 * s, 5000: 1000 * s} {
		if got := item.When(failures); got != want {
			t.Errorf("after %d failures %v, want %v", failures, got, want)
		}
	}
	fast := FastSlow{ms, s, 2}
	for failures, want := range []time.Duration{ms, ms, s, s} {
		if got := fast.When(failures); got != want {
			t.Errorf("after %d failures %v, want %v", failures, got, want)
		}
	}
}

// TestItem plays a container that crashes: 10 s doubling to 5 min, anew after 10 min.
func TestItem(t *testing.T) {
	b := Item{Initial: 10 * s, Max: 5 * time.Minute}
	var state ItemState
	now := time.Duration(0)
	for _, want := range []time.Duration{10 * s, 20 * s, 40 * s, 80 * s, 160 * s, 300 * s, 300 * s} {
		if state = b.Next(state, now, now, 0); state.Delay != want {
			t.Fatalf("at %v: %v, want %v", now, state.Delay, want)
		}
		if !b.Waits(state, now, now+want-1) || b.Waits(state, now, now+want) {
			t.Errorf("the delay of %v is not what it waits", want)
		}
		now += want
	}
	last := now - 300*s
	if state := b.Next(state, last+600*s, last+600*s, 0); state.Delay != 300*s {
		t.Errorf("10 min later: %v", state.Delay)
	}
	if state := b.Next(state, last+600*s+1, last+600*s+1, 0); state.Delay != 10*s {
		t.Errorf("later than that: %v", state.Delay)
	}
	if (b.Waits(ItemState{}, 0, 0)) {
		t.Error("what has not failed waits")
	}
}

// TestTruncated holds what becomes of numbers that a Duration cannot hold.
func TestTruncated(t *testing.T) {
	for _, c := range []struct {
		ns   float64
		want time.Duration
	}{
		{1.9, 1}, {-1.9, -1}, {0x1p62, 1 << 62}, {0x1p63, math.MinInt64}, {-0x1p63, math.MinInt64},
		{math.Inf(1), math.MinInt64}, {math.NaN(), math.MinInt64},
	} {
		if got := truncated(c.ns); got != c.want {
			t.Errorf("truncated(%v) = %d, want %d", c.ns, got, c.want)
		}
	}
}

// TestNoAllocation holds that states are values.
func TestNoAllocation(t *testing.T) {
	r, q := Reflector(), DefaultRequeue()
	a, b := r.Start(0), q.Bucket.Full()
	n := testing.AllocsPerRun(100, func() {
		a, _ = r.Step(a, s, 0.5)
		b, _ = q.When(b, s, 3)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

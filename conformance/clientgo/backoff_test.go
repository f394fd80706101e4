package clientgo

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"

	"github.com/apfsim/apfsim/workload/backoff"
)

// jitter makes wait draw from a source for the length of a test, and returns what it drew last.
func jitter(t *testing.T, r *rand.Rand) (last *float64) {
	before := jitterRand
	t.Cleanup(func() { jitterRand = before })
	last = new(float64)
	jitterRand = func() float64 {
		*last = r.Float64()
		if oneIn(r, 50) {
			*last = pick(r, 0, 0.5, 1-0x1p-53)
		}
		return *last
	}
	return last
}

// drawBackoff draws a backoff: those of client-go and the kubelet, and any other, also such as
// nobody would write.
func drawBackoff(r *rand.Rand) backoff.Backoff {
	if oneIn(r, 4) {
		return pick(r,
			backoff.Reflector().Backoff,
			backoff.Backoff{Steps: 5, Duration: 10 * time.Millisecond, Factor: 1, Jitter: 0.1},                         // retry.DefaultRetry
			backoff.Backoff{Steps: 4, Duration: 10 * time.Millisecond, Factor: 5, Jitter: 0.1},                         // retry.DefaultBackoff
			backoff.Backoff{Steps: 10, Duration: 20 * time.Millisecond, Factor: 2, Jitter: 0.5, Cap: 10 * time.Second}, // with a cap
		)
	}
	return backoff.Backoff{
		Duration: pick(r, 0, 1, time.Duration(r.Int64N(int64(time.Minute))), time.Duration(r.Int64N(1000))),
		Factor:   pick(r, 0, 0.5, 1, 1.5, 2, 3, r.Float64()*4, -1, 1e6),
		Jitter:   pick(r, 0, 0, 0.1, 1, r.Float64()*3, -1),
		Steps:    pick(r, 0, 1, 3, r.IntN(80), -2),
		Cap:      pick(r, 0, 0, time.Duration(r.Int64N(int64(time.Hour))), time.Second, time.Nanosecond),
	}
}

func upstreams(b backoff.Backoff) wait.Backoff {
	return wait.Backoff{Duration: b.Duration, Factor: b.Factor, Jitter: b.Jitter, Steps: b.Steps, Cap: b.Cap}
}

// TestBackoffEqualsUpstream steps through backoffs, and past the end of a Duration.
func TestBackoffEqualsUpstream(t *testing.T) {
	for i := range uint64(3000 * *times) {
		r := random(2<<20 + i)
		u := jitter(t, r)
		ours := drawBackoff(r)
		real, state := upstreams(ours), ours.Start()
		fn := real.DelayFunc()
		for step := range 100 {
			want := real.Step()
			var got time.Duration
			if state, got = ours.Step(state, *u); got != want {
				t.Fatalf("%d: %+v: step %d is %v, want %v", i, ours, step, got, want)
			}
			if state.Duration != real.Duration || state.Left != real.Steps {
				t.Fatalf("%d: %+v: after step %d %+v, want %+v", i, ours, step, state, real)
			}
			if want := fn(); ours.Jitter <= 0 && got != want {
				t.Fatalf("%d: %+v: step %d is %v, DelayFunc says %v", i, ours, step, got, want)
			}
		}
	}
}

// TestJitterEqualsUpstream compares single draws.
func TestJitterEqualsUpstream(t *testing.T) {
	r := random(3 << 20)
	u := jitter(t, r)
	for range 20_000 * *times {
		d := time.Duration(r.Int64N(int64(pick(r, time.Microsecond, time.Second, 1000*time.Hour))))
		factor := pick(r, 0, -1, 1.2, 0.04, r.Float64()*5)
		want := wait.Jitter(d, factor)
		if got := backoff.Jitter(d, factor, *u); got != want {
			t.Fatalf("Jitter(%v, %v) with %v is %v, want %v", d, factor, *u, got, want)
		}
	}
}

// asksBackoff asks 200 times for a delay, and lets it pass, or part of it, or much more.
func asksBackoff(t *testing.T, r *rand.Rand, interval time.Duration, what any, ask func(now time.Duration) (got, want time.Duration)) {
	start := time.Now()
	for step := range 200 {
		got, want := ask(time.Since(start))
		if got != want {
			t.Fatalf("%+v: step %d at %v is %v, want %v", what, step, time.Since(start), got, want)
		}
		switch r.IntN(8) {
		case 0:
			time.Sleep(interval + time.Duration(r.IntN(3)-1)) // the edge
		case 1:
			time.Sleep(2 * interval)
		case 2:
		default:
			time.Sleep(min(max(got, 0), time.Hour))
		}
	}
}

// TestResettingEqualsUpstream compares the backoff that begins anew after a while, as
// reflectors use it.
func TestResettingEqualsUpstream(t *testing.T) {
	for i := range uint64(500 * *times) {
		synctest.Test(t, func(t *testing.T) {
			r := random(4<<20 + i)
			u := jitter(t, r)
			ours := backoff.Resetting{Backoff: drawBackoff(r), Interval: pick(r, 0, -1, time.Second, 2*time.Minute, exponential(r, time.Minute))}
			if i == 0 {
				ours = backoff.Reflector()
			}
			real := upstreams(ours.Backoff).DelayWithReset(clock.RealClock{}, ours.Interval)
			state := ours.Start(0)
			asksBackoff(t, r, ours.Interval, ours, func(now time.Duration) (got, want time.Duration) {
				want = real()
				state, got = ours.Step(state, now, *u)
				return got, want
			})
		})
	}
}

// noted is a clock that tells what timers were asked for.
type noted struct {
	clock.RealClock
	last *time.Duration
}

func (c noted) NewTimer(d time.Duration) clock.Timer {
	*c.last = d
	return notedTimer{c.RealClock.NewTimer(d), c.last}
}

type notedTimer struct {
	clock.Timer
	last *time.Duration
}

func (t notedTimer) Reset(d time.Duration) bool {
	*t.last = d
	return t.Timer.Reset(d)
}

// TestIdleEqualsUpstream compares the backoff that begins anew when it has not been asked.
func TestIdleEqualsUpstream(t *testing.T) {
	for i := range uint64(500 * *times) {
		synctest.Test(t, func(t *testing.T) {
			r := random(5<<20 + i)
			u := jitter(t, r)
			ours := backoff.Idle{Backoff: drawBackoff(r), Interval: pick(r, 0, time.Second, 2*time.Minute, exponential(r, time.Minute))}
			ours.Backoff.Jitter = max(ours.Backoff.Jitter, 0)
			var asked time.Duration
			//nolint:staticcheck // deprecated, and what leader election's peers still use
			real := wait.NewExponentialBackoffManager(ours.Duration, ours.Cap, ours.Interval, ours.Factor, ours.Jitter, noted{last: &asked})
			state := ours.Start(0)
			asksBackoff(t, r, ours.Interval, ours, func(now time.Duration) (got, want time.Duration) {
				real.Backoff().Stop()
				state, got = ours.Step(state, now, *u)
				return got, asked
			})
		})
	}
}

package clientgo

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/apfsim/apfsim/workload/limiter"
)

// drawLimiter draws a limiter: those of well-known clients, and any other.
func drawLimiter(r *rand.Rand) limiter.Limiter {
	switch r.IntN(4) {
	case 0: // rest.Config, kubelet, kube-controller-manager, kube-scheduler, kubectl
		return pick(r, limiter.Limiter{QPS: 5, Burst: 10}, limiter.Limiter{QPS: 50, Burst: 100},
			limiter.Limiter{QPS: 20, Burst: 30}, limiter.Limiter{QPS: 300, Burst: 300})
	case 1: // rates whose inverse is no whole number of nanoseconds
		return limiter.Limiter{QPS: pick[float32](r, 0.1, 1.0/3, 3, 7, 0.007), Burst: 1 + r.IntN(4)}
	case 2:
		return limiter.Limiter{QPS: r.Float32() * 1000, Burst: 1 + r.IntN(200)}
	}
	return limiter.Limiter{QPS: r.Float32(), Burst: 1 + r.IntN(3)}
}

// TestBucketEqualsUpstream drives the bucket of golang.org/x/time/rate below client-go's
// limiter by explicit times: reserve, try, wait up to a deadline, cancel, and read.
func TestBucketEqualsUpstream(t *testing.T) {
	for i := range uint64(400 * *times) {
		driveBucket(t, i)
	}
}

// driveBucket plays one random sequence. The real clock starts at an odd time, so that sums of
// its times are not round.
func driveBucket(t *testing.T, seed uint64) {
	r := random(seed)
	ours := drawLimiter(r)
	real := rate.NewLimiter(rate.Limit(ours.QPS), ours.Burst)
	start := time.Unix(1_700_000_000, 123_456_789)
	state := ours.Full()
	now := time.Duration(r.Int64N(int64(time.Second)))
	type reservation struct {
		real *rate.Reservation
		at   time.Duration
	}
	var open []reservation
	gap := time.Duration(float64(time.Second) / float64(ours.QPS) * pick(r, 0.1, 0.9, 1, 1.1, 5))
	for step := range 300 {
		switch r.IntN(6) {
		case 0: // at the same instant
		case 1: // on a grid, where ties and rounding meet
			now += time.Duration(r.IntN(3)) * (gap / 4)
		default:
			now += exponential(r, gap)
		}
		at := start.Add(now)
		var got, want time.Duration
		switch r.IntN(8) {
		case 0:
			var ok bool
			state, ok = ours.TryAccept(state, now)
			if real.AllowN(at, 1) != ok {
				t.Fatalf("seed %d, step %d, %+v: TryAccept at %v is %v", seed, step, ours, now, ok)
			}
		case 1:
			if len(open) > 0 {
				i := r.IntN(len(open))
				open[i].real.CancelAt(at)
				state = ours.Cancel(state, now, open[i].at)
				open = slices.Delete(open, i, i+1)
			}
		default:
			reserved := real.ReserveN(at, 1)
			want = reserved.DelayFrom(at)
			var when time.Duration
			state, when = ours.Reserve(state, now)
			got = when - now
			open = append(open, reservation{reserved, when})
		}
		if got != want {
			t.Fatalf("seed %d, step %d, %+v: waits %v at %v, want %v", seed, step, ours, got, now, want)
		}
		if got, want := ours.Tokens(state, now), real.TokensAt(at); got != want {
			t.Fatalf("seed %d, step %d, %+v: %v tokens at %v, want %v", seed, step, ours, got, now, want)
		}
	}
}

// asked is a request of a client: when it is sent, and the deadline and the time of the
// cancellation of its context, 0 for none.
type asked struct{ at, deadline, cancelled time.Duration }

// answered is what became of it: when Wait returned, and whether it may go.
type answered struct {
	at time.Duration
	ok bool
}

// TestWaitEqualsUpstream lets a goroutine per request wait at client-go's limiter in virtual
// time, hundreds at once, with and without deadlines, and some cancelled while they wait.
func TestWaitEqualsUpstream(t *testing.T) {
	var failed, waited, cancelled int
	for i := range uint64(150 * *times) {
		r := random(1<<20 + i)
		l := drawLimiter(r)
		requests := drawRequests(r, l)
		want := realWaits(t, l, requests)
		got := ourWaits(l, requests)
		for n := range requests {
			if got[n] != want[n] {
				t.Fatalf("seed %d, %+v: request %d %+v ends %+v, want %+v", i, l, n, requests[n], got[n], want[n])
			}
			switch {
			case want[n].ok && want[n].at > requests[n].at:
				waited++
			case !want[n].ok && want[n].at == requests[n].at:
				failed++
			case !want[n].ok:
				cancelled++
			}
		}
	}
	if failed < 500 || waited < 500 || cancelled < 500 {
		t.Errorf("%d failed at once, %d waited, %d were cancelled: too few to mean anything", failed, waited, cancelled)
	}
}

// drawRequests draws requests at times that all differ, also from the times at which a context
// ends: what happens at the same instant is up to the Go scheduler.
func drawRequests(r *rand.Rand, l limiter.Limiter) []asked {
	n := 20 + r.IntN(300)
	gap := float64(time.Second) / float64(l.QPS)
	mean := time.Duration(gap * pick(r, 0.3, 0.8, 1.2))
	out := make([]asked, n)
	now := time.Duration(0)
	for i := range out {
		now += 1 + exponential(r, mean)
		out[i].at = now
		switch r.IntN(3) {
		case 0:
			out[i].deadline = now + 1 + exponential(r, time.Duration(10*gap))
		case 1:
			out[i].cancelled = now + 1 + exponential(r, time.Duration(5*gap))
		}
	}
	return out
}

// realWaits asks client-go.
func realWaits(t *testing.T, l limiter.Limiter, requests []asked) []answered {
	out := make([]answered, len(requests))
	synctest.Test(t, func(t *testing.T) {
		real := flowcontrol.NewTokenBucketRateLimiter(l.QPS, l.Burst)
		start := time.Now()
		var all sync.WaitGroup
		for i, q := range requests {
			all.Go(func() {
				time.Sleep(q.at)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if q.deadline > 0 {
					ctx, cancel = context.WithDeadline(ctx, start.Add(q.deadline))
					defer cancel()
				}
				if q.cancelled > 0 {
					time.AfterFunc(q.cancelled-q.at, cancel)
				}
				err := real.Wait(ctx)
				if q.deadline > 0 && errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("request %d was let in and then ran into its deadline", i)
				}
				out[i] = answered{time.Since(start), err == nil}
			})
		}
		all.Wait()
	})
	return out
}

// ourWaits plays the same with our state, one event after the other.
func ourWaits(l limiter.Limiter, requests []asked) []answered {
	type event struct {
		at      time.Duration
		request int
		cancel  bool
	}
	var events []event
	for i, q := range requests {
		events = append(events, event{at: q.at, request: i})
		if q.cancelled > 0 {
			events = append(events, event{at: q.cancelled, request: i, cancel: true})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return int(a.at - b.at) })
	out := make([]answered, len(requests))
	s := l.Full()
	for _, e := range events {
		q, a := requests[e.request], &out[e.request]
		switch {
		case e.cancel:
			if a.at > e.at {
				s = l.Cancel(s, e.at, a.at)
				*a = answered{e.at, false}
			}
		case q.deadline > 0:
			s, a.at, a.ok = l.Wait(s, e.at, q.deadline)
		default:
			s, a.at = l.Reserve(s, e.at)
			a.ok = true
		}
	}
	return out
}

// TestLimiterDefaultsEqualUpstream holds what a rest.Config without figures gives: how many
// requests go at once, and how soon the next one.
func TestLimiterDefaultsEqualUpstream(t *testing.T) {
	for _, c := range []rest.Config{{}, {Burst: 3}, {QPS: 7}, {QPS: 7, Burst: 3}, {QPS: -1}, {QPS: -1, Burst: 5}} {
		synctest.Test(t, func(t *testing.T) {
			l := limiter.New(c.QPS, c.Burst)
			real := newClient(t, &c).GetRateLimiter()
			if (real == nil) != l.Unlimited() {
				t.Errorf("%+v: there is a limiter: %v", l, real != nil)
			}
			if real == nil {
				return
			}
			start, state := time.Now(), l.Full()
			for n := range 20 {
				var want time.Duration
				real.Accept()
				if state, want = l.Reserve(state, time.Since(start)); time.Since(start) != want {
					t.Errorf("%+v: request %d goes at %v, want %v", l, n, want, time.Since(start))
				}
			}
		})
	}
}

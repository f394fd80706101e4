package clientgo

import (
	"math/rand" // the source that upstream uses
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/workqueue"

	"github.com/apfsim/apfsim/workload/backoff"
)

// TestFailuresEqualUpstream compares the exponential limiter of items far beyond its bound.
func TestFailuresEqualUpstream(t *testing.T) {
	r := random(6 << 20)
	drawn := []backoff.Failures{backoff.ItemFailures(), backoff.DefaultRequeue().Item, {Base: 1, Max: 1 << 62}, {Base: 3, Max: 1}}
	for range 200 * *times {
		drawn = append(drawn, backoff.Failures{Base: 1 + exponential(r, pick(r, time.Microsecond, time.Second)), Max: exponential(r, time.Hour)})
	}
	for _, ours := range drawn {
		real := workqueue.NewTypedItemExponentialFailureRateLimiter[string](ours.Base, ours.Max)
		for failures := range 1100 {
			if got, want := ours.When(failures), real.When("item"); got != want {
				t.Fatalf("%+v: after %d failures %v, want %v", ours, failures, got, want)
			}
		}
		if real.Forget("item"); ours.When(0) != real.When("item") {
			t.Fatalf("%+v: after Forget", ours)
		}
	}
	if got, want := backoff.ItemFailures().When(0), workqueue.DefaultTypedItemBasedRateLimiter[int]().When(1); got != want {
		t.Errorf("ItemFailures begins with %v, want %v", got, want)
	}
}

// TestFastSlowEqualsUpstream compares the limiter with two delays.
func TestFastSlowEqualsUpstream(t *testing.T) {
	for attempts := range 12 {
		ours := backoff.FastSlow{Fast: time.Millisecond, Slow: time.Minute, Attempts: attempts}
		real := workqueue.NewTypedItemFastSlowRateLimiter[string](ours.Fast, ours.Slow, attempts)
		for failures := range 20 {
			if got, want := ours.When(failures), real.When("item"); got != want {
				t.Fatalf("%+v: after %d failures %v, want %v", ours, failures, got, want)
			}
		}
	}
}

// TestRequeueEqualsUpstream lets many items fail at a queue's limiter, the default one and
// others, and forgets some of them.
func TestRequeueEqualsUpstream(t *testing.T) {
	var byBucket, byItem int
	for i := range uint64(60 * *times) {
		synctest.Test(t, func(t *testing.T) {
			r := random(7<<20 + i)
			ours := backoff.DefaultRequeue()
			real := workqueue.DefaultTypedControllerRateLimiter[int]()
			if i%2 > 0 {
				ours = backoff.Requeue{
					Item:   backoff.Failures{Base: 1 + exponential(r, 10*time.Millisecond), Max: exponential(r, 10*time.Minute)},
					Bucket: drawLimiter(r),
				}
				real = workqueue.NewTypedMaxOfRateLimiter(
					workqueue.NewTypedItemExponentialFailureRateLimiter[int](ours.Item.Base, ours.Item.Max),
					&workqueue.TypedBucketRateLimiter[int]{Limiter: rate.NewLimiter(rate.Limit(ours.Bucket.QPS), ours.Bucket.Burst)})
			}
			start, state := time.Now(), ours.Bucket.Full()
			failures := make([]int, 1+r.IntN(60))
			for step := range 1000 {
				item := r.IntN(len(failures))
				if oneIn(r, 20) {
					real.Forget(item)
					failures[item] = 0
				}
				want := real.When(item)
				var got time.Duration
				state, got = ours.When(state, time.Since(start), failures[item])
				if got != want {
					t.Fatalf("%d: %+v: step %d, item %d after %d failures: %v, want %v", i, ours, step, item, failures[item], got, want)
				}
				if got == ours.Item.When(failures[item]) {
					byItem++
				} else {
					byBucket++
				}
				if failures[item]++; failures[item] != real.NumRequeues(item) {
					t.Fatalf("%d failures, want %d", failures[item], real.NumRequeues(item))
				}
				time.Sleep(exponential(r, pick(r, 0, time.Millisecond, 100*time.Millisecond)))
			}
		})
	}
	if byBucket < 1000 || byItem < 1000 {
		t.Errorf("%d delays of the bucket and %d of the item: too few to mean anything", byBucket, byItem)
	}
}

// TestItemEqualsUpstream compares flowcontrol.Backoff, whose jitter comes from a source that is
// seeded with the time.
func TestItemEqualsUpstream(t *testing.T) {
	for i := range uint64(500 * *times) {
		synctest.Test(t, func(t *testing.T) {
			r := random(8<<20 + i)
			ours := backoff.Item{Initial: 1 + exponential(r, time.Second), Max: exponential(r, time.Minute), Jitter: pick(r, 0, 0.1, r.Float64())}
			u := itemJitter(ours.Jitter)
			real := flowcontrol.NewBackOffWithJitter(ours.Initial, ours.Max, ours.Jitter)
			start := time.Now()
			var state backoff.ItemState
			for step := range 100 {
				now := time.Since(start)
				event := now - exponential(r, pick(r, 0, time.Second, time.Minute))
				if got, want := ours.Waits(state, event, now), real.IsInBackOffSince("x", start.Add(event)); got != want {
					t.Fatalf("%d: %+v: step %d: waits: %v, want %v", i, ours, step, got, want)
				}
				if got, want := ours.WaitsSinceUpdate(state, event), real.IsInBackOffSinceUpdate("x", start.Add(event)); got != want {
					t.Fatalf("%d: %+v: step %d: waits since update: %v, want %v", i, ours, step, got, want)
				}
				if oneIn(r, 20) {
					real.Reset("x")
					state = backoff.ItemState{}
				}
				real.Next("x", start.Add(event))
				state = ours.Next(state, event, now, u())
				if want := real.Get("x"); state.Delay != want {
					t.Fatalf("%d: %+v: step %d: %v, want %v", i, ours, step, state.Delay, want)
				}
				time.Sleep(exponential(r, pick(r, 0, ours.Initial, ours.Max, 3*ours.Max)))
			}
		})
	}
}

// itemJitter returns the numbers that a flowcontrol.Backoff made now will draw.
func itemJitter(jitter float64) func() float64 {
	if jitter == 0 {
		return func() float64 { return 0 }
	}
	return rand.New(rand.NewSource(time.Now().UnixNano())).Float64
}

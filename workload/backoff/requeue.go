package backoff

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/workload/limiter"
)

// The rate limiters of work queues tell how long an item that failed stays out of the queue
// (AddRateLimited). They know an item by the number of its failures, which the caller keeps:
// one more with each failure, 0 again after Forget.

// Failures doubles the delay with each failure of an item (ItemExponentialFailureRateLimiter):
// Base * 2^failures, at most Max.
type Failures struct{ Base, Max time.Duration }

// ItemFailures are the delays of DefaultTypedItemBasedRateLimiter: 1 ms to 1000 s.
func ItemFailures() Failures { return Failures{time.Millisecond, 1000 * time.Second} }

// When returns the delay of an item that has failed now, and so often before.
func (f Failures) When(failures int) time.Duration {
	// A product with a power of two is exact, and so equal to the original's math.Pow.
	ns := math.Ldexp(float64(f.Base), failures)
	if ns > math.MaxInt64 {
		return f.Max
	}
	return min(truncated(ns), f.Max)
}

// FastSlow has one delay for the first failures of an item and another for all later ones
// (ItemFastSlowRateLimiter).
type FastSlow struct {
	Fast, Slow time.Duration
	// Attempts is how many failures are followed by the fast delay.
	Attempts int
}

// When returns the delay of an item that has failed now, and so often before.
func (f FastSlow) When(failures int) time.Duration {
	if failures < f.Attempts {
		return f.Fast
	}
	return f.Slow
}

// Requeue is the rate limiter of a controller's work queue: the longer of the delay of the item
// and of a token bucket that all items share (MaxOfRateLimiter of an
// ItemExponentialFailureRateLimiter and a BucketRateLimiter). Each failure takes a token, also
// where its own delay is the longer.
type Requeue struct {
	Item   Failures
	Bucket limiter.Limiter
}

// DefaultRequeue is DefaultTypedControllerRateLimiter: 5 ms to 1000 s for each item, and 10 items
// a second in all after the first 100.
func DefaultRequeue() Requeue {
	return Requeue{
		Item:   Failures{5 * time.Millisecond, 1000 * time.Second},
		Bucket: limiter.Limiter{QPS: 10, Burst: 100},
	}
}

// When returns the delay of an item that has failed now, and so often before. The state is that
// of the bucket, one for the queue.
func (r Requeue) When(s limiter.State, now time.Duration, failures int) (next limiter.State, delay time.Duration) {
	next, at := r.Bucket.Reserve(s, now)
	return next, max(at-now, r.Item.When(failures))
}

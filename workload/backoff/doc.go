// Package backoff has the ways in which Kubernetes clients space out what they try again:
// wait.Backoff with its resets (k8s.io/apimachinery pkg/util/wait, v0.37.2),
// flowcontrol.Backoff (client-go util/flowcontrol/backoff.go, v0.37.2) and the rate limiters of
// work queues (client-go util/workqueue/default_rate_limiters.go, v0.37.2).
//
// Each is a configuration and a small state, both values: (state, now, u) -> (state, delay). u
// is a number in [0, 1) that the caller draws, where the original draws one itself; where
// nothing is random, it is not looked at. Delays are equal to the original's to the nanosecond:
// products are computed in float64 in its order, and rounded towards 0.
package backoff

import (
	"math"
	"time"
)

// truncated converts a number of nanoseconds as the original does on amd64: towards 0, and the
// least Duration for what a Duration cannot hold. The Go specification leaves the latter to
// the processor, so a plain conversion would not be the same everywhere.
func truncated(ns float64) time.Duration {
	if ns >= math.MinInt64 && ns < -math.MinInt64 {
		return time.Duration(ns)
	}
	return math.MinInt64
}

// Jitter returns d plus up to factor times d (wait.Jitter). A factor of 0 or less counts as 1.
func Jitter(d time.Duration, factor, u float64) time.Duration {
	if factor <= 0 {
		factor = 1
	}
	return d + truncated(u*factor*float64(d))
}

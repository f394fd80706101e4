package workload

import "time"

// Closed is a closed loop: a client that waits for its answers. It keeps Concurrency
// requests in flight, and after each answer thinks before it asks again. The first
// requests are sent after one think time each.
type Closed struct {
	Concurrency int
	Think       Distribution
}

// Lease is leader election as client-go does it (tools/leaderelection): the holder renews
// its lease every RetryPeriod, tries again as often if that fails, and loses the lease when
// RenewDeadline has passed since the first of these tries. Others may take it after Duration.
type Lease struct {
	Duration, RenewDeadline, RetryPeriod time.Duration
}

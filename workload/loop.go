package workload

import "time"

// Closed is a closed loop: a client that waits for its answers. It keeps Concurrency
// requests in flight, and after each answer thinks before it asks again. The first
// requests are sent after one think time each.
type Closed struct {
	Concurrency int
	Think       Distribution
}

// Lease is leader election as client-go does it (tools/leaderelection, v0.37.2), and the process
// around it. The holder renews its lease every RetryPeriod, tries again as often if that fails,
// and loses the lease when RenewDeadline has passed since the first of these tries. Its process
// ends then, and begins anew. Another one takes the lease when it has not seen a renewal for
// Duration.
//
// The requests of its population are, in this order: update the lease, get the lease. Further
// requests are the groups of an Informer: what the process lists when it begins, before it
// stands for election.
type Lease struct {
	Duration, RenewDeadline, RetryPeriod time.Duration
	// Candidates is how many clients contend for each lease: neighbours, the first of whom holds
	// it at the beginning. 0 counts as 1.
	Candidates int
	// Restart is how long a process takes from its end to its first request. One that ends again
	// soon waits longer, as the kubelet makes it (CrashLoopBackOff).
	Restart time.Duration
	// Release: the holder gives the lease back when it stops (ReleaseOnCancel).
	Release bool
	// ListWhenLeading: the process lists what it watches when it has been elected, as
	// kube-controller-manager does, and not before, as kube-scheduler does.
	ListWhenLeading bool
}

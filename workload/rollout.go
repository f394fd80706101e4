package workload

import (
	"strconv"
	"time"
)

// Rollout restarts the pods of a DaemonSet, one on each node: a client is a node's pod, an
// Informer process. A pod is available again when it has listed all that it watches.
//
// What the old pods did is not part of it: nothing happens before At.
type Rollout struct {
	// At is when the rollout begins.
	At time.Duration
	// MaxUnavailable is how many pods may be missing at once. 0: all restart at once, as when
	// nodes are set up together.
	MaxUnavailable int
	// Start is how long a pod takes from the end of its predecessor to its first request.
	Start Distribution
}

// Requests is part of Behaviour.
func (r Rollout) Requests() int { return 2 }

// String is part of Behaviour.
func (r Rollout) String() string {
	return mapping("rollout", "at", r.At.String(), "maxUnavailable", strconv.Itoa(r.MaxUnavailable), "start", "{"+r.Start.String()+"}")
}

// Validate is part of Behaviour.
func (r Rollout) Validate() []error {
	all := faultsOf(
		checkDuration("rollout.at", r.At, 0),
		checkCount("rollout.maxUnavailable", r.MaxUnavailable, 0))
	if r.Start.IsZero() {
		all = append(all, &FieldError{"rollout.start", "is not given", "a distribution"})
	}
	return all
}

package seats

import (
	"slices"

	"github.com/apfsim/apfsim/scheduler"
)

// queuesMax is far above the number of queues that any level needs. Making the millions
// that are legal takes seconds and gigabytes for each level.
const queuesMax = 10_000

// WithFewQueues is a configuration whose levels have queues that are soon made, and all
// else that it had: where requests go, what flow they are of and what they cost does not
// depend on the number of queues. Only the hands of flows do, so the level named keep, if
// there is one, has all of its queues.
func WithFewQueues(cfg scheduler.Config, keep string) scheduler.Config {
	cfg.PriorityLevels = slices.Clone(cfg.PriorityLevels)
	for i := range cfg.PriorityLevels {
		l := &cfg.PriorityLevels[i]
		if l.Queuing != nil && l.Queuing.Queues > queuesMax && l.Name != keep {
			fewer := *l.Queuing
			fewer.Queues = queuesMax
			l.Queuing = &fewer
		}
	}
	return cfg
}

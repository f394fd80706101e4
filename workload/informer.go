package workload

import "time"

// Informer is a process with informers, such as a controller's: it lists what it watches,
// watches on, and lists again when it cannot go on (client-go tools/cache/reflector.go, v0.37.2).
//
// The requests of its population are groups of neighbours, one for each resource: a LIST and a
// WATCH; or three, with a WATCH before them that asks for initial events. The latter is how
// client-go has begun since 1.35 by default (its feature WatchListClient): the stream first, and
// the LIST only if the server does not know it.
type Informer struct {
	// At and Over tell when the processes begin: at random within Over, from At on.
	At, Over time.Duration
}

// Requests is part of Behaviour: at least one LIST and one WATCH.
func (i Informer) Requests() int { return 2 }

// String is part of Behaviour.
func (i Informer) String() string {
	return mapping("informer", "at", i.At.String(), "over", i.Over.String())
}

// Validate is part of Behaviour.
func (i Informer) Validate() []error {
	return faultsOf(checkDuration("informer.at", i.At, 0), checkDuration("informer.over", i.Over, 0))
}

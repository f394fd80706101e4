package fairqueue

// State is a summary of a set at the time of its last call.
type State struct {
	// Limit is the concurrency limit in force, in seats.
	Limit int
	// SeatsInUse counts executing and lingering requests; SeatsWaiting is the total that
	// upstream keeps, with what trimmed requests have left in it.
	SeatsInUse, SeatsWaiting int
	// Waiting and Executing count requests.
	Waiting, Executing int
	// Queues are those in force, ActiveQueues those with waiting or executing requests.
	Queues, ActiveQueues int
	// R is the progress meter: the work that an always active queue would have been given.
	R SeatSeconds
}

// State returns a summary of the set.
func (s *Set) State() State {
	return State{
		Limit:        s.limit,
		SeatsInUse:   s.seatsInUse,
		SeatsWaiting: s.seatsWaiting,
		Waiting:      s.waiting,
		Executing:    s.executing,
		Queues:       len(s.order),
		ActiveQueues: s.active,
		R:            s.r,
	}
}

// QueueState is a summary of one queue.
type QueueState struct {
	// Waiting and Executing count requests.
	Waiting, Executing int
	// SeatsInUse counts executing and lingering requests.
	SeatsInUse int
	// Work is that of the waiting requests, of both phases.
	Work SeatSeconds
	// NextDispatchR is the reading of R at which the next request is due.
	NextDispatchR SeatSeconds
}

// QueueState returns a summary of the queue with this index.
func (s *Set) QueueState(index int) QueueState {
	q := &s.queues[s.order[index]]
	return QueueState{
		Waiting:       int(q.waiting),
		Executing:     int(q.executing),
		SeatsInUse:    q.seatsInUse,
		Work:          q.work,
		NextDispatchR: q.nextDispatchR,
	}
}

// VirtualStart implements QueueSet.
func (s *Set) VirtualStart(int) float64 { return 0 }

// Tag returns what the caller gave a present request at its arrival.
func (s *Set) Tag(h Handle) uint32 { return s.requests[h].tag }

// Panics counts the times at which upstream would have panicked: a queue was removed with
// requests waiting in it, and then only such requests waited, or it was to be removed once
// more (see removeIfSurplus). The request at whose end that happens fails; at the end of a
// lingering it is the whole process.
func (s *Set) Panics() int { return s.panics }

package fairqueue

// Progress is what the metrics of a release tell of the virtual time of a set, in seat-seconds; up
// to 1.22 in seconds.
type Progress struct {
	// R is the progress meter at the time of the last call.
	R float64
	// Dispatched tells that a request has left a queue to execute, and what follows is of the last
	// one: R at that moment, the place of its queue on the axis of R, and of all queues in
	// which something waited the lowest and the highest place, without and with a discount of the guessed
	// work of the seats that the queue used.
	Dispatched                                             bool
	DispatchR, S, MinS, MaxS, MinDiscounted, MaxDiscounted float64
	// EpochAdvances counts how often R was wound back, EpochFaults how many of these times a
	// reading was too small for that.
	EpochAdvances, EpochFaults int64
}

// places are the readings of R at a dispatch. They wrap as upstream's do.
type places struct {
	any                                            bool
	r, s, minS, maxS, minDiscounted, maxDiscounted SeatSeconds
}

// RecordDispatches makes the set keep of its last dispatch what Progress tells. Nothing that the
// set decides depends on it. It costs a look at each queue when several requests wait.
func (s *Set) RecordDispatches() { s.recording = true }

// recordDispatch takes the readings for a queue whose head is about to be dispatched.
func (s *Set) recordDispatch(chosen *queue) {
	p := places{any: true, r: s.r, s: chosen.nextDispatchR, minS: noKey, minDiscounted: noKey}
	if s.waiting == 1 {
		p.note(chosen)
		s.last = p
		return
	}
	for i := range s.queues {
		if q := &s.queues[i]; q.present && q.head >= 0 {
			p.note(q)
		}
	}
	s.last = p
}

// note takes the readings of a queue in which something waits.
func (p *places) note(q *queue) {
	discounted := q.nextDispatchR - SeatSeconds(q.seatsInUse)*guessPerSeat
	p.minS, p.maxS = min(p.minS, q.nextDispatchR), max(p.maxS, q.nextDispatchR)
	p.minDiscounted, p.maxDiscounted = min(p.minDiscounted, discounted), max(p.maxDiscounted, discounted)
}

// Progress implements QueueSet.
func (s *Set) Progress() Progress {
	p := Progress{R: s.r.seconds(), Dispatched: s.last.any, EpochAdvances: s.epochs, EpochFaults: s.epochFaults}
	if l := &s.last; l.any {
		p.DispatchR, p.S = l.r.seconds(), l.s.seconds()
		p.MinS, p.MaxS = l.minS.seconds(), l.maxS.seconds()
		p.MinDiscounted, p.MaxDiscounted = l.minDiscounted.seconds(), l.maxDiscounted.seconds()
	}
	return p
}

// seconds is upstream's ToFloat.
func (s SeatSeconds) seconds() float64 { return float64(s) / unitsPerSeatSecond }

// QueueLength implements QueueSet.
func (s *Set) QueueLength() int { return s.queueLength }

// Refused implements QueueSet.
func (s *Set) Refused() Handle { return s.refused }

// RecordDispatches implements QueueSet.
func (s *secondsSet) RecordDispatches() { s.recording = true }

// Progress implements QueueSet.
func (s *secondsSet) Progress() Progress {
	p := s.last
	p.R = s.virtual
	return p
}

// recordDispatch takes the readings for a queue whose head is about to be dispatched. The place of the
// chosen one is added when it has caught up.
func (s *secondsSet) recordDispatch() {
	p := Progress{Dispatched: true, DispatchR: s.virtual}
	first := true
	for _, q := range s.queues {
		if len(q.waiting) == 0 {
			continue
		}
		discounted := q.start - float64(secondsGuess*float64(q.seatsInUse))
		if first {
			p.MinS, p.MaxS, p.MinDiscounted, p.MaxDiscounted = q.start, q.start, discounted, discounted
			first = false
		}
		p.MinS, p.MaxS = min(p.MinS, q.start), max(p.MaxS, q.start)
		p.MinDiscounted, p.MaxDiscounted = min(p.MinDiscounted, discounted), max(p.MaxDiscounted, discounted)
	}
	s.last = p
}

// QueueLength implements QueueSet.
func (s *secondsSet) QueueLength() int { return s.queueLength }

// Refused implements QueueSet. These releases do not count it.
func (s *secondsSet) Refused() Handle { return None }

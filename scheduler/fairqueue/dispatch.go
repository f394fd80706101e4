package fairqueue

import (
	"math"
	"time"
)

// dispatch lets requests go while something waits, there are seats, and the head of
// the next queue fits.
func (s *Set) dispatch() {
	if invariants {
		defer s.checkHeads()
	}
	for s.waiting != 0 && s.seatsInUse < s.limit {
		index := s.finish.next(s.robin + 1)
		if index < 0 {
			// Only requests of a removed queue wait. Upstream dereferences nil here.
			s.panics++
			return
		}
		q := &s.queues[s.order[index]]
		if !s.fits(s.requests[q.head].estimate.Width()) {
			// The round robin stays where it is. Upstream's scan has gone once around, which
			// turns the -1 left by the removal of queue 0 into the index of the last queue;
			// it shows if queues are added or removed before the next dispatch.
			if s.robin < 0 {
				s.robin = len(s.order) - 1
			}
			s.refused = Handle(q.head)
			return
		}
		s.dispatchHead(index)
	}
}

// fits tells whether a request of this width may be dispatched now. One that is wider
// than the limit gets its turn when nothing executes.
func (s *Set) fits(width int) bool {
	switch {
	case s.cfg.Queues < 0:
		return true
	case width > s.limit:
		return s.executing == 0
	default:
		return s.seatsInUse+width <= s.limit
	}
}

// dispatchHead dispatches the oldest request of a queue.
//
// Final seats above the limit are trimmed to it and the latency stretched to match.
// The order of the steps is upstream's, because it shows: the queue's sums lose the
// width before the trim, the level's total the width after it, so the difference
// stays in the total, and in the demand, for ever.
func (s *Set) dispatchHead(index int) {
	q := &s.queues[s.order[index]]
	if s.recording {
		s.recordDispatch(q)
	}
	h := Handle(q.head)
	s.unlink(h)
	r := &s.requests[h]
	asked := r.estimate.Width()
	r.estimate = r.estimate.Trimmed(s.limit)
	s.robin = index
	width := r.estimate.Width()
	s.waiting--
	s.seatsWaiting -= width
	s.executing++
	s.seatsInUse += width
	q.executing++
	q.seatsInUse += width
	s.queueSeats += width
	r.started = s.synced
	r.phase = executing
	s.noteDemand()
	q.nextDispatchR += r.work
	s.bound(q)
	s.rank(q)
	s.out = append(s.out, Dispatch{Handle: h, Tag: r.tag})
	if invariants {
		s.checkSeats(asked)
	}
}

// admit lets a request execute at once in a set without queues.
func (s *Set) admit(now time.Duration, e Estimate, tag uint32) Handle {
	h := s.alloc()
	s.requests[h] = request{estimate: e, queue: nowhere, started: now, tag: tag, phase: executing}
	s.executing++
	s.seatsInUse += e.Width()
	s.noteDemand()
	s.out = append(s.out, Dispatch{Handle: h, Tag: tag})
	return h
}

// sync advances R for the time that has passed in the present state. Each call rounds
// once, so when it is called is part of the behaviour.
func (s *Set) sync(now time.Duration) {
	elapsed := now - s.synced
	if elapsed == 0 {
		return
	}
	s.synced = now
	before := s.r
	s.r += SeatsTimesDuration(s.speed(), elapsed)
	if s.r >= before && s.r >= highR {
		s.advanceEpoch()
	}
}

// speed is dR/dt: how many seats each active queue gets, or could use.
func (s *Set) speed() float64 {
	if s.active == 0 {
		return 0
	}
	return float64(min(s.queueSeats, s.limit)) / float64(s.active)
}

// epoch is how far R and all readings of it are wound back when R has reached highR,
// so that it never overflows.
const (
	epoch = SeatSeconds(math.MaxUint64) / 2
	highR = epoch + epoch/2
)

// advanceEpoch winds R back. Idle queues have no reading worth keeping.
func (s *Set) advanceEpoch() {
	s.r -= epoch
	s.epochs++
	fault := int64(0)
	for _, slot := range s.order {
		q := &s.queues[slot]
		if q.idle() {
			q.nextDispatchR = 0
			continue
		}
		if q.nextDispatchR < epoch {
			fault = 1
		}
		q.nextDispatchR -= epoch
		for h := q.head; h >= 0; h = s.requests[h].next {
			if s.requests[h].arrivalR < epoch {
				fault = 1
			}
			s.requests[h].arrivalR -= epoch
		}
	}
	s.epochFaults += fault
	s.rebuild()
}

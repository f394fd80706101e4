//go:build apfsim_invariants

package fairqueue

import "fmt"

// invariants switches the checks on; they cost a scan of all queues per call.
const invariants = true

// check panics if a sum that is kept differs from the sum made anew, or if a queue is not
// first come first served.
func (s *Set) check() {
	var active, queueSeats int
	for i, slot := range s.order {
		q := &s.queues[slot]
		s.checkQueue(i, q)
		queueSeats += q.seatsInUse + q.seatsWaiting
		if !q.idle() {
			active++
		}
	}
	if active != s.active || queueSeats != s.queueSeats {
		panic(fmt.Sprintf("fairqueue: active %d and %d seats kept, %d and %d counted", s.active, s.queueSeats, active, queueSeats))
	}
	executes, seats := 0, 0
	for i := range s.requests {
		switch r := &s.requests[i]; r.phase {
		case executing:
			executes++
			seats += r.estimate.Width()
		case lingering:
			seats += r.estimate.Width()
		}
	}
	if executes != s.executing || seats != s.seatsInUse {
		panic(fmt.Sprintf("fairqueue: executing %d on %d seats kept, %d on %d counted", s.executing, s.seatsInUse, executes, seats))
	}
}

// checkHeads panics if the head of the next queue waits though it could go. That holds
// after every look for somebody to dispatch; an expiry is not followed by one, nor is a
// rejected arrival.
func (s *Set) checkHeads() {
	if next := s.finish.next(s.robin + 1); next >= 0 && s.seatsInUse < s.limit {
		if width := s.requests[s.queues[s.order[next]].head].estimate.Width(); s.fits(width) {
			panic(fmt.Sprintf("fairqueue: the head of queue %d waits for %d seats while %d of %d are in use", next, width, s.seatsInUse, s.limit))
		}
	}
}

// checkQueue panics if the sums, the order or the rank of a queue are wrong.
func (s *Set) checkQueue(index int, q *queue) {
	n, seats, work := 0, 0, SeatSeconds(0)
	for h, prev := q.head, int32(nowhere); h >= 0; h = s.requests[h].next {
		r := &s.requests[h]
		if r.prev != prev || r.phase != waiting {
			panic(fmt.Sprintf("fairqueue: queue %d is broken at request %d", index, h))
		}
		if prev >= 0 && int64(r.arrivalR-s.requests[prev].arrivalR) < 0 { // an epoch may wrap either
			panic(fmt.Sprintf("fairqueue: queue %d is not first come first served at request %d", index, h))
		}
		n, seats, work, prev = n+1, seats+r.estimate.Width(), work+r.work, h
	}
	if n != int(q.waiting) || seats != q.seatsWaiting || work != q.work || int(q.index) != index || !q.present {
		panic(fmt.Sprintf("fairqueue: queue %d keeps %d requests, %d seats, %v; counted %d, %d, %v", index, q.waiting, q.seatsWaiting, q.work, n, seats, work))
	}
	key := noKey
	if q.head >= 0 {
		key = q.nextDispatchR + s.requests[q.head].work
	}
	if kept := s.finish.keys[s.finish.leaves+index]; kept != key {
		panic(fmt.Sprintf("fairqueue: queue %d is ranked %d, should be %d", index, kept, key))
	}
}

// checkSeats panics if a dispatch took the set above its limit, which only a request
// wider than the limit may do, when nothing else executes. It is about the width that
// was asked for: one trimmed to the limit goes beside lingering seats all the same.
// Exempt sets have no limit.
func (s *Set) checkSeats(asked int) {
	if s.seatsInUse > s.limit && s.cfg.Queues >= 0 && !(asked > s.limit && s.executing == 1) {
		panic(fmt.Sprintf("fairqueue: %d seats in use of %d after the dispatch of a request of %d, with %d executing", s.seatsInUse, s.limit, asked, s.executing))
	}
}

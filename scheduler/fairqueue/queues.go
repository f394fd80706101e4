package fairqueue

import "time"

// choose returns the index of the queue of a hand that has the least work waiting. The
// visit starts one card later for each request, so that flows whose hands overlap
// do not all prefer the same queue; the first of equals wins.
func (s *Set) choose(hand []int32) int {
	i := s.arrivals % len(hand)
	s.arrivals++
	best, least := nowhere, noKey
	for range hand {
		if work := s.queues[s.order[hand[i]]].work; work < least {
			best, least = int(hand[i]), work
		}
		if i++; i == len(hand) {
			i = 0
		}
	}
	return best
}

// enqueue puts a new request at the end of a queue, whatever the queue's length.
func (s *Set) enqueue(e Estimate, slot int32, tag uint32) Handle {
	h := s.alloc()
	q := &s.queues[slot]
	if q.idle() {
		q.nextDispatchR = s.r
		s.active++
	}
	r := &s.requests[h] // field by field: a composite would be built elsewhere and copied
	r.arrivalR, r.work, r.started = s.r, work(e), s.synced
	r.estimate = e
	r.queue, r.next, r.prev = slot, nowhere, q.tail
	r.tag, r.phase = tag, waiting
	if q.tail >= 0 {
		s.requests[q.tail].next = int32(h)
	} else {
		q.head = int32(h)
	}
	q.tail = int32(h)
	width := e.Width()
	q.waiting++
	s.queueLength = int(q.waiting)
	q.work += r.work
	q.seatsWaiting += width
	s.queueSeats += width
	s.waiting++
	s.seatsWaiting += width
	s.noteDemand()
	s.bound(q)
	return h
}

// ejectOlder ejects the requests of a queue that arrived before a time. Its caller bounds
// and ranks the queue once it has done with it. Their records are free at the next call:
// who arrives now must not have the handle of one of them, as both are told at once.
func (s *Set) ejectOlder(q *queue, before time.Duration) {
	if q.head < 0 || s.requests[q.head].started >= before {
		return
	}
	for q.head >= 0 && s.requests[q.head].started < before {
		h := Handle(q.head)
		r := &s.requests[h]
		s.unlink(h)
		s.waiting--
		s.seatsWaiting -= r.estimate.Width()
		s.ejected = append(s.ejected, Dispatch{Handle: h, Tag: r.tag})
		r.phase = unused
	}
	if q.idle() {
		s.active--
	}
	s.noteDemand()
}

// unlink takes a waiting request out of its queue and out of the queue's sums, with
// the width that it had on arrival.
func (s *Set) unlink(h Handle) {
	r := &s.requests[h]
	q := &s.queues[r.queue]
	if r.prev >= 0 {
		s.requests[r.prev].next = r.next
	} else {
		q.head = r.next
	}
	if r.next >= 0 {
		s.requests[r.next].prev = r.prev
	} else {
		q.tail = r.prev
	}
	width := r.estimate.Width()
	q.waiting--
	q.work -= r.work
	q.seatsWaiting -= width
	if q.present {
		s.queueSeats -= width
	}
}

// bound is the anti-windup rule: the head of a queue is not dispatched, in virtual
// time, before it arrived. It is due whenever the head or nextDispatchR may have
// changed, and rank after it.
func (s *Set) bound(q *queue) {
	if q.head >= 0 {
		q.nextDispatchR = max(q.nextDispatchR, s.requests[q.head].arrivalR)
	}
}

// rank tells the tournament the virtual finish of the head of a queue.
func (s *Set) rank(q *queue) {
	if !q.present {
		return
	}
	key := noKey
	if q.head >= 0 {
		key = q.nextDispatchR + s.requests[q.head].work
	}
	if s.finish.keys[s.finish.leaves+int(q.index)] != key {
		s.finish.set(int(q.index), key)
	}
}

// release frees the seats of a request and the request itself. A queue that has
// become surplus and empty is removed on this occasion, and on no other.
func (s *Set) release(h Handle) {
	r := &s.requests[h]
	width := r.estimate.Width()
	s.seatsInUse -= width
	s.noteDemand()
	if r.queue >= 0 {
		q := &s.queues[r.queue]
		q.seatsInUse -= width
		if q.present {
			s.queueSeats -= width
		}
		s.removeIfSurplus(r.queue)
	}
	s.free(h)
}

// addQueue appends an empty queue to those in force.
func (s *Set) addQueue() {
	var slot int32
	if n := len(s.freeQueue); n > 0 {
		slot, s.freeQueue = s.freeQueue[n-1], s.freeQueue[:n-1]
	} else {
		slot = int32(len(s.queues))
		s.queues = append(s.queues, queue{})
	}
	s.queues[slot] = queue{head: nowhere, tail: nowhere, index: int32(len(s.order)), present: true}
	s.order = append(s.order, slot)
}

// removeIfSurplus removes the queue in a slot from those in force if it is idle and
// there are more queues than wanted.
//
// Upstream removes by the index that the queue has or last had. If a queue goes while
// a request of it lingers, the end of that lingering removes a second queue, the one
// that has the same index now, busy or not; the requests waiting there are never
// dispatched. The accident is kept. Where upstream would panic, because no queue has
// that index any more, nothing is removed here.
func (s *Set) removeIfSurplus(slot int32) {
	q := &s.queues[slot]
	if len(s.order) <= max(s.cfg.Queues, 0) || !q.idle() {
		s.recycle(slot)
		return
	}
	if index := int(q.index); index >= len(s.order) {
		s.panics++
	} else {
		victim := s.order[index]
		s.detach(victim)
		s.order = append(s.order[:index], s.order[index+1:]...)
		for i := index; i < len(s.order); i++ {
			s.queues[s.order[i]].index--
		}
		if s.robin >= index {
			s.robin--
		}
		s.rebuild()
		s.recycle(victim)
	}
	s.recycle(slot)
}

// detach takes a queue out of the sums over the queues in force.
func (s *Set) detach(slot int32) {
	q := &s.queues[slot]
	q.present = false
	s.queueSeats -= q.seatsInUse + q.seatsWaiting
	if !q.idle() {
		s.active--
	}
}

// recycle makes the slot of a removed queue free for another once no request refers
// to it.
func (s *Set) recycle(slot int32) {
	q := &s.queues[slot]
	if q.present || !q.idle() || q.seatsInUse > 0 || q.index == nowhere {
		return
	}
	q.index = nowhere
	s.freeQueue = append(s.freeQueue, slot)
}

// rebuild ranks all queues anew, after their indexes changed.
func (s *Set) rebuild() {
	s.finish.reset(len(s.order))
	for _, slot := range s.order {
		s.rank(&s.queues[slot])
	}
}

// alloc returns an unused record.
func (s *Set) alloc() Handle {
	if h := s.freeRequest; h >= 0 {
		s.freeRequest = s.requests[h].next
		return Handle(h)
	}
	s.requests = append(s.requests, request{})
	return Handle(len(s.requests) - 1)
}

// free makes a record available for another request.
func (s *Set) free(h Handle) {
	s.requests[h].phase = unused
	s.requests[h].next = s.freeRequest
	s.freeRequest = int32(h)
}

// noteDemand integrates the demand: seats in use and seats waited for. It is due at
// every change of the seats, also one that leaves the sum as it was.
func (s *Set) noteDemand() {
	s.demand.Set(s.synced, float64(s.seatsInUse+s.seatsWaiting))
}

// guessPerSeat is the work of one seat for the guessed time. It is a whole number of
// units, so that multiples of it need no rounding.
const guessPerSeat = SeatSeconds(guess / nanosPerUnit)

// work is the estimated work of both phases of a request.
func work(e Estimate) SeatSeconds {
	return SeatSeconds(e.InitialSeats)*guessPerSeat + finalWork(e)
}

func finalWork(e Estimate) SeatSeconds {
	if e.FinalSeats == 0 {
		return 0
	}
	return SeatsTimesDuration(float64(e.FinalSeats), e.AdditionalLatency)
}

// latencyPerSeat is the additional latency that does the same final work on fewer seats.
func latencyPerSeat(e Estimate, seats int) time.Duration {
	return finalWork(e).DurationPerSeat(float64(seats))
}

package fairqueue

import (
	"math"
	"slices"
	"time"
)

// idle is upstream's test for an empty queue.
func (q *secondsQueue) idle() bool { return len(q.waiting) == 0 && q.executing == 0 }

// choose returns the queue of a hand with the fewest waiting seats. The first of equals in
// the order of the deal wins.
func (s *secondsSet) choose(hand []int32) *secondsQueue {
	best := s.queues[hand[0]]
	for _, card := range hand[1:] {
		if q := s.queues[card]; q.seatsWaiting < best.seatsWaiting {
			best = q
		}
	}
	return best
}

// ejectOlder ejects the requests of a queue that arrived before a time. What they were
// charged for is nothing yet, so the start of the queue stays. Their records are free at the
// next call (see Ejected).
func (s *secondsSet) ejectOlder(q *secondsQueue, before time.Duration) {
	n := 0
	for n < len(q.waiting) && s.requests[q.waiting[n]].started < before {
		h := q.waiting[n]
		r := &s.requests[h]
		q.seatsWaiting -= r.seats
		s.ejected = append(s.ejected, Dispatch{Handle: h, Tag: r.tag})
		r.phase = unused
		n++
	}
	q.waiting = slices.Delete(q.waiting, 0, n)
	s.waiting -= n
}

// dispatch lets requests go while something waits and there are seats.
func (s *secondsSet) dispatch() {
	for s.waiting != 0 && s.seatsInUse < s.limit {
		q := s.next()
		h := q.waiting[0]
		if !s.fits(s.requests[h].seats) {
			return
		}
		s.robin = q.index
		if s.recording {
			s.recordDispatch()
		}
		s.catchUp(q)
		s.last.S = q.start
		q.waiting = slices.Delete(q.waiting, 0, 1)
		r := &s.requests[h]
		q.seatsWaiting -= r.seats
		s.waiting--
		q.executing++
		q.seatsInUse += r.seats
		q.start += float64(secondsGuess * float64(r.seats))
		s.execute(h)
	}
}

// next returns the first queue in round robin order whose head has the least virtual
// finish; something has to wait. The width of the head is not looked at. Upstream's scan
// goes once around and turns the -1 that the removal of queue 0 may have left into the
// index of the last queue.
//
// Adding the guess to each start rounds, and makes ties of starts that differ by less than
// a part in 2^53.
func (s *secondsSet) next() *secondsQueue {
	var best *secondsQueue
	least := math.Inf(1)
	for range s.queues {
		s.robin = (s.robin + 1) % len(s.queues)
		q := s.queues[s.robin]
		if len(q.waiting) == 0 {
			continue
		}
		if finish := q.start + secondsGuess; finish < least {
			best, least = q, finish
		}
	}
	return best
}

// catchUp keeps the start of a queue, without the guesses that it is still charged for what
// executes, from falling behind virtual time: it would be owed for times in which it had
// nothing to send.
func (s *secondsSet) catchUp(q *secondsQueue) {
	charged := float64(float64(q.seatsInUse) * secondsGuess)
	if s.virtual > q.start-charged {
		q.start = s.virtual + charged
	}
}

// fits tells whether a request of so many seats may be dispatched now. One that is wider
// than the limit gets its turn when nothing executes.
func (s *secondsSet) fits(seats int) bool {
	switch {
	case s.cfg.Queues < 0:
		return true
	case seats > s.limit:
		return s.executing == 0
	}
	return s.seatsInUse+seats <= s.limit
}

// execute starts the execution of a request, which is in no queue any more.
func (s *secondsSet) execute(h Handle) {
	r := &s.requests[h]
	r.phase, r.started = executing, s.synced
	s.executing++
	s.seatsInUse += r.seats
	s.out = append(s.out, Dispatch{Handle: h, Tag: r.tag})
}

// speed is how fast virtual time goes: how many seats each active queue gets, or could use.
func (s *secondsSet) speed() float64 {
	active, seats := 0, 0
	for _, q := range s.queues {
		seats += q.seatsInUse + q.seatsWaiting
		if !q.idle() {
			active++
		}
	}
	if active == 0 {
		return 0
	}
	return float64(min(seats, s.limit)) / float64(active)
}

// removeIfSurplus removes a queue from those in force if it is idle and there are more
// queues than wanted. It is due when a request of the queue has finished.
func (s *secondsSet) removeIfSurplus(q *secondsQueue) {
	if len(s.queues) <= max(s.cfg.Queues, 0) || !q.idle() {
		return
	}
	s.queues = slices.Delete(s.queues, q.index, q.index+1)
	for _, later := range s.queues[q.index:] {
		later.index--
	}
	if s.robin >= q.index {
		s.robin--
	}
}

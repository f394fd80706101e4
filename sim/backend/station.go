package backend

import "time"

// station serves so many jobs at a time, first come, first served. Those in service do not
// disturb each other: with Poisson arrivals and exponential work it is the M/M/c queue.
type station struct {
	slots   int
	service pool
	// waiting is a list by job, so that one that gives up can leave from the middle of it.
	waiting     []place
	first, last int32
	length      int
	// peak is the most that ever waited, and served the jobs that were done.
	peak   int
	served int64
	// busy is the time of all slots in use, in nanoseconds of 128 bits.
	busyHigh, busyLow uint64
}

// place is where a job stands in the list of those that wait.
type place struct {
	before, after int32
	work          time.Duration
	here          bool
}

func newStation(slots int) station {
	s := station{slots: slots, first: none, last: none}
	s.slow(0, Unchanged)
	return s
}

// advance lets time pass.
func (s *station) advance(now time.Duration) {
	if d := now - s.service.now; d > 0 && len(s.service.heap) > 0 {
		s.busyHigh, s.busyLow = addProduct(s.busyHigh, s.busyLow, uint64(d), uint64(len(s.service.heap)))
	}
	s.service.advance(now)
}

// slow changes the speed, also of what is in service.
func (s *station) slow(now time.Duration, f Factor) {
	s.advance(now)
	s.service.pace = f.over(1, 1)
}

// add brings a job.
func (s *station) add(now time.Duration, job int32, work time.Duration) {
	s.advance(now)
	if len(s.service.heap) < s.slots {
		s.service.add(job, work)
		return
	}
	for int(job) >= len(s.waiting) {
		s.waiting = append(s.waiting, place{})
	}
	s.waiting[job] = place{before: s.last, after: none, work: work, here: true}
	if s.last == none {
		s.first = job
	} else {
		s.waiting[s.last].after = job
	}
	s.last = job
	s.length++
	s.peak = max(s.peak, s.length)
}

// remove takes a job out, wherever it is.
func (s *station) remove(now time.Duration, job int32) {
	s.advance(now)
	if int(job) < len(s.waiting) && s.waiting[job].here {
		s.leave(job)
		return
	}
	s.service.remove(job)
	s.fill()
}

// leave takes a job out of the list of those that wait.
func (s *station) leave(job int32) {
	p := s.waiting[job]
	s.waiting[job] = place{}
	if p.before == none {
		s.first = p.after
	} else {
		s.waiting[p.before].after = p.after
	}
	if p.after == none {
		s.last = p.before
	} else {
		s.waiting[p.after].before = p.before
	}
	s.length--
}

// fill puts those that wait into the slots that are free.
func (s *station) fill() {
	for s.length > 0 && len(s.service.heap) < s.slots {
		job := s.first
		work := s.waiting[job].work
		s.leave(job)
		s.service.add(job, work)
	}
}

// take removes the jobs that are done, and lets others begin.
func (s *station) take(now time.Duration) []int32 {
	s.advance(now)
	done := s.service.take()
	s.served += int64(len(done))
	s.fill()
	return done
}

package backend

import (
	"fmt"
	"time"
)

// pool is a set of jobs that advance at one common pace, which changes now and then. It is
// the heart of CPU and of the stations of an etcd member. Since what each job has still to
// do shrinks by the same amount for all, who will be done next does not change with the
// pace: the jobs stand in a heap by the virtual time at which they will be done (L. Kleinrock,
// Queueing Systems II, 1976, section 4.4, has processor sharing; the virtual time is that of
// fair queuing, which the queues of priority and fairness go by too).
type pool struct {
	// at is the virtual time of now. pace holds since then.
	now  time.Duration
	at   instant
	pace pace

	heap     []entry
	position []int32 // of each job in heap, none if it is not there
	sequence uint64
	done     []int32 // what Take has returned
}

// entry is one job. Of jobs that are done at the same virtual time, the one that came
// first is first.
type entry struct {
	due      instant
	sequence uint64
	job      int32
}

// none is the absence of an index, and the job that nobody waits for.
const none = -1

// tolerance is what a job may lack of its work and be done: a millionth of a nanosecond,
// 2^44 times what is lost at most at a change of pace.
const tolerance = 1 << 44

// advance lets time pass. Nobody may be done before now: time would have passed that the
// job did not need, which others should have had.
func (s *pool) advance(now time.Duration) {
	if now == s.now {
		return
	}
	if now < s.now {
		panic(fmt.Sprintf("backend: time goes back from %d to %d", s.now, now))
	}
	s.at = s.at.add(s.pace.work(now - s.now))
	s.now = now
	if len(s.heap) > 0 && !s.at.before(s.heap[0].due.plus(1)) {
		panic(fmt.Sprintf("backend: job %d was done before %d and nobody has taken it", s.heap[0].job, now))
	}
}

// add starts a job. Jobs below 0 are done without notice.
func (s *pool) add(job int32, work time.Duration) {
	if work < 0 {
		panic(fmt.Sprintf("backend: job %d has the work %d", job, work))
	}
	if job >= 0 {
		for int(job) >= len(s.position) {
			s.position = append(s.position, none)
		}
		if s.position[job] != none {
			panic(fmt.Sprintf("backend: job %d is there already", job))
		}
	} else {
		job = none
	}
	s.sequence++
	s.heap = append(s.heap, entry{})
	s.up(len(s.heap)-1, entry{s.at.plus(work).rounded(), s.sequence, job})
}

// has tells whether a job is there.
func (s *pool) has(job int32) bool { return int(job) < len(s.position) && s.position[job] != none }

// remove takes a job out before it is done.
func (s *pool) remove(job int32) { s.delete(int(s.position[job])) }

// next returns when the first job will be done, if nothing changes until then; false if
// there is none, or if it does not move.
func (s *pool) next() (time.Duration, bool) {
	if len(s.heap) == 0 {
		return 0, false
	}
	d, ok := s.pace.time(s.lacks(s.heap[0].due))
	if !ok || d > 1<<63-1-s.now {
		return 0, false
	}
	return s.now + d, true
}

// lacks returns the work that is left until an instant, less what is forgiven. The time
// that it takes is enough for it: rounding down, as work does, does not go below a number of
// which nothing would be lost.
func (s *pool) lacks(due instant) instant {
	return due.minus(s.at).minus(instant{frac: tolerance})
}

// take removes the jobs that are done and returns those that somebody waits for, in the
// order in which they were done. The result is good until the next call.
func (s *pool) take() []int32 {
	s.done = s.done[:0]
	for len(s.heap) > 0 && s.lacks(s.heap[0].due) == (instant{}) {
		if job := s.heap[0].job; job != none {
			s.done = append(s.done, job)
		}
		s.delete(0)
	}
	return s.done
}

// delete takes an entry out of the heap.
func (s *pool) delete(i int) {
	if job := s.heap[i].job; job != none {
		s.position[job] = none
	}
	last := s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	switch {
	case i == len(s.heap):
	case i > 0 && last.before(&s.heap[(i-1)/2]):
		s.up(i, last)
	default:
		s.down(i, last)
	}
}

// before tells whether e is done first.
func (e *entry) before(o *entry) bool {
	if e.due == o.due {
		return e.sequence < o.sequence
	}
	return e.due.before(o.due)
}

// up puts an entry at i or above. It takes the entry and not its place, so that it is
// written once.
func (s *pool) up(i int, e entry) {
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&s.heap[parent]) {
			break
		}
		s.put(i, s.heap[parent])
		i = parent
	}
	s.put(i, e)
}

// down puts an entry at i or below.
func (s *pool) down(i int, e entry) {
	for {
		child := 2*i + 1
		if child >= len(s.heap) {
			break
		}
		if right := child + 1; right < len(s.heap) && s.heap[right].before(&s.heap[child]) {
			child = right
		}
		if !s.heap[child].before(&e) {
			break
		}
		s.put(i, s.heap[child])
		i = child
	}
	s.put(i, e)
}

// put writes an entry and where it is.
func (s *pool) put(i int, e entry) {
	s.heap[i] = e
	if e.job != none {
		s.position[e.job] = int32(i)
	}
}

package fairqueue

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// Saved is the state of a set at the time of its last call, all but its configuration and its
// limit: a set of the same configuration and limit that is given it by Restore goes on as
// this one would. Requests of queues that were removed are the exception: they belong to no queue
// here.
type Saved struct {
	// R is the progress meter at Synced, which is when it was last brought up to date. Virtual is the
	// same in releases up to 1.22, in seconds.
	R       SeatSeconds
	Virtual float64
	Synced  time.Duration
	// Robin is the index of the queue last dispatched from; -1 after the removal of queue 0.
	// Arrivals counts the requests that have been dealt a hand.
	Robin, Arrivals int
	// Trimmed is how much the total of waiting seats exceeds the sum over those that wait, since
	// requests were trimmed at their dispatch.
	Trimmed int
	// Demand is the integrator of the seat demand.
	Demand borrowing.Sums
	// Queues are those in force, by index.
	Queues []SavedQueue
	// Requests are those that wait, in the order of each queue, those that execute, and those
	// whose seats linger.
	Requests []SavedRequest
}

// SavedQueue is the place of a queue in virtual time: NextDispatchR, or in releases up to 1.22
// VirtualStart in seconds.
type SavedQueue struct {
	NextDispatchR SeatSeconds
	VirtualStart  float64
}

// Phase is where a saved request is in its life.
type Phase uint8

// The phases.
const (
	Waits Phase = iota
	Executes
	Lingers
)

// String returns the phase in lower case.
func (p Phase) String() string { return [...]string{"waits", "executes", "lingers"}[p] }

// internal is the phase in the terms of the sets.
func (p Phase) internal() phase { return [...]phase{waiting, executing, lingering}[p] }

// external is the opposite.
func (p phase) external() Phase { return Phase(p - waiting) }

// SavedRequest is a request that is present in a set.
type SavedRequest struct {
	Phase Phase
	// Queue is the index of its queue, -1 without one.
	Queue int
	// ArrivalR is R at the arrival of one that waits: not below that of the one before it in its queue.
	ArrivalR SeatSeconds
	// Started is when it began to wait, or to execute.
	Started time.Duration
	// Estimate is trimmed of one that has been dispatched.
	Estimate Estimate
	// Tag is what the caller wants to know it by.
	Tag uint32
}

// Save returns the state of the set.
func (s *Set) Save() Saved {
	m := Saved{R: s.r, Synced: s.synced, Robin: s.robin, Arrivals: s.arrivals, Trimmed: s.seatsWaiting, Demand: s.demand.Sums()}
	for _, slot := range s.order {
		q := &s.queues[slot]
		m.Queues = append(m.Queues, SavedQueue{NextDispatchR: q.nextDispatchR})
		for h := q.head; h >= 0; h = s.requests[h].next {
			m.Requests = append(m.Requests, s.savedRequest(&s.requests[h]))
			m.Trimmed -= s.requests[h].estimate.Width()
		}
	}
	for i := range s.requests {
		if r := &s.requests[i]; r.phase == executing || r.phase == lingering {
			m.Requests = append(m.Requests, s.savedRequest(r))
		}
	}
	return m
}

func (s *Set) savedRequest(r *request) SavedRequest {
	out := SavedRequest{Phase: r.phase.external(), Queue: nowhere, ArrivalR: r.arrivalR, Started: r.started, Estimate: r.estimate, Tag: r.tag}
	if r.queue >= 0 && s.queues[r.queue].present {
		out.Queue = int(s.queues[r.queue].index)
	}
	return out
}

// Restore puts a set in which nothing has happened since Configure into a saved state. It
// returns the handles of the requests, in their order. Nothing is dispatched: a request that could
// go does so at the next call, as it would have in the set that was saved.
//
// It panics if the state is none that a set can be in: a queue that is neither configured nor
// listed, a request that waits in no queue, or one in a queue before an older one.
func (s *Set) Restore(m *Saved) []Handle {
	if s.waiting+s.executing+s.seatsInUse > 0 {
		panic(fmt.Sprintf("fairqueue: restore of a set in which %d wait and %d execute", s.waiting, s.executing))
	}
	s.r, s.synced, s.robin, s.arrivals = m.R, m.Synced, m.Robin, m.Arrivals
	for len(s.order) < len(m.Queues) {
		s.addQueue()
	}
	for i := range m.Queues {
		s.queues[s.order[i]].nextDispatchR = m.Queues[i].NextDispatchR
	}
	handles := make([]Handle, len(m.Requests))
	for i := range m.Requests {
		handles[i] = s.restore(&m.Requests[i])
	}
	s.seatsWaiting += m.Trimmed
	s.demand = m.Demand.Integrator()
	s.rebuild()
	if invariants {
		s.check()
	}
	return handles
}

// restore puts a request where it was. The work of one that waits is that of its estimate, which is trimmed
// at the dispatch and not before; of one that was dispatched nobody asks again.
func (s *Set) restore(m *SavedRequest) Handle {
	h := s.alloc()
	width := m.Estimate.Width()
	slot := int32(nowhere)
	if m.Queue >= 0 {
		slot = s.order[m.Queue]
		if q := &s.queues[slot]; q.idle() && m.Phase != Lingers {
			s.active++
		}
		s.queueSeats += width
	}
	s.requests[h] = request{
		arrivalR: m.ArrivalR, work: work(m.Estimate), started: m.Started, estimate: m.Estimate,
		queue: slot, next: nowhere, prev: nowhere, tag: m.Tag, phase: m.Phase.internal(),
	}
	switch m.Phase {
	case Waits:
		s.append(slot, h)
		s.waiting++
		s.seatsWaiting += width
		return h
	case Executes:
		s.executing++
	}
	s.seatsInUse += width
	if slot >= 0 {
		q := &s.queues[slot]
		q.seatsInUse += width
		if m.Phase == Executes {
			q.executing++
		}
	}
	return h
}

// append puts a request at the end of a queue and adds it to the sums of the queue.
func (s *Set) append(slot int32, h Handle) {
	q, r := &s.queues[slot], &s.requests[h]
	r.prev = q.tail
	if q.tail >= 0 {
		s.requests[q.tail].next = int32(h)
	} else {
		q.head = int32(h)
	}
	q.tail = int32(h)
	q.waiting++
	q.work += r.work
	q.seatsWaiting += r.estimate.Width()
}

// Save implements QueueSet.
func (s *secondsSet) Save() Saved {
	m := Saved{Virtual: s.virtual, Synced: s.synced, Robin: s.robin}
	for _, q := range s.queues {
		m.Queues = append(m.Queues, SavedQueue{VirtualStart: q.start})
		for _, h := range q.waiting {
			m.Requests = append(m.Requests, s.savedRequest(&s.requests[h]))
		}
	}
	for i := range s.requests {
		if r := &s.requests[i]; r.phase == executing {
			m.Requests = append(m.Requests, s.savedRequest(r))
		}
	}
	return m
}

func (s *secondsSet) savedRequest(r *secondsRequest) SavedRequest {
	out := SavedRequest{Phase: r.phase.external(), Queue: nowhere, Started: r.started, Estimate: Estimate{InitialSeats: r.seats}, Tag: r.tag}
	if q := r.queue; q != nil && q.index < len(s.queues) && s.queues[q.index] == q {
		out.Queue = q.index
	}
	return out
}

// Restore implements QueueSet. In these releases no seats linger.
func (s *secondsSet) Restore(m *Saved) []Handle {
	if s.waiting+s.executing > 0 {
		panic(fmt.Sprintf("fairqueue: restore of a set in which %d wait and %d execute", s.waiting, s.executing))
	}
	s.virtual, s.synced, s.robin = m.Virtual, m.Synced, m.Robin
	for len(s.queues) < len(m.Queues) {
		s.queues = append(s.queues, &secondsQueue{index: len(s.queues)})
	}
	for i := range m.Queues {
		s.queues[i].start = m.Queues[i].VirtualStart
	}
	handles := make([]Handle, len(m.Requests))
	for i := range m.Requests {
		handles[i] = s.restore(&m.Requests[i])
	}
	return handles
}

// restore puts a request where it was.
func (s *secondsSet) restore(m *SavedRequest) Handle {
	r := secondsRequest{started: m.Started, seats: m.Estimate.InitialSeats, tag: m.Tag, phase: m.Phase.internal()}
	if m.Queue >= 0 {
		r.queue = s.queues[m.Queue]
	}
	h := s.add(r)
	if m.Phase == Waits {
		r.queue.waiting = append(r.queue.waiting, h)
		r.queue.seatsWaiting += r.seats
		s.waiting++
		return h
	}
	s.executing++
	s.seatsInUse += r.seats
	if r.queue != nil {
		r.queue.executing++
		r.queue.seatsInUse += r.seats
	}
	return h
}

package fairqueue

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// guess is what a request is taken to last until it has finished: G in the theory,
// estimatedServiceDuration upstream.
const guess = 3 * time.Millisecond

// nowhere marks the absence of a queue or a request in an index field.
const nowhere = -1

// Set is the QueueSet of the releases from 1.23 on: upstream's queueSet, decision for
// decision (pkg/util/flowcontrol/fairqueuing/queueset/queueset.go).
type Set struct {
	rules Rules
	cfg   Config
	limit int

	// queues are slots that never move, since requests refer to them. order lists the
	// slots of the queues in force by their index, which is what hands are dealt from.
	queues    []queue
	order     []int32
	freeQueue []int32

	requests    []request
	freeRequest int32 // head of the list of unused records, linked by next

	// finish orders the queues by the virtual finish of their heads.
	finish tree

	// r is the progress meter R, right at the moment synced.
	r      SeatSeconds
	synced time.Duration

	robin    int // index of the queue last dispatched from
	arrivals int // how many requests have been dealt a hand

	waiting, executing       int
	seatsInUse, seatsWaiting int

	// active and queueSeats are the denominator and the numerator of R's speed: the
	// queues with waiting or executing requests, and the seats that all queues in force
	// use or wait for. Upstream adds them up anew at each update.
	active, queueSeats int

	demand borrowing.Integrator

	panics int

	// recording and last are for Progress, as are epochs and epochFaults; queueLength and refused
	// are told by the methods of these names.
	recording           bool
	last                places
	epochs, epochFaults int64
	queueLength         int
	refused             Handle

	out, ejected []Dispatch
}

// queue is one queue. Whether it is in force is told by present: surplus queues are
// removed while requests may still refer to them.
type queue struct {
	nextDispatchR SeatSeconds
	work          SeatSeconds // of the waiting requests
	head, tail    int32
	waiting       int32
	executing     int32
	index         int32 // the place in order, or the last one if not present
	present       bool
	seatsInUse    int
	seatsWaiting  int
}

// idle is upstream's test for an empty queue: lingering seats do not count.
func (q *queue) idle() bool { return q.waiting == 0 && q.executing == 0 }

// phase is where a request is in its life.
type phase uint8

const (
	unused phase = iota
	waiting
	executing
	lingering
)

// request is one present request.
type request struct {
	arrivalR SeatSeconds
	work     SeatSeconds   // of both phases, as estimated at arrival
	started  time.Duration // to wait, and then to execute
	estimate Estimate      // trimmed at dispatch
	queue    int32
	next     int32 // in its queue
	prev     int32
	tag      uint32
	phase    phase
}

// NewSet returns a set of a release with SeatSeconds: see New.
func NewSet(now time.Duration, r Rules) *Set {
	s := &Set{synced: now, rules: r, freeRequest: nowhere, refused: None, demand: borrowing.NewIntegrator(now)}
	s.finish.reset(1)
	return s
}

// Configure puts a configuration and a concurrency limit in force and dispatches what
// then fits. It is called at each change of the configuration and at each adjustment
// of the limits, changed or not, since each call brings R up to date. More queues
// come at once; fewer queues come as surplus ones drain.
//
// cfg.Queues may be 0 and negative too (see Config); the other fields are then
// not looked at. With queues it panics if the hand is not from 1 to cfg.Queues, or if
// the length limit is not positive: validation of the API lets neither pass. The limit
// may be 0, and is not checked.
func (s *Set) Configure(now time.Duration, cfg Config, limit int) []Dispatch {
	cfg.check()
	s.begin(now)
	if cfg.Queues <= 0 {
		cfg.HandSize, cfg.QueueLengthLimit = s.cfg.HandSize, s.cfg.QueueLengthLimit
	}
	if cfg.Queues > len(s.order) {
		for len(s.order) < cfg.Queues {
			s.addQueue()
		}
		s.rebuild()
	}
	s.cfg, s.limit = cfg, limit
	s.dispatch()
	return s.end()
}

// Arrive brings a request: it is put into the queue of its hand that has the least
// work waiting and dispatched if its turn comes at once, or it is rejected. The hand
// lists queue indexes in the order of the deal and must fit the configuration in
// force; it is not used where there are no queues.
//
// Arrive returns the handle of the request (None if rejected), the index of its queue
// (-1 without queues), the reason of a rejection, and all requests dispatched by it.
// The slice is valid until the next call, here and in the other methods. With a
// WaitLimit there may be requests that it Ejected, too.
func (s *Set) Arrive(now time.Duration, e Estimate, hand []int32, tag uint32) (Handle, int, Reason, []Dispatch) {
	s.begin(now)
	if s.cfg.Queues < 1 {
		if !s.fits(e.Width()) {
			return None, nowhere, ConcurrencyLimit, s.end()
		}
		h := s.admit(now, e, tag)
		return h, nowhere, NotRejected, s.end()
	}
	index := s.choose(hand)
	slot := s.order[index]
	q := &s.queues[slot]
	if s.cfg.WaitLimit > 0 {
		s.ejectOlder(q, now-s.cfg.WaitLimit)
	}
	if s.seatsInUse >= s.limit && int(q.waiting) >= s.cfg.QueueLengthLimit {
		s.bound(q)
		s.rank(q)
		return None, index, QueueFull, s.end()
	}
	h := s.enqueue(e, slot, tag)
	if s.waiting == 1 && s.seatsInUse < s.limit && s.fits(e.Width()) {
		// Nobody else waits, so the search for the next queue can end only here.
		s.dispatchHead(index)
	} else {
		s.rank(q)
		s.dispatch()
	}
	return h, index, NotRejected, s.end()
}

// Finish ends the execution of a request. If its seats linger it returns true and the
// time at which the caller has to call Release; otherwise its seats are free and the
// handle is void.
func (s *Set) Finish(now time.Duration, h Handle) (freeAt time.Duration, lingers bool, out []Dispatch) {
	s.begin(now)
	r := s.request(h, executing)
	s.executing--
	if r.queue >= 0 {
		q := &s.queues[r.queue]
		q.executing--
		if q.present && q.idle() {
			s.active--
		}
		// The guess of the service time gives way to the real one.
		q.nextDispatchR -= SeatsTimesDuration(float64(r.estimate.InitialSeats), guess-(now-r.started))
		s.bound(q)
		s.rank(q)
	}
	freeAt = now
	if latency := r.estimate.AdditionalLatency; latency > 0 {
		lingers, freeAt = true, now+latency
		r.phase = lingering
	} else {
		s.release(h)
	}
	s.dispatch()
	return freeAt, lingers, s.end()
}

// Release frees the seats of a request at the end of its additional latency.
func (s *Set) Release(now time.Duration, h Handle) []Dispatch {
	s.begin(now)
	s.request(h, lingering)
	s.release(h)
	s.dispatch()
	return s.end()
}

// Expire ejects a waiting request, whose wait limit has passed. Nothing is dispatched,
// not even a request that was held up by this one and would fit now: it goes with the
// next event of another kind, as upstream.
func (s *Set) Expire(now time.Duration, h Handle) {
	s.begin(now)
	r := s.request(h, waiting)
	slot := r.queue
	q := &s.queues[slot]
	s.unlink(h)
	if q.present && q.idle() {
		s.active--
	}
	s.waiting--
	s.seatsWaiting -= r.estimate.Width()
	s.noteDemand()
	s.free(h)
	if s.rules.BoundsExpiry {
		s.bound(q)
	}
	s.rank(q)
	s.recycle(slot)
	if invariants {
		s.check()
	}
}

// Ejected returns the requests that the latest Arrive has ejected, oldest first, because
// they had waited in that queue for longer than the limit. Their handles are void, and name no
// other request before the next call.
func (s *Set) Ejected() []Dispatch { return s.ejected }

// Waiting tells whether the request of this handle waits in a queue.
func (s *Set) Waiting(h Handle) bool { return s.requests[h].phase == waiting }

// Idle tells whether nothing waits or executes; seats may linger.
func (s *Set) Idle() bool { return s.waiting == 0 && s.executing == 0 }

// TakeDemand returns the statistics of the seat demand since the last call and starts
// the next period.
func (s *Set) TakeDemand(now time.Duration) borrowing.Demand { return s.demand.Take(now) }

// begin brings R up to date before anything changes, as upstream's lockAndSyncTime.
func (s *Set) begin(now time.Duration) {
	if now < s.synced {
		panic(fmt.Sprintf("fairqueue: time goes back from %v to %v", s.synced, now))
	}
	for _, d := range s.ejected {
		s.free(d.Handle)
	}
	s.out, s.ejected, s.refused = s.out[:0], s.ejected[:0], None
	s.sync(now)
}

// end returns what the call has dispatched.
func (s *Set) end() []Dispatch {
	if invariants {
		s.check()
	}
	return s.out
}

func (s *Set) request(h Handle, want phase) *request {
	r := &s.requests[h]
	if r.phase != want {
		panic(fmt.Sprintf("fairqueue: request %d is in phase %d, not %d", h, r.phase, want))
	}
	return r
}

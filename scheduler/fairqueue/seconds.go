package fairqueue

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/borrowing"
)

// secondsGuess is what a request is taken to last until it has finished, in the releases
// up to 1.22: the longest that most requests may take. It is so much longer than nearly all
// of them do that a queue with several requests executing has its next one far in the virtual
// future, and those who send one request at a time go first. From 1.23 on the guess is
// near what is usual.
const secondsGuess = 60.0

// secondsSet is the QueueSet of the releases up to 1.22: upstream's queueSet of then,
// decision for decision. Virtual time is in seconds of floating point, and what a queue
// has been given too much is taken off by a rule of its own when its turn comes (catchUp).
// Requests have one phase. Only tests give them more than one seat.
//
// Upstream counts requests up to 1.21 and seats in 1.22, where each request has one of
// them: the same. Only a level without queues and without seats would tell the difference,
// which validation does not let exist in these releases.
//
// It is a simple one. Queues are scanned as upstream does, since few will ask for these
// releases.
type secondsSet struct {
	cfg   Config
	limit int

	queues   []*secondsQueue
	requests []secondsRequest
	unused   []Handle

	// virtual is the virtual time at the moment synced.
	virtual float64
	synced  time.Duration
	robin   int // index of the queue last dispatched from

	// waiting and executing count requests; seats never linger here.
	waiting, executing, seatsInUse int

	// recording, last and queueLength are as those of Set.
	recording   bool
	last        Progress
	queueLength int

	out, ejected []Dispatch
}

// secondsQueue is one queue. Requests point to theirs, since indexes change when surplus
// queues go.
type secondsQueue struct {
	// start is the virtual time at which its next request begins.
	start float64
	index int
	// waiting lists its requests, oldest first. It is short, and is moved up when one goes.
	waiting      []Handle
	executing    int
	seatsInUse   int
	seatsWaiting int
}

// secondsRequest is one present request.
type secondsRequest struct {
	queue   *secondsQueue // nil without queues
	started time.Duration // to wait, and then to execute
	seats   int
	tag     uint32
	phase   phase
}

func newSecondsSet(now time.Duration) *secondsSet { return &secondsSet{synced: now} }

// Configure implements QueueSet.
func (s *secondsSet) Configure(now time.Duration, cfg Config, limit int) []Dispatch {
	cfg.check()
	s.begin(now)
	if cfg.Queues <= 0 {
		cfg.HandSize, cfg.QueueLengthLimit = s.cfg.HandSize, s.cfg.QueueLengthLimit
	}
	for len(s.queues) < cfg.Queues {
		s.queues = append(s.queues, &secondsQueue{index: len(s.queues)})
	}
	s.cfg, s.limit = cfg, limit
	s.dispatch()
	return s.out
}

// Arrive implements QueueSet.
func (s *secondsSet) Arrive(now time.Duration, e Estimate, hand []int32, tag uint32) (Handle, int, Reason, []Dispatch) {
	s.begin(now)
	r := secondsRequest{started: now, seats: e.InitialSeats, tag: tag, phase: waiting}
	if s.cfg.Queues < 1 {
		if !s.fits(r.seats) {
			return None, nowhere, ConcurrencyLimit, s.out
		}
		h := s.add(r)
		s.execute(h)
		return h, nowhere, NotRejected, s.out
	}
	q := s.choose(hand)
	if s.cfg.WaitLimit > 0 {
		s.ejectOlder(q, now-s.cfg.WaitLimit)
	}
	if s.seatsInUse >= s.limit && len(q.waiting) >= s.cfg.QueueLengthLimit {
		return None, q.index, QueueFull, s.out
	}
	if q.idle() {
		q.start = s.virtual
	}
	r.queue = q
	h := s.add(r)
	q.waiting = append(q.waiting, h)
	s.queueLength = len(q.waiting)
	q.seatsWaiting += r.seats
	s.waiting++
	s.dispatch()
	return h, q.index, NotRejected, s.out
}

// Finish implements QueueSet. Seats never linger, so the handle is void.
//
// The seats are free before the queue looks for its end, and both before anybody else is
// looked for: the finish of the last request of a surplus queue makes room for one that
// waits elsewhere, at once.
func (s *secondsSet) Finish(now time.Duration, h Handle) (freeAt time.Duration, lingers bool, out []Dispatch) {
	s.begin(now)
	r := s.request(h, executing)
	s.executing--
	s.seatsInUse -= r.seats
	if q := r.queue; q != nil {
		// The guess of the service time gives way to the real one.
		q.start -= float64((secondsGuess - (now - r.started).Seconds()) * float64(r.seats))
		q.executing--
		q.seatsInUse -= r.seats
		s.removeIfSurplus(q)
	}
	s.free(h)
	s.dispatch()
	return now, false, s.out
}

// Release implements QueueSet. There is nothing to release, so it is the caller's fault.
func (s *secondsSet) Release(_ time.Duration, h Handle) []Dispatch {
	panic(fmt.Sprintf("fairqueue: the seats of request %d do not linger", h))
}

// Expire implements QueueSet. Upstream takes the request out before it brings virtual time
// up to date, so that the time since the last change passes as if it had not been there.
func (s *secondsSet) Expire(now time.Duration, h Handle) {
	r := s.request(h, waiting)
	q := r.queue
	i := slices.Index(q.waiting, h)
	q.waiting = slices.Delete(q.waiting, i, i+1)
	q.seatsWaiting -= r.seats
	s.waiting--
	s.free(h)
	s.begin(now)
}

// Ejected implements QueueSet.
func (s *secondsSet) Ejected() []Dispatch { return s.ejected }

// Tag implements QueueSet.
func (s *secondsSet) Tag(h Handle) uint32 { return s.requests[h].tag }

// Waiting implements QueueSet.
func (s *secondsSet) Waiting(h Handle) bool { return s.requests[h].phase == waiting }

// Idle implements QueueSet.
func (s *secondsSet) Idle() bool { return s.waiting == 0 && s.executing == 0 }

// TakeDemand implements QueueSet. These releases do not measure the demand, as nobody can
// borrow seats for it.
func (s *secondsSet) TakeDemand(time.Duration) borrowing.Demand { return borrowing.Demand{} }

// State implements QueueSet. R is rounded to the units of SeatSeconds.
func (s *secondsSet) State() State {
	state := State{
		Limit: s.limit, SeatsInUse: s.seatsInUse, Waiting: s.waiting, Executing: s.executing,
		Queues: len(s.queues), R: secondsToWork(s.virtual),
	}
	for _, q := range s.queues {
		state.SeatsWaiting += q.seatsWaiting
		if !q.idle() {
			state.ActiveQueues++
		}
	}
	return state
}

// QueueState implements QueueSet. NextDispatchR is rounded, and Work is what the waiting
// requests are guessed to bring.
func (s *secondsSet) QueueState(index int) QueueState {
	q := s.queues[index]
	return QueueState{
		Waiting: len(q.waiting), Executing: q.executing, SeatsInUse: q.seatsInUse,
		Work: secondsToWork(secondsGuess * float64(q.seatsWaiting)), NextDispatchR: secondsToWork(q.start),
	}
}

// VirtualStart implements QueueSet.
func (s *secondsSet) VirtualStart(index int) float64 { return s.queues[index].start }

// secondsToWork converts seconds to the nearest SeatSeconds. The start of a queue whose
// first requests were short is before 0, and wraps.
func secondsToWork(seconds float64) SeatSeconds {
	return SeatSeconds(int64(math.Round(seconds * unitsPerSeatSecond)))
}

// begin brings virtual time up to date before anything changes.
func (s *secondsSet) begin(now time.Duration) {
	if now < s.synced {
		panic(fmt.Sprintf("fairqueue: time goes back from %v to %v", s.synced, now))
	}
	for _, d := range s.ejected {
		s.free(d.Handle)
	}
	s.out, s.ejected = s.out[:0], s.ejected[:0]
	s.virtual += float64((now - s.synced).Seconds() * s.speed())
	s.synced = now
}

// add gives a request a handle: one that was used before if there is any.
func (s *secondsSet) add(r secondsRequest) Handle {
	if n := len(s.unused); n > 0 {
		h := s.unused[n-1]
		s.unused = s.unused[:n-1]
		s.requests[h] = r
		return h
	}
	s.requests = append(s.requests, r)
	return Handle(len(s.requests) - 1)
}

func (s *secondsSet) free(h Handle) {
	s.requests[h] = secondsRequest{}
	s.unused = append(s.unused, h)
}

func (s *secondsSet) request(h Handle, want phase) *secondsRequest {
	r := &s.requests[h]
	if r.phase != want {
		panic(fmt.Sprintf("fairqueue: request %d is in phase %d, not %d", h, r.phase, want))
	}
	return r
}

// Panics implements QueueSet. No seats linger in these releases, and a queue goes only with
// nothing in it.
func (s *secondsSet) Panics() int { return 0 }

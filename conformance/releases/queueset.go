package releases

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/conformance/fullrun"
	"github.com/apfsim/apfsim/conformance/oracle/driver/wire"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// queueSet is the simulator's queue set of a release, driven by operations that are drawn
// on the way.
type queueSet struct {
	*rand.Rand
	style     style
	rules     fairqueue.Rules
	now       time.Duration
	set       fairqueue.QueueSet
	cfg       fairqueue.Config
	limit     int
	dealer    shuffle.Dealer
	flows     []uint64
	waiting   []int // requests, in the order of their arrival
	executing []int
	handles   map[int]fairqueue.Handle
	lingering []linger
	done      wire.QueueSetCase
	outcomes  []wire.Outcome
	// Since the last outcome:
	dispatched, ejected []int
}

// linger is a finished request whose seats are in use until a time.
type linger struct {
	until  time.Duration
	handle fairqueue.Handle
}

// style is what a sequence of operations is about.
type style struct {
	wide, final bool
	// shrinks tells that queues may become fewer. With lingering seats that can make
	// the real server panic.
	shrinks   bool
	reject    bool
	waitLimit time.Duration
	pace      time.Duration
	// leastLimit is 1 before levels lend: every level has shares, and its part is rounded
	// up. What a level without seats would do, 1.21 and 1.22 do not agree on.
	leastLimit int
}

// drawOperations draws a sequence for a queue set of the release and carries it out.
func (o *oracle) drawOperations(seed uint64, length int) *queueSet {
	r := rand.New(rand.NewPCG(seed, 0x9e75e7))
	profile := release.For(o.version)
	s := &queueSet{Rand: r, rules: profile.Queues, handles: map[int]fairqueue.Handle{}}
	s.style = style{
		wide: o.since(23) && r.IntN(3) > 0, shrinks: r.IntN(2) == 0, reject: r.IntN(8) == 0,
		pace: time.Duration(1) << r.IntN(33),
	}
	if !o.since(26) {
		s.style.leastLimit = 1
	}
	s.style.final = o.since(23) && !s.style.shrinks
	if profile.Waiting.LimitedAtArrival {
		s.style.waitLimit = 24 * time.Hour
		if r.IntN(3) > 0 {
			s.style.waitLimit = s.style.pace * time.Duration(1+r.IntN(30))
		}
	}
	for range 1 + r.IntN(20) {
		s.flows = append(s.flows, r.Uint64())
	}
	s.now = 1
	s.set = fairqueue.New(s.now, s.rules)
	s.configure()
	for range length {
		s.next()
	}
	return s
}

// next draws one operation and carries it out.
func (s *queueSet) next() {
	s.now += 1 + time.Duration(s.Int64N(int64(s.style.pace)))
	for slices.ContainsFunc(s.lingering, func(l linger) bool { return l.until == s.now }) {
		s.now++
	}
	s.releaseUntil(s.now)
	switch n := s.IntN(100); {
	case n < 3:
		s.configure()
	case n < 40 && len(s.executing) > 0:
		s.finish(s.IntN(len(s.executing)))
	case n < 45 && len(s.waiting) > 0:
		s.expire(s.IntN(len(s.waiting)))
	default:
		s.arrive()
	}
}

// releaseUntil frees the seats whose lingering ends before a time.
func (s *queueSet) releaseUntil(now time.Duration) {
	for len(s.lingering) > 0 && s.lingering[0].until < now {
		l := s.lingering[0]
		s.lingering = s.lingering[1:]
		s.note(s.set.Release(l.until, l.handle))
	}
}

func (s *queueSet) configure() {
	first := len(s.done.Operations) == 0
	if first || s.IntN(2) == 0 {
		queues := 1 + s.IntN(16)
		if !s.style.shrinks {
			queues = max(queues, s.cfg.Queues)
		}
		hand := 1 + s.IntN(min(queues, 6))
		s.cfg = fairqueue.Config{Queues: queues, HandSize: hand, QueueLengthLimit: 1 + s.IntN(6), WaitLimit: s.style.waitLimit}
		if s.style.reject {
			s.cfg = fairqueue.Config{}
		}
	}
	if s.cfg.Queues > 0 {
		dealer, err := shuffle.NewDealer(s.cfg.Queues, s.cfg.HandSize)
		if err != nil {
			panic(err)
		}
		s.dealer = dealer
	}
	s.limit = s.style.leastLimit + s.IntN(12)
	s.note(s.set.Configure(s.now, s.cfg, s.limit))
	s.add(wire.Operation{Configure: &wire.Configuration{
		Queues: s.cfg.Queues, HandSize: s.cfg.HandSize, QueueLengthLimit: s.cfg.QueueLengthLimit,
		Limit: s.limit, WaitLimit: fullrun.Duration(s.cfg.WaitLimit),
	}}, wire.Outcome{})
}

func (s *queueSet) arrive() {
	number := len(s.done.Operations)
	e := fairqueue.Estimate{InitialSeats: 1}
	if s.style.wide {
		e.InitialSeats = 1 + s.IntN(4)
	}
	if s.style.final && s.IntN(3) == 0 {
		e.FinalSeats, e.AdditionalLatency = 1+s.IntN(8), time.Duration(1+s.Int64N(int64(4*s.style.pace)))
	}
	hash := s.flows[s.IntN(len(s.flows))]
	var hand []int32
	if s.cfg.Queues > 0 {
		hand = s.dealer.Deal(hash, make([]int32, s.cfg.HandSize))
	}
	handle, queue, reason, dispatched := s.set.Arrive(s.now, e, hand, uint32(number))
	for _, d := range s.set.Ejected() {
		s.leave(int(d.Tag))
	}
	out := wire.Outcome{Rejected: reason != fairqueue.NotRejected}
	if !out.Rejected {
		s.handles[number] = handle
		s.waiting = append(s.waiting, number)
		if s.cfg.Queues > 0 {
			out.Queue = &queue
		}
	}
	s.note(dispatched)
	s.add(wire.Operation{Arrive: &wire.Arrival{
		Hash: hash, Initial: e.InitialSeats, Final: e.FinalSeats, AdditionalLatency: fullrun.Duration(e.AdditionalLatency),
	}}, out)
}

func (s *queueSet) finish(index int) {
	number := s.executing[index]
	s.executing = slices.Delete(s.executing, index, index+1)
	handle := s.handles[number]
	until, lingers, dispatched := s.set.Finish(s.now, handle)
	if lingers {
		s.lingering = append(s.lingering, linger{until, handle})
		slices.SortStableFunc(s.lingering, func(a, b linger) int { return cmp.Compare(a.until, b.until) })
	}
	s.note(dispatched)
	s.add(wire.Operation{Finish: &number}, wire.Outcome{})
}

func (s *queueSet) expire(index int) {
	number := s.waiting[index]
	s.set.Expire(s.now, s.handles[number])
	s.leave(number)
	s.add(wire.Operation{Expire: &number}, wire.Outcome{})
}

// leave notes that a request has left its queue for good.
func (s *queueSet) leave(number int) {
	s.waiting = slices.DeleteFunc(s.waiting, func(n int) bool { return n == number })
	s.ejected = append(s.ejected, number)
}

// note keeps what has been dispatched.
func (s *queueSet) note(dispatched []fairqueue.Dispatch) {
	for _, d := range dispatched {
		number := int(d.Tag)
		s.waiting = slices.DeleteFunc(s.waiting, func(n int) bool { return n == number })
		s.executing = append(s.executing, number)
		s.dispatched = append(s.dispatched, number)
	}
}

// add keeps the operation with its outcome.
func (s *queueSet) add(op wire.Operation, out wire.Outcome) {
	op.At = fullrun.Duration(s.now)
	slices.Sort(s.dispatched)
	slices.Sort(s.ejected)
	state := s.set.State()
	out.Dispatched, out.Ejected = s.dispatched, s.ejected
	out.Waiting, out.Executing, out.SeatsInUse = state.Waiting, state.Executing, state.SeatsInUse
	if s.rules.SeatSeconds {
		out.R = strconv.FormatUint(uint64(state.R), 10)
	}
	s.dispatched, s.ejected = nil, nil
	s.done.Operations = append(s.done.Operations, op)
	s.outcomes = append(s.outcomes, out)
}

// firstDifference returns "" if the real queue set did the same, or else a text with the
// operations that led to the first difference.
func (s *queueSet) firstDifference(want []wire.Outcome) string {
	for i := range min(len(want), len(s.outcomes)) {
		w, g := want[i], s.outcomes[i]
		if w.SeatsInUse < 0 {
			g.SeatsInUse = w.SeatsInUse
		}
		if reflect.DeepEqual(w, g) {
			continue
		}
		var text strings.Builder
		fmt.Fprintf(&text, "operation %d of style %+v\n     %v\nwant %v\n", i, s.style, g, w)
		for j := max(0, i-5); j <= i; j++ {
			fmt.Fprintf(&text, "%5d %s\n", j, s.done.Operations[j])
		}
		return text.String()
	}
	if len(want) != len(s.outcomes) {
		return fmt.Sprintf("%d outcomes, want %d", len(s.outcomes), len(want))
	}
	return ""
}

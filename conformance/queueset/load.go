package queueset

import (
	"math/rand/v2"
	"time"

	"k8s.io/apiserver/pkg/util/shufflesharding"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Load is the stream of requests that the speed of queue sets is measured on: Poisson
// arrivals of one-seat requests with exponential service times, from a few elephants
// that send half of all requests and many mice that share the other half. It is drawn
// in advance, with the hand of every flow, so that a measurement has neither in it.
type Load struct {
	Config   fairqueue.Config
	Seats    int
	MaxWait  time.Duration
	requests []loadRequest
	flows    []loadFlow
}

type loadRequest struct {
	gap, service time.Duration
	flow         int32
}

type loadFlow struct {
	hash uint64
	hand []int32
}

// The shape of the load.
const (
	loadFlows     = 200
	loadElephants = 4
	loadSeats     = 50
	loadService   = 10 * time.Millisecond
	loadFactor    = 0.95
	loadMaxWait   = 15 * time.Second
	loadHand      = 6
	loadLength    = 50
	// loadRequests is after how many requests the stream starts again.
	loadRequests = 1 << 18
)

// NewLoad draws the load for a number of queues. Times and flows do not depend on it.
func NewLoad(queues int, seed uint64) *Load {
	l := &Load{
		Config:  fairqueue.Config{Queues: queues, HandSize: loadHand, QueueLengthLimit: loadLength},
		Seats:   loadSeats,
		MaxWait: loadMaxWait,
	}
	r := rand.New(rand.NewPCG(seed, 1))
	dealer, err := shufflesharding.NewDealer(queues, loadHand)
	if err != nil {
		panic(err)
	}
	for range loadFlows {
		f := loadFlow{hash: r.Uint64()}
		for _, card := range dealer.DealIntoHand(f.hash, make([]int, loadHand)) {
			f.hand = append(f.hand, int32(card))
		}
		l.flows = append(l.flows, f)
	}
	gap := float64(loadService) / (loadSeats * loadFactor)
	for range loadRequests {
		q := loadRequest{
			gap:     time.Duration(r.ExpFloat64() * gap),
			service: time.Duration(r.ExpFloat64() * float64(loadService)),
			flow:    int32(loadElephants + r.IntN(loadFlows-loadElephants)),
		}
		if r.IntN(2) == 0 {
			q.flow = int32(r.IntN(loadElephants))
		}
		l.requests = append(l.requests, q)
	}
	return l
}

// Bed is a queue set as the load drives it. Requests are named by slots, small numbers
// that are used again; each call returns the slots dispatched.
type Bed interface {
	Arrive(now time.Duration, f *loadFlow, slot uint32) (accepted bool, dispatched []uint32)
	Finish(now time.Duration, slot uint32) []uint32
	Expire(now time.Duration, slot uint32)
}

// Drive sends the load to a queue set: it knows what happens next and when, and is the
// same for all queue sets.
type Drive struct {
	load *Load
	bed  Bed
	now  time.Duration
	next int // place in the stream
	at   time.Duration

	finishes finishHeap
	// deadlines are in order, since all requests may wait equally long. One whose
	// request was dispatched meanwhile goes when it comes to the front.
	deadlines ring[deadline]
	slots     []loadSlot
	free      []uint32

	// Dispatched, Rejected and Expired count requests. Trace is a digest of all
	// dispatches, in order, with their times.
	Dispatched, Rejected, Expired int64
	Trace                         uint64
}

type loadSlot struct {
	service time.Duration
	life    uint32 // counts the requests that the slot has had
	waiting bool
}

type deadline struct {
	at   time.Duration
	slot uint32
	life uint32
}

// NewDrive begins a run of the load.
func NewDrive(l *Load, bed Bed) *Drive {
	return &Drive{load: l, bed: bed, at: l.requests[0].gap}
}

// Run goes on until n more requests have arrived.
func (d *Drive) Run(n int) {
	for n > 0 {
		finish := d.finishes.min()
		due := d.at
		if dl := d.deadlines.front(); dl != nil {
			due = min(due, dl.at)
		}
		switch {
		case finish <= due:
			d.now = finish
			d.finish()
		case due < d.at:
			d.now = due
			d.expire(d.deadlines.pop())
		default:
			d.now = d.at
			d.arrive()
			n--
		}
	}
}

// finish ends the execution at the top of the heap. Mostly another one begins, which
// takes its place there.
func (d *Drive) finish() {
	slot := d.finishes.items[0].slot
	out := d.bed.Finish(d.now, slot)
	d.free = append(d.free, slot)
	if len(out) == 0 {
		d.finishes.pop()
		return
	}
	d.finishes.replace(d.now+d.dispatch(out[0]), out[0])
	d.dispatched(out[1:])
}

// waits tells whether the request of a deadline still waits.
func (d *Drive) waits(dl *deadline) bool {
	s := &d.slots[dl.slot]
	return s.life == dl.life && s.waiting
}

func (d *Drive) expire(dl deadline) {
	if !d.waits(&dl) {
		return
	}
	d.Expired++
	d.bed.Expire(d.now, dl.slot)
	d.leave(dl.slot)
}

func (d *Drive) arrive() {
	q := &d.load.requests[d.next]
	d.next = (d.next + 1) % len(d.load.requests)
	d.at += d.load.requests[d.next].gap
	slot := d.slot()
	s := &d.slots[slot]
	s.service, s.waiting = q.service, true
	s.life++
	accepted, dispatched := d.bed.Arrive(d.now, &d.load.flows[q.flow], slot)
	if !accepted {
		d.Rejected++
		d.leave(slot)
		return
	}
	d.dispatched(dispatched)
	if s.waiting {
		for dl := d.deadlines.front(); dl != nil && !d.waits(dl); dl = d.deadlines.front() {
			d.deadlines.pop()
		}
		d.deadlines.push(deadline{at: d.now + d.load.MaxWait, slot: slot, life: s.life})
	}
}

// slot returns the number of an unused slot.
func (d *Drive) slot() uint32 {
	if n := len(d.free); n > 0 {
		slot := d.free[n-1]
		d.free = d.free[:n-1]
		return slot
	}
	d.slots = append(d.slots, loadSlot{})
	return uint32(len(d.slots) - 1)
}

func (d *Drive) leave(slot uint32) {
	d.slots[slot].waiting = false
	d.free = append(d.free, slot)
}

func (d *Drive) dispatched(slots []uint32) {
	for _, slot := range slots {
		d.finishes.push(d.now+d.dispatch(slot), slot)
	}
}

// dispatch notes one dispatch and returns the service time.
func (d *Drive) dispatch(slot uint32) time.Duration {
	const prime = 0x9E3779B97F4A7C15
	s := &d.slots[slot]
	s.waiting = false
	d.Dispatched++
	d.Trace = (d.Trace ^ uint64(slot)<<40 ^ uint64(d.now)) * prime
	return s.service
}

package queueset

import (
	"fmt"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
)

// oneSeat is the estimate of every request of the load.
var oneSeat = fairqueue.Estimate{InitialSeats: 1}

// productBed is the product's queue set.
type productBed struct {
	set     *fairqueue.Set
	handles []fairqueue.Handle
	tags    []uint32
}

// NewProductBed returns the product's queue set, configured for a load.
func NewProductBed(l *Load) Bed {
	b := &productBed{set: fairqueue.NewSet(0, release.For(release.Last).Queues)}
	b.set.Configure(0, l.Config, l.Seats)
	return b
}

func (b *productBed) Arrive(now time.Duration, f *loadFlow, slot uint32) (bool, []uint32) {
	h, _, _, out := b.set.Arrive(now, oneSeat, f.hand, slot)
	for int(slot) >= len(b.handles) {
		b.handles = append(b.handles, fairqueue.None)
	}
	b.handles[slot] = h
	return h != fairqueue.None, b.note(out)
}

func (b *productBed) Finish(now time.Duration, slot uint32) []uint32 {
	_, _, out := b.set.Finish(now, b.handles[slot])
	return b.note(out)
}

func (b *productBed) Expire(now time.Duration, slot uint32) { b.set.Expire(now, b.handles[slot]) }

func (b *productBed) note(out []fairqueue.Dispatch) []uint32 {
	b.tags = b.tags[:0]
	for _, d := range out {
		b.tags = append(b.tags, d.Tag)
	}
	return b.tags
}

// realBed is the real queue set. Its metrics are not registered, so they cost next to
// nothing; in a server they do.
type realBed struct {
	real     *Real
	requests []*RealRequest
}

// NewRealBed returns the real queue set, configured for a load.
func NewRealBed(l *Load) Bed {
	b := &realBed{real: NewReal(0, true)}
	b.real.Configure(l.Config, l.Seats)
	return b
}

func (b *realBed) Arrive(now time.Duration, f *loadFlow, slot uint32) (bool, []uint32) {
	for int(slot) >= len(b.requests) {
		b.requests = append(b.requests, b.real.NewRequest(uint32(len(b.requests))))
	}
	b.real.Clock.now = now
	accepted := b.real.ArriveInto(b.requests[slot], oneSeat, f.hash, true)
	return accepted, b.real.Dispatched()
}

func (b *realBed) Finish(now time.Duration, slot uint32) []uint32 {
	b.real.Clock.now = now
	b.real.Finish(b.requests[slot])
	return b.real.Dispatched()
}

func (b *realBed) Expire(now time.Duration, slot uint32) {
	b.real.Clock.now = now
	b.real.Expire(b.requests[slot])
}

// plainBed is one first-in first-out queue for all: what is left is the cost of the
// driver, for the same pattern of dispatches.
type plainBed struct {
	free    int
	waiting ring[uint32]
	tags    [1]uint32
}

// NewPlainBed returns a bed with next to no queue set in it.
func NewPlainBed(l *Load) Bed { return &plainBed{free: l.Seats} }

func (b *plainBed) Arrive(_ time.Duration, _ *loadFlow, slot uint32) (bool, []uint32) {
	if b.free == 0 {
		b.waiting.push(slot)
		return true, nil
	}
	b.free--
	b.tags[0] = slot
	return true, b.tags[:]
}

func (b *plainBed) Finish(time.Duration, uint32) []uint32 {
	if b.waiting.count == 0 {
		b.free++
		return nil
	}
	b.tags[0] = b.waiting.pop()
	return b.tags[:]
}

// Expire panics: in one queue for all nobody waits that long at this load.
func (b *plainBed) Expire(now time.Duration, slot uint32) {
	panic(fmt.Sprintf("queueset: slot %d expires at %v", slot, now))
}

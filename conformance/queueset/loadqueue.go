package queueset

import (
	"math"
	"math/bits"
	"time"
)

// finishHeap is a 4-ary heap of the ends of executions.
type finishHeap struct {
	items []finishItem
}

type finishItem struct {
	at   time.Duration
	slot uint32
}

// min returns the earliest end, or the end of time.
func (h *finishHeap) min() time.Duration {
	if len(h.items) == 0 {
		return math.MaxInt64
	}
	return h.items[0].at
}

func (h *finishHeap) push(at time.Duration, slot uint32) {
	h.items = append(h.items, finishItem{})
	i := len(h.items) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if h.items[parent].at <= at {
			break
		}
		h.items[i] = h.items[parent]
		i = parent
	}
	h.items[i] = finishItem{at: at, slot: slot}
}

// pop removes the earliest end.
func (h *finishHeap) pop() {
	n := len(h.items) - 1
	last := h.items[n]
	h.items = h.items[:n]
	if n > 0 {
		h.replace(last.at, last.slot)
	}
}

// replace removes the earliest end and adds another, in one pass.
func (h *finishHeap) replace(at time.Duration, slot uint32) {
	items, i := h.items, 0
	for {
		first := 4*i + 1
		if first >= len(items) {
			break
		}
		least := first
		for child := first + 1; child < min(first+4, len(items)); child++ {
			// Computed instead of branched upon, which cannot be guessed.
			_, before := bits.Sub64(uint64(items[child].at), uint64(items[least].at), 0)
			least += (child - least) * int(before)
		}
		if items[least].at >= at {
			break
		}
		items[i] = items[least]
		i = least
	}
	items[i] = finishItem{at: at, slot: slot}
}

// ring is a first-in first-out queue that grows as needed and does not shrink.
type ring[T any] struct {
	items []T // its length is a power of two
	head  int
	count int
}

func (r *ring[T]) push(item T) {
	if r.count == len(r.items) {
		grown := make([]T, max(16, 2*len(r.items)))
		for i := range r.count {
			grown[i] = r.items[(r.head+i)&(len(r.items)-1)]
		}
		r.items, r.head = grown, 0
	}
	r.items[(r.head+r.count)&(len(r.items)-1)] = item
	r.count++
}

func (r *ring[T]) front() *T {
	if r.count == 0 {
		return nil
	}
	return &r.items[r.head]
}

func (r *ring[T]) pop() T {
	item := r.items[r.head]
	r.head = (r.head + 1) & (len(r.items) - 1)
	r.count--
	return item
}

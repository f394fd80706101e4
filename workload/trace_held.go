package workload

import "time"

// heldRecords is a heap of records by (arrival, line). The records lie in slots, which are
// used again with the memory of their texts; the heap itself moves small entries only.
type heldRecords struct {
	slots []Record
	free  []int32
	heap  []heldEntry
}

type heldEntry struct {
	arrival time.Duration
	line    int64
	slot    int32
}

func (e *heldEntry) before(f *heldEntry) bool {
	return e.arrival < f.arrival || e.arrival == f.arrival && e.line < f.line
}

func (h *heldRecords) empty() bool { return len(h.heap) == 0 }

// ready tells whether the first record may go out: no line still to come arrives before
// the given time, or none is to come at all. One that arrives at that very time has a
// higher number.
func (h *heldRecords) ready(before time.Duration, all bool) bool {
	return len(h.heap) > 0 && (all || h.heap[0].arrival <= before)
}

// push keeps a copy of a record.
func (h *heldRecords) push(rec *Record) {
	var slot int32
	if n := len(h.free); n > 0 {
		slot = h.free[n-1]
		h.free = h.free[:n-1]
	} else {
		slot = int32(len(h.slots))
		h.slots = append(h.slots, Record{})
	}
	s := &h.slots[slot]
	name := append(s.Name[:0], rec.Name...)
	fields := append(s.FieldSelector[:0], rec.FieldSelector...)
	labels := append(s.LabelSelector[:0], rec.LabelSelector...)
	*s = *rec
	s.Name, s.FieldSelector, s.LabelSelector = name, fields, labels
	h.heap = append(h.heap, heldEntry{rec.Arrival, rec.Line, slot})
	h.up(len(h.heap) - 1)
}

// pop copies the first record to rec and returns its slot, which holds the texts until it
// is released.
func (h *heldRecords) pop(rec *Record) int32 {
	slot := h.heap[0].slot
	last := len(h.heap) - 1
	h.heap[0] = h.heap[last]
	h.heap = h.heap[:last]
	if last > 0 {
		h.down(0)
	}
	*rec = h.slots[slot]
	return slot
}

// release makes a slot available again.
func (h *heldRecords) release(slot int32) { h.free = append(h.free, slot) }

func (h *heldRecords) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.heap[i].before(&h.heap[parent]) {
			return
		}
		h.heap[i], h.heap[parent] = h.heap[parent], h.heap[i]
		i = parent
	}
}

func (h *heldRecords) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.heap) {
			return
		}
		if child+1 < len(h.heap) && h.heap[child+1].before(&h.heap[child]) {
			child++
		}
		if !h.heap[child].before(&h.heap[i]) {
			return
		}
		h.heap[i], h.heap[child] = h.heap[child], h.heap[i]
		i = child
	}
}

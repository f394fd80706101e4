package main

import "slices"

// hands are the hands of queues that a number of flows were dealt, and who else holds
// each queue.
type hands struct {
	queues int
	hand   [][]int32
	// holders lists, for each queue, the flows that hold it, in order.
	holders [][]int
}

// newHands indexes hands by queue.
func newHands(queues int, hand [][]int32) *hands {
	h := &hands{queues: queues, hand: hand, holders: make([][]int, queues)}
	for flow, cards := range hand {
		for _, q := range cards {
			h.holders[q] = append(h.holders[q], flow)
		}
	}
	return h
}

// coverage tells which flows together hold every queue of one flow's hand, so that
// their backlogs can crush it. Flows are given by their index.
type coverage struct {
	// ones are the flows that do so alone.
	ones []int
	// pairs is the number of pairs that do so, neither alone.
	pairs int
	// smallest is a smallest group that does so, nil if not even all others together do.
	smallest []int
}

// coverage looks at one flow. A set of its queues is a bit mask over its hand, so that
// all other flows fall into at most 2^handSize kinds; the API server bounds hand sizes
// such that this is small.
func (h *hands) coverage(flow int) coverage {
	full := uint64(1)<<len(h.hand[flow]) - 1
	masks := map[int]uint64{}
	var others []int
	for i, q := range h.hand[flow] {
		for _, other := range h.holders[q] {
			if other == flow {
				continue
			}
			if masks[other] == 0 {
				others = append(others, other)
			}
			masks[other] |= 1 << i
		}
	}
	slices.Sort(others)
	var kinds []kind
	var c coverage
	for _, other := range others {
		if masks[other] == full {
			c.ones = append(c.ones, other)
		}
		kinds = addKind(kinds, masks[other], other)
	}
	c.pairs = coveringPairs(kinds, full)
	c.smallest = smallestCover(kinds, full)
	return c
}

// kind is a set of queues that some flows share with the one that is looked at.
type kind struct {
	mask  uint64
	first int // the first of those flows
	count int
}

// addKind counts a flow in the kinds, which stay in the order of their first flows.
func addKind(kinds []kind, mask uint64, flow int) []kind {
	for i := range kinds {
		if kinds[i].mask == mask {
			kinds[i].count++
			return kinds
		}
	}
	return append(kinds, kind{mask, flow, 1})
}

// coveringPairs counts the pairs of flows that cover together and not alone.
func coveringPairs(kinds []kind, full uint64) int {
	n := 0
	for i, a := range kinds {
		for _, b := range kinds[:i] {
			if a.mask != full && b.mask != full && a.mask|b.mask == full {
				n += a.count * b.count
			}
		}
	}
	return n
}

// smallestCover finds a smallest group of flows whose queues make up the full hand: a
// breadth-first search over the sets of queues that groups of growing size can cover.
// Of several groups it takes the one that comes first in the order of the flows added.
func smallestCover(kinds []kind, full uint64) []int {
	reached := map[uint64][]int{0: nil}
	frontier := []uint64{0}
	for len(frontier) > 0 {
		var next []uint64
		for _, have := range frontier {
			for _, k := range kinds {
				union := have | k.mask
				if _, known := reached[union]; known {
					continue
				}
				reached[union] = append(slices.Clone(reached[have]), k.first)
				if union == full {
					return reached[union]
				}
				next = append(next, union)
			}
		}
		frontier = next
	}
	return nil
}

// shares gives, for each queue, the part of all requests that it can expect if every
// flow sends as many as any other and spreads them evenly over its hand. The parts sum
// to 1.
func (h *hands) shares() []float64 {
	shares := make([]float64, h.queues)
	for q, flows := range h.holders {
		for _, flow := range flows {
			shares[q] += 1 / float64(len(h.hand[flow])) / float64(len(h.hand))
		}
	}
	return shares
}

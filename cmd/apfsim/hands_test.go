package main

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/apfsim/apfsim/scheduler/shuffle"
	"pgregory.net/rapid"
)

// covers tells, card by card, whether a group of flows holds all of a flow's queues.
func covers(hand [][]int32, group []int, flow int) bool {
	for _, card := range hand[flow] {
		if !slices.ContainsFunc(group, func(other int) bool { return slices.Contains(hand[other], card) }) {
			return false
		}
	}
	return true
}

// TestCoverage compares with trying every group of flows.
func TestCoverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queues := rapid.IntRange(2, 7).Draw(t, "queues")
		size := rapid.IntRange(1, min(queues, 4)).Draw(t, "hand size")
		dealer, err := shuffle.NewDealer(queues, size)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(1, 9).Draw(t, "flows")
		hand := make([][]int32, n)
		for i := range hand {
			hand[i] = dealer.Deal(rapid.Uint64().Draw(t, "hash"), nil)
		}
		flow := rapid.IntRange(0, n-1).Draw(t, "flow")
		ones, pairs, smallest := 0, 0, math.MaxInt
		for set := range uint64(1) << n {
			var group []int
			for i := range n {
				if set>>i&1 == 1 {
					group = append(group, i)
				}
			}
			if set>>flow&1 == 1 || !covers(hand, group, flow) {
				continue
			}
			smallest = min(smallest, len(group))
			switch {
			case bits.OnesCount64(set) == 1:
				ones++
			case len(group) == 2 && !covers(hand, group[:1], flow) && !covers(hand, group[1:], flow):
				pairs++
			}
		}
		c := newHands(queues, hand).coverage(flow)
		if len(c.ones) != ones || c.pairs != pairs {
			t.Fatalf("%d flows and %d pairs, want %d and %d", len(c.ones), c.pairs, ones, pairs)
		}
		for _, other := range c.ones {
			if other == flow || !covers(hand, []int{other}, flow) {
				t.Fatalf("flow %d does not cover %d", other, flow)
			}
		}
		if smallest == math.MaxInt {
			smallest = 0
		}
		if len(c.smallest) != smallest || smallest > 0 && !covers(hand, c.smallest, flow) {
			t.Fatalf("smallest group %v, want %d flows", c.smallest, smallest)
		}
	})
}

// TestShares holds that the shares of the queues sum to 1 and are those of the hands.
func TestShares(t *testing.T) {
	h := newHands(4, [][]int32{{0, 1}, {1, 2}, {1, 0}})
	want := []float64{1. / 3, 1. / 2, 1. / 6, 0}
	for q, got := range h.shares() {
		if math.Abs(got-want[q]) > 1e-15 {
			t.Errorf("queue %d: share %v, want %v", q, got, want[q])
		}
	}
}

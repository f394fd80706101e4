package fairqueue

import (
	"math"
	"math/bits"
)

// noKey marks a queue with nothing waiting. A real virtual finish of this value
// could never be chosen upstream either, whose scan starts from it with a strict <.
const noKey = SeatSeconds(math.MaxUint64)

// tree finds the next queue to dispatch from in logarithmic time. It is a tournament:
// leaf i holds the virtual finish of the head of queue i (noKey if none waits), and
// each inner node the smaller of its two children.
type tree struct {
	leaves int // a power of two
	// keys holds the nodes in heap order: the root at 1, leaf i at leaves+i.
	keys []SeatSeconds
}

// reset makes room for n queues and empties them all.
func (t *tree) reset(n int) {
	t.leaves = 1
	for t.leaves < n {
		t.leaves *= 2
	}
	t.keys = make([]SeatSeconds, 2*t.leaves)
	for i := range t.keys {
		t.keys[i] = noKey
	}
}

// set gives leaf i a new key. It climbs only as far as winners change.
func (t *tree) set(i int, key SeatSeconds) {
	keys := t.keys
	n := uint(t.leaves + i)
	keys[n] = key
	for n > 1 {
		key = min(key, keys[n^1])
		n /= 2
		if keys[n] == key {
			return
		}
		keys[n] = key
	}
}

// next returns the first leaf with the smallest key, looking from start on and
// around: the decision that upstream reaches by scanning all queues in round robin
// order with a strict <. It returns -1 if all leaves are empty.
func (t *tree) next(start int) int {
	smallest := t.keys[1]
	if smallest == noKey {
		return -1
	}
	if i := t.from(start, smallest); i >= 0 {
		return i
	}
	return t.from(0, smallest)
}

// from returns the first leaf at or after start that holds key, which must be the
// smallest key of all, or -1.
func (t *tree) from(start int, key SeatSeconds) int {
	if start >= t.leaves {
		return -1
	}
	keys, leaves := t.keys, uint(t.leaves)
	n := leaves + uint(start)
	for keys[n] != key {
		// While n is a right child, all below its parent has been looked at.
		n >>= bits.TrailingZeros(^n)
		if n == 0 {
			return -1
		}
		n++ // the right sibling holds the leaves that come next
	}
	for n < leaves {
		n *= 2
		if keys[n] != key {
			n++
		}
	}
	return int(n - leaves)
}

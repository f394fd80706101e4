package fairqueue

import (
	"math/rand/v2"
	"testing"
)

// scan is the decision as upstream takes it: all queues in round robin order, the
// first of the smallest wins.
func scan(keys []SeatSeconds, start int) int {
	best, least := -1, noKey
	for n := range keys {
		i := (start + n) % len(keys)
		if keys[i] < least {
			best, least = i, keys[i]
		}
	}
	return best
}

func TestTreeFindsWhatAScanFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 5, 16, 17, 64, 100, 128} {
		var tr tree
		tr.reset(n)
		keys := make([]SeatSeconds, n)
		for i := range keys {
			keys[i] = noKey
		}
		for step := range 5000 {
			i := random.IntN(n)
			keys[i] = SeatSeconds(random.IntN(4)) // few values: ties are common
			if random.IntN(3) == 0 {
				keys[i] = noKey
			}
			tr.set(i, keys[i])
			start := random.IntN(n)
			if got, want := tr.next(start), scan(keys, start); got != want {
				t.Fatalf("%d queues, step %d: next(%d) = %d, a scan finds %d in %v", n, step, start, got, want, keys)
			}
		}
	}
}

func TestTreeStartsBeyondTheLastQueue(t *testing.T) {
	var tr tree
	tr.reset(3)
	tr.set(1, 7)
	if got := tr.next(3); got != 1 {
		t.Errorf("next(3) of 3 queues = %d, want 1: the search goes around", got)
	}
	tr.set(1, noKey)
	if got := tr.next(0); got != -1 {
		t.Errorf("next(0) of empty queues = %d, want -1", got)
	}
}

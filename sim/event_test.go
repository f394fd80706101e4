package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestEventQueueIsATotalOrder pops what was pushed in the order of time, class and
// sequence, whatever the interleaving of pushes and pops.
func TestEventQueueIsATotalOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var q eventQueue
		var want []event // the model: a sorted slice
		for step := range 400 {
			if q.len() != len(want) {
				t.Fatalf("step %d: %d events, want %d", step, q.len(), len(want))
			}
			if len(want) == 0 || random.IntN(5) < 3 {
				at, c := time.Duration(random.IntN(8)), class(random.IntN(6))
				q.push(at, c, actOpen, int32(step))
				want = append(want, event{at: at, order: uint64(c)<<56 | q.sequence, ref: int32(step), act: actOpen})
				slices.SortFunc(want, func(a, b event) int {
					return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
				})
				continue
			}
			if got := q.pop(); got != want[0] {
				t.Fatalf("step %d: popped %+v, want %+v", step, got, want[0])
			}
			want = want[1:]
		}
	}
}

func TestClassesOrderOneInstant(t *testing.T) {
	var q eventQueue
	order := []class{classFinish, classRelease, classExpire, classAdjust, classClient, classArrive}
	for _, c := range slices.Backward(order) {
		q.push(time.Second, c, actOpen, int32(c))
	}
	for i, want := range order {
		if got := class(q.pop().ref); got != want {
			t.Errorf("popped class %d at place %d, want %d", got, i, want)
		}
	}
}

func TestExpiryQueueKeepsItsOrderAsItGrows(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var q expiryQueue
	pushed, dropped := uint64(0), uint64(0)
	for range 10_000 {
		if q.count > 0 && random.IntN(2) == 0 {
			if got := q.head().serial; got != dropped {
				t.Fatalf("head is %d, want %d", got, dropped)
			}
			q.drop()
			dropped++
			continue
		}
		if q.full() {
			q.makeRoom(func(*deadline) bool { return true })
		}
		q.push(deadline{serial: pushed})
		pushed++
	}
	if q.count != int(pushed-dropped) {
		t.Errorf("%d deadlines left, want %d", q.count, pushed-dropped)
	}
}

func TestExpiryQueueForgetsWhatHasGone(t *testing.T) {
	var q expiryQueue
	for n := range uint64(100_000) { // only the first one waits
		if q.full() {
			q.makeRoom(func(d *deadline) bool { return d.serial == 0 })
		}
		q.push(deadline{serial: n})
	}
	if len(q.ring) > 16 || q.head().serial != 0 {
		t.Errorf("a ring of %d for one request that waits, which is %d", len(q.ring), q.head().serial)
	}
}

func BenchmarkEventQueue(b *testing.B) {
	random := rand.New(rand.NewPCG(7, 8))
	var q eventQueue
	for i := range int32(256) {
		q.push(time.Duration(random.IntN(1000)), classArrive, actOpen, i)
	}
	steps := make([]time.Duration, 1024)
	for i := range steps {
		steps[i] = time.Duration(random.IntN(1000))
	}
	b.ResetTimer()
	for i := range b.N {
		e := q.pop()
		q.push(e.at+steps[i%len(steps)], classArrive, actOpen, e.ref)
	}
}

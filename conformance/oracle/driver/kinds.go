package driver

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe" // for go:linkname, too

	_ "k8s.io/apiserver/pkg/server/filters" // defines what follows
)

// These are private variables of the filters, the same in every release from 1.20 on: pointers to the observers of
// requests by kind, and the numbers that these are told. A go:linkname directive makes the names here aliases of them.
// The numbers are int32 or atomic.Int32, which is an int32 in memory.
var (
	//go:linkname executing k8s.io/apiserver/pkg/server/filters.watermark
	executing unsafe.Pointer
	//go:linkname waiting k8s.io/apiserver/pkg/server/filters.waitingMark
	waiting unsafe.Pointer
	//go:linkname readOnlyExecuting k8s.io/apiserver/pkg/server/filters.atomicReadOnlyExecuting
	readOnlyExecuting int32
	//go:linkname mutatingExecuting k8s.io/apiserver/pkg/server/filters.atomicMutatingExecuting
	mutatingExecuting int32
	//go:linkname readOnlyWaiting k8s.io/apiserver/pkg/server/filters.atomicReadOnlyWaiting
	readOnlyWaiting int32
	//go:linkname mutatingWaiting k8s.io/apiserver/pkg/server/filters.atomicMutatingWaiting
	mutatingWaiting int32
)

// kinds is how the filters' requestWatermark begins, with the release's type of observers.
type kinds[Observer any] struct {
	phase              string
	readOnly, mutating Observer
}

// KindsInOrder returns what puts another observer in the place of each of those of requests by kind, once. The filters
// change a number, and tell the observer in a step of its own what the number was then. Of two requests that
// change it at the same instant, as those do that the seats of one request let go, either may come last with that:
// the older number may stay in force until the next change. The other observer is to be told the number
// that holds then, too.
//
// The other observer is to do nothing when it is asked to add something, which the filters do every ten seconds from when
// beginSeconds begins the seconds; the real one is asked to in its place every ten seconds from the start, as in a server.
func KindsInOrder[Observer interface{ Add(float64) }](other func(real Observer, number *Number) Observer) func() {
	return sync.OnceFunc(func() {
		for _, phase := range []struct {
			observers          unsafe.Pointer
			readOnly, mutating *int32
		}{
			{executing, &readOnlyExecuting, &mutatingExecuting},
			{waiting, &readOnlyWaiting, &mutatingWaiting},
		} {
			k := (*kinds[Observer])(phase.observers)
			kept = append(kept, k.readOnly, k.mutating)
			k.readOnly = other(k.readOnly, &Number{holds: phase.readOnly})
			k.mutating = other(k.mutating, &Number{holds: phase.mutating})
		}
	})
}

// Number is a number of requests of one kind.
type Number struct {
	holds *int32
	// telling is held while the number is read and told. Without it an older number could come last once more.
	telling sync.Mutex
}

// Tell tells an observer what it was to be told, and then the number that holds.
func (n *Number) Tell(observe func(float64), told float64) {
	n.telling.Lock()
	defer n.telling.Unlock()
	observe(told)
	observe(float64(atomic.LoadInt32(n.holds)))
}

// kept are the real observers.
var kept []interface{ Add(float64) }

// maintenance is how often the filters bring the observers up to date.
const maintenance = 10 * time.Second

// maintain brings the observers up to date as the filters do.
func maintain(stop <-chan struct{}) {
	for {
		for _, o := range kept {
			o.Add(0)
		}
		select {
		case <-stop:
			return
		case <-time.After(maintenance):
		}
	}
}

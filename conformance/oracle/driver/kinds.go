package driver

import (
	"sync"
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
func KindsInOrder[Observer any](other func(real Observer, number *int32) Observer) func() {
	return sync.OnceFunc(func() {
		for _, phase := range []struct {
			observers          unsafe.Pointer
			readOnly, mutating *int32
		}{
			{executing, &readOnlyExecuting, &mutatingExecuting},
			{waiting, &readOnlyWaiting, &mutatingWaiting},
		} {
			k := (*kinds[Observer])(phase.observers)
			k.readOnly, k.mutating = other(k.readOnly, phase.readOnly), other(k.mutating, phase.mutating)
		}
	})
}

package fullrun

import (
	"sync"
	"sync/atomic"
	_ "unsafe" // for go:linkname

	_ "k8s.io/apiserver/pkg/server/filters" // defines what follows
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
)

// These are private variables of the filters: the observers of requests by kind, and the numbers that they are told.
// A go:linkname directive makes the names here aliases of them.
var (
	//go:linkname executing k8s.io/apiserver/pkg/server/filters.watermark
	executing *kinds
	//go:linkname waiting k8s.io/apiserver/pkg/server/filters.waitingMark
	waiting *kinds
	//go:linkname readOnlyExecuting k8s.io/apiserver/pkg/server/filters.atomicReadOnlyExecuting
	readOnlyExecuting atomic.Int32
	//go:linkname mutatingExecuting k8s.io/apiserver/pkg/server/filters.atomicMutatingExecuting
	mutatingExecuting atomic.Int32
	//go:linkname readOnlyWaiting k8s.io/apiserver/pkg/server/filters.atomicReadOnlyWaiting
	readOnlyWaiting atomic.Int32
	//go:linkname mutatingWaiting k8s.io/apiserver/pkg/server/filters.atomicMutatingWaiting
	mutatingWaiting atomic.Int32
)

// kinds is how the filters' requestWatermark begins.
type kinds struct {
	phase              string
	readOnly, mutating metrics.RatioedGauge
}

// kindsInOrder makes the metrics by kind of request independent of Go's scheduler, once the filters are there. They change
// a number, and set the metric in a step of its own to what the number was then. Of two requests that change it at the
// same instant, as those do that the seats of one request let go, either may come last with that: the
// older number may stay in force until the next change.
var kindsInOrder = sync.OnceFunc(func() {
	executing.readOnly = &kindGauge{RatioedGauge: executing.readOnly, number: &readOnlyExecuting}
	executing.mutating = &kindGauge{RatioedGauge: executing.mutating, number: &mutatingExecuting}
	waiting.readOnly = &kindGauge{RatioedGauge: waiting.readOnly, number: &readOnlyWaiting}
	waiting.mutating = &kindGauge{RatioedGauge: waiting.mutating, number: &mutatingWaiting}
})

// kindGauge is the metric that is set to the number that holds.
type kindGauge struct {
	metrics.RatioedGauge
	number *atomic.Int32
	// setting is held while the number is read and the metric set: an older number would come last otherwise, as before.
	setting sync.Mutex
}

// Set sets the metric.
func (g *kindGauge) Set(float64) {
	g.setting.Lock()
	defer g.setting.Unlock()
	g.RatioedGauge.Set(float64(g.number.Load()))
}

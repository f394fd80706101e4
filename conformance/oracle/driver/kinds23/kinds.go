// Package kinds23 puts the numbers of requests by kind in order, in 1.23 and 1.24.
package kinds23

import (
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
)

// InOrder is what driver.KindsInOrder says.
var InOrder = driver.KindsInOrder(func(real metrics.RatioedChangeObserver, number *driver.Number) metrics.RatioedChangeObserver {
	return observer{real, number}
})

type observer struct {
	metrics.RatioedChangeObserver
	number *driver.Number
}

// Observe tells the real observer what it is told, and then the number that holds.
func (o observer) Observe(n float64) { o.number.Tell(o.RatioedChangeObserver.Observe, n) }

// Add does nothing; see driver.KindsInOrder.
func (observer) Add(float64) {}

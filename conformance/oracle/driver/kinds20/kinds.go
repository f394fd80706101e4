// Package kinds20 puts the numbers of requests by kind in order, in 1.20 to 1.22.
package kinds20

import (
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
)

// InOrder is what driver.KindsInOrder says.
var InOrder = driver.KindsInOrder(func(real metrics.TimedObserver, number *driver.Number) metrics.TimedObserver {
	return observer{real, number}
})

type observer struct {
	metrics.TimedObserver
	number *driver.Number
}

// Set tells the real observer what it is told, and then the number that holds.
func (o observer) Set(n float64) { o.number.Tell(o.TimedObserver.Set, n) }

// Add does nothing; see driver.KindsInOrder.
func (observer) Add(float64) {}

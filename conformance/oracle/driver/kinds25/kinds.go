// Package kinds25 puts the numbers of requests by kind in order, in 1.25 and later.
package kinds25

import (
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
)

// InOrder is what driver.KindsInOrder says.
var InOrder = driver.KindsInOrder(func(real metrics.RatioedGauge, number *driver.Number) metrics.RatioedGauge {
	return observer{real, number}
})

type observer struct {
	metrics.RatioedGauge
	number *driver.Number
}

// Set tells the real observer what it is told, and then the number that holds.
func (o observer) Set(n float64) { o.number.Tell(o.RatioedGauge.Set, n) }

// Add does nothing; see driver.KindsInOrder.
func (observer) Add(float64) {}

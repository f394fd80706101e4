// Package apf21 is API Priority and Fairness as in 1.21.
package apf21

import (
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/clock"
	endpointfilters "k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/apiserver/pkg/util/flowcontrol/counter"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
	"github.com/apfsim/apfsim/conformance/oracle/driver/kinds20"
	"github.com/apfsim/apfsim/conformance/oracle/driver/observe20"
)

// Release is 1.21.
var Release = driver.Release{
	Empty: empty, Bootstrap: builtIn, New: newServer, KindsInOrder: kinds20.InOrder,
	BeginQueueSet: observe20.BeginQueueSet, StartRequest: observe20.StartRequest,
	Samplers: []any{metrics.PriorityLevelConcurrencyObserverPairGenerator, metrics.ReadWriteConcurrencyObserverPairGenerator},
}

// newServer passes the arguments of flowcontrol.New; only the queue sets are observed.
func newServer(c *driver.Case, client *fake.Clientset, factory informers.SharedInformerFactory, execute http.Handler) *driver.Server {
	timeout := time.Duration(c.RequestTimeout)
	controller := flowcontrol.NewTestable(flowcontrol.TestableConfig{
		Name:                   "Controller",
		Clock:                  clock.RealClock{},
		AsFieldManager:         flowcontrol.ConfigConsumerAsFieldManager,
		FoundToDangling:        func(found bool) bool { return !found },
		InformerFactory:        factory,
		FlowcontrolClient:      client.FlowcontrolV1beta1(),
		ServerConcurrencyLimit: c.Seats,
		RequestWaitLimit:       timeout / 4,
		ObsPairGenerator:       metrics.PriorityLevelConcurrencyObserverPairGenerator,
		QueueSetFactory:        observe20.Factory{QueueSetFactory: queueset.NewQueueSetFactory(clock.RealClock{}, counter.NoOp{})},
	})
	fair := filters.WithPriorityAndFairness(execute, driver.LongRunning, controller)
	deadline := endpointfilters.WithRequestDeadline(fair, nil, nil, driver.LongRunning, nil, timeout)
	return &driver.Server{
		Handler:    endpointfilters.WithRequestReceivedTimestamp(deadline),
		Controller: controller, Run: controller.Run,
	}
}

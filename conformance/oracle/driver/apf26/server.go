// Package apf26 is API Priority and Fairness as in 1.26 to 1.28.4: levels borrow seats,
// and how long a request may wait is the controller's matter.
package apf26

import (
	"net/http"
	"time"

	endpointfilters "k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/eventclock"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
	"github.com/apfsim/apfsim/conformance/oracle/driver/kinds25"
	"github.com/apfsim/apfsim/conformance/oracle/driver/observe26"
)

// Release is one of 1.26 to 1.28.4.
var Release = driver.Release{
	Empty: empty, Bootstrap: builtIn, New: newServer, KindsInOrder: kinds25.InOrder,
	BeginQueueSet: observe26.BeginQueueSet, StartRequest: observe26.StartRequest,
}

// newServer passes the arguments of flowcontrol.New but for the controller's clock; the
// queue sets are observed.
func newServer(c *driver.Case, client *fake.Clientset, factory informers.SharedInformerFactory, execute http.Handler) *driver.Server {
	timeout := time.Duration(c.RequestTimeout)
	controller := flowcontrol.NewTestable(flowcontrol.TestableConfig{
		Name:                   "Controller",
		Clock:                  new(observe26.Clock),
		AsFieldManager:         flowcontrol.ConfigConsumerAsFieldManager,
		FoundToDangling:        func(found bool) bool { return !found },
		InformerFactory:        factory,
		FlowcontrolClient:      client.FlowcontrolV1beta3(),
		ServerConcurrencyLimit: c.Seats,
		RequestWaitLimit:       timeout / 4,
		ReqsGaugeVec:           metrics.PriorityLevelConcurrencyGaugeVec,
		ExecSeatsGaugeVec:      metrics.PriorityLevelExecutionSeatsGaugeVec,
		QueueSetFactory:        observe26.Factory{QueueSetFactory: queueset.NewQueueSetFactory(eventclock.Real{})},
	})
	estimator := request.NewWorkEstimator(
		driver.Counts(c, request.ObjectCountNotFoundErr, request.ObjectCountStaleErr), controller.GetInterestedWatchCount,
		request.DefaultWorkEstimatorConfig(), controller.GetMaxSeats)
	fair := filters.WithPriorityAndFairness(execute, driver.LongRunning, controller, estimator)
	deadline := endpointfilters.WithRequestDeadline(fair, nil, nil, driver.LongRunning, nil, timeout)
	return &driver.Server{
		Handler:    endpointfilters.WithRequestReceivedTimestamp(deadline),
		Controller: controller, Run: controller.Run,
		RegisterWatch:    func(r *http.Request) { controller.RegisterWatch(r) },
		WatchInitialized: flowcontrol.WatchInitialized,
		MaxSeats:         controller.GetMaxSeats,
	}
}

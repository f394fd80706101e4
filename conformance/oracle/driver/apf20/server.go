// Package apf20 is API Priority and Fairness as in 1.20.
package apf20

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/clock"
	endpointfilters "k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
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

// Release is 1.20.
var Release = driver.Release{
	Empty: empty, Bootstrap: builtIn, New: newServer, KindsInOrder: kinds20.InOrder,
	BeginQueueSet: observe20.BeginQueueSet, StartRequest: observe20.StartRequest,
	Samplers: []any{metrics.PriorityLevelConcurrencyObserverPairGenerator, metrics.ReadWriteConcurrencyObserverPairGenerator},
}

// newServer passes the arguments of flowcontrol.New; only the queue sets are observed.
func newServer(c *driver.Case, client *fake.Clientset, factory informers.SharedInformerFactory, execute http.Handler) *driver.Server {
	timeout := time.Duration(c.RequestTimeout)
	controller := flowcontrol.NewTestable(factory, client.FlowcontrolV1beta1(), c.Seats, timeout/4,
		metrics.PriorityLevelConcurrencyObserverPairGenerator,
		observe20.Factory{QueueSetFactory: queueset.NewQueueSetFactory(clock.RealClock{}, counter.NoOp{})})
	fair := filters.WithPriorityAndFairness(execute, driver.LongRunning, controller)
	return &driver.Server{
		Handler:    endpointfilters.WithRequestReceivedTimestamp(withTimeout(fair, timeout)),
		Controller: controller, Run: controller.Run,
	}
}

// withTimeout ends the context of a request as the filter
// WithTimeoutForNonLongRunningRequests does. 1.20 has no deadline filter yet, and does
// not care for the option timeout here. The filter itself would also answer the client
// of a request that executes for too long, which is not the queue sets' concern.
func withTimeout(handler http.Handler, timeout time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if info, ok := request.RequestInfoFrom(r.Context()); !ok || !driver.LongRunning(r, info) {
			ctx, cancel := context.WithTimeout(r.Context(), timeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		handler.ServeHTTP(w, r)
	})
}

// Package apf22 is API Priority and Fairness as in 1.22, where a request has a width
// that is always 1.
package apf22

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/clock"
	endpointfilters "k8s.io/apiserver/pkg/endpoints/filters"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/apiserver/pkg/util/flowcontrol/counter"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/apfsim/apfsim/conformance/oracle/driver"
	"github.com/apfsim/apfsim/conformance/oracle/driver/kinds20"
)

// Release is 1.22.
var Release = driver.Release{
	Empty: empty, Bootstrap: builtIn, New: newServer, KindsInOrder: kinds20.InOrder,
	BeginQueueSet: beginQueueSet, StartRequest: startRequest,
	Samplers: []any{metrics.PriorityLevelConcurrencyObserverPairGenerator, metrics.ReadWriteConcurrencyObserverPairGenerator},
}

// newServer passes the arguments of flowcontrol.New; only the queue sets are observed.
func newServer(c *driver.Case, client *fake.Clientset, informers informers.SharedInformerFactory, execute http.Handler) *driver.Server {
	timeout := time.Duration(c.RequestTimeout)
	controller := flowcontrol.NewTestable(flowcontrol.TestableConfig{
		Name:                   "Controller",
		Clock:                  clock.RealClock{},
		AsFieldManager:         flowcontrol.ConfigConsumerAsFieldManager,
		FoundToDangling:        func(found bool) bool { return !found },
		InformerFactory:        informers,
		FlowcontrolClient:      client.FlowcontrolV1beta1(),
		ServerConcurrencyLimit: c.Seats,
		RequestWaitLimit:       timeout / 4,
		ObsPairGenerator:       metrics.PriorityLevelConcurrencyObserverPairGenerator,
		QueueSetFactory:        factory{queueset.NewQueueSetFactory(clock.RealClock{}, counter.NoOp{})},
	})
	fair := filters.WithPriorityAndFairness(execute, driver.LongRunning, controller, request.DefaultWidthEstimator)
	deadline := endpointfilters.WithRequestDeadline(fair, nil, nil, driver.LongRunning, nil, timeout)
	return &driver.Server{
		Handler:    endpointfilters.WithRequestReceivedTimestamp(deadline),
		Controller: controller, Run: controller.Run,
		RegisterWatch: func(r *http.Request) {
			info, _ := apirequest.RequestInfoFrom(r.Context())
			controller.RegisterWatch(info)
		},
		WatchInitialized: flowcontrol.WatchInitialized,
	}
}

// factory makes queue sets that note every question.
type factory struct{ fairqueuing.QueueSetFactory }

func (f factory) BeginConstruction(c fairqueuing.QueuingConfig, requests metrics.TimedObserverPair) (fairqueuing.QueueSetCompleter, error) {
	inner, err := f.QueueSetFactory.BeginConstruction(c, requests)
	return driver.Observe(inner, err, c, func(s *driver.Set) fairqueuing.QueueSet { return set{s} })
}

type set struct{ *driver.Set }

func (s set) StartRequest(
	ctx context.Context, width *request.Width, hash uint64, flow, schema string, descr1, descr2 any, note fairqueuing.QueueNoteFn,
) (fairqueuing.Request, bool) {
	s.Asked(ctx, schema, flow, driver.Estimate{Initial: int(width.Seats)})
	answer, idle := s.QueueSet.StartRequest(ctx, width, hash, flow, schema, descr1, descr2, note)
	s.Answered(ctx, answer)
	return answer, idle
}

// beginQueueSet begins a queue set that is not observed.
func beginQueueSet(c fairqueuing.QueuingConfig) (fairqueuing.QueueSetCompleter, error) {
	return queueset.NewQueueSetFactory(clock.RealClock{}, counter.NoOp{}).BeginConstruction(c, metrics.TimedObserverPair{RequestsWaiting: driver.NoGauge{}, RequestsExecuting: driver.NoGauge{}})
}

// startRequest brings a request to a queue set that is not observed.
func startRequest(ctx context.Context, s fairqueuing.QueueSet, hash uint64, e driver.Estimate) fairqueuing.Request {
	r, _ := s.StartRequest(ctx, &request.Width{Seats: uint(e.Initial)}, hash, "", "schema", nil, nil, func(bool) {})
	return r
}

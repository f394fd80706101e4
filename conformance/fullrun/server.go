package fullrun

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"sort"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	endpointfilters "k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/feature"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/eventclock"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing/queueset"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/apfsim/apfsim/conformance/oracle/driver/traffic"
)

// realServer is kube-apiserver as far as API Priority and Fairness goes.
type realServer struct {
	handler    http.Handler
	controller flowcontrol.Interface
	factory    informers.SharedInformerFactory
	client     kubernetes.Interface
	stop       chan struct{}
	// stopped is closed when the controller has returned.
	stopped chan struct{}
}

// longRunning is the check that kube-apiserver configures
// (cmd/kube-apiserver, pkg/controlplane/apiserver/config.go of k8s.io/kubernetes).
var longRunning = filters.BasicLongRunningRequestCheck(
	sets.NewString("watch", "proxy"),
	sets.NewString("attach", "exec", "proxy", "log", "portforward"),
)

// newServer builds the server with execute as what comes after the filters. Its
// informers have synced, its controller does not run yet. Call it in the bubble.
func newServer(sc *Scenario, execute http.Handler) *realServer {
	var objects []runtime.Object
	for _, o := range sc.PriorityLevels {
		objects = append(objects, o.DeepCopy())
	}
	for _, o := range sc.FlowSchemas {
		objects = append(objects, o.DeepCopy())
	}
	client := fake.NewClientset(objects...)
	s := &realServer{
		client:  client,
		factory: informers.NewSharedInformerFactory(client, 0),
		stop:    make(chan struct{}),
		stopped: make(chan struct{}),
	}
	// The arguments are those of flowcontrol.New; only the queue sets are observed.
	clock := eventclock.Real{}
	s.controller = flowcontrol.NewTestable(flowcontrol.TestableConfig{
		Name:                   "Controller",
		Clock:                  clock,
		AsFieldManager:         flowcontrol.ConfigConsumerAsFieldManager,
		FoundToDangling:        func(found bool) bool { return !found },
		InformerFactory:        s.factory,
		FlowcontrolClient:      client.FlowcontrolV1(),
		ServerConcurrencyLimit: sc.Seats,
		ReqsGaugeVec:           metrics.PriorityLevelConcurrencyGaugeVec,
		ExecSeatsGaugeVec:      metrics.PriorityLevelExecutionSeatsGaugeVec,
		QueueSetFactory:        observedFactory{queueset.NewQueueSetFactory(clock)},
	})
	estimator := request.NewWorkEstimator(
		sc.stats, s.controller.GetInterestedWatchCount, request.DefaultWorkEstimatorConfig(), s.controller.GetMaxSeats)
	fair := filters.WithPriorityAndFairness(execute, longRunning, s.controller, estimator, sc.RequestTimeout/4)
	deadline := endpointfilters.WithRequestDeadline(fair, nil, nil, longRunning, nil, sc.RequestTimeout)
	s.handler = endpointfilters.WithRequestReceivedTimestamp(deadline)
	s.factory.Start(s.stop)
	s.factory.WaitForCacheSync(s.stop)
	return s
}

// run starts the controller.
func (s *realServer) run() {
	go func() {
		defer close(s.stopped)
		if err := s.controller.Run(s.stop); err != nil {
			panic(err)
		}
	}()
}

// shutdown ends every goroutine of the server.
func (s *realServer) shutdown() {
	close(s.stop)
	<-s.stopped
	s.factory.Shutdown()
}

// stats is the object count tracker's answer for a resource[.group].
func (sc *Scenario) stats(resource string) (storage.Stats, error) {
	o, ok := sc.Objects[resource]
	if !ok {
		return storage.Stats{}, request.ObjectCountNotFoundErr
	}
	stats := storage.Stats{ObjectCount: o.Count, EstimatedAverageObjectSizeBytes: o.AverageBytes}
	if o.Stale {
		return stats, request.ObjectCountStaleErr
	}
	return stats, nil
}

// watchProgress answers for etcd whether it supports RequestWatchProgress.
type watchProgress struct {
	feature.FeatureSupportChecker
	supported bool
}

func (w watchProgress) Supports(f storage.Feature) bool {
	if f == storage.RequestWatchProgress {
		return w.supported
	}
	return w.FeatureSupportChecker.Supports(f)
}

// withWatchProgress runs f with the process-wide feature checker replaced.
func withWatchProgress(supported bool, f func()) {
	old := feature.DefaultFeatureSupportChecker
	feature.DefaultFeatureSupportChecker = watchProgress{old, supported}
	defer func() { feature.DefaultFeatureSupportChecker = old }()
	f()
}

// openWatches registers the watches that are open before the run.
func (s *realServer) openWatches(watches []Watch) {
	for _, w := range watches {
		r := Request{Verb: "watch", APIGroup: w.APIGroup, Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}
		for range w.Count {
			s.controller.RegisterWatch(traffic.HTTP(context.Background(), &r))
		}
	}
}

// LevelAdjustment is what one adjustment of the concurrency limits, or one change of the
// configuration, left behind for one priority level.
type LevelAdjustment struct {
	Time  time.Duration
	Level string
	// Quiescing tells that the level has been deleted and is still in use.
	Quiescing         bool
	Nominal, Min, Max int
	// MaxSeats is the bound on the width of a request, 0 if there is none.
	MaxSeats      int
	Current       int
	HighWatermark int
	Avg, StdDev   float64
	Smoothed      float64
}

// String shows every bit of the floats.
func (a LevelAdjustment) String() string {
	return fmt.Sprintf("%v %s quiescing=%t nominal=%d min=%d max=%d maxSeats=%d current=%d highWatermark=%d avg=%v stdDev=%v smoothed=%v",
		a.Time, a.Level, a.Quiescing, a.Nominal, a.Min, a.Max, a.MaxSeats, a.Current, a.HighWatermark, a.Avg, a.StdDev, a.Smoothed)
}

// adjustments reads the controller's private state of every level, by name.
func (s *realServer) adjustments(now time.Duration) []LevelAdjustment {
	states := reflect.ValueOf(s.controller).Elem().FieldByName("priorityLevelStates")
	var all []LevelAdjustment
	for iter := states.MapRange(); iter.Next(); {
		state := iter.Value().Elem()
		stats := state.FieldByName("seatDemandStats")
		all = append(all, LevelAdjustment{
			Time: now, Level: iter.Key().String(),
			Quiescing:     state.FieldByName("quiescing").Bool(),
			Nominal:       int(state.FieldByName("nominalCL").Int()),
			Min:           int(state.FieldByName("minCL").Int()),
			Max:           int(state.FieldByName("maxCL").Int()),
			MaxSeats:      int(s.controller.GetMaxSeats(iter.Key().String())),
			Current:       int(state.FieldByName("currentCL").Int()),
			HighWatermark: int(stats.FieldByName("highWatermark").Int()),
			Avg:           stats.FieldByName("avg").Float(),
			StdDev:        stats.FieldByName("stdDev").Float(),
			Smoothed:      stats.FieldByName("smoothed").Float(),
		})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Level < all[j].Level })
	return all
}

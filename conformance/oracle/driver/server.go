package driver

import (
	"context"
	"net/http"
	"reflect"
	"sort"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/apfsim/apfsim/conformance/oracle/driver/traffic"
)

// Release is a release of kube-apiserver, as far as the releases' code differs.
type Release struct {
	// Empty returns an empty object of a kind, of the version that the controller reads.
	Empty func(kind string) runtime.Object
	// Bootstrap returns copies of the objects that the server maintains by itself.
	Bootstrap func() []runtime.Object
	// New builds a server whose handler ends in execute. It is called in the bubble.
	New func(c *Case, client *fake.Clientset, factory informers.SharedInformerFactory, execute http.Handler) *Server
	// Around runs f with what is global to the process set up for the case; it may be nil.
	Around func(c *Case, f func())
	// Samplers are the metrics that are sampled in real time from the start of the process
	// on, in the releases before 1.25.
	Samplers []any
	// KindsInOrder makes the metrics by kind of request independent of Go's scheduler; see the function of that name.
	KindsInOrder func()
	// BeginQueueSet begins the construction of a queue set on the real clock, and StartRequest
	// brings a request to one; nil means that it was rejected.
	BeginQueueSet func(c fairqueuing.QueuingConfig) (fairqueuing.QueueSetCompleter, error)
	StartRequest  func(ctx context.Context, s fairqueuing.QueueSet, hash uint64, e Estimate) fairqueuing.Request
}

// Server is kube-apiserver as far as API Priority and Fairness goes.
type Server struct {
	// Handler are the filters from the time stamp of the request's arrival on.
	Handler http.Handler
	// Controller is the real controller, for its private state.
	Controller any
	// Run runs the controller until the channel closes.
	Run func(stop <-chan struct{}) error
	// RegisterWatch tells the watch tracker of a watch; nil before 1.22, which has none.
	RegisterWatch func(r *http.Request)
	// WatchInitialized tells the filter that a watch is set up; nil before 1.22, where
	// watches pass by the filter.
	WatchInitialized func(ctx context.Context)
	// MaxSeats tells the bound on the width of a level's requests; nil before 1.25.
	MaxSeats func(level string) uint64
}

// LongRunning is the check that kube-apiserver has configured in every release
// (cmd/kube-apiserver, and pkg/controlplane/apiserver/config.go of k8s.io/kubernetes).
var LongRunning = filters.BasicLongRunningRequestCheck(
	sets.NewString("watch", "proxy"),
	sets.NewString("attach", "exec", "proxy", "log", "portforward"),
)

// openWatches registers the watches that are open before the run.
func (s *Server) openWatches(watches []Watch) {
	if s.RegisterWatch == nil {
		return
	}
	for _, w := range watches {
		r := Request{Verb: "watch", APIGroup: w.APIGroup, Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}
		for range w.Count {
			s.RegisterWatch(traffic.HTTP(context.Background(), &r))
		}
	}
}

// adjustments reads the controller's private state of every level that has queues or
// is given seats, by name. Before 1.26 there is nothing to read.
func (s *Server) adjustments(now time.Duration) []Adjustment {
	states := reflect.ValueOf(s.Controller).Elem().FieldByName("priorityLevelStates")
	var all []Adjustment
	for iter := states.MapRange(); iter.Next(); {
		state := iter.Value().Elem()
		stats := state.FieldByName("seatDemandStats")
		if !stats.IsValid() {
			return nil
		}
		if state.FieldByName("queues").IsNil() {
			continue // exempt, up to 1.27
		}
		all = append(all, Adjustment{
			Time: Duration(now), Level: iter.Key().String(),
			Quiescing:     state.FieldByName("quiescing").Bool(),
			Nominal:       int(state.FieldByName("nominalCL").Int()),
			Min:           int(state.FieldByName("minCL").Int()),
			Max:           int(state.FieldByName("maxCL").Int()),
			MaxSeats:      int(s.MaxSeats(iter.Key().String())),
			Current:       int(state.FieldByName("currentCL").Int()),
			HighWatermark: int(number(stats.FieldByName("highWatermark"))),
			Avg:           Float(stats.FieldByName("avg").Float()),
			StdDev:        Float(stats.FieldByName("stdDev").Float()),
			Smoothed:      Float(stats.FieldByName("smoothed").Float()),
		})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Level < all[j].Level })
	return all
}

// number reads a field that is an integer in some releases and a float in others.
func number(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

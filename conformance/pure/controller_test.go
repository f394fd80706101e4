package pure

import (
	"reflect"
	"time"
	"unsafe"

	flowcontrolapi "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/util/flowcontrol"
	"k8s.io/apiserver/pkg/util/flowcontrol/fairqueuing"
	"k8s.io/apiserver/pkg/util/flowcontrol/metrics"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
)

// controller is the real controller, driven by hand: its configuration is digested
// and its limits are adjusted when the test says so, at the time that it says. In
// the place of queue sets it has gauges to set the demand and notes of the limits.
type controller struct {
	real   flowcontrol.Interface
	now    time.Duration
	levels map[string]*limitedSet
}

func newController(seats int) *controller {
	c := &controller{levels: map[string]*limitedSet{}}
	client := fake.NewClientset()
	c.real = flowcontrol.NewTestable(flowcontrol.TestableConfig{
		Name:                   "Controller",
		Clock:                  c,
		AsFieldManager:         flowcontrol.ConfigConsumerAsFieldManager,
		FoundToDangling:        func(found bool) bool { return !found },
		InformerFactory:        informers.NewSharedInformerFactory(client, 0),
		FlowcontrolClient:      client.FlowcontrolV1(),
		ServerConcurrencyLimit: seats,
		ReqsGaugeVec:           metrics.PriorityLevelConcurrencyGaugeVec,
		ExecSeatsGaugeVec:      metrics.PriorityLevelExecutionSeatsGaugeVec,
		QueueSetFactory:        c,
	})
	return c
}

// epoch is time 0 of the controller's clock.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Now and Since make the controller its own clock.
func (c *controller) Now() time.Time                  { return epoch.Add(c.now) }
func (c *controller) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

func (c *controller) pointer() unsafe.Pointer { return reflect.ValueOf(c.real).UnsafePointer() }

// digest puts a configuration into force.
func (c *controller) digest(levels []*flowcontrolapi.PriorityLevelConfiguration) {
	lockAndDigestConfigObjects(c.pointer(), levels, nil)
}

// adjust does what the controller does every ten seconds.
func (c *controller) adjust() { updateBorrowing(c.pointer()) }

// state returns the controller's private state of a level.
func (c *controller) state(level string) reflect.Value {
	states := reflect.ValueOf(c.real).Elem().FieldByName("priorityLevelStates")
	return states.MapIndex(reflect.ValueOf(level)).Elem()
}

// BeginConstruction makes the controller its own factory of queue sets.
func (c *controller) BeginConstruction(
	config fairqueuing.QueuingConfig, _ metrics.RatioedGaugePair, _ metrics.RatioedGauge, demand metrics.Gauge,
) (fairqueuing.QueueSetCompleter, error) {
	set := &limitedSet{demand: demand}
	c.levels[config.Name] = set
	return set, nil
}

// limitedSet is a queue set without queues, and its own completer.
type limitedSet struct {
	fairqueuing.QueueSet
	demand metrics.Gauge
	limit  int
}

func (s *limitedSet) BeginConfigChange(fairqueuing.QueuingConfig) (fairqueuing.QueueSetCompleter, error) {
	return s, nil
}

func (s *limitedSet) Complete(config fairqueuing.DispatchingConfig) fairqueuing.QueueSet {
	s.limit = config.ConcurrencyLimit
	return s
}

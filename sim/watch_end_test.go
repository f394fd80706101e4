package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// slowAnswers is a gateway that holds each answer back for a second.
func slowAnswers(t *testing.T) *gateway.Config {
	return &gateway.Config{Latency: gateway.Latency{There: constant(t, 0), Back: constant(t, time.Second)}}
}

// TestAWatchEndsAfterItsAnswer: the server of a watch stops while the answer is on its way, and
// the client hears of both in their order.
func TestAWatchEndsAfterItsAnswer(t *testing.T) {
	p := burst(t, 1, 100*time.Millisecond)
	p.Requests = []workload.Template{{Verb: "watch", Resource: "pods", Weight: 1}}
	cfg := sim.Config{
		Gateway:    slowAnswers(t),
		Operations: []sim.ServerOperation{{At: 1500 * time.Millisecond, Kind: sim.Stop}},
	}
	does(t, cfg, p, []deed{{at: time.Second}}, "2.1s 1 is answered ok", "2.1s watch 0 ended lost")
	does(t, cfg, p, []deed{{at: time.Second}, {at: 1600 * time.Millisecond, withdraw: 1}}, "1.6s withdraws 1")
}

// TestAWatchEndsWithItsOperation: a watch that is withdrawn while its answer is on its way stays
// open nowhere.
func TestAWatchEndsWithItsOperation(t *testing.T) {
	p := burst(t, 1, 100*time.Millisecond)
	p.Requests = []workload.Template{{Verb: "watch", Resource: "pods", Weight: 1}}
	var notes []string
	p.Open, p.Behaviour = nil, errands{[]deed{{at: time.Second}, {at: 1500 * time.Millisecond, withdraw: 1}}, &notes}
	o, _ := track(t, &sim.Config{Scheduler: smallServer(1, 5), Gateway: slowAnswers(t), Populations: []workload.Population{p}, Duration: time.Minute})
	if len(o.left) == 0 || slices.Max(o.left) != 0 {
		t.Errorf("left at the balancer and the gateway: %v", o.left)
	}
}

// TestADrainEndsWatchesThatItLetsIn: the watch that holds the seat ends, and gives it to another
// one, whose record lies before it in memory. Its client is not told that it is open.
func TestADrainEndsWatchesThatItLetsIn(t *testing.T) {
	p := burst(t, 1, 10*time.Second)
	second := constant(t, time.Second)
	p.Requests = []workload.Template{
		{Verb: "watch", Resource: "pods", Weight: 1},
		{Verb: "watch", Resource: "nodes", Weight: 1},
		{Verb: "get", Resource: "pods", Name: "x", Weight: 1, Duration: &second},
	}
	does(t, sim.Config{Operations: []sim.ServerOperation{{At: 5 * time.Second, Kind: sim.Drain}}}, p, []deed{
		{at: time.Second, request: 2},             // has the seat for a second, and the first record
		{at: 1500 * time.Millisecond, request: 0}, // has it then
		{at: 3 * time.Second, request: 1},         // waits, with the first record
	}, "2s 1 is answered ok", "5s 2 is answered lost", "5s 3 is answered lost")
}

// TestAnIgnoredWatchIsNone: the server takes no notice of a client that goes while its watch is
// initialised, but has no watch open for it then.
func TestAnIgnoredWatchIsNone(t *testing.T) {
	p := burst(t, 1, 5*time.Second)
	p.Deadline = workload.DeadlineIgnored
	p.Requests = []workload.Template{{Verb: "watch", Resource: "pods", Weight: 1}}
	does(t, sim.Config{Operations: []sim.ServerOperation{{At: 30 * time.Second, Kind: sim.Stop}}}, p,
		[]deed{{at: time.Second}, {at: 2 * time.Second, withdraw: 1}}, "2s withdraws 1")
}

// TestAnOlderRequestLeavesTheWatchOfANewerOne: two requests for one watch are under way at the
// same time. The first one is given up after the second has opened the watch, which stays.
func TestAnOlderRequestLeavesTheWatchOfANewerOne(t *testing.T) {
	p := burst(t, 1, 5*time.Second)
	p.Requests = []workload.Template{{Verb: "watch", Resource: "pods", Weight: 1}}
	server := smallServer(2, 5)
	var notes []string
	p.Open, p.Behaviour = nil, errands{[]deed{{at: time.Second}, {at: 2 * time.Second}, {at: 3 * time.Second, withdraw: 1}}, &notes}
	c := &chronicle{}
	_, err := sim.Run(&sim.Config{
		Scheduler: server, Populations: []workload.Population{p}, Duration: time.Minute,
		Operations: []sim.ServerOperation{{At: 30 * time.Second, Kind: sim.Stop}},
	}, 0, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, &journal{lines: notes}, "3s withdraws 1", "7s 2 is answered ok", "30s watch 0 ended lost")
}

// TestAWatchThatNobodyHearsOfEnds: the answer of a watch takes longer than its client waits. The
// stream and the place at the gateway are free when the client has gone.
func TestAWatchThatNobodyHearsOfEnds(t *testing.T) {
	p := burst(t, 1, 100*time.Millisecond)
	p.Timeout = 500 * time.Millisecond
	p.Requests = []workload.Template{{Verb: "watch", Resource: "pods", Weight: 1}}
	var notes []string
	p.Open, p.Behaviour = nil, errands{[]deed{{at: time.Second}}, &notes}
	o, _ := track(t, &sim.Config{
		Scheduler: smallServer(1, 5), Gateway: slowAnswers(t), Populations: []workload.Population{p}, Duration: time.Minute,
		Operations: []sim.ServerOperation{{At: 30 * time.Second, Kind: sim.Stop}},
	})
	if len(o.left) == 0 || slices.Max(o.left) != 0 {
		t.Errorf("left at the balancer and the gateway: %v", o.left)
	}
	wantLines(t, &journal{lines: notes}, "1.5s 1 is answered timed-out")
}

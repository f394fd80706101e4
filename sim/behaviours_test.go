package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// TestAnOutageAsClientsFeelIt takes the only server away for 80 s. Each informer asks for its watch
// again, finds that the new server does not know its version, and lists; each node is not ready
// until it has reported its status.
func TestAnOutageAsClientsFeelIt(t *testing.T) {
	population := func(name string, clients int, b workload.Behaviour, requests []workload.Template) workload.Population {
		p := poisson(t, 1, time.Second)
		p.Name, p.Clients, p.Open, p.Duration = name, clients, nil, constant(t, 10*time.Millisecond)
		p.Retry = workload.Retry{Policy: workload.RetryClientGo}
		p.Behaviour, p.Requests = b, requests
		return p
	}
	template := func(verb string) workload.Template {
		return workload.Template{Verb: verb, Resource: "things", Weight: 1}
	}
	const informers, nodes = 7, 5
	cfg := &sim.Config{
		Scheduler: smallServer(20, 50), Duration: 5 * time.Minute, CacheFill: time.Second,
		Populations: []workload.Population{
			population("informers", informers, workload.Informer{}, []workload.Template{template("list"), template("watch")}),
			population("nodes", nodes, workload.DefaultHeartbeat(), []workload.Template{template("update"), template("get"), template("patch"), template("get")}),
		},
		Operations: []sim.ServerOperation{{At: 30 * time.Second, Kind: sim.Stop}, {At: 110 * time.Second, Kind: sim.Start}},
	}
	j, _ := run(t, cfg)
	for e, want := range map[sim.ClientEvent]int{
		workload.Synced: informers, workload.Relisted: informers, workload.BecameNotReady: nodes, workload.BecameReady: nodes,
	} {
		if j.events[e] != want {
			t.Errorf("%v: %d times, want %d", e, j.events[e], want)
		}
	}
	// The latest heartbeat was seen between 20 s and 30 s.
	for _, line := range j.lines {
		var client int
		if at, ok := cutEvent(line, "not-ready", &client); ok && (at < 70*time.Second || at > 86*time.Second) {
			t.Errorf("node %d is not ready at %v", client, at)
		}
		if at, ok := cutEvent(line, "ready", &client); ok && (at < 110*time.Second || at > 121*time.Second) {
			t.Errorf("node %d is ready again at %v", client, at)
		}
	}
}

// cutEvent tells when a line of a journal tells of an event of a client, and whether it does.
func cutEvent(line, event string, client *int) (time.Duration, bool) {
	var at, what string
	if n, err := fmt.Sscanf(line, "%s client %d %s", &at, client, &what); n < 3 || err != nil || what != event {
		return 0, false
	}
	d, err := time.ParseDuration(at)
	return d, err == nil
}

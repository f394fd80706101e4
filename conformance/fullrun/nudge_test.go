package fullrun

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestNudgeSeparatesEverything starts from a trace in which all happens at once:
// equal arrivals, equal durations, an arrival at an adjustment, equal deadlines.
func TestNudgeSeparatesEverything(t *testing.T) {
	var trace []Request
	for i := range 300 {
		trace = append(trace, Request{
			Arrival: Duration(i/100) * Duration(5*time.Second), Duration: Duration(5 * time.Second), Timeout: Duration(20 * time.Second),
			User: "alice", Groups: []string{"system:authenticated"}, Verb: "update", Resource: "pods", Namespace: "prod", Name: "p1",
		})
	}
	sc := &Scenario{Seats: 100, RequestTimeout: time.Minute, ConsistentReads: true, Watches: []Watch{{Resource: "pods", Count: 40}}}
	sc.PriorityLevels, sc.FlowSchemas = BuiltIn()
	folder := t.TempDir()
	if err := sc.Write(folder, "nudge", trace); err != nil {
		t.Fatal(err)
	}
	config, err := LoadOurs(folder)
	if err != nil {
		t.Fatal(err)
	}
	before, err := Simulate(config)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(coincidences(before.Events)); n < 200 {
		t.Errorf("only %d coincidences to begin with", n)
	}
	after, err := Nudge(rand.New(rand.NewPCG(1, 1)), config, trace)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[time.Duration]Event{}
	kinds := map[EventKind]int{}
	for _, e := range after.Events {
		if other, twice := seen[e.Time]; twice {
			t.Errorf("%+v and %+v", other, e)
		}
		seen[e.Time] = e
		kinds[e.Kind]++
	}
	for _, kind := range []EventKind{Arrive, Finish, Release, Expire, Adjust} {
		if kinds[kind] == 0 {
			t.Errorf("no event of kind %d", kind)
		}
	}
}

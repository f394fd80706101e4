package explain

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
)

// The hand is dealt from all queues of a level that has a great many.
func TestHandOfManyQueues(t *testing.T) {
	text := `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: global-default, annotations: {apf.kubernetes.io/autoupdate-spec: "false"}}
spec: {type: Limited, limited: {nominalConcurrencyShares: 20, limitResponse: {type: Queue, queuing: {queues: 200000, handSize: 3, queueLengthLimit: 50}}}}
`
	c, faults := scenarios.LoadConfiguration([]string{"a.yaml"}, memoryFiles{fstest.MapFS{"a.yaml": {Data: []byte(text)}}}, scenarios.ConfigurationOptions{})
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	cfg := c.Compile()
	cfg.Release, cfg.Seats, cfg.RequestTimeout = c.Release, 600, scenarios.DefaultRequestTimeout
	e, err := New(c, cfg)
	if err != nil {
		t.Fatal(err)
	}
	x := e.Explain(Request{User: "jane", Groups: []string{"system:authenticated"}, Verb: "get", Resource: "pods", Namespace: "a", Name: "p"})
	server, err := scheduler.New(cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := server.Arrive(0, &scheduler.Request{
		Subject: server.Subject("jane", []string{"system:authenticated"}),
		Target:  server.Target(scheduler.Target{Verb: "get", Resource: "pods", Namespace: "a"}),
	})
	if want := server.Flow(a.Flow).Hand; !slices.Equal(x.Flow.Hand, want) || x.Level.Queues != 200_000 {
		t.Errorf("hand %v of %d queues, want %v of 200000", x.Flow.Hand, x.Level.Queues, want)
	}
}

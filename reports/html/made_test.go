package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// crowd is a small server whose level "work" is offered more than it can do by so many
// populations of clients.
func crowd(t testing.TB, populations int) *sim.Config {
	t.Helper()
	execution, err := workload.Exponential(100 * time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	all := []scheduler.Rule{{
		Subjects:  []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "*"}},
		Resources: []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
	}}
	cfg := &sim.Config{
		Scheduler: scheduler.Config{
			Seats: 30, RequestTimeout: time.Minute, ConsistentReadsFromCache: true,
			PriorityLevels: []scheduler.PriorityLevel{
				{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
				{Name: scheduler.CatchAll, Shares: 5},
				{Name: "work", Shares: 80, LendablePercent: 50, BorrowingLimitPercent: -1, Queuing: &scheduler.Queuing{Queues: 16, HandSize: 4, QueueLengthLimit: 50}},
			},
			FlowSchemas: []scheduler.FlowSchema{
				{Name: "workers", Precedence: 200, PriorityLevel: "work", Distinguisher: scheduler.ByUser, Rules: all},
				{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Distinguisher: scheduler.ByUser, Rules: all},
			},
		},
		Duration: 12 * time.Second, Warmup: time.Second, Seed: 1,
	}
	for i := range populations {
		arrivals := workload.Poisson(600 / float64(populations))
		cfg.Populations = append(cfg.Populations, workload.Population{
			Name: fmt.Sprintf("clients-%d", i), Clients: 1, User: fmt.Sprintf("user-%d", i), Groups: []string{"workers"},
			Requests: []workload.Template{{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1}},
			Duration: execution, Open: &arrivals,
			Retry: workload.Retry{Policy: workload.RetryClientGo, MaxRetries: 10},
		})
	}
	return cfg
}

// simulated is the result of so many replications.
func simulated(t testing.TB, cfg *sim.Config, replications int) *reports.Result {
	t.Helper()
	var runs []*reports.Collected
	for i := range replications {
		c := reports.NewCollector()
		summary, err := sim.Run(cfg, i, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, c.Collected(summary))
	}
	r := reports.Merge(reports.Info{Scenario: "crowd", KubernetesVersion: "1.37", Replications: replications}, runs)
	r.Source = &reports.Source{Command: "apfsim run crowd", Files: []reports.SourceFile{{Name: "crowd.yaml", Text: "metadata: {name: crowd}\n"}}}
	r.Expectations = []reports.Judged{
		{Text: "rejected of client clients-0 equal to 0", Verdict: "failed: rejected of client clients-0 equal to 0: 12 (n=100)", Outcome: reports.Failed, Samples: 100, File: "crowd.yaml", Line: 3, Column: 5},
		{Text: "wait p99 below 1s", Verdict: "passed: wait p99 below 1s: 12ms (n=100)", Outcome: reports.Passed, Samples: 100},
	}
	return r
}

// renamed returns a result in which every word that a user has chosen is another one.
func renamed(t testing.TB, r *reports.Result, name func(string) string) *reports.Result {
	t.Helper()
	var text bytes.Buffer
	if err := reports.WriteJSON(&text, r); err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(text.Bytes(), &tree); err != nil {
		t.Fatal(err)
	}
	tree = rename("", tree, name)
	again, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	out, err := reports.ReadJSON(bytes.NewReader(again))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// chosen are the fields of a result that users can put anything into.
var chosen = map[string]bool{
	"name": true, "population": true, "flowSchema": true, "priorityLevel": true, "client": true, "distinguisher": true, "text": true,
	"command": true, "subjects": true, "requests": true, "verdict": true, "file": true, "why": true, "preset": true, "figures": true, "symptoms": true,
}

// rename replaces the texts below a field.
func rename(field string, tree any, name func(string) string) any {
	switch x := tree.(type) {
	case map[string]any:
		// Any order: each entry is replaced by itself.
		for key, value := range x {
			x[key] = rename(key, value, name)
		}
	case []any:
		for i := range x {
			x[i] = rename(field, x[i], name)
		}
	case string:
		if chosen[field] {
			return name(x)
		}
	}
	return tree
}

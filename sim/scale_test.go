package sim_test

import (
	"flag"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// nodesOf is a cluster of so many nodes, each of which renews a lease every ten seconds and
// reports its status every five minutes, before a level of its own that is never full.
func nodesOf(t testing.TB, nodes int) *sim.Config {
	population := func(name string, every, jitter time.Duration, request workload.Template) workload.Population {
		p := poisson(t, 1, 4*time.Millisecond)
		arrivals := workload.Periodic(every, jitter)
		p.Name, p.Clients, p.User, p.Open = name, nodes, "system:node:node-{index}", &arrivals
		p.Requests = []workload.Template{request}
		return p
	}
	server := oneLevel()
	server.Seats = 600
	server.PriorityLevels[2].Queuing = &scheduler.Queuing{Queues: 64, HandSize: 6, QueueLengthLimit: 50}
	server.FlowSchemas[0].Distinguisher = scheduler.ByUser
	return &sim.Config{
		Scheduler: server,
		Populations: []workload.Population{
			population("leases", 10*time.Second, 400*time.Millisecond, workload.Template{
				Verb: "update", APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "kube-node-lease", Name: "node-{index}", Weight: 1}),
			population("statuses", 5*time.Minute, 12*time.Second, workload.Template{
				Verb: "patch", Resource: "nodes", Subresource: "status", Name: "node-{index}", Weight: 1}),
		},
		Seed: 1,
	}
}

// kubelets is the same as machines: nodes that renew, report, and are watched for being ready.
func kubelets(t testing.TB, nodes int) *sim.Config {
	cfg := nodesOf(t, nodes)
	p := cfg.Populations[0]
	lease, status := p.Requests[0], cfg.Populations[1].Requests[0]
	again, node := lease, status
	again.Verb, node.Verb, node.Subresource = "get", "get", ""
	p.Requests = []workload.Template{lease, again, status, node}
	p.Open, p.Behaviour = nil, workload.DefaultHeartbeat()
	p.Retry = workload.Retry{Policy: workload.RetryClientGo}
	cfg.Populations = []workload.Population{p}
	return cfg
}

// scaleNodes is how many nodes the benchmarks of scale have; -nodes 100000 is a cluster of the
// largest kind, and takes a minute.
var scaleNodes = flag.Int("nodes", 10_000, "how many nodes BenchmarkNodes and BenchmarkKubelets have")

// BenchmarkNodes measures a request of a hundred thousand nodes, and what it takes to make them.
func BenchmarkNodes(b *testing.B) { benchmarkNodes(b, nodesOf(b, *scaleNodes)) }

// BenchmarkKubelets is the same with nodes that are machines.
func BenchmarkKubelets(b *testing.B) { benchmarkNodes(b, kubelets(b, *scaleNodes)) }

func benchmarkNodes(b *testing.B, cfg *sim.Config) {
	b.Run("begin", func(b *testing.B) {
		b.ReportAllocs()
		cfg.Duration = time.Nanosecond
		for b.Loop() {
			if _, err := sim.Run(cfg, 0, sim.Silent{}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("run", func(b *testing.B) {
		b.ReportAllocs()
		cfg.Duration = 10 * time.Minute
		requests := int64(0)
		for b.Loop() {
			summary, err := sim.Run(cfg, 0, sim.Silent{}, nil)
			if err != nil {
				b.Fatal(err)
			}
			requests += summary.Requests
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(requests), "ns/request")
	})
}

// TestMemoryOfANode holds what a client costs while it does nothing: with two kinds of requests,
// a hundred thousand nodes have to fit into a few hundred megabytes.
func TestMemoryOfANode(t *testing.T) {
	weigh := func(nodes int) uint64 {
		cfg := nodesOf(t, nodes)
		cfg.Duration = 12 * time.Second
		var h heap
		if _, err := sim.Run(cfg, 0, &h, nil); err != nil {
			t.Fatal(err)
		}
		return h.bytes
	}
	few, many := weigh(1000), weigh(11_000)
	each := (many - few) / 10_000
	t.Logf("live heap: %d bytes for each node more", each)
	if each > 1500 {
		t.Errorf("each node takes %d bytes of the live heap, at most 1500 are wanted", each)
	}
}

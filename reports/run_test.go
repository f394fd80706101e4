package reports

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// everything are rules that accept all requests of a group.
func everything(group string) []scheduler.Rule {
	return []scheduler.Rule{{
		Subjects:  []scheduler.SubjectRule{{Kind: scheduler.Group, Name: group}},
		Resources: []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
	}}
}

// crowdedConfig is a small server whose level "work" is offered several times what it
// can do: by three elephants, and by thirty mice that lead an orderly life.
func crowdedConfig(t testing.TB, duration time.Duration) *sim.Config {
	t.Helper()
	distribution := func(mean time.Duration) workload.Distribution {
		d, err := workload.Exponential(mean)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	clients := func(name, group string, n int, rate float64, mean time.Duration) workload.Population {
		arrivals := workload.Poisson(rate)
		return workload.Population{
			Name:     name,
			Clients:  n,
			User:     name + "-{index}",
			Groups:   []string{group},
			Requests: []workload.Template{{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1}},
			Duration: distribution(mean),
			Open:     &arrivals,
		}
	}
	leaders := clients("leaders", "leaders", 2, 1, 5*time.Millisecond)
	leaders.Open, leaders.Behaviour = nil, workload.Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, Restart: 5 * time.Second}
	leaders.Requests = workload.Complete(leaders.Behaviour, []workload.Template{{Verb: "update", Resource: "leases", Namespace: "default", Name: "x", Weight: 1}})
	elephants := clients("elephants", "workers", 3, 100, 100*time.Millisecond)
	elephants.Retry = workload.Retry{Policy: workload.RetryClientGo, MaxRetries: 10}
	return &sim.Config{
		Scheduler: scheduler.Config{
			Seats:                    30,
			RequestTimeout:           time.Minute,
			ConsistentReadsFromCache: true,
			PriorityLevels: []scheduler.PriorityLevel{
				{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
				{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: 0},
				{Name: "leaders", Shares: 15, LendablePercent: 20, BorrowingLimitPercent: -1, Queuing: &scheduler.Queuing{Queues: 16, HandSize: 4, QueueLengthLimit: 50}},
				{Name: "work", Shares: 80, LendablePercent: 50, BorrowingLimitPercent: -1, Queuing: &scheduler.Queuing{Queues: 16, HandSize: 4, QueueLengthLimit: 50}},
			},
			FlowSchemas: []scheduler.FlowSchema{
				{Name: "leaders", Precedence: 100, PriorityLevel: "leaders", Distinguisher: scheduler.ByUser, Rules: everything("leaders")},
				{Name: "workers", Precedence: 200, PriorityLevel: "work", Distinguisher: scheduler.ByUser, Rules: everything("workers")},
				{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Distinguisher: scheduler.ByUser, Rules: everything("*")},
			},
		},
		Populations: []workload.Population{
			elephants,
			clients("mice", "workers", 30, 2, 20*time.Millisecond),
			clients("strangers", "nobody", 1, 20, 200*time.Millisecond),
			leaders,
		},
		Duration: duration,
		Warmup:   5 * time.Second,
		Seed:     1,
	}
}

func collect(t testing.TB, cfg *sim.Config, replication int) *Collected {
	t.Helper()
	c := NewCollector()
	s, err := sim.Run(cfg, replication, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Collected(s)
}

// trimmingConfig is a server whose level "work" has lent nearly all of its seats when
// writes come that notify many watchers, wider than what is left.
func trimmingConfig(t testing.TB) *sim.Config {
	t.Helper()
	cfg := crowdedConfig(t, 20*time.Second)
	cfg.Warmup = time.Second
	cfg.Scheduler.Seats = 60
	cfg.Scheduler.Watches = []scheduler.WatchCount{{Resource: "pods", Count: 75}}
	cfg.Scheduler.PriorityLevels[3].LendablePercent = 98
	cfg.Populations = cfg.Populations[:2]
	for i := range cfg.Populations {
		cfg.Populations[i].Requests = []workload.Template{
			{Verb: "update", Resource: "pods", Namespace: "default", Name: "x", Weight: 1},
			{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1},
		}
	}
	return cfg
}

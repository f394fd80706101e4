package reports

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// twoSeats is an M/M/2 queue at a load of 60 %: a level with two seats, whatever the demand,
// and one queue.
func twoSeats(t testing.TB) *sim.Config {
	t.Helper()
	everything := []scheduler.Rule{{
		Subjects:     []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "*"}},
		Resources:    []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
		NonResources: []scheduler.NonResourceRule{{Verbs: []string{"*"}, URLs: []string{"*"}}},
	}}
	duration, err := workload.Exponential(10 * time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	arrivals := workload.Poisson(120)
	return &sim.Config{
		Scheduler: scheduler.Config{
			Seats: 2, RequestTimeout: time.Minute, ConsistentReadsFromCache: true,
			PriorityLevels: []scheduler.PriorityLevel{
				{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
				{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1},
				{Name: "work", Shares: 95, BorrowingLimitPercent: 0, Queuing: &scheduler.Queuing{Queues: 1, HandSize: 1, QueueLengthLimit: 1000}},
			},
			FlowSchemas: []scheduler.FlowSchema{
				{Name: "work", Precedence: 100, PriorityLevel: "work", Rules: everything},
				{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Rules: everything},
			},
		},
		Populations: []workload.Population{{
			Name: "callers", Clients: 1, User: "caller", Groups: []string{"system:authenticated"},
			Requests: []workload.Template{{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 1}},
			Duration: duration, Open: &arrivals,
		}},
		Duration: 31 * time.Second,
		Warmup:   time.Second,
	}
}

// waitOfTwoSeats is the mean wait in that queue in seconds: Erlang's C for two seats, 2 rho^2 /
// (1 + rho), times 1/(2 mu - lambda).
func waitOfTwoSeats() float64 {
	const rho = 0.6
	return 2 * rho * rho / (1 + rho) / (200 - 120)
}

// TestCoverageOfIntervals: of the intervals of 95 % over five replications, about as many hold
// the true mean wait as they claim. Two hundred seeds tell 95 % from 91 or 99.
func TestCoverageOfIntervals(t *testing.T) {
	t.Parallel()
	const seeds, replications = 200, 5
	cfg, want, held := twoSeats(t), waitOfTwoSeats(), 0
	for seed := range uint64(seeds) {
		cfg.Seed = seed
		var runs []*Collected
		for i := range replications {
			runs = append(runs, collect(t, cfg, i))
		}
		f, why := Merge(Info{Scenario: "theory", KubernetesVersion: "1.37", Replications: replications}, runs).
			Measure(Expectation{Metric: MetricWait, PriorityLevel: "work"})
		if why != "" {
			t.Fatal(why)
		}
		i, ok := f.Interval()
		if !ok || i.N != replications {
			t.Fatalf("seed %d: %+v", seed, i)
		}
		if i.Low() <= want && want <= i.High() {
			held++
		}
	}
	share := float64(held) / seeds
	t.Logf("%d of %d intervals hold the mean wait of %.6f s: %.1f %%", held, seeds, want, 100*share)
	if share < 0.92 || share > 0.98 {
		t.Errorf("%.1f %% of the intervals hold the true mean; claimed are 95 %%", 100*share)
	}
}

// TestEffectiveSamples: waits of one queue come in runs, so that they are worth much less than
// they are many; and replications that differ say so of the rare ones.
func TestEffectiveSamples(t *testing.T) {
	cfg := twoSeats(t)
	var runs []*Collected
	for i := range 20 {
		runs = append(runs, collect(t, cfg, i))
	}
	r := Merge(Info{Scenario: "theory", KubernetesVersion: "1.37", Replications: len(runs)}, runs)
	for _, c := range []struct {
		q        float64
		min, max float64 // of the samples
	}{{0.9, 0.005, 0.2}, {0.99, 0.005, 0.3}} {
		f, _ := r.Measure(Expectation{Metric: MetricWait, PriorityLevel: "work", Quantile: c.q})
		if got := float64(f.EffectiveSamples) / float64(f.Samples); got < c.min || got > c.max {
			t.Errorf("p%v: %d of %d samples count, a share of %.3f; want %v to %v", 100*c.q, f.EffectiveSamples, f.Samples, got, c.min, c.max)
		}
	}
	few := Merge(Info{Scenario: "theory", KubernetesVersion: "1.37", Replications: 2}, runs[:2])
	if f, _ := few.Measure(Expectation{Metric: MetricWait, Quantile: 0.9}); f.EffectiveSamples != 0 || f.FewSamples {
		t.Errorf("of two replications: %+v", f)
	}
}

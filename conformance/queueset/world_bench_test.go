package queueset_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// worldRate is the offered load of the world benchmark in requests a second: 95 % of 50
// seats with executions of 10 ms on average.
const worldRate = 0.95 * 50 / 0.010

// worldConfig is the load of the other benchmarks as a whole simulation: 200 flows of
// which 4 elephants have half of the requests, in a level of exactly 50 seats.
func worldConfig(b *testing.B, queues int) *sim.Config {
	everything := []scheduler.Rule{{
		Subjects:  []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "*"}},
		Resources: []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}}},
	}}
	duration, err := workload.Exponential(10 * time.Millisecond)
	if err != nil {
		b.Fatal(err)
	}
	population := func(name string, clients int) workload.Population {
		arrivals := workload.Poisson(worldRate / 2 / float64(clients))
		return workload.Population{
			Name:     name,
			Clients:  clients,
			User:     name + "-{index}",
			Requests: []workload.Template{{Verb: "get", Resource: "pods", Namespace: "default", Name: "x"}},
			Duration: duration,
			Open:     &arrivals,
		}
	}
	return &sim.Config{
		Scheduler: scheduler.Config{
			Seats:          52, // the level has 95 of 100 shares, and neither lends nor borrows
			RequestTimeout: time.Minute,
			PriorityLevels: []scheduler.PriorityLevel{
				{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
				{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1},
				{Name: "work", Shares: 95, Queuing: &scheduler.Queuing{Queues: int32(queues), HandSize: 6, QueueLengthLimit: 50}},
			},
			FlowSchemas: []scheduler.FlowSchema{
				{Name: "work", Precedence: 100, PriorityLevel: "work", Distinguisher: scheduler.ByUser, Rules: everything},
				{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Rules: everything},
			},
		},
		Populations: []workload.Population{population("elephant", 4), population("mouse", 196)},
		Duration:    time.Duration(float64(b.N) / worldRate * float64(time.Second)),
		Seed:        1,
	}
}

// BenchmarkWorld measures the whole simulator on one request: its generation,
// classification, queueing and end, and the statistics of the report.
func BenchmarkWorld(b *testing.B) {
	for _, queues := range sizes {
		b.Run(fmt.Sprintf("queues=%d", queues), func(b *testing.B) {
			cfg := worldConfig(b, queues)
			collector := reports.NewCollector()
			b.ReportAllocs()
			b.ResetTimer()
			summary, err := sim.Run(cfg, 0, collector, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(summary.Requests, 1)), "ns/request")
			b.ReportMetric(0, "ns/op") // an operation is not quite a request: arrivals are random
		})
	}
}

package sim_test

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/backend"
	"github.com/apfsim/apfsim/workload"
)

// crowdOf is the load of the speed figures: 50 seats, hands of 6, 200 flows of which 4
// elephants send half of the requests, at 95 % of the seats and with exponential
// service times of 10 ms on average.
func crowdOf(b testing.TB, queues int32) *sim.Config {
	const (
		total     = 0.95 * 50 / 0.010 // requests a second
		elephants = 4
		mice      = 196
	)
	server := oneLevel()
	server.PriorityLevels[2].Queuing = &scheduler.Queuing{Queues: queues, HandSize: 6, QueueLengthLimit: 50}
	server.FlowSchemas[0].Distinguisher = scheduler.ByUser
	population := func(name string, clients int) workload.Population {
		p := poisson(b, total/2/float64(clients), 10*time.Millisecond)
		p.Name, p.Clients, p.User = name, clients, name+"-{index}"
		return p
	}
	return &sim.Config{
		Scheduler:   server,
		Populations: []workload.Population{population("elephant", elephants), population("mouse", mice)},
		Seed:        1,
	}
}

// BenchmarkWorld measures one request from its generation to its end, without an
// observer that keeps statistics.
func BenchmarkWorld(b *testing.B) {
	for _, queues := range []int32{16, 128, 1024} {
		b.Run(map[int32]string{16: "queues=16", 128: "queues=128", 1024: "queues=1024"}[queues], func(b *testing.B) {
			cfg := crowdOf(b, queues)
			cfg.Duration = time.Duration(float64(b.N) / 4750 * float64(time.Second))
			b.ReportAllocs()
			b.ResetTimer()
			summary, err := sim.Run(cfg, 0, sim.Silent{}, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(1, summary.Requests)), "ns/request")
		})
	}
}

// BenchmarkWorldWithBackend measures the same requests behind eight cores and three etcd
// members, at about nine tenths of the cores. What they take is 1.5 ms of CPU and a read.
func BenchmarkWorldWithBackend(b *testing.B) {
	cfg := crowdOf(b, 128)
	behind := backend.Default(release.Last)
	behind.CPU.Request = 1500 * time.Microsecond
	cfg.Backend = &behind
	for i := range cfg.Populations {
		cfg.Populations[i].Duration = workload.Distribution{}
	}
	cfg.Duration = time.Duration(float64(b.N) / 4750 * float64(time.Second))
	b.ReportAllocs()
	b.ResetTimer()
	summary, err := sim.Run(cfg, 0, sim.Silent{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(1, summary.Requests)), "ns/request")
}

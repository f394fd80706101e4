package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

func version(t testing.TB, text string) release.Version {
	t.Helper()
	v, err := release.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestAnArrivalEjectsOthers: up to 1.28.4 nothing else ends a wait before the timeout of the
// request is over. Who is ejected goes back to its client like any other.
func TestAnArrivalEjectsOthers(t *testing.T) {
	early, late := burst(t, 3, 100*time.Second), burst(t, 1, time.Second)
	arrivals := workload.Burst(20*time.Second, 1, 0)
	late.Open, late.Name = &arrivals, "late"
	early.Retry = workload.Retry{Policy: workload.RetryClientGo}
	server := smallServer(1, 9)
	server.Release = version(t, "1.28.4")
	j, _ := run(t, &sim.Config{Scheduler: server, Populations: []workload.Population{early, late}, Duration: 90 * time.Second})
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0", "1s arrived 2 attempt 0",
		"20s arrived 3 attempt 0",
		"20s rejected 1 time-out retry after 1", "20s client 0 retries",
		"20s rejected 2 time-out retry after 1", "20s client 0 retries",
		"21s arrived 4 attempt 1", "21s arrived 5 attempt 1",
		"1m20s rejected 3 cancelled retry after 1", "1m20s client 0 gives up",
		// The client gets a 504 of the time limit and not the 429, and that it does not retry.
		"1m21s rejected 4 cancelled retry after 1", "1m21s client 0 gives up",
		"1m21s rejected 5 cancelled retry after 1", "1m21s client 0 gives up",
	)
}

// reasons counts what becomes of requests.
type reasons struct {
	sim.Silent
	arrived, dispatched, finished int
	rejected                      [fairqueue.Reasons]int
}

func (o *reasons) Arrived(time.Duration, *sim.Request)    { o.arrived++ }
func (o *reasons) Dispatched(time.Duration, *sim.Request) { o.dispatched++ }
func (o *reasons) Finished(time.Duration, *sim.Request)   { o.finished++ }
func (o *reasons) Rejected(_ time.Duration, r *sim.Request) {
	if r.Dispatched >= 0 || r.Reason == fairqueue.NotRejected {
		panic("a rejection of a request that was dispatched, or without a reason")
	}
	o.rejected[r.Reason]++
}

// TestEveryReleaseUnderLoad has more to do than a server can, for long enough that every
// reason comes up which the release has, and no other.
func TestEveryReleaseUnderLoad(t *testing.T) {
	for _, c := range []struct {
		release string
		want    []fairqueue.Reason
	}{
		{"1.20.0", []fairqueue.Reason{fairqueue.QueueFull, fairqueue.TimeOut, fairqueue.Ejected}},
		{"1.22", []fairqueue.Reason{fairqueue.QueueFull, fairqueue.TimeOut, fairqueue.Ejected}},
		{"1.23", []fairqueue.Reason{fairqueue.QueueFull, fairqueue.TimeOut, fairqueue.Cancelled}},
		{"1.28.4", []fairqueue.Reason{fairqueue.QueueFull, fairqueue.TimeOut, fairqueue.Cancelled}},
		{"1.28.5", []fairqueue.Reason{fairqueue.QueueFull, fairqueue.TimeOut}},
		{"1.37", []fairqueue.Reason{fairqueue.QueueFull, fairqueue.TimeOut}},
	} {
		p := poisson(t, 8, 2*time.Second)
		p.Clients, p.User = 5, "caller-{index}"
		server := smallServer(6, 10)
		server.PriorityLevels[2].Queuing.Queues, server.PriorityLevels[2].Queuing.HandSize = 8, 2
		server.FlowSchemas[0].Distinguisher = scheduler.ByUser
		server.Release = version(t, c.release)
		server.RequestTimeout = 12 * time.Second
		// From 45 s on there are few arrivals, so that some wait for longer than the limit
		// which arrivals enforce.
		arrivals := workload.Stages([]workload.Stage{{Rate: 8, Duration: 45 * time.Second}, {Rate: 0.02, Duration: time.Second}, {Rate: 0.02, Duration: 2 * time.Minute}})
		p.Open = &arrivals
		cfg := &sim.Config{Scheduler: server, Populations: []workload.Population{p}, Duration: 3 * time.Minute, Seed: 7}
		var o reasons
		summary, err := sim.Run(cfg, 0, &o, nil)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for reason, n := range o.rejected {
			total += n
			if slices.Contains(c.want, fairqueue.Reason(reason)) != (n > 0) {
				t.Errorf("%s: %d requests rejected for %q", c.release, n, fairqueue.Reason(reason))
			}
		}
		if present := o.arrived - o.dispatched - total; present < 0 || o.dispatched < 150 {
			t.Errorf("%s: %d arrived, %d dispatched, %d rejected", c.release, o.arrived, o.dispatched, total)
		}
		var again reasons
		if second, _ := sim.Run(cfg, 0, &again, nil); second != summary || again != o {
			t.Errorf("%s: two runs differ", c.release)
		}
	}
}

// TestAWatchOfAnOldReleaseCanWaitForLong: nothing limits its wait but another arrival.
func TestAWatchOfAnOldReleaseCanWaitForLong(t *testing.T) {
	busy, watch := burst(t, 1, 200*time.Second), burst(t, 1, time.Second)
	later := workload.Burst(2*time.Second, 1, 0)
	watch.Open, watch.Name = &later, "watcher"
	watch.Requests = []workload.Template{{Verb: "watch", Resource: "pods"}}
	server := smallServer(1, 9)
	server.Release = version(t, "1.22")
	j, _ := run(t, &sim.Config{Scheduler: server, Populations: []workload.Population{busy, watch}, Duration: 300 * time.Second})
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0", "2s arrived 1 attempt 0",
		"3m21s finished 0", "3m21s dispatched 1", "3m22s finished 1",
	)
}

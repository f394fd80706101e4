package reports

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// sick returns a population with so many operations, all of which take a second of which
// nothing is explained yet. Requests take 100ms on an idle server, and here.
func sick(change func(*Population)) *Population {
	p := &Population{
		Name:     "bots",
		Clients:  10,
		Requests: Requests{Arrivals: 1000, Executed: 1000, Finished: 1000},
		Operations: &Operations{
			Count: 1000, Succeeded: 1000, Attempts: 1000,
			Latency: &Latency{Count: 1000, Mean: second, P50: second, P99: second, Max: second},
			Time:    Time{Total: total(1000), Executing: total(100)},
		},
		Executions: &Executions{Finished: 1000, Mean: second / 10, Unloaded: second / 10},
	}
	change(p)
	return p
}

const second = Duration(time.Second)

func total(seconds int) Total {
	var t Total
	t.add(time.Duration(seconds) * time.Second)
	return t
}

// causeCases are results, populations that suffer in them, and the causes that are to be found.
var causeCases = []struct {
	name    string
	result  Result
	change  func(*Population)
	want    []CauseName
	figures string
}{
	{"queues", Result{}, func(p *Population) {
		p.Operations.Time.Queued, p.Wait = total(900), &Wait{Count: 1000, P99: second}
	}, []CauseName{CauseQueues}, "90.0% of the time of operations, wait p99 1.00s"},
	{"a little in queues", Result{}, func(p *Population) { p.Operations.Time.Queued = total(199) },
		[]CauseName{CauseUnexplained}, "10.0% executing, 19.9% in queues of the time of operations; requests execute for 100ms, as they would on an idle server"},
	{"rejections", Result{}, func(p *Population) {
		p.Requests.Arrivals, p.Requests.Rejected = 2000, Rejected{Total: 1000, QueueFull: 900, TimeOut: 100}
	}, []CauseName{CauseRejects}, "50.0% of attempts: 900 queue-full, 100 time-out"},
	{"rejections and pauses", Result{}, func(p *Population) {
		p.Requests.Rejected = Rejected{Total: 10, ConcurrencyLimit: 10}
		p.Operations.Time.Paused = total(600)
	}, []CauseName{CauseRejects}, "1.0% of attempts: 10 at the limit, 60.0% of the time is pauses between attempts"},
	{"few rejections", Result{}, func(p *Population) { p.Requests.Rejected = Rejected{Total: 9, QueueFull: 9} }, []CauseName{CauseUnexplained}, ""},
	{"the client's limiter", Result{}, func(p *Population) { p.Operations.Time.Throttled, p.Throttled = total(800), 990 },
		[]CauseName{CauseLimiter}, "80.0% of the time of operations, attempts held back 990 times"},
	{"a slow backend", Result{}, func(p *Population) {
		p.Executions.Mean, p.Operations.Time.Executing = second, total(1000)
	}, []CauseName{CauseBackend}, "requests execute for 1.00s, 10.0 times as long as on an idle server"},
	{"a slow backend and its busiest part", Result{
		Servers: []ServerUse{{Machine: &MachineUse{Utilization: 0.4}}},
		Etcd:    []MemberUse{{0, StationUse{Utilization: 0.97}, StationUse{Utilization: 0.1}}},
	}, func(p *Population) {
		p.Executions.Mean, p.Operations.Time.Executing = second, total(1000)
	}, []CauseName{CauseBackend}, "requests execute for 1.00s, 10.0 times as long as on an idle server, most of it at the cores, the busiest part is the cores of server 0, busy for 40.0% of the time"},
	{"an etcd that stood still for a while beside busy cores", Result{
		Servers: []ServerUse{{Machine: &MachineUse{Utilization: 0.4}}},
		Etcd:    []MemberUse{{0, StationUse{Utilization: 0.01}, StationUse{Utilization: 0.07}}},
	}, func(p *Population) {
		p.Executions.Mean, p.Executions.InStorage, p.Operations.Time.Executing = second, second*3/4, total(1000)
	}, []CauseName{CauseBackend}, "requests execute for 1.00s, 10.0 times as long as on an idle server, most of it in etcd, the busiest part is the writes of etcd member 0, busy for 7% of the time"},
	{"out of time in calls", Result{}, func(p *Population) { p.Executions.TimedOutInCalls = 100 },
		[]CauseName{CauseCalls}, "10.0% of those that executed ran out of time while they waited for their calls"},
	{"a slow backend that hardly matters", Result{}, func(p *Population) {
		p.Executions.Mean, p.Operations.Time.Executing = second, total(199)
	}, []CauseName{CauseUnexplained}, ""},
	{"out of time", Result{}, func(p *Population) { p.Executions.TimedOut = 500 },
		[]CauseName{CauseBackend}, "50.0% of those that executed ran out of time"},
	{"no server", Result{}, func(p *Population) {
		p.Requests.Arrivals, p.Refused = 900, &Refused{Total: 100, NoServer: 100}
		p.Requests.Cut = Cut{Total: 20, Executing: 20}
	}, []CauseName{CauseServer}, "10.0% of attempts found no server, 2.0% of attempts were lost with one"},
	{"no memory", Result{Servers: []ServerUse{{OutOfMemory: 2}, {OutOfMemory: 1}}}, func(p *Population) {
		p.Requests.Arrivals, p.Refused = 900, &Refused{Total: 100, NoServer: 100}
	}, []CauseName{CauseServer}, "10.0% of attempts found no server, servers were out of memory 3 times"},
	{"no memory, but never in need of it", Result{Servers: []ServerUse{{OutOfMemory: 2}}}, func(*Population) {}, []CauseName{CauseUnexplained}, ""},
	{"the gateway", Result{}, func(p *Population) {
		p.Requests.Arrivals, p.Refused = 500, &Refused{Total: 500, GatewayRate: 400, GatewayDegraded: 100}
	}, []CauseName{CauseGateway}, "50.0% of attempts: 400 over a rate, 100 while degraded"},
	{"on the way", Result{}, func(p *Population) { p.Operations.Time.Total = total(10_000) }, nil, ""},
	{"held back to the end", Result{}, func(p *Population) { p.Throttled, p.HeldAtEnd = 700, 500 },
		[]CauseName{CauseLimiter}, "attempts held back 700 times, 500 of them to the end"},
	{"on the way, and never late", Result{}, func(p *Population) {
		p.Operations.Time.Elsewhere, p.Operations.Latency.Mean = total(900), second/10
	}, []CauseName{CauseUnexplained}, ""},
	{"late on the way", Result{}, func(p *Population) {
		p.Operations.Time.Elsewhere, p.Operations.Latency.Mean, p.Operations.Failed.TimedOut = total(900), second/10, 100
	}, []CauseName{CauseWay}, ""},
	{"livelock", Result{}, func(p *Population) { p.Barren = &Barren{second * 60, second * 120, 77} },
		[]CauseName{CauseLivelock}, "from 1m to 2m nothing succeeded, and 77 requests executed until their time was over"},
	{"unbalanced and crowded", Result{Servers: []ServerUse{{Server: 0, Share: number(0.8)}, {Server: 1, Share: number(0.15)}, {Server: 2, Share: number(0.05)}}},
		func(p *Population) { p.Operations.Time.Queued = total(900) }, []CauseName{CauseQueues, CauseBalance}, ""},
	{"unbalanced and idle", Result{Servers: []ServerUse{{Server: 0, Share: number(0.8)}, {Server: 1, Share: number(0.2)}}},
		func(*Population) {}, []CauseName{CauseUnexplained}, ""},
	{"balanced and crowded", Result{Servers: []ServerUse{{Share: number(1.0 / 3)}, {Share: number(1.0 / 3)}, {Share: number(1.0 / 3)}}},
		func(p *Population) { p.Operations.Time.Queued = total(900) }, []CauseName{CauseQueues}, ""},
	{"a deadlock", Result{Deadlocks: &Deadlocks{1, []Deadlock{{Since: second, Cycle: []DeadlockStep{
		{PriorityLevel: "work", Population: "bots", Requests: 3, Seats: 3, Calls: "hooks", AtLevel: "work"},
	}}}}}, func(*Population) {}, []CauseName{CauseDeadlock},
		"at 1s: 3 requests of bots hold 3 seats of work and wait for a seat of work (calls of hooks)"},
	{"somebody else's deadlock", Result{Deadlocks: &Deadlocks{1, []Deadlock{{Cycle: []DeadlockStep{{Population: "a", Calls: "b"}}}}}},
		func(*Population) {}, []CauseName{CauseUnexplained}, ""},
}

// Each rule finds its cause and no other one.
func TestCauses(t *testing.T) {
	for _, c := range causeCases {
		p := sick(c.change)
		if c.name == "on the way" {
			p.Operations.Time.Elsewhere, c.want, c.figures = total(9_000), []CauseName{CauseWay}, "90.0% of the time of operations"
		}
		got := causes(&c.result, p)
		var names []CauseName
		for _, cause := range got {
			names = append(names, cause.Cause)
		}
		if !slices.Equal(names, c.want) || c.figures != "" && got[0].Figures != c.figures {
			t.Errorf("%s: %v, want %v %s", c.name, got, c.want, c.figures)
		}
	}
}

func number(x float64) *Number {
	n := newNumber(x)
	return &n
}

// Who suffers, and who does not.
func TestSymptoms(t *testing.T) {
	calm := func(p *Population) { p.Operations.Latency.Mean, p.Operations.Latency.P99 = second/10, second/10 }
	for _, c := range []struct {
		name   string
		change func(*Population)
		want   string
	}{
		{"calm", calm, ""},
		{"slow", func(*Population) {}, "operations take 10.0 times as long as on an idle server (p99 1.00s)"},
		{"slow for its calls, which are there on an idle server as well", func(p *Population) { p.Executions.Calls = second * 85 / 100 }, ""},
		{"slow, but who notices", func(p *Population) {
			p.Operations.Latency.Mean, p.Operations.Latency.P99, p.Executions.Unloaded = second/1000, second/11, second/10_000
		}, ""},
		{"failing", func(p *Population) { calm(p); p.Operations.Succeeded, p.Operations.Failed.Total = 980, 20 }, "2.0% of operations failed"},
		{"never done", func(p *Population) {
			p.Operations, p.Refused, p.Requests.Cut.Total, p.Requests.Finished = nil, &Refused{Total: 40}, 10, 0
		}, "no operation has ended, after 1,040 attempts"},
		{"not done yet", func(p *Population) { p.Operations, p.Refused, p.Requests.Finished = nil, &Refused{Total: 10}, 0 }, ""},
		{"hardly failing", func(p *Population) { calm(p); p.Operations.Succeeded, p.Operations.Failed.Total = 991, 9 }, ""},
		{"withdrawn", func(p *Population) { calm(p); p.Operations.Succeeded, p.Operations.Withdrawn = 500, 500 }, ""},
		{"leases", func(p *Population) { calm(p); p.LeasesLost, p.Restarts = 1, 2 }, "leases lost once, processes restarted 2 times"},
		{"a rollout", func(p *Population) { calm(p); p.Restarts, p.PlannedRestarts = 10, true }, ""},
		{"nodes", func(p *Population) { calm(p); p.NotReady = &NotReady{Times: 5, Peak: 4, AtEnd: 3} }, "up to 4 nodes NotReady at once, 3 at the end"},
		{"informers", func(p *Population) { calm(p); p.Sync = &Sync{Never: 7} }, "7 clients never synced"},
		{"informers in sync", func(p *Population) { calm(p); p.Sync = &Sync{Relists: 7} }, ""},
		{"held back", func(p *Population) { calm(p); p.HeldAtEnd = 500 }, "500 attempts were still held back at the end"},
		{"dropped", func(p *Population) { calm(p); p.Dropped = 8 }, "8 events or keys dropped"},
		{"nobody asked", func(p *Population) { p.Operations = &Operations{}; p.Executions = nil }, ""},
	} {
		if got := strings.Join(sick(c.change).symptoms(), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

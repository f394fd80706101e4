package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/workload"
)

// wantDeadlocks compares what a run tells of deadlocks, and nothing else.
func wantDeadlocks(t *testing.T, cfg *sim.Config, want ...string) *callJournal {
	t.Helper()
	j := journalOf(t, cfg)
	got := slices.DeleteFunc(slices.Clone(j.lines), func(line string) bool { return !strings.Contains(line, "deadlock") })
	if !slices.Equal(got, want) {
		t.Errorf("the deadlocks are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return j
}

// later lets the burst of a population come at another time.
func later(p workload.Population, at time.Duration) workload.Population {
	arrivals := workload.Burst(at, p.Open.Count, 0)
	p.Open = &arrivals
	return p
}

// crossed are two populations whose requests call for each other's level: n and m of them. First
// they call for a third level, so that they hold their seats before they meet.
func crossed(t *testing.T, n, m int) *sim.Config {
	first := workload.Call{Population: "first", Count: 1}
	return &sim.Config{Scheduler: oneEach(map[string]int{"a": 2, "b": 3, "c": 10}), Duration: time.Minute, Populations: []workload.Population{
		calling(t, "left", "a", n, time.Second, first, workload.Call{Population: "to-b", Count: 1, Timeout: 10 * time.Second}),
		calling(t, "right", "b", m, time.Second, first, workload.Call{Population: "to-a", Count: 1, Timeout: 12 * time.Second}),
		called(t, "first", "c", time.Second), called(t, "to-a", "a", time.Second), called(t, "to-b", "b", time.Second),
	}}
}

func TestADeadlockOfTwoLevels(t *testing.T) {
	wantDeadlocks(t, crossed(t, 2, 3),
		"2s deadlock 0: left/a/a -2/2-> to-b/b/b, right/b/b -3/3-> to-a/a/a",
		"14s deadlock 0 of 5 requests with 5 seats from 2s to 12s, ended by call-timeout, 2 failed")
	// One seat of the second level is free, and what waits for it goes on, one after the other.
	wantDeadlocks(t, crossed(t, 2, 2))
	// One seat of the first level is free.
	wantDeadlocks(t, crossed(t, 1, 3))
	// More requests wait than there are seats; the calls are behind them in the only queue.
	wantDeadlocks(t, crossed(t, 2, 4),
		"2s deadlock 0: left/a/a -2/2-> to-b/b/b, right/b/b -3/3-> to-a/a/a",
		"14s deadlock 0 of 5 requests with 5 seats from 2s to 12s, ended by call-timeout, 2 failed")
}

// TestADeadlockThroughACallThatExecutes has a chain whose middle is at a level with many seats.
func TestADeadlockThroughACallThatExecutes(t *testing.T) {
	world := func(seats int) *sim.Config {
		hook := called(t, "hook", "b", time.Second)
		hook.Requests[0].Calls = []workload.Call{{Population: "back", Count: 1}}
		caller := calling(t, "caller", "a", 1, time.Second, workload.Call{Population: "hook", Count: 1})
		caller.Requests[0].Timeout, caller.Deadline = 5*time.Second, workload.DeadlineStops
		return &sim.Config{Scheduler: oneEach(map[string]int{"a": seats, "b": 10}), Duration: time.Minute, Populations: []workload.Population{
			caller, hook, called(t, "back", "a", time.Second),
		}}
	}
	wantDeadlocks(t, world(1),
		"1s deadlock 0: caller/a/a -1/1-> hook/b/b, hook/b/b -1/1-> back/a/a",
		"7s deadlock 0 of 1 requests with 1 seats from 1s to 6s, ended by deadline, 1 failed")
	wantDeadlocks(t, world(2))
}

// TestADeadlockOfALevelThatRejects has calls that are sent again and again in vain.
func TestADeadlockOfALevelThatRejects(t *testing.T) {
	for _, c := range []struct {
		retries int
		want    []string
	}{
		{0, nil}, // nobody waits for a call that is not sent again
		{3, []string{
			"1s deadlock 0: caller/work/work -1/1-> hook/work/work",
			"4.000000001s deadlock 0 of 1 requests with 1 seats from 1s to 4s, ended by retries, 1 failed"}},
	} {
		hook := called(t, "hook", "b", time.Second)
		if c.retries > 0 {
			hook.Retry = workload.Retry{Policy: workload.RetryClientGo, MaxRetries: c.retries}
		}
		wantDeadlocks(t, &sim.Config{Scheduler: smallServer(1, 0), Duration: 10 * time.Second, Populations: []workload.Population{
			calling(t, "caller", "a", 1, time.Second, workload.Call{Population: "hook", Count: 1}), hook,
			later(calling(t, "tick", "a", 1, time.Second), 4*time.Second+1),
		}}, c.want...)
	}
}

// selfish is one request at a time that calls for its own level of one seat.
func selfish(t *testing.T) *sim.Config {
	return &sim.Config{Scheduler: oneEach(map[string]int{"a": 1}), Duration: time.Minute, Populations: []workload.Population{
		calling(t, "caller", "a", 1, time.Second, workload.Call{Population: "hook", Count: 1}),
		called(t, "hook", "a", time.Second),
	}}
}

func TestWhatEndsADeadlock(t *testing.T) {
	const begins = "1s deadlock 0: caller/a/a -1/1-> hook/a/a"
	for name, c := range map[string]struct {
		change func(*sim.Config)
		want   []string
	}{
		"the end of the run": {func(c *sim.Config) { c.Duration = 5 * time.Second },
			[]string{begins, "5s deadlock 0 of 1 requests with 1 seats from 1s to -1ns, ended by nothing, 0 failed"}},
		"the limit of the wait": {func(c *sim.Config) {},
			[]string{begins, "20s deadlock 0 of 1 requests with 1 seats from 1s to 16s, ended by wait-limit, 1 failed"}},
		// The client that is called asks for its patience as the time limit, a quarter of which a
		// request may wait.
		"the patience of the client that is called": {func(c *sim.Config) { c.Populations[1].Timeout = 4 * time.Second },
			[]string{begins, "10s deadlock 0 of 1 requests with 1 seats from 1s to 2s, ended by wait-limit, 1 failed"}},
		"the patience of the caller": {func(c *sim.Config) { c.Populations[0].Requests[0].Calls[0].Timeout = 4 * time.Second },
			[]string{begins, "10s deadlock 0 of 1 requests with 1 seats from 1s to 5s, ended by call-timeout, 1 failed"}},
		"the patience of the caller's client": {func(c *sim.Config) { c.Populations[0].Timeout = 3 * time.Second },
			[]string{begins, "5s deadlock 0 of 1 requests with 1 seats from 1s to 4s, ended by deadline, 1 failed"}},
		"a larger configuration": {func(c *sim.Config) {
			more := oneEach(map[string]int{"a": 1, "b": 1})
			more.PriorityLevels[1].Shares = 0
			more.PriorityLevels[2].Shares = 1000
			more.PriorityLevels[3].Shares = 0
			c.Scheduler.Seats = 2
			c.Scheduler.PriorityLevels[1].Shares = 1
			c.Changes = []sim.Change{{At: 3 * time.Second, PriorityLevels: more.PriorityLevels, FlowSchemas: more.FlowSchemas}}
		}, []string{begins, "4s deadlock 0 of 1 requests with 1 seats from 1s to 3s, ended by change, 0 failed"}},
		"a borrowed seat": {func(c *sim.Config) {
			c.Scheduler = oneEach(map[string]int{"a": 10, "b": 10})
			c.Scheduler.PriorityLevels[3].LendablePercent = 100
			c.Scheduler.PriorityLevels[2].LendablePercent = 100
			c.Scheduler.PriorityLevels[2].BorrowingLimitPercent = 100
			c.Populations[0] = calling(t, "caller", "a", 12, time.Second, c.Populations[0].Requests[0].Calls...)
		}, []string{"4s deadlock 0: caller/a/a -7/7-> hook/a/a",
			"11s deadlock 0 of 7 requests with 7 seats from 4s to 10s, ended by adjustment, 0 failed"}},
		"the end of the server": {func(c *sim.Config) {
			c.Operations = []sim.ServerOperation{{At: 2 * time.Second, Kind: sim.Stop}, {At: 2500 * time.Millisecond, Kind: sim.Start}}
		}, []string{begins, "2.5s deadlock 0 of 1 requests with 1 seats from 1s to 2s, ended by server, 1 failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := selfish(t)
			c.change(cfg)
			wantDeadlocks(t, cfg, c.want...)
		})
	}
}

// TestTwoDeadlocksAtOnce has two levels that are stuck by themselves, and one whose requests
// call for one of the two, and which is told with it.
func TestTwoDeadlocksAtOnce(t *testing.T) {
	cfg := &sim.Config{Scheduler: oneEach(map[string]int{"a": 1, "b": 1}), Duration: 10 * time.Second, Populations: []workload.Population{
		calling(t, "left", "a", 1, time.Second, workload.Call{Population: "to-a", Count: 1}),
		calling(t, "right", "b", 1, time.Second, workload.Call{Population: "to-b", Count: 1}),
		called(t, "to-a", "a", time.Second), called(t, "to-b", "b", time.Second),
	}}
	j := wantDeadlocks(t, cfg,
		"1s deadlock 0: left/a/a -1/1-> to-a/a/a",
		"1s deadlock 1: right/b/b -1/1-> to-b/b/b",
		"10s deadlock 0 of 1 requests with 1 seats from 1s to -1ns, ended by nothing, 0 failed",
		"10s deadlock 1 of 1 requests with 1 seats from 1s to -1ns, ended by nothing, 0 failed")
	if want := (sim.StuckLevel{Server: 0, Level: 0, Limit: 1, Seats: 1, Waiting: 1}); len(j.stuck) > 0 && !slices.Equal(j.stuck[0].Levels, []sim.StuckLevel{want}) {
		t.Errorf("the levels are %+v, want %+v", j.stuck[0].Levels, want)
	}
}

// TestADeadlockHasAServer has callers on two servers, each of which is full; when one caller has
// gone, the other server is stuck no less.
func TestADeadlockHasAServer(t *testing.T) {
	cfg := selfish(t)
	cfg.Servers, cfg.Duration = 2, 30*time.Second
	cfg.Balancer = &balance.Config{Policy: balance.RoundRobin, Per: balance.PerRequest}
	cfg.Populations[0].Clients, cfg.Populations[1].Clients = 2, 2
	cfg.Operations = []sim.ServerOperation{{At: 2 * time.Second, Server: 0, Kind: sim.Stop}}
	j := wantDeadlocks(t, cfg,
		"1s deadlock 0: caller/a/a -1/1-> hook/a/a",
		"1s deadlock 1: caller/a/a -1/1-> hook/a/a",
		"10s deadlock 0 of 1 requests with 1 seats from 1s to 2s, ended by server, 1 failed",
		"20s deadlock 1 of 1 requests with 1 seats from 1s to 16s, ended by wait-limit, 1 failed")
	if len(j.stuck) == 2 && (j.stuck[0].Cycle[0].Caller.Server != 0 || j.stuck[1].Cycle[0].Called.Server != 1) {
		t.Errorf("the cycles are %+v and %+v", j.stuck[0].Cycle, j.stuck[1].Cycle)
	}
}

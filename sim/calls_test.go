package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// callJournal writes down who did what at which level, inversions and deadlocks.
type callJournal struct {
	sim.Silent
	world *sim.World
	lines []string
	stuck []*sim.Deadlock
}

func (j *callJournal) Start(w *sim.World) { j.world = w }

func (j *callJournal) note(now time.Duration, format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf("%v ", now)+fmt.Sprintf(format, args...))
}

func (j *callJournal) name(population int32) string {
	return j.world.Config().Populations[population].Name
}

func (j *callJournal) level(l int32) string { return j.world.Server().Levels()[l].Name }

func (j *callJournal) Dispatched(now time.Duration, r *sim.Request) {
	j.note(now, "%s %d runs in %s", j.name(r.Population), r.ID, j.level(r.Level))
}

func (j *callJournal) Finished(now time.Duration, r *sim.Request) {
	j.note(now, "%s %d ends %v", j.name(r.Population), r.ID, r.Status)
}

func (j *callJournal) Rejected(now time.Duration, r *sim.Request) {
	j.note(now, "%s %d rejected %v", j.name(r.Population), r.ID, r.Reason)
}

func (j *callJournal) Inverted(now time.Duration, caller, called *sim.Request, wait time.Duration) {
	j.note(now, "%s %d in %s waited %v for %s %d in %s", j.name(caller.Population), caller.ID, j.level(caller.Level), wait, j.name(called.Population), called.ID, j.level(called.Level))
}

func (j *callJournal) party(p sim.Party) string {
	return j.name(p.Population) + "/" + j.world.Server().Schemas()[p.Schema] + "/" + j.level(p.Level)
}

func (j *callJournal) Stuck(now time.Duration, d *sim.Deadlock) {
	if !slices.Contains(j.stuck, d) {
		j.stuck = append(j.stuck, d)
		var cycle []string
		for _, l := range d.Cycle {
			cycle = append(cycle, fmt.Sprintf("%s -%d/%d-> %s", j.party(l.Caller), l.Requests, l.Seats, j.party(l.Called)))
		}
		j.note(now, "deadlock %d: %s", d.Number, strings.Join(cycle, ", "))
		return
	}
	j.note(now, "deadlock %d of %d requests with %d seats from %v to %v, ended by %v, %d failed", d.Number, d.Requests, d.Seats, d.Since, d.Ended, d.By, d.Failed)
}

func journalOf(t *testing.T, cfg *sim.Config) *callJournal {
	t.Helper()
	j := &callJournal{}
	if _, err := sim.Run(cfg, 0, j, nil); err != nil {
		t.Fatal(err)
	}
	return j
}

func (j *callJournal) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(j.lines, want) {
		t.Errorf("the run was\n%s\nwant\n%s", strings.Join(j.lines, "\n"), strings.Join(want, "\n"))
	}
}

// oneEach is a server with a level for each of some users, which has one FlowSchema of the same
// name and so many seats, whatever the demand.
func oneEach(seats map[string]int) scheduler.Config {
	c := oneLevel()
	everything := c.FlowSchemas[0].Rules
	c.PriorityLevels, c.FlowSchemas = c.PriorityLevels[:2], c.FlowSchemas[1:]
	c.PriorityLevels[1].Shares, c.Seats = 0, 0
	users := make([]string, 0, len(seats))
	for user := range seats {
		users = append(users, user)
	}
	slices.Sort(users)
	for i, user := range users {
		c.Seats += seats[user]
		c.PriorityLevels = append(c.PriorityLevels, scheduler.PriorityLevel{
			Name: user, Shares: int32(seats[user]), BorrowingLimitPercent: 0, Queuing: &scheduler.Queuing{Queues: 1, HandSize: 1, QueueLengthLimit: 100}})
		rule := everything[0]
		rule.Subjects = []scheduler.SubjectRule{{Kind: scheduler.User, Name: user}}
		c.FlowSchemas = append(c.FlowSchemas, scheduler.FlowSchema{Name: user, Precedence: int32(100 + i), PriorityLevel: user, Rules: []scheduler.Rule{rule}})
	}
	return c
}

// called is a population that others call for.
func called(t testing.TB, name, user string, duration time.Duration) workload.Population {
	p := poisson(t, 1, time.Second)
	p.Name, p.User, p.Open, p.Called, p.Duration = name, user, nil, true, constant(t, duration)
	return p
}

// calling is a burst of requests at 1 s that make calls.
func calling(t testing.TB, name, user string, n int, duration time.Duration, calls ...workload.Call) workload.Population {
	p := burst(t, n, duration)
	p.Name, p.User = name, user
	p.Requests[0].Calls = calls
	return p
}

func TestCallsComeBeforeTheCallersOwnExecution(t *testing.T) {
	cfg := &sim.Config{Scheduler: oneEach(map[string]int{"a": 1, "b": 1}), Duration: time.Minute, Populations: []workload.Population{
		calling(t, "caller", "a", 1, 2*time.Second,
			workload.Call{Population: "hook", Count: 2},
			workload.Call{Population: "check", Count: 1}),
		called(t, "hook", "b", time.Second),
		called(t, "check", "b", 500*time.Millisecond),
	}}
	journalOf(t, cfg).want(t,
		"1s caller 0 runs in a",
		"1s hook 1 runs in b", "2s hook 1 ends ok",
		"2s hook 2 runs in b", "3s hook 2 ends ok",
		"3s check 3 runs in b", "3.5s check 3 ends ok",
		"5.5s caller 0 ends ok",
	)
}

func TestCallsSideBySide(t *testing.T) {
	cfg := &sim.Config{Scheduler: oneEach(map[string]int{"a": 1, "b": 2}), Duration: time.Minute, Populations: []workload.Population{
		calling(t, "caller", "a", 1, 2*time.Second,
			workload.Call{Population: "hook", Count: 2, Parallel: true},
			workload.Call{Population: "check", Count: 1, Parallel: true}),
		called(t, "hook", "b", time.Second),
		called(t, "check", "b", 500*time.Millisecond),
	}}
	journalOf(t, cfg).want(t,
		"1s caller 0 runs in a",
		"1s hook 1 runs in b", "1s hook 2 runs in b", // and the check waits
		"2s hook 1 ends ok", "2s caller 0 in a waited 1s for check 3 in b", "2s check 3 runs in b",
		"2s hook 2 ends ok", "2.5s check 3 ends ok",
		"4.5s caller 0 ends ok",
	)
}

func TestAFailedCall(t *testing.T) {
	world := func(call workload.Call) *sim.Config {
		blocker := burst(t, 1, 30*time.Second)
		blocker.Name, blocker.User = "blocker", "b"
		return &sim.Config{Scheduler: oneEach(map[string]int{"a": 1, "b": 1}), Duration: 25 * time.Second, Populations: []workload.Population{
			blocker, calling(t, "caller", "a", 1, 2*time.Second, call, call), called(t, "hook", "b", time.Second),
		}}
	}
	journalOf(t, world(workload.Call{Population: "hook", Count: 1})).want(t,
		"1s blocker 0 runs in b", "1s caller 1 runs in a",
		"16s caller 1 in a waited 15s for hook 2 in b", "16s hook 2 rejected time-out",
		"16s caller 1 ends 500",
	)
	journalOf(t, world(workload.Call{Population: "hook", Count: 1, Ignore: true, Timeout: 3 * time.Second})).want(t,
		"1s blocker 0 runs in b", "1s caller 1 runs in a",
		"4s caller 1 in a waited 3s for hook 2 in b", "4s hook 2 rejected time-out",
		"7s caller 1 in a waited 3s for hook 3 in b", "7s hook 3 rejected time-out",
		"9s caller 1 ends ok",
	)
}

// TestParallelCallsAreAllWaitedFor holds that a failure does not end the others.
func TestParallelCallsAreAllWaitedFor(t *testing.T) {
	cfg := &sim.Config{Scheduler: oneEach(map[string]int{"a": 1, "b": 1}), Duration: 25 * time.Second, Populations: []workload.Population{
		calling(t, "caller", "a", 1, 2*time.Second,
			workload.Call{Population: "hook", Count: 1, Parallel: true, Timeout: time.Second},
			workload.Call{Population: "check", Count: 1, Parallel: true}),
		called(t, "check", "b", 5*time.Second), called(t, "hook", "b", 5*time.Second),
	}}
	journalOf(t, cfg).want(t,
		"1s caller 0 runs in a", "1s hook 1 runs in b", "2s hook 1 ends timed-out",
		"2s caller 0 in a waited 1s for check 2 in b", "2s check 2 runs in b", "7s check 2 ends ok",
		"7s caller 0 ends 500",
	)
}

// TestTheEndOfACallerWithdrawsItsCalls has a caller whose time is over while one of its calls
// executes and another one waits, which calls itself.
func TestTheEndOfACallerWithdrawsItsCalls(t *testing.T) {
	for _, heed := range []workload.Deadline{workload.DeadlineStops, workload.DeadlineIgnored} {
		caller := calling(t, "caller", "a", 1, 2*time.Second, workload.Call{Population: "hook", Count: 2, Parallel: true})
		caller.Requests[0].Timeout, caller.Deadline = 4*time.Second, heed
		hook := called(t, "hook", "b", time.Second)
		hook.Requests[0].Calls = []workload.Call{{Population: "check", Count: 1}}
		cfg := &sim.Config{Scheduler: oneEach(map[string]int{"a": 1, "b": 1, "c": 1}), Duration: 25 * time.Second, Populations: []workload.Population{
			caller, hook, called(t, "check", "c", 10*time.Second),
		}}
		journalOf(t, cfg).want(t,
			"1s caller 0 runs in a", "1s hook 1 runs in b", "1s check 3 runs in c",
			"5s caller 0 in a waited 4s for hook 2 in b", "5s caller 0 ends timed-out",
			"5s hook 2 rejected time-out",
			"5s hook 1 ends withdrawn", "5s check 3 ends withdrawn",
		)
	}
}

func TestACallerThatStopsWithItsServer(t *testing.T) {
	cfg := &sim.Config{Scheduler: oneEach(map[string]int{"a": 1, "b": 1}), Duration: 5 * time.Second, Populations: []workload.Population{
		calling(t, "caller", "a", 1, 2*time.Second, workload.Call{Population: "hook", Count: 1}),
		called(t, "hook", "b", 10*time.Second),
	}, Operations: []sim.ServerOperation{{At: 2 * time.Second, Kind: sim.Stop}, {At: 3 * time.Second, Kind: sim.Start}}}
	journalOf(t, cfg).want(t, "1s caller 0 runs in a", "1s hook 1 runs in b")
}

// TestACallerAndItsCallInOneLevel is the classical case: reviews of who may do what wait in the
// level whose seats their callers hold.
func TestACallerAndItsCallInOneLevel(t *testing.T) {
	world := func(seats int) *sim.Config {
		return &sim.Config{Scheduler: oneEach(map[string]int{"a": seats}), Duration: 40 * time.Second, Populations: []workload.Population{
			calling(t, "caller", "a", 2, 2*time.Second, workload.Call{Population: "review", Count: 1}),
			called(t, "review", "a", time.Second),
		}}
	}
	journalOf(t, world(2)).want(t,
		"1s caller 0 runs in a", "1s caller 1 runs in a",
		"1s deadlock 0: caller/a/a -2/2-> review/a/a",
		"16s caller 0 in a waited 15s for review 2 in a", "16s review 2 rejected time-out",
		"16s caller 0 ends 500",
		"16s caller 1 in a waited 15s for review 3 in a", "16s review 3 runs in a",
		"17s review 3 ends ok",
		"17s deadlock 0 of 2 requests with 2 seats from 1s to 16s, ended by wait-limit, 1 failed",
		"19s caller 1 ends ok",
	)
	journalOf(t, world(3)).want(t,
		"1s caller 0 runs in a", "1s caller 1 runs in a",
		"1s review 2 runs in a", "2s review 2 ends ok",
		"2s caller 1 in a waited 1s for review 3 in a", "2s review 3 runs in a", "3s review 3 ends ok",
		"4s caller 0 ends ok", "5s caller 1 ends ok",
	)
}

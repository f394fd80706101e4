package sim_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// journal is an observer that writes down what happens, in words.
type journal struct {
	sim.Silent
	lines    []string
	arrivals map[string][]time.Duration // by population
	world    *sim.World
	events   [workload.ClientEvents]int
}

func (j *journal) Start(w *sim.World) { j.world, j.arrivals = w, map[string][]time.Duration{} }

func (j *journal) note(now time.Duration, format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf("%v ", now)+fmt.Sprintf(format, args...))
}

func (j *journal) Arrived(now time.Duration, r *sim.Request) {
	name := j.world.Config().Populations[r.Population].Name
	j.arrivals[name] = append(j.arrivals[name], now)
	j.note(now, "arrived %d attempt %d", r.ID, r.Attempt)
}

func (j *journal) Dispatched(now time.Duration, r *sim.Request) { j.note(now, "dispatched %d", r.ID) }
func (j *journal) Finished(now time.Duration, r *sim.Request)   { j.note(now, "finished %d", r.ID) }

func (j *journal) Rejected(now time.Duration, r *sim.Request) {
	j.note(now, "rejected %d %v retry after %d", r.ID, r.Reason, r.RetryAfter)
}

func (j *journal) Client(now time.Duration, e sim.ClientEvent, _, client int32, _ time.Duration) {
	j.events[e]++
	words := map[sim.ClientEvent]string{
		workload.Retried: "retries", workload.GaveUp: "gives up", workload.LeaseRenewed: "renewed", workload.LeaseLost: "lost its lease",
	}
	what, ok := words[e]
	if !ok {
		what = e.String()
	}
	j.note(now, "client %d %s", client, what)
}

// smallServer has one level of so many seats, with one queue of that length, or none.
func smallServer(seats int, queueLength int32) scheduler.Config {
	c := oneLevel()
	c.PriorityLevels[1].Shares = 0
	c.PriorityLevels[2].Queuing.QueueLengthLimit = queueLength
	c.Seats = seats
	if queueLength == 0 {
		c.PriorityLevels[2].Queuing = nil
	}
	return c
}

func constant(t testing.TB, d time.Duration) workload.Distribution {
	t.Helper()
	c, err := workload.Constant(d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, cfg *sim.Config) (*journal, sim.Summary) {
	t.Helper()
	j := &journal{}
	summary, err := sim.Run(cfg, 0, j, nil)
	if err != nil {
		t.Fatal(err)
	}
	return j, summary
}

func wantLines(t *testing.T, j *journal, want ...string) {
	t.Helper()
	if !slices.Equal(j.lines, want) {
		t.Errorf("the run was\n%q\nwant\n%q", j.lines, want)
	}
}

// burst is n requests at one moment.
func burst(t testing.TB, n int, duration time.Duration) workload.Population {
	p := poisson(t, 1, time.Second)
	arrivals := workload.Burst(time.Second, n, 0)
	p.Open, p.Duration = &arrivals, constant(t, duration)
	return p
}

func TestRetryHonoursRetryAfter(t *testing.T) {
	p := burst(t, 2, 1500*time.Millisecond)
	p.Retry = workload.Retry{Policy: workload.RetryClientGo}
	cfg := &sim.Config{Scheduler: smallServer(1, 0), Populations: []workload.Population{p}, Duration: 10 * time.Second}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0",
		"1s arrived 1 attempt 0", "1s rejected 1 concurrency-limit retry after 1", "1s client 0 retries",
		"2s arrived 2 attempt 1", "2s rejected 2 concurrency-limit retry after 1", "2s client 0 retries",
		"2.5s finished 0",
		"3s arrived 3 attempt 2", "3s dispatched 3", "4.5s finished 3",
	)
}

func TestAQueuedRequestExpiresAtAQuarterOfItsDeadline(t *testing.T) {
	p := burst(t, 3, 20*time.Second)
	cfg := &sim.Config{Scheduler: smallServer(1, 1), Populations: []workload.Population{p}, Duration: 30 * time.Second}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0",
		"1s arrived 1 attempt 0",
		"1s arrived 2 attempt 0", "1s rejected 2 queue-full retry after 1", "1s client 0 gives up",
		"16s rejected 1 time-out retry after 1", "16s client 0 gives up",
		"21s finished 0",
	)
}

func TestAFinishSavesARequestThatExpiresAtTheSameInstant(t *testing.T) {
	p := burst(t, 2, 15*time.Second)
	cfg := &sim.Config{Scheduler: smallServer(1, 1), Populations: []workload.Population{p}, Duration: 20 * time.Second}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0",
		"16s finished 0", "16s dispatched 1",
	)
}

func TestAClosedLoopThinksBetweenAnswers(t *testing.T) {
	p := poisson(t, 1, time.Second)
	p.Open, p.Duration = nil, constant(t, 2*time.Second)
	p.Closed = &workload.Closed{Concurrency: 1, Think: constant(t, time.Second)}
	cfg := &sim.Config{Scheduler: smallServer(1, 1), Populations: []workload.Population{p}, Duration: 8 * time.Second}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0", "3s finished 0",
		"4s arrived 1 attempt 0", "4s dispatched 1", "6s finished 1",
		"7s arrived 2 attempt 0", "7s dispatched 2",
	)
}

// leader is one client that keeps a lease.
func leader(t testing.TB) workload.Population {
	p := poisson(t, 1, time.Second)
	p.Open, p.Duration = nil, constant(t, 10*time.Millisecond)
	p.Behaviour = workload.Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, Restart: time.Second}
	p.Requests = workload.Complete(p.Behaviour, []workload.Template{{Verb: "update", APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "ns", Name: "leader", Weight: 1}})
	p.Retry = workload.Retry{Policy: workload.RetryClientGo}
	return p
}

func TestALeaseIsRenewedEveryRetryPeriod(t *testing.T) {
	cfg := &sim.Config{Scheduler: smallServer(1, 1), Populations: []workload.Population{leader(t)}, Duration: time.Minute}
	j, _ := run(t, cfg)
	renewed := j.events[workload.LeaseRenewed]
	if renewed < 29 || renewed > 30 || j.events[workload.LeaseLost] != 0 {
		t.Errorf("%d renewals and %d losses in a minute, want one each 2.01 s and none", renewed, j.events[workload.LeaseLost])
	}
}

// times returns when something happened.
func (j *journal) times(what string) []time.Duration {
	var all []time.Duration
	for _, line := range j.lines {
		if at, ok := strings.CutSuffix(line, " "+what); ok {
			d, err := time.ParseDuration(at)
			if err != nil {
				panic(err)
			}
			all = append(all, d)
		}
	}
	return all
}

// TestALeaseIsLostBehindALongRequest blocks the only seat for 30 s: the renewal waits, and
// is cancelled at the renew deadline. The process ends; its successor's request waits until
// the server rejects it, and again until the seat is free. The seed is one with which the first renewal begins after the blocker.
func TestALeaseIsLostBehindALongRequest(t *testing.T) {
	blocker := burst(t, 1, 30*time.Second)
	blocker.Name = "blocker"
	cfg := &sim.Config{Scheduler: smallServer(1, 50), Populations: []workload.Population{leader(t), blocker}, Duration: time.Minute, Seed: 3}
	j, _ := run(t, cfg)
	first := j.arrivals["callers"][0]
	if first < time.Second {
		t.Fatalf("the first renewal begins at %v, before the blocker: take another seed", first)
	}
	at := func(d time.Duration, what string) string { return fmt.Sprintf("%v %s", first+d, what) }
	want := []string{
		"1s arrived 0 attempt 0", "1s dispatched 0",
		at(0, "arrived 1 attempt 0"),
		at(10*time.Second, "client 0 lost its lease"), at(10*time.Second, "rejected 1 time-out retry after 1"),
		at(11*time.Second, "client 0 restarted"), at(11*time.Second, "arrived 2 attempt 0"),
		at(26*time.Second, "rejected 2 time-out retry after 1"), at(26*time.Second, "client 0 retries"),
		at(27*time.Second, "arrived 3 attempt 1"),
		"31s finished 0", "31s dispatched 3", "31.01s finished 3",
	}
	if len(j.lines) < len(want) || !slices.Equal(j.lines[:len(want)], want) {
		t.Errorf("the run was\n%q\nwant it to begin with\n%q", j.lines, want)
	}
	// It reads the lease of its former self at 31.01 s, and takes it over when it has not seen a
	// renewal for 15 s: at the first of its looks after that, which are 2 s to 4.4 s apart.
	if taken := j.times("client 0 renewed"); taken[0] < 46*time.Second || taken[0] > 51*time.Second {
		t.Errorf("the lease is renewed at %v", taken)
	}
}

// TestALeaderTriesAgain has a level that rejects at once, full until 7 s, and a client
// that gives up on a request after so many retries: each of them takes a second. A try is an
// update, and when that fails a get.
func TestALeaderTriesAgain(t *testing.T) {
	for _, test := range []struct {
		retries int
		tries   []time.Duration // since the first
	}{
		{0, []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second}},
		{1, []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second}}, // update and get take 2 s, the retry period
		{3, []time.Duration{0, 6 * time.Second}},                                   // they take 6 s: the next try begins at once
	} {
		p := leader(t)
		p.Retry.MaxRetries = test.retries
		if test.retries == 0 {
			p.Retry.Policy = workload.RetryNone
		}
		blocker := burst(t, 1, 7*time.Second)
		blocker.Name = "blocker"
		cfg := &sim.Config{Scheduler: smallServer(1, 0), Populations: []workload.Population{p, blocker}, Duration: 9 * time.Second, Seed: 3}
		j := &tries{}
		if _, err := sim.Run(cfg, 0, j, nil); err != nil {
			t.Fatal(err)
		}
		if len(j.first) < len(test.tries) {
			t.Fatalf("%d retries: %d tries at %v, want %v", test.retries, len(j.first), j.first, test.tries)
		}
		for i, want := range test.tries {
			if got := j.first[i] - j.first[0]; got != want {
				t.Errorf("%d retries: try %d begins %v after the first, want %v", test.retries, i, got, want)
			}
		}
	}
}

// tries notes when the renewals of the first population begin.
type tries struct {
	sim.Silent
	first []time.Duration
}

func (o *tries) Arrived(now time.Duration, r *sim.Request) {
	if r.Population == 0 && r.Attempt == 0 && r.Template == 0 {
		o.first = append(o.first, now)
	}
}

func TestAClosedLoopThinksAfterARejectionToo(t *testing.T) {
	p := poisson(t, 1, time.Second)
	p.Open, p.Duration = nil, constant(t, 10*time.Second)
	p.Closed = &workload.Closed{Concurrency: 2, Think: constant(t, time.Second)}
	cfg := &sim.Config{Scheduler: smallServer(1, 0), Populations: []workload.Population{p}, Duration: 4 * time.Second}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0",
		"1s arrived 1 attempt 0", "1s rejected 1 concurrency-limit retry after 1", "1s client 0 gives up",
		"2s arrived 2 attempt 0", "2s rejected 2 concurrency-limit retry after 1", "2s client 0 gives up",
		"3s arrived 3 attempt 0", "3s rejected 3 concurrency-limit retry after 1", "3s client 0 gives up",
	)
}

// TestTemplatesAreChosenByWeight also holds that one more template leaves the times of
// arrival as they are.
func TestTemplatesAreChosenByWeight(t *testing.T) {
	p := poisson(t, 100, time.Millisecond)
	cfg := &sim.Config{Scheduler: oneLevel(), Populations: []workload.Population{p}, Duration: 100 * time.Second}
	before, _ := run(t, cfg)
	more := p
	more.Requests = []workload.Template{p.Requests[0], p.Requests[0]}
	more.Requests[1].Weight = 3
	cfg.Populations = []workload.Population{more}
	var chosen choices
	if _, err := sim.Run(cfg, 0, &chosen, nil); err != nil {
		t.Fatal(err)
	}
	after, _ := run(t, cfg)
	if !reflect.DeepEqual(before.arrivals, after.arrivals) {
		t.Error("a second template changed the times of arrival")
	}
	share := float64(chosen.templates[1]) / float64(chosen.templates[0]+chosen.templates[1])
	if share < 0.73 || share > 0.77 { // 0.75, and a standard deviation of 0.004
		t.Errorf("a share of %.3f for a weight of 3 in 4", share)
	}
}

// choices counts the templates of what arrives.
type choices struct {
	sim.Silent
	templates [2]int
}

func (o *choices) Arrived(_ time.Duration, r *sim.Request) { o.templates[r.Template]++ }

func TestTheSameRunTwiceIsTheSame(t *testing.T) {
	cfg := crowdOf(t, 16)
	cfg.Duration = 20 * time.Second
	first, one := run(t, cfg)
	second, two := run(t, cfg)
	if one != two || !slices.Equal(first.lines, second.lines) {
		t.Errorf("two runs differ: %+v and %+v", one, two)
	}
	cfg.Seed++
	if _, other := run(t, cfg); other.Fingerprint == one.Fingerprint {
		t.Errorf("another seed has the same fingerprint %x", one.Fingerprint)
	}
}

// TestOneMorePopulationLeavesTheOthersAlone is what comparisons rest on.
func TestOneMorePopulationLeavesTheOthersAlone(t *testing.T) {
	cfg := crowdOf(t, 16)
	cfg.Duration = 10 * time.Second
	before, _ := run(t, cfg)
	more := *cfg
	extra := burst(t, 100, time.Second)
	extra.Name = "more"
	more.Populations = append([]workload.Population{extra}, cfg.Populations...)
	after, _ := run(t, &more)
	if len(after.arrivals["more"]) != 100 {
		t.Fatalf("%d arrivals of the new population, want 100", len(after.arrivals["more"]))
	}
	for _, name := range []string{"elephant", "mouse"} {
		if !reflect.DeepEqual(before.arrivals[name], after.arrivals[name]) {
			t.Errorf("the arrivals of %s changed", name)
		}
	}
}

func TestAStoppedRunIsPartial(t *testing.T) {
	cfg := crowdOf(t, 16)
	cfg.Duration = time.Hour
	var control sim.Control
	control.Stop.Store(true)
	summary, err := sim.Run(cfg, 0, sim.Silent{}, &control)
	if err != nil || !summary.Partial || summary.End >= cfg.Duration {
		t.Errorf("got %+v, %v; want a partial run", summary, err)
	}
}

func TestAnImpossibleConfigurationIsRefused(t *testing.T) {
	whole := poisson(t, 1, time.Second)
	whole.Closed = &workload.Closed{Concurrency: 1, Think: constant(t, time.Second)}
	fewer, spinning, late := poisson(t, 1, time.Second), poisson(t, 1, time.Second), poisson(t, 1, time.Second)
	fewer.Clients = -1
	spinning.Name, spinning.Open = "spinning", nil
	spinning.Closed = &workload.Closed{Concurrency: 1, Think: constant(t, 0)}
	late.Requests[0].Timeout = -time.Second
	renewing := leader(t)
	renewing.Behaviour = workload.Lease{Duration: 15 * time.Second, RenewDeadline: 10 * time.Second}
	const year = "640511h56m49.213693952s"
	for _, c := range []struct {
		name string
		cfg  sim.Config
		want string
	}{
		{"no duration, twice", sim.Config{Populations: []workload.Population{whole, whole}}, `population "callers": arrivals: 2 ways to send are given; legal: exactly one of open, closed, behaviour, called, trace and present
population "callers" never stops, so the run needs a duration
population "callers" is there twice
population "callers": arrivals: 2 ways to send are given; legal: exactly one of open, closed, behaviour, called, trace and present
population "callers" never stops, so the run needs a duration`},
		{"times", sim.Config{Duration: -1, Warmup: -1}, `the duration is -1ns; legal: 0s to ` + year + `
the warm-up is -1ns; legal: 0s or more`},
		{"too long", sim.Config{Duration: workload.MaxDuration + 1}, `the duration is 640511h56m49.213693953s; legal: 0s to ` + year},
		{"fewer clients than none", sim.Config{Duration: time.Minute, Populations: []workload.Population{fewer}},
			`population "callers": count: -1 is out of range; legal: a whole number from 1 to 1000000`},
		{"a lease that is renewed all the time", sim.Config{Duration: time.Minute, Populations: []workload.Population{renewing}},
			`population "callers": arrivals.lease.retryPeriod: 0s is out of range; legal: a duration from 1ns to ` + year},
		{"a timeout before the arrival", sim.Config{Duration: time.Minute, Populations: []workload.Population{late}},
			`population "callers": requests[0].timeout: -1s is out of range; legal: a duration from 0s to ` + year},
		{"a livelock", sim.Config{Duration: time.Minute, Populations: []workload.Population{spinning}},
			`population "spinning": arrivals.closed: there is no think time, so that a client that is rejected would ask again at the same instant, for ever; legal: a think time above 0, or retries as client-go does them`},
	} {
		c.cfg.Scheduler = oneLevel()
		if _, err := sim.Run(&c.cfg, 0, sim.Silent{}, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// TestALongRunningRequestPassesBy holds no seat, so the level stays free.
func TestALongRunningRequestPassesBy(t *testing.T) {
	p := burst(t, 2, 5*time.Second)
	p.Requests[0].Subresource = "exec"
	cfg := &sim.Config{Scheduler: smallServer(1, 0), Populations: []workload.Population{p}, Duration: 10 * time.Second}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0", "1s arrived 1 attempt 0", "1s dispatched 1",
		"6s finished 0", "6s finished 1",
	)
	if got := j.world.Server().LevelState(2); got.SeatsInUse != 0 || got.R != fairqueue.SeatSeconds(0) {
		t.Errorf("the level has seen something: %+v", got)
	}
}

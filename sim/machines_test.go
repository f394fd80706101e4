package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// errands is a behaviour that does what a table says: at given times it sends a request,
// withdraws the operation of an earlier line, or closes a watch. It notes what it is told.
type errands struct {
	do    []deed
	notes *[]string
}

// deed is one line of the table.
type deed struct {
	at      time.Duration
	request int32
	// since is what a watch goes on from.
	since time.Duration
	// withdraw names the line whose operation ends, counted from 1.
	withdraw int
	close    bool
}

func (e errands) Validate() []error { return nil }
func (e errands) Requests() int     { return 1 }
func (e errands) String() string    { return "errands" }
func (e errands) Machine(clients int, _ []workload.Template) workload.Machine {
	return &errandMachine{errands: e, ops: make([]workload.Operation, len(e.do))}
}

type errandMachine struct {
	errands
	ops []workload.Operation
}

func (m *errandMachine) note(w workload.World, format string, args ...any) {
	*m.notes = append(*m.notes, fmt.Sprintf("%v ", w.Now())+fmt.Sprintf(format, args...))
}

func (m *errandMachine) Start(w workload.World, client int32) {
	for i, d := range m.do {
		w.Wake(client, int32(i), d.at)
	}
}

func (m *errandMachine) Due(w workload.World, client, timer int32) {
	switch d := m.do[timer]; {
	case d.withdraw > 0:
		w.Withdraw(m.ops[d.withdraw-1])
		m.note(w, "withdraws %d", d.withdraw)
	case d.close:
		w.CloseWatch(client, d.request)
	default:
		m.ops[timer] = w.Send(client, d.request, w.Now(), d.since)
	}
}

func (m *errandMachine) Answered(w workload.World, _ int32, op workload.Operation, a workload.Answer) {
	for i := range m.ops {
		if m.ops[i] == op {
			m.note(w, "%d is answered %v", i+1, a.Status)
		}
	}
}

func (m *errandMachine) WatchEnded(w workload.World, _, request int32, a workload.Answer) {
	m.note(w, "watch %d ended %v", request, a.Status)
}

// does runs a table against a server of one seat and checks what the machine is told.
func does(t *testing.T, cfg sim.Config, p workload.Population, do []deed, want ...string) *chronicle {
	t.Helper()
	var notes []string
	p.Open, p.Behaviour = nil, errands{do, &notes}
	cfg.Populations = append(cfg.Populations, p)
	release := cfg.Scheduler.Release
	cfg.Scheduler, cfg.Duration = smallServer(1, 5), time.Minute
	cfg.Scheduler.Release = release
	c := &chronicle{}
	if _, err := sim.Run(&cfg, 0, c, nil); err != nil {
		t.Fatal(err)
	}
	wantLines(t, &journal{lines: notes}, want...)
	return c
}

// TestWithdraw withdraws an operation that executes, one that waits, one between two
// attempts, and one that has ended.
func TestWithdraw(t *testing.T) {
	p := burst(t, 1, 10*time.Second)
	c := does(t, sim.Config{}, p, []deed{
		{at: 1 * time.Second},               // executes
		{at: 2 * time.Second},               // waits
		{at: 3 * time.Second, withdraw: 2},  // the one that waits
		{at: 4 * time.Second},               // waits
		{at: 5 * time.Second, withdraw: 1},  // the one that executes; the other one goes on
		{at: 20 * time.Second, withdraw: 4}, // has ended
		{at: 20 * time.Second, withdraw: 4},
	},
		"3s withdraws 2", "5s withdraws 1", "15s 4 is answered ok", "20s withdraws 4", "20s withdraws 4")
	wantLines(t, &c.journal,
		"1s arrived 0 attempt 0", "1s dispatched 0", "2s arrived 1 attempt 0",
		"3s rejected 1 time-out retry after 1", "3s concluded withdrawn after 1 from 2s, throttled 0s, paused 0s",
		"4s arrived 2 attempt 0",
		"5s finished 0", "5s concluded withdrawn after 1 from 1s, throttled 0s, paused 0s",
		"5s dispatched 2", "15s finished 2", "15s concluded ok after 1 from 4s, throttled 0s, paused 0s",
	)
}

// TestWithdrawBetweenAttempts has a server that rejects, and a client that comes back after a
// second.
func TestWithdrawBetweenAttempts(t *testing.T) {
	p := burst(t, 1, 10*time.Second)
	p.Retry = workload.Retry{Policy: workload.RetryClientGo}
	blocker := burst(t, 6, 30*time.Second) // the seat and the queue
	blocker.Name = "blocker"
	c := does(t, sim.Config{Populations: []workload.Population{blocker}}, p, []deed{
		{at: 2 * time.Second}, {at: 2500 * time.Millisecond, withdraw: 1},
	}, "2.5s withdraws 1")
	last := c.lines[len(c.lines)-1]
	for _, line := range c.lines {
		if line == "2.5s concluded withdrawn after 1 from 2s, throttled 0s, paused 500ms" {
			return
		}
	}
	t.Errorf("the errand never ended; the last line is %q", last)
}

// TestWatchesEndWithTheirServer: a watch that is open breaks; going on from before is no
// longer possible, as the server's cache has begun anew. While the cache is not filled a
// watch waits, with its seat taken, or is refused.
func TestWatchesEndWithTheirServer(t *testing.T) {
	for _, c := range []struct {
		release string
		want    []string
	}{
		{"1.30", []string{"1.1s 1 is answered ok", "10s watch 0 ended lost", "42.1s 2 is answered 410", "42.2s 3 is answered ok", "50.1s 4 is answered 410"}},
		{"1.32", []string{"1.1s 1 is answered ok", "10s watch 0 ended lost", "13s 2 is answered 429", "41s 3 is answered 429", "50.1s 4 is answered 410"}},
		{"1.37", []string{"1.1s 1 is answered ok", "10s watch 0 ended lost", "13s 2 is answered 429", "41s 3 is answered 429", "50.1s 4 is answered 410"}},
	} {
		p := burst(t, 1, 100*time.Millisecond)
		p.Requests = []workload.Template{{Verb: "watch", Resource: "pods", Weight: 1}}
		cfg := sim.Config{
			Operations: []sim.ServerOperation{{At: 10 * time.Second, Kind: sim.Stop}, {At: 12 * time.Second, Kind: sim.Start}},
			CacheFill:  30 * time.Second,
		}
		cfg.Scheduler.Release = version(t, c.release)
		does(t, cfg, p, []deed{
			{at: time.Second},
			{at: 13 * time.Second, since: 10 * time.Second},
			{at: 41 * time.Second, since: 43 * time.Second},
			{at: 50 * time.Second, since: 10 * time.Second},
		}, c.want...)
	}
}

// TestListsWhileTheCacheFills: which LISTs a server answers 10 s after its start, while its
// cache takes 30 s to fill, and what it asks those to wait that it does not.
func TestListsWhileTheCacheFills(t *testing.T) {
	const ok, later = "ok at 20.1s", "waits for the cache until 42.1s"
	for _, c := range []struct {
		options               workload.RawOptions
		waiting, fixed, grows string // 1.30, 1.32, 1.37
	}{
		{workload.RawOptions{ResourceVersion: "0"}, ok, "429 after 1", "429 after 1"},
		{workload.RawOptions{ResourceVersion: "0", Limit: 500}, ok, ok, ok},
		{workload.RawOptions{ResourceVersion: "0", Limit: 500, LabelSelector: "a=b"}, ok, "429 after 1", "429 after 1"},
		{workload.RawOptions{ResourceVersion: "7", ResourceVersionMatch: "NotOlderThan"}, later, "429 after 1", "429 after 1"},
		{workload.RawOptions{ResourceVersion: "7", ResourceVersionMatch: "Exact"}, ok, ok, ok},
		{workload.RawOptions{}, ok, "429 after 1", "429 after 1"}, // from the cache since 1.31
	} {
		for i, release := range []string{"1.30", "1.32", "1.37"} {
			p := burst(t, 1, 100*time.Millisecond)
			at := workload.Burst(20*time.Second, 1, 0)
			p.Open = &at
			p.Requests = []workload.Template{{Verb: "list", Resource: "pods", Options: c.options, Weight: 1}}
			scheduler := smallServer(1, 5)
			scheduler.Release, scheduler.ConsistentReadsFromCache = version(t, release), true
			got := &cacheJournal{}
			cfg := &sim.Config{
				Scheduler: scheduler, Populations: []workload.Population{p}, Duration: time.Minute, CacheFill: 30 * time.Second,
				Operations: []sim.ServerOperation{{At: 10 * time.Second, Kind: sim.Stop}, {At: 12 * time.Second, Kind: sim.Start}},
			}
			if _, err := sim.Run(cfg, 0, got, nil); err != nil {
				t.Fatal(err)
			}
			if want := []string{c.waiting, c.fixed, c.grows}[i]; got.text != want {
				t.Errorf("%s, %+v: %s, want %s", release, c.options, got.text, want)
			}
		}
	}
}

// cacheJournal tells how one request ended.
type cacheJournal struct {
	sim.Silent
	text string
}

func (j *cacheJournal) Finished(now time.Duration, r *sim.Request) {
	switch {
	case r.Status == workload.TooManyRequests:
		j.text = fmt.Sprintf("429 after %d", r.RetryAfter)
	case now > 30*time.Second:
		j.text = fmt.Sprintf("waits for the cache until %v", now)
	default:
		j.text = fmt.Sprintf("%v at %v", r.Status, now)
	}
}

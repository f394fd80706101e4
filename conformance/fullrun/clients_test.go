package fullrun

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// TestClients lets the simulator run clients against its server, and then does the same with the
// real thing at both ends: client-go's rest clients, with their limiters, retries and time
// limits, send through the real filter. What each client wants and when, and how long that
// executes, is taken from the simulator. Every attempt must arrive and end at the same
// nanosecond, and so must every operation.
func TestClients(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			sc, config := overloaded(t, seed)
			ours := &diary{}
			if _, err := sim.Run(config, 0, ours, nil); err != nil {
				t.Fatal(err)
			}
			theirs := sendAll(t, sc, config, ours)
			ours.compare(t, theirs)
		})
	}
}

// overloaded is a small server with clients that ask for more than it has.
func overloaded(t *testing.T, seed uint64) (*Scenario, *sim.Config) {
	t.Helper()
	const folder = "../testdata/vectors/small"
	sc, _, err := LoadScenario(folder)
	if err != nil {
		t.Fatal(err)
	}
	config, err := LoadOurs(folder)
	if err != nil {
		t.Fatal(err)
	}
	const seats = 30
	sc.Seats, config.Scheduler.Seats = seats, seats
	config.Seed, config.Duration = seed, time.Hour
	// The rates are such that no two requests of a client meet: whole seconds, which Retry-After
	// and the time limits are, are no multiples of the time for a token.
	config.Populations = []workload.Population{
		population("controllers", 3, 12, workload.Retry{Policy: workload.RetryClientGo}, ref(limiter.New(4.9137, 10)), 0),
		population("operators", 4, 6, workload.Retry{Policy: workload.RetryClientGo, MaxRetries: 2}, ref(limiter.New(3.0173, 2)), 9*time.Second),
		population("agents", 10, 2, workload.Retry{Policy: workload.RetryClientGo}, nil, 20*time.Second),
		population("impatient", 5, 3, workload.Retry{}, ref(limiter.New(50, 100)), 3*time.Second),
	}
	return sc, config
}

func ref[T any](v T) *T { return &v }

// population makes clients that each ask for so much a second, for half a minute.
func population(name string, clients int, rate float64, retry workload.Retry, l *limiter.Limiter, timeout time.Duration) workload.Population {
	duration, err := workload.Lognormal(300*time.Millisecond, 4*time.Second)
	if err != nil {
		panic(err)
	}
	arrivals := workload.Stages([]workload.Stage{{Duration: 0, Rate: rate}, {Duration: 30 * time.Second, Rate: rate}, {Duration: 0, Rate: 0}})
	return workload.Population{
		Name: name, Clients: clients, User: name + "-{index}", Groups: []string{"system:authenticated"},
		Requests: []workload.Template{
			{Verb: "get", Resource: "pods", Namespace: "prod", Name: "a", Weight: 5},
			{Verb: "list", Resource: "pods", Namespace: "prod", Weight: 2},
			{Verb: "create", Resource: "pods", Namespace: "prod", Weight: 1},
			{Verb: "update", Resource: "configmaps", Namespace: "prod", Name: "b", Weight: 1},
		},
		Duration: duration, Open: &arrivals, Retry: retry, Limiter: l, Timeout: timeout,
	}
}

// who is a client: its population and its number there.
type who struct{ population, client int32 }

// attempted is an attempt as both sides know it.
type attempted struct {
	Number                        int32
	Arrival, Dispatched, Finished time.Duration
	RetryAfter                    int32
}

// wanted is an operation as both sides know it.
type wanted struct {
	Began, Ended time.Duration
	Attempts     int32
	OK           bool
}

// life is all that a client did: its attempts in order of their arrival, and its operations in
// that of their beginning.
type life struct {
	Attempts   []attempted
	Operations []wanted
	// templates and executions are of the first attempts, in order.
	templates  []int32
	executions []time.Duration
}

// diary observes a run of the simulator.
type diary struct {
	sim.Silent
	lives map[who]*life
	open  map[int64]int // ids of attempts to their place
}

func (d *diary) life(population, client int32) *life {
	if d.lives == nil {
		d.lives, d.open = map[who]*life{}, map[int64]int{}
	}
	l := d.lives[who{population, client}]
	if l == nil {
		l = &life{}
		d.lives[who{population, client}] = l
	}
	return l
}

// Arrived notes an attempt.
func (d *diary) Arrived(now time.Duration, r *sim.Request) {
	l := d.life(r.Population, r.Client)
	d.open[r.ID] = len(l.Attempts)
	l.Attempts = append(l.Attempts, attempted{Number: r.Attempt, Arrival: now, Dispatched: -1})
	if r.Attempt == 0 {
		l.templates = append(l.templates, r.Template)
		l.executions = append(l.executions, r.Execution)
	}
}

func (d *diary) attempt(r *sim.Request) *attempted {
	return &d.life(r.Population, r.Client).Attempts[d.open[r.ID]]
}

// Dispatched notes when an attempt begins to execute.
func (d *diary) Dispatched(now time.Duration, r *sim.Request) { d.attempt(r).Dispatched = now }

// Rejected notes the end of an attempt.
func (d *diary) Rejected(now time.Duration, r *sim.Request) {
	a := d.attempt(r)
	a.Finished, a.RetryAfter = now, r.RetryAfter
}

// Finished notes the end of an attempt.
func (d *diary) Finished(now time.Duration, r *sim.Request) { d.attempt(r).Finished = now }

// Concluded notes the end of an operation.
func (d *diary) Concluded(now time.Duration, o *sim.Operation) {
	l := d.life(o.Population, o.Client)
	l.Operations = append(l.Operations, wanted{o.Began, now, o.Attempts, o.Status == workload.OK})
}

// compare holds two diaries against each other, and that they tell enough.
func (d *diary) compare(t *testing.T, theirs map[who]*life) {
	var attempts, retries, failures, rejections, late int
	for w, ours := range d.lives {
		ours.sort()
		real := theirs[w]
		real.sort()
		if i, equal := firstDifference(ours.Attempts, real.Attempts); !equal {
			t.Fatalf("client %v: attempt %d is\n%+v, want\n%+v", w, i, at(ours.Attempts, i), at(real.Attempts, i))
		}
		if i, equal := firstDifference(ours.Operations, real.Operations); !equal {
			t.Fatalf("client %v: operation %d is\n%+v, want\n%+v", w, i, at(ours.Operations, i), at(real.Operations, i))
		}
		for _, a := range ours.Attempts {
			attempts++
			retries += min(int(a.Number), 1)
			if a.Dispatched < 0 {
				rejections++
			}
		}
		for _, o := range ours.Operations {
			if !o.OK {
				failures++
			}
			if o.Ended-o.Began > 15*time.Second {
				late++
			}
		}
	}
	t.Logf("%d attempts, %d of them again, %d rejected; %d operations failed, %d took long", attempts, retries, rejections, failures, late)
	if attempts < 1500 || retries < 150 || failures < 200 || late < 50 {
		t.Error("too little has happened to mean anything")
	}
}

func (l *life) sort() {
	slices.SortFunc(l.Attempts, func(a, b attempted) int { return int(a.Arrival - b.Arrival) })
	slices.SortFunc(l.Operations, func(a, b wanted) int { return int(a.Began - b.Began) })
}

// firstDifference returns the first index at which two lists differ.
func firstDifference[T comparable](a, b []T) (int, bool) {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i, false
		}
	}
	return 0, true
}

// at returns an element of a list, or nothing.
func at[T any](list []T, i int) any {
	if i < len(list) {
		return list[i]
	}
	return "none"
}

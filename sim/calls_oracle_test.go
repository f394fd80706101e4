package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim/balance"
	"github.com/apfsim/apfsim/sim/gateway"
	"github.com/apfsim/apfsim/workload"
)

// TestDeadlocksAgainstAllSetsOfLevels compares what the graph finds, after each event of a world
// with calls, with the definition: of all sets of levels, those in which nothing can move. They
// are found by looking at all requests, with none of the numbers that the graph keeps.
func TestDeadlocksAgainstAllSetsOfLevels(t *testing.T) {
	found, near := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawCalls(t)
		o := &stuckCounter{}
		w, err := newWorld(cfg, 0, o)
		if err != nil {
			t.Fatal(err)
		}
		w.begin()
		for n := 0; n < 1500 && !w.over(); n++ {
			e := w.queue.pop()
			if e.at >= cfg.Duration {
				break
			}
			w.step(e)
			got, want := slices.Clone(w.graph.stuck), w.stuckByDefinition()
			slices.SortFunc(got, levelRef.compare)
			if !slices.Equal(got, want) {
				t.Fatalf("at %v the levels %v are said to be stuck, and %v are", w.now, got, want)
			}
			w.checkDeadlocks(t)
			if invariants {
				w.check()
			}
			if len(want) > 0 {
				found++
			} else if w.graph.busy {
				near++
			}
		}
		w.endDeadlocks()
		o.check(t)
	})
	if found == 0 || near == 0 {
		t.Errorf("%d states with deadlocks and %d without, though calls waited: the test says nothing", found, near)
	}
}

// stuckCounter holds that each deadlock is told twice, or once if it lasts.
type stuckCounter struct {
	Silent
	told  []int
	ended []time.Duration
}

func (o *stuckCounter) Stuck(now time.Duration, d *Deadlock) {
	if d.Number == len(o.told) {
		o.told, o.ended = append(o.told, 0), append(o.ended, -1)
	}
	o.told[d.Number]++
	o.ended[d.Number] = d.Ended
	if d.Since > now || d.Ended > now || d.Requests < 1 || d.Seats < 1 || len(d.Cycle) == 0 || d.Failed > d.Requests {
		panic(fmt.Sprintf("%v: %+v", now, d))
	}
	for i, l := range d.Cycle {
		if next := d.Cycle[(i+1)%len(d.Cycle)]; l.Requests < 1 || l.Seats < 1 || l.Called.Level != next.Caller.Level || l.Called.Server != next.Caller.Server {
			panic(fmt.Sprintf("the cycle is broken at %d: %+v", i, d.Cycle))
		}
	}
}

func (o *stuckCounter) check(t *rapid.T) {
	for i, n := range o.told {
		if n != 2 {
			t.Fatalf("deadlock %d was told %d times", i, n)
		}
	}
}

// checkDeadlocks holds that the deadlocks that last have exactly the levels that are stuck, each
// level one.
func (w *World) checkDeadlocks(t *rapid.T) {
	lasting := map[int32]bool{}
	for _, d := range w.graph.deadlocks {
		if d.Ended < 0 {
			lasting[int32(d.Number)] = true
		}
	}
	have := map[int32]bool{}
	for _, ref := range w.graph.stuck {
		number := w.graph.at(ref).deadlock
		if !lasting[number] {
			t.Fatalf("at %v level %v belongs to deadlock %d, which is over", w.now, ref, number)
		}
		have[number] = true
	}
	if len(have) != len(lasting) {
		t.Fatalf("at %v %d deadlocks last, and %d have levels", w.now, len(lasting), len(have))
	}
}

// stuckByDefinition returns the union of all sets of levels in which nothing can move.
func (w *World) stuckByDefinition() []levelRef {
	var all, union []levelRef
	for server := range w.servers {
		for level := range w.servers[server].apf.Levels() {
			all = append(all, levelRef{int32(server), int32(level)})
		}
	}
	for set := 1; set < 1<<len(all); set++ {
		in := func(ref levelRef) bool { return set>>slices.Index(all, ref)&1 != 0 }
		if w.nothingMoves(all, in) {
			for _, ref := range all {
				if in(ref) && !slices.Contains(union, ref) {
					union = append(union, ref)
				}
			}
		}
	}
	slices.SortFunc(union, levelRef.compare)
	return union
}

// nothingMoves is the definition of a deadlock, word by word.
func (w *World) nothingMoves(all []levelRef, in func(levelRef) bool) bool {
	for _, ref := range all {
		if in(ref) && (!w.heldByCallers(ref, in) || !w.callsWaitAt(ref)) {
			return false
		}
	}
	return true
}

// heldByCallers tells whether some seats of a level are taken, and all of them by requests that
// wait for calls which wait at a level of the set.
func (w *World) heldByCallers(ref levelRef, in func(levelRef) bool) bool {
	seats := 0
	for slot := range w.slots {
		r := &w.slots[slot]
		holds := (r.state == stateExecuting || r.state == stateLingering) && levelRef{r.Server, r.Level} == ref && r.id != ^scheduler.ID(0)
		if !holds {
			continue
		}
		if r.state == stateLingering || !w.waitsInVain(int32(slot), in) {
			return false
		}
		seats += r.Estimate.Width()
	}
	return seats > 0
}

// waitsInVain tells whether an executing request waits for a call that does not get on.
func (w *World) waitsInVain(slot int32, in func(levelRef) bool) bool {
	for i := range w.operations {
		o := &w.operations[i]
		if o.caller == none || o.withdrawn || w.callings[o.caller].slot != slot {
			continue
		}
		where, width, waits := w.waitsAt(int32(i))
		switch {
		case waits && in(where) && (width == 0 || !w.roomAt(where, width)):
			return true
		case !waits && o.slot != none && w.slots[o.slot].state == stateExecuting && w.waitsInVain(o.slot, in):
			return true
		}
	}
	return false
}

// waitsAt tells where a call waits: in a queue, or, with its width, after it was rejected.
func (w *World) waitsAt(op int32) (where levelRef, width int, waits bool) {
	o := &w.operations[op]
	if o.slot != none && w.slots[o.slot].state != stateSent {
		r := &w.slots[o.slot]
		return levelRef{r.Server, r.Level}, 0, r.state == stateWaiting
	}
	b := o.blockade
	return b.levelRef, int(b.width), b.kind == retrying // between two attempts, or on its way
}

func (w *World) roomAt(ref levelRef, width int) bool {
	s := w.servers[ref.server].apf.LevelState(int(ref.level))
	return s.SeatsInUse+width <= s.Limit || s.SeatsInUse == 0
}

func (w *World) callsWaitAt(ref levelRef) bool {
	for i := range w.operations {
		if o := &w.operations[i]; o.caller != none && !o.withdrawn {
			if where, _, waits := w.waitsAt(int32(i)); waits && where == ref {
				return true
			}
		}
	}
	return false
}

// drawCalls draws a small world in which everybody calls for everybody.
func drawCalls(t *rapid.T) *Config {
	users := []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "levels")]
	cfg := &Config{
		Servers:  rapid.IntRange(1, 2).Draw(t, "servers"),
		Duration: 90 * time.Second,
		Seed:     rapid.Uint64().Draw(t, "seed"),
	}
	cfg.Scheduler = drawLevels(t, users)
	drawRoutes(t, cfg)
	services := rapid.IntRange(1, 4).Draw(t, "services")
	for i := range services + 3 {
		p := workload.Population{
			Name: fmt.Sprint("p", i), User: rapid.SampledFrom(users).Draw(t, "user"),
			Clients:  rapid.IntRange(1, 3).Draw(t, "clients"),
			Duration: drawDuration(t),
			Requests: []workload.Template{{Verb: "get", Resource: "pods", Namespace: "x", Name: "y", Weight: 1}},
			Deadline: workload.Deadline(rapid.IntRange(0, 2).Draw(t, "deadline")),
		}
		if rapid.Bool().Draw(t, "wide") {
			p.Requests[0] = workload.Template{Verb: "list", Resource: "pods", Namespace: "x", Weight: 1}
		}
		if rapid.Bool().Draw(t, "writes") {
			p.Requests[0] = workload.Template{Verb: "create", Resource: "pods", Namespace: "x", Weight: 1}
		}
		p.Requests[0].Timeout = time.Duration(rapid.SampledFrom([]int{0, 5, 20}).Draw(t, "timeout")) * time.Second
		if rapid.Bool().Draw(t, "retries") {
			p.Retry = workload.Retry{Policy: workload.RetryClientGo, MaxRetries: rapid.IntRange(1, 4).Draw(t, "most")}
		}
		p.Requests[0].Calls = drawCallsOf(t, i, services)
		if p.Called = i < services; !p.Called {
			arrivals := workload.Poisson(rapid.SampledFrom([]float64{0.1, 1, 5}).Draw(t, "rate"))
			p.Open = &arrivals
		}
		cfg.Populations = append(cfg.Populations, p)
	}
	return cfg
}

// drawRoutes draws a balancer, and perhaps a gateway with some latency.
func drawRoutes(t *rapid.T, cfg *Config) {
	if rapid.Bool().Draw(t, "balancer") {
		cfg.Balancer = &balance.Config{
			Policy: balance.Policy(rapid.IntRange(0, 3).Draw(t, "policy")),
			Per:    balance.Scope(rapid.IntRange(0, 1).Draw(t, "per")),
		}
	}
	if rapid.Bool().Draw(t, "gateway") {
		latency, err := workload.Constant(time.Duration(rapid.IntRange(0, 2).Draw(t, "latency")) * 100 * time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Gateway = &gateway.Config{Latency: gateway.Latency{There: latency, Back: latency}}
	}
}

// drawCallsOf draws the calls of a population: services only call for those before them.
func drawCallsOf(t *rapid.T, population, services int) []workload.Call {
	last := min(population, services) - 1
	if last < 0 {
		return nil
	}
	var calls []workload.Call
	for range rapid.IntRange(0, 3).Draw(t, "calls") {
		calls = append(calls, workload.Call{
			Population: fmt.Sprint("p", rapid.IntRange(0, last).Draw(t, "callee")),
			Count:      rapid.IntRange(1, 3).Draw(t, "count"),
			Parallel:   rapid.Bool().Draw(t, "parallel"),
			Ignore:     rapid.Bool().Draw(t, "ignore"),
			Timeout:    time.Duration(rapid.SampledFrom([]int{0, 0, 3, 10}).Draw(t, "call timeout")) * time.Second,
		})
	}
	return calls
}

func drawDuration(t *rapid.T) workload.Distribution {
	d, err := workload.Exponential(rapid.SampledFrom([]time.Duration{10 * time.Millisecond, time.Second, 4 * time.Second}).Draw(t, "duration"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// drawLevels draws a level for each user, with or without queues, some of which lend.
func drawLevels(t *rapid.T, users []string) scheduler.Config {
	rule := scheduler.Rule{
		Resources:    []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
		NonResources: []scheduler.NonResourceRule{{Verbs: []string{"*"}, URLs: []string{"*"}}},
	}
	rest := rule
	rest.Subjects = []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "*"}}
	c := scheduler.Config{
		RequestTimeout: time.Minute,
		Objects:        []scheduler.ObjectCount{{Resource: "pods", Count: int64(rapid.SampledFrom([]int{0, 300}).Draw(t, "pods"))}},
		PriorityLevels: []scheduler.PriorityLevel{
			{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
			{Name: scheduler.CatchAll, BorrowingLimitPercent: -1},
		},
		FlowSchemas: []scheduler.FlowSchema{
			{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Rules: []scheduler.Rule{rest}},
		},
	}
	for i, user := range users {
		seats := rapid.IntRange(1, 4).Draw(t, "seats")
		c.Seats += seats
		level := scheduler.PriorityLevel{Name: user, Shares: int32(seats), BorrowingLimitPercent: int32(rapid.SampledFrom([]int{0, 100}).Draw(t, "borrows"))}
		level.LendablePercent = int32(rapid.SampledFrom([]int{0, 50}).Draw(t, "lends"))
		if rapid.Bool().Draw(t, "queues") {
			level.Queuing = &scheduler.Queuing{Queues: 2, HandSize: 1, QueueLengthLimit: int32(rapid.IntRange(1, 5).Draw(t, "length"))}
		}
		mine := rule
		mine.Subjects = []scheduler.SubjectRule{{Kind: scheduler.User, Name: user}}
		c.PriorityLevels = append(c.PriorityLevels, level)
		c.FlowSchemas = append(c.FlowSchemas, scheduler.FlowSchema{Name: user, Precedence: int32(100 + i), PriorityLevel: user, Rules: []scheduler.Rule{mine}, Distinguisher: scheduler.ByUser})
	}
	return c
}

package reports

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
)

// witness is a second, simple-minded way to blame: it keeps every step of every level of every
// server, and goes through the time from step to step.
type witness struct {
	sim.Silent
	world *sim.World
	steps []step
	end   time.Duration
}

// step is a change of who waits or holds seats in a level of a server. A server that has
// stopped has a step without a level.
type step struct {
	at                        time.Duration
	server, level, population int32
	waiting, seats            int
}

func (o *witness) Start(w *sim.World)            { o.world = w }
func (o *witness) End(now time.Duration, _ bool) { o.end = now }
func (o *witness) step(at time.Duration, r *sim.Request, waiting, seats int) {
	if r.Level >= 0 {
		o.steps = append(o.steps, step{at, r.Server, r.Level, r.Population, waiting, seats})
	}
}
func (o *witness) Arrived(now time.Duration, r *sim.Request)  { o.step(now, r, 1, 0) }
func (o *witness) Rejected(now time.Duration, r *sim.Request) { o.step(now, r, -1, 0) }
func (o *witness) Released(now time.Duration, r *sim.Request) { o.step(now, r, 0, -r.Estimate.Width()) }
func (o *witness) Dispatched(now time.Duration, r *sim.Request) {
	o.step(now, r, -1, r.Estimate.Width())
}
func (o *witness) Server(now time.Duration, e sim.ServerEvent, server int32) {
	if e == sim.ServerStopped {
		o.steps = append(o.steps, step{at: now, server: server, level: -1})
	}
}

// whoIs is how many requests of each population wait in a level, and how many seats it has.
type levelOfServer struct{ server, level int32 }
type whoIs struct{ waiting, seats []int }

// blame integrates. The result is by level, waiter and holder, in nanoseconds; holder
// len(populations) is nobody. The times that each waiter waited are integers.
func (o *witness) blame() (on [][][]float64, waited [][]int64) {
	n := len(o.world.Config().Populations)
	levels := len(o.world.Server().Levels())
	on, waited = make([][][]float64, levels), make([][]int64, levels)
	for i := range on {
		on[i], waited[i] = make([][]float64, n), make([]int64, n)
		for p := range n {
			on[i][p] = make([]float64, n+1)
		}
	}
	state := map[levelOfServer]*whoIs{}
	last := o.world.Config().Warmup
	for _, s := range append(o.steps, step{at: o.end, level: -1, server: -1}) {
		for at, c := range state {
			if s.at > last {
				c.blame(on[at.level], waited[at.level], s.at-last)
			}
		}
		last = max(last, s.at)
		for at := range state {
			if s.level < 0 && at.server == s.server {
				delete(state, at)
			}
		}
		if s.level < 0 {
			continue
		}
		at := levelOfServer{s.server, s.level}
		if state[at] == nil {
			state[at] = &whoIs{make([]int, n), make([]int, n)}
		}
		state[at].waiting[s.population] += s.waiting
		state[at].seats[s.population] += s.seats
	}
	return on, waited
}

// blame adds what a state that lasted for a time has to be blamed on.
func (c *whoIs) blame(on [][]float64, waited []int64, d time.Duration) {
	total := 0
	for _, s := range c.seats {
		total += s
	}
	for p, w := range c.waiting {
		waited[p] += int64(w) * int64(d)
		if total == 0 {
			on[p][len(c.seats)] += float64(w) * float64(d)
			continue
		}
		for q, s := range c.seats {
			on[p][q] += float64(w) * float64(d) * float64(s) / float64(total)
		}
	}
}

// witnessed runs a configuration and compares.
func witnessed(t rapid.TB, cfg *sim.Config) *Result {
	o, c := &witness{}, NewCollector()
	summary, err := sim.Run(cfg, 0, Tee(o, c), nil)
	if err != nil {
		t.Fatal(err)
	}
	collected := c.Collected(summary)
	on, waited := o.blame()
	for i := range collected.levels {
		l := &collected.levels[i]
		var all Total
		for p := range l.blamed {
			got := &l.blamed[p]
			all.plus(got.waited)
			if got.waited != (Total{lo: uint64(waited[i][p])}) {
				t.Fatalf("level %d, population %d: waited %v, want %d ns", i, p, got.waited, waited[i][p])
			}
			for q, want := range on[i][p] {
				if have := got.at(q); math.Abs(have-want) > 1e-9*float64(waited[i][p])+1e-3 {
					t.Fatalf("level %d: of population %d %v ns are blamed on %d, want %v", i, p, have, q, want)
				}
			}
		}
		if all != l.waitTime {
			t.Fatalf("level %d: the populations waited for %v, the level says %v", i, all, l.waitTime)
		}
	}
	r := Merge(info(1), []*Collected{collected})
	conserved(t, r)
	return r
}

func (b *blamed) at(holder int) float64 {
	if b.on == nil {
		return 0
	}
	return b.on[holder]
}

// conserved checks that what is blamed on all holders is all that a population waited for.
func conserved(t rapid.TB, r *Result) {
	for _, l := range r.PriorityLevels {
		if l.Blame == nil {
			continue
		}
		for _, w := range l.Blame.Waiters {
			var time, share float64
			for _, h := range w.Holders {
				time, share = time+float64(h.Time), share+float64(h.Share)
			}
			if want := w.Time.float() / 1e9; math.Abs(time-want) > 1e-5*want || math.Abs(share-1) > 1e-5 {
				t.Fatalf("level %s: %s waited for %v s, of which %v s are blamed on holders: %+v", l.Name, w.Population, want, time, w.Holders)
			}
			if !slices.IsSortedFunc(w.Holders, func(a, b Holder) int { return cmp.Compare(b.Time, a.Time) }) {
				t.Fatalf("the holders are not in order: %+v", w.Holders)
			}
		}
	}
}

// Whatever happens to servers, levels and requests, blame is what goes by the steps.
func TestBlameAgainstAWitness(t *testing.T) {
	for name, cfg := range map[string]*sim.Config{
		"a crowd": crowdedConfig(t, 20*time.Second), "several servers": serversConfig(t),
		"seats that are trimmed": trimmingConfig(t), "changes": changingConfig(t),
		"a schema that joins": joiningConfig(t),
	} {
		t.Run(name, func(t *testing.T) {
			r := witnessed(t, cfg)
			work := slices.IndexFunc(r.PriorityLevels, func(l PriorityLevel) bool { return l.Name == "work" })
			if b := r.PriorityLevels[work].Blame; b == nil || len(b.Waiters) < 2 || len(b.Waiters[0].Holders) < 2 {
				t.Errorf("the run shows too little: %+v", b)
			}
		})
	}
	whole := crowdedConfig(t, 12*time.Second)
	rapid.Check(t, func(t *rapid.T) {
		cfg := *whole
		cfg.Seed = rapid.Uint64().Draw(t, "seed")
		cfg.Duration = time.Duration(rapid.Int64Range(1, int64(4*time.Second)).Draw(t, "duration"))
		cfg.Warmup = time.Duration(rapid.Int64Range(0, int64(cfg.Duration)).Draw(t, "warmup"))
		cfg.Scheduler.Seats = rapid.IntRange(1, 40).Draw(t, "seats")
		cfg.Servers = rapid.IntRange(1, 3).Draw(t, "servers")
		stop := time.Duration(rapid.Int64Range(0, int64(cfg.Duration)).Draw(t, "stop"))
		cfg.Operations = []sim.ServerOperation{
			{At: stop, Server: 0, Kind: sim.Stop},
			{At: (stop + cfg.Duration) / 2, Server: 0, Kind: sim.Start},
		}
		cfg.Scheduler.PriorityLevels = slices.Clone(cfg.Scheduler.PriorityLevels)
		work := &cfg.Scheduler.PriorityLevels[3]
		queuing := scheduler.Queuing{Queues: int32(rapid.IntRange(1, 16).Draw(t, "queues")), HandSize: 1, QueueLengthLimit: int32(rapid.IntRange(1, 50).Draw(t, "length"))}
		work.Queuing = &queuing
		witnessed(t, &cfg)
	})
}

// What is blamed in several replications is the sum of what is in each.
func TestBlameAddsUp(t *testing.T) {
	cfg := crowdedConfig(t, 12*time.Second)
	runs := []*Collected{collect(t, cfg, 0), collect(t, cfg, 1)}
	whole := Merge(info(2), runs)
	conserved(t, whole)
	for i := range whole.PriorityLevels {
		if whole.PriorityLevels[i].Blame == nil {
			continue
		}
		held := func(r *Result, waiter, holder string) (sum float64) {
			for _, w := range r.PriorityLevels[i].Blame.Waiters {
				for _, h := range w.Holders {
					if w.Population == waiter && h.Population == holder {
						sum += float64(h.Time)
					}
				}
			}
			return sum
		}
		a, b := Merge(info(1), runs[:1]), Merge(info(1), runs[1:])
		for _, w := range whole.PriorityLevels[i].Blame.Waiters {
			for _, h := range w.Holders {
				want := held(a, w.Population, h.Population) + held(b, w.Population, h.Population)
				if math.Abs(float64(h.Time)-want) > 1e-5*want {
					t.Errorf("%s on %s: %v s, want %v s", w.Population, h.Population, h.Time, want)
				}
			}
		}
	}
}

// Shared queues are counted one by one: for each flow of the waiter, those queues of its hand
// that are in the hand of another flow of the holder.
func TestSharedQueues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var flows []*mergedFlow
		for range rapid.IntRange(0, 8).Draw(t, "flows") {
			f := &mergedFlow{flowRun: flowRun{flowStats: &flowStats{}}}
			f.Hand = rapid.SliceOfNDistinct(rapid.Int32Range(0, 7), 3, 3, rapid.ID[int32]).Draw(t, "hand")
			for _, p := range rapid.SliceOfN(rapid.Int32Range(0, 1), 1, 3).Draw(t, "users") {
				f.users.add(p)
			}
			flows = append(flows, f)
		}
		each := []*hands{handsOf(0, flows), handsOf(1, flows)}
		for waiter := range int32(2) {
			for holder := range int32(2) {
				shared, n, others := 0, 0, 0
				for i, f := range flows {
					if !f.users.has(waiter) {
						continue
					}
					n++
					for _, queue := range f.Hand {
						if slices.ContainsFunc(flows, func(g *mergedFlow) bool {
							return g.users.has(holder) && (waiter != holder || g != flows[i]) && slices.Contains(g.Hand, queue)
						}) {
							shared++
						}
					}
				}
				for _, g := range flows {
					if g.users.has(holder) {
						others++
					}
				}
				got := each[waiter].sharedWith(each[holder])
				if (got == nil) != (n == 0 || others == 0) || got != nil && *got != newNumber(float64(shared)/float64(n)) {
					t.Fatalf("%d and %d: %v, want %d over %d", waiter, holder, got, shared, n)
				}
			}
		}
	})
}

// Jain's index is 1 for equal shares, k/n if k of n have equal shares and the others nothing,
// and always between 1/n and 1, whatever the unit.
func TestJain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "n")
		k := rapid.IntRange(1, n).Draw(t, "k")
		x := rapid.Float64Range(1e-200, 1e200).Draw(t, "x")
		shares := make([]float64, n)
		for i := range k {
			shares[i] = x
		}
		if got, want := jain(shares), float64(k)/float64(n); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%d of %d have %v: %v, want %v", k, n, x, got, want)
		}
		any := rapid.SliceOfN(rapid.Float64Range(0, 1e6), n, n).Draw(t, "shares")
		if slices.Max(any) == 0 {
			return
		}
		if got := jain(any); got <= 0 || got > 1 || got < 1/float64(n)-1e-12 {
			t.Fatalf("%v: %v", any, got)
		}
	})
}

// The fairness of a level is over what its flows got of what they were due: as much as they
// asked for while it was little, and a fair share where it was not.
func TestFairness(t *testing.T) {
	for name, c := range map[string]struct {
		parts []float64
		want  float64 // 0 for none
	}{
		"all have what they are due":  {[]float64{1, 1, 1}, 1},
		"all have half":               {[]float64{0.5, 0.5}, 1},
		"one has all":                 {[]float64{4, 0, 0, 0}, 0.25},
		"one flow":                    {[]float64{1}, 0},
		"nobody has had anything yet": {[]float64{0, 0}, 0},
	} {
		if got, ok := evenness(c.parts); got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	r := Merge(info(1), []*Collected{collect(t, crowdedConfig(t, 20*time.Second), 0)})
	work := slices.IndexFunc(r.PriorityLevels, func(l PriorityLevel) bool { return l.Name == "work" })
	if f := r.PriorityLevels[work].Fairness; f == nil || f.Flows != 33 || f.Jain <= 0.9 || f.Jain >= 1 {
		t.Errorf("work: %+v", f)
	}

	// Of two replications it is the mean.
	one, two := collect(t, crowdedConfig(t, 20*time.Second), 0), collect(t, crowdedConfig(t, 20*time.Second), 1)
	index := func(runs ...*Collected) float64 {
		return float64(Merge(info(len(runs)), runs).PriorityLevels[work].Fairness.Jain)
	}
	if both, mean := index(one, two), (index(one)+index(two))/2; math.Abs(both-mean) > 1e-6 || index(one) == index(two) {
		t.Errorf("both: %v, and the mean of %v and %v", both, index(one), index(two))
	}
}

package reports

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// ledger is a second, simple-minded collector: it keeps all requests and all states of
// all levels, as the server tells them, and computes from those.
type ledger struct {
	sim.Silent
	world    *sim.World
	requests map[int64]sim.Request
	// cut tells which requests went with a server, refusals which attempts reached none.
	cut      map[int64]bool
	cutAt    map[int64]time.Duration
	refusals []refusal
	wishes   []wish
	states   [][]stateAt // by level
	retries  []int64
	renewed  []int64
	end      time.Duration
}

// stateAt is the state of a level from a moment on.
type stateAt struct {
	at time.Duration
	fairqueue.State
	longest int
}

// refusal is an attempt that has reached no server, wish an operation at its end.
type refusal struct {
	sim.Request
	why sim.Refusal
}

type wish struct {
	sim.Operation
	at time.Duration
}

func (l *ledger) Start(w *sim.World) {
	l.world = w
	l.requests, l.cut, l.cutAt = map[int64]sim.Request{}, map[int64]bool{}, map[int64]time.Duration{}
	l.states = make([][]stateAt, len(w.Server().Levels()))
	l.retries = make([]int64, len(w.Config().Populations))
	l.renewed = make([]int64, len(w.Config().Populations))
}

func (l *ledger) see(now time.Duration, r *sim.Request) {
	l.requests[r.ID] = *r
	l.look(now)
}

// look notes the state of all levels, over all servers that are there. Several looks at one
// moment leave the last.
func (l *ledger) look(now time.Duration) {
	for i := range l.world.Server().Levels() {
		if i == len(l.states) {
			l.states = append(l.states, nil)
		}
		s := stateAt{at: now}
		for number := range int32(l.world.Servers()) {
			server := l.world.ServerAt(number)
			if !l.world.Up(number) || i >= len(server.Levels()) {
				continue
			}
			one := server.LevelState(i)
			s.Limit, s.SeatsInUse, s.Waiting = s.Limit+one.Limit, s.SeatsInUse+one.SeatsInUse, s.Waiting+one.Waiting
			for q := range one.Queues {
				s.longest = max(s.longest, server.QueueState(i, q).Waiting)
			}
		}
		if n := len(l.states[i]); n > 0 && l.states[i][n-1].at == now {
			l.states[i][n-1] = s
		} else {
			l.states[i] = append(l.states[i], s)
		}
	}
}

func (l *ledger) Cut(now time.Duration, r *sim.Request) {
	if r.Finished < 0 {
		l.cut[r.ID], l.cutAt[r.ID] = true, now
	}
	l.see(now, r)
}

func (l *ledger) Refused(_ time.Duration, r *sim.Request, why sim.Refusal) {
	l.refusals = append(l.refusals, refusal{*r, why})
}

func (l *ledger) Concluded(now time.Duration, o *sim.Operation) {
	l.wishes = append(l.wishes, wish{*o, now})
}

func (l *ledger) Server(now time.Duration, _ sim.ServerEvent, _ int32) { l.look(now) }

func (l *ledger) Arrived(now time.Duration, r *sim.Request)    { l.see(now, r) }
func (l *ledger) Dispatched(now time.Duration, r *sim.Request) { l.see(now, r) }
func (l *ledger) Rejected(now time.Duration, r *sim.Request)   { l.see(now, r) }
func (l *ledger) Finished(now time.Duration, r *sim.Request)   { l.see(now, r) }
func (l *ledger) Released(now time.Duration, _ *sim.Request)   { l.look(now) }
func (l *ledger) Adjusted(now time.Duration, _ int32)          { l.look(now) }
func (l *ledger) Reconfigured(now time.Duration, _ int32)      { l.look(now) }
func (l *ledger) End(now time.Duration, _ bool)                { l.end = now }

func (l *ledger) Client(now time.Duration, e sim.ClientEvent, population, _ int32, _ time.Duration) {
	if now < l.world.Config().Warmup {
		return
	}
	switch e {
	case workload.Retried:
		l.retries[population]++
	case workload.LeaseRenewed:
		l.renewed[population]++
	}
}

// count counts what became of the requests that pass.
func (l *ledger) count(pass func(*sim.Request) bool) (out Requests, waits []time.Duration) {
	for _, r := range l.requests {
		if r.Arrival < l.world.Config().Warmup || !pass(&r) {
			continue
		}
		out.Arrivals++
		switch {
		case r.Reason == fairqueue.TimeOut:
			out.Rejected.TimeOut++
			waits = append(waits, r.Wait())
		case r.Reason == fairqueue.QueueFull:
			out.Rejected.QueueFull++
		case r.Reason == fairqueue.ConcurrencyLimit:
			out.Rejected.ConcurrencyLimit++
		case r.Dispatched >= 0:
			out.Executed++
			waits = append(waits, r.Wait())
			switch {
			case l.cut[r.ID]:
				out.Cut.Executing++
			case r.Finished < 0:
				out.Executing++
			default:
				out.Finished++
			}
		case l.cut[r.ID]:
			out.Cut.Waiting++
		default:
			out.Waiting++
		}
	}
	out.Cut.Total = out.Cut.Waiting + out.Cut.Executing
	out.Rejected.Total = out.Rejected.TimeOut + out.Rejected.QueueFull + out.Rejected.ConcurrencyLimit
	return out, waits
}

// occupancy integrates the states of a level.
func (l *ledger) occupancy(level int) Occupancy {
	from := l.world.Config().Warmup
	var seats, waiting, limit float64
	var o Occupancy
	states := l.states[level]
	for i, s := range states {
		until := l.end
		if i+1 < len(states) {
			until = states[i+1].at
		}
		if until <= from {
			continue
		}
		d := float64(until - max(s.at, from))
		seats += float64(s.SeatsInUse) * d
		waiting += float64(s.Waiting) * d
		limit += float64(s.Limit) * d
		o.SeatsUsedPeak = max(o.SeatsUsedPeak, int64(s.SeatsInUse))
		o.WaitingPeak = max(o.WaitingPeak, int64(s.Waiting))
		o.LongestQueue = max(o.LongestQueue, int64(s.longest))
	}
	window := float64(l.end - from)
	o.SeatsUsedAverage, o.WaitingAverage, o.CurrentAverage = Number(seats/window), Number(waiting/window), Number(limit/window)
	return o
}

// ledgered runs a configuration under both collectors.
func ledgered(t *testing.T, cfg *sim.Config) (*ledger, *Result) {
	t.Helper()
	l, c := &ledger{}, NewCollector()
	s, err := sim.Run(cfg, 0, Tee(l, c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return l, Merge(Info{Scenario: "s", KubernetesVersion: "1.37", Replications: 1}, []*Collected{c.Collected(s)})
}

func close6(a, b Number) bool {
	return math.Abs(float64(a-b)) <= 1e-5*math.Abs(float64(b))+1e-12
}

func checkOccupancy(t *testing.T, name string, got *Occupancy, want Occupancy) {
	t.Helper()
	if !close6(got.SeatsUsedAverage, want.SeatsUsedAverage) || !close6(got.WaitingAverage, want.WaitingAverage) ||
		!close6(got.CurrentAverage, want.CurrentAverage) || got.SeatsUsedPeak != want.SeatsUsedPeak ||
		got.WaitingPeak != want.WaitingPeak || got.LongestQueue != want.LongestQueue {
		t.Errorf("%s: occupancy %+v, want %+v", name, *got, want)
	}
}

func checkWait(t *testing.T, name string, got *Wait, waits []time.Duration) {
	t.Helper()
	if len(waits) == 0 {
		if got != nil {
			t.Errorf("%s: %d waits, want none", name, got.Count)
		}
		return
	}
	var sum time.Duration
	for _, w := range waits {
		sum += w
	}
	want := nearest(waits, 0.99)
	if got.Count != int64(len(waits)) || got.Sum != (Total{lo: uint64(sum)}) || got.Max != Duration(slices.Max(waits)) ||
		time.Duration(got.P99) < want || float64(time.Duration(got.P99)-want) > 1e-3*float64(want) {
		t.Errorf("%s: %+v, want %d waits with sum %v and p99 %v", name, *got, len(waits), sum, want)
	}
}

func TestCollectorAgainstTheLedger(t *testing.T) {
	l, r := ledgered(t, crowdedConfig(t, 32*time.Second))
	if r.Server.Requests.Rejected.TimeOut+r.Server.Requests.Rejected.QueueFull == 0 || r.Server.Requests.Waiting == 0 {
		t.Fatal("the run shows too little")
	}
	for i, level := range r.PriorityLevels {
		want, waits := l.count(func(q *sim.Request) bool { return int(q.Level) == i })
		if level.Requests != want {
			t.Errorf("level %s: %+v, want %+v", level.Name, level.Requests, want)
		}
		if !level.Exempt {
			checkWait(t, level.Name, level.Wait, waits)
		}
		checkOccupancy(t, level.Name, level.Occupancy, l.occupancy(i))
	}
	for i, p := range r.Populations {
		want, waits := l.count(func(q *sim.Request) bool { return int(q.Population) == i })
		if p.Requests != want || p.Retries != l.retries[i] || p.LeasesRenewed != l.renewed[i] {
			t.Errorf("population %s: %+v, want %+v, %d retries, %d leases renewed", p.Name, p, want, l.retries[i], l.renewed[i])
		}
		checkWait(t, p.Name, p.Wait, waits)
	}
	for _, f := range r.Flows.Listed {
		want, _ := l.count(func(q *sim.Request) bool {
			return q.Flow >= 0 && l.world.Server().Flow(q.Flow).Distinguisher == f.Distinguisher && q.Schema == l.schema(f.FlowSchema)
		})
		if f.Requests != want {
			t.Errorf("flow %s: %+v, want %+v", f.Distinguisher, f.Requests, want)
		}
	}
}

func (l *ledger) schema(name string) int32 {
	return int32(slices.Index(l.world.Server().Schemas(), name))
}

// Watched objects give writes more final seats than the level's limit, which the server
// trims at the dispatch. The seats of the estimates would add up to more than are in use.
func TestCollectorFollowsTrimmedSeats(t *testing.T) {
	l, r := ledgered(t, trimmingConfig(t))
	trimmed := false
	for i, level := range r.PriorityLevels {
		checkOccupancy(t, level.Name, level.Occupancy, l.occupancy(i))
		trimmed = trimmed || level.Widths != nil && level.Widths.Max > level.Seats.CurrentLowest
	}
	if !trimmed {
		t.Error("no request was wider than the limit")
	}
}

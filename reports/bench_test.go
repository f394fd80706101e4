package reports

import (
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// call is one call of an Observer.
type call struct {
	kind callKind
	now  time.Duration
	r    sim.Request
}

type callKind uint8

const (
	callArrived callKind = iota
	callDispatched
	callRejected
	callFinished
	callReleased
	callAdjusted
)

// recorder keeps the calls of a run.
type recorder struct {
	sim.Silent
	calls    []call
	requests int
	world    *sim.World
}

func (o *recorder) keep(kind callKind, now time.Duration, r *sim.Request) {
	o.calls = append(o.calls, call{kind, now, *r})
}

func (o *recorder) Start(w *sim.World) { o.world = w }
func (o *recorder) Arrived(now time.Duration, r *sim.Request) {
	o.requests++
	o.keep(callArrived, now, r)
}
func (o *recorder) Dispatched(now time.Duration, r *sim.Request) { o.keep(callDispatched, now, r) }
func (o *recorder) Rejected(now time.Duration, r *sim.Request)   { o.keep(callRejected, now, r) }
func (o *recorder) Finished(now time.Duration, r *sim.Request)   { o.keep(callFinished, now, r) }
func (o *recorder) Released(now time.Duration, r *sim.Request)   { o.keep(callReleased, now, r) }
func (o *recorder) Adjusted(now time.Duration, _ int32)          { o.keep(callAdjusted, now, &sim.Request{}) }
func (o *recorder) Reconfigured(time.Duration, int32)            { panic("the run has no changes") }

// complete leaves out the requests that were still present at the end, so that the run can
// be repeated as if it went on.
func (o *recorder) complete() {
	settled := map[int64]bool{}
	for i := range o.calls {
		if c := &o.calls[i]; c.kind == callRejected || c.kind == callReleased {
			settled[c.r.ID] = true
		}
	}
	o.calls = slices.DeleteFunc(o.calls, func(c call) bool { return c.kind != callAdjusted && !settled[c.r.ID] })
	// Renumber, as ids are dense.
	ids := map[int64]int64{}
	for i := range o.calls {
		c := &o.calls[i]
		if c.kind == callArrived {
			ids[c.r.ID] = int64(len(ids))
		}
		c.r.ID = ids[c.r.ID]
	}
	o.requests = len(ids)
}

// replay makes the calls again, shifted in time and id.
func replay(o sim.Observer, calls []call, shift time.Duration, ids int64) {
	var r sim.Request
	for i := range calls {
		c := &calls[i]
		r = c.r
		r.ID += ids
		r.Arrival += shift
		now := c.now + shift
		switch c.kind {
		case callArrived:
			o.Arrived(now, &r)
		case callDispatched:
			o.Dispatched(now, &r)
		case callRejected:
			o.Rejected(now, &r)
		case callFinished:
			o.Finished(now, &r)
		case callReleased:
			o.Released(now, &r)
		case callAdjusted:
			o.Adjusted(now, 0)
		}
	}
}

// benchmarkObserver measures an observer on the calls of a run in which most requests
// wait and many are rejected, against the real server. One operation is one pass over the
// run. The first passes, in which histograms and flows are new, are not measured.
func benchmarkObserver(b *testing.B, make func() sim.Observer) {
	const span = 30 * time.Second
	cfg := crowdedConfig(b, span)
	cfg.Warmup = 0
	var run recorder
	if _, err := sim.Run(cfg, 0, &run, nil); err != nil {
		b.Fatal(err)
	}
	run.complete()
	o := make()
	o.Start(run.world)
	pass := int64(0)
	again := func() {
		replay(o, run.calls, time.Duration(pass)*span, pass*int64(run.requests))
		pass++
	}
	for range 4 {
		again()
	}
	b.ReportAllocs()
	for b.Loop() {
		again()
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(run.requests), "ns/request")
}

// BenchmarkReplay is what the replay itself costs.
func BenchmarkReplay(b *testing.B) {
	benchmarkObserver(b, func() sim.Observer { return sim.Silent{} })
}

func BenchmarkCollector(b *testing.B) {
	benchmarkObserver(b, func() sim.Observer { return NewCollector() })
}

func BenchmarkDecisionLog(b *testing.B) {
	benchmarkObserver(b, func() sim.Observer { return NewDecisionLog(io.Discard) })
}

// BenchmarkRun is the whole simulator in processor time per request: silent, and with a
// collector, of the first replication and of another one. They take turns, so that what else
// goes on concerns all of them, and each is told as it is undisturbed. Eighty rounds of that still
// differ by a tenth on a busy machine. Garbage is collected between the runs and not in them: where it would be is
// chance in runs so short. Memory that is there and never touched keeps the runtime from giving back to the
// system what one run has freed while the next one is measured, of which the largest would then have to ask
// for it again. x-first and x-other are how many times as long as the silent
// run of the same replication a collected one takes.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(testing.TB, time.Duration) *sim.Config
	}{
		{"crowded", crowdedConfig},
		{"elephants", elephantsConfig},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := c.make(b, 30*time.Second)
			defer debug.SetGCPercent(debug.SetGCPercent(-1))
			idle := make([]byte, 256<<20)
			defer runtime.KeepAlive(idle)
			one := func(replication int, o sim.Observer) float64 {
				runtime.GC()
				start := processorTime(b)
				s, err := sim.Run(cfg, replication, o, nil)
				if err != nil {
					b.Fatal(err)
				}
				return float64(processorTime(b)-start) / float64(s.Requests)
			}
			var silent, collected [2][]float64
			for b.Loop() {
				for replication := range 2 {
					silent[replication] = append(silent[replication], one(replication, sim.Silent{}))
					collected[replication] = append(collected[replication], one(replication, NewCollector()))
				}
			}
			b.ReportMetric(0, "ns/op")
			for replication, name := range []string{"first", "other"} {
				bare, all := undisturbed(silent[replication]), undisturbed(collected[replication])
				b.ReportMetric(bare, "silent-"+name+"-ns")
				b.ReportMetric(all, name+"-ns")
				b.ReportMetric(all/bare, "x-"+name)
			}
		})
	}
}

// undisturbed returns the time that a tenth of a list does not exceed. It sorts the list. On a busy
// machine most of the others were interrupted, and had to fill the caches anew: their times and the
// quotients of these differ by half from one measurement to the next.
func undisturbed(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/10]
}

// elephantsConfig is traffic like that of elephants and mice: four flows that send a hundred times as
// much as each of sixty others, and ask for ten seats now and then.
func elephantsConfig(t testing.TB, duration time.Duration) *sim.Config {
	t.Helper()
	cfg := crowdedConfig(t, duration)
	cfg.Scheduler.Seats = 368
	work := &cfg.Scheduler.PriorityLevels[3]
	work.Queuing = &scheduler.Queuing{Queues: 128, HandSize: 6, QueueLengthLimit: 50}
	cfg.Scheduler.Objects = []scheduler.ObjectCount{{Resource: "pods", Count: 50_000, AverageBytes: 4_000}}
	elephants, mice := &cfg.Populations[0], &cfg.Populations[1]
	arrivals := workload.Poisson(200)
	elephants.Clients, elephants.Open, mice.Clients = 4, &arrivals, 60
	elephants.Requests = []workload.Template{
		{Verb: "get", Resource: "pods", Namespace: "default", Name: "x", Weight: 9},
		{Verb: "list", Resource: "pods", Weight: 1},
	}
	var err error
	if elephants.Duration, err = workload.Exponential(300 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func BenchmarkMerge(b *testing.B) {
	cfg := crowdedConfig(b, 30*time.Second)
	runs := []*Collected{collect(b, cfg, 0), collect(b, cfg, 1), collect(b, cfg, 2), collect(b, cfg, 3), collect(b, cfg, 4)}
	b.ReportAllocs()
	for b.Loop() {
		Merge(Info{Scenario: "bench", KubernetesVersion: "1.37", Replications: len(runs)}, runs)
	}
}

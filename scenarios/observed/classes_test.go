package observed

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload/recording"
)

// lister is a cell of requests of one seat, and of LISTs of 10 seats, a tenth of them.
func lister() *source {
	t := &total{}
	t.Arrivals, t.Executed = 1000, 1000
	t.Width = &recording.ObservedHistogram{Bounds: []float64{1, 8, 16}, Counts: []int64{900, 0, 100, 0}, Sum: 900 + 1000}
	t.Execution = &recording.ObservedHistogram{Bounds: []float64{0.01, 1, 5}, Counts: []int64{900, 0, 100, 0}, Sum: 900*0.005 + 100*3}
	src := &source{total: t, level: &scheduler.PriorityLevel{}, sender: sender{verbs: []string{"get", "list"}}, canList: true}
	src.duration = quantilePoints(t.Execution)
	return src
}

// TestClasses holds that the wide requests get the long times.
func TestClasses(t *testing.T) {
	src := lister()
	if got := src.classes(false, false); len(got) != 1 || got[0].share != 1 {
		t.Errorf("%+v", got)
	}
	got := src.classes(true, false)
	if len(got) != 2 || !got[1].heavy || math.Abs(got[1].share-0.1) > 1e-9 {
		t.Fatalf("%+v", got)
	}
	if r := got[1].requests[0]; r.seats != 10 || r.verb != "list" {
		t.Errorf("%+v", r)
	}
	if short, long := got[0].duration, got[1].duration; short[len(short)-1].value > 0.011 || quantile(long, 0.01) < 1 {
		t.Errorf("%v and %v", short, long)
	}
	// Those that were there before take the long times as well as those that came.
	src.start = started{wide: 100, seats: 10}
	if got := src.classes(true, true); quantile(got[1].duration, 0.01) > 0.011 {
		t.Errorf("a half of the wide ones is short: %v", got[1].duration)
	}
	// All of one width are divided where the times have a gap.
	src.total.Width = nil
	if got := src.classes(true, false); len(got) != 2 || math.Abs(got[0].share-0.9) > 1e-9 || got[1].requests[0].seats != 0 {
		t.Errorf("%+v", got)
	}
}

// TestCut holds that the parts of a distribution are the distribution.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points, p, v := []quantilePoint{{0, 0}}, 0.0, 0.0
		for range rapid.IntRange(0, 5).Draw(t, "points") {
			p += (1 - p) * rapid.Float64Range(0.1, 0.9).Draw(t, "p")
			v += rapid.Float64Range(0, 3).Draw(t, "v")
			points = append(points, quantilePoint{p, v})
		}
		points = append(points, quantilePoint{1, v + 1})
		at := rapid.Float64Range(0.01, 0.99).Draw(t, "at")
		low, high := cut(points, 0, at), cut(points, at, 1)
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		want := quantile(points, q)
		got := quantile(low, q/at)
		if q > at {
			got = quantile(high, (q-at)/(1-at))
		}
		if math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v cut at %v has %v at %v, want %v", points, at, got, q, want)
		}
	})
}

func TestShortTimeout(t *testing.T) {
	c := &total{}
	c.Rejected = map[string]int64{"time-out": 90}
	c.Wait = &recording.ObservedHistogram{Bounds: []float64{0, 1, 2, 15}, Counts: []int64{10, 0, 100, 0, 0}, Sum: 100 * 1.26}
	if got := shortTimeout(c); got != 1.25 {
		t.Errorf("%v", got)
	}
	c.Wait.Counts[3], c.Wait.Sum = 1, c.Wait.Sum+15 // some wait as long as the server lets them
	if got := shortTimeout(c); got != 0 {
		t.Errorf("%v", got)
	}
}

// TestStarted divides those who are there by the gauges of seats.
func TestStarted(t *testing.T) {
	src := lister()
	src.total.FlowSchema, src.total.PriorityLevel = "s", "l"
	c := &cellCounts{inqueue: 30, waitingSeats: 120, executing: 10, seats: 10}
	o := &Observation{first: []*snapshot{{cells: map[cell]*cellCounts{{"l", "s"}: c}}}}
	if got := o.started(src); got != (started{narrow: 30, wide: 10, seats: 10}) {
		t.Errorf("%+v", got)
	}
	c.waitingSeats = math.NaN() // releases up to 1.28.4 do not tell
	if got := o.started(src); got != (started{narrow: 40, seats: 1}) {
		t.Errorf("%+v", got)
	}
}

// TestUnended holds that what hangs is among the execution times.
func TestUnended(t *testing.T) {
	src := lister()
	src.total.FlowSchema, src.total.PriorityLevel = "s", "l"
	o := &Observation{
		first: []*snapshot{{}},
		last:  []*snapshot{{cells: map[cell]*cellCounts{{"l", "s"}: {executing: 55}}}},
	}
	f := &Fitted{Duration: time.Minute, spans: []span{{0, recording.Moment(time.Minute)}}}
	src.unended(o, f)
	if got := src.duration[len(src.duration)-1]; got.value != 60 || quantile(src.duration, 0.94) > 6 {
		t.Errorf("%v", src.duration)
	}
}

// TestEven holds that flows and requests of each make the number, nearly.
func TestEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number, flows := rapid.IntRange(1, 100000).Draw(t, "number"), rapid.IntRange(1, 300).Draw(t, "flows")
		n, b := even(number, flows)
		if n < 1 || float64(n) > 1.15*float64(flows)+1 || math.Abs(float64(n*b.count-number)) > float64(flows)/2+1 {
			t.Fatalf("%d of %d flows: %d of %d", number, flows, b.count, n)
		}
	})
}

// TestWithin holds that the mean of a bucket is where it has to be.
func TestWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(0, 1).Draw(t, "at")
		from, half, until := within(2, 4, at)
		if mean := (from + 2*half + until) / 4; math.Abs(mean-2-2*at) > 1e-9 || from < 2 || half < from || until < half || until > 4+1e-9 {
			t.Fatalf("%v, %v, %v for %v", from, half, until, at)
		}
	})
}

// TestTrial holds that the settings that are chosen are those of the nearest run: here one with a third of
// the flows, whose rejections are those that were seen.
func TestTrial(t *testing.T) {
	src := lister()
	src.total.FlowSchema, src.total.PriorityLevel = "s", "l"
	src.level.Name, src.sender.many = "l", true
	src.total.Rejected, src.total.perInterval = map[string]int64{"queue-full": 100}, []int64{1000}
	seen := func(rejected int64) *Observation {
		c := recording.ObservedCell{FlowSchema: "s", PriorityLevel: "l", Arrivals: 1000, Rejected: map[string]int64{"queue-full": rejected}}
		v := recording.ObservedInterval{Until: recording.Moment(time.Minute), Cells: []recording.ObservedCell{c}}
		return &Observation{Observed: recording.Observed{Servers: []recording.ObservedServer{{Intervals: []recording.ObservedInterval{v}}}}}
	}
	f := &Fitted{Duration: time.Minute, spans: []span{{0, recording.Moment(time.Minute)}}, sources: []*source{src}}
	f.build()
	trial := f.NewTrial(seen(100))
	runs := 0
	for trial.Next() {
		runs++
		trial.Judge(seen(int64(f.Populations[0].Flows) * 25))
	}
	trial.Choose()
	if got := f.Populations[0].Flows; got != 4 || runs > 20 {
		t.Errorf("%d flows after %d runs", got, runs)
	}
}

package sim_test

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// traced is a population that sends a trace of these lines.
func traced(t testing.TB, lines ...string) workload.Population {
	t.Helper()
	trace, faults := workload.OpenTrace("trace.jsonl", func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(strings.Join(lines, "\n"))), nil
	})
	if len(faults) > 0 {
		t.Fatal(faults[0].Error())
	}
	return workload.Population{Name: "recorded", Trace: trace}
}

// line is a request for pods that executes for 4 s.
func line(at time.Duration, verb, rest string) string {
	return fmt.Sprintf(`{"arrival":"%v","duration":"4s","user":"u","verb":%q,"resource":"pods"%s}`, at, verb, rest)
}

// estimates is an observer that writes down the estimates of all attempts in order.
type estimates struct {
	sim.Silent
	all []fairqueue.Estimate
	ids []int64
}

func (e *estimates) Arrived(_ time.Duration, r *sim.Request) {
	e.all, e.ids = append(e.all, r.Estimate), append(e.ids, r.ID)
}

// hundredPods is a server that stores 100 pods of 4,000 bytes.
func hundredPods(server scheduler.Config) scheduler.Config {
	server.Objects = []scheduler.ObjectCount{{Resource: "pods", Count: 100, AverageBytes: 4000}}
	return server
}

// page are the options of a list that has to be read from storage. With a selector, half of
// all pods are read for it.
const page = `,"limit":10,"resourceVersionMatch":"Exact"`

// TestTracedSelectorsDecideTheWidth has lines upside down, so that all but the last are
// held by the reader, and each selector twice.
func TestTracedSelectorsDecideTheWidth(t *testing.T) {
	cases := []struct {
		options string
		seats   int
	}{
		{``, 4},
		{`,"fieldSelector":"status.phase=Running"`, 4},
		{`,"fieldSelector":"metadata.name=x"`, 1},
		{`,"fieldSelector":"metadata.name=x","labelSelector":"app in (a)"`, 1},
		{`,"fieldSelector":"metadata.name=x","labelSelector":"app in (a"`, 4}, // forgets the name
		{`,"name":"x","fieldSelector":"status.phase=Running"`, 1},
		{page, 1},
		{page + `,"fieldSelector":"status.phase=Running"`, 2},
		{page + `,"labelSelector":"app=x"`, 2},
		{page + `,"labelSelector":"app in (x"`, 2},
		{page + `,"fieldSelector":"metadata.name=x"`, 1},
	}
	var lines []string
	var want []int
	for i, c := range slices.Concat(cases, cases) {
		lines = append(lines, line(time.Duration(100-i)*time.Second, "list", c.options))
		want = append(want, c.seats)
	}
	slices.Reverse(want)
	var got estimates
	cfg := &sim.Config{Scheduler: hundredPods(oneLevel()), Populations: []workload.Population{traced(t, lines...)}}
	if _, err := sim.Run(cfg, 0, &got, nil); err != nil {
		t.Fatal(err)
	}
	for i, e := range got.all {
		if e.InitialSeats != want[i] {
			t.Errorf("line %d, %s: %d seats, want %d", got.ids[i], lines[got.ids[i]], e.InitialSeats, want[i])
		}
	}
	if len(got.all) != len(want) {
		t.Errorf("%d requests, want %d", len(got.all), len(want))
	}
}

// watchLines are ten watches at a time.
func watchLines(at time.Duration, rest string) []string {
	return slices.Repeat([]string{line(at, "watch", `,"resourceVersion":"7"`+rest)}, 10)
}

// TestTracedSelectorsDecideWhatIsWatched sees by the width of a write whether ten watches
// count for it.
func TestTracedSelectorsDecideWhatIsWatched(t *testing.T) {
	for _, c := range []struct {
		options  string
		x, other int
	}{
		{``, 1, 1},
		{`,"fieldSelector":"status.phase=Running"`, 1, 1},
		{`,"fieldSelector":"metadata.name=x"`, 1, 0},
		{`,"fieldSelector":"metadata.name=x","labelSelector":"a b"`, 1, 1},
		{`,"name":"x","fieldSelector":"metadata.name=y"`, 1, 0},
		{`,"fieldSelector":"spec.nodeName=n"`, 0, 0},
		{`,"fieldSelector":"spec.nodeName=n","labelSelector":"a b"`, 1, 1},
		{`,"fieldSelector":"spec.nodeName=n,metadata.name=x"`, 0, 0},
	} {
		writes := []string{line(2*time.Second, "update", `,"name":"x"`), line(2*time.Second, "update", `,"name":"y"`),
			line(9*time.Second, "update", `,"name":"x"`)} // when the watches have begun, and are forgotten
		lines := append(watchLines(time.Second, c.options), writes...)
		var got estimates
		cfg := &sim.Config{Scheduler: hundredPods(oneLevel()), Populations: []workload.Population{traced(t, lines...)}}
		if _, err := sim.Run(cfg, 0, &got, nil); err != nil {
			t.Fatal(err)
		}
		var final []int
		for _, e := range got.all[10:] {
			final = append(final, e.FinalSeats)
		}
		if want := []int{c.x, c.other, 0}; !slices.Equal(final, want) {
			t.Errorf("watches with %s: the writes have %v final seats, want %v", c.options, final, want)
		}
	}
}

// TestATracedRequestIsSentAgainWithItsSelector rejects ten watches of an object, a list of
// it and a page at first. A second later they are what they were.
func TestATracedRequestIsSentAgainWithItsSelector(t *testing.T) {
	const named = `,"fieldSelector":"metadata.name=x"`
	lines := slices.Repeat([]string{`{"arrival":"1s","duration":"500ms","user":"u","verb":"get","resource":"pods","name":"a"}`}, 13)
	lines = append(lines, watchLines(1100*time.Millisecond, named)...)
	lines = append(lines, line(1100*time.Millisecond, "list", named),
		line(1100*time.Millisecond, "list", page+`,"labelSelector":"app=x"`),
		line(2500*time.Millisecond, "update", `,"name":"x"`), line(2500*time.Millisecond, "update", `,"name":"y"`))
	p := traced(t, lines...)
	p.Retry = workload.Retry{Policy: workload.RetryClientGo}
	cfg := &sim.Config{Scheduler: hundredPods(smallServer(13, 0)), Populations: []workload.Population{p}, Duration: 3 * time.Second}
	var got estimates
	if _, err := sim.Run(cfg, 0, &got, nil); err != nil {
		t.Fatal(err)
	}
	var wantIDs []int64
	for id := range int64(25) {
		wantIDs = append(wantIDs, id)
	}
	for id := range int64(12) {
		wantIDs = append(wantIDs, 27+id) // after the last line
	}
	wantIDs = append(wantIDs, 25, 26)
	if !slices.Equal(got.ids, wantIDs) {
		t.Fatalf("the ids are %v, want %v", got.ids, wantIDs)
	}
	for i, e := range got.all[:37] {
		want := fairqueue.Estimate{InitialSeats: 1}
		if id := got.ids[i]; id == 24 || id == 38 {
			want.InitialSeats = 2 // the page
		}
		if e != want {
			t.Errorf("request %d has %+v, want %+v", got.ids[i], e, want)
		}
	}
	if x, y := got.all[37], got.all[38]; x.FinalSeats != 1 || y.FinalSeats != 0 {
		t.Errorf("the writes have %+v and %+v; ten watch the first object", x, y)
	}
}

// TestATraceWithSelectorsDoesNotAllocate replays twice as many lines with no more
// allocations: lists of single objects, and watches of what runs on a node.
func TestATraceWithSelectorsDoesNotAllocate(t *testing.T) {
	mallocs := func(n int) uint64 {
		var lines []string
		for i := range n {
			verb, field := "list", "metadata.name"
			if i%2 == 1 {
				verb, field = "watch", "spec.nodeName"
			}
			lines = append(lines, fmt.Sprintf(`{"arrival":"%dms","duration":"1ms","user":"u","verb":%q,"resource":"pods",`+
				`"fieldSelector":"%s=x-%d","labelSelector":"app in (a)"}`, i*2, verb, field, i%100))
		}
		cfg := &sim.Config{Scheduler: hundredPods(oneLevel()), Populations: []workload.Population{traced(t, lines...)}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := sim.Run(cfg, 0, sim.Silent{}, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	once, twice := mallocs(10000), mallocs(20000)
	if twice > once+100 {
		t.Errorf("%d allocations for 10,000 lines, %d for 20,000", once, twice)
	}
}

package reports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// serversConfig is three servers under a crowd, of which one stops and comes back, one joins
// late, and all are down for a while.
func serversConfig(t testing.TB) *sim.Config {
	t.Helper()
	cfg := crowdedConfig(t, 60*time.Second)
	cfg.Servers, cfg.CacheFill = 3, time.Second
	cfg.Scheduler.Seats = 12
	cfg.Operations = []sim.ServerOperation{
		{At: 12 * time.Second, Server: 0, Kind: sim.Stop},
		{At: 17*time.Second + 300*time.Millisecond, Server: 2, Kind: sim.Start},
		{At: 25 * time.Second, Server: 0, Kind: sim.Start},
		{At: 40 * time.Second, Server: 0, Kind: sim.Stop},
		{At: 40 * time.Second, Server: 1, Kind: sim.Stop},
		{At: 40 * time.Second, Server: 2, Kind: sim.Drain},
		{At: 42 * time.Second, Server: 2, Kind: sim.Stop},
		{At: 44 * time.Second, Server: 1, Kind: sim.Start},
		{At: 45 * time.Second, Server: 0, Kind: sim.Start},
	}
	for i := range cfg.Populations {
		if p := &cfg.Populations[i]; p.Behaviour == nil {
			p.Timeout, p.Deadline = 8*time.Second, workload.DeadlineStops
		}
	}
	return cfg
}

func TestCollectorAgainstTheLedgerWithSeveralServers(t *testing.T) {
	l, r := ledgered(t, serversConfig(t))
	if r.Server.Requests.Cut.Waiting == 0 || r.Server.Requests.Cut.Executing == 0 || len(l.refusals) == 0 {
		t.Fatalf("the run shows too little: %+v, %d refusals", r.Server.Requests, len(l.refusals))
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
		checkBacklog(t, level.Name, level.Backlog, l, i)
	}
	for i, s := range r.Servers {
		want, _ := l.count(func(q *sim.Request) bool { return int(q.Server) == i })
		if s.Requests != want {
			t.Errorf("server %d: %+v, want %+v", i, s.Requests, want)
		}
	}
	if got := []int64{r.Servers[0].Stops, r.Servers[1].Stops, r.Servers[2].Stops, r.Servers[0].Starts, r.Servers[2].Starts}; !slices.Equal(got, []int64{2, 1, 1, 2, 1}) {
		t.Errorf("stops and starts: %v", got)
	}
	// Down: 12s-25s and 40s-45s; 40s-44s; 5s-17.3s and 42s to the end at 60s. The warm-up is 5s.
	for i, want := range []time.Duration{18 * time.Second, 4 * time.Second, 30*time.Second + 300*time.Millisecond} {
		if got := r.Servers[i].Down; got != (Total{lo: uint64(want)}) {
			t.Errorf("server %d was down for %v, want %v", i, got.float(), want)
		}
	}
	for _, f := range r.Flows.Listed {
		want, _ := l.count(func(q *sim.Request) bool {
			return q.Flow >= 0 && l.world.ServerAt(q.Server).Flow(q.Flow).Distinguisher == f.Distinguisher && q.Schema == l.schema(f.FlowSchema)
		})
		if f.Requests != want {
			t.Errorf("flow %s: %+v, want %+v", f.Distinguisher, f.Requests, want)
		}
	}
	for i := range r.Populations {
		checkClients(t, l, &r.Populations[i], int32(i))
	}
}

// checkBacklog looks at the largest number of requests in the queues of a level, which no
// client waits to come back to.
func checkBacklog(t *testing.T, name string, got *Backlog, l *ledger, level int) {
	t.Helper()
	if name == "work" {
		return // elephants come again
	}
	peak := int64(0)
	states := l.states[level]
	for i, s := range states {
		if i+1 == len(states) || states[i+1].at > l.world.Config().Warmup {
			peak = max(peak, int64(s.Waiting))
		}
	}
	if (got == nil) != (peak == 0) || got != nil && got.Peak != peak {
		t.Errorf("level %s: backlog %+v, want a peak of %d", name, got, peak)
	}
}

// checkClients recounts the operations and refusals of a population.
func checkClients(t *testing.T, l *ledger, p *Population, population int32) {
	t.Helper()
	warmup := l.world.Config().Warmup
	refused := int64(0)
	for i := range l.refusals {
		if r := &l.refusals[i]; r.Population == population && r.Arrival >= warmup {
			refused++
		}
	}
	if got := p.Refused; (got == nil) != (refused == 0) || got != nil && (got.Total != refused || got.NoServer != refused) {
		t.Errorf("population %s: refused %+v, want %d", p.Name, got, refused)
	}
	var latencies []time.Duration
	ended := map[workload.Status]int64{}
	var attempts, attemptsOfOK int64
	var sum, queued, executing time.Duration
	for i := range l.wishes {
		w := &l.wishes[i]
		if w.Population != population || w.Began < warmup {
			continue
		}
		ended[w.Status]++
		attempts += int64(w.Attempts)
		sum += w.at - w.Began
		queued += w.Queued
		executing += w.Executing
		if w.Status == workload.OK {
			latencies = append(latencies, w.at-w.Began)
			attemptsOfOK += int64(w.Attempts)
		}
	}
	o := p.Operations
	if o == nil {
		t.Fatalf("population %s has no operations", p.Name)
	}
	if o.Succeeded != ended[workload.OK] || o.Failed.TooManyRequests != ended[workload.TooManyRequests] || o.Failed.TimedOut != ended[workload.TimedOut] ||
		o.Failed.Refused != ended[workload.Refused] || o.Failed.Lost != ended[workload.Lost] || o.Attempts != attempts {
		t.Errorf("population %s: %+v, want %v in %d attempts", p.Name, *o, ended, attempts)
	}
	if o.Time.Total != (Total{lo: uint64(sum)}) || o.Time.Queued != (Total{lo: uint64(queued)}) || o.Time.Executing != (Total{lo: uint64(executing)}) {
		t.Errorf("population %s: the times %+v, want %v, of which %v queued and %v executing", p.Name, o.Time, sum, queued, executing)
	}
	if len(latencies) > 0 {
		want := nearest(latencies, 0.99)
		if got := time.Duration(o.Latency.P99); got < want || float64(got-want) > 1e-3*float64(want) {
			t.Errorf("population %s: latency p99 %v, want %v", p.Name, got, want)
		}
		if got, want := *o.AttemptsPerSuccess, newNumber(float64(attemptsOfOK)/float64(len(latencies))); got != want {
			t.Errorf("population %s: %v attempts per success, want %v", p.Name, got, want)
		}
	}
	checkAttempts(t, l, p, population)
}

// checkAttempts holds the parts of each operation against its attempts: nothing takes longer
// than the operation, and what an operation of one attempt says is what the request says.
func checkAttempts(t *testing.T, l *ledger, p *Population, population int32) {
	t.Helper()
	single := map[time.Duration]*wish{}
	for i := range l.wishes {
		w := &l.wishes[i]
		if w.Population != population {
			continue
		}
		if rest := w.at - w.Began - w.Throttled - w.Paused - w.Queued - w.Executing; rest < 0 || rest > 0 && w.Status == workload.OK && w.Attempts == 1 {
			t.Fatalf("population %s: an operation from %v to %v has %v left: %+v", p.Name, w.Began, w.at, rest, w.Operation)
		}
		if w.Attempts == 1 && w.Status == workload.OK {
			single[w.Began] = w
		}
	}
	for _, r := range l.requests {
		if w := single[r.Arrival]; w != nil && r.Population == population && r.Client == w.Client && r.Finished == w.at {
			if w.Queued != r.Wait() || w.Executing != r.Finished-r.Dispatched {
				t.Fatalf("population %s: queued %v and executing %v, but the request says %v and %v", p.Name, w.Queued, w.Executing, r.Wait(), r.Finished-r.Dispatched)
			}
		}
	}
}

// The order in which replications end makes no difference, with several servers either.
func TestMergeOfSeveralServers(t *testing.T) {
	cfg := serversConfig(t)
	runs := []*Collected{collect(t, cfg, 0), collect(t, cfg, 1)}
	want := jsonOf(t, Merge(info(2), runs))
	if got := jsonOf(t, Merge(info(2), []*Collected{runs[1], runs[0]})); got != want {
		t.Error(gocmp.Diff(want, got))
	}
	back, err := ReadJSON(strings.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, back); got != want {
		t.Errorf("read back:\n%s", gocmp.Diff(want, got))
	}
}

// Each request of several servers has its line, in order, with its server and its fate.
func TestDecisionLogOfSeveralServers(t *testing.T) {
	cfg := serversConfig(t)
	var out bytes.Buffer
	l, log := &ledger{}, NewDecisionLog(&out)
	if _, err := sim.Run(cfg, 0, Tee(l, log), nil); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	type line struct {
		ID                             int64
		Server                         *int32
		Outcome, Reason, PriorityLevel string
		Flow                           string
	}
	var lines []line
	for _, text := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var one line
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		lines = append(lines, one)
	}
	if !slices.IsSortedFunc(lines, func(a, b line) int { return cmp.Compare(a.ID, b.ID) }) || len(lines) != len(l.requests)+len(l.refusals) {
		t.Fatalf("%d lines for %d requests and %d refusals", len(lines), len(l.requests), len(l.refusals))
	}
	refused, cut := 0, 0
	for _, one := range lines {
		r, arrived := l.requests[one.ID]
		switch {
		case !arrived:
			refused++
			if one.Outcome != "refused" || one.Reason != "no-server" {
				t.Fatalf("%+v", one)
			}
			continue
		case l.cut[one.ID] != (one.Outcome == "cut"):
			t.Fatalf("%+v of %+v", one, r)
		case one.Outcome == "cut":
			cut++
		}
		if one.Server == nil || *one.Server != r.Server || one.Flow != "" && one.Flow != l.world.ServerAt(r.Server).Flow(r.Flow).Distinguisher {
			t.Fatalf("%+v of %+v", one, r)
		}
	}
	if refused != len(l.refusals) || cut != len(l.cut) || cut == 0 || refused == 0 {
		t.Errorf("%d refused of %d, %d cut of %d", refused, len(l.refusals), cut, len(l.cut))
	}
}

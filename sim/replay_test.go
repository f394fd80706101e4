package sim_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// brief is a line of a request that executes for so long.
func brief(arrival, duration string) string {
	return `{"arrival":"` + arrival + `","duration":"` + duration + `","user":"u","verb":"get","resource":"pods","namespace":"n"}`
}

// TestATraceEndsWithItsLastRequest though the wait limit of a request that had to wait,
// and an adjustment, lie ahead.
func TestATraceEndsWithItsLastRequest(t *testing.T) {
	cfg := &sim.Config{
		Scheduler:   smallServer(1, 5),
		Populations: []workload.Population{traced(t, brief("1s", "1s"), brief("1500ms", "1s"))},
	}
	j, summary := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0", "1.5s arrived 1 attempt 0",
		"2s finished 0", "2s dispatched 1", "3s finished 1",
	)
	if summary.End != 3*time.Second {
		t.Errorf("the run ends at %v, want 3s", summary.End)
	}
}

// TestIdsBesideATrace are in the order of arrival, as lines of a trace and requests of
// clients have to share them.
func TestIdsBesideATrace(t *testing.T) {
	clients := burst(t, 2, 100*time.Millisecond)
	cfg := &sim.Config{
		Scheduler:   smallServer(9, 5),
		Populations: []workload.Population{traced(t, brief("500ms", "1ms"), brief("2s", "1ms")), clients},
		Duration:    3 * time.Second,
	}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"500ms arrived 0 attempt 0", "500ms dispatched 0", "501ms finished 0",
		"1s arrived 1 attempt 0", "1s dispatched 1", "1s arrived 2 attempt 0", "1s dispatched 2",
		"1.1s finished 1", "1.1s finished 2",
		"2s arrived 3 attempt 0", "2s dispatched 3", "2.001s finished 3",
	)
}

// TestATracedRequestIsSentAgain under the number after the last line.
func TestATracedRequestIsSentAgain(t *testing.T) {
	p := traced(t, brief("1s", "500ms"), "", brief("1100ms", "500ms"))
	p.Retry.Policy = workload.RetryClientGo
	cfg := &sim.Config{Scheduler: smallServer(1, 0), Populations: []workload.Population{p}}
	j, _ := run(t, cfg)
	wantLines(t, j,
		"1s arrived 0 attempt 0", "1s dispatched 0",
		"1.1s arrived 2 attempt 0", "1.1s rejected 2 concurrency-limit retry after 1", "1.1s client 0 retries",
		"1.5s finished 0",
		"2.1s arrived 3 attempt 1", "2.1s dispatched 3", "2.6s finished 3",
	)
}

// TestARecordedServerIsKept whatever a balancer would choose, and a request is refused that was
// recorded at a server which is not there.
func TestARecordedServerIsKept(t *testing.T) {
	at := func(arrival, server string) string {
		return strings.TrimSuffix(brief(arrival, "1ms"), "}") + `,"server":` + server + `}`
	}
	cfg := &sim.Config{
		Scheduler: smallServer(10, 0), Servers: 3,
		Populations: []workload.Population{traced(t, at("1s", "2"), at("2s", "1"), at("3s", "2"), at("4s", "2"))},
		Operations:  []sim.ServerOperation{{At: 3500 * time.Millisecond, Server: 2, Kind: sim.Stop}},
		Duration:    5 * time.Second,
	}
	var seen serversSeen
	if _, err := sim.Run(cfg, 0, &seen, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(seen.arrived, seen.refused), "[2 1 2] [2]"; got != want {
		t.Errorf("the servers that requests arrive at, and are refused at: %s, want %s", got, want)
	}
}

// serversSeen keeps the servers of requests.
type serversSeen struct {
	sim.Silent
	arrived, refused []int32
}

func (o *serversSeen) Arrived(_ time.Duration, r *sim.Request) {
	o.arrived = append(o.arrived, r.Server)
}
func (o *serversSeen) Refused(_ time.Duration, r *sim.Request, _ sim.Refusal) {
	o.refused = append(o.refused, r.Server)
}

// TestATraceThatChangedEndsTheRun with an error that says where.
func TestATraceThatChangedEndsTheRun(t *testing.T) {
	text := brief("1s", "1s") + "\n" + brief("2s", "1s")
	trace, faults := workload.OpenTrace("t.jsonl", func() (io.ReadCloser, error) {
		r := strings.NewReader(text)
		text = brief("1s", "1s") + "\nnot a request"
		return io.NopCloser(r), nil
	})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	cfg := &sim.Config{Scheduler: oneLevel(), Populations: []workload.Population{{Name: "t", Trace: trace}}}
	_, err := sim.Run(cfg, 0, sim.Silent{}, nil)
	if err == nil || !strings.Contains(err.Error(), "t.jsonl:2") {
		t.Errorf("got %v, want an error at t.jsonl:2", err)
	}
}

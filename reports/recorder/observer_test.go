package recorder

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/recording"
)

var epoch = time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)

// journal writes what the log of a server is told as lines.
type journal struct {
	server int32
	lines  *[]string
}

func (j journal) Stage(s recording.Stages, q *recording.Request, _ release.Version) {
	line := fmt.Sprintf("%d: %s %s at %v ", j.server, q.User, q.Verb, time.Duration(q.Received-epoch.UnixNano()))
	switch s {
	case recording.StageReceived:
		line += fmt.Sprintf("received, %s, %d seats", q.FlowSchema, q.InitialSeats)
	case recording.StageStarted:
		line += fmt.Sprintf("started after %v, %d", q.Started, q.Code)
	case recording.StageComplete:
		line += fmt.Sprintf("complete after %v, %d, waited %v, executed %v", q.Total, q.Code, q.Waited, q.Execution)
		if q.Left != 0 {
			line += fmt.Sprintf(", left after %v", q.Left)
		}
	}
	*j.lines = append(*j.lines, line)
}

// oneSeat is a server with one seat and one queue, for two requests.
func oneSeat() scheduler.Config {
	everything := []scheduler.Rule{{
		Subjects:  []scheduler.SubjectRule{{Kind: scheduler.Group, Name: "*"}},
		Resources: []scheduler.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}},
	}}
	return scheduler.Config{
		Seats: 1, RequestTimeout: time.Minute, ConsistentReadsFromCache: true,
		PriorityLevels: []scheduler.PriorityLevel{
			{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
			{Name: scheduler.CatchAll, BorrowingLimitPercent: -1},
			{Name: "work", Shares: 95, Queuing: &scheduler.Queuing{Queues: 1, HandSize: 1, QueueLengthLimit: 2}},
		},
		FlowSchemas: []scheduler.FlowSchema{
			{Name: "all", Precedence: 100, PriorityLevel: "work", Rules: everything},
			{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll, Rules: everything},
		},
	}
}

// recorded runs a trace, and returns what the logs of the servers are told.
func recorded(t *testing.T, cfg sim.Config, lines ...string) []string {
	t.Helper()
	text := strings.Join(lines, "\n") + "\n"
	trace, faults := workload.OpenTrace("t", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
	if len(faults) > 0 {
		t.Fatal(faults[0].Error())
	}
	cfg.Scheduler, cfg.Names = oneSeat(), true
	cfg.Populations = []workload.Population{{Name: "recorded", Trace: trace}}
	var told []string
	o := New(epoch, func(server int32) []Log { return []Log{journal{server, &told}} })
	if _, err := sim.Run(&cfg, 0, o, nil); err != nil {
		t.Fatal(err)
	}
	return told
}

// line is a request of a trace. more are further fields.
func line(arrival, user, verb, duration, more string) string {
	return fmt.Sprintf(`{"arrival":%q,"user":%q,"verb":%q,"resource":"pods","namespace":"n","duration":%q%s}`, arrival, user, verb, duration, more)
}

// The stages of requests come at their times, with what is known by then: of one that executes at
// once, one that waits, one whose client gives it up in the queue, and one that finds it full.
func TestStages(t *testing.T) {
	got := recorded(t, sim.Config{},
		line("1s", "ann", "create", "3s", ""),
		line("2s", "bob", "list", "1s", ""),
		line("2500ms", "eve", "get", "1s", `,"name":"x","left":"1s"`),
		line("3s", "dan", "get", "1s", `,"name":"x"`),
	)
	want := []string{
		"0: ann create at 1s received, all, 1 seats",
		"0: bob list at 2s received, all, 1 seats",
		"0: eve get at 2.5s received, all, 1 seats",
		"0: dan get at 3s received, all, 1 seats",
		"0: dan get at 3s complete after 0s, 429, waited 0s, executed 0s",
		"0: eve get at 2.5s complete after 1s, 429, waited 1s, executed 0s, left after 1s",
		"0: ann create at 1s complete after 3s, 201, waited 0s, executed 3s",
		"0: bob list at 2s complete after 3s, 200, waited 2s, executed 1s",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The answer of a watch begins when it is initialised, and is complete when its life is over. What
// flow control lets pass begins at once.
func TestLongRunning(t *testing.T) {
	got := recorded(t, sim.Config{Duration: 10 * time.Second},
		line("1s", "ann", "watch", "10ms", `,"life":"5s"`),
		line("2s", "bob", "create", "1s", `,"name":"x","subresource":"exec"`),
	)
	want := []string{
		"0: ann watch at 1s received, all, 1 seats",
		"0: ann watch at 1s started after 10ms, 200",
		"0: bob create at 2s received, , -1 seats",
		"0: bob create at 2s started after 0s, 101",
		"0: bob create at 2s complete after 1s, 101, waited 0s, executed 1s",
		"0: ann watch at 1s complete after 5s, 200, waited 0s, executed 10ms",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A server that stops records nothing any more of what it had; the others do, each in its own log.
func TestStoppedServer(t *testing.T) {
	cfg := sim.Config{Servers: 2, Duration: 20 * time.Second, Operations: []sim.ServerOperation{{At: 3 * time.Second, Server: 1, Kind: sim.Stop}}}
	got := recorded(t, cfg,
		line("1s", "ann", "watch", "10ms", `,"life":"9s","server":1`),
		line("1s", "bob", "watch", "10ms", `,"life":"9s","server":0`),
		line("2s", "dan", "get", "5s", `,"name":"x","server":1`),
	)
	want := []string{
		"1: ann watch at 1s received, all, 1 seats",
		"0: bob watch at 1s received, all, 1 seats",
		"1: ann watch at 1s started after 10ms, 200",
		"0: bob watch at 1s started after 10ms, 200",
		"1: dan get at 2s received, all, 1 seats",
		"0: bob watch at 1s complete after 9s, 200, waited 0s, executed 10ms",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The codes of answers: what the server gives for a failure of a request is not always what its
// client makes of it.
func TestCodes(t *testing.T) {
	for _, c := range []struct {
		status workload.Status
		verb   string
		want   int
	}{
		{workload.OK, "get", 200},
		{workload.OK, "create", 201},
		{workload.TooManyRequests, "get", 429},
		{workload.Failed, "create", 500},
		{workload.TimedOut, "list", 504},
		{workload.Withdrawn, "list", 504},
		{workload.Expired, "list", 410},
		{workload.Expired, "watch", 200}, // the error is an event
	} {
		if got := code(&sim.Request{Status: c.status}, &recording.Request{Verb: c.verb}); got != c.want {
			t.Errorf("%v of a %s: %d, want %d", c.status, c.verb, got, c.want)
		}
	}
}

package start

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// Pages that do not fit the configuration are told with their places, and what would.
func TestPagesThatDoNotFit(t *testing.T) {
	cfg := &scheduler.Config{
		PriorityLevels: []scheduler.PriorityLevel{{Name: "work", Queuing: &scheduler.Queuing{Queues: 2, HandSize: 1, QueueLengthLimit: 5}}},
		FlowSchemas:    []scheduler.FlowSchema{{Name: "workers", PriorityLevel: "work"}},
	}
	const head = "PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime\n"
	for _, c := range []struct{ page, want string }{
		{head + "wrok, workers, 0, 0, ann, 2026-01-01T00:00:00Z\n", `a:2:1: the configuration has no priority level "wrok" (work) did you mean "work"?`},
		{head + "work, worker, 0, 0, ann, 2026-01-01T00:00:00Z\n", `a:2:1: the configuration has no FlowSchema "worker" (workers) did you mean "workers"?`},
		{head + "work, workers, 2, 0, ann, 2026-01-01T00:00:00Z\n", `a:2:1: queue 2 of work, which has 2 queues (0 to 1) begin with`},
		{head + "work, workers, 1, 0, ann, 2026-01-01T00:00:00Z\nwork, workers, 1, 1, ann, 2025-01-01T00:00:00Z\n", "a:3:1: a request has arrived at 2025-01-01T00:00:00Z"},
		{head + "work, workers, 1, 0, ann, 2026-01-01T00:00:00Z\n", ""},
	} {
		m, faults, _ := dump.Read([]dump.File{{Name: "a", Text: []byte(c.page)}})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		state, faults, account := Of(m, Options{Scheduler: cfg})
		got := ""
		for _, f := range faults {
			got += fmt.Sprintf("%s:%d:%d: %s (%s) %s", f.File, f.Line, f.Column, f.Problem, f.Legal, f.Hint)
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if c.want == "" && (len(state.Servers[0].Levels[0].Requests) != 1 || account.Assumed[AssumedDetails] != 1) {
			t.Errorf("%+v %v", state, account.Assumed)
		}
	}
}

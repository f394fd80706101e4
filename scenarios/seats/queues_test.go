package seats

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// manyQueues are levels with as many queues as the API server takes, which would take
// gigabytes each.
func manyQueues(levels int) string {
	var text strings.Builder
	for i := range levels {
		fmt.Fprintf(&text, "---\napiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: PriorityLevelConfiguration\nmetadata: {name: wide-%d}\n"+
			"spec: {type: Limited, limited: {nominalConcurrencyShares: 30, limitResponse: {type: Queue, queuing: {queues: 10000000, handSize: 2, queueLengthLimit: 50}}}}\n", i)
	}
	return text.String()
}

// allocated is how many bytes a function allocates in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Queues are counted and not made, whatever their number.
func TestManyQueuesTakeNoMemory(t *testing.T) {
	in := input(t, "1.37", 400, 200, manyQueues(2))
	bytes := allocated(func() {
		table, err := For(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range table.Levels {
			if strings.HasPrefix(l.Name, "wide") && (l.Queuing.Queues != 10_000_000 || l.Queuing.QueuedInAll != 500_000_000) {
				t.Errorf("level %s has %+v", l.Name, l.Queuing)
			}
		}
		if _, err := compareRequests(in.Scheduler, in.Scheduler, typicalRequests()); err != nil {
			t.Fatal(err)
		}
	})
	if bytes > 100_000_000 {
		t.Errorf("%d bytes were allocated", bytes)
	}
}

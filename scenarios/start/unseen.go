package start

import (
	"cmp"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload/recording/dump"
)

// lingers is for how long seats linger of which that is not known.
const lingers = 2500 * time.Microsecond

// anySchema is the first FlowSchema of a level: which one a request that is only counted is of, nobody
// tells.
func (k *maker) anySchema(level string) string {
	name := scheduler.CatchAll
	found := false
	for i := range k.Scheduler.FlowSchemas {
		if f := &k.Scheduler.FlowSchemas[i]; f.PriorityLevel == level && (!found || f.Name < name) {
			name, found = f.Name, true
		}
	}
	return name
}

// unseen adds a request of which no more is known than its seats and its queue.
func (k *maker) unseen(out *sim.StartLevel, phase fairqueue.Phase, queue, seats int, rest time.Duration) {
	out.Moment.Set.Requests = append(out.Moment.Set.Requests, fairqueue.SavedRequest{Phase: phase, Queue: queue, Estimate: fairqueue.Estimate{InitialSeats: seats}})
	out.Requests = append(out.Requests, sim.StartRequest{
		Schema: k.anySchema(out.Moment.Name), User: "unknown", Target: scheduler.Target{Verb: "get", Path: "/"}, Rest: rest, StartUnknown: true,
	})
}

// unseenExecuting adds the requests that execute where the release does not show them. A level
// without queues counts them itself.
func (k *maker) unseenExecuting(out *sim.StartLevel, l *dump.Level, spec *scheduler.PriorityLevel) {
	add := func(queue, n, seats int) {
		seats = max(seats, n)
		for i := range n {
			part := seats / (n - i)
			seats -= part
			k.account.Assume(AssumedExecuting)
			k.unseen(out, fairqueue.Executes, queue, part, sim.Unknown)
		}
	}
	for i := range l.Queues {
		if q := &l.Queues[i]; q.Executing > 0 && i < queues(spec) {
			add(i, min(q.Executing, unseenMax), min(q.SeatsInUse, unseenMax))
		}
	}
	if queues(spec) == 0 && l.Executing > 0 {
		add(-1, min(l.Executing, unseenMax), 0)
	}
}

// unseenMax bounds how many requests are made up for a queue: more than any server executes.
const unseenMax = 100_000

// lingering adds what uses the seats of a queue that none of its requests uses.
func (k *maker) lingering(out *sim.StartLevel, l *dump.Level, spec *scheduler.PriorityLevel) {
	used := make([]int, len(l.Queues))
	for i := range out.Moment.Set.Requests {
		if r := &out.Moment.Set.Requests[i]; r.Phase == fairqueue.Executes && r.Queue >= 0 && r.Queue < len(used) {
			used[r.Queue] += r.Estimate.Width()
		}
	}
	for i := range l.Queues {
		if left := l.Queues[i].SeatsInUse - used[i]; left > 0 && i < queues(spec) {
			k.account.Assume(AssumedLingering)
			k.unseen(out, fairqueue.Lingers, i, left, lingers)
		}
	}
}

// inOrder puts those that wait in front, queue by queue in the order of arrival.
func (k *maker) inOrder(out *sim.StartLevel) {
	set := &out.Moment.Set
	order := make([]int, len(set.Requests))
	for i := range order {
		order[i] = i
	}
	waits := func(i int) int {
		if set.Requests[i].Phase == fairqueue.Waits {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &set.Requests[a], &set.Requests[b]
		if c := cmp.Compare(waits(a), waits(b)); c != 0 || waits(a) == 1 {
			return c
		}
		return cmp.Or(cmp.Compare(x.Queue, y.Queue), cmp.Compare(x.Started, y.Started))
	})
	saved, requests := make([]fairqueue.SavedRequest, len(order)), make([]sim.StartRequest, len(order))
	for to, from := range order {
		saved[to], requests[to] = set.Requests[from], out.Requests[from]
	}
	set.Requests, out.Requests = saved, requests
}

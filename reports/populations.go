package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// statuses is how many ways there are for an operation to end.
const statuses = int(workload.Withdrawn) + 1

// populationStats is what is known of the clients of a population, beside the cells of its
// requests.
type populationStats struct {
	// events counts what happened to clients, refused the attempts that reached no server.
	events  [workload.ClientEvents]int64
	refused [sim.Refusals]int64

	// ended counts operations by how they ended, attempts what they took in all, and
	// attemptsOfOK what those took that succeeded.
	ended                  [statuses]int64
	attempts, attemptsOfOK int64
	// latency is the time from the wish to the end, of operations that succeeded, and
	// latencyOfAll of all.
	latency, latencyOfAll waits
	// Where the time of all operations went.
	throttled, paused, queued, executed Total

	// syncs are the times that clients took to sync.
	syncs waits
}

// concluded counts an operation.
func (p *populationStats) concluded(now time.Duration, o *sim.Operation) {
	latency := now - o.Began
	p.ended[o.Status]++
	p.attempts += int64(o.Attempts)
	p.latencyOfAll.record(latency, fine)
	if o.Status == workload.OK {
		p.attemptsOfOK += int64(o.Attempts)
		p.latency.record(latency, fine)
	}
	p.throttled.add(o.Throttled)
	p.paused.add(o.Paused)
	p.queued.add(o.Queued)
	p.executed.add(o.Executing)
}

// event counts what happened to a client.
func (p *populationStats) event(e sim.ClientEvent, value time.Duration) {
	p.events[e]++
	if e == workload.Synced {
		p.syncs.record(value, fine)
	}
}

// plus adds the figures of another population, or of another replication.
func (p *populationStats) plus(q *populationStats) {
	for i := range p.events {
		p.events[i] += q.events[i]
	}
	for i := range p.refused {
		p.refused[i] += q.refused[i]
	}
	for i := range p.ended {
		p.ended[i] += q.ended[i]
	}
	p.attempts += q.attempts
	p.attemptsOfOK += q.attemptsOfOK
	p.latency.merge(&q.latency, fine)
	p.latencyOfAll.merge(&q.latencyOfAll, fine)
	p.throttled.plus(q.throttled)
	p.paused.plus(q.paused)
	p.queued.plus(q.queued)
	p.executed.plus(q.executed)
	p.syncs.merge(&q.syncs, fine)
}

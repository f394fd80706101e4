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
	// heldAtEnd counts the attempts that a client's own limiter lets pass after the run.
	heldAtEnd int64

	// ended counts operations by how they ended, attempts what they took in all, and
	// attemptsOfOK what those took that succeeded.
	ended                  [statuses]int64
	attempts, attemptsOfOK int64
	// latency is the time from the wish to the end, of operations that succeeded, and
	// latencyOfOthers of the others.
	latency, latencyOfOthers waits
	// Where the time of all operations went.
	throttled, paused, queued, executed Total

	// syncs are the times that clients took to sync. unsynced counts the clients of a population
	// that has to that never have; synced tells who has.
	syncs    waits
	unsynced int64
	synced   []bool
	// planned tells that a rollout restarts the processes of the population.
	planned bool

	// backlog is of the requests that wait in queues and of the clients that wait between
	// attempts, notReady of nodes.
	pauses   pauses
	backlog  backlog
	notReady tally
	// barren is the time since the last success, longest the longest time of that kind.
	lastSuccess     time.Duration
	barren, longest barren
}

// newPopulationStats returns what is known of a population at the beginning.
func newPopulationStats(def *workload.Population) populationStats {
	p := populationStats{pauses: newPauses(def)}
	switch any(def.Behaviour).(type) {
	case workload.Rollout, *workload.Rollout:
		p.planned = true
		p.synced = make([]bool, def.Clients)
	case workload.Informer, *workload.Informer:
		p.synced = make([]bool, def.Clients)
	}
	return p
}

// begin forgets what has been before the end of the warm-up.
func (p *populationStats) begin(now time.Duration) {
	p.backlog.begin(now)
	p.notReady.begin(now)
	p.longest, p.barren = barren{}, barren{}
	p.lastSuccess = max(p.lastSuccess, now)
}

// end closes the books.
func (p *populationStats) end(now time.Duration) {
	p.backlog.advance(now)
	p.notReady.advance(now)
	p.endBarren()
	for _, synced := range p.synced {
		if !synced {
			p.unsynced++
		}
	}
	p.synced = nil
}

// executedInVain notes that a request executed until its time was over, or for longer.
func (p *populationStats) executedInVain(now time.Duration, r *sim.Request) {
	p.barren.wasted(r.Dispatched, now, p.lastSuccess)
}

// endBarren ends a time in which nothing succeeded.
func (p *populationStats) endBarren() {
	if p.barren.longerThan(&p.longest) {
		p.longest = p.barren
	}
	p.barren = barren{}
}

// concluded counts an operation.
func (p *populationStats) concluded(now time.Duration, o *sim.Operation, counts bool) {
	if o.Status == workload.OK {
		p.endBarren()
		p.lastSuccess = now
	}
	if !counts {
		return
	}
	latency := now - o.Began
	p.ended[o.Status]++
	p.attempts += int64(o.Attempts)
	if o.Status == workload.OK {
		p.attemptsOfOK += int64(o.Attempts)
		p.latency.record(latency, fine)
	} else {
		p.latencyOfOthers.record(latency, fine)
	}
	p.throttled.add(o.Throttled)
	p.paused.add(o.Paused)
	p.queued.add(o.Queued)
	p.executed.add(o.Executing)
}

// latencyOfAll returns the time from the wish to the end, of all operations.
func (p *populationStats) latencyOfAll() *waits {
	all := &waits{}
	all.merge(&p.latency, fine)
	all.merge(&p.latencyOfOthers, fine)
	return all
}

// event notes what happened to a client, and counts it if it is to be counted.
func (p *populationStats) event(now time.Duration, e sim.ClientEvent, client int32, value time.Duration, counts bool) {
	switch e {
	case workload.BecameNotReady:
		p.notReady.change(now, 1)
	case workload.BecameReady:
		p.notReady.change(now, -1)
	case workload.Synced:
		if p.synced != nil {
			p.synced[client] = true
		}
		if counts {
			p.syncs.record(value, fine)
		}
	}
	if counts {
		p.events[e]++
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
	p.heldAtEnd += q.heldAtEnd
	p.attempts += q.attempts
	p.attemptsOfOK += q.attemptsOfOK
	p.latency.merge(&q.latency, fine)
	p.latencyOfOthers.merge(&q.latencyOfOthers, fine)
	p.throttled.plus(q.throttled)
	p.paused.plus(q.paused)
	p.queued.plus(q.queued)
	p.executed.plus(q.executed)
	p.syncs.merge(&q.syncs, fine)
	p.unsynced += q.unsynced
	p.planned = p.planned || q.planned
	p.notReady.time.plus(q.notReady.time)
	p.notReady.value += q.notReady.value
	p.notReady.peak = p.notReady.peak.larger(q.notReady.peak)
	p.backlog.peak = p.backlog.peak.larger(q.backlog.peak)
	if q.longest.longerThan(&p.longest) {
		p.longest = q.longest
	}
}

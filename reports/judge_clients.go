package reports

import (
	"fmt"
	"math"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// The metrics of clients, which select a population or all of them.
const (
	// MetricLatency is the time from a client's wish to the answer, of operations that
	// succeeded: one of its quantiles, or its mean.
	MetricLatency Metric = "latency"
	// MetricErrors counts operations that failed, in the mean over the replications;
	// MetricErrorRate is their part of those that failed or succeeded, from 0 to 1.
	MetricErrors    Metric = "errors"
	MetricErrorRate Metric = "errorRate"
	// MetricAttemptsPerSuccess is how often an operation that succeeded was sent.
	MetricAttemptsPerSuccess Metric = "attemptsPerSuccess"
	// MetricRefused counts attempts that reached no server, MetricThrottled those that a
	// client's own limiter has held back.
	MetricRefused   Metric = "refused"
	MetricThrottled Metric = "throttled"
	// MetricRestarts, MetricRelists and MetricDropped count what happened to clients.
	MetricRestarts Metric = "restarts"
	MetricRelists  Metric = "relists"
	MetricDropped  Metric = "dropped"
	// MetricNotReady is the most nodes that were not ready at once, of all replications.
	MetricNotReady Metric = "notReady"
	// MetricTimeToSync is the time that a client took to sync: one of its quantiles, or its
	// mean. MetricNeverSynced counts the clients that never have.
	MetricTimeToSync  Metric = "timeToSync"
	MetricNeverSynced Metric = "neverSynced"
)

// The metrics of servers, and of a run.
const (
	// MetricCut counts the requests that servers took with them when they stopped. It has all
	// selections.
	MetricCut Metric = "cut"
	// MetricDrained is the time of the run at which nothing was left to do after the largest
	// backlog, of a level or a population: the latest of all replications, without end if that
	// did not come, and 0 if nothing was ever left to do.
	MetricDrained Metric = "drained"
	// MetricServerShare is the part of all requests that came to one server, from 0 to 1.
	MetricServerShare Metric = "serverShare"
	// MetricServerRestarts counts how often servers, or one of them, stopped, and
	// MetricOutOfMemory how often they were killed because they needed too much memory.
	MetricServerRestarts Metric = "serverRestarts"
	MetricOutOfMemory    Metric = "outOfMemory"
	// MetricDeadlocks counts deadlocks.
	MetricDeadlocks Metric = "deadlocks"
)

// isTime tells that the values of a metric are times.
func (m Metric) isTime() bool { return m.hasQuantiles() || m == MetricDrained }

// hasQuantiles tells that a metric is a distribution.
func (m Metric) hasQuantiles() bool {
	return m == MetricWait || m == MetricLatency || m == MetricTimeToSync
}

// ofServer tells that a metric can be of one server.
func (m Metric) ofServer() bool {
	return m == MetricServerShare || m == MetricServerRestarts || m == MetricOutOfMemory
}

// measures are how the metrics of clients, servers and runs are taken.
var measures = map[Metric]func(*Verdict, *books, selection){
	MetricLatency:            ofClients(func(v *Verdict, p *populationStats, _ int) { v.quantile(&p.latency, "no operation succeeded") }),
	MetricTimeToSync:         ofClients(func(v *Verdict, p *populationStats, _ int) { v.quantile(&p.syncs, "no client has synced") }),
	MetricErrors:             ofClients((*Verdict).measureErrors),
	MetricErrorRate:          ofClients((*Verdict).measureErrors),
	MetricAttemptsPerSuccess: ofClients((*Verdict).measureAttempts),
	MetricRefused:            ofClients((*Verdict).measureRefused),
	MetricThrottled:          ofClients(eventsOf(workload.Throttled)),
	MetricRestarts:           ofClients(eventsOf(workload.Restarted)),
	MetricRelists:            ofClients(eventsOf(workload.Relisted)),
	MetricDropped:            ofClients(eventsOf(workload.Dropped)),
	MetricNotReady:           ofClients((*Verdict).measureNodes),
	MetricNeverSynced:        ofClients((*Verdict).measureNeverSynced),
	MetricCut:                (*Verdict).measureCut,
	MetricDrained:            (*Verdict).measureDrained,
	MetricServerShare:        (*Verdict).measureServers,
	MetricServerRestarts:     (*Verdict).measureServers,
	MetricOutOfMemory:        (*Verdict).measureServers,
	MetricDeadlocks:          (*Verdict).measureDeadlocks,
}

// ofClients makes a measure of one that looks at clients alone.
func ofClients(measure func(v *Verdict, p *populationStats, runs int)) func(*Verdict, *books, selection) {
	return func(v *Verdict, b *books, s selection) {
		if s.schema != all || s.level != all {
			v.Why = fmt.Sprintf("%s belongs to clients, not to a priority level or flow schema", v.Expectation.Metric)
			return
		}
		measure(v, b.clients(s), b.runs)
	}
}

// operationsSeen returns how many operations have ended.
func (p *populationStats) operationsSeen() (n int64) {
	for _, ended := range p.ended {
		n += ended
	}
	return n
}

// eventsOf makes the measure of an event.
func eventsOf(e sim.ClientEvent) func(*Verdict, *populationStats, int) {
	return func(v *Verdict, p *populationStats, runs int) {
		v.Samples = p.operationsSeen()
		if v.Samples == 0 && p.events[e] == 0 {
			v.Why = "no operation has ended"
		}
		v.Value = float64(p.events[e]) / float64(runs)
	}
}

func (v *Verdict) measureErrors(p *populationStats, runs int) {
	failed := p.failures().Total
	v.Samples = failed + p.ended[workload.OK]
	if v.Samples == 0 {
		v.Why = "no operation has ended"
		return
	}
	v.Value = float64(failed) / float64(runs)
	if v.Expectation.Metric == MetricErrorRate {
		v.Value = float64(failed) / float64(v.Samples)
	}
}

func (v *Verdict) measureAttempts(p *populationStats, _ int) {
	v.Samples = p.ended[workload.OK]
	if v.Samples == 0 {
		v.Why = "no operation succeeded"
		return
	}
	v.Value = float64(p.attemptsOfOK) / float64(v.Samples)
}

func (v *Verdict) measureRefused(p *populationStats, runs int) {
	n := int64(0)
	for _, refused := range p.refused {
		n += refused
	}
	v.Samples = p.operationsSeen()
	if v.Samples == 0 && n == 0 {
		v.Why = "no operation has ended"
	}
	v.Value = float64(n) / float64(runs)
}

func (v *Verdict) measureNodes(p *populationStats, _ int) {
	v.Samples = p.operationsSeen()
	if v.Samples == 0 && p.notReady.peak.value == 0 {
		v.Why = "no operation has ended"
	}
	v.Value = float64(p.notReady.peak.value)
}

func (v *Verdict) measureNeverSynced(p *populationStats, runs int) {
	v.Samples = p.syncs.count() + p.unsynced
	if v.Samples == 0 {
		v.Why = "no client has to sync"
	}
	v.Value = float64(p.unsynced) / float64(runs)
}

// measureCut counts requests of a selection; without a level or schema those that APF does not
// concern are among them.
func (v *Verdict) measureCut(b *books, s selection) {
	whole := b.sum(s)
	n := whole.cutWaiting + whole.cutExecuting
	v.Samples = whole.arrivals
	if s.schema == all && s.level == all {
		for p := range b.populations {
			if s.population == all || s.population == p {
				passed := b.at(p, longRunning)
				n += passed.cutWaiting + passed.cutExecuting
				v.Samples += passed.arrivals
			}
		}
	}
	if v.Samples == 0 {
		v.Why = "no request arrived"
	}
	v.Value = float64(n) / float64(b.runs)
}

// measureDrained takes the time at which a backlog was gone.
func (v *Verdict) measureDrained(b *books, s selection) {
	if s.schema != all || (s.level == all) == (s.population == all) {
		v.Why = fmt.Sprintf("%s is of one priority level or of one client population", v.Expectation.Metric)
		return
	}
	if v.Samples = b.sum(s).arrivals; v.Samples == 0 {
		v.Why = "no request arrived"
		return
	}
	for _, run := range b.replications {
		var p peak
		switch {
		case s.population != all:
			p = run.populationStats[s.population].backlog.peak
		case s.level < len(run.levels):
			p = run.levels[s.level].backlog
		}
		if p.value > 0 && p.drained < 0 {
			v.Value = math.Inf(1)
			return
		}
		v.Value = max(v.Value, float64(p.drained))
	}
}

// measureServers takes a figure of one server, or of all.
func (v *Verdict) measureServers(b *books, s selection) {
	if s != (selection{all, all, all}) {
		v.Why = fmt.Sprintf("%s belongs to servers", v.Expectation.Metric)
		return
	}
	n := int64(0)
	for _, run := range b.replications {
		for i := range run.servers {
			server := &run.servers[i]
			requests := server.arrivals + server.longRunning
			v.Samples += requests
			if at := v.Expectation.Server; at != nil && *at != i {
				continue
			}
			switch v.Expectation.Metric {
			case MetricServerShare:
				n += requests
			case MetricServerRestarts:
				n += server.events[sim.ServerStopped]
			default:
				n += server.events[sim.OutOfMemory]
			}
		}
	}
	v.Value = float64(n) / float64(b.runs)
	if v.Expectation.Metric == MetricServerShare && v.Samples > 0 {
		v.Value = float64(n) / float64(v.Samples)
	}
	if v.Samples == 0 {
		v.Why = "no request arrived"
	}
}

func (v *Verdict) measureDeadlocks(b *books, s selection) {
	if s != (selection{all, all, all}) {
		v.Why = "deadlocks are of a whole run"
		return
	}
	n := 0
	for _, run := range b.replications {
		n += len(run.deadlocksThatCount())
	}
	if v.Samples = b.sum(s).arrivals; v.Samples == 0 {
		v.Why = "no request arrived"
	}
	v.Value = float64(n) / float64(b.runs)
}

// formatTimeOf writes a time, which may be without end.
func formatTimeOf(x float64) string {
	if math.IsInf(x, 1) {
		return "never"
	}
	return time.Duration(x).String()
}

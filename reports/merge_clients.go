package reports

import (
	"slices"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// refusals renders the attempts that reached no server, nil if there are none.
func (p *populationStats) refusals() *Refused {
	out := &Refused{
		NoServer:        p.refused[sim.NoServer],
		GatewayRate:     p.refused[sim.GatewayRate],
		GatewayInFlight: p.refused[sim.GatewayInFlight],
		GatewayDegraded: p.refused[sim.GatewayDegraded],
		GatewayNoRule:   p.refused[sim.GatewayNoRule],
	}
	for _, n := range p.refused {
		out.Total += n
	}
	if out.Total == 0 {
		return nil
	}
	return out
}

// failures counts the operations that did not succeed.
func (p *populationStats) failures() Failures {
	out := Failures{
		TooManyRequests: p.ended[workload.TooManyRequests],
		Unavailable:     p.ended[workload.Unavailable],
		TimedOut:        p.ended[workload.TimedOut],
		Expired:         p.ended[workload.Expired],
		Failed:          p.ended[workload.Failed],
		Refused:         p.ended[workload.Refused],
		Lost:            p.ended[workload.Lost],
	}
	for status, n := range p.ended {
		if s := workload.Status(status); s != workload.OK && s != workload.Withdrawn {
			out.Total += n
		}
	}
	return out
}

// operations renders the operations, nil if none has ended.
func (p *populationStats) operations() *Operations {
	all := p.latencyOfAll()
	out := &Operations{
		Succeeded:    p.ended[workload.OK],
		Failed:       p.failures(),
		Withdrawn:    p.ended[workload.Withdrawn],
		Attempts:     p.attempts,
		Latency:      p.latency.latency(),
		LatencyOfAll: all.latency(),
		Time: Time{
			Total:     all.sum,
			Throttled: p.throttled,
			Paused:    p.paused,
			Queued:    p.queued,
			Executing: p.executed,
		},
	}
	out.Count = out.Succeeded + out.Failed.Total + out.Withdrawn
	if out.Count == 0 {
		return nil
	}
	if out.Succeeded > 0 {
		n := newNumber(float64(p.attemptsOfOK) / float64(out.Succeeded))
		out.AttemptsPerSuccess = &n
	}
	out.Time.Elsewhere = out.Time.Total
	for _, t := range []Total{p.throttled, p.paused, p.queued, p.executed} {
		out.Time.Elsewhere.minus(t)
	}
	return out
}

// latency renders a distribution, nil for one without samples.
func (w *waits) latency() *Latency {
	r := w.render()
	if r == nil {
		return nil
	}
	few := slices.DeleteFunc(r.FewSamplesFor, func(q string) bool { return q == "p75" || q == "p95" })
	if len(few) == 0 {
		few = nil
	}
	return &Latency{r.Count, r.Mean, r.P50, r.P90, r.P99, r.P999, r.Max, few}
}

// executions renders the executions that ended, nil if there are none.
func (c *cell) executions() *Executions {
	if c.finished == 0 {
		return nil
	}
	return &Executions{
		Finished:  c.finished,
		Mean:      Duration(c.executing.mean(c.finished)),
		Unloaded:  Duration(c.unloaded.mean(c.finished)),
		InStorage: Duration(c.inStorage.mean(c.finished)),
		TimedOut:  c.timedOut,

		TimedOutInCalls: c.timedOutInCalls,
		Calls:           Duration(c.calls.mean(max(c.succeeded, 1))),
	}
}

// clients adds up the populations of a selection.
func (b *books) clients(s selection) *populationStats {
	if known := b.ofClients[s]; known != nil {
		return known
	}
	sum := &populationStats{}
	b.ofClients[s] = sum
	for i := range b.stats {
		if s.population == all || s.population == i {
			sum.plus(&b.stats[i])
		}
	}
	return sum
}

// nodes renders the nodes that were not ready, nil if there never were any.
func (p *populationStats) nodes() *NotReady {
	t := &p.notReady
	if t.peak.value == 0 && p.events[workload.BecameNotReady] == 0 {
		return nil
	}
	return &NotReady{
		Times:  p.events[workload.BecameNotReady],
		Peak:   t.peak.value,
		PeakAt: Duration(t.peak.at),
		AtEnd:  t.value,
		Time:   t.time,
	}
}

// sync renders how clients came to know what they watch, nil if they watch nothing.
func (p *populationStats) sync() *Sync {
	out := &Sync{Times: p.syncs.latency(), Never: p.unsynced, Relists: p.events[workload.Relisted]}
	if out.Times == nil && out.Never == 0 && out.Relists == 0 {
		return nil
	}
	return out
}

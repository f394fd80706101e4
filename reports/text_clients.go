package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/internal/table"
)

// cycle writes a deadlock as the chain that it is.
func (d *Deadlock) cycle() string {
	var steps []string
	for _, s := range d.Cycle {
		how := "wait for a seat of"
		if s.Executing {
			how = "have called"
		}
		steps = append(steps, fmt.Sprintf("%s requests of %s hold %s seats of %s%s and %s %s (calls of %s)",
			seats(s.Requests), s.Population, seats(s.Seats), s.PriorityLevel, atServer(s.Server, d), how, s.AtLevel+atServer(s.AtServer, d), s.Calls))
	}
	return strings.Join(steps, ", while ")
}

// atServer names a server where a deadlock is about several.
func atServer(server int, d *Deadlock) string {
	if !slices.ContainsFunc(d.Cycle, func(s DeadlockStep) bool { return s.Server != 0 || s.AtServer != 0 }) {
		return ""
	}
	return fmt.Sprintf(" at server %d", server)
}

// shownDeadlocks bounds the deadlocks of the text.
const shownDeadlocks = 3

// deadlocks tells of them, first of all.
func (t *text) deadlocks() {
	d := t.result.Deadlocks
	if d == nil {
		return
	}
	t.section("DEADLOCK")
	for i := range d.Listed {
		if i == t.more*shownDeadlocks {
			break
		}
		one := &d.Listed[i]
		ended := "It lasts to the end of the run."
		if one.Ended != nil {
			ended = fmt.Sprintf("It ended at %s, by %s.", formatMoment(time.Duration(*one.Ended)), one.By)
		}
		t.paragraph(Bad, fmt.Sprintf("Since %s: %s. %s %s requests were caught in it, %s of them failed.", formatMoment(time.Duration(one.Since)),
			one.cycle(), ended, seats(one.Requests), seats(one.Failed)))
	}
	if n := d.Count - int64(min(len(d.Listed), t.more*shownDeadlocks)); n > 0 {
		t.paragraph(Bad, "And "+times(n)+" more.")
	}
}

// shownDiagnoses bounds the populations whose trouble the text explains.
const shownDiagnoses = 8

// verdicts says why those suffer that do, and of the whole run who suffers of what.
func (t *text) verdicts() {
	list := t.result.Diagnoses
	if len(list) == 0 {
		return
	}
	t.section("Verdict: why clients suffer")
	for i := range list {
		if i == t.more*shownDiagnoses {
			t.paragraph(Plain, fmt.Sprintf("And %d other populations.", len(list)-i))
			break
		}
		d := &list[i]
		var words []string
		for _, c := range d.Causes {
			words = append(words, string(c.Cause)+" ("+c.Figures+")")
		}
		t.paragraph(d.tone(), fmt.Sprintf("%s: %s. Behind it: %s.", d.Population, strings.Join(d.Symptoms, ", "), strings.Join(words, "; ")))
	}
	if len(list) > 1 {
		t.paragraph(Plain, t.whole(list))
	}
}

// tone is bad for what never gets anywhere.
func (d *Diagnosis) tone() Tone {
	if slices.ContainsFunc(d.Causes, func(c Cause) bool { return c.Cause == CauseDeadlock || c.Cause == CauseLivelock }) {
		return Bad
	}
	return Warning
}

// whole sums up the verdicts.
func (t *text) whole(list []Diagnosis) string {
	var order []CauseName
	who := map[CauseName][]string{}
	for i := range list {
		for _, c := range list[i].Causes {
			if who[c.Cause] == nil {
				order = append(order, c.Cause)
			}
			who[c.Cause] = append(who[c.Cause], list[i].Population)
		}
	}
	slices.SortStableFunc(order, func(a, b CauseName) int { return len(who[b]) - len(who[a]) })
	var words []string
	for _, name := range order {
		words = append(words, fmt.Sprintf("%s (%d)", name, len(who[name])))
	}
	return fmt.Sprintf("%d of %d populations suffer, by cause: %s.", len(list), len(t.result.Populations), strings.Join(words, ", "))
}

// servers writes the table of the servers.
func (t *text) servers() {
	if len(t.result.Servers) == 0 {
		return
	}
	tab := table.New(1, "server", "share", "arrivals", "executed", "rejected", "cut", "refused", "mean", "peak", "starts", "stops", "out of memory", "down")
	tab.Group(7, 8, "seats in use")
	for i := range t.result.Servers {
		s := &t.result.Servers[i]
		share, used, most := none, none, none
		if s.Share != nil {
			share = percent(*s.Share)
		}
		if s.SeatsUsedAverage != nil {
			used = formatNumber(*s.SeatsUsedAverage)
		}
		if s.SeatsUsedPeak != nil {
			most = formatCount(*s.SeatsUsedPeak)
		}
		tab.Add(seats(s.Server), share, formatCount(s.Requests.Arrivals+s.LongRunning), formatCount(s.Requests.Executed),
			formatCount(s.Requests.Rejected.Total), formatCount(s.Requests.Cut.Total), formatCount(s.Refused), used, most,
			formatCount(s.Starts), formatCount(s.Stops), formatCount(s.OutOfMemory), formatTotal(s.Down))
	}
	t.table("Servers", tab)
	t.machines()
}

// machines writes the tables of what is behind the servers.
func (t *text) machines() {
	cores := table.New(1, "server", "CPU", "memory peak", "limit")
	for i := range t.result.Servers {
		if m := t.result.Servers[i].Machine; m != nil {
			limit := none
			if m.MemoryLimit > 0 {
				limit = formatBytes(m.MemoryLimit)
			}
			cores.Add(seats(t.result.Servers[i].Server), percent(m.Utilization), formatBytes(m.MemoryPeak), limit)
		}
	}
	members := table.New(1, "member", "reads", "busy", "waiting", "writes", "busy", "waiting")
	for i := range t.result.Etcd {
		m := &t.result.Etcd[i]
		members.Add(seats(m.Member), formatCount(m.Reads.Served), percent(m.Reads.Utilization), seats(m.Reads.WaitingPeak),
			formatCount(m.Writes.Served), percent(m.Writes.Utilization), seats(m.Writes.WaitingPeak))
	}
	t.table("Servers: cores and memory", cores)
	t.table("etcd members: what they served, how busy they were, and the most that waited", members)
}

// percent writes a part as a percentage.
func percent(n Number) string { return formatNumber(newNumber(100*float64(n))) + "%" }

// formatBytes writes a number of bytes for people, in powers of 1024.
func formatBytes(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x := float64(n)
	for x >= 1024 && len(units) > 1 {
		x, units = x/1024, units[1:]
	}
	return formatNumber(newNumber(x)) + " " + units[0]
}

// formatTotal writes a sum of times for people.
func formatTotal(total Total) string {
	if total.hi > 0 || total.lo > 1<<62 {
		return "> 146 years"
	}
	return formatDuration(time.Duration(total.lo))
}

// operations writes the tables of what clients wanted, where there is more to tell than the
// tables of requests do.
func (t *text) operations() {
	results := table.New(1, "population", "operations", "failed", "429", "503", "time-out", "refused", "lost", "other", "attempts", "p50", "p99", "max")
	results.Group(3, 8, "failed, by the last answer")
	results.Group(10, 12, "latency of successes")
	parts := table.New(1, "population", "total", "own limiter", "pauses", "queues", "executing", "on the way")
	parts.Group(2, 6, "part of the time")
	for i := range t.result.Populations {
		p := &t.result.Populations[i]
		o := p.Operations
		if o == nil || !p.retriesOrFails() && len(p.symptoms()) == 0 {
			continue
		}
		f := &o.Failed
		results.Add(p.Name, formatCount(o.Count), formatShare(f.Total, o.Succeeded+f.Total), formatCount(f.TooManyRequests), formatCount(f.Unavailable),
			formatCount(f.TimedOut), formatCount(f.Refused), formatCount(f.Lost), formatCount(f.Expired+f.Failed), o.perSuccess(),
			t.latency(o.Latency, "p50"), t.latency(o.Latency, "p99"), o.Latency.longest())
		if o.Time.Total == (Total{}) {
			continue
		}
		row := []string{p.Name, formatTotal(o.Time.Total)}
		for _, part := range []Total{o.Time.Throttled, o.Time.Paused, o.Time.Queued, o.Time.Executing, o.Time.Elsewhere} {
			row = append(row, permille(part, o.Time.Total))
		}
		parts.Add(row...)
	}
	t.table("Clients: operations, each with all attempts at it", results)
	t.table("Clients: where the time of their operations went", parts)
}

// retriesOrFails tells whether operations are more than requests that succeed at once.
func (p *Population) retriesOrFails() bool {
	o := p.Operations
	return o.Failed.Total > 0 || o.Attempts > o.Count || o.Time.Throttled != Total{} || o.Time.Elsewhere != Total{}
}

func (o *Operations) perSuccess() string {
	if o.AttemptsPerSuccess == nil {
		return none
	}
	return formatNumber(*o.AttemptsPerSuccess)
}

func (l *Latency) longest() string {
	if l == nil {
		return none
	}
	return formatDuration(time.Duration(l.Max))
}

// latency writes a quantile of a latency, marked if it is only a hint.
func (t *text) latency(l *Latency, name string) string {
	if l == nil {
		return none
	}
	value, mark := map[string]Duration{"p50": l.P50, "p90": l.P90, "p99": l.P99}[name], ""
	if slices.Contains(l.FewSamplesFor, name) {
		mark, t.hinted = "~", true
	}
	return mark + formatDuration(time.Duration(value))
}

// refusals writes the table of the attempts that reached no server.
func (t *text) refusals() {
	tab := table.New(1, "population", "attempts", "refused", "no server", "rate", "in flight", "degraded", "no rule")
	tab.Group(4, 7, "by the gateway")
	for i := range t.result.Populations {
		p := &t.result.Populations[i]
		if r := p.Refused; r != nil {
			tab.Add(p.Name, formatCount(p.attempts()), formatShare(r.Total, p.attempts()), formatCount(r.NoServer),
				formatCount(r.GatewayRate), formatCount(r.GatewayInFlight), formatCount(r.GatewayDegraded), formatCount(r.GatewayNoRule))
		}
	}
	t.table("Clients: attempts that reached no server", tab)
}

// fates writes the table of what became of clients: nodes, informers, processes.
func (t *text) fates() {
	nodes := table.New(1, "population", "nodes", "NotReady", "most at once", "at", "at the end", "node time")
	syncs := table.New(1, "population", "clients", "p50", "p99", "max", "never", "relists")
	syncs.Group(2, 4, "time to sync")
	lives := table.New(1, "population", "restarts", "dropped", "held back by own limiter", "at end")
	for i := range t.result.Populations {
		p := &t.result.Populations[i]
		if n := p.NotReady; n != nil {
			nodes.Add(p.Name, seats(p.Clients), times(n.Times), formatCount(n.Peak), formatMoment(time.Duration(n.PeakAt)), formatCount(n.AtEnd), formatTotal(n.Time))
		}
		if s := p.Sync; s != nil {
			syncs.Add(p.Name, seats(p.Clients), t.latency(s.Times, "p50"), t.latency(s.Times, "p99"), s.Times.longest(), formatCount(s.Never), formatCount(s.Relists))
		}
		if p.Restarts+p.Dropped+p.Throttled > 0 {
			lives.Add(p.Name, formatCount(p.Restarts), formatCount(p.Dropped), formatCount(p.Throttled), formatCount(p.HeldAtEnd))
		}
	}
	t.table("Nodes that were not ready", nodes)
	t.table("Clients: how long they took to know what they watch", syncs)
	t.table("Clients: what happened to them", lives)
}

// longDrain is how long a backlog lasts that is told.
const longDrain = 10 * time.Second

// backlogs writes the table of what took long to drain, or never did.
func (t *text) backlogs() {
	tab := table.New(1, "", "peak", "at", "drained at")
	row := func(name string, b *Backlog) {
		switch {
		case b == nil:
		case b.DrainedAt == nil:
			tab.Add(name, formatCount(b.Peak), formatMoment(time.Duration(b.PeakAt)), "does not drain")
		case time.Duration(*b.DrainedAt-b.PeakAt) >= longDrain:
			tab.Add(name, formatCount(b.Peak), formatMoment(time.Duration(b.PeakAt)), formatMoment(time.Duration(*b.DrainedAt)))
		}
	}
	for i := range t.result.PriorityLevels {
		l := &t.result.PriorityLevels[i]
		row(l.Name, l.Backlog)
	}
	for i := range t.result.Populations {
		p := &t.result.Populations[i]
		row(p.Name+" (clients)", p.Backlog)
	}
	t.table("Backlogs: requests that wait, and clients that will come again", tab)
}

// inversions writes the table of calls that waited for seats.
func (t *text) inversions() {
	tab := table.New(4, "caller", "in level", "waits for", "in level", "calls", "time", "longest")
	for i := range t.result.Inversions {
		in := &t.result.Inversions[i]
		tab.Add(in.Caller, in.CallerLevel, in.Called, in.CalledLevel, formatCount(in.Requests), formatTotal(in.Time), formatDuration(time.Duration(in.Longest)))
	}
	t.table("Priority inversions: callers hold seats while their calls wait", tab)
}

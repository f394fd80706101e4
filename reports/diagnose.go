package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Diagnosis says why a population of clients suffers, by rules that look at its figures alone.
// The rules are in docs/reports.md.
type Diagnosis struct {
	Population string `json:"population"`
	// Symptoms are what it suffers from, Causes what the figures say is behind it. There is
	// always one, which may be Unexplained.
	Symptoms []string `json:"symptoms"`
	Causes   []Cause  `json:"causes"`
}

// Cause is one thing that is behind it, with the figures that say so.
type Cause struct {
	Cause   CauseName `json:"cause"`
	Figures string    `json:"figures"`
}

// CauseName names a cause.
type CauseName string

// The causes.
const (
	// CauseDeadlock: requests of the population are part of a deadlock.
	CauseDeadlock CauseName = "deadlock"
	// CauseLivelock: requests executed in vain for half a minute or more, and nothing succeeded.
	CauseLivelock CauseName = "livelock"
	// CauseServer: a server was not there, CauseBalance: one had much more to do than others.
	CauseServer  CauseName = "a server is down"
	CauseBalance CauseName = "the servers are unbalanced"
	// CauseGateway: the gateway refuses.
	CauseGateway CauseName = "the gateway refuses"
	// CauseRejects: APF answers with 429. CauseQueues: requests wait in APF's queues.
	CauseRejects CauseName = "APF rejects"
	CauseQueues  CauseName = "APF queues"
	// CauseLimiter: the clients' own limiter.
	CauseLimiter CauseName = "the client's own limiter"
	// CauseBackend: requests execute for much longer than on an idle server, or for longer than
	// they may.
	CauseBackend CauseName = "the backend is slow"
	// CauseCalls: the time of requests was over while they waited for what they had called for.
	CauseCalls CauseName = "what it calls is slow"
	// CauseWay: the way to the servers, or clients that wait for no answer.
	CauseWay CauseName = "the way to the servers"
	// CauseUnexplained: nothing of these.
	CauseUnexplained CauseName = "nothing of these: look elsewhere"
)

const (
	// failuresThatMatter is the part of operations or attempts from which on it is a symptom
	// or a cause that they fail.
	failuresThatMatter = 0.01
	// timeThatMatters is the part of the time of all operations from which on what it was spent
	// on is a cause.
	timeThatMatters = 0.2
	// slowdown is how many times as long as on an idle server requests execute where the backend
	// is slow, and delay how many times as long operations take that suffer, if the slowest
	// of a hundred takes a noticeable time.
	slowdown   = 1.5
	delay      = 2
	noticeable = 100 * time.Millisecond
	// imbalance is how many times as much as its share a server has to do that others should help.
	imbalance = 1.5
)

// diagnoses returns why the populations suffer that do.
func diagnoses(r *Result) []Diagnosis {
	var out []Diagnosis
	for i := range r.Populations {
		p := &r.Populations[i]
		if symptoms := p.symptoms(); len(symptoms) > 0 {
			out = append(out, Diagnosis{p.Name, symptoms, causes(r, p)})
		}
	}
	return out
}

// symptoms returns what a population suffers from.
func (p *Population) symptoms() []string {
	var out []string
	add := func(is bool, text string) {
		if is {
			out = append(out, text)
		}
	}
	if o := p.Operations; o != nil {
		done := o.Succeeded + o.Failed.Total
		add(matters(o.Failed.Total, done), formatShare(o.Failed.Total, done)+" of operations failed")
		if p.slow() {
			add(true, fmt.Sprintf("operations take %s times as long as on an idle server (p99 %s)", formatNumber(newNumber(p.delay())), formatDuration(time.Duration(o.Latency.P99))))
		}
	}
	add(matters(p.HeldAtEnd, p.wanted()), formatCount(p.HeldAtEnd)+" attempts were still held back at the end")
	if p.Operations == nil && p.Requests.Finished == 0 {
		add(p.inVain() > int64(p.Clients), "no operation has ended, after "+formatCount(p.attempts())+" attempts")
	}
	add(p.LeasesLost > 0, "leases lost "+times(p.LeasesLost))
	add(p.Restarts > 0 && !p.PlannedRestarts, "processes restarted "+times(p.Restarts))
	if n := p.NotReady; n != nil {
		add(true, fmt.Sprintf("up to %s nodes NotReady at once, %s at the end", formatCount(n.Peak), formatCount(n.AtEnd)))
	}
	if s := p.Sync; s != nil {
		add(s.Never > 0, formatCount(s.Never)+" clients never synced")
	}
	add(p.Dropped > 0, formatCount(p.Dropped)+" events or keys dropped")
	return out
}

// wanted counts the attempts that were made, and those that are still held back.
func (p *Population) wanted() int64 { return p.attempts() + p.HeldAtEnd }

// inVain counts attempts that brought nothing.
func (p *Population) inVain() int64 {
	n := p.Requests.Rejected.Total + p.Requests.Cut.Total
	if p.Refused != nil {
		n += p.Refused.Total
	}
	return n
}

// matters tells whether so many failures are worth telling.
func matters(n, total int64) bool { return n > 0 && float64(n) >= failuresThatMatter*float64(total) }

// delay returns how many times as long an operation takes that succeeds as a request executes
// on an idle server, 0 where that is not known. What it waits for its calls is left out: it is
// there on an idle server, too, and what is too long of it is a symptom of those that are called.
func (p *Population) delay() float64 {
	if p.Operations == nil || p.Operations.Latency == nil || p.Executions == nil || p.Executions.Unloaded <= 0 {
		return 0
	}
	return float64(p.Operations.Latency.Mean-p.Executions.Calls) / float64(p.Executions.Unloaded)
}

// slow tells whether operations take so much longer than on an idle server that somebody notices.
func (p *Population) slow() bool {
	return p.delay() >= delay && time.Duration(p.Operations.Latency.P99) >= noticeable
}

// late tells whether operations suffer from the time that they take: they are slow, or fail
// because their time is over.
func (p *Population) late() bool {
	o := p.Operations
	return p.slow() || o != nil && matters(o.Failed.TimedOut, o.Succeeded+o.Failed.Total)
}

// causes returns what is behind the trouble of a population.
func causes(r *Result, p *Population) []Cause {
	var out []Cause
	for _, rule := range []struct {
		name CauseName
		of   func(*Result, *Population) string
	}{
		{CauseDeadlock, deadlocked},
		{CauseLivelock, livelocked},
		{CauseServer, withoutServer},
		{CauseGateway, refusedByGateway},
		{CauseRejects, rejectedByAPF},
		{CauseQueues, queuedByAPF},
		{CauseLimiter, throttledByClient},
		{CauseBackend, slowBackend},
		{CauseCalls, heldUpByCalls},
		{CauseWay, lostOnTheWay},
	} {
		if figures := rule.of(r, p); figures != "" {
			out = append(out, Cause{rule.name, figures})
		}
	}
	crowded := slices.ContainsFunc(out, func(c Cause) bool {
		return c.Cause == CauseQueues || c.Cause == CauseRejects || c.Cause == CauseBackend
	})
	if figures := unbalanced(r.Servers); crowded && figures != "" {
		out = append(out, Cause{CauseBalance, figures})
	}
	if len(out) == 0 {
		out = append(out, Cause{CauseUnexplained, p.whereTheTimeWent()})
	}
	return out
}

// part returns a part of the time of all operations.
func (p *Population) part(of func(*Time) Total) float64 {
	if p.Operations == nil || p.Operations.Time.Total == (Total{}) {
		return 0
	}
	t := &p.Operations.Time
	return of(t).float() / t.Total.float()
}

// ofTheTime writes a part of the time of all operations, if it matters.
func (p *Population) ofTheTime(of func(*Time) Total) string {
	if p.part(of) < timeThatMatters {
		return ""
	}
	return permille(of(&p.Operations.Time), p.Operations.Time.Total) + " of the time of operations"
}

// attempts returns how many attempts there were, at servers and in vain.
func (p *Population) attempts() int64 {
	n := p.Requests.Arrivals
	if p.Refused != nil {
		n += p.Refused.Total
	}
	return n
}

// ofAttempts writes a part of all attempts, if it matters.
func (p *Population) ofAttempts(n int64) string {
	if !matters(n, p.attempts()) {
		return ""
	}
	return formatShare(n, p.attempts()) + " of attempts"
}

func deadlocked(r *Result, p *Population) string {
	if r.Deadlocks == nil {
		return ""
	}
	for i := range r.Deadlocks.Listed {
		d := &r.Deadlocks.Listed[i]
		if slices.ContainsFunc(d.Cycle, func(s DeadlockStep) bool { return s.Population == p.Name || s.Calls == p.Name }) {
			return "at " + formatMoment(time.Duration(d.Since)) + ": " + d.cycle()
		}
	}
	return ""
}

func livelocked(_ *Result, p *Population) string {
	b := p.Barren
	if b == nil {
		return ""
	}
	return fmt.Sprintf("from %s to %s nothing succeeded, and %s requests executed until their time was over",
		formatMoment(time.Duration(b.From)), formatMoment(time.Duration(b.Until)), formatCount(b.Requests))
}

func withoutServer(r *Result, p *Population) string {
	var none, lost string
	if p.Refused != nil {
		none = p.ofAttempts(p.Refused.NoServer)
	}
	lost = p.ofAttempts(p.Requests.Cut.Total)
	text := joined(said(none, " found no server"), said(lost, " were lost with one"))
	killed := int64(0)
	for i := range r.Servers {
		killed += r.Servers[i].OutOfMemory
	}
	if killed == 0 {
		return text
	}
	return said(text, ", servers were out of memory "+times(killed))
}

func refusedByGateway(_ *Result, p *Population) string {
	r := p.Refused
	if r == nil {
		return ""
	}
	n := r.GatewayRate + r.GatewayInFlight + r.GatewayDegraded + r.GatewayNoRule
	return said(p.ofAttempts(n), ": "+counted(
		amount{r.GatewayRate, "over a rate"}, amount{r.GatewayInFlight, "over a number in flight"},
		amount{r.GatewayDegraded, "while degraded"}, amount{r.GatewayNoRule, "without a rule"})+p.pauses())
}

func rejectedByAPF(result *Result, p *Population) string {
	r := &p.Requests.Rejected
	held := ""
	if queuedByAPF(result, p) == "" { // or it is said there
		held = heldBy(result, p.Name)
	}
	return said(p.ofAttempts(r.Total), ": "+counted(
		amount{r.QueueFull, "queue-full"}, amount{r.ConcurrencyLimit, "at the limit"}, amount{r.TimeOut, "time-out"},
		amount{r.Cancelled, "cancelled"}, amount{r.Ejected, "ejected"})+p.pauses()+held)
}

// pauses tells of the pauses between attempts, where they matter.
func (p *Population) pauses() string {
	paused := p.ofTheTime(func(t *Time) Total { return t.Paused })
	return said(strings.TrimSuffix(paused, " of the time of operations"), " of the time is pauses between attempts", ", ")
}

func queuedByAPF(r *Result, p *Population) string {
	text := p.ofTheTime(func(t *Time) Total { return t.Queued })
	if text == "" || p.Wait == nil {
		return text
	}
	return fmt.Sprintf("%s, wait p99 %s%s", text, formatDuration(time.Duration(p.Wait.P99)), heldBy(r, p.Name))
}

func throttledByClient(_ *Result, p *Population) string {
	text := p.ofTheTime(func(t *Time) Total { return t.Throttled })
	if text == "" && matters(p.HeldAtEnd, p.wanted()) {
		return "attempts held back " + times(p.Throttled) + ", " + formatCount(p.HeldAtEnd) + " of them to the end"
	}
	return said(text, ", attempts held back "+times(p.Throttled))
}

func slowBackend(r *Result, p *Population) string {
	e := p.Executions
	if e == nil {
		return ""
	}
	slow, late := "", ""
	// Requests that execute for longer hold their seats for longer, and what others wait for then
	// is the backend too.
	spent := func(t *Time) Total { sum := t.Executing; sum.plus(t.Queued); return sum }
	if float64(e.Mean) >= slowdown*float64(e.Unloaded) && p.part(spent) >= timeThatMatters {
		slow = fmt.Sprintf("requests execute for %s, %s times as long as on an idle server", formatDuration(time.Duration(e.Mean)),
			formatNumber(newNumber(float64(e.Mean)/float64(max(e.Unloaded, 1)))))
	}
	if matters(e.TimedOut, e.Finished) {
		late = formatShare(e.TimedOut, e.Finished) + " of those that executed ran out of time"
	}
	busy := ""
	if slow+late != "" {
		busy = busiest(r, 2*e.InStorage > e.Mean)
	}
	return joined(slow, late, busy)
}

// busiest tells where in the backend the requests of a population spent more of their time, in
// etcd or at the cores, and which part of that was the busiest one. A part that is hardly busy in
// the mean may be slow for a while, so another one is not to blame for having more to do.
func busiest(r *Result, inStorage bool) string {
	where, most := "", Number(-1)
	see := func(what string, number int, n Number) {
		if n > most {
			where, most = fmt.Sprintf("%s %d", what, number), n
		}
	}
	for i := range r.Servers {
		if m := r.Servers[i].Machine; m != nil && !inStorage {
			see("the cores of server", r.Servers[i].Server, m.Utilization)
		}
	}
	if inStorage {
		for i := range r.Etcd {
			see("the reads of etcd member", i, r.Etcd[i].Reads.Utilization)
			see("the writes of etcd member", i, r.Etcd[i].Writes.Utilization)
		}
	}
	what := "most of it at the cores, the busiest part is "
	if inStorage {
		what = "most of it in etcd, the busiest part is "
	}
	return said(where, ", busy for "+percent(most)+" of the time", what)
}

func heldUpByCalls(_ *Result, p *Population) string {
	e := p.Executions
	if e == nil || !matters(e.TimedOutInCalls, e.Finished) {
		return ""
	}
	return formatShare(e.TimedOutInCalls, e.Finished) + " of those that executed ran out of time while they waited for their calls"
}

func lostOnTheWay(_ *Result, p *Population) string {
	if !p.late() {
		return "" // a way of some milliseconds makes nothing fail
	}
	return p.ofTheTime(func(t *Time) Total { return t.Elsewhere })
}

// unbalanced tells of the server that has the most to do, if it has much more than its share.
func unbalanced(servers []ServerUse) string {
	if len(servers) < 2 {
		return ""
	}
	most := slices.MaxFunc(servers, byShare)
	least := slices.MinFunc(servers, byShare)
	fair := 1 / float64(len(servers))
	if most.Share == nil || float64(*most.Share) < imbalance*fair {
		return ""
	}
	return fmt.Sprintf("server %d has %s of the requests, server %d has %s; an equal share is %s",
		most.Server, percent(*most.Share), least.Server, percent(*least.Share), percent(Number(fair)))
}

func byShare(a, b ServerUse) int {
	switch {
	case a.Share == nil || b.Share == nil || *a.Share == *b.Share:
		return 0
	case *a.Share < *b.Share:
		return -1
	}
	return 1
}

// whereTheTimeWent lists the parts of the time of all operations.
func (p *Population) whereTheTimeWent() string {
	o := p.Operations
	if o == nil || o.Time.Total == (Total{}) {
		return "no operation has taken any time"
	}
	var parts []string
	for _, part := range []struct {
		what string
		time Total
	}{
		{"executing", o.Time.Executing}, {"in queues", o.Time.Queued}, {"in the client's own limiter", o.Time.Throttled},
		{"between attempts", o.Time.Paused}, {"on the way", o.Time.Elsewhere},
	} {
		if part.time != (Total{}) {
			parts = append(parts, permille(part.time, o.Time.Total)+" "+part.what)
		}
	}
	text := strings.Join(parts, ", ") + " of the time of operations"
	if e := p.Executions; e != nil {
		text += "; requests execute for " + formatDuration(time.Duration(e.Mean)) + ", as they would on an idle server"
	}
	return text
}

// said returns a text with what comes before and after it, or nothing if there is no text.
func said(text, after string, before ...string) string {
	if text == "" {
		return ""
	}
	return strings.Join(before, "") + text + after
}

// joined joins what was said.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// amount is a number of something.
type amount struct {
	n    int64
	what string
}

// counted lists the amounts that are not 0.
func counted(list ...amount) string {
	var parts []string
	for _, a := range list {
		if a.n > 0 {
			parts = append(parts, formatCount(a.n)+" "+a.what)
		}
	}
	return strings.Join(parts, ", ")
}

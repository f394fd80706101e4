package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/workload"
)

// Metric names what an Expectation is about.
type Metric string

// The metrics.
const (
	// MetricWait is the time from arrival to dispatch, or to the time-out in a queue, as in
	// Wait: one of its quantiles, or its mean.
	MetricWait Metric = "wait"
	// MetricRejected, MetricExecuted and MetricArrivals count requests, in the mean over
	// the replications.
	MetricRejected Metric = "rejected"
	MetricExecuted Metric = "executed"
	MetricArrivals Metric = "arrivals"
	// MetricRetries, MetricGivenUp, MetricRenewedLeases and MetricLostLeases count what
	// happened to clients, in the mean over the replications.
	MetricRetries       Metric = "retries"
	MetricGivenUp       Metric = "givenUp"
	MetricRenewedLeases Metric = "renewedLeases"
	MetricLostLeases    Metric = "lostLeases"
)

// Expectation is a demand on a result. PriorityLevel, FlowSchema and Client (the name
// of a population) select requests; what is empty selects all, and all of them have to
// apply. Long-running requests belong to none.
type Expectation struct {
	Metric                            Metric
	PriorityLevel, FlowSchema, Client string
	// Server is the number of a server, for a metric that can be of one and needs it for
	// MetricServerShare; nil is all of them.
	Server *int
	// Quantile is for the metrics that are distributions, above 0 and at most 1; 0 is the mean.
	Quantile float64
	// At is the time that MetricLimit, which needs it, or MetricSeatsPeak is about.
	At *time.Duration
	// Equals, Below and Above bound the value; all that are there have to hold. Below and
	// above are strict. The unit of a time is the nanosecond.
	Equals, Below, Above *float64
}

// Outcome is how a result does by an expectation.
type Outcome string

// The outcomes. NoData fails too: nothing was measured that could be judged, and an
// empty measurement proves nothing.
const (
	Passed Outcome = "passed"
	Failed Outcome = "failed"
	NoData Outcome = "no data"
)

// Verdict is the outcome of one expectation.
type Verdict struct {
	Expectation Expectation
	Outcome     Outcome
	// Value is what was measured, in the unit of the expectation; Samples is the number of
	// requests that it rests on.
	Value   float64
	Samples int64
	// FewSamples tells that a quantile rests on too few requests to be more than a hint.
	FewSamples bool
	// Why explains NoData.
	Why string
}

// Passed tells whether the expectation holds.
func (v *Verdict) Passed() bool { return v.Outcome == Passed }

// Judge holds a result against expectations, in their order. It panics on an
// expectation that is malformed: an unknown metric, no bound, a quantile that is out of
// range or of something else than a wait.
//
// It needs the distributions that Merge leaves in a result. A result that was read from
// JSON has not kept them, and all its verdicts are NoData.
func Judge(r *Result, expectations []Expectation) []Verdict {
	verdicts := make([]Verdict, 0, len(expectations))
	for _, e := range expectations {
		e.check()
		verdicts = append(verdicts, judge(r.books, e))
	}
	return verdicts
}

func (e *Expectation) check() {
	switch {
	case e.Equals == nil && e.Below == nil && e.Above == nil:
		panic(fmt.Sprintf("reports: an expectation of %s has no bound", e.Metric))
	case e.Quantile != 0 && !e.Metric.hasQuantiles():
		panic(fmt.Sprintf("reports: an expectation of a quantile of %s", e.Metric))
	case !(e.Quantile >= 0 && e.Quantile <= 1):
		panic(fmt.Sprintf("reports: an expectation of the quantile %v", e.Quantile))
	case e.Server != nil && !e.Metric.ofServer() || e.Server == nil && e.Metric == MetricServerShare:
		panic(fmt.Sprintf("reports: an expectation of %s with the server %v", e.Metric, e.Server))
	case e.At != nil && !e.Metric.timed() || e.At == nil && e.Metric == MetricLimit:
		panic(fmt.Sprintf("reports: an expectation of %s with the time %v", e.Metric, e.At))
	}
}

func judge(b *books, e Expectation) Verdict {
	if b == nil {
		return Verdict{Expectation: e, Outcome: NoData, Why: "the result was read from a file, which holds no distributions"}
	}
	return measure(b, e).judged()
}

// measure takes the value that an expectation is about, or says in Why that there is none.
func measure(b *books, e Expectation) Verdict {
	v := Verdict{Expectation: e, Outcome: NoData}
	s, why := b.find(&e)
	if why != "" {
		v.Why = why
		return v
	}
	if measure := measures[e.Metric]; measure != nil {
		measure(&v, b, s)
		return v
	}
	switch e.Metric {
	case MetricWait:
		v.quantile(b.limited(s), "no request that can wait was dispatched or timed out")
	case MetricRetries, MetricGivenUp, MetricRenewedLeases, MetricLostLeases:
		v.measureClients(b, s)
	case MetricSeats:
		v.measureSeats(b, s)
	case MetricSeatsPeak, MetricWaitingPeak, MetricLimit:
		v.measureLevel(b, s)
	default:
		v.measureRequests(b.sum(s), b.runs)
	}
	return v
}

// judged holds the value against the bounds, unless there is none.
func (v Verdict) judged() Verdict {
	switch {
	case v.Why != "":
	case v.Expectation.holds(v.Value):
		v.Outcome = Passed
	default:
		v.Outcome = Failed
	}
	return v
}

// find translates the names of an expectation, or says which one nothing has.
func (b *books) find(e *Expectation) (s selection, why string) {
	s = selection{all, all, all}
	look := func(kind, name string, n int, nameOf func(int) string) int {
		if name == "" {
			return all
		}
		for i := range n {
			if nameOf(i) == name {
				return i
			}
		}
		why = fmt.Sprintf("there is no %s %q", kind, name)
		return all
	}
	s.level = look("priority level", e.PriorityLevel, len(b.levels), func(i int) string { return b.levels[i].info.Name })
	s.schema = look("flow schema", e.FlowSchema, len(b.schemas), func(i int) string { return b.schemas[i] })
	s.population = look("client population", e.Client, len(b.populations), func(i int) string { return b.populations[i].name })
	if s.level != all && s.schema != all && !slices.ContainsFunc(b.columns, s.has) {
		why = fmt.Sprintf("flow schema %q does not lead to priority level %q", e.FlowSchema, e.PriorityLevel)
	}
	return s, why
}

// limited adds up the waits of a selection, without those of exempt levels, where
// nothing waits, unless it is of one population. What it returns is the books' own.
func (b *books) limited(s selection) *waits {
	if known := b.limits[s]; known != nil {
		return known
	}
	total := &waits{}
	b.limits[s] = total
	for _, c := range b.columns {
		if !s.has(c) || b.exempt(c.level) && s.population == all {
			continue
		}
		total.merge(&b.sum(selection{s.population, c.schema, c.level}).waits, fine)
	}
	return total
}

// quantile takes a quantile or the mean of a distribution, or says why there is none.
func (v *Verdict) quantile(w *waits, without string) {
	v.Samples = w.count()
	if v.Samples == 0 {
		v.Why = without
		return
	}
	q := v.Expectation.Quantile
	if q == 0 {
		v.Value = float64(w.mean())
		return
	}
	v.Value = float64(w.quantile(q))
	v.FewSamples = tooFew(v.Samples, q)
}

// tooFew tells that fewer than one of so many samples lies beyond a quantile. The margin is for
// shares like 0.99 of 100, which floating point makes a little less than one.
func tooFew(samples int64, q float64) bool { return q < 1 && float64(samples)*(1-q) < 1-1e-9 }

// measureClients counts what happened to clients. There is no data about clients that
// sent nothing, nor about leases where there are none.
func (v *Verdict) measureClients(b *books, s selection) {
	if s.schema != all || s.level != all {
		v.Why = fmt.Sprintf("%s belong to clients, not to a priority level or flow schema", v.Expectation.Metric)
		return
	}
	v.Samples = b.sum(s).arrivals
	sum := b.clients(s)
	var n int64
	leases := sum.events[workload.LeaseRenewed] + sum.events[workload.LeaseLost]
	switch v.Expectation.Metric {
	case MetricRetries:
		n = sum.events[workload.Retried]
	case MetricGivenUp:
		n = sum.events[workload.GaveUp]
	case MetricRenewedLeases:
		n, v.Samples = sum.events[workload.LeaseRenewed], leases
	case MetricLostLeases:
		n, v.Samples = sum.events[workload.LeaseLost], leases
	}
	if v.Samples == 0 {
		v.Why = "no request arrived, or no lease was held"
	}
	v.Value = float64(n) / float64(b.runs)
}

func (v *Verdict) measureRequests(c *cell, runs int) {
	v.Samples = c.arrivals
	if c.arrivals == 0 && v.Expectation.Metric != MetricArrivals {
		v.Why = "no request arrived"
		return
	}
	var n int64
	switch v.Expectation.Metric {
	case MetricRejected:
		n = c.refused()
	case MetricExecuted:
		n = c.executed
	case MetricArrivals:
		n = c.arrivals
	default:
		panic(fmt.Sprintf("reports: an expectation of the metric %q", v.Expectation.Metric))
	}
	v.Value = float64(n) / float64(runs)
}

func (e *Expectation) holds(x float64) bool {
	return (e.Equals == nil || x == *e.Equals) &&
		(e.Below == nil || x < *e.Below) &&
		(e.Above == nil || x > *e.Above)
}

// Judged returns the verdict as a result keeps it, without the place in the scenario.
func (v *Verdict) Judged() Judged {
	j := Judged{Text: v.Expectation.String(), Verdict: v.String(), Outcome: v.Outcome, Samples: v.Samples, FewSamples: v.FewSamples, Why: v.Why}
	if v.Outcome != NoData {
		j.Value = new(v.Expectation.figure(v.Value))
	}
	return j
}

// Passed tells whether all expectations of the scenario hold.
func (r *Result) Passed() bool {
	return !slices.ContainsFunc(r.Expectations, func(j Judged) bool { return j.Outcome != Passed })
}

// String is the verdict in one line; one that did not pass says where the scenario asks for it.
func (j *Judged) String() string {
	if j.Outcome == Passed || j.File == "" {
		return j.Verdict
	}
	return fmt.Sprintf("%s (%s:%d:%d)", j.Verdict, j.File, j.Line, j.Column)
}

// String says what was demanded, what was measured and how many requests that rests
// on, such as
//
//	passed: wait p99 of priority level leader-election below 100ms: 12.3ms (n=4,210)
func (v *Verdict) String() string {
	text := fmt.Sprintf("%s: %s", v.Outcome, v.Expectation.String())
	if v.Outcome == NoData {
		return text + ": " + v.Why
	}
	text += fmt.Sprintf(": %s (n=%s", v.Expectation.format(v.Value), formatCount(v.Samples))
	if v.FewSamples {
		text += ", too few for this quantile"
	}
	return text + ")"
}

// Subject says what is measured, such as "wait p99 of priority level leader-election".
func (e *Expectation) Subject() string {
	words := []string{string(e.Metric)}
	if e.Metric.hasQuantiles() {
		words = append(words, quantileName(e.Quantile))
	}
	for _, s := range []struct{ kind, name string }{
		{"client", e.Client}, {"flow schema", e.FlowSchema}, {"priority level", e.PriorityLevel},
	} {
		if s.name != "" {
			words = append(words, "of", s.kind, s.name)
		}
	}
	if e.Server != nil {
		words = append(words, "of server", strconv.Itoa(*e.Server))
	}
	if e.At != nil {
		words = append(words, "at", e.At.String())
	}
	return strings.Join(words, " ")
}

// String says what is demanded.
func (e *Expectation) String() string {
	var bounds []string
	for _, b := range []struct {
		word  string
		bound *float64
	}{{"equal to", e.Equals}, {"above", e.Above}, {"below", e.Below}} {
		if b.bound != nil {
			bounds = append(bounds, b.word+" "+e.format(*b.bound))
		}
	}
	return e.Subject() + " " + strings.Join(bounds, " and ")
}

func quantileName(q float64) string {
	if q == 0 {
		return "mean"
	}
	percent := roundSignificant(q*100, 12)
	return "p" + strconv.FormatFloat(percent, 'f', -1, 64)
}

// format writes a value of the metric, exactly.
func (e *Expectation) format(x float64) string {
	if e.Metric.isTime() {
		return formatTimeOf(x)
	}
	if e.Metric == MetricSeats || e.Metric == MetricErrorRate || e.Metric == MetricAttemptsPerSuccess || e.Metric == MetricServerShare {
		x = roundSignificant(x, 6)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

package reports

import (
	"fmt"
	"slices"
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
	// MetricRejectedFraction is the part of the arrivals that was rejected, from 0 to 1.
	MetricRejectedFraction Metric = "rejectedFraction"
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
	// Holder is the population that MetricBlame, which needs it, blames.
	Holder string
	// Flow is the distinguisher of one flow of FlowSchema, for the metrics of requests; nil for
	// all. It goes with no Client.
	Flow *string
	// Window is the time that is looked at, the zero value all that is after the warm-up.
	Window Window
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
	// AllowNoData lets an expectation pass of which nothing was measured. Confident makes one
	// fail that holds if the interval over the replications reaches beyond its bounds.
	AllowNoData, Confident bool
}

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
		verdicts = append(verdicts, r.judge(e))
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
	case e.Flow != nil && (e.FlowSchema == "" || e.Client != "" || !e.Metric.ofFlow()):
		panic(fmt.Sprintf("reports: an expectation of %s of the flow %q of flow schema %q and client %q", e.Metric, *e.Flow, e.FlowSchema, e.Client))
	case (e.Holder != "") != (e.Metric == MetricBlame):
		panic(fmt.Sprintf("reports: an expectation of %s with the holder %q", e.Metric, e.Holder))
	case e.At != nil && !e.Metric.timed() || e.At == nil && e.Metric == MetricLimit:
		panic(fmt.Sprintf("reports: an expectation of %s with the time %v", e.Metric, e.At))
	}
}

func (r *Result) judge(e Expectation) Verdict {
	if r.books == nil {
		return Verdict{Expectation: e, Outcome: NoData, Why: "the result was read from a file, which holds no distributions"}
	}
	pooled, own := r.booksOf(e.Window)
	v := measure(pooled, e)
	if e.Window != (Window{}) && strings.HasPrefix(v.Why, "no ") {
		v.Why += " in that time"
	}
	if v.Why == "" {
		f, _ := measureAll(pooled, own, e)
		v.FewSamples = f.FewSamples
		v.spread(&f)
	}
	return v.judged()
}

// measure takes the value that an expectation is about, or says in Why that there is none.
func measure(b *books, e Expectation) Verdict {
	v := Verdict{Expectation: e, Outcome: NoData}
	s, why := b.find(&e)
	if why != "" {
		v.Why = why
		return v
	}
	if e.Flow != nil {
		v.measureFlow(b, s)
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
	case MetricFairness:
		v.measureFairness(b, s)
	case MetricBlame:
		v.measureBlame(b, s)
	default:
		v.measureRequests(b.sum(s), b.runs)
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
	case MetricRejectedFraction:
		v.Value = float64(c.refused()) / float64(c.arrivals)
		return
	default:
		panic(fmt.Sprintf("reports: an expectation of the metric %q", v.Expectation.Metric))
	}
	v.Value = float64(n) / float64(runs)
}

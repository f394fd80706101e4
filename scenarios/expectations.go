package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Metric names what an expectation is about.
type Metric string

// The metrics. MetricWait is a distribution of durations, of which a quantile is
// judged; all others are numbers. MetricLimit, MetricSeatsPeak and MetricWaitingPeak are
// of a priority level, MetricSeats is the mean number of seats in use of anything; the last
// four belong to clients.
const (
	MetricWait          Metric = "wait"
	MetricArrivals      Metric = "arrivals"
	MetricExecuted      Metric = "executed"
	MetricRejected      Metric = "rejected"
	MetricLimit         Metric = "limit"
	MetricSeats         Metric = "seats"
	MetricSeatsPeak     Metric = "seatsPeak"
	MetricWaitingPeak   Metric = "waitingPeak"
	MetricRetries       Metric = "retries"
	MetricGivenUp       Metric = "givenUp"
	MetricRenewedLeases Metric = "renewedLeases"
	MetricLostLeases    Metric = "lostLeases"
)

var allMetrics = []Metric{
	MetricWait, MetricArrivals, MetricExecuted, MetricRejected,
	MetricLimit, MetricSeats, MetricSeatsPeak, MetricWaitingPeak,
	MetricRetries, MetricGivenUp, MetricRenewedLeases, MetricLostLeases,
}

func (Metric) legal() []string {
	names := make([]string, len(allMetrics))
	for i, m := range allMetrics {
		names[i] = string(m)
	}
	return names
}

// IsDuration tells that the metric is a distribution of durations and not a count.
func (m Metric) IsDuration() bool { return m == MetricWait }

// OfClients tells that the metric is about clients, and has no priority level or flow
// schema.
func (m Metric) OfClients() bool {
	return slices.Index(allMetrics, m) >= slices.Index(allMetrics, MetricRetries)
}

// OfLevel tells that the metric is about one priority level over time.
func (m Metric) OfLevel() bool {
	return m == MetricLimit || m == MetricSeatsPeak || m == MetricWaitingPeak
}

// Bound is one side of an expectation.
type Bound struct {
	// Text is what the scenario says.
	Text string
	// Value is the bound: in nanoseconds for a duration, else a count.
	Value float64
}

// Expectation is one line of a scenario's expect. At most one of PriorityLevel,
// FlowSchema and Client is set; without any, the metric is over all requests. At least
// one of Below (exclusive), Above (exclusive) and Equals is set.
type Expectation struct {
	Metric                            Metric
	PriorityLevel, FlowSchema, Client string
	// Quantile is the one of a duration's distribution, above 0 and at most 1; 0 for a
	// count. 1 is the maximum.
	Quantile float64
	// At is the time that is looked at: always for MetricLimit, perhaps for MetricSeatsPeak.
	At                   *time.Duration
	Below, Above, Equals *Bound
	// File, Line and Column tell where the scenario says so.
	File         string
	Line, Column int
}

// boundSpec is a bound as written. What it may be depends on the metric.
type boundSpec struct {
	written *node
}

func (b *boundSpec) readNode(d *decoder, n *node, path string) {
	if n.kind != scalarNode {
		d.wrongType(n, path, "a number or a duration", "")
		return
	}
	b.written = n
}

// expectations checks and converts the expectations. What they refer to has to exist.
func (l *loader) expectations(specs []expectSpec) []Expectation {
	var out []Expectation
	for i := range specs {
		path, s := index("expect", i), &specs[i]
		at := l.at(path)
		e := Expectation{
			Metric: s.Metric, PriorityLevel: s.PriorityLevel, FlowSchema: s.FlowSchema, Client: s.Client,
			Quantile: value(s.Quantile, 0), File: at.File, Line: at.Line, Column: at.Column,
		}
		if l.require(path, "metric", strings.Join(s.Metric.legal(), ", ")) {
			l.scope(path, s)
			l.quantile(path, s)
			e.At = l.moment(path, s)
			e.Below, e.Above, e.Equals = l.bound(path, "below", s.Metric, s.Below), l.bound(path, "above", s.Metric, s.Above), l.bound(path, "equals", s.Metric, s.Equals)
			l.bounds(path, &e)
		}
		out = append(out, e)
	}
	return out
}

// scope checks what an expectation looks at.
func (l *loader) scope(path string, s *expectSpec) {
	var given []string
	for _, f := range []struct {
		field, text string
		known       []string
	}{
		{"priorityLevel", s.PriorityLevel, withLater(l.levelNames(), l.later.laterLevels)},
		{"flowSchema", s.FlowSchema, withLater(l.schemaNames(), l.later.laterSchemas)},
		{"client", s.Client, l.clientNames()},
	} {
		at := join(path, f.field)
		if !l.has(at) {
			continue
		}
		given = append(given, f.field)
		if !slices.Contains(f.known, f.text) {
			l.refuse(at, fault{code: CodeReference, message: fmt.Sprintf("%s: there is no %s %q", path, f.field, shorten(f.text)),
				legal: strings.Join(f.known, ", "), hint: didYouMean(f.text, f.known)})
		}
	}
	if len(given) > 1 {
		l.refuse(path, fault{code: CodeExcludes, message: fmt.Sprintf("%s has %s; only one can be", path, strings.Join(given, " and ")), legal: "priorityLevel, flowSchema, client, or none of them"})
	}
	if s.Metric.OfClients() {
		l.excluded(path, "for the metric "+string(s.Metric)+", which is about clients", "priorityLevel", "flowSchema")
	}
	if s.Metric.OfLevel() {
		l.require(path, "priorityLevel", "the name of a priority level")
		l.excluded(path, "for the metric "+string(s.Metric)+", which is of a priority level", "flowSchema", "client")
	}
}

// moment checks the time that an expectation is about.
func (l *loader) moment(path string, s *expectSpec) *time.Duration {
	switch s.Metric {
	case MetricLimit:
		l.require(path, "at", "a time of the run, such as 30s")
	case MetricSeatsPeak:
	default:
		l.excluded(path, "for the metric "+string(s.Metric)+", which is of the whole run", "at")
	}
	if s.At == nil {
		return nil
	}
	at := time.Duration(*s.At)
	return &at
}

func (l *loader) quantile(path string, s *expectSpec) {
	at := join(path, "quantile")
	switch {
	case !s.Metric.IsDuration():
		l.excluded(path, "for the metric "+string(s.Metric)+", which is a count", "quantile")
	case !l.require(path, "quantile", "a number above 0, at most 1: 0.99 is the 99th percentile, 1 the maximum"):
	case !(*s.Quantile > 0 && *s.Quantile <= 1):
		f := fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is out of range: %g", at, *s.Quantile), legal: "a number above 0, at most 1"}
		if *s.Quantile > 1 && *s.Quantile <= 100 {
			f.hint = fmt.Sprintf("did you mean %g?", *s.Quantile/100)
		}
		l.refuse(at, f)
	}
}

// bound converts one bound.
func (l *loader) bound(path, field string, m Metric, s *boundSpec) *Bound {
	if s == nil || s.written == nil {
		return nil
	}
	at, n := join(path, field), s.written
	if m.IsDuration() {
		var v duration
		v.readNode(l.decoder, n, at)
		return &Bound{Text: n.text, Value: float64(v)}
	}
	f, ok := l.float(n, at)
	if ok && f < 0 {
		l.refuse(at, fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is negative: %s", at, n.text), legal: "a count of 0 or more"})
	}
	return &Bound{Text: n.text, Value: f}
}

// bounds checks that the bounds can be met together.
func (l *loader) bounds(path string, e *Expectation) {
	switch {
	case e.Below == nil && e.Above == nil && e.Equals == nil:
		if slices.ContainsFunc([]string{"below", "above", "equals"}, func(f string) bool { return !l.sound(join(path, f)) }) {
			return
		}
		l.refuse(path, fault{code: CodeMissing, message: path + " expects nothing of " + string(e.Metric), legal: "below, above, equals"})
	case e.Equals != nil:
		l.excluded(path, "beside equals", "below", "above")
	case e.Below != nil && e.Above != nil && l.sound(join(path, "below")) && l.sound(join(path, "above")) && e.Below.Value <= e.Above.Value:
		l.refuse(join(path, "below"), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s: nothing is above %s and below %s", path, e.Above.Text, e.Below.Text)})
	case e.Below != nil && e.Below.Value == 0 && l.sound(join(path, "below")):
		l.refuse(join(path, "below"), fault{code: CodeOutOfRange, message: join(path, "below") + " is 0, and nothing is less", hint: "write equals: 0"})
	}
}

package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Metric names what an expectation is about.
type Metric string

// The metrics, as reports names them.
const (
	MetricWait               Metric = "wait"
	MetricArrivals           Metric = "arrivals"
	MetricExecuted           Metric = "executed"
	MetricRejected           Metric = "rejected"
	MetricRejectedFraction   Metric = "rejectedFraction"
	MetricCut                Metric = "cut"
	MetricSeats              Metric = "seats"
	MetricLimit              Metric = "limit"
	MetricSeatsPeak          Metric = "seatsPeak"
	MetricWaitingPeak        Metric = "waitingPeak"
	MetricFairness           Metric = "fairness"
	MetricBlame              Metric = "blame"
	MetricDrained            Metric = "drained"
	MetricLatency            Metric = "latency"
	MetricErrors             Metric = "errors"
	MetricErrorRate          Metric = "errorRate"
	MetricAttemptsPerSuccess Metric = "attemptsPerSuccess"
	MetricRefused            Metric = "refused"
	MetricThrottled          Metric = "throttled"
	MetricRetries            Metric = "retries"
	MetricGivenUp            Metric = "givenUp"
	MetricRenewedLeases      Metric = "renewedLeases"
	MetricLostLeases         Metric = "lostLeases"
	MetricNotReady           Metric = "notReady"
	MetricTimeToSync         Metric = "timeToSync"
	MetricNeverSynced        Metric = "neverSynced"
	MetricRelists            Metric = "relists"
	MetricRestarts           Metric = "restarts"
	MetricDropped            Metric = "dropped"
	MetricServerShare        Metric = "serverShare"
	MetricServerRestarts     Metric = "serverRestarts"
	MetricOutOfMemory        Metric = "outOfMemory"
	MetricDeadlocks          Metric = "deadlocks"
)

// subject is what a metric is about.
type subject uint8

const (
	// ofAnything: requests, of a level, a schema, a population or all.
	ofAnything subject = iota
	// ofLevel: one priority level over time.
	ofLevel
	// ofWaiting: waiting for seats, in a level or all, by a population or all.
	ofWaiting
	// ofBacklog: one priority level or one population.
	ofBacklog
	// ofClients: a population, or all clients.
	ofClients
	// ofServers: one server, or all.
	ofServers
	// ofRun: the run.
	ofRun
)

// metricTraits are all metrics, in the order in which they are listed, and what is so of each.
var metricTraits = []struct {
	metric  Metric
	subject subject
	// time tells that the bounds are durations, quantile that one of a distribution is judged.
	time, quantile bool
}{
	{MetricWait, ofAnything, true, true}, {MetricArrivals, ofAnything, false, false}, {MetricExecuted, ofAnything, false, false},
	{MetricRejected, ofAnything, false, false}, {MetricRejectedFraction, ofAnything, false, false}, {MetricCut, ofAnything, false, false}, {MetricSeats, ofAnything, false, false},
	{MetricLimit, ofLevel, false, false}, {MetricSeatsPeak, ofLevel, false, false}, {MetricWaitingPeak, ofLevel, false, false},
	{MetricFairness, ofLevel, false, false}, {MetricBlame, ofWaiting, false, false},
	{MetricDrained, ofBacklog, true, false},
	{MetricLatency, ofClients, true, true}, {MetricErrors, ofClients, false, false}, {MetricErrorRate, ofClients, false, false},
	{MetricAttemptsPerSuccess, ofClients, false, false}, {MetricRefused, ofClients, false, false}, {MetricThrottled, ofClients, false, false},
	{MetricRetries, ofClients, false, false}, {MetricGivenUp, ofClients, false, false},
	{MetricRenewedLeases, ofClients, false, false}, {MetricLostLeases, ofClients, false, false}, {MetricNotReady, ofClients, false, false},
	{MetricTimeToSync, ofClients, true, true}, {MetricNeverSynced, ofClients, false, false}, {MetricRelists, ofClients, false, false},
	{MetricRestarts, ofClients, false, false}, {MetricDropped, ofClients, false, false},
	{MetricServerShare, ofServers, false, false}, {MetricServerRestarts, ofServers, false, false}, {MetricOutOfMemory, ofServers, false, false},
	{MetricDeadlocks, ofRun, false, false},
}

// isShare tells that no value of a metric is above 1.
func (m Metric) isShare() bool {
	switch m {
	case MetricRejectedFraction, MetricFairness, MetricBlame, MetricErrorRate, MetricServerShare:
		return true
	}
	return false
}

func (Metric) legal() []string {
	names := make([]string, len(metricTraits))
	for i := range metricTraits {
		names[i] = string(metricTraits[i].metric)
	}
	return names
}

// traits finds what is so of a metric; one that is not known is like MetricArrivals.
func (m Metric) traits() (about subject, time, quantile bool) {
	for i := range metricTraits {
		if t := &metricTraits[i]; t.metric == m {
			return t.subject, t.time, t.quantile
		}
	}
	return ofAnything, false, false
}

// Bound is one side of an expectation.
type Bound struct {
	// Text is what the scenario says.
	Text string
	// Value is the bound: in nanoseconds for a duration, else a count.
	Value float64
}

// Expectation is one line of a scenario's expect. PriorityLevel, FlowSchema and Client select
// requests, and all that are set have to apply; without any, the metric is over everything. At
// least one of Below (exclusive), Above (exclusive) and Equals is set.
type Expectation struct {
	Metric                            Metric
	PriorityLevel, FlowSchema, Client string
	// Holder is the population that MetricBlame blames.
	Holder string
	// Flow is the distinguisher of one flow of FlowSchema, nil for all.
	Flow *string
	// From and Until are the part of the run that is looked at: what arrives in it. Both are 0
	// for all that is after the warm-up; Until is 0 for the end.
	From, Until time.Duration
	// AllowNoData lets it pass if nothing was measured, Confident asks that it holds for the
	// whole interval over the replications.
	AllowNoData, Confident bool
	// Quantile is the one of a duration's distribution, above 0 and at most 1; 0 for a
	// count. 1 is the maximum.
	Quantile float64
	// Server is the number of the server, nil for all of them.
	Server *int
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
func (l *loader) expectations(specs []expectSpec, run *Scenario) []Expectation {
	var out []Expectation
	for i := range specs {
		path, s := index("expect", i), &specs[i]
		at := l.at(path)
		e := Expectation{
			Metric: s.Metric, PriorityLevel: s.PriorityLevel, FlowSchema: s.FlowSchema, Client: s.Client, Holder: s.Holder,
			Quantile: value(s.Quantile, 0), File: at.File, Line: at.Line, Column: at.Column,
		}
		if l.require(path, "metric", strings.Join(s.Metric.legal(), ", ")) {
			l.scope(path, s)
			l.quantile(path, s)
			e.At, e.Server = l.moment(path, s), s.Server
			e.Flow = l.flow(path, s)
			e.From, e.Until = l.window(path, s, run)
			e.AllowNoData, e.Confident = s.AllowNoData, l.confident(path, s, run)
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
		field, kind, text string
		known             []string
	}{
		{"priorityLevel", "priorityLevel", s.PriorityLevel, withLater(l.levelNames(), l.later.laterLevels)},
		{"flowSchema", "flowSchema", s.FlowSchema, withLater(l.schemaNames(), l.later.laterSchemas)},
		{"client", "client", s.Client, l.clientNames()},
		{"holder", "client", s.Holder, l.clientNames()},
	} {
		at := join(path, f.field)
		if !l.has(at) {
			continue
		}
		if f.field != "holder" {
			given = append(given, f.field)
		}
		if !slices.Contains(f.known, f.text) {
			l.refuse(at, fault{code: CodeReference, message: fmt.Sprintf("%s: there is no %s %q", path, f.kind, shorten(f.text)),
				legal: strings.Join(f.known, ", "), hint: didYouMean(f.text, f.known)})
		}
	}
	if about, _, _ := s.Metric.traits(); about == ofBacklog && len(given) > 1 {
		l.refuse(path, fault{code: CodeExcludes, message: fmt.Sprintf("%s has %s; only one can be", path, strings.Join(given, " and ")), legal: "priorityLevel, client"})
	}
	l.subject(path, s)
	l.leads(path, s)
}

// subject checks that an expectation looks at what its metric is of.
func (l *loader) subject(path string, s *expectSpec) {
	metric := "for the metric " + string(s.Metric)
	about, _, _ := s.Metric.traits()
	switch about {
	case ofLevel:
		l.require(path, "priorityLevel", "the name of a priority level")
		l.excluded(path, metric+", which is of a priority level", "flowSchema", "client")
	case ofWaiting:
		l.require(path, "holder", "the name of the population that is blamed")
		l.excluded(path, metric+", which is of a level or a population", "flowSchema")
	case ofBacklog:
		if !l.has(join(path, "priorityLevel")) {
			l.require(path, "client", "the name of a population, or priorityLevel: the name of a level")
		}
		l.excluded(path, metric+", which is of a level or a population", "flowSchema")
	case ofClients:
		l.excluded(path, metric+", which is about clients", "priorityLevel", "flowSchema")
	case ofServers, ofRun:
		l.excluded(path, metric+", which is about servers", "priorityLevel", "flowSchema", "client")
	}
	if about != ofWaiting {
		l.excluded(path, metric+", which blames nobody", "holder")
	}
	if about != ofServers {
		l.excluded(path, metric+", which is not of one server", "server")
		return
	}
	if s.Metric == MetricServerShare {
		l.require(path, "server", "the number of a server, from 0")
	}
	if s.Server != nil {
		l.inRange(join(path, "server"), int64(*s.Server), 0, int64(value(l.spec.Server.Count, 1)-1))
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
	_, _, quantile := s.Metric.traits()
	switch {
	case !quantile:
		l.excluded(path, "for the metric "+string(s.Metric)+", which is no distribution", "quantile")
	case !l.require(path, "quantile", "a number above 0, at most 1: 0.99 is the 99th percentile, 1 the maximum"):
	case !(*s.Quantile > 0 && *s.Quantile <= 1):
		f := fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is out of range: %g", at, *s.Quantile), legal: "a number above 0, at most 1"}
		if *s.Quantile > 1 {
			f.hint = percentHint(*s.Quantile)
		}
		l.refuse(at, f)
	}
}

// percentHint is for a number that may have been meant in percent.
func percentHint(percent float64) string {
	if percent > 100 {
		return ""
	}
	return fmt.Sprintf("did you mean %g?", percent/100)
}

// bound converts one bound.
func (l *loader) bound(path, field string, m Metric, s *boundSpec) *Bound {
	if s == nil || s.written == nil {
		return nil
	}
	at, n := join(path, field), s.written
	if _, isTime, _ := m.traits(); isTime {
		var v duration
		v.readNode(l.decoder, n, at)
		return &Bound{Text: n.text, Value: float64(v)}
	}
	if percent, is := strings.CutSuffix(n.text, "%"); is && m.isShare() {
		f := fault{code: CodeWrongType, message: fmt.Sprintf("%s must be a number, not the text %q", at, shorten(n.text)), legal: "a number from 0 to 1"}
		if x, err := strconv.ParseFloat(percent, 64); err == nil && x >= 0 {
			f.hint = percentHint(x)
		}
		l.refuse(at, f)
		return nil
	}
	f, ok := l.float(n, at)
	switch {
	case ok && f < 0:
		l.refuse(at, fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is negative: %s", at, n.text), legal: "a count of 0 or more"})
	case ok && f > 1 && m.isShare():
		l.refuse(at, fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is above 1, and %s never is: %s", at, m, n.text), legal: "a number from 0 to 1", hint: percentHint(f)})
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

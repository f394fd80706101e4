package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
)

// worseUp tells of each metric what it means if it goes up: 1 that things are worse, -1 that
// they are better, 0 that it depends.
var worseUp = map[reports.Metric]int{
	reports.MetricWait: 1, reports.MetricArrivals: 0, reports.MetricExecuted: 0, reports.MetricRejected: 1, reports.MetricRejectedFraction: 1,
	reports.MetricCut: 1, reports.MetricSeats: 0, reports.MetricSeatsPeak: 0, reports.MetricLimit: 0,
	reports.MetricWaitingPeak: 1, reports.MetricFairness: -1, reports.MetricBlame: 0, reports.MetricDrained: 1,
	reports.MetricLatency: 1, reports.MetricErrors: 1, reports.MetricErrorRate: 1, reports.MetricAttemptsPerSuccess: 1,
	reports.MetricRefused: 1, reports.MetricThrottled: 1, reports.MetricRetries: 1, reports.MetricGivenUp: 1,
	reports.MetricRenewedLeases: -1, reports.MetricLostLeases: 1, reports.MetricNotReady: 1, reports.MetricTimeToSync: 1,
	reports.MetricNeverSynced: 1, reports.MetricRelists: 1, reports.MetricRestarts: 1, reports.MetricDropped: 1,
	reports.MetricServerShare: 0, reports.MetricServerRestarts: 1, reports.MetricOutOfMemory: 1, reports.MetricDeadlocks: 1,
}

// direction says what a difference means that is no chance.
func direction(metric reports.Metric, difference float64) Verdict {
	switch up := worseUp[metric]; {
	case up == 0:
		return Changed
	case float64(up)*difference > 0:
		return Worse
	}
	return Better
}

// WorseUp tells what it means if a metric goes up: 1 that things are worse, -1 that they are better, 0
// that it depends.
func WorseUp(metric reports.Metric) int { return worseUp[metric] }

// headlines are the figures that matter most, in this order. The text shows these alone unless
// it is asked for all.
var headlines = []struct {
	metric   reports.Metric
	quantile float64
}{
	{reports.MetricWait, 0.99}, {reports.MetricWait, 0}, {reports.MetricRejected, 0},
	{reports.MetricLatency, 0.99}, {reports.MetricLatency, 0}, {reports.MetricErrors, 0}, {reports.MetricLostLeases, 0},
	{reports.MetricGivenUp, 0}, {reports.MetricNotReady, 0}, {reports.MetricTimeToSync, 0.99}, {reports.MetricNeverSynced, 0},
	{reports.MetricCut, 0}, {reports.MetricDrained, 0}, {reports.MetricServerRestarts, 0}, {reports.MetricOutOfMemory, 0}, {reports.MetricDeadlocks, 0},
	{reports.MetricSeats, 0},
}

// headline is the place of a row among the headlines, math.MaxInt if it is none of them.
func (r *Row) headline() int {
	for i, h := range headlines {
		if h.metric == r.Metric && h.quantile == r.Quantile {
			return i
		}
	}
	return math.MaxInt
}

// kind is what a row is of.
type kind int

// The kinds, in the order in which they are shown.
const (
	ofLevel kind = iota
	ofClient
	ofRun
	ofServer
	ofSchema
)

// kind tells what a row is of, and the name of that.
func (r *Row) kind() (kind, string) {
	switch {
	case r.PriorityLevel != "":
		return ofLevel, r.PriorityLevel
	case r.Client != "":
		return ofClient, r.Client
	case r.FlowSchema != "":
		return ofSchema, r.FlowSchema
	case r.Server != nil:
		return ofServer, serverName(*r.Server)
	}
	return ofRun, ""
}

// order sorts rows by what they are of, then by the subject in the order in which the results
// have them, then headlines by their importance before other figures.
func order(rows []Row) {
	type subject struct {
		kind kind
		name string
	}
	places := map[subject]int{}
	for i := range rows {
		k, name := rows[i].kind()
		if _, ok := places[subject{k, name}]; !ok {
			places[subject{k, name}] = len(places)
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		ka, nameA := a.kind()
		kb, nameB := b.kind()
		return cmp.Or(cmp.Compare(ka, kb), cmp.Compare(places[subject{ka, nameA}], places[subject{kb, nameB}]), cmp.Compare(a.headline(), b.headline()))
	})
}

// figure names what a row measures: "wait p99", "blame on tenants".
func (r *Row) figure() string {
	f := reports.Figure{Metric: r.Metric, Holder: r.Holder, Quantile: r.Quantile}
	return f.Name()
}

// negligible tells that a difference is sure and so small that it would be shown as 0.0 %, or
// that only one side has a value, and that is 0.
func (r *Row) negligible() bool {
	zero := func(v *reports.Value) bool { return v == nil || *v == 0 }
	return r.Relative != nil && math.Abs(float64(*r.Relative)) < 0.0005 || zero(r.A) && zero(r.B)
}

// shown picks the rows of one kind that a text shows.
func (c *Comparison) shown(of kind, all bool) []*Row {
	var out []*Row
	for i := range c.Rows {
		row := &c.Rows[i]
		if k, _ := row.kind(); k != of {
			continue
		}
		differs := row.Verdict != Same && row.Verdict != Unclear && !row.negligible()
		if all || differs && row.headline() < math.MaxInt && of != ofSchema {
			out = append(out, row)
		}
	}
	return out
}

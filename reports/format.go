package reports

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// Text writes a value of the metric for people: a time with three significant digits, another
// figure with one decimal or three significant digits. It may be negative, as differences are.
func (m Metric) Text(v Value) string {
	x := float64(v)
	switch {
	case math.IsInf(x, 1):
		return "never"
	case m.isTime():
		return formatDuration(time.Duration(math.Round(x * 1e9)))
	case x < 0:
		return "-" + m.Text(-v)
	case x == math.Trunc(x):
		return formatCount(int64(x))
	}
	return formatNumber(newNumber(x))
}

// Name is how a figure is called beside its subject: "wait p99", "rejected", "blame on tenants".
func (f *Figure) Name() string {
	if f.Holder != "" {
		return string(f.Metric) + " on " + f.Holder
	}
	if !f.Metric.hasQuantiles() {
		return string(f.Metric)
	}
	return string(f.Metric) + " " + quantileName(f.Quantile)
}

// Metrics are all metrics that figures can be of, each once, in the order in which a result has
// them.
func Metrics() []Metric {
	var out []Metric
	for _, list := range [][]Metric{requestMetrics, levelMetrics, clientMetrics, serverMetrics, {MetricDeadlocks, MetricBlame}} {
		out = append(out, list...)
	}
	return out
}

// RoundedValue makes the value of a metric as results keep them: a time to six significant
// digits and whole nanoseconds, another one to six significant digits.
func (m Metric) RoundedValue(x float64) Value {
	if math.IsInf(x, 0) || x == 0 {
		return Value(x)
	}
	x = roundSignificant(x, numberDigits)
	if m.isTime() {
		text := strconv.FormatFloat(x, 'f', 9, 64)
		x, _ = strconv.ParseFloat(text, 64)
	}
	return Value(x)
}

// NewNumber rounds a figure to a Number. It panics on what JSON cannot hold.
func NewNumber(x float64) Number { return newNumber(x) }

// Subject is what a figure can be of.
type Subject int

// The subjects. Of a run is without any other.
const (
	OfRun Subject = iota
	OfPriorityLevel
	OfFlowSchema
	OfClient
	OfServer
)

// CanBe tells whether there are figures of a metric that are of such a subject.
func (m Metric) CanBe(s Subject) bool {
	in := func(lists ...[]Metric) bool { return slices.Contains(slices.Concat(lists...), m) }
	switch s {
	case OfPriorityLevel:
		return in(requestMetrics, levelMetrics)
	case OfFlowSchema:
		return in(requestMetrics)
	case OfClient:
		return in(requestMetrics, clientMetrics, []Metric{MetricDrained, MetricBlame})
	case OfServer:
		return in(serverMetrics)
	}
	return in(requestMetrics, clientMetrics, serverMetrics[1:], []Metric{MetricDeadlocks})
}

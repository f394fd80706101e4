package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Outcome is how a result does by an expectation.
type Outcome string

// The outcomes. NoData fails too, unless it is allowed: nothing was measured that could be
// judged, and an empty measurement proves nothing.
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
	// Interval is where the figure of one replication more is expected in the mean, with 95 %
	// confidence; nil where nothing can be said: of fewer than two replications with data, of an
	// extreme over all replications, and of what has no end.
	Interval *ValueInterval
	// Reaches tells that a bound lies within the interval, so that it may be by chance that the
	// expectation holds, or that it does not.
	Reaches bool
	// Why explains that there is no value.
	Why string
}

// Passed tells whether the expectation holds.
func (v *Verdict) Passed() bool { return v.Outcome == Passed }

// spread takes the interval over the replications.
func (v *Verdict) spread(f *Figure) {
	if v.Expectation.extreme() {
		return
	}
	i, ok := f.Interval()
	if !ok || !i.Known() {
		return
	}
	// None of the metrics can be negative.
	low, high := max(0, i.Low()), i.High()
	if v.Expectation.Metric.isShare() {
		high = min(1, high)
	}
	v.Interval = &ValueInterval{Low: v.Expectation.rounded(low), High: v.Expectation.rounded(high), Replications: i.N}
}

// extreme tells that the value is the largest of all replications, which has no interval.
func (e *Expectation) extreme() bool {
	switch e.Metric {
	case MetricSeatsPeak, MetricWaitingPeak, MetricNotReady, MetricDrained:
		return true
	}
	return e.Quantile == 1
}

// judged holds the value against the bounds.
func (v Verdict) judged() Verdict {
	e := &v.Expectation
	// Where all replications agree, the value alone counts: the ends of the interval are rounded.
	spread := v.Interval != nil && v.Interval.Low != v.Interval.High
	switch {
	case v.Why != "" && e.AllowNoData:
		v.Outcome = Passed
	case v.Why != "":
	case e.holds(v.Value):
		v.Outcome = Passed
		v.Reaches = spread && !(e.holdsOf(v.Interval.Low) && e.holdsOf(v.Interval.High))
		if e.Confident && (v.Interval == nil && !e.extreme() || v.Reaches) {
			v.Outcome = Failed
		}
	default:
		v.Outcome = Failed
		v.Reaches = spread && (e.holdsOf(v.Interval.Low) || e.holdsOf(v.Interval.High))
	}
	return v
}

func (e *Expectation) holds(x float64) bool {
	return (e.Equals == nil || x == *e.Equals) &&
		(e.Below == nil || x < *e.Below) &&
		(e.Above == nil || x > *e.Above)
}

// holdsOf is holds for a value in its base unit.
func (e *Expectation) holdsOf(v Value) bool {
	return (e.Equals == nil || v == e.figure(*e.Equals)) &&
		(e.Below == nil || v < e.figure(*e.Below)) &&
		(e.Above == nil || v > e.figure(*e.Above))
}

// margin is how far the value is from the bound that decides: the nearest one if all hold, else
// the one that is missed most. It is nil without a value, and for what has no end.
func (v *Verdict) margin() *Margin {
	if v.Why != "" || math.IsInf(v.Value, 0) {
		return nil
	}
	e, x := &v.Expectation, v.Value
	var out *Margin
	least := math.Inf(1)
	add := func(bound *float64, missed string, spare func(bound float64) float64) {
		if bound == nil || spare(*bound) >= least {
			return
		}
		least = spare(*bound)
		out = e.marginOf(least, *bound, missed)
	}
	add(e.Below, "too much", func(b float64) float64 { return b - x })
	add(e.Above, "too little", func(b float64) float64 { return x - b })
	add(e.Equals, "off", func(b float64) float64 { return -math.Abs(x - b) })
	return out
}

// marginOf makes a margin, in the unit of the expectation.
func (e *Expectation) marginOf(spare, bound float64, missed string) *Margin {
	out := &Margin{Value: e.rounded(float64(e.figure(spare)))}
	distance := e.formatValue(e.rounded(float64(e.figure(math.Abs(spare)))))
	if bound != 0 {
		out.Relative = new(newNumber(spare / bound))
		distance += fmt.Sprintf(" or %s%%", strconv.FormatFloat(roundSignificant(math.Abs(spare/bound)*100, 3), 'f', -1, 64))
	}
	switch {
	case spare > 0:
		out.Text = distance + " to spare"
	case spare < 0:
		out.Text = distance + " " + missed
	case e.Equals == nil:
		out.Text = "just the bound"
	}
	return out
}

// Judged returns the verdict as a result keeps it, without the place in the scenario.
func (v *Verdict) Judged() Judged {
	e := &v.Expectation
	j := Judged{
		Text: e.String(), Verdict: v.String(), Outcome: v.Outcome,
		Subject: e.Subject(), Want: e.Want(), Margin: v.margin(), Interval: v.Interval,
		Samples: v.Samples, FewSamples: v.FewSamples, Warning: v.warning(), Why: v.Why,
	}
	if v.Why == "" {
		j.Value, j.Got = new(e.figure(v.Value)), e.formatGot(v.Value)
	}
	return j
}

// warning says what there is to know of a verdict that rests on an interval, "" for nothing.
func (v *Verdict) warning() string {
	e := &v.Expectation
	switch {
	case v.Why != "":
		return ""
	case v.Interval == nil && e.Confident && !e.extreme():
		return "no interval of fewer than two replications, and confidence is asked for"
	case !v.Reaches:
		return ""
	}
	end, without := v.Interval.High, "holds"
	if v.Outcome == Failed && !e.holds(v.Value) {
		without = "fails"
	}
	if e.holdsOf(end) == (without == "holds") {
		end = v.Interval.Low
	}
	text := fmt.Sprintf("%s, but the interval reaches %s", without, e.formatValue(end))
	if without == "holds" && e.Confident {
		text += ", and confidence is asked for"
	}
	return text
}

// Passed tells whether all expectations of the scenario hold, and all tests of its
// configuration.
func (r *Result) Passed() bool {
	return !slices.ContainsFunc(r.Expectations, func(j Judged) bool { return j.Outcome != Passed }) &&
		!slices.ContainsFunc(r.Tests, func(t Tested) bool { return t.Outcome != Passed })
}

// String is the verdict in one line; one that did not pass, or with a warning, says where the
// scenario asks for it.
func (j *Judged) String() string {
	if j.Outcome == Passed && j.Warning == "" || j.File == "" {
		return j.Verdict
	}
	return fmt.Sprintf("%s (%s:%d:%d)", j.Verdict, j.File, j.Line, j.Column)
}

// String says what was demanded, what was measured, by how much that is more or less than the
// bound, where the figures of replications lie, and how many requests that rests on, such as
//
//	passed: wait p99 of priority level leader-election below 100ms: 12.3ms (n=4,210; 87.7ms or 87.7% to spare)
func (v *Verdict) String() string {
	text := fmt.Sprintf("%s: %s", v.Outcome, v.Expectation.String())
	switch {
	case v.Outcome == NoData:
		return text + ": " + v.Why + "; it passes with allowNoData: true"
	case v.Why != "":
		return text + ": no data, which is allowed: " + v.Why
	}
	notes := []string{"n=" + formatCount(v.Samples)}
	if v.FewSamples {
		notes[0] += ", too few for this quantile"
	}
	if m := v.margin(); m != nil && m.Text != "" {
		notes = append(notes, m.Text)
	}
	if i := v.Interval; i != nil && i.Low != i.High {
		notes = append(notes, fmt.Sprintf("95%% interval %s to %s", v.Expectation.formatValue(i.Low), v.Expectation.formatValue(i.High)))
	}
	if w := v.warning(); w != "" {
		notes = append(notes, w)
	}
	return fmt.Sprintf("%s: %s (%s)", text, v.Expectation.formatGot(v.Value), strings.Join(notes, "; "))
}

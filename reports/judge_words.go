package reports

import (
	"math"
	"strconv"
	"strings"
)

// Subject says what is measured, such as "wait p99 of priority level leader-election".
func (e *Expectation) Subject() string {
	words := []string{string(e.Metric)}
	if e.Metric.hasQuantiles() {
		words = append(words, quantileName(e.Quantile))
	}
	flow := ""
	if e.Flow != nil {
		flow = strconv.Quote(*e.Flow)
	}
	for _, s := range []struct{ kind, name string }{
		{"client", e.Client}, {"flow", flow}, {"flow schema", e.FlowSchema}, {"priority level", e.PriorityLevel},
	} {
		if s.name != "" {
			words = append(words, "of", s.kind, s.name)
		}
	}
	if e.Holder != "" {
		words = append(words, "on client", e.Holder)
	}
	if e.Server != nil {
		words = append(words, "of server", strconv.Itoa(*e.Server))
	}
	if e.At != nil {
		words = append(words, "at", e.At.String())
	}
	if text := e.Window.String(); text != "" {
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// Want says what the bounds are, such as "above 3 and below 5".
func (e *Expectation) Want() string {
	var bounds []string
	for _, b := range []struct {
		word  string
		bound *float64
	}{{"equal to", e.Equals}, {"above", e.Above}, {"below", e.Below}} {
		if b.bound != nil {
			bounds = append(bounds, b.word+" "+e.format(*b.bound))
		}
	}
	return strings.Join(bounds, " and ")
}

// String says what is demanded.
func (e *Expectation) String() string { return e.Subject() + " " + e.Want() }

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
	if e.Metric == MetricSeats || e.Metric == MetricAttemptsPerSuccess || e.Metric.isShare() {
		x = roundSignificant(x, 6)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// formatGot writes what was measured: a time exactly, a count that is a mean over replications with
// six significant digits, as results keep it.
func (e *Expectation) formatGot(x float64) string {
	if e.Metric.isTime() {
		return e.format(x)
	}
	return e.format(float64(e.figure(x)))
}

// formatValue writes a value in its base unit for people: in four significant digits, unless it
// is a whole number.
func (e *Expectation) formatValue(v Value) string {
	x := float64(v)
	if e.Metric.isTime() {
		return formatTimeOf(float64(Value(roundSignificant(x, wordDigits)).Duration()))
	}
	if x != math.Trunc(x) {
		x = roundSignificant(x, wordDigits)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// wordDigits is the number of significant digits of margins and intervals in words.
const wordDigits = 4

// rounded makes a value of a computed one: times to the nanosecond and within six significant
// digits, as everything that floating point had a hand in.
func (e *Expectation) rounded(x float64) Value {
	x = roundSignificant(x, numberDigits)
	if e.Metric.isTime() {
		return Value(Value(x).Duration().Seconds())
	}
	return Value(x)
}

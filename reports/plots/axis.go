package plots

import (
	"math"

	"gonum.org/v1/plot"
)

// axis is one direction of a panel.
type axis struct {
	kind     axisKind
	min, max float64
	// labels are the names of categories, which lie at 0, 1, 2 and so on.
	labels []string
	// at is where the labels of values lie, in ascending order.
	at []float64
}

// axisKind says what an axis measures.
type axisKind uint8

const (
	counts     axisKind = iota // from 0
	shares                     // of 1, from 0
	times                      // in seconds, from 0
	spans                      // in seconds, logarithmic
	categories                 // names
	plain                      // no ticks
	labelled                   // numbers with a label each
)

// category makes an axis of names.
func category(labels []string) axis {
	return axis{kind: categories, min: -0.5, max: float64(len(labels)) - 0.5, labels: labels}
}

// from0 makes an axis from 0 to a round number that is at least max, or to a little more than
// max if that would leave much room empty. An axis of nothing is 1 long.
func from0(kind axisKind, max float64) axis {
	a := axis{kind: kind, max: max}
	if !(max > 0) {
		a.max = 1
		return a
	}
	step := a.step(4)
	if a.max = step * math.Ceil(max/step-1e-9); a.max > 1.15*max {
		a.max = 1.04 * max
	}
	return a
}

// spanAxis makes a logarithmic axis of times around the shortest and the longest, both of
// them above 0.
func spanAxis(shortest, longest float64) axis {
	a := axis{kind: spans, min: spanTicks[0], max: spanTicks[len(spanTicks)-1]}
	for _, t := range spanTicks {
		if t <= shortest {
			a.min = t
		}
	}
	for i := len(spanTicks) - 1; i >= 0; i-- {
		if spanTicks[i] >= longest {
			a.max = spanTicks[i]
		}
	}
	if a.max <= a.min {
		a.max = a.min * 10
	}
	return a
}

// normalizer returns how the axis maps values.
func (a *axis) normalizer() plot.Normalizer {
	if a.kind == spans {
		return plot.LogScale{}
	}
	return plot.LinearScale{}
}

// ticks returns about n labelled ticks.
func (a *axis) ticks(n int) []plot.Tick {
	switch a.kind {
	case plain:
		return nil
	case categories:
		out := make([]plot.Tick, len(a.labels))
		for i, label := range a.labels {
			out[i] = plot.Tick{Value: float64(i), Label: label}
		}
		return out
	case spans:
		return a.spanTicks(n)
	case labelled:
		return a.valueTicks(n)
	}
	var out []plot.Tick
	step := a.step(n)
	for i := math.Ceil(a.min/step - 1e-9); i*step <= a.max*(1+1e-9); i++ {
		value := i*step + 0 // not minus zero
		out = append(out, plot.Tick{Value: value, Label: a.label(value)})
	}
	return out
}

// valueTicks returns values that are not too close to be labelled, the last one always.
func (a *axis) valueTicks(n int) []plot.Tick {
	var out []plot.Tick
	least := (a.max - a.min) / float64(max(n, 1)) * 0.6
	last := len(a.at) - 1
	for i, x := range a.at {
		before := len(out) == 0 || x-out[len(out)-1].Value >= least
		if i == last && !before {
			out = out[:len(out)-1]
		}
		if i == last || before && (a.at[last]-x >= least || a.at[last] <= x) {
			out = append(out, plot.Tick{Value: x, Label: a.labels[i]})
		}
	}
	return out
}

// label writes the value of a tick.
func (a *axis) label(x float64) string {
	switch a.kind {
	case shares:
		return compact(x*100) + "%"
	case times:
		return moment(x)
	}
	return compact(x)
}

// step returns the distance of about n ticks.
func (a *axis) step(n int) float64 {
	least := (a.max - a.min) / float64(max(n, 1))
	if a.kind == times {
		for _, s := range timeSteps {
			if s >= least*(1-1e-9) {
				return s
			}
		}
	}
	power := math.Pow10(int(math.Floor(math.Log10(least) + 1e-9)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if s := m * power; s >= least*(1-1e-9) && (m != 2.5 || power > 1 || a.kind == shares) {
			return s
		}
	}
	return 10 * power
}

// timeSteps are the distances of ticks that a clock has.
var timeSteps = []float64{
	1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5,
	1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
	2 * 86400, 5 * 86400, 10 * 86400, 30 * 86400, 100 * 86400, 1000 * 86400,
}

// spanTicks are the ticks of a logarithmic axis.
var spanTicks = []float64{
	1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 60, 600, 3600, 36000, 360000, 3600000, 36000000,
}

// spanTicks returns at most about n of them.
func (a *axis) spanTicks(n int) []plot.Tick {
	var inside []float64
	for _, t := range spanTicks {
		if t >= a.min && t <= a.max {
			inside = append(inside, t)
		}
	}
	every := (len(inside) + n - 1) / max(n, 1)
	var out []plot.Tick
	for i := 0; i < len(inside); i += max(every, 1) {
		out = append(out, plot.Tick{Value: inside[i], Label: moment(inside[i])})
	}
	return out
}

package tuning

import (
	"math"

	"github.com/apfsim/apfsim/reports"
)

// Bound is what a goal allows a figure to be.
type Bound struct {
	// Subject is the same for goals on one figure, and Text is the goal.
	Subject, Text string
	Op            string
	Value         float64
	// Most is the largest value that the figure can have; the least is 0.
	Most float64
}

// Most is the largest value that a metric can have.
func Most(m reports.Metric) float64 {
	if m.Unit() == reports.UnitShare {
		return 1
	}
	return math.Inf(1)
}

// allowed is a range of values, its ends within or not.
type allowed struct {
	low, high         float64
	openLow, openHigh bool
}

// with is the part of a range that a bound allows.
func (a allowed) with(b *Bound) allowed {
	if b.Op == "<" || b.Op == "<=" || b.Op == "=" {
		if open := b.Op == "<"; b.Value < a.high || b.Value == a.high && open {
			a.high, a.openHigh = b.Value, open
		}
	}
	if b.Op == ">" || b.Op == ">=" || b.Op == "=" {
		if open := b.Op == ">"; b.Value > a.low || b.Value == a.low && open {
			a.low, a.openLow = b.Value, open
		}
	}
	return a
}

// empty tells that nothing is left.
func (a allowed) empty() bool {
	return a.low > a.high || a.low == a.high && (a.openLow || a.openHigh)
}

// Contradiction finds two goals that cannot hold together, or one that cannot hold at all, which is
// then both of them; ok is true if there is none.
func Contradiction(bounds []Bound) (a, b int, ok bool) {
	for i := range bounds {
		own := allowed{high: bounds[i].Most}.with(&bounds[i])
		if own.empty() {
			return i, i, false
		}
		for j := range bounds[:i] {
			if bounds[j].Subject == bounds[i].Subject && own.with(&bounds[j]).empty() {
				return j, i, false
			}
		}
	}
	return 0, 0, true
}

// MostOf is the largest value that an Analytic can have.
func MostOf(name string) float64 {
	if name == Crushing {
		return 1
	}
	return math.Inf(1)
}

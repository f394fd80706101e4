package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// Measure is one figure that somebody wants to see.
//
//	MEASURE = QUANTILE | METRIC [ "{" [ SELECTOR { "," SELECTOR } ] "}" ]
//
// METRIC and SELECTOR are as in a Condition; a QUANTILE alone is one of the waits of all requests.
type Measure struct{ Condition }

// ParseMeasure reads a measure. The error is a *Fault.
func ParseMeasure(text string) (*Measure, error) {
	p := &parser{text: text}
	m := &Measure{Condition{Text: text}}
	if f := p.what(&m.Condition); f != nil {
		return nil, f
	}
	if p.blanks(); p.at < len(text) {
		return nil, p.fail(p.at, "", "", "%q is left over", text[p.at:])
	}
	return m, nil
}

// Goal is what a figure has to be.
//
//	GOAL = MEASURE OP VALUE
//	OP   = "<" | "<=" | ">" | ">=" | "="
//
// VALUE is in the unit of the metric: a time needs a UNIT of Go's durations, a share may be a
// percentage.
type Goal struct {
	Measure
	// Op is the comparison that has to hold.
	Op string
	// Value is in the base unit of the metric.
	Value float64
}

// ParseGoal reads a goal. The error is a *Fault.
func ParseGoal(text string) (*Goal, error) {
	p := &parser{text: text}
	g := &Goal{Measure: Measure{Condition{Text: text}}}
	if f := p.what(&g.Condition); f != nil {
		return nil, f
	}
	var f *Fault
	if g.Op, g.Value, f = p.bound(g.Of.Metric.Unit()); f != nil {
		return nil, f
	}
	return g, nil
}

// GoalOf is the goal that an expectation of a scenario is, one for each of its bounds.
func GoalOf(e *reports.Expectation) []*Goal {
	var out []*Goal
	for _, b := range []struct {
		op    string
		bound *float64
	}{{"=", e.Equals}, {"<", e.Below}, {">", e.Above}} {
		if b.bound == nil {
			continue
		}
		of := *e
		of.Equals, of.Below, of.Above = nil, nil, nil
		g := &Goal{Measure: Measure{Condition{Of: of}}, Op: b.op, Value: *b.bound}
		if of.Metric.Unit() == reports.UnitSeconds {
			g.Value /= 1e9
		}
		g.Text = of.Subject() + " " + g.Bound()
		out = append(out, g)
	}
	return out
}

// ParseBound reads OP VALUE of a Goal, which stand in a text from a byte on, of a figure with a unit. The error is a
// *Fault.
func ParseBound(text string, at int, unit reports.Unit) (op string, value float64, err error) {
	p := &parser{text: text, at: at}
	op, value, f := p.bound(unit)
	if f != nil {
		return "", 0, f
	}
	return op, value, nil
}

// bound reads what is wanted of a figure.
func (p *parser) bound(unit reports.Unit) (op string, value float64, f *Fault) {
	if op, f = p.comparison(); f == nil {
		value, f = p.value(unit)
	}
	return op, value, f
}

// comparison reads the operator.
func (p *parser) comparison() (string, *Fault) {
	p.blanks()
	at := p.at
	for _, op := range []string{"<=", ">=", "==", "<", ">", "="} {
		if strings.HasPrefix(p.text[at:], op) {
			p.at += len(op)
			return strings.Replace(op, "==", "=", 1), nil
		}
	}
	return "", p.fail(at, "<, <=, >, >=, =", "a goal says what is wanted, as in wait{leader-election,p99} < 100ms", "a comparison is missing here")
}

// value reads the value of a bound.
func (p *parser) value(unit reports.Unit) (float64, *Fault) {
	word, at := p.word("")
	legal := strings.TrimPrefix(exampleOf(unit), "+")
	if word == "" {
		return 0, p.fail(at, legal, "", "a value is missing here")
	}
	if unit != reports.UnitSeconds {
		text, percent := strings.CutSuffix(word, "%")
		x := number(strings.TrimSpace(text))
		if math.IsNaN(x) {
			return 0, p.fail(at, legal, "", "%q is no number", word)
		}
		if percent {
			x /= 100
		}
		return x, nil
	}
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 {
		hint := ""
		if x := number(word); !math.IsNaN(x) {
			hint = fmt.Sprintf("a time has a unit: %sms, or %ss", word, word)
		}
		return 0, p.fail(at, legal, hint, "%q is no time", word)
	}
	return d.Seconds(), nil
}

// Holds tells whether a value is what the goal wants.
func (g *Goal) Holds(x float64) bool { return Holds(x, g.Op, g.Value) }

// Holds tells whether a comparison of goals holds.
func Holds(x float64, op string, bound float64) bool {
	switch op {
	case "<":
		return x < bound
	case "<=":
		return x <= bound
	case ">":
		return x > bound
	case ">=":
		return x >= bound
	}
	return x == bound
}

// Bound is what is wanted, in words: "< 100ms".
func (g *Goal) Bound() string {
	if g.Of.Metric.Unit() == reports.UnitSeconds {
		return g.Op + " " + reports.Value(g.Value).Duration().String()
	}
	return g.Op + " " + strconv.FormatFloat(g.Value, 'f', -1, 64)
}

// Excess is by how much a value misses the goal, as a part of the bound, or as it is where that is 0; 0 if
// it holds.
func (g *Goal) Excess(x float64) float64 {
	if g.Holds(x) {
		return 0
	}
	if g.Value == 0 {
		return math.Abs(x)
	}
	return math.Abs(x-g.Value) / math.Abs(g.Value)
}

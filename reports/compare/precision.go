package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/stats"
)

// Precision is how well a figure has to be known: the half-width of its confidence interval over
// the replications, as a part of its mean.
//
//	PRECISION = WHAT "within" NUMBER "%"
//	WHAT      = QUANTILE | METRIC [ "{" [ SELECTOR { "," SELECTOR } ] "}" ]
//
// METRIC and SELECTOR are as in a Condition; a QUANTILE alone is one of the waits of all requests.
type Precision struct {
	Condition
	// Within is the part, above 0 and below 1.
	Within float64
}

// ParsePrecision reads a precision. The error is a *Fault.
func ParsePrecision(text string) (*Precision, error) {
	p := &parser{text: text}
	out := &Precision{Condition: Condition{Text: text}}
	if f := p.what(&out.Condition); f != nil {
		return nil, f
	}
	if f := p.within(out); f != nil {
		return nil, f
	}
	return out, nil
}

// what reads what a precision is of.
func (p *parser) what(c *Condition) *Fault {
	word, at := p.word("{ \t")
	if q, ok := quantileOf(word); ok {
		if !(q >= 0 && q <= 1) {
			return p.fail(at, "mean, max, p0.1 to p100", "", "there is no quantile %s", word)
		}
		c.Of.Metric, c.Of.Quantile = reports.MetricWait, q
		return nil
	}
	p.at = at
	if f := p.metric(c); f != nil {
		return f
	}
	return p.selectors(c)
}

// within reads how well it has to be known.
func (p *parser) within(out *Precision) *Fault {
	const legal = "within 5%, or another part above 0% and below 100%"
	word, at := p.word(" \t")
	if word != "within" {
		return p.fail(at, legal, "", `"within" is missing here`)
	}
	word, at = p.word("")
	percent, has := strings.CutSuffix(word, "%")
	part := number(strings.TrimSpace(percent)) / 100
	if !has || math.IsNaN(part) || part <= 0 || part >= 1 {
		return p.fail(at, legal, "", "%q is no part to know something within", word)
	}
	out.Within = part
	return nil
}

// More returns how many replications to add to those that a result has, to know the figure well
// enough: none if it is, or if there are as many as there may be. Each step at most doubles them,
// since how many it takes is itself only estimated.
//
// A. Law, Simulation Modeling and Analysis, 5th edition, section 9.4.1: the sequential procedure.
func (p *Precision) More(r *reports.Result, most int) int {
	n := len(r.Replications)
	f, why := r.Measure(p.Of)
	if why != "" || n >= most {
		return 0
	}
	i, ok := f.Interval()
	if !ok || p.met(&f, i) {
		return 0
	}
	target := 2 * n
	if samples, ok := f.Known(); ok && len(samples) >= 2 && !f.FewSamples {
		if needed, ok := stats.Needed(samples, p.Within, target); ok {
			target = max(needed, n+1)
		}
	}
	return min(target, most) - n
}

// met tells whether a figure is known well enough. A quantile of too few requests is not, however
// narrow its interval: the p99 of ten requests is their largest in each replication.
func (p *Precision) met(f *reports.Figure, i stats.Interval) bool {
	return i.Known() && i.Relative() <= stats.Criterion(p.Within) && !f.FewSamples
}

// Reached tells how well a result knows the figure, and leaves it there.
func (p *Precision) Reached(r *reports.Result) {
	out := &reports.Precision{Wanted: p.Text, Subject: p.Of.Subject()}
	r.Precision = out
	f, why := r.Measure(p.Of)
	if why != "" {
		out.Text = fmt.Sprintf("How well %s is known cannot be said: %s.", out.Subject, why)
		return
	}
	i, ok := f.Interval()
	if !ok || !i.Known() {
		out.Text = fmt.Sprintf("How well %s is known cannot be said: it takes two replications that have it.", out.Subject)
		return
	}
	out.Reached = p.met(&f, i)
	known := fmt.Sprintf("%s is known to ±%s after %d replications", out.Subject, partOf(i.Relative()), i.N)
	if out.Reached {
		out.Text = fmt.Sprintf("%s, which is within %s.", known, partOf(p.Within))
		return
	}
	if f.FewSamples {
		out.Text = known + ", but rests on too few requests to be more than a hint."
		return
	}
	out.Text = fmt.Sprintf("%s, and not within %s.", known, partOf(p.Within))
	samples, _ := f.Known()
	if needed, ok := stats.Needed(samples, p.Within, 100*i.N); ok {
		out.Text += fmt.Sprintf(" About %d would do.", needed)
	}
}

// partOf writes a part of one with at most three digits.
func partOf(x float64) string {
	if math.IsInf(x, 0) {
		return "any%"
	}
	return fmt.Sprintf("%.3g%%", 100*x)
}

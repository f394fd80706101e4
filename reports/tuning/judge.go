package tuning

import (
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/compare"
	"github.com/apfsim/apfsim/reports/stats"
	"github.com/apfsim/apfsim/reports/study"
)

// Joined is a figure of several runs of a point, whose replications follow each other.
func Joined(parts []*study.Asked) *study.Asked {
	out := &study.Asked{}
	for _, p := range parts {
		if p.Figure == nil {
			out.Why = p.Why
			continue
		}
		if out.Figure == nil {
			f := *p.Figure
			f.Replications = slices.Clone(f.Replications)
			out.Figure = &f
			continue
		}
		out.Replications = append(out.Replications, p.Replications...)
		out.Samples += p.Samples
		out.FewSamples = out.FewSamples && p.FewSamples
	}
	if out.Figure != nil {
		out.Why = ""
	}
	return out
}

// maxExcess stands for an excess without end.
const maxExcess = 1e6

// Judge holds a goal against a figure.
func Judge(g *compare.Goal, a *study.Asked) Judged {
	j := Judged{Goal: g.Text, Metric: g.Of.Metric, Verdict: Missed, Why: a.Why}
	if a.Figure == nil {
		if g.Of.AllowNoData {
			j.Verdict = Met
		} else {
			j.nothing()
		}
		return j
	}
	j.FewSamples = a.FewSamples
	for _, v := range a.Replications {
		if v != nil {
			j.excess = append(j.excess, math.Min(g.Excess(float64(*v)), maxExcess))
		}
	}
	samples, finite := a.Known()
	switch {
	case !finite || extreme(&g.Of) && len(samples) > 0:
		j.each(g, a)
	case len(samples) == 0:
		j.Why = "no replication has it"
		j.nothing()
	default:
		j.interval(g, stats.Mean(samples))
	}
	return j
}

// nothing is what there is to say of a goal without a value: no value is further from what is wanted.
func (j *Judged) nothing() { j.Spare, j.excess = -2*maxExcess, []float64{2 * maxExcess} }

// extreme tells that a value is the largest of a run, so that each replication counts by itself.
func extreme(e *reports.Expectation) bool {
	switch e.Metric {
	case reports.MetricSeatsPeak, reports.MetricWaitingPeak, reports.MetricNotReady, reports.MetricDrained:
		return true
	}
	return e.Quantile == 1
}

// each judges replication by replication: all have to hold.
func (j *Judged) each(g *compare.Goal, a *study.Asked) {
	j.Verdict, j.Spare = Met, math.Inf(1)
	for _, v := range a.Replications {
		if v == nil {
			continue
		}
		x := float64(*v)
		if !g.Holds(x) {
			j.Verdict = Missed
		}
		if s := spare(g, x); j.Value == nil || s < j.Spare {
			j.Spare, j.Value = s, v
		}
	}
}

// interval judges the mean with its interval.
func (j *Judged) interval(g *compare.Goal, i stats.Interval) {
	j.Value = new(j.Metric.RoundedValue(i.Mean))
	if !i.Known() {
		j.Verdict, j.Spare = Unclear, spare(g, i.Mean)
		return
	}
	j.HalfWidth = new(j.Metric.RoundedValue(i.HalfWidth))
	low, high := math.Max(0, i.Low()), i.High()
	if i.HalfWidth == 0 { // all replications agree
		low, high = i.Mean, i.Mean
	}
	j.Spare = math.Min(spare(g, low), spare(g, high))
	switch {
	case g.Holds(low) && g.Holds(high) && (g.Op != "=" || low == high):
		j.Verdict = Met
	case g.Holds(low) || g.Holds(high) || g.Op == "=" && low <= g.Value && g.Value <= high:
		j.Verdict = Unclear
	}
}

// spare is how far a value is from the bound: a part of it, or as it is if that is 0.
func spare(g *compare.Goal, x float64) float64 {
	d := g.Value - x
	switch g.Op {
	case ">", ">=":
		d = -d
	case "=":
		d = -math.Abs(d)
	}
	if g.Value != 0 {
		d /= math.Abs(g.Value)
	}
	return math.Max(-maxExcess, math.Min(maxExcess, float64(reports.NewNumber(math.Max(-maxExcess, math.Min(maxExcess, d))))))
}

// Excess adds up by how much goals are missed, replication by replication.
func Excess(all []Judged) []float64 {
	n := 0
	for i := range all {
		n = max(n, len(all[i].excess))
	}
	out := make([]float64, n)
	for i := range all {
		for k := range out {
			if e := all[i].excess; len(e) > 0 {
				out[k] += e[min(k, len(e)-1)]
			}
		}
	}
	return out
}

// Verdict is the verdict over all goals: the worst one. It is met without any.
func Verdict(all []Judged) string {
	out := Met
	for i := range all {
		switch all[i].Verdict {
		case Missed:
			return Missed
		case Unclear:
			out = Unclear
		}
	}
	return out
}

// Worst is the number of the goal that has the least to spare; -1 without any. One that is met with
// nothing to spare, because it wants one value and no other, comes last.
func Worst(all []Judged) int {
	worst := -1
	exact := func(i int) bool { return all[i].Verdict == Met && all[i].Spare == 0 }
	for i := range all {
		if worst < 0 || exact(worst) && !exact(i) || exact(i) == exact(worst) && all[i].Spare < all[worst].Spare {
			worst = i
		}
	}
	return worst
}

// JudgeAnalytic holds a goal against a figure that is known without a run.
func JudgeAnalytic(g *AnalyticGoal, x float64) Judged {
	d := g.Value - x
	switch g.Op {
	case ">", ">=":
		d = -d
	case "=":
		d = -math.Abs(d)
	}
	if g.Value != 0 {
		d /= math.Abs(g.Value)
	}
	d = math.Max(-maxExcess, math.Min(maxExcess, d))
	j := Judged{Goal: g.String(), Verdict: Met, Value: new(reports.Value(g.Rounded(x))), Spare: float64(reports.NewNumber(d)), excess: []float64{0}}
	if g.Name == LongestWait {
		j.Metric, j.Value = reports.MetricWait, new(reports.Value(x))
	}
	if !g.Holds(x) {
		j.Verdict, j.excess = Missed, []float64{math.Abs(d)}
	}
	return j
}

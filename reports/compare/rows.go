package compare

import (
	"math"
	"slices"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/stats"
)

// mostNeeded bounds the number of replications that a row says it would take.
const mostNeeded = 10_000

// row compares one figure.
func (m *matching) row(e reports.Expectation) Row {
	row := Row{Metric: e.Metric, PriorityLevel: e.PriorityLevel, FlowSchema: e.FlowSchema, Client: e.Client, Holder: e.Holder, Server: e.Server, Quantile: e.Quantile}
	a, whyA := m.a.Measure(e)
	b, whyB := m.b.Measure(e)
	row.FewSamples = a.FewSamples || b.FewSamples
	as, bs := m.values(&a, &b)
	if len(as) > 0 {
		row.A = ref(e.Metric.RoundedValue(mean(as)))
	}
	if len(bs) > 0 {
		row.B = ref(e.Metric.RoundedValue(mean(bs)))
	}
	row.Replications = min(len(as), len(bs))
	switch {
	case whyA != "" && whyB != "":
		row.Verdict, row.Why = Unclear, "no data: "+whyA
	case len(as) == 0 || len(bs) == 0:
		row.Verdict = Changed
		row.Why = oneSided(len(as) == 0, whyA, whyB)
	default:
		m.judge(&row, as, bs)
	}
	return row
}

// oneSided says that only one of the sides has a value.
func oneSided(inA bool, whyA, whyB string) string {
	side, why := "B", whyB
	if inA {
		side, why = "A", whyA
	}
	if why == "" {
		why = "no replication has a value that could be compared"
	}
	return "no data in " + side + ": " + why
}

func ref[T any](v T) *T { return &v }

// values returns the values of the replications that are compared: of pairs those that both
// sides have.
func (m *matching) values(a, b *reports.Figure) (as, bs []float64) {
	if m.method == Unpaired || len(m.pairs) == 0 || len(a.Replications) == 0 || len(b.Replications) == 0 {
		return known(a.Replications), known(b.Replications)
	}
	for _, p := range m.pairs {
		x, y := a.Replications[p[0]], b.Replications[p[1]]
		if x != nil && y != nil {
			as, bs = append(as, float64(*x)), append(bs, float64(*y))
		}
	}
	if len(as) == 0 { // no pair is whole, and one side may have nothing at all
		return known(a.Replications), known(b.Replications)
	}
	return as, bs
}

// known lists the values of the replications that have one.
func known(list []*reports.Value) []float64 {
	var out []float64
	for _, v := range list {
		if v != nil {
			out = append(out, float64(*v))
		}
	}
	return out
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// judge fills in the difference and what can be said of it.
func (m *matching) judge(row *Row, as, bs []float64) {
	if slices.ContainsFunc(append(slices.Clone(as), bs...), func(x float64) bool { return math.IsInf(x, 0) }) {
		row.Verdict, row.Why = endless(as, bs, row.Metric)
		return
	}
	paired := m.method != Unpaired && len(as) == len(bs)
	if paired && slices.Equal(as, bs) {
		row.set(stats.Interval{N: len(as)}, mean(as))
		row.Verdict = Same
		return
	}
	interval := stats.Welch(as, bs)
	needed := stats.SamplesToTell
	if paired {
		interval, needed = stats.Paired(as, bs), stats.PairsToTell
	}
	row.set(interval, mean(as))
	switch {
	case !interval.Known():
		row.Verdict, row.Why = Unclear, "one replication cannot tell"
	case interval.HalfWidth == 0 && interval.Mean == 0: // each side is the same in all replications
		row.Verdict = Same
	case math.Abs(interval.Mean) > interval.HalfWidth:
		row.Verdict = direction(row.Metric, interval.Mean)
	default:
		row.Verdict = Unclear
		row.Needed, _ = needed(as, bs, mostNeeded)
	}
}

// set puts an interval into a row, rounded as results are.
func (r *Row) set(i stats.Interval, base float64) {
	r.Difference = ref(r.Metric.RoundedValue(i.Mean))
	if i.Known() {
		r.HalfWidth = ref(r.Metric.RoundedValue(i.HalfWidth))
	}
	if base == 0 {
		return
	}
	r.Relative = ref(reports.NewNumber(i.Mean / base))
	if i.Known() {
		r.RelativeHalfWidth = ref(reports.NewNumber(i.HalfWidth / math.Abs(base)))
	}
}

// endless judges figures some of which have no end: they differ if all replications agree on
// which side comes first. Of n replications that only chance decides, all agree with the odds
// 2^(1-n): six are the fewest for which that is below one in twenty.
func endless(as, bs []float64, metric reports.Metric) (Verdict, string) {
	const why = "a time without end has no interval"
	const fewest = 6
	if slices.Equal(as, bs) {
		return Same, ""
	}
	if len(as) != len(bs) || len(as) < fewest {
		return Unclear, why
	}
	up, down := 0, 0
	for i := range as {
		switch {
		case bs[i] > as[i]:
			up++
		case bs[i] < as[i]:
			down++
		}
	}
	switch len(as) {
	case up:
		return direction(metric, 1), why
	case down:
		return direction(metric, -1), why
	}
	return Unclear, why
}

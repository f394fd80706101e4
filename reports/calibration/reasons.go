package calibration

import (
	"cmp"
	"slices"
)

// Code names a reason.
type Code string

// The reasons.
const (
	// OtherClassification: the recorded server gave requests to other levels or schemas.
	OtherClassification Code = "other-classification"
	// OtherLimits: the recorded levels had other nominal limits.
	OtherLimits Code = "other-limits"
	// LargerServer: more seats were in use than the simulated servers have.
	LargerServer Code = "larger-server"
	// LongerWaits: a request waited for longer than the simulated server lets any wait.
	LongerWaits Code = "longer-wait-limit"
	// OtherTimeouts: requests are rejected after shorter or longer waits, since clients ask for other deadlines.
	OtherTimeouts Code = "other-time-outs"
	// OneServer: the record is of one of several servers.
	OneServer Code = "one-of-several-servers"
	// OtherBalance: requests are spread over the servers otherwise.
	OtherBalance Code = "other-balance"
	// Thinned: the record has the same part of the requests of all levels.
	Thinned Code = "sampled-record"
	// Scaled: the scenario has the same part of the requests of all levels.
	Scaled Code = "scaled-scenario"
	// RecordLacks: users or schemas that the simulation has are not in the record.
	RecordLacks Code = "record-lacks-users"
	// ScenarioLacks: users or schemas that the record has are not in the scenario.
	ScenarioLacks Code = "scenario-lacks-users"
	// Drift: executions became slower or faster in the record, and not in the simulation.
	Drift Code = "execution-times-drift"
	// OtherDurations: executions are longer or shorter throughout.
	OtherDurations Code = "other-execution-times"
	// HiddenWaits: execution times of the record hold waits, and are simulated with others on top.
	HiddenWaits Code = "hidden-waits"
	// MissingTraffic: requests were rejected or waited although what was recorded left seats free.
	MissingTraffic Code = "missing-traffic"
	// NoObjects: the same, and LISTs have one seat because the scenario tells no stored objects.
	NoObjects Code = "no-stored-objects"
	// Bursts: as many requests came, at other times.
	Bursts Code = "other-times"
	// OtherRates: more or fewer requests came.
	OtherRates Code = "other-rates"
	// AtTheLimit: the same traffic at a level that has no seat to spare: small differences of
	// traffic make large ones of waits and rejections.
	AtTheLimit Code = "at-the-limit"
	// Unexplained: no rule says why.
	Unexplained Code = "unexplained"
)

// row finds a row of a subject over the whole time, nil if there is none.
func (m *comparison) row(subject Subject, metric Metric, quantile float64) *Row {
	for i := range m.rows {
		r := &m.rows[i]
		if r.subject == subject && r.span < 0 && r.Metric == metric && r.Quantile == quantile && r.Reason == "" {
			return r
		}
	}
	return nil
}

// differs tells whether a figure of a subject over the whole time differs.
func (m *comparison) differs(subject Subject, metric Metric, quantiles ...float64) bool {
	for _, q := range quantiles {
		if r := m.row(subject, metric, q); r != nil && r.Verdict == Differs {
			return true
		}
	}
	return false
}

// kind lists the subjects of a kind.
func (m *comparison) kind(k Kind) []Subject {
	return slices.DeleteFunc(slices.Clone(m.subjects), func(s Subject) bool { return s.Kind != k })
}

// total is the sum over all levels, on both sides.
func (m *comparison) total() *pair {
	all := &pair{span: -1, seconds: m.seconds}
	for _, subject := range m.kind(OfLevel) {
		p := m.pair(subject, -1)
		all.recorded.add(&p.recorded)
		all.pooled.add(&p.pooled)
	}
	return all
}

// mean is a pooled count as a mean of the replications.
func (m *comparison) mean(n int64) float64 { return float64(n) / float64(len(m.Simulated)) }

// reasons finds why the two disagree: first what concerns the whole, then each level.
func (m *comparison) reasons() []Reason {
	out := []Reason{}
	if !slices.ContainsFunc(m.rows, func(r Row) bool {
		return r.Verdict == Differs && (r.span < 0 || r.Metric == Rate || r.Metric == Execution)
	}) {
		return m.surely(out)
	}
	out = m.surely(out)
	for _, rule := range []func() []Reason{m.oneServer, m.otherBalance, m.thinned, m.lacks} {
		out = append(out, rule()...)
	}
	for _, level := range m.kind(OfLevel) {
		out = append(out, m.ofLevel(level, out)...)
	}
	return out
}

// surely are the reasons that show whether figures differ or not.
func (m *comparison) surely(out []Reason) []Reason {
	for _, rule := range []func() []Reason{m.otherClassification, m.otherLimits, m.largerServer, m.longerWaits} {
		out = append(out, rule()...)
	}
	return out
}

// has tells whether there is a reason of one of some codes already.
func has(reasons []Reason, codes ...Code) bool {
	return slices.ContainsFunc(reasons, func(r Reason) bool { return slices.Contains(codes, r.Code) })
}

// ofLevel finds the reasons of a level. Those about its traffic and its executions come first: they are
// why waits and rejections differ as well.
func (m *comparison) ofLevel(level Subject, known []Reason) []Reason {
	var out []Reason
	whole := has(known, OtherClassification, Thinned, Scaled, OneServer)
	out = append(out, m.executions(level)...)
	if !whole {
		out = append(out, m.rates(level, known)...)
	}
	out = append(out, m.otherTimeouts(level)...)
	out = append(out, m.missing(level)...)
	outcome := m.differs(level, Rejected, 0) || m.differs(level, Wait, 0, 0.5, 0.9, 0.99)
	if outcome && len(out) == 0 && !whole && !has(known, OtherLimits, LargerServer, LongerWaits, RecordLacks, ScenarioLacks, OtherBalance) {
		out = append(out, m.otherwise(level))
	}
	for i := range out {
		out[i].PriorityLevel = level.Name
	}
	return out
}

// heaviest sorts names by their numbers, the largest first.
func heaviest(n map[string]int64) []string {
	var out []string
	// Any order: they are sorted below.
	for name := range n {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	return out
}

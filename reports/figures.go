package reports

import (
	"fmt"
	"math"
	"time"

	"github.com/apfsim/apfsim/reports/stats"
)

// figureQuantiles are those that a result keeps of each distribution; 0 is the mean.
var figureQuantiles = []float64{0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1}

// requestMetrics, levelMetrics, clientMetrics and the others are what a result keeps of each
// kind of subject. MetricLimit is of a time that nobody has asked for yet.
var (
	requestMetrics = []Metric{MetricWait, MetricArrivals, MetricExecuted, MetricRejected, MetricRejectedFraction, MetricCut, MetricSeats}
	levelMetrics   = []Metric{MetricSeatsPeak, MetricWaitingPeak, MetricFairness, MetricDrained}
	clientMetrics  = []Metric{
		MetricLatency, MetricErrors, MetricErrorRate, MetricAttemptsPerSuccess, MetricRefused, MetricThrottled,
		MetricRetries, MetricGivenUp, MetricRenewedLeases, MetricLostLeases, MetricNotReady, MetricTimeToSync,
		MetricNeverSynced, MetricRelists, MetricRestarts, MetricDropped,
	}
	serverMetrics = []Metric{MetricServerShare, MetricServerRestarts, MetricOutOfMemory}
)

// figures takes all figures that a result keeps, of those with data: of the run, then level by
// level, schema by schema, population by population, server by server.
func (m *merger) figures() Figures {
	out := Figures{}
	add := func(subject Expectation, metrics ...[]Metric) {
		for _, list := range metrics {
			for _, metric := range list {
				subject.Metric = metric
				out = append(out, m.figuresOf(subject)...)
			}
		}
	}
	add(Expectation{}, requestMetrics, clientMetrics, serverMetrics[1:], []Metric{MetricDeadlocks})
	for i := range m.books.levels {
		add(Expectation{PriorityLevel: m.levelName(i)}, requestMetrics, levelMetrics)
	}
	for _, name := range m.books.schemas {
		add(Expectation{FlowSchema: name}, requestMetrics)
	}
	for i := range m.books.populations {
		add(Expectation{Client: m.books.populations[i].name}, requestMetrics, []Metric{MetricDrained}, clientMetrics)
		for j := range m.blamedOneByOne() {
			add(Expectation{Client: m.books.populations[i].name, Holder: m.books.populations[j].name}, []Metric{MetricBlame})
		}
	}
	if len(m.first.servers) > 1 {
		for i := range m.first.servers {
			add(Expectation{Server: &i}, serverMetrics)
		}
	}
	return out
}

// maxBlamedPopulations is how many populations there may be so that a result keeps a figure of the
// blame of each on each. Whether it does depends on the scenario alone, so that results that are
// compared have the same figures.
const maxBlamedPopulations = 32

// blamedOneByOne returns how many populations have figures of what is blamed on them: all or none.
func (m *merger) blamedOneByOne() int {
	if n := len(m.books.populations); n <= maxBlamedPopulations {
		return n
	}
	return 0
}

// figuresOf takes the figures of one metric of one subject: several of a distribution, none
// without data.
func (m *merger) figuresOf(e Expectation) []Figure {
	if !e.Metric.hasQuantiles() {
		f, why := measureAll(m.books, m.own, e)
		if why != "" {
			return nil
		}
		return []Figure{f}
	}
	var out []Figure
	for _, q := range figureQuantiles {
		e.Quantile = q
		f, why := measureAll(m.books, m.own, e)
		if why != "" {
			return nil
		}
		out = append(out, f)
	}
	return out
}

// measureAll takes the figure that an expectation is about from the books of all replications
// and from those of each, or says why there is none.
func measureAll(pooled *books, own []*books, e Expectation) (f Figure, why string) {
	v := measure(pooled, e)
	if v.Why != "" {
		return Figure{}, v.Why
	}
	f = Figure{
		Metric: e.Metric, PriorityLevel: e.PriorityLevel, FlowSchema: e.FlowSchema, Client: e.Client, Server: e.Server,
		Holder: e.Holder, Quantile: e.Quantile, Value: e.figure(v.Value), Samples: v.Samples, FewSamples: v.FewSamples,
	}
	for _, b := range own {
		var value *Value
		if v := measure(b, e); v.Why == "" {
			value = new(e.figure(v.Value))
		}
		f.Replications = append(f.Replications, value)
	}
	f.weigh(own, e, time.Duration(v.Value))
	return f, ""
}

// weigh tells how many independent samples a quantile is worth, from how differently the
// replications have samples beyond it.
func (f *Figure) weigh(own []*books, e Expectation, quantile time.Duration) {
	if e.Quantile == 0 || e.Quantile == 1 {
		return
	}
	counts := make([]stats.Count, 0, len(own))
	for _, b := range own {
		if s, why := b.find(&e); why == "" {
			w := b.distribution(&e, s)
			counts = append(counts, stats.Count{Samples: w.count(), Above: w.above(quantile)})
		}
	}
	if n, ok := stats.EffectiveSize(counts); ok {
		f.EffectiveSamples = int64(math.Round(n))
		f.FewSamples = f.FewSamples || tooFew(f.EffectiveSamples, e.Quantile)
	}
}

// distribution returns what the quantiles of an expectation are of.
func (b *books) distribution(e *Expectation, s selection) *waits {
	switch {
	case e.Metric == MetricLatency:
		return &b.clients(s).latency
	case e.Metric == MetricTimeToSync:
		return &b.clients(s).syncs
	case e.Flow != nil:
		return &b.flow(s, *e.Flow).waits
	}
	return b.limited(s)
}

// markFew adds to the distributions of levels, schemas and populations which of their quantiles
// rest on too few independent samples.
func (r *Result) markFew() {
	type subject struct {
		level, schema, client string
		quantile              float64
	}
	few := map[subject]bool{}
	for i := range r.Figures {
		if f := &r.Figures[i]; f.Metric == MetricWait && f.Server == nil && f.FewSamples {
			few[subject{f.PriorityLevel, f.FlowSchema, f.Client, f.Quantile}] = true
		}
	}
	mark := func(w *Wait, e Expectation) {
		for _, q := range quantiles {
			if few[subject{e.PriorityLevel, e.FlowSchema, e.Client, q.q}] && w != nil && !w.few(q.name) {
				w.FewSamplesFor = append(w.FewSamplesFor, q.name)
			}
		}
	}
	for i := range r.PriorityLevels {
		mark(r.PriorityLevels[i].Wait, Expectation{PriorityLevel: r.PriorityLevels[i].Name})
	}
	for i := range r.FlowSchemas {
		mark(r.FlowSchemas[i].Wait, Expectation{FlowSchema: r.FlowSchemas[i].Name})
	}
	for i := range r.Populations {
		mark(r.Populations[i].Wait, Expectation{Client: r.Populations[i].Name})
	}
}

// figure converts a measured value into a Value: a time in seconds, else with six significant
// digits unless it is whole.
func (e *Expectation) figure(x float64) Value {
	switch {
	case e.Metric.isTime():
		return seconds(x)
	case math.IsInf(x, 0) || x == math.Trunc(x):
		return Value(x)
	}
	return Value(roundSignificant(x, numberDigits))
}

// Measure returns the figure that an expectation is about, whatever its bounds, or says why
// there is none. A result that was read from JSON has those of its Figures; one that was just
// made has any.
func (r *Result) Measure(e Expectation) (f Figure, why string) {
	if r.books != nil {
		pooled, own := r.booksOf(e.Window)
		return measureAll(pooled, own, e)
	}
	if e.At != nil || e.Flow != nil || e.Window != (Window{}) {
		return Figure{}, "a saved result does not tell of single times, parts of the run and flows"
	}
	return r.Figures.find(&e)
}

// find returns the figure that an expectation is about, or says that there is none.
func (list Figures) find(e *Expectation) (f Figure, why string) {
	for i := range list {
		if f := &list[i]; f.isOf(e) {
			return *f, ""
		}
	}
	why = fmt.Sprintf("the result has no figure of %s", e.Subject())
	if e.Metric == MetricBlame {
		why += fmt.Sprintf(": with more than %d client populations a saved result keeps none of this metric", maxBlamedPopulations)
	}
	return Figure{}, why
}

// isOf tells whether a figure is the one that an expectation is about.
func (f *Figure) isOf(e *Expectation) bool {
	return f.Metric == e.Metric && f.PriorityLevel == e.PriorityLevel && f.FlowSchema == e.FlowSchema &&
		f.Client == e.Client && f.Holder == e.Holder && f.Quantile == e.Quantile &&
		(f.Server == nil) == (e.Server == nil) && (f.Server == nil || *f.Server == *e.Server)
}

// Expectation returns an expectation without bounds that is about the same as the figure.
func (f *Figure) Expectation() Expectation {
	return Expectation{
		Metric: f.Metric, PriorityLevel: f.PriorityLevel, FlowSchema: f.FlowSchema, Client: f.Client,
		Holder: f.Holder, Server: f.Server, Quantile: f.Quantile,
	}
}

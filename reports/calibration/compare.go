package calibration

import (
	"math"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/reports/stats"
	"github.com/apfsim/apfsim/workload/recording"
)

// Input is what is compared.
type Input struct {
	Recorded *Side
	// Simulated are the replications, at least one.
	Simulated []*Side
	// Within is the tolerance as a part of what was recorded.
	Within float64
	// Moved is how many requests of a trace were classified otherwise by the recorded server, Requests
	// of how many.
	Moved    map[Move]int64
	Requests int64
	// Trace tells that single requests were recorded.
	Trace bool
	Told  Told
	// Narrow counts recorded LISTs of resources of whose stored objects the scenario tells nothing.
	Narrow int64
}

// Compare fills in the figures, the reasons and the counts.
func (c *Calibration) Compare(in *Input) {
	c.APIVersion, c.Kind, c.Within = reports.APIVersion, DocumentKind, reports.NewNumber(in.Within)
	c.Replications, c.Seats, c.Servers = len(in.Simulated), in.Simulated[0].Seats, in.Simulated[0].Servers
	spans := in.Recorded.Spans
	c.From, c.Until = reports.Duration(spans[0].From), reports.Duration(spans[len(spans)-1].Until)
	m := &comparison{Input: in, seconds: (spans[len(spans)-1].Until - spans[0].From).Seconds()}
	m.subjects = subjects(append([]*Side{in.Recorded}, in.Simulated...)...)
	for _, subject := range m.subjects {
		if subject.Kind != usersAtLevel {
			m.subject(subject)
		}
	}
	c.Rows = m.rows
	for i := range c.Rows {
		c.Counts.add(&c.Rows[i])
	}
	c.Reasons = m.reasons()
}

// add counts a row of the whole time.
func (c *Counts) add(r *Row) {
	switch {
	case r.span >= 0:
	case r.Verdict == Agrees:
		c.Agree++
	case r.Verdict == Differs:
		c.Differ++
	default:
		c.TooFew++
	}
}

// comparison is a Calibration in the making.
type comparison struct {
	*Input
	seconds  float64
	subjects []Subject
	rows     []Row
}

// pair are the sums of a subject in some time, on both sides.
type pair struct {
	subject   Subject
	span      int
	seconds   float64
	recorded  Sum
	simulated []Sum
	pooled    Sum
}

// pair finds the sums of a subject: in a span, or in all the time with -1.
func (m *comparison) pair(subject Subject, span int) *pair {
	p := &pair{subject: subject, span: span, seconds: m.seconds}
	take := func(s *Side) Sum { return s.whole(subject) }
	if span >= 0 {
		p.seconds = m.Recorded.Spans[span].seconds()
		take = func(s *Side) Sum { return s.in(subject, span) }
	}
	p.recorded = take(m.Recorded)
	for _, s := range m.Simulated {
		sum := take(s)
		p.simulated = append(p.simulated, sum)
		p.pooled.add(&sum)
	}
	return p
}

// empty tells that nothing came on either side.
func (p *pair) empty() bool { return p.recorded.Arrivals == 0 && p.pooled.Arrivals == 0 }

// subject compares all that there is of a subject.
func (m *comparison) subject(subject Subject) {
	p := m.pair(subject, -1)
	if p.empty() {
		return
	}
	m.counts(p)
	if subject.Kind == OfLevel || subject.Kind == OfSchema {
		m.times(p)
	}
	if subject.Kind != OfLevel {
		return
	}
	m.seats(p)
	for i := range m.Recorded.Spans {
		if p := m.pair(subject, i); !p.empty() {
			m.counts(p)
			m.quantiles(p, Wait, []float64{0.9})
			m.quantiles(p, Execution, []float64{0.5})
			m.seats(p)
		}
	}
}

// row begins a row.
func (p *pair) row(metric Metric, requests int64) Row {
	r := Row{Metric: metric, Requests: requests, subject: p.subject, span: p.span}
	switch p.subject.Kind {
	case OfLevel:
		r.PriorityLevel = p.subject.Name
	case OfSchema:
		r.PriorityLevel, r.FlowSchema = p.subject.Level, p.subject.Name
	case OfUsers:
		r.Users = p.subject.Name
	case OfServer:
		r.Server = p.subject.Name
	}
	return r
}

// The sizes below which a difference does not matter, whatever it is as a part: a hundredth of the
// requests rejected, a millisecond at the tolerance of 5 %, half a seat.
const (
	rejectedFloor  = 0.01
	waitFloor      = 0.02
	executionFloor = 0.002
	seatsFloor     = 10
)

// figure adds a row of a figure that each replication has. floor is the least that the tolerance
// is a part of.
func (m *comparison) figure(p *pair, r Row, recorded float64, simulated []float64, floor float64) {
	if p.span >= 0 {
		s := m.Recorded.Spans[p.span]
		from, until := reports.Duration(s.From), reports.Duration(s.Until)
		r.From, r.Until = &from, &until
	}
	r.Recorded, r.Simulated = number(recorded), nil
	known := simulated[:0:0]
	for _, x := range simulated {
		if !math.IsNaN(x) {
			known = append(known, x)
		}
	}
	if len(known) == 0 || r.Recorded == nil {
		if len(known) > 0 {
			r.Simulated = number(stats.Mean(known).Mean)
		}
		r.Verdict = TooFew
		m.rows = append(m.rows, r)
		return
	}
	mean := stats.Mean(known)
	r.Simulated = number(mean.Mean)
	difference, allowed := mean.Mean-recorded, m.Within*max(math.Abs(recorded), floor)
	if mean.Known() {
		// The interval of a further sample: that of the mean times the root of n + 1.
		spread := float64(mean.HalfWidth * math.Sqrt(float64(mean.N+1)))
		r.Spread = number(spread)
		allowed = max(allowed, spread)
	}
	if recorded != 0 {
		r.Relative = number(difference / recorded)
	}
	if r.Verdict == "" {
		r.Verdict = Differs
		if math.Abs(difference) <= allowed*(1+1e-9) {
			r.Verdict = Agrees
		}
	}
	m.rows = append(m.rows, r)
}

// number makes a figure of a row, nil of what is not known.
func number(x float64) *reports.Number {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	n := reports.NewNumber(x)
	return &n
}

// each applies a function to the replications.
func (p *pair) each(f func(*Sum) float64) []float64 {
	out := make([]float64, len(p.simulated))
	for i := range p.simulated {
		out[i] = f(&p.simulated[i])
	}
	return out
}

// counts compares arrivals and rejections.
func (m *comparison) counts(p *pair) {
	n := p.recorded.Arrivals
	rate := func(s *Sum) float64 { return float64(s.Arrivals) / p.seconds }
	m.figure(p, p.row(Rate, n), rate(&p.recorded), p.each(rate), 1/p.seconds)
	rejected := func(s *Sum) float64 { return float64(s.rejections()) }
	floor := rejectedFloor * float64(n)
	m.figure(p, p.row(Rejected, n), rejected(&p.recorded), p.each(rejected), max(floor, 1))
	if p.subject.Kind != OfLevel || p.span >= 0 || !m.tellsReasons() {
		return
	}
	for why := range whys {
		of := func(s *Sum) float64 { return float64(s.Rejected[why]) }
		if p.recorded.Rejected[why] == 0 && p.pooled.Rejected[why] == 0 {
			continue
		}
		r := p.row(Rejected, n)
		r.Reason = why.String()
		m.figure(p, r, of(&p.recorded), p.each(of), max(floor, rejected(&p.recorded), 1))
	}
}

// tellsReasons tells whether the record tells rejections by reason.
func (m *comparison) tellsReasons() bool { return !m.Trace || m.Told != ToldNone }

// seats compares the seats in use, if both sides tell them.
func (m *comparison) seats(p *pair) {
	seats := func(s *Sum) float64 { return s.SeatSeconds / p.seconds }
	if p.recorded.SeatSeconds == 0 && !m.Trace {
		return
	}
	m.figure(p, p.row(Seats, p.recorded.Executed), seats(&p.recorded), p.each(seats), seatsFloor)
}

// quantilesShown are those of the whole time.
var quantilesShown = []float64{0.5, 0.9, 0.99}

// times compares waits and executions: first the distance, then the quantiles.
func (m *comparison) times(p *pair) {
	for _, metric := range []Metric{Wait, Execution} {
		m.distance(p, metric)
		m.quantiles(p, metric, quantilesShown)
	}
}

// of takes the histogram of a metric.
func (metric Metric) of(s *Sum) *recording.ObservedHistogram {
	if metric == Wait {
		return s.Wait
	}
	return s.Execution
}

// fewest is how many values have to lie beyond a quantile, so that it is not one of a few.
const fewest = 5

// quantiles compares quantiles of a metric.
func (m *comparison) quantiles(p *pair, metric Metric, quantiles []float64) {
	h := metric.of(&p.recorded)
	if h.Count() == 0 {
		return
	}
	floor := waitFloor
	if metric == Execution {
		floor = executionFloor
	}
	for _, q := range quantiles {
		r := p.row(metric, h.Count())
		r.Quantile = q
		if float64(h.Count())*(1-q) < fewest {
			r.Verdict = TooFew
		}
		if m.sameBucket(p, metric, q) || r.Verdict == "" && m.byChance(p, metric, q) {
			r.Verdict = Agrees
		}
		m.figure(p, r, quantile(h, q), p.each(func(s *Sum) float64 { return quantile(metric.of(s), q) }), floor)
	}
}

// byChance tells whether a simulated quantile lies where that of another sample of the recorded size would, with
// 95 %: between the recorded quantiles 1.96 binomial standard deviations below and above. It matters where values have a
// gap, in which a quantile jumps.
func (m *comparison) byChance(p *pair, metric Metric, q float64) bool {
	h := metric.of(&p.recorded)
	d := 1.96 * math.Sqrt(q*(1-q)/float64(h.Count()))
	x := quantile(metric.of(&p.pooled), q)
	return x >= h.Quantile(max(q-d, 0)) && x <= h.Quantile(min(q+d, 1))
}

// sameBucket tells whether a quantile lies in one bucket of metrics on both sides: more is not known.
func (m *comparison) sameBucket(p *pair, metric Metric, q float64) bool {
	h := metric.of(&p.recorded)
	if fine(h) {
		return false
	}
	low, high := h.Within(q)
	for i := range p.simulated {
		g := metric.of(&p.simulated[i])
		if g.Count() == 0 {
			return false
		}
		if a, b := g.Within(q); a != low || b != high {
			return false
		}
	}
	return true
}

// distance compares the distribution of a metric.
func (m *comparison) distance(p *pair, metric Metric) {
	h, pooled := metric.of(&p.recorded), metric.of(&p.pooled)
	if h.Count() == 0 && pooled.Count() == 0 {
		return
	}
	r := p.row(metric, h.Count())
	d := distance(h, pooled)
	if math.IsNaN(d) {
		r.Verdict = TooFew
		m.rows = append(m.rows, r)
		return
	}
	// The 95 % point of the distance of two samples; what is simulated once counts once.
	n, k := float64(h.Count()), float64(pooled.Count())/float64(len(p.simulated))
	chance := 1.36 * math.Sqrt(1/n+1/k)
	for i := range p.simulated {
		if g := metric.of(&p.simulated[i]); g.Count() > 0 && len(p.simulated) > 1 {
			chance = max(chance, distance(g, pooled))
		}
	}
	r.Distance, r.Chance, r.Verdict = number(d), number(min(chance, 1)), Differs
	if d <= max(m.Within, chance) {
		r.Verdict = Agrees
	}
	m.rows = append(m.rows, r)
}

package calibration

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// drift is by how much the ratio of recorded to simulated executions has to change over time.
const drift = 1.25

// executions finds why executions differ.
func (m *comparison) executions(level Subject) []Reason {
	spans := m.typical(level)
	if n := len(spans); n >= 3 {
		third := max(n/3, 1)
		early, late := geometric(spans[:third]), geometric(spans[n-third:])
		if change := late / early; change >= drift || change <= 1/drift {
			return []Reason{m.drifted(change, spans)}
		}
	}
	if !m.differs(level, Execution, 0, 0.5, 0.9) {
		return nil
	}
	p := m.pair(level, -1)
	d, alone := distance(p.recorded.Execution, p.pooled.Execution), distance(p.recorded.Execution, p.pooled.Alone)
	if m.Trace && m.Told != ToldAll && alone < d/2 {
		return []Reason{{
			Code: HiddenWaits, What: "Executions of the record hold waits that it does not tell, and the simulation waits once more on top.",
			Evidence: fmt.Sprintf("The simulated executions alone have the distance %s from the recorded ones; with the waits that such a log hides, %s.",
				figure(alone), figure(d)),
			Remedy: "HTTP lines tell executions and waits apart (apfsim import httplog). Otherwise take the durations for an upper bound.",
		}}
	}
	evidence := fmt.Sprintf("The median is %s in the record and %s in the simulation; the distance of the distributions is %s.",
		seconds(quantile(p.recorded.Execution, 0.5)), seconds(quantile(p.pooled.Execution, 0.5)), figure(d))
	if m.Trace {
		if evidence = m.slowest(level); evidence == "" {
			return nil // other requests are executed, each for as long
		}
	}
	return []Reason{{
		Code: OtherDurations, What: "Requests execute for other times than in the scenario, throughout.", Evidence: evidence,
		Remedy: "Correct the duration of the clients. Executions take longer when cores or etcd are busy: a backend models that.",
	}}
}

// period is how long executions typically take in a span: their geometric mean, in seconds.
type period struct {
	span                int
	recorded, simulated float64
}

// typical are the executions by span, where there are enough requests on both sides. Of a trace each group of
// users is held against itself, so that it does not matter how many of which are executed; of metrics the level
// as a whole.
func (m *comparison) typical(level Subject) []period {
	var out []period
	for i := range m.Recorded.Spans {
		if m.Trace {
			if a, b, ok := m.ofUsers(level, i); ok {
				out = append(out, period{i, a, b})
			}
			continue
		}
		p := m.pair(level, i)
		if p.recorded.Execution.Count() >= few && p.pooled.Execution.Count() >= few {
			out = append(out, period{i, geometricMean(p.recorded.Execution), geometricMean(p.pooled.Execution)})
		}
	}
	return out
}

// ofUsers are the typical executions of the groups of users in a span, or in all the time with -1. Each weighs as much
// as it has executions on the side that has fewer.
func (m *comparison) ofUsers(level Subject, span int) (recorded, simulated float64, ok bool) {
	clean := m.hides(level, span)
	weight, a, b := 0.0, 0.0, 0.0
	for _, users := range m.usersAt(level) {
		x, y := m.logs(users, span, clean)
		if w := math.Min(float64(x.N), m.mean(y.N)); w >= few/4 {
			weight += w
			a += float64(w * x.mean())
			b += float64(w * y.mean())
		}
	}
	if weight < few {
		return 0, 0, false
	}
	return math.Exp(a / weight), math.Exp(b / weight), true
}

// usersAt lists the groups of users that a level has.
func (m *comparison) usersAt(level Subject) []Subject {
	return slices.DeleteFunc(m.kind(usersAtLevel), func(s Subject) bool { return s.Level != level.Name })
}

// hides tells whether executions hold other waits on the two sides: if the record hides some, and waits differ.
func (m *comparison) hides(level Subject, span int) bool {
	if m.Told == ToldAll {
		return false
	}
	for i := range m.rows {
		if r := &m.rows[i]; r.subject == level && r.span == span && (r.Metric == Wait || r.Metric == Rejected) && r.Verdict == Differs {
			return true
		}
	}
	return false
}

// logs are the logarithms of the executions of a group of users, on both sides.
func (m *comparison) logs(users Subject, span int, clean bool) (recorded, pooled Logs) {
	take := func(s *Side) Sum {
		if span < 0 {
			return s.whole(users)
		}
		return s.in(users, span)
	}
	pick := func(into *Logs, s Sum) {
		l := s.All
		if clean {
			l = s.Clean
		}
		into.N, into.Sum = into.N+l.N, into.Sum+l.Sum
	}
	pick(&recorded, take(m.Recorded))
	for _, s := range m.Simulated {
		pick(&pooled, take(s))
	}
	return recorded, pooled
}

// otherTime is by which part the typical execution of a group of users differs if it is no chance.
const otherTime = 0.1

// slowest tells which group of users has other executions: the one that differs most of those with many; "" if none
// does.
func (m *comparison) slowest(level Subject) string {
	clean := m.hides(level, -1)
	most, evidence := 0.0, ""
	for _, users := range m.usersAt(level) {
		x, y := m.logs(users, -1, clean)
		if x.N < few || y.N < few {
			continue
		}
		d := x.mean() - y.mean()
		// Three standard errors, of logarithms that vary by about one.
		if math.Abs(d) < max(otherTime, 2*m.Within)+3/math.Sqrt(float64(x.N)) || math.Abs(d) <= most {
			continue
		}
		most = math.Abs(d)
		evidence = fmt.Sprintf("Those of %s take typically (geometric mean) %s in the record and %s in the simulation.",
			users.Name, seconds(math.Exp(x.mean())), seconds(math.Exp(y.mean())))
	}
	return evidence
}

// geometric is the geometric mean of the ratios of recorded to simulated executions.
func geometric(x []period) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v.recorded / v.simulated)
	}
	return math.Exp(sum / float64(len(x)))
}

// drifted says that executions changed over time.
func (m *comparison) drifted(change float64, spans []period) Reason {
	early, late := spans[0], spans[len(spans)-1]
	word, why := "slower", "a backend that slows down (etcd, an admission webhook, the processors)"
	if change < 1 {
		word, why = "faster", "a backend that recovers"
	}
	first, end := m.Recorded.Spans[early.span], m.Recorded.Spans[late.span]
	return Reason{
		Code: Drift, What: fmt.Sprintf("Executions became %s in the course of the record, and not in the simulation: %s.", word, why),
		Evidence: fmt.Sprintf("Typically (geometric mean) %s from %s to %s and %s from %s to %s; simulated, %s and %s.",
			seconds(early.recorded), clock(first.From), clock(first.Until), seconds(late.recorded), clock(end.From), clock(end.Until),
			seconds(early.simulated), seconds(late.simulated)),
		Remedy: "More seats would not have helped the recorded server. Replay the trace, which has each execution as it was, or split the clients at that time; backend models what slows down under load.",
	}
}

// rates finds why arrivals differ.
func (m *comparison) rates(level Subject, known []Reason) []Reason {
	p := m.pair(level, -1)
	if m.differs(level, Rate, 0) {
		if has(known, RecordLacks, ScenarioLacks) {
			return nil
		}
		a, b := float64(p.recorded.Arrivals), m.mean(p.pooled.Arrivals)
		word := "more"
		if b < a {
			word = "fewer"
		}
		r := Reason{
			Code: OtherRates, What: fmt.Sprintf("The scenario asks %s of this level than was recorded.", word),
			Evidence: fmt.Sprintf("%s requests were recorded and %s simulated%s.", countf(a), countf(b), m.by(a < b)),
			Remedy:   "Correct the rates of these clients.",
		}
		if p.recorded.rejections() > 0 || p.pooled.rejections() > 0 {
			r.Remedy += " Retries after rejections are arrivals too: where rejections differ, so do these."
		}
		return []Reason{r}
	}
	return m.bursts(level)
}

// by names the users whose requests differ most, "" if the sides do not tell users.
func (m *comparison) by(more bool) string {
	change := map[string]int64{}
	for _, s := range m.kind(OfUsers) {
		p := m.pair(s, -1)
		d := int64(math.Round(m.mean(p.pooled.Arrivals))) - p.recorded.Arrivals
		if !more {
			d = -d
		}
		if d > 0 {
			change[s.Name] = d
		}
	}
	names := heaviest(change)
	if len(names) == 0 {
		return ""
	}
	word := "more"
	if !more {
		word = "fewer"
	}
	var parts []string
	for _, name := range names[:min(2, len(names))] {
		parts = append(parts, fmt.Sprintf("%s %s of %s", count(change[name]), word, name))
	}
	return ": " + strings.Join(parts, ", ")
}

// bursts finds arrivals that come at other times, where their number is right.
func (m *comparison) bursts(level Subject) []Reason {
	worst, found := Row{}, 0
	most := 0.0
	for i := range m.rows {
		r := &m.rows[i]
		if r.subject != level || r.span < 0 || r.Metric != Rate || r.Verdict != Differs || r.Recorded == nil || r.Simulated == nil {
			continue
		}
		d := math.Abs(float64(*r.Simulated-*r.Recorded)) * m.Recorded.Spans[r.span].seconds()
		// Of a Poisson process two counts differ by chance.
		if n := float64(*r.Recorded+*r.Simulated) * m.Recorded.Spans[r.span].seconds(); d < 3*math.Sqrt(n) || d < few {
			continue
		}
		found++
		if d > most {
			most, worst = d, *r
		}
	}
	if found == 0 {
		return nil
	}
	return []Reason{{
		Code: Bursts, What: "As many requests came, but at other times.",
		Evidence: fmt.Sprintf("From %s to %s %s requests a second were recorded and %s simulated.",
			clock(m.Recorded.Spans[worst.span].From), clock(m.Recorded.Spans[worst.span].Until), figure(float64(*worst.Recorded)), figure(float64(*worst.Simulated))),
		Remedy: "Describe the arrivals by stages or bursts, or replay the trace.",
	}}
}

// seatsFree is how much of its seats a level has in use at most where nobody ought to wait.
const seatsFree = 0.7

// missing finds rejections and waits that what was recorded does not explain: there were seats free.
func (m *comparison) missing(level Subject) []Reason {
	p := m.pair(level, -1)
	rejected, here := float64(p.recorded.rejections()), m.mean(p.pooled.rejections())
	waits := !m.differs(level, Rejected, 0) && m.differs(level, Wait, 0.9, 0.99) && quantile(p.recorded.Wait, 0.99) > 2*quantile(p.pooled.Wait, 0.99)
	if rejected < max(rejectedFloor*float64(p.recorded.Arrivals), few/4) || here > rejected/2 {
		rejected = 0
		if !waits {
			return nil
		}
	}
	limit := m.Simulated[0].Nominal[level.Name]
	use, at := 0.0, -1
	for i, span := range m.Recorded.Spans {
		sum := m.Recorded.in(level, i)
		if rejected > 0 && sum.rejections() == 0 {
			continue
		}
		if seats := sum.SeatSeconds / span.seconds(); seats > use || at < 0 {
			use, at = seats, i
		}
	}
	if at < 0 || limit == 0 || use > seatsFree*float64(limit) {
		return nil
	}
	what := fmt.Sprintf("%s requests were rejected", countf(rejected))
	if rejected == 0 {
		what = fmt.Sprintf("requests waited up to %s at the 99th percentile", seconds(quantile(p.recorded.Wait, 0.99)))
	}
	if m.Narrow >= few {
		return []Reason{{
			Code: NoObjects, What: "LISTs were wider than they are here: the scenario does not say how many objects are stored.",
			Evidence: fmt.Sprintf("%s, while the recorded requests had at most %s of the level's %d seats in use (from %s to %s); but each of %s recorded LISTs is taken to have one seat.",
				upper(what), figure(use), limit, clock(m.Recorded.Spans[at].From), clock(m.Recorded.Spans[at].Until), count(m.Narrow)),
			Remedy: "Give the scenario its objects, such as  objects: {pods: {count: 20000, averageBytes: 4000}}: apiserver_storage_objects tells the numbers.",
		}}
	}
	return []Reason{{
		Code: MissingTraffic, What: "The record lacks the traffic that held the seats: other users, users that the audit policy or a managed service leaves out, or what a sample left out.",
		Evidence: fmt.Sprintf("%s, while the recorded requests had at most %s of the level's %d seats in use (from %s to %s).",
			upper(what), figure(use), limit, clock(m.Recorded.Spans[at].From), clock(m.Recorded.Spans[at].Until)),
		Remedy: "Look who else uses the level: apiserver_flowcontrol_request_execution_seconds tells it by flow schema, and dump_requests by user. A smaller server, smaller shares or wider LISTs than those of the scenario look the same.",
	}}
}

// otherwise is for waits and rejections that differ although traffic and executions agree.
func (m *comparison) otherwise(level Subject) Reason {
	p := m.pair(level, -1)
	limit := float64(m.Simulated[0].Nominal[level.Name])
	evidence := fmt.Sprintf("Requests and executions agree; %s were rejected and %s are in the simulation.", count(p.recorded.rejections()), countf(m.mean(p.pooled.rejections())))
	use := m.busiest(level)
	if limit > 0 && use > seatsFree*limit {
		return Reason{
			Code: AtTheLimit, What: "The level has no seat to spare, so that small differences of traffic make large ones of waits and rejections.",
			Evidence: fmt.Sprintf("%s At its busiest the recorded requests have %s seats in use, and the nominal limit is %s.", evidence, figure(use), figure(limit)),
			Remedy:   "Look at more replications. What remains are the number of seats, the shares, what other levels lend, the number of flows and how bursty they are.",
		}
	}
	return Reason{
		Code: Unexplained, What: "No rule explains it.", Evidence: evidence,
		Remedy: "What the figures do not show: the queues and hands of the level, how many flows there are, bursts shorter than a span, borrowed seats.",
	}
}

// busiest is the most seats that recorded requests have in use in any span.
func (m *comparison) busiest(level Subject) float64 {
	use := 0.0
	for i, span := range m.Recorded.Spans {
		sum := m.Recorded.in(level, i)
		use = max(use, sum.SeatSeconds/span.seconds())
	}
	return use
}

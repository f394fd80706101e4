package calibration

import (
	"fmt"
	"math"
	"strings"

	"github.com/apfsim/apfsim/workload/recording"
)

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

// otherTimeouts finds rejections after other waits than in the simulation: the server rejects a request after a
// quarter of the time that its client gives it.
func (m *comparison) otherTimeouts(level Subject) []Reason {
	p := m.pair(level, -1)
	n, k := p.recorded.GaveUp.Count(), p.pooled.GaveUp.Count()
	if n < few || k < few || distance(p.recorded.GaveUp, p.pooled.GaveUp) < 0.25 {
		return nil
	}
	words := func(h *recording.ObservedHistogram) string {
		return fmt.Sprintf("%s, %s and %s", seconds(h.Quantile(0.1)), seconds(h.Quantile(0.5)), seconds(h.Quantile(0.9)))
	}
	return []Reason{{
		Code: OtherTimeouts, What: "Clients ask for other time-outs than in the scenario, or give up by themselves.",
		Evidence: fmt.Sprintf("Those who were rejected after a wait had waited %s in the record (p10, p50, p90) and %s in the simulation.",
			words(p.recorded.GaveUp), words(p.pooled.GaveUp)),
		Remedy: "The server rejects what has waited for a quarter of its time: give the clients their timeout, which the parameter timeout of requestURI tells.",
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
	evidence := "Requests and executions agree; " + m.outcome(p)
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

// outcome says which rejections and waits there are on both sides.
func (m *comparison) outcome(p *pair) string {
	rejected, here := p.recorded.rejections(), m.mean(p.pooled.rejections())
	if m.differs(p.subject, Rejected, 0) {
		return fmt.Sprintf("%s were rejected in the record and %s in the simulation.", count(rejected), countf(here))
	}
	return fmt.Sprintf("the wait is at the median %s in the record and %s in the simulation, and %s and %s at the 90th percentile.",
		seconds(quantile(p.recorded.Wait, 0.5)), seconds(quantile(p.pooled.Wait, 0.5)), seconds(quantile(p.recorded.Wait, 0.9)), seconds(quantile(p.pooled.Wait, 0.9)))
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

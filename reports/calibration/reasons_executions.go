package calibration

import (
	"fmt"
	"math"
	"slices"
)

// executions finds why executions differ.
func (m *comparison) executions(level Subject) []Reason {
	p := m.pair(level, -1)
	d, alone := distance(p.recorded.Execution, p.pooled.Execution), distance(p.recorded.Execution, p.pooled.Alone)
	if m.Trace && m.Told != ToldAll && m.differs(level, Execution, 0) && alone < d/2 {
		return []Reason{{
			Code: HiddenWaits, What: "Executions of the record hold waits that it does not tell, and the simulation waits once more on top.",
			Evidence: fmt.Sprintf("The simulated executions alone have the distance %s from the recorded ones; with the waits that such a log hides, %s.",
				figure(alone), figure(d)),
			Remedy: "HTTP lines tell executions and waits apart (apfsim import httplog). Otherwise take the durations for an upper bound.",
		}}
	}
	change, evidence := m.changeOfLevel, m.otherMean
	if m.Trace {
		change, evidence = m.changeOfUsers, m.slowest
	}
	if c := change(level); c.sure() {
		return []Reason{m.drifted(&c)}
	}
	if !m.differs(level, Execution, 0, 0.5, 0.9, 0.99) && !m.differs(level, Seats, 0) {
		return nil
	}
	words := evidence(level)
	if words == "" {
		return nil // other requests are executed, each for as long
	}
	remedy := "Correct the duration of the clients. Executions take longer when cores or etcd are busy: a backend models that."
	if m.hides(level, -1) {
		remedy += " A scenario that was fitted to such a record has the waits that it hides in its durations."
	}
	return []Reason{{Code: OtherDurations, What: "Requests execute for other times than in the scenario.", Evidence: words, Remedy: remedy}}
}

// otherMean tells how far the mean execution of a level is off, which metrics know exactly; "" if it is not.
func (m *comparison) otherMean(level Subject) string {
	p := m.pair(level, -1)
	n, k := p.recorded.Execution.Count(), p.pooled.Execution.Count()
	if n < few || k < few {
		return ""
	}
	a, b := p.recorded.Execution.Sum/float64(n), p.pooled.Execution.Sum/float64(k)
	if near(b, a, max(otherTime, 2*m.Within)) {
		return ""
	}
	return fmt.Sprintf("The mean is %s in the record and %s in the simulation.", seconds(a), seconds(b))
}

// drift is by how much the ratio of recorded to simulated executions has to change from the first third of the
// time to the last.
const drift = 1.25

// certain is how many standard errors make a difference that is no chance.
const certain = 3

// change is how executions change over time: the logarithms of those of the first third of the time and of the
// last, on both sides.
type change struct {
	who                                            string
	recordedEarly, recordedLate, simEarly, simLate Logs
}

// ratio is by how much the ratio of the two sides changes, as a logarithm.
func (c *change) ratio() float64 {
	return c.recordedLate.mean() - c.simLate.mean() - c.recordedEarly.mean() + c.simEarly.mean()
}

// enough tells whether there are enough requests to speak of a change.
func (c *change) enough() bool {
	return min(c.recordedEarly.N, c.recordedLate.N, c.simEarly.N, c.simLate.N) >= few/2
}

// sure tells whether executions change, and not by chance.
func (c *change) sure() bool {
	if !c.enough() {
		return false
	}
	variance := c.recordedEarly.uncertainty() + c.recordedLate.uncertainty() + c.simEarly.uncertainty() + c.simLate.uncertainty()
	return math.Abs(c.ratio()) >= max(math.Log(drift), certain*math.Sqrt(variance))
}

// thirds are the first spans and the last.
func (m *comparison) thirds() (early, late []int) {
	n := len(m.Recorded.Spans)
	third := max(n/3, 1)
	for i := range n {
		switch {
		case i < third:
			early = append(early, i)
		case i >= n-third:
			late = append(late, i)
		}
	}
	return early, late
}

// changeOfUsers finds the group of users of a level whose executions change most. Each is held against itself, so that
// it does not matter how many of which are executed.
func (m *comparison) changeOfUsers(level Subject) change {
	early, late := m.thirds()
	var most change
	for _, users := range m.usersAt(level) {
		c := change{who: users.Name}
		c.recordedEarly, c.simEarly = m.logs(level, users, early)
		c.recordedLate, c.simLate = m.logs(level, users, late)
		if c.sure() && (most.who == "" || math.Abs(c.ratio()) > math.Abs(most.ratio())) {
			most = c
		}
	}
	return most
}

// changeOfLevel is how the executions of a level change, as metrics tell it.
func (m *comparison) changeOfLevel(level Subject) change {
	early, late := m.thirds()
	var c change
	for _, part := range []struct {
		spans               []int
		recorded, simulated *Logs
	}{{early, &c.recordedEarly, &c.simEarly}, {late, &c.recordedLate, &c.simLate}} {
		for _, i := range part.spans {
			p := m.pair(level, i)
			part.recorded.join(logsOf(p.recorded.Execution))
			part.simulated.join(logsOf(p.pooled.Execution))
		}
	}
	return c
}

// drifted says that executions changed over time.
func (m *comparison) drifted(c *change) Reason {
	early, late := m.thirds()
	word, why := "slower", "a backend that slows down (etcd, an admission webhook, the processors)"
	if c.ratio() < 0 {
		word, why = "faster", "a backend that recovers"
	}
	of := ""
	if c.who != "" {
		of = " of " + c.who
	}
	spans := m.Recorded.Spans
	first, last := spans[early[len(early)-1]], spans[late[0]]
	return Reason{
		Code: Drift, What: fmt.Sprintf("Executions became %s in the course of the record, and not in the simulation: %s.", word, why),
		Evidence: fmt.Sprintf("Those%s took typically (geometric mean) %s until %s and %s from %s on; simulated, %s and %s.",
			of, seconds(math.Exp(c.recordedEarly.mean())), clock(first.Until), seconds(math.Exp(c.recordedLate.mean())), clock(last.From),
			seconds(math.Exp(c.simEarly.mean())), seconds(math.Exp(c.simLate.mean()))),
		Remedy: "More seats would not have helped the recorded server. Replay the trace, which has each execution as it was, or split the clients at that time; backend models what slows down under load.",
	}
}

// usersAt lists the groups of users that a level has.
func (m *comparison) usersAt(level Subject) []Subject {
	return slices.DeleteFunc(m.kind(usersAtLevel), func(s Subject) bool { return s.Level != level.Name })
}

// hidden is from which distance on of simulated executions with and without the waits that a record hides these
// matter.
const hidden = 0.02

// hides tells whether recorded executions of a level hold waits in a span, as far as that can be known: if such waits
// are in the simulated ones, or if the record tells of longer ones.
func (m *comparison) hides(level Subject, span int) bool {
	if m.Told == ToldAll {
		return false
	}
	p := m.pair(level, span)
	return distance(p.pooled.Execution, p.pooled.Alone) > hidden || p.recorded.rejections() > 0 ||
		p.recorded.Wait.Count() > 0 && p.recorded.Wait.Quantile(0.9) > realWait.Seconds()
}

// logs are the logarithms of the executions of a group of users in some spans, on both sides. Where the record hides
// waits only those count that certainly hold none.
func (m *comparison) logs(level, users Subject, spans []int) (recorded, pooled Logs) {
	for _, i := range spans {
		clean := m.hides(level, i)
		pick := func(into *Logs, s Sum) {
			if clean {
				into.join(s.Clean)
				return
			}
			into.join(s.All)
		}
		pick(&recorded, m.Recorded.in(users, i))
		for _, s := range m.Simulated {
			pick(&pooled, s.in(users, i))
		}
	}
	return recorded, pooled
}

// otherTime is by which part the typical execution of a group of users differs if it is no chance.
const otherTime = 0.1

// slowest tells which group of users has other executions: the one that differs most of those with many; "" if none
// does.
func (m *comparison) slowest(level Subject) string {
	all := make([]int, len(m.Recorded.Spans))
	for i := range all {
		all[i] = i
	}
	most, evidence := 0.0, ""
	for _, users := range m.usersAt(level) {
		x, y := m.logs(level, users, all)
		if x.N < few || y.N < few {
			continue
		}
		d := math.Abs(x.mean() - y.mean())
		if d < max(otherTime, 2*m.Within, certain*math.Sqrt(x.uncertainty()+y.uncertainty())) || d <= most {
			continue
		}
		most = d
		evidence = fmt.Sprintf("Those of %s take typically (geometric mean) %s in the record and %s in the simulation.",
			users.Name, seconds(math.Exp(x.mean())), seconds(math.Exp(y.mean())))
	}
	return evidence
}

package calibration

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// few is how many requests say nothing yet.
const few = 20

// shownMoves is how many changes of classification are named.
const shownMoves = 3

// otherClassification finds requests that the recorded server gave elsewhere: of a trace one by
// one, of metrics by flow schemas that the configuration does not have.
func (m *comparison) otherClassification() []Reason {
	total := int64(0)
	var moves []Move
	// Any order: the moves are sorted below.
	for move, n := range m.Moved {
		total += n
		moves = append(moves, move)
	}
	if float64(total) < max(few/4, 0.005*float64(m.Requests)) {
		return m.unknownSchemas()
	}
	slices.SortFunc(moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(m.Moved[b], m.Moved[a]), cmp.Compare(a.RecordedSchema, b.RecordedSchema),
			cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.RecordedLevel, b.RecordedLevel), cmp.Compare(a.Level, b.Level))
	})
	var parts []string
	for _, v := range moves[:min(shownMoves, len(moves))] {
		parts = append(parts, fmt.Sprintf("%s of schema %s (level %s) match %s (level %s) here", count(m.Moved[v]), v.RecordedSchema, v.RecordedLevel, v.Schema, v.Level))
	}
	return []Reason{{
		Code:     OtherClassification,
		What:     "The recorded server had other FlowSchemas or levels than the scenario.",
		Evidence: fmt.Sprintf("%s of %s requests were classified otherwise: %s.", count(total), count(m.Requests), strings.Join(parts, "; ")),
		Remedy:   "Give the scenario the manifests of the cluster (flowControl.manifests), and its release.",
	}}
}

// unknownSchemas finds schemas of metrics that the scenario does not have.
func (m *comparison) unknownSchemas() []Reason {
	var parts []string
	for _, s := range m.kind(OfSchema) {
		p := m.pair(s, -1)
		if !m.Trace && p.recorded.Arrivals >= few && !m.Simulated[0].Schemas[s.Name] {
			parts = append(parts, fmt.Sprintf("%s (level %s) with %s requests", s.Name, s.Level, count(p.recorded.Arrivals)))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []Reason{{
		Code:     OtherClassification,
		What:     "The recorded server had other FlowSchemas or levels than the scenario.",
		Evidence: "The scenario does not have the schemas " + strings.Join(parts, ", ") + ".",
		Remedy:   "Give the scenario the manifests of the cluster (flowControl.manifests), and its release.",
	}}
}

// near tells whether two figures differ by at most a part of the second.
func near(a, b, part float64) bool { return math.Abs(a-b) <= part*math.Abs(b) }

// otherLimits finds nominal limits of metrics that are not those of the scenario.
func (m *comparison) otherLimits() []Reason {
	var parts []string
	for _, level := range m.kind(OfLevel) {
		a, known := m.Recorded.Nominal[level.Name]
		b, here := m.Simulated[0].Nominal[level.Name]
		// Each server rounds its limits.
		if known && here && math.Abs(float64(a-b)) > float64(max(m.Simulated[0].Servers, 1)) {
			parts = append(parts, fmt.Sprintf("%s has %d seats in the record and %d in the simulation", level.Name, a, b))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []Reason{{
		Code: OtherLimits, What: "The recorded server had other limits: another size, or other shares.",
		Evidence: "Nominal limits: " + strings.Join(parts, "; ") + ".",
		Remedy:   "Set server.maxRequestsInflight and maxMutatingRequestsInflight, or give the manifests.",
	}}
}

// overSeats is from how many of the seats on more are in use than there can be: the widest request may go
// beyond them, and executions that hold hidden waits are too long.
const overSeats = 1.1

// largerServer finds more seats in use than the simulated servers have.
func (m *comparison) largerServer() []Reason {
	if m.Simulated[0].Seats == 0 {
		return nil
	}
	most, at := 0.0, 0
	for i, span := range m.Recorded.Spans {
		use := 0.0
		for _, level := range m.kind(OfLevel) {
			if level.Name != "exempt" {
				sum := m.Recorded.in(level, i)
				use += sum.SeatSeconds / span.seconds()
			}
		}
		if use > most {
			most, at = use, i
		}
	}
	seats := float64(m.Simulated[0].Seats)
	if most <= overSeats*seats {
		return nil
	}
	return []Reason{{
		Code: LargerServer, What: "The recorded server was larger, or there were more of them.",
		Evidence: fmt.Sprintf("From %s to %s the recorded executions take %s seats on average, and the simulated servers have %s.",
			clock(m.Recorded.Spans[at].From), clock(m.Recorded.Spans[at].Until), countf(most), countf(seats)),
		Remedy: "Set server.maxRequestsInflight, maxMutatingRequestsInflight and count. If those are right, the scenario takes requests for wider than they were: see its objects.",
	}}
}

// longerWaits finds a wait that the simulated server does not allow.
func (m *comparison) longerWaits() []Reason {
	limit := time.Duration(0)
	for _, s := range m.Simulated {
		limit = max(limit, s.WaitLimit)
	}
	longest, name := 0.0, ""
	for _, level := range m.kind(OfLevel) {
		if x := m.Recorded.Longest[level.Name]; x > longest {
			longest, name = x, level.Name
		}
	}
	if limit == 0 || longest <= limit.Seconds()*1.02+0.25 {
		return nil
	}
	return []Reason{{
		Code: LongerWaits, What: "The recorded server lets requests wait longer: another --request-timeout, or another release.",
		Evidence: fmt.Sprintf("A request of %s waited %s; the simulated server allows %s.", name, seconds(longest), seconds(limit.Seconds())),
		Remedy:   "Set server.requestTimeout and kubernetesVersion to those of the cluster.",
	}}
}

// alikeParts finds whether the record has the same part of the simulated requests at all levels that
// have many, and returns it.
func (m *comparison) alikeParts() (part float64, levels int, ok bool) {
	all := m.total()
	if all.pooled.Arrivals == 0 {
		return 0, 0, false
	}
	part = float64(all.recorded.Arrivals) / m.mean(all.pooled.Arrivals)
	for _, level := range m.kind(OfLevel) {
		p := m.pair(level, -1)
		want := m.mean(p.pooled.Arrivals)
		if want*part < few || want < few {
			continue
		}
		levels++
		// Three standard deviations of a binomial count, and something for the scenario.
		slack := 0.1 + 3/math.Sqrt(want*part)
		if !near(float64(p.recorded.Arrivals)/want, part, slack) {
			return part, levels, false
		}
	}
	return part, levels, levels > 0 && m.alikeOverTime(part)
}

// alikeOverTime tells whether the record has about the same part of the simulated requests at all times.
func (m *comparison) alikeOverTime(part float64) bool {
	for i := range m.Recorded.Spans {
		recorded, simulated := int64(0), int64(0)
		for _, level := range m.kind(OfLevel) {
			p := m.pair(level, i)
			recorded, simulated = recorded+p.recorded.Arrivals, simulated+p.pooled.Arrivals
		}
		if want := m.mean(simulated) * part; want >= few && !near(float64(recorded), want, 0.2+3/math.Sqrt(want)) {
			return false
		}
	}
	return true
}

// oneServer finds a record of one of several servers.
func (m *comparison) oneServer() []Reason {
	servers := m.Simulated[0].Servers
	part, _, ok := m.alikeParts()
	if servers < 2 || !ok || !near(part, 1/float64(servers), 0.2) {
		return nil
	}
	return []Reason{{
		Code: OneServer, What: fmt.Sprintf("The record is of one of the %d servers.", servers),
		Evidence: fmt.Sprintf("It has %s of the simulated requests, at all levels alike.", percent(part)),
		Remedy:   "Record all servers, or let the scenario have one.",
	}}
}

// thinned finds a record, or a scenario, that has the same part of everything.
func (m *comparison) thinned() []Reason {
	part, levels, ok := m.alikeParts()
	if !ok || near(part, 1, max(2*m.Within, 0.1)) || len(m.oneServer()) > 0 {
		return nil
	}
	where := "at each of the levels"
	if levels == 1 {
		where = "at the one level that has traffic"
	}
	if part < 1 {
		return []Reason{{
			Code: Thinned, What: "The record is a part of the traffic: a sample, or of another server.",
			Evidence: fmt.Sprintf("It has %s of the simulated requests, %s.", percent(part), where),
			Remedy:   "Import it without --sample, and look whether the log lost events (apiserver_audit_error_total) or is of one server of several.",
		}}
	}
	return []Reason{{
		Code: Scaled, What: "The scenario has a part of the recorded traffic.",
		Evidence: fmt.Sprintf("The record has %s times its requests, %s.", figure(part), where),
		Remedy:   "Raise the count or the rates of the clients; a scenario that was fitted to a sample lacks the rest.",
	}}
}

// lacks finds users and schemas that one side alone has.
func (m *comparison) lacks() []Reason {
	recorded, simulated := map[string]int64{}, map[string]int64{}
	kinds := OfUsers
	if !m.Trace {
		if has(m.otherClassification(), OtherClassification) {
			return nil
		}
		kinds = OfSchema
	}
	for _, s := range m.kind(kinds) {
		p := m.pair(s, -1)
		switch mean := m.mean(p.pooled.Arrivals); {
		case p.recorded.Arrivals == 0 && mean >= few:
			simulated[s.Name] = int64(math.Round(mean))
		case p.pooled.Arrivals == 0 && p.recorded.Arrivals >= few:
			recorded[s.Name] = p.recorded.Arrivals
		}
	}
	var out []Reason
	if len(simulated) > 0 {
		out = append(out, Reason{
			Code: RecordLacks, What: "The record lacks some of those who ask in the scenario.",
			Evidence: "No request in it is of " + namesOf(simulated) + ".",
			Remedy:   "An audit policy with the level None, and many managed services, leave out users of the system. Otherwise the scenario has clients that were not there.",
		})
	}
	if len(recorded) > 0 {
		out = append(out, Reason{
			Code: ScenarioLacks, What: "The scenario lacks some of those who asked.",
			Evidence: "No simulated request is of " + namesOf(recorded) + ".",
			Remedy:   "Add clients for them, or fit the record with more --populations.",
		})
	}
	return out
}

// shownNames is how many names are named.
const shownNames = 4

// namesOf lists names with their numbers of requests.
func namesOf(n map[string]int64) string {
	var parts []string
	names := heaviest(n)
	for _, name := range names[:min(shownNames, len(names))] {
		parts = append(parts, fmt.Sprintf("%s (%s requests on the other side)", name, count(n[name])))
	}
	if more := len(names) - shownNames; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, ", ")
}

// otherBalance finds servers that have other parts of the requests.
func (m *comparison) otherBalance() []Reason {
	servers := m.kind(OfServer)
	recorded, simulated := int64(0), int64(0)
	for _, s := range servers {
		p := m.pair(s, -1)
		recorded += p.recorded.Arrivals
		simulated += p.pooled.Arrivals
	}
	if len(servers) < 2 || recorded < few || simulated == 0 {
		return nil
	}
	var parts []string
	most := 0.0
	for _, s := range servers {
		p := m.pair(s, -1)
		a, b := float64(p.recorded.Arrivals)/float64(recorded), float64(p.pooled.Arrivals)/float64(simulated)
		most = max(most, math.Abs(a-b))
		parts = append(parts, fmt.Sprintf("%s has %s of the requests in the record and %s in the simulation", s.Name, percent(a), percent(b)))
	}
	if most < max(0.05, m.Within) {
		return nil
	}
	return []Reason{{
		Code: OtherBalance, What: "Requests are spread over the servers otherwise.",
		Evidence: strings.Join(parts[:min(len(parts), shownNames)], "; ") + ".",
		Remedy:   "Connections of HTTP/2 live long: a server that was restarted last has few of them, and --goaway-chance moves them. See the balancer in servers.md, or replay the trace, which tells the server of each request.",
	}}
}

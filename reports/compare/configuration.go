package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/reports"
)

// fields are what something is configured with, in order.
type fields []Setting

// add adds a field under a path, of side A.
func (f *fields) add(path string, value any) {
	*f = append(*f, Setting{Path: path, A: fmt.Sprint(value)})
}

// configuration lists what is configured otherwise.
func configuration(a, b *reports.Result) []Setting {
	before, after := configured(a), configured(b)
	out := []Setting{}
	for _, s := range before {
		i := slices.IndexFunc(after, func(t Setting) bool { return t.Path == s.Path })
		if i < 0 {
			out = append(out, s)
		} else if after[i].A != s.A {
			out = append(out, Setting{s.Path, s.A, after[i].A})
		}
	}
	for _, s := range after {
		if !slices.ContainsFunc(before, func(t Setting) bool { return t.Path == s.Path }) {
			out = append(out, Setting{Path: s.Path, B: s.A})
		}
	}
	return out
}

// configured lists all that a result tells of how it was configured.
func configured(r *reports.Result) fields {
	var f fields
	f.add("kubernetesVersion", r.KubernetesVersion)
	f.add("seed", r.Seed)
	f.add("duration", time.Duration(r.Duration))
	f.add("warmup", time.Duration(r.Warmup))
	f.add("seats of the server", r.Server.Seats)
	f.add("server.requestTimeout", time.Duration(r.Server.RequestTimeout))
	if len(r.Servers) > 0 {
		f.add("server.count", len(r.Servers))
	}
	for i := range r.Populations {
		p := &r.Populations[i]
		f.add("clients/"+p.Name+".count", p.Clients)
		if p.Preset != "" {
			f.add("clients/"+p.Name+".preset", p.Preset)
		}
	}
	if r.FlowControl != nil {
		for i := range r.FlowControl.PriorityLevels {
			f.level(&r.FlowControl.PriorityLevels[i])
		}
		for i := range r.FlowControl.FlowSchemas {
			f.schema(&r.FlowControl.FlowSchemas[i])
		}
	}
	for i := range r.PriorityLevels {
		if l := &r.PriorityLevels[i]; !l.Exempt {
			f.add("nominal seats of "+l.Name, l.Seats.Nominal)
		}
	}
	return f
}

// level lists what configures a priority level, by the paths of --set.
func (f *fields) level(l *reports.LevelSettings) {
	at := "priorityLevel/" + l.Name + "."
	f.add(at+"shares", l.Shares)
	f.add(at+"lendablePercent", l.LendablePercent)
	if b := l.BorrowingLimitPercent; b != nil {
		f.add(at+"borrowingLimitPercent", *b)
	}
	if q := l.Queuing; q != nil {
		f.add(at+"queues", q.Queues)
		f.add(at+"handSize", q.HandSize)
		f.add(at+"queueLengthLimit", q.QueueLengthLimit)
	}
}

// schema lists what configures a flow schema.
func (f *fields) schema(s *reports.SchemaSettings) {
	at := "flowSchema/" + s.Name + "."
	f.add(at+"matchingPrecedence", s.Precedence)
	f.add(at+"priorityLevel", s.PriorityLevel)
	if s.Distinguisher != "" {
		f.add(at+"distinguisherMethod.type", s.Distinguisher)
	}
	var rules []string
	for i := range s.Rules {
		rules = append(rules, strings.Join(s.Rules[i].Subjects, ", ")+": "+strings.Join(s.Rules[i].Requests, "; "))
	}
	f.add(at+"rules", strings.Join(rules, " | "))
}

// moved lists the requests that go to a flow schema and level on one side alone.
func moved(a, b *reports.Result) []Moved {
	var out []Moved
	add := func(here, there *reports.Result, inB bool) {
		for i := range here.Traffic {
			t := &here.Traffic[i]
			if t.Requests.Arrivals == 0 || goes(there, t) || !hasClient(there, t.Population) {
				continue
			}
			m := Moved{Client: t.Population, FlowSchema: t.FlowSchema, PriorityLevel: t.PriorityLevel}
			n := reports.NewNumber(float64(t.Requests.Arrivals) / float64(max(len(here.Replications), 1)))
			if inB {
				m.B = n
			} else {
				m.A = n
			}
			out = append(out, m)
		}
	}
	add(a, b, false)
	add(b, a, true)
	slices.SortStableFunc(out, func(x, y Moved) int { return strings.Compare(x.Client, y.Client) })
	return out
}

// goes tells whether a result has requests of the same population, schema and level.
func goes(r *reports.Result, t *reports.Traffic) bool {
	return slices.ContainsFunc(r.Traffic, func(o reports.Traffic) bool {
		return o.Population == t.Population && o.FlowSchema == t.FlowSchema && o.PriorityLevel == t.PriorityLevel && o.Requests.Arrivals > 0
	})
}

func hasClient(r *reports.Result, name string) bool {
	return slices.ContainsFunc(r.Populations, func(p reports.Population) bool { return p.Name == name })
}

// serverName is how a server is called.
func serverName(n int) string { return "server " + strconv.Itoa(n) }

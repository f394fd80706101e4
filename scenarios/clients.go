package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/workload"
)

// retryPolicy is how clients react to a rejection.
type retryPolicy string

func (retryPolicy) legal() []string {
	return workload.RetryPolicyNames()
}

// maxClients keeps a slip of the pen from asking for more than a computer can hold.
const maxClients = 1_000_000

const clientNameLegal = "lower-case letters, digits, - and ., at most 63 of them"

// clients makes the populations, and opens the traces.
func (l *loader) clients(list []clientSpec) []workload.Population {
	d := l.decoder
	switch {
	case len(l.spec.Tests) > 0 && len(list) == 0:
		l.excluded("", "without clients: nothing happens in a scenario of tests alone", "expect", "tune", "changes", "operations")
	case l.spec.Start != nil && len(list) == 0:
		// What is present at the start is traffic enough.
	case d.require("", "clients", "at least one population or trace") && len(list) == 0:
		d.refuse("clients", fault{code: CodeMissing, message: "clients is empty", legal: "at least one population or trace"})
	}
	out := make([]workload.Population, len(list))
	first := map[string]string{}
	for i := range list {
		path := index("clients", i)
		if d.require(path, "name", clientNameLegal) {
			l.clientName(path, list[i].Name, first)
		}
		switch {
		case list[i].Trace != nil:
			out[i] = l.trace(path, &list[i])
		case l.sound(join(path, "preset")):
			out[i] = l.population(path, &list[i])
		}
	}
	return out
}

func (l *loader) clientName(path, text string, first map[string]string) {
	at := join(path, "name")
	if len(text) > 63 || !plainName(strings.ReplaceAll(text, ".", "")) {
		l.refuse(at, fault{code: CodeNotLegal, message: fmt.Sprintf("%s is no name: %q", at, shorten(text)), legal: clientNameLegal})
		return
	}
	if prior, twice := first[text]; twice {
		l.refuse(at, fault{code: CodeSameName, message: fmt.Sprintf("two clients have the name %q, the other one on line %d", text, l.at(prior).Line)})
		return
	}
	first[text] = at
}

// toldByTraces are the fields of a population that its trace tells, and notOfTraces those that need
// clients.
var (
	toldByTraces = []string{"preset", "count", "user", "groups", "requests", "arrivals", "duration"}
	notOfTraces  = []string{"limiter", "timeout"}
)

// trace makes the population that replays a trace. Its retries are the only thing that
// the trace does not tell.
func (l *loader) trace(path string, s *clientSpec) workload.Population {
	l.excluded(path, "beside trace, which tells it", toldByTraces...)
	l.excluded(path, "beside trace, which has requests and no clients", notOfTraces...)
	p := workload.Population{Name: s.Name, Retry: l.retry(path, s.Retry), Deadline: deadlineOf(s.OnDeadline)}
	l.retriesEnd(path, &p.Retry)
	if l.require(join(path, "trace"), "file", "the name of a trace, JSON Lines, plain or gzip") {
		p.Trace = l.openTrace(join(path, "trace.file"), s.Trace.File)
		l.hashes = appendHashes(l.hashes, p.Trace)
	}
	return p
}

// appendHashes appends the hashes of flows that a trace tells.
func appendHashes(dst []scheduler.FlowHash, t *workload.Trace) []scheduler.FlowHash {
	if t == nil {
		return dst
	}
	byUser, byNamespace := t.FlowHashes()
	for _, h := range byUser {
		dst = append(dst, scheduler.FlowHash{FlowSchema: h.FlowSchema, By: scheduler.ByUser, Distinguisher: h.Distinguisher, Hash: h.Hash})
	}
	for _, h := range byNamespace {
		dst = append(dst, scheduler.FlowHash{FlowSchema: h.FlowSchema, By: scheduler.ByNamespace, Distinguisher: h.Distinguisher, Hash: h.Hash})
	}
	return dst
}

func (l *loader) population(path string, s *clientSpec) workload.Population {
	p := workload.Population{Name: s.Name, Preset: string(s.Preset), Clients: value(s.Count, 1), User: value(s.User, ""), Groups: s.Groups}
	l.inRange(join(path, "count"), int64(p.Clients), 1, maxClients)
	l.who(path, s)
	if len(s.Requests) == 0 {
		l.refuse(join(path, "requests"), fault{code: CodeMissing, message: join(path, "requests") + " is missing or empty", legal: "at least one request, such as {verb: list, resource: pods}"})
	}
	p.Requests = make([]workload.Template, len(s.Requests))
	for i := range s.Requests {
		p.Requests[i] = l.request(index(join(path, "requests"), i), &s.Requests[i])
	}
	l.weights(path, p.Requests)
	l.durations(path, s, &p)
	if s.Arrivals == nil {
		l.refuse(join(path, "arrivals"), fault{code: CodeMissing, message: join(path, "arrivals") + " is missing",
			legal: strings.Join(fieldNames(reflect.TypeFor[arrivalsSpec]()), ", ")})
	} else {
		l.arrivals(path, s.Arrivals, &p)
	}
	p.Retry = l.retry(path, s.Retry)
	l.pace(path, s, &p)
	l.spin(path, &p)
	return p
}

// spin reports a closed loop that would go round for ever at one instant. Behind a backend every
// request takes time.
func (l *loader) spin(path string, p *workload.Population) {
	if !l.sound(join(path, "arrivals.closed.think")) {
		return
	}
	pace := *p
	if l.spec.Backend != nil && (p.Duration.IsZero() || p.Duration.Mean() == 0) {
		pace.Duration = constantDuration(1)
	}
	l.workloadFaults(path, pace.ValidatePace())
}

// who checks the user and the groups.
func (l *loader) who(path string, s *clientSpec) {
	if s.User == nil || *s.User == "" {
		l.refuse(join(path, "user"), fault{code: CodeMissing, message: join(path, "user") + " is missing",
			legal: "a user name; {index} in it is the number of the client from 0", hint: "system:anonymous is who sends no credentials"})
		return
	}
	l.placeholders(join(path, "user"), *s.User)
	for i, g := range s.Groups {
		at := index(join(path, "groups"), i)
		if g == "" {
			l.refuse(at, fault{code: CodeMissing, message: at + " is empty"})
		}
		if strings.ContainsAny(g, "{}") {
			l.refuse(at, fault{code: CodeNotLegal, message: at + " cannot have a placeholder: the groups of all clients are the same"})
		}
	}
	const authenticated, anonymous = "system:authenticated", "system:unauthenticated"
	if !slices.Contains(s.Groups, authenticated) && !slices.Contains(s.Groups, anonymous) && l.sound(join(path, "groups")) {
		at := join(path, "groups")
		l.c.warning(l.at(at), fault{code: CodeNoEffect,
			message: fmt.Sprintf("%s has neither %s nor %s, which every request to an API server has: most FlowSchemas will not match", at, authenticated, anonymous),
			hint:    "groups are taken as written, none is added: add " + authenticated})
	}
}

func (l *loader) weights(path string, requests []workload.Template) {
	weights := make([]float64, len(requests))
	for i := range requests {
		weights[i] = requests[i].Weight
	}
	if len(weights) == 0 {
		return
	}
	if _, err := workload.NewChooser(weights); err != nil {
		l.workloadFault(path, err)
	}
}

// durations sets how long requests execute: each says so itself, or the population does.
func (l *loader) durations(path string, s *clientSpec, p *workload.Population) {
	if s.Duration != nil {
		p.Duration = l.distribution(join(path, "duration"), s.Duration)
		return
	}
	if l.spec.Backend != nil {
		return // it tells
	}
	for i := range s.Requests {
		if s.Requests[i].Duration == nil {
			l.refuse(join(path, "duration"), fault{code: CodeMissing,
				message: fmt.Sprintf("%s is missing, and %s has none of its own", join(path, "duration"), index(join(path, "requests"), i)),
				legal:   strings.Join(fieldNames(reflect.TypeFor[distributionSpec]()), ", "), hint: "for example {lognormal: {p50: 4ms, p99: 80ms}}"})
			return
		}
	}
}

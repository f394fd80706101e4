package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload"
)

// behaviour makes the state machine of a population, nil if the kind of its arrivals is
// none, or if something of it is missing.
func (l *loader) behaviour(inner, kind string, s *arrivalsSpec, requests int) workload.Behaviour {
	at := func(d *duration) time.Duration { return time.Duration(value(d, 0)) }
	switch kind {
	case "lease":
		return lease(s.Lease)
	case "informer":
		return workload.Informer{At: at(s.Informer.At), Over: at(s.Informer.Over)}
	case "heartbeat":
		return s.Heartbeat.heartbeat(l.release)
	case "controller":
		c := s.Controller
		return workload.Controller{
			Workers: value(c.Workers, 1), Rate: value(c.Rate, 0), Initial: value(c.Initial, 0), Keys: value(c.Keys, 0), MaxRetries: value(c.MaxRetries, 0),
		}
	case "recorder":
		c := s.Recorder
		if l.requireAll(inner, "rate") {
			return workload.Recorder{Rate: c.Rate, Objects: value(c.Objects, 1), Messages: value(c.Messages, 0), Aggregate: value(c.Aggregate, true)}
		}
	case "session":
		ok := l.requireSteps(join(inner, "steps"), s.Session.Steps, requests)
		if l.requireAll(inner, "think") && ok {
			return l.session(inner, s.Session, requests)
		}
	case "rollout":
		if l.requireAll(inner, "start") {
			start := l.distribution(join(inner, "start"), s.Rollout.Start)
			if l.sound(join(inner, "start")) && !l.faultWithin(join(inner, "start")) {
				return workload.Rollout{At: at(s.Rollout.At), MaxUnavailable: value(s.Rollout.MaxUnavailable, 0), Start: start}
			}
		}
	}
	return nil
}

// longGrace is the first release whose nodes are given 50 s before they are not ready, and
// shortGrace what they had before.
var longGrace = release.Version{Minor: 32}

const shortGrace = 40 * time.Second

func (s *heartbeatSpec) heartbeat(v release.Version) workload.Heartbeat {
	h := workload.DefaultHeartbeat()
	if v.Less(longGrace) {
		h.GracePeriod = shortGrace
	}
	setDuration(&h.LeaseInterval, s.LeaseInterval)
	setDuration(&h.StatusInterval, s.StatusInterval)
	setDuration(&h.UpdateInterval, s.UpdateInterval)
	setDuration(&h.GracePeriod, s.GracePeriod)
	setDuration(&h.MonitorPeriod, s.MonitorPeriod)
	return h
}

// requireSteps checks what the steps of a session are about.
func (l *loader) requireSteps(path string, steps []stepSpec, requests int) bool {
	ok := true
	for i, s := range steps {
		at := index(path, i)
		if !l.requireAll(at, "request") {
			ok = false
			continue
		}
		if r := *s.Request; r < 0 || r >= requests {
			ok = false
			l.refuse(join(at, "request"), fault{code: CodeReference, message: fmt.Sprintf("%s: there is no request %d", at, r),
				legal: numbersOf(requests) + ", the numbers of the population's requests"})
		}
	}
	return ok
}

// session makes a session. Without steps it sends each request once, in their order.
func (l *loader) session(inner string, s *sessionSpec, requests int) workload.Behaviour {
	out := workload.Session{
		At: time.Duration(value(s.At, 0)), Over: time.Duration(value(s.Over, 0)), Times: value(s.Times, 0),
		Think: l.distribution(join(inner, "think"), s.Think),
	}
	for _, step := range s.Steps {
		out.Steps = append(out.Steps, workload.Step{
			Request: value(step.Request, 0), Times: value(step.Times, 1), Together: step.Together, Pause: time.Duration(value(step.Pause, 0)),
		})
	}
	for i := 0; s.Steps == nil && i < requests; i++ {
		out.Steps = append(out.Steps, workload.Step{Request: i, Times: 1})
	}
	if !l.sound(join(inner, "think")) || l.faultWithin(join(inner, "think")) {
		return nil
	}
	return out
}

// behave checks a behaviour, and the requests that it sends by their order.
func (l *loader) behave(path, kind string, p *workload.Population) {
	l.workloadFaults(join(path, "arrivals"), p.Behaviour.Validate())
	for i := range p.Requests {
		at := join(index(join(path, "requests"), i), "weight")
		if p.Requests[i].Weight != 1 && l.has(at) {
			l.excluded(path, fmt.Sprintf("with the arrivals %s, where requests are sent by their order", kind), index("requests", i)+".weight")
		}
	}
	if len(p.Requests) == 0 || !l.sound(join(path, "requests")) || l.faultWithin(join(path, "requests")) {
		return
	}
	for _, err := range workload.CheckRequests(p.Behaviour, workload.Complete(p.Behaviour, p.Requests)) {
		l.workloadFault(path, asWritten(err, p))
	}
}

// asWritten gives a fault in the completed requests of a behaviour the number that its request
// has in the file.
func asWritten(err error, p *workload.Population) error {
	var fe *workload.FieldError
	if !errors.As(err, &fe) {
		return err
	}
	number, rest, ok := strings.Cut(strings.TrimPrefix(fe.Field, "requests["), "]")
	i, bad := strconv.Atoi(number)
	if !ok || bad != nil {
		return err
	}
	fe.Field = index("requests", writtenIndex(p, i)) + rest
	return fe
}

// writtenIndex returns the index in the file of a request in the completed list: of one that
// was added, that of the request after which it was.
func writtenIndex(p *workload.Population, completed int) int {
	all := workload.Complete(p.Behaviour, p.Requests)
	written := 0
	for i := 1; i <= completed && i < len(all); i++ {
		added := all[i].Verb == "get" && (written+1 >= len(p.Requests) || p.Requests[written+1].Verb != "get")
		if !added {
			written++
		}
	}
	return min(written, max(len(p.Requests)-1, 0))
}

// complete adds the requests that behaviours need and files may leave out.
func complete(populations []workload.Population) {
	for i := range populations {
		if p := &populations[i]; p.Behaviour != nil {
			p.Requests = workload.Complete(p.Behaviour, p.Requests)
		}
	}
}

// ordered tells whether arrivals send the requests of a population by their order.
func ordered(kind string) bool {
	return slices.Contains([]string{"lease", "informer", "heartbeat", "controller", "recorder", "session", "rollout"}, kind)
}

package scenarios

import (
	"fmt"
	"strconv"

	"github.com/apfsim/apfsim/workload"
	"github.com/apfsim/apfsim/workload/limiter"
)

// presetName names one of the presets of package workload.
type presetName string

func (presetName) legal() []string { return workload.PresetNames() }

// expandPreset fills in what the file leaves out from the preset that it names. A list
// or mapping is taken as a whole, from the file or from the preset. Its execution times are
// taken unless they follow from a backend.
func (s *clientSpec) expandPreset(timed bool) {
	if s.Preset == "" {
		return
	}
	p := presetSpec(s.Preset)
	if !timed {
		p.Duration = nil
		for i := range p.Requests {
			p.Requests[i].Duration = nil
		}
	}
	s.Count = orElse(s.Count, p.Count)
	s.User = orElse(s.User, p.User)
	if s.Groups == nil {
		s.Groups = p.Groups
	}
	if s.Requests == nil {
		s.Requests = p.Requests
	}
	s.Arrivals = orElse(s.Arrivals, p.Arrivals)
	s.Duration = orElse(s.Duration, p.Duration)
	s.Retry = orElse(s.Retry, p.Retry)
	s.Limiter = orElse(s.Limiter, p.Limiter)
	s.Timeout = orElse(s.Timeout, p.Timeout)
	if s.OnDeadline == "" {
		s.OnDeadline = p.OnDeadline
	}
}

func orElse[T any](p, def *T) *T {
	if p == nil {
		return def
	}
	return p
}

// presetSpec writes a preset as a scenario file would.
func presetSpec(preset presetName) clientSpec {
	p, err := workload.Preset(string(preset))
	if err != nil {
		panic("scenarios: " + err.Error()) // the name was checked when it was read
	}
	s := clientSpec{Count: &p.Clients, User: &p.User, Groups: p.Groups, Limiter: newLimiterSpec(p.Limiter), Timeout: unlessZero(duration(p.Timeout))}
	if p.Deadline != workload.NoDeadline {
		s.OnDeadline = onDeadline(p.Deadline.String())
	}
	for i := range p.Requests {
		s.Requests = append(s.Requests, templateSpec(&p.Requests[i]))
	}
	if !p.Duration.IsZero() {
		s.Duration = reread[distributionSpec](p.Duration)
	}
	s.Retry = newRetrySpec(p.Retry)
	switch {
	case p.Open != nil:
		s.Arrivals = reread[arrivalsSpec](p.Open)
	case p.Closed != nil:
		s.Arrivals = reread[arrivalsSpec](p.Closed)
	case p.Called:
		s.Arrivals = &arrivalsSpec{Called: &calledSpec{}}
	case p.Behaviour != nil:
		s.Arrivals = newBehaviourSpec(p.Behaviour)
	}
	return s
}

// newRetrySpec writes a reaction to failures, with the defaults of its policy.
func newRetrySpec(r workload.Retry) *retrySpec {
	return reread[struct {
		Retry *retrySpec `json:"retry"`
	}](r).Retry
}

// newLimiterSpec writes a limiter, whose rate is the number that its shortest text gives.
func newLimiterSpec(l *limiter.Limiter) *limiterSpec {
	if l == nil {
		return nil
	}
	qps, err := strconv.ParseFloat(strconv.FormatFloat(float64(l.QPS), 'g', -1, 32), 64)
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	return &limiterSpec{QPS: &qps, Burst: &l.Burst}
}

func templateSpec(t *workload.Template) requestSpec {
	o := &t.Options
	s := requestSpec{
		Verb: t.Verb, APIGroup: t.APIGroup, Resource: t.Resource, Subresource: t.Subresource,
		Namespace: t.Namespace, Name: t.Name, Path: t.Path,
		ResourceVersionMatch: versionMatch(o.ResourceVersionMatch), Continue: o.Continue,
		FieldSelector: o.FieldSelector, LabelSelector: o.LabelSelector, SendInitialEvents: o.SendInitialEvents,
		Weight: &t.Weight, Limit: unlessZero(o.Limit), ResourceVersion: unlessZero(o.ResourceVersion),
		Timeout: unlessZero(duration(t.Timeout)),
	}
	if t.Duration != nil {
		s.Duration = reread[distributionSpec](t.Duration)
	}
	for i := range t.Calls {
		s.Calls = append(s.Calls, newCallSpec(&t.Calls[i]))
	}
	return s
}

func newCallSpec(c *workload.Call) callSpec {
	s := callSpec{Client: c.Population, Request: &c.Request, Count: &c.Count, Parallel: c.Parallel, OnFailure: callFails, Timeout: unlessZero(duration(c.Timeout))}
	if c.Ignore {
		s.OnFailure = callIgnored
	}
	return s
}

func unlessZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// reread reads what package workload writes of one of its values, which is what a
// scenario file would say.
func reread[T any](written fmt.Stringer) *T {
	c := newCollector()
	docs := readDocuments("preset", []byte(written.String()), c)
	out := new(T)
	if len(docs) == 1 {
		newDecoder(c, "preset").document(docs[0], out)
	}
	if len(docs) != 1 || len(c.list) > 0 {
		panic(fmt.Sprintf("scenarios: cannot read %q again:\n%s", written, c.list))
	}
	return out
}

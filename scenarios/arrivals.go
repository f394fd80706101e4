package scenarios

import (
	"time"

	"github.com/apfsim/apfsim/workload"
)

// The timing that kube-controller-manager and kube-scheduler have by default
// (LeaderElectionConfiguration in component-base/config).
const (
	defaultLeaseDuration = duration(15 * time.Second)
	defaultRenewDeadline = duration(10 * time.Second)
	defaultRetryPeriod   = duration(2 * time.Second)
	defaultRestart       = duration(5 * time.Second)
)

// arrivals sets what tells when the clients of a population send.
func (l *loader) arrivals(of string, s *arrivalsSpec, p *workload.Population) {
	d, path := l.decoder, join(of, "arrivals")
	kind, ok := d.oneOf(path, s)
	if !ok {
		return
	}
	inner := join(path, kind)
	if ordered(kind) {
		if p.Behaviour = l.behaviour(inner, kind, s, len(p.Requests)); p.Behaviour != nil {
			l.behave(of, kind, p)
		}
		return
	}
	var open workload.Arrivals
	switch kind {
	case "poisson":
		ok = d.requireAll(inner, "rate")
		open = workload.Poisson(s.Poisson.Rate)
	case "periodic":
		ok = d.requireAll(inner, "every")
		open = workload.Periodic(time.Duration(s.Periodic.Every), time.Duration(s.Periodic.Jitter))
	case "burst":
		ok = d.requireAll(inner, "count")
		open = workload.Burst(time.Duration(s.Burst.At), s.Burst.Count, time.Duration(s.Burst.Over))
	case "stages":
		ok = d.requireStages(inner, s.Stages)
		open = workload.Stages(stages(s.Stages))
	case "closed":
		p.Closed = d.closed(inner, s.Closed)
		d.workloadFaults(path, p.Closed.Validate())
		return
	case "called":
		p.Called = true
		return
	}
	p.Open = &open
	if ok {
		d.workloadFaults(path, open.Validate())
	}
}

func (d *decoder) requireStages(path string, list []stageSpec) bool {
	ok := true
	for i := range list {
		ok = d.requireAll(index(path, i), "duration", "rate") && ok
	}
	return ok
}

func stages(list []stageSpec) []workload.Stage {
	out := make([]workload.Stage, len(list))
	for i, s := range list {
		out[i] = workload.Stage{Duration: time.Duration(s.Duration), Rate: s.Rate}
	}
	return out
}

// closed makes a closed loop. Without a think time its clients do not pause.
func (d *decoder) closed(path string, s *closedSpec) *workload.Closed {
	think := constantDuration(0)
	if s.Think != nil {
		think = d.distribution(join(path, "think"), s.Think)
	}
	return &workload.Closed{Concurrency: value(s.Concurrency, 1), Think: think}
}

// constantDuration is workload.Constant of a legal duration.
func constantDuration(d time.Duration) workload.Distribution {
	out, err := workload.Constant(d)
	if err != nil {
		panic("scenarios: no constant of " + d.String() + ": " + err.Error())
	}
	return out
}

func lease(s *leaseSpec) workload.Lease {
	return workload.Lease{
		Duration:      time.Duration(value(s.Duration, defaultLeaseDuration)),
		RenewDeadline: time.Duration(value(s.RenewDeadline, defaultRenewDeadline)),
		RetryPeriod:   time.Duration(value(s.RetryPeriod, defaultRetryPeriod)),

		Candidates:      value(s.Candidates, 0),
		Restart:         time.Duration(value(s.Restart, defaultRestart)),
		Release:         s.Release,
		ListWhenLeading: s.ListWhenLeading,
	}
}

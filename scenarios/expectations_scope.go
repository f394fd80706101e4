package scenarios

import (
	"fmt"
	"slices"
	"time"
)

// ofFlow tells that a metric can be of one flow.
func (m Metric) ofFlow() bool {
	about, _, _ := m.traits()
	return about == ofAnything
}

// leads checks that a FlowSchema leads to the priority level beside it. Where the configuration
// changes during the run, only the run can tell.
func (l *loader) leads(path string, s *expectSpec) {
	if s.FlowSchema == "" || s.PriorityLevel == "" || len(l.spec.Changes) > 0 {
		return
	}
	for i := range l.schemas {
		object := &l.schemas[i].object
		level := object.Spec.PriorityLevelConfiguration.Name
		if object.Name == s.FlowSchema && level != s.PriorityLevel && slices.Contains(l.levelNames(), s.PriorityLevel) {
			l.refuse(join(path, "priorityLevel"), fault{code: CodeReference,
				message: fmt.Sprintf("%s: the flowSchema %s does not lead to the priorityLevel %s", path, s.FlowSchema, s.PriorityLevel),
				legal:   level, hint: "one of the two is enough"})
		}
	}
}

// flow checks the flow that an expectation is about.
func (l *loader) flow(path string, s *expectSpec) *string {
	at := join(path, "flow")
	if !l.has(at) {
		return nil
	}
	if !s.Metric.ofFlow() {
		l.excluded(path, "for the metric "+string(s.Metric)+", which is not of one flow", "flow")
		return nil
	}
	l.require(path, "flowSchema", "the FlowSchema that the flow is of: its name is part of the flow")
	l.excluded(path, "beside flow: it is not known which population sent the requests of a flow", "client")
	for i := range l.schemas {
		object := &l.schemas[i].object
		if object.Name == s.FlowSchema && object.Spec.DistinguisherMethod == nil && value(s.Flow, "") != "" && len(l.spec.Changes) == 0 {
			l.refuse(at, fault{code: CodeReference, message: fmt.Sprintf("%s: the flowSchema %s has no distinguisherMethod, so that all of its requests are one flow", at, s.FlowSchema),
				hint: "leave flow out"})
		}
	}
	return s.Flow
}

// runEnd returns when the run ends, or the last request of traces arrives, and false if that
// cannot be told because of a fault.
func (l *loader) runEnd(run *Scenario) (time.Duration, bool) {
	if !l.sound("duration") || !l.sound("clients") {
		return 0, false
	}
	if run.Config.Duration > 0 {
		return run.Config.Duration, true
	}
	return l.lastArrival, l.lastArrival > 0
}

// window checks the part of the run that an expectation is about.
func (l *loader) window(path string, s *expectSpec, run *Scenario) (from, until time.Duration) {
	if s.From == nil && s.Until == nil {
		return 0, 0
	}
	switch s.Metric {
	case MetricLimit, MetricDrained:
		l.excluded(path, "for the metric "+string(s.Metric)+", which is of one time", "from", "until")
		return 0, 0
	}
	l.excluded(path, "beside from and until", "at")
	from, until = run.Config.Warmup, time.Duration(value(s.Until, 0))
	if s.From != nil {
		from = time.Duration(*s.From)
	}
	if end, known := l.runEnd(run); known {
		legal := "a duration below that of the run, which is " + durationText(end)
		if from >= end {
			l.refuse(join(path, "from"), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is %s, when the run is over", join(path, "from"), durationText(from)), legal: legal})
		}
		if until > end {
			l.refuse(join(path, "until"), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is %s, when the run is over", join(path, "until"), durationText(until)),
				legal: legal, hint: "leave it out for the end of the run"})
		}
	}
	if s.Until != nil && until <= from {
		what := "from"
		if s.From == nil {
			what = "the warm-up"
		}
		l.refuse(join(path, "until"), fault{code: CodeOutOfRange, message: fmt.Sprintf("%s is %s, and nothing is left after %s, %s",
			join(path, "until"), durationText(until), what, durationText(from))})
	}
	return from, until
}

// confident checks that there can be an interval.
func (l *loader) confident(path string, s *expectSpec, run *Scenario) bool {
	if !s.Confident {
		return false
	}
	extreme := value(s.Quantile, 0) == 1
	switch s.Metric {
	case MetricSeatsPeak, MetricWaitingPeak, MetricNotReady, MetricDrained:
		extreme = true
	}
	switch {
	case extreme:
		l.excluded(path, "for the largest value of all replications, which has no interval", "confident")
	case run.Replications < 2 && l.sound("replications"):
		l.refuse(join(path, "confident"), fault{code: CodeNoEffect, message: join(path, "confident") + " needs an interval, and one replication has none",
			legal: "replications: 2 and more"})
	}
	return true
}

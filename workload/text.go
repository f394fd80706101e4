package workload

import (
	"strconv"
	"strings"
)

// The String methods write what a scenario file would say, in flow style, so that a preset
// can be printed and the print can be used as input.

// String returns the distribution as a scenario file has it, such as
// "lognormal: {p50: 40ms, p99: 400ms}"; "none" for the zero value.
func (d Distribution) String() string {
	name := d.kind.String()
	switch d.kind {
	case KindConstant:
		return name + ": " + d.first.String()
	case KindExponential:
		return mapping(name, "mean", d.first.String())
	case KindLognormal:
		return mapping(name, "p50", d.first.String(), "p99", d.second.String())
	case KindGamma:
		return mapping(name, "mean", d.first.String(), "cv", number(d.number))
	case KindWeibull:
		return mapping(name, "mean", d.first.String(), "shape", number(d.number))
	case KindPareto:
		return mapping(name, "min", d.first.String(), "max", d.second.String(), "alpha", number(d.number))
	case KindQuantiles:
		var pairs []string
		for _, q := range d.table.points {
			pairs = append(pairs, "p"+number(q.percent()), q.Value.String())
		}
		return mapping(name, pairs...)
	}
	return name
}

// String returns the process as a scenario file has it, such as "poisson: {rate: 200}".
func (a Arrivals) String() string {
	name := a.Kind.String()
	switch a.Kind {
	case KindPoisson:
		return mapping(name, "rate", number(a.Rate))
	case KindPeriodic:
		return mapping(name, "every", a.Every.String(), "jitter", a.Jitter.String())
	case KindBurst:
		return mapping(name, "at", a.At.String(), "count", strconv.Itoa(a.Count), "over", a.Over.String())
	case KindStages:
		var stages []string
		for _, s := range a.Stages {
			stages = append(stages, braces("duration", s.Duration.String(), "rate", number(s.Rate)))
		}
		return name + ": [" + strings.Join(stages, ", ") + "]"
	}
	return name
}

// String returns the loop as a scenario file has it.
func (c Closed) String() string {
	return mapping("closed", "concurrency", strconv.Itoa(c.Concurrency), "think", "{"+c.Think.String()+"}")
}

// String returns the lease as a scenario file has it, without what is not given.
func (l Lease) String() string {
	pairs := []string{"duration", l.Duration.String(), "renewDeadline", l.RenewDeadline.String(), "retryPeriod", l.RetryPeriod.String()}
	if l.Candidates > 0 {
		pairs = append(pairs, "candidates", strconv.Itoa(l.Candidates))
	}
	if l.Restart > 0 {
		pairs = append(pairs, "restart", l.Restart.String())
	}
	if l.Release {
		pairs = append(pairs, "release", "true")
	}
	if l.ListWhenLeading {
		pairs = append(pairs, "listWhenLeading", "true")
	}
	return mapping("lease", pairs...)
}

// String returns the reaction as a scenario file has it, with the defaults written out.
func (r Retry) String() string {
	pairs := []string{"policy", r.Policy.String()}
	switch r.Policy {
	case RetryFixed:
		pairs = append(pairs, "every", r.Every.String())
	case RetryExponential:
		pairs = append(pairs, "base", r.Base.String(), "factor", number(r.factor()))
		if r.Cap > 0 {
			pairs = append(pairs, "cap", r.Cap.String())
		}
	}
	if r.Random() {
		pairs = append(pairs, "jitter", number(r.Jitter))
	}
	if r.Policy != RetryNone && r.maxRetries() > 0 {
		pairs = append(pairs, "maxRetries", strconv.Itoa(r.maxRetries()))
	}
	if r.Policy > RetryClientGo {
		pairs = append(pairs, "turnaround", r.turnaround().String())
	}
	return mapping("retry", pairs...)
}

// mapping writes "name: {key: value, ...}".
func mapping(name string, pairs ...string) string { return name + ": " + braces(pairs...) }

func braces(pairs ...string) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		parts = append(parts, pairs[i]+": "+pairs[i+1])
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// number writes a number with the fewest digits that read back as the same one.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// percent returns P in percent, such that "p99.9" is written where it was read.
func (q Quantile) percent() float64 {
	text := strconv.FormatFloat(q.P*100, 'g', 12, 64)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("workload: " + strconv.Quote(text) + " is no number")
	}
	return x
}

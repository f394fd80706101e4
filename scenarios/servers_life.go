package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// life is what a server is at some time.
type life uint8

const (
	serves life = iota
	drains
	isDown
	absent // before it joins
)

// String says it after "is".
func (l life) String() string {
	return [...]string{"up", "draining", "down", "not there before it joins"}[l]
}

// outage is a time without a server, [from, until).
type outage struct {
	server      int
	from, until time.Duration
	// entry is the operation that it begins with, -1 for a server that joins later.
	entry int
}

// forever is the end of what does not end.
const forever = time.Duration(math.MaxInt64)

// follow goes through the life of each server, and reports operations that find it in a
// state in which they do nothing.
func (o *operator) follow() {
	now := make([]life, o.servers)
	for i := range o.steps {
		if s := &o.steps[i]; s.joins && o.firstOf(s.Server) == i {
			now[s.Server] = absent
		}
	}
	for i := range o.steps {
		s := &o.steps[i]
		before := now[s.Server]
		after, useful := before.after(s)
		now[s.Server] = after
		path := index("operations", s.entry)
		if useful || !o.sound(path) {
			continue
		}
		if !s.made {
			path = join(path, o.verbOf(s))
		}
		f := fault{code: CodeIdleOperation, hint: idleHint(s, before),
			message: fmt.Sprintf("%s: server %d is %s at %s, so that it cannot %s", path, s.Server, before, durationText(s.At), s.Kind)}
		if s.joins {
			f.message = fmt.Sprintf("%s: server %d cannot join: the operations have been about it before", path, s.Server)
		}
		o.refuse(path, f)
	}
}

// firstOf returns the first step that is about a server.
func (o *operator) firstOf(server int32) int {
	return slices.IndexFunc(o.steps, func(s step) bool { return s.Server == server })
}

// verbOf returns the field of the entry that a step was made of.
func (o *operator) verbOf(s *step) string {
	if s.joins {
		return "join"
	}
	return s.Kind.String()
}

// after returns what a server is after a step, and whether the step has done anything.
func (l life) after(s *step) (life, bool) {
	switch {
	case s.joins != (l == absent):
		return l, false
	case s.Kind == sim.Start:
		return serves, l == isDown || l == absent
	case s.Kind == sim.Drain && l == serves:
		return drains, true
	case s.Kind == sim.Stop && l != isDown:
		return isDown, true
	}
	return l, false
}

func idleHint(s *step, is life) string {
	switch {
	case s.Kind == sim.Start && is == serves && !s.joins:
		return fmt.Sprintf("write join: %d for a server that is not there before", s.Server)
	case s.Kind == sim.Start && is == drains:
		return "a server that drains has to stop before it can start"
	}
	return ""
}

// outages returns the times at which the servers take no requests, in order of their
// beginnings.
func (o *operator) outages() []outage {
	var out []outage
	open := make([]int, o.servers) // index of the outage of a server, plus 1
	for i := range o.steps {
		s := &o.steps[i]
		switch {
		case s.joins:
			out = append(out, outage{int(s.Server), 0, s.At, -1})
		case s.Kind != sim.Start && open[s.Server] == 0:
			out = append(out, outage{int(s.Server), s.At, forever, s.entry})
			open[s.Server] = len(out)
		case s.Kind == sim.Start && open[s.Server] > 0:
			out[open[s.Server]-1].until = s.At
			open[s.Server] = 0
		}
	}
	slices.SortStableFunc(out, func(a, b outage) int { return int(min(max(a.from-b.from, -1), 1)) })
	return out
}

// darkness is a time at which no server takes requests.
type darkness struct {
	from, until time.Duration
	entry       int // of the operation that it begins with, -1 for none
}

// allOut returns the times without any server.
func (o *operator) allOut() []darkness {
	var out []darkness
	list := o.outages()
	for _, a := range list {
		d := darkness{a.from, forever, a.entry}
		for server := range o.servers {
			i := slices.IndexFunc(list, func(b outage) bool { return b.server == server && b.from <= a.from && b.until > a.from })
			if i < 0 {
				d.until = d.from // somebody is there
				break
			}
			d.until = min(d.until, list[i].until)
		}
		switch n := len(out); {
		case d.until == d.from:
		case n > 0 && d.from < out[n-1].until: // the same time, seen from another server
		case n > 0 && d.from == out[n-1].until:
			out[n-1].until = d.until
		default:
			out = append(out, d)
		}
	}
	return out
}

// checkOutages reports the times without any server: an error if that is the whole run. Of
// the only server somebody who stops it knows; what matters then is who does not ask again.
func (o *operator) checkOutages(populations []workload.Population) {
	end := o.end
	if end == 0 {
		end = forever
	}
	for _, d := range o.allOut() {
		path := "server.count"
		if d.entry >= 0 {
			path = index("operations", d.entry)
		}
		if !o.sound(path) {
			continue
		}
		if d.from == 0 && d.until >= end {
			o.refuse(path, fault{code: CodeNoServer, message: "no API server is up during the whole run", legal: "a server that does not join, or joins before the run is over"})
			continue
		}
		f := fault{code: CodeNoServer, field: path, message: fmt.Sprintf("%s: no API server takes requests from %s to %s", path, durationText(d.from), untilText(d.until, end))}
		gaveUp := withoutRetries(populations)
		switch {
		case len(gaveUp) > 0:
			f.message += fmt.Sprintf(", and what these clients send then fails for good: %s", strings.Join(gaveUp, ", "))
			f.hint = "their retry says so; the policy client-go does not try again when a connection is refused"
		case o.servers == 1:
			continue
		}
		o.c.warning(o.at(path), f)
	}
}

// untilText names the end of a time.
func untilText(until, end time.Duration) string {
	if until >= end {
		return "the end of the run"
	}
	return durationText(until)
}

// withoutRetries returns the names of the populations that do not send a request again which no
// server took.
func withoutRetries(populations []workload.Population) []string {
	var names []string
	for i := range populations {
		p := &populations[i]
		// Leases are tried again by their own rules, closed loops go on with the next request.
		_, again := p.Retry.Delay(workload.Answer{Status: workload.Refused}, workload.MethodGet, 1, 0)
		if p.Open != nil && !again {
			names = append(names, p.Name)
		}
	}
	return names
}

// fleet sets how many servers there are and what is done to them.
func (l *loader) fleet(spec *scenarioSpec, cfg *sim.Config) {
	cfg.Servers = value(spec.Server.Count, 1)
	cfg.CacheFill = time.Duration(value(spec.Server.CacheFill, 0))
	if !l.sound("server.count") || !l.sound("duration") {
		return
	}
	o := l.operations(spec.Operations, cfg.Servers, cfg.Duration)
	cfg.Operations = o.compiled()
	o.checkOutages(cfg.Populations)
	l.outages, l.dark = o.outages(), o.allOut()
}

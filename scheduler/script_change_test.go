package scheduler_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scheduler"
)

// change reconfigures the server.
func (s *script) change(d *datadriven.TestData) string {
	var at string
	d.ScanArgs(s.t, "at", &at)
	now, err := time.ParseDuration(at)
	if err != nil {
		d.Fatalf(s.t, "%v", err)
	}
	for line := range strings.Lines(d.Input) {
		s.changeObject(strings.Fields(line))
	}
	before := s.server.Digests()
	out, err := s.server.Reconfigure(now, slices.Clone(s.cfg.PriorityLevels), slices.Clone(s.cfg.FlowSchemas))
	if err != nil {
		return err.Error() + "\n"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%v digestions: %d\n", now, s.server.Digests()-before)
	if s.server.Digests() > before {
		text.WriteString(s.changes() + s.limits(now))
	}
	return text.String() + s.tell(now, out)
}

// changes tells what the last digestions have changed.
func (s *script) changes() string {
	var text strings.Builder
	for _, c := range s.server.Changes() {
		if c.Kind.OfLevel() {
			fmt.Fprintf(&text, "level %s: %v\n", s.server.Levels()[c.Number].Name, c.Kind)
		} else {
			fmt.Fprintf(&text, "schema %s: %v\n", s.server.Schemas()[c.Number], c.Kind)
		}
	}
	return text.String()
}

// changeObject adds, replaces or deletes one object of the configuration.
func (s *script) changeObject(fields []string) {
	if len(fields) < 2 {
		s.t.Fatalf("%q is no change", fields)
	}
	name, o := fields[1], options{}
	if fields[0] == "delete" {
		name = fields[2]
	} else {
		o = parseOptions(s.t, fields[2:])
	}
	levels, schemas := &s.cfg.PriorityLevels, &s.cfg.FlowSchemas
	switch fields[0] + " " + fields[1] {
	case "delete level":
		*levels = slices.DeleteFunc(*levels, func(l scheduler.PriorityLevel) bool { return l.Name == name })
	case "delete schema":
		*schemas = slices.DeleteFunc(*schemas, func(f scheduler.FlowSchema) bool { return f.Name == name })
	case "level " + name:
		*levels = append(slices.DeleteFunc(*levels, func(l scheduler.PriorityLevel) bool { return l.Name == name }), parseLevel(name, o))
	case "schema " + name:
		*schemas = append(slices.DeleteFunc(*schemas, func(f scheduler.FlowSchema) bool { return f.Name == name }), parseSchema(name, o))
	default:
		s.t.Fatalf("%q is no change", fields)
	}
}

// reaped tells what has changed if a request was the last one of a quiescing level.
func (s *script) reaped(now time.Duration, digests int) string {
	if s.server.Digests() == digests {
		return ""
	}
	return s.changes() + s.limits(now)
}

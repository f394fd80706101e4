package lint

import (
	"cmp"
	"fmt"
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/seats"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// Options are what the advice depends on beside the configuration.
type Options struct {
	// Seats is the server's concurrency limit, positive.
	Seats int
	// Disable lists codes of which nothing is to be said.
	Disable []scenarios.Code
}

// Check returns advice on the objects of a configuration that are not built in, in the
// order of their files, without what options and comments disable. A configuration of
// the sound objects alone will do (scenarios.ConfigurationOptions.KeepSound).
func Check(cfg *scenarios.Configuration, o Options) scenarios.Diagnostics {
	return CheckWith(cfg, nil, o)
}

// CheckWith is Check for a configuration in whose files faults were found. They are among
// what it returns: first the errors, and warnings in their places unless they are disabled.
func CheckWith(cfg *scenarios.Configuration, faults scenarios.Diagnostics, o Options) scenarios.Diagnostics {
	c := newChecker(cfg, o)
	c.found = slices.Clone(faults)
	for i := range c.found {
		// Manifests of programs hold all that these need. That is no fault of theirs.
		if c.found[i].Code == scenarios.CodeForeign {
			c.found[i].Severity = scenarios.Note
		}
	}
	for _, s := range c.schemas {
		if s.mine {
			c.checkName(s.Source, schemaKind, s.name(), s.Object.Annotations)
			c.checkSchema(s)
		}
		if !s.Dangling {
			c.tried.add(s)
		}
	}
	for _, l := range c.levels {
		if l.mine {
			c.checkName(l.Source, levelKind, l.name(), l.Object.Annotations)
			c.checkLevel(l)
		}
	}
	c.checkVersions()
	c.checkPresence(faults)
	comments := c.comments()
	found := c.enabled(comments, o).Sorted()
	slices.SortStableFunc(found, func(a, b scenarios.Diagnostic) int { return errorFirst(a) - errorFirst(b) })
	return found
}

// checkPresence looks for files without anything to check, as an empty pipe or a wrong
// folder gives: to find nothing wrong in them says nothing.
func (c *checker) checkPresence(faults scenarios.Diagnostics) {
	files := c.cfg.Files()
	said := slices.ContainsFunc(faults, func(d scenarios.Diagnostic) bool { return d.Code != scenarios.CodeForeign })
	if c.cfg.Objects > 0 || c.cfg.Scenario != "" || said || len(files) == 0 {
		return
	}
	r, _ := Lookup("APF034")
	c.found = append(c.found, c.cfg.Diagnose(scenarios.Place{File: files[0], Line: 1, Column: 1}, scenarios.Diagnostic{
		Code: r.Code, Severity: r.Severity, Message: fmt.Sprintf("there is no FlowSchema and no PriorityLevelConfiguration in %s", count(len(files), "file")),
		Hint: "were these the right files, and were they rendered?"}))
}

// errorFirst orders errors before all else.
func errorFirst(d scenarios.Diagnostic) int {
	if d.Severity == scenarios.Error {
		return 0
	}
	return 1
}

// checker checks one configuration.
type checker struct {
	cfg      *scenarios.Configuration
	compiled scheduler.Config
	// schemas are in the order of matching, and levels in that of their names.
	schemas []*schema
	levels  []*level
	byName  map[string]*level
	// tried are the schemas in force before the one under check.
	tried *tried
	// system are the requests that a cluster depends on.
	system []systemRequest
	// profile is how the release behaves.
	profile release.Profile
	// native are the built-in objects of the release.
	native objects
	found  scenarios.Diagnostics
}

// schema is a FlowSchema under check.
type schema struct {
	scenarios.FlowSchema
	spec scheduler.FlowSchema
	// index is its place in the order of matching.
	index int
	// mine tells that the user wrote it, and not as it is built in.
	mine bool
	// dead tells that it never matches.
	dead bool
}

func (s *schema) name() string { return s.Object.Name }

// level is a PriorityLevelConfiguration under check.
type level struct {
	scenarios.PriorityLevel
	spec scheduler.PriorityLevel
	// Level is what its numbers amount to.
	*seats.Level
	mine bool
	// schemas are those that name it.
	schemas []*schema
}

func (l *level) name() string { return l.Object.Name }

func newChecker(cfg *scenarios.Configuration, o Options) *checker {
	c := &checker{cfg: cfg, compiled: cfg.Compile(), byName: map[string]*level{}, tried: newTried(), profile: release.For(cfg.Release)}
	c.compiled.Release, c.compiled.Seats = cfg.Release, o.Seats
	c.compiled.RequestTimeout = scenarios.DefaultRequestTimeout
	c.native = builtInOf(cfg.Release)
	for i := range cfg.Levels {
		l := &level{PriorityLevel: cfg.Levels[i], spec: c.compiled.PriorityLevels[i]}
		l.mine = !cfg.Levels[i].BuiltIn && !c.native.level(l.Object)
		c.levels = append(c.levels, l)
		c.byName[l.name()] = l
	}
	for i := range cfg.Schemas {
		s := &schema{FlowSchema: cfg.Schemas[i], spec: c.compiled.FlowSchemas[i], index: i}
		s.mine = !s.BuiltIn && !c.native.schema(s.Object)
		c.schemas = append(c.schemas, s)
		if l := c.byName[s.spec.PriorityLevel]; l != nil {
			l.schemas = append(l.schemas, s)
		}
	}
	c.system = c.followSystem()
	table, err := seats.For(seats.Input{Configuration: cfg, Scheduler: c.compiled, Server: seats.Server{Seats: o.Seats}, BytesPerRequest: seats.DefaultBytesPerRequest})
	if err != nil {
		panic(fmt.Sprintf("lint: a configuration that was found valid is not: %v", err))
	}
	for i := range table.Levels {
		c.levels[i].Level = &table.Levels[i]
	}
	return c
}

// objects are the built-in objects of a release.
type objects struct {
	*scenarios.Configuration
	compiled scheduler.Config
}

// builtInOf returns the built-in objects of a release.
func builtInOf(v release.Version) objects {
	native, faults := scenarios.LoadConfiguration(nil, nil, scenarios.ConfigurationOptions{Release: v})
	if native == nil {
		panic(fmt.Sprintf("lint: faulty built-in objects:\n%s", faults))
	}
	return objects{native, native.Compile()}
}

// schema tells whether a FlowSchema is as it is built in.
func (o objects) schema(s *flowcontrolv1.FlowSchema) bool {
	for i := range o.Schemas {
		if o.Schemas[i].Object.Name == s.Name {
			return equality.Semantic.DeepEqual(o.Schemas[i].Object.Spec, s.Spec)
		}
	}
	return false
}

// level tells whether a PriorityLevelConfiguration is as it is built in.
func (o objects) level(l *flowcontrolv1.PriorityLevelConfiguration) bool {
	for i := range o.Levels {
		if o.Levels[i].Object.Name == l.Name {
			return equality.Semantic.DeepEqual(o.Levels[i].Object.Spec, l.Spec)
		}
	}
	return false
}

// written lists where the user's objects were read, in the order of reading.
func (c *checker) written() []scenarios.Source {
	var out []scenarios.Source
	for _, s := range c.schemas {
		out = append(out, s.Source)
	}
	for _, l := range c.levels {
		out = append(out, l.Source)
	}
	out = slices.DeleteFunc(out, func(s scenarios.Source) bool { return s.BuiltIn })
	files := c.cfg.Files()
	slices.SortStableFunc(out, func(a, b scenarios.Source) int {
		p, q := a.At(""), b.At("")
		return cmp.Or(cmp.Compare(slices.Index(files, p.File), slices.Index(files, q.File)), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	})
	return out
}

// advice is what a rule says of one place.
type advice struct {
	code scenarios.Code
	// less lowers the severity of the rule to a note.
	less                 bool
	message, legal, hint string
}

// say gives advice on the field of an object at a path.
func (c *checker) say(at scenarios.Source, path string, a advice) {
	r, ok := Lookup(a.code)
	if !ok {
		panic("lint: there is no rule " + a.code)
	}
	d := scenarios.Diagnostic{Code: a.code, Severity: r.Severity, Message: a.message, Legal: a.legal, Hint: a.hint}
	if a.less {
		d.Severity = scenarios.Note
	}
	c.found = append(c.found, c.cfg.Diagnose(at.At(path), d))
}

// checkSchema gives all advice on a schema.
func (c *checker) checkSchema(s *schema) {
	c.checkMatching(s)
	c.checkPrecedence(s)
	c.checkFlows(s)
	c.checkExempt(s)
	c.checkDemotion(s)
	c.checkAbandoned(s)
	for i := range s.spec.Rules {
		path := fmt.Sprintf("spec.rules[%d]", i)
		rule := &s.spec.Rules[i]
		for j, subject := range rule.Subjects {
			c.checkSubject(s, fmt.Sprintf("%s.subjects[%d]", path, j), subject)
		}
		for j := range rule.Resources {
			c.checkResourceRule(s, fmt.Sprintf("%s.resourceRules[%d]", path, j), i, &rule.Resources[j])
		}
		for j := range rule.NonResources {
			c.checkPathRule(s, fmt.Sprintf("%s.nonResourceRules[%d]", path, j), &rule.NonResources[j])
		}
	}
}

package scenarios

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
)

// changeSpec is a change of the server's objects during the run: what kubectl apply and
// kubectl delete do at one time.
type changeSpec struct {
	At        *duration `json:"at"`
	Manifests []string  `json:"manifests,omitempty"`
	Delete    []string  `json:"delete,omitempty"`
}

// flowState are the objects that a server has at some time, by name.
type flowState struct {
	schemas map[string]flowSchema
	levels  map[string]priorityLevel
}

func (s flowState) clone() flowState { return flowState{maps.Clone(s.schemas), maps.Clone(s.levels)} }

// dangling tells whether the level of a schema does not exist.
func (s flowState) dangling(f *flowSchema) bool {
	_, found := s.levels[f.object.Spec.PriorityLevelConfiguration.Name]
	return !found
}

// flowChange is one object that is written, or deleted if both pointers are nil. The
// objects of a change are written one by one, as kubectl does it, and the server takes
// notice of each: so many changes they are for the simulation.
type flowChange struct {
	at         time.Duration
	kind, name string
	schema     *flowSchema
	level      *priorityLevel
}

// changer follows the objects of the server through the changes of a run.
type changer struct {
	*loader
	reading
	// own are the objects that the server puts back if they are deleted, and ownNames those,
	// by kind and name, that are built into its release.
	own       flowState
	ownNames  map[string]bool
	suggested bool // whether there are more of them than the mandatory ones
	// state is what there is up to the change that is being read.
	state flowState
	list  []flowChange
	// laterSchemas and laterLevels are the names that come up in the changes.
	laterSchemas, laterLevels []string
}

// newChanger begins with the objects that a scenario has at its start.
func newChanger(l *loader, how reading, suggested bool) *changer {
	c := &changer{loader: l, reading: how, suggested: suggested}
	c.own, c.ownNames = ownObjects(how.api, suggested)
	c.state = flowState{map[string]flowSchema{}, map[string]priorityLevel{}}
	for _, s := range l.flowControl.schemas {
		c.state.schemas[s.object.Name] = s
	}
	for _, p := range l.flowControl.levels {
		c.state.levels[p.object.Name] = p
	}
	return c
}

// changes reads the changes of a scenario, whose run ends at that time, or with its traces
// if it is 0. Between them the upgrades of the servers change built-in objects.
func (c *changer) changes(specs []changeSpec, end time.Duration, upgrades []upgrade) {
	last := time.Duration(0)
	for i := range specs {
		upgrades = c.upgradeUntil(upgrades, time.Duration(value(specs[i].At, 0)))
		path, s := index("changes", i), &specs[i]
		at := time.Duration(value(s.At, 0))
		if c.require(path, "at", durationLegal) {
			c.time(path, at, last, end)
			if end == 0 || at < end {
				last = max(last, at)
			}
		}
		if len(s.Manifests) == 0 && len(s.Delete) == 0 && c.sound(path) {
			c.refuse(path, fault{code: CodeMissing, message: path + " changes nothing", legal: "manifests, delete"})
			continue
		}
		c.change(path, at, s)
	}
	c.upgradeUntil(upgrades, forever)
}

// time checks when a change is.
func (c *changer) time(path string, at, last, end time.Duration) {
	inner := join(path, "at")
	f := fault{code: CodeOutOfRange}
	switch {
	case at == 0:
		f.message, f.legal = inner+" is 0", "a duration above 0"
		f.hint = "what is so from the beginning is named by flowControl.manifests"
	case at == last:
		f.message, f.hint = fmt.Sprintf("%s is %s, as in the change before", inner, durationText(at)), "one change can have several manifests"
	case at < last:
		f.message, f.legal = fmt.Sprintf("%s is %s, which is before the change before it", inner, durationText(at)), "a duration above "+durationText(last)
		f.hint = "changes are listed in the order of time, since each builds on those before it"
	case end > 0 && at >= end:
		f.message, f.legal = fmt.Sprintf("%s is %s, and the run is over by then", inner, durationText(at)), "a duration below "+durationText(end)
	case end == 0 && !c.live && at > c.lastArrival && c.sound("clients"):
		c.c.warning(c.at(inner), fault{code: CodeNoEffect, field: inner,
			message: fmt.Sprintf("%s is %s, when no request arrives any more: the last one does at %s", inner, durationText(at), durationText(c.lastArrival))})
		return
	default:
		return
	}
	c.refuse(inner, f)
}

// change carries one change out: first all manifests, then what is deleted.
func (c *changer) change(path string, at time.Duration, s *changeSpec) {
	r := &manifestReader{reading: c.reading, c: c.c, settings: c.set}
	c.readManifests(join(path, "manifests"), s.Manifests, r)
	before, already := c.state.clone(), len(c.list)
	defined := map[string]Place{}
	for _, o := range c.inOrder(&r.objects) {
		if o.schema != nil && first(c.c, defined, o.schema.decoder, schemaKind, &o.schema.object.ObjectMeta) {
			c.applySchema(at, o.schema)
		}
		if o.level != nil && first(c.c, defined, o.level.decoder, levelKind, &o.level.object.ObjectMeta) {
			c.applyLevel(at, o.level)
		}
	}
	for i, name := range s.Delete {
		c.remove(index(join(path, "delete"), i), at, name, defined)
	}
	if len(c.list) == already && !c.c.errors() {
		c.c.warning(c.loader.at(path), fault{code: CodeNoEffect, field: path, message: path + " leaves everything as it is"})
	}
	c.warnOfDangling(path, at, before)
	c.noteNames()
}

// noteNames notes which names there are from now on.
func (c *changer) noteNames() {
	c.laterLevels = append(c.laterLevels, sortedKeys(c.state.levels)...)
	for _, name := range sortedKeys(c.state.schemas) {
		if f := c.state.schemas[name]; !c.state.dangling(&f) {
			c.laterSchemas = append(c.laterSchemas, name)
		}
	}
}

// inOrder returns the objects of some manifests in the order in which they stand there.
func (c *changer) inOrder(objects *flowObjects) []flowChange {
	var out []flowChange
	for i := range objects.schemas {
		out = append(out, flowChange{schema: &objects.schemas[i]})
	}
	for i := range objects.levels {
		out = append(out, flowChange{level: &objects.levels[i]})
	}
	place := func(o *flowChange) Place {
		if o.schema != nil {
			return o.schema.at("")
		}
		return o.level.at("")
	}
	slices.SortStableFunc(out, func(a, b flowChange) int {
		p, q := place(&a), place(&b)
		return cmp.Or(cmp.Compare(c.c.rank(p.File), c.c.rank(q.File)), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	})
	return out
}

// applySchema applies a schema. Where the server keeps a spec of its own, that is what
// becomes of the object.
func (c *changer) applySchema(at time.Duration, s *flowSchema) {
	name := s.object.Name
	if own, kept := c.own.schemas[name]; kept && s.fixed(&own) {
		s = &own
	} else if s.deleted(c.api, c.ownNames, schemaKind, &s.object.ObjectMeta) {
		c.forget(at, schemaKind, name)
		return
	}
	c.setSchema(at, s)
}

func (c *changer) setSchema(at time.Duration, s *flowSchema) {
	old, exists := c.state.schemas[s.object.Name]
	c.state.schemas[s.object.Name] = *s
	if !exists || !equality.Semantic.DeepEqual(old.object.Spec, s.object.Spec) {
		c.list = append(c.list, flowChange{at: at, kind: schemaKind, name: s.object.Name, schema: s})
	}
}

// applyLevel applies a priority level likewise.
func (c *changer) applyLevel(at time.Duration, p *priorityLevel) {
	name := p.object.Name
	if own, kept := c.own.levels[name]; kept && p.fixed(&own) {
		p = &own
	} else if p.deleted(c.api, c.ownNames, levelKind, &p.object.ObjectMeta) {
		c.forget(at, levelKind, name)
		return
	}
	c.setLevel(at, p)
}

func (c *changer) setLevel(at time.Duration, p *priorityLevel) {
	old, exists := c.state.levels[p.object.Name]
	c.state.levels[p.object.Name] = *p
	if !exists || !equality.Semantic.DeepEqual(old.object.Spec, p.object.Spec) {
		c.list = append(c.list, flowChange{at: at, kind: levelKind, name: p.object.Name, level: p})
	}
}

// forget deletes an object, if it is there.
func (c *changer) forget(at time.Duration, kind, name string) {
	if !slices.Contains(c.existing(kind), name) {
		return
	}
	if kind == schemaKind {
		delete(c.state.schemas, name)
	} else {
		delete(c.state.levels, name)
	}
	c.list = append(c.list, flowChange{at: at, kind: kind, name: name})
}

// existing returns the names of the objects of a kind that there are.
func (c *changer) existing(kind string) []string {
	if kind == schemaKind {
		return sortedKeys(c.state.schemas)
	}
	return sortedKeys(c.state.levels)
}

// remove deletes the object that an entry such as FlowSchema/agents names. A built-in one
// is back within a minute, as the server makes it; here it is at once.
func (c *changer) remove(path string, at time.Duration, entry string, applied map[string]Place) {
	kind, name, _ := strings.Cut(entry, "/")
	switch {
	case kind != schemaKind && kind != levelKind || name == "":
		c.refuse(path, fault{code: CodeNotLegal, message: fmt.Sprintf("%s names no object: %q", path, shorten(entry)),
			legal: schemaKind + "/NAME, " + levelKind + "/NAME", hint: c.entryHint(entry)})
		return
	case !slices.Contains(c.existing(kind), name):
		f := fault{code: CodeReference, message: fmt.Sprintf("%s: there is no %s %q at that time", path, kind, shorten(name)),
			legal: strings.Join(c.existing(kind), ", "), hint: didYouMean(name, c.existing(kind))}
		c.refuse(path, f)
		return
	}
	if place, both := applied[kind+" "+name]; both {
		c.refuse(path, fault{code: CodeExcludes, message: fmt.Sprintf("%s: the same change applies the %s %s, at %s", path, kind, name, place)})
		return
	}
	if !c.putBack(at, kind, name) {
		c.forget(at, kind, name)
		return
	}
	c.c.warning(c.loader.at(path), fault{code: CodeRecreated, field: path,
		message: fmt.Sprintf("%s: the server makes the built-in %s %s anew within a minute of its deletion; here it does so at once", path, kind, name)})
}

// putBack restores the server's own spec of an object, if it has one.
func (c *changer) putBack(at time.Duration, kind, name string) bool {
	if kind == schemaKind {
		own, kept := c.own.schemas[name]
		if kept {
			c.setSchema(at, &own)
		}
		return kept
	}
	own, kept := c.own.levels[name]
	if kept {
		c.setLevel(at, &own)
	}
	return kept
}

// entryHint guesses what an entry of delete was meant to be.
func (c *changer) entryHint(entry string) string {
	var all []string
	for _, kind := range []string{schemaKind, levelKind} {
		for _, name := range c.existing(kind) {
			if entry == name {
				return "did you mean \"" + kind + "/" + name + "\"?"
			}
			all = append(all, kind+"/"+name)
		}
	}
	return didYouMean(entry, all)
}

// warnOfDangling warns of the schemas that the server ignores from this change on.
func (c *changer) warnOfDangling(path string, at time.Duration, before flowState) {
	for _, name := range sortedKeys(c.state.schemas) {
		s := c.state.schemas[name]
		old, existed := before.schemas[name]
		level := s.object.Spec.PriorityLevelConfiguration.Name
		if !c.state.dangling(&s) || level == "" {
			continue
		}
		place, field := c.loader.at(path), path
		switch {
		case !existed || old.decoder != s.decoder:
			place, field = s.at("spec.priorityLevelConfiguration.name"), s.written("spec.priorityLevelConfiguration.name")
		case before.dangling(&old):
			continue // said before
		}
		levels := c.existing(levelKind)
		c.c.warning(place, fault{code: CodeDangling, field: field,
			message: fmt.Sprintf("ignored from %s on: the FlowSchema %s is dangling, since there is no PriorityLevelConfiguration %q", durationText(at), name, shorten(level)),
			legal:   strings.Join(levels, ", "), hint: didYouMean(level, levels)})
	}
}

// compile puts the changes into the simulation's terms: the whole configuration after
// each object.
func (c *changer) compile(start *scheduler.Config) []sim.Change {
	levels, schemas := map[string]scheduler.PriorityLevel{}, map[string]scheduler.FlowSchema{}
	for _, p := range start.PriorityLevels {
		levels[p.Name] = p
	}
	for _, s := range start.FlowSchemas {
		schemas[s.Name] = s
	}
	var out []sim.Change
	for i := range c.list {
		o := &c.list[i]
		switch {
		case o.schema != nil:
			schemas[o.name] = compileSchema(&o.schema.object)
		case o.level != nil:
			levels[o.name] = compileLevel(&o.level.object)
		case o.kind == schemaKind:
			delete(schemas, o.name)
		default:
			delete(levels, o.name)
		}
		change := sim.Change{At: o.at}
		for _, name := range sortedKeys(levels) {
			change.PriorityLevels = append(change.PriorityLevels, levels[name])
		}
		for _, name := range sortedKeys(schemas) {
			change.FlowSchemas = append(change.FlowSchemas, schemas[name])
		}
		out = append(out, change)
	}
	return out
}

// withLater returns the names, and with those that come up later all of them sorted.
func withLater(names, later []string) []string {
	if len(later) == 0 {
		return names
	}
	all := slices.Concat(names, later)
	slices.Sort(all)
	return slices.Compact(all)
}

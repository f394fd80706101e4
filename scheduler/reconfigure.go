package scheduler

import (
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler/classify"
)

// ChangeKind is what became of a priority level or a FlowSchema.
type ChangeKind uint8

// The kinds of a Change.
const (
	// LevelAdded: the level is new, or back after it had gone.
	LevelAdded ChangeKind = iota
	// LevelChanged: the level has another configuration.
	LevelChanged
	// LevelRevived: the level was quiescing and is configured again.
	LevelRevived
	// LevelQuiescing: the level was deleted; its requests are still there.
	LevelQuiescing
	// LevelGone: the level was deleted and is idle.
	LevelGone
	// SchemaAdded: the FlowSchema is in force and was not.
	SchemaAdded
	// SchemaChanged: the FlowSchema says something else.
	SchemaChanged
	// SchemaDangling: the FlowSchema is out of force because its level was deleted.
	SchemaDangling
	// SchemaDeleted: the FlowSchema was deleted.
	SchemaDeleted
)

// String returns what became of the object, in one word.
func (k ChangeKind) String() string {
	return [...]string{"added", "changed", "revived", "quiescing", "gone", "added", "changed", "dangling", "deleted"}[k]
}

// OfLevel tells whether the change is one of a level, and not of a FlowSchema.
func (k ChangeKind) OfLevel() bool { return k < SchemaAdded }

// Change is what became of one object.
type Change struct {
	Kind ChangeKind
	// Number is an index into Levels, or into Schemas.
	Number int32
}

// condition is what the status of a FlowSchema object tells of its level.
type condition struct {
	level string
	found bool
}

// Reconfigure puts other priority levels and FlowSchemas into force, as upstream's
// controller does when it is told that API objects have changed (digestConfigObjects in
// pkg/util/flowcontrol/apf_controller.go), and returns what is dispatched by it. Both
// lists are whole and as in Config; the server keeps them, and the caller must not change
// them any more.
//
// What has gone from the lists is out of force at once, except for levels in which
// something waits or executes: these quiesce. A level's queues grow at once and shrink
// as they drain, all flows are dealt hands that fit, and limits may fall below what
// executes, which goes on.
//
// Each digestion closes the period over which demand is measured and adjusts all limits.
// Upstream's controller, once it has digested the objects, writes into the status of
// each FlowSchema whether its level exists. Where that changes a status, it is told of the
// change and digests all objects once more. Here that happens at the same instant, when
// the high watermarks of the demand have just begun anew; in a cluster it takes as
// long as the write does. (1.20 takes no notice of a status, but there the second time
// changes nothing.) Without any change of a list nothing is digested.
//
// The error is like that of New. The server is then as it was.
func (s *Server) Reconfigure(now time.Duration, levels []PriorityLevel, schemas []FlowSchema) ([]Decision, error) {
	next := s.cfg
	next.PriorityLevels, next.FlowSchemas = levels, schemas
	if err := next.validateFlowControl(); err != nil {
		return nil, err
	}
	s.out, s.changes = s.out[:0], s.changes[:0]
	if sameObjects(&s.cfg, &next) {
		return s.out, nil
	}
	s.cfg = next
	s.digest(now)
	if s.writeConditions() {
		s.digest(now)
	}
	return s.out, nil
}

// digest puts the configuration into force. Upstream does it whenever it is told of a
// change of any object, and when a level that is not configured any more falls idle.
//
// The order is upstream's, as far as it shows: which levels are configured decides which
// schemas are in force; both before the seats are divided, among quiescing levels too; and
// all limits, the old levels' as the new ones', from one adjustment at the end.
func (s *Server) digest(now time.Duration) {
	s.digests++
	opened := s.digestLevels(now)
	s.digestSchemas()
	s.divide(opened)
	s.adjust(now)
}

// Digests counts how often a configuration was put into force. It is there to notice
// that Finish or Expire have ended a level that was quiescing: its last request makes
// the server digest its configuration anew.
func (s *Server) Digests() int { return s.digests }

// Changes returns what the last call that changed anything in force has changed. It is
// valid until the next call.
func (s *Server) Changes() []Change { return s.changes }

// note records what became of an object. Of one that changes and changes back within one
// call, both are told.
func (s *Server) note(kind ChangeKind, number int32) {
	s.changes = append(s.changes, Change{kind, number})
}

// reap ends a level that has nothing left to wait for (maybeReap). It is due whenever
// a request of the set has left for good.
func (s *Server) reap(now time.Duration, set int32) {
	l := &s.levels[s.sets[set].level]
	if l.info.Status == Quiescing && l.set.Idle() {
		s.changes = s.changes[:0]
		s.digest(now)
	}
}

// writeConditions brings the conditions of all FlowSchema objects up to date, and tells
// whether that changed one. An object that is new has none, so it always does; one that
// has been deleted takes its condition with it.
//
// Upstream writes at most six times a minute to one object and puts off what is more for 30
// to 75 seconds. Nobody who wants to know how a server behaves makes it do that, and it is
// not followed.
func (s *Server) writeConditions() (changed bool) {
	exists := s.cfg.levelNames()
	next := make(map[string]condition, len(s.cfg.FlowSchemas))
	for i := range s.cfg.FlowSchemas {
		f := &s.cfg.FlowSchemas[i]
		c := condition{f.PriorityLevel, exists[f.PriorityLevel]}
		// The message of the condition names the level, so that another level is a change.
		if old, known := s.conditions[f.Name]; !known || old != c {
			changed = true
		}
		next[f.Name] = c
	}
	s.conditions = next
	return changed
}

// sameObjects tells whether two configurations have the same levels and schemas, in
// whatever order. Names are unique in each.
func sameObjects(a, b *Config) bool {
	if len(a.PriorityLevels) != len(b.PriorityLevels) || len(a.FlowSchemas) != len(b.FlowSchemas) {
		return false
	}
	levels := map[string]*PriorityLevel{}
	for i := range a.PriorityLevels {
		levels[a.PriorityLevels[i].Name] = &a.PriorityLevels[i]
	}
	for i := range b.PriorityLevels {
		if old := levels[b.PriorityLevels[i].Name]; old == nil || !sameLevel(old, &b.PriorityLevels[i]) {
			return false
		}
	}
	schemas := map[string]*FlowSchema{}
	for i := range a.FlowSchemas {
		schemas[a.FlowSchemas[i].Name] = &a.FlowSchemas[i]
	}
	for i := range b.FlowSchemas {
		if old := schemas[b.FlowSchemas[i].Name]; old == nil || !sameSchema(old, &b.FlowSchemas[i]) {
			return false
		}
	}
	return true
}

// sameLevel and those below compare what the API objects say. Upstream takes no notice of
// an update that leaves the spec as it was.
func sameLevel(a, b *PriorityLevel) bool {
	x, y := *a, *b
	x.Queuing, y.Queuing = nil, nil
	if x != y || (a.Queuing == nil) != (b.Queuing == nil) {
		return false
	}
	return a.Queuing == nil || *a.Queuing == *b.Queuing
}

func sameSchema(a, b *FlowSchema) bool {
	return a.Name == b.Name && a.Precedence == b.Precedence && a.PriorityLevel == b.PriorityLevel &&
		a.Distinguisher == b.Distinguisher && slices.EqualFunc(a.Rules, b.Rules, sameRule)
}

func sameRule(a, b classify.Rule) bool {
	return slices.Equal(a.Subjects, b.Subjects) &&
		slices.EqualFunc(a.Resources, b.Resources, func(x, y classify.ResourceRule) bool {
			return x.ClusterScope == y.ClusterScope && slices.Equal(x.Verbs, y.Verbs) && slices.Equal(x.APIGroups, y.APIGroups) &&
				slices.Equal(x.Resources, y.Resources) && slices.Equal(x.Namespaces, y.Namespaces)
		}) &&
		slices.EqualFunc(a.NonResources, b.NonResources, func(x, y classify.NonResourceRule) bool {
			return slices.Equal(x.Verbs, y.Verbs) && slices.Equal(x.URLs, y.URLs)
		})
}

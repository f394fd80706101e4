package seats

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
)

// Change is what became of an object.
type Change string

// The changes.
const (
	Added   Change = "added"
	Removed Change = "removed"
	Changed Change = "changed"
)

// The kinds of objects.
const (
	levelKind  = "PriorityLevelConfiguration"
	schemaKind = "FlowSchema"
)

// ObjectChange is an object that one side has and the other has not, or not so.
type ObjectChange struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Change Change `json:"change"`
	// Says is what an added or removed object is about, in a few words.
	Says string `json:"says,omitempty"`
	// Fields are those that differ, of a changed object.
	Fields []FieldChange `json:"fields,omitempty"`
	// Dangling tells that the FlowSchema, as it is after the change, is ignored: its level
	// does not exist. Of a removed object it tells how it was.
	Dangling bool `json:"dangling,omitempty"`
}

// FieldChange is a field with another value. The path is that of the object in version v1
// with its defaults filled in: spec.rules[0].subjects[1]. An index is that of the list
// after the change, or before it if the element is gone.
type FieldChange struct {
	Path string `json:"path"`
	// Before and After are values of JSON; nil where there is none.
	Before any `json:"before,omitempty"`
	After  any `json:"after,omitempty"`
}

// object is an object in a form that can be walked.
type object struct {
	kind, name, says string
	spec             any
	dangling         bool
}

// compareObjects lists the objects that differ.
func compareObjects(before, after *scenarios.Configuration) []ObjectChange {
	old, now := objects(before), objects(after)
	changes := []ObjectChange{}
	for _, key := range union(slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(now))) {
		a, b := old[key], now[key]
		switch {
		case b == nil:
			changes = append(changes, ObjectChange{Kind: a.kind, Name: a.name, Change: Removed, Says: a.says, Dangling: a.dangling})
		case a == nil:
			changes = append(changes, ObjectChange{Kind: b.kind, Name: b.name, Change: Added, Says: b.says, Dangling: b.dangling})
		default:
			fields := compareValues("spec", a.spec, b.spec)
			if len(fields) > 0 || a.dangling != b.dangling {
				changes = append(changes, ObjectChange{Kind: b.kind, Name: b.name, Change: Changed, Fields: fields, Dangling: b.dangling})
			}
		}
	}
	return changes
}

// objects lists the objects of a configuration by kind and name.
func objects(c *scenarios.Configuration) map[string]*object {
	all := map[string]*object{}
	for i := range c.Levels {
		l := c.Levels[i].Object
		all[levelKind+"/"+l.Name] = &object{kind: levelKind, name: l.Name, spec: plain(l.Spec), says: levelWords(&c.Levels[i])}
	}
	for i := range c.Schemas {
		s := c.Schemas[i].Object
		all[schemaKind+"/"+s.Name] = &object{kind: schemaKind, name: s.Name, spec: plain(s.Spec), dangling: c.Schemas[i].Dangling,
			says: fmt.Sprintf("precedence %d, level %s", s.Spec.MatchingPrecedence, s.Spec.PriorityLevelConfiguration.Name)}
	}
	return all
}

// levelWords says what a level is about.
func levelWords(l *scenarios.PriorityLevel) string {
	limited := l.Object.Spec.Limited
	if limited == nil {
		return "exempt"
	}
	return fmt.Sprintf("%d shares, %s", *limited.NominalConcurrencyShares, limited.LimitResponse.Type)
}

// plain turns a value into maps, lists, texts, numbers and booleans.
func plain(spec any) any {
	text, err := json.Marshal(spec)
	if err != nil {
		panic(fmt.Sprintf("seats: an object that was read cannot be written: %v", err))
	}
	var out any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber() // so that 1000000 stays what it is
	if err := d.Decode(&out); err != nil {
		panic(fmt.Sprintf("seats: an object that was written cannot be read: %v", err))
	}
	return out
}

// ValueText is a value of a FieldChange as compact JSON, and plain text as it is.
func ValueText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("seats: a value that was read cannot be written: %v", err))
	}
	return string(text)
}

package gateway

import (
	"math/bits"
	"strings"
)

// SubjectID and TargetID number what has been interned, from 0.
type (
	// SubjectID is a user with groups.
	SubjectID int32
	// TargetID is a target.
	TargetID int32
)

// rules is a set of rules, a bit each. Which rules hold for a request is the intersection of
// those whose conditions on the subject hold and those whose conditions on the target do,
// and either can be worked out without knowing the other. That is why a table of classes is
// enough, however many users and namespaces there are.
type rules []uint64

func newRules(n int) rules { return make(rules, (n+63)/64) }

func (r rules) add(i int) { r[i/64] |= 1 << (i % 64) }

// key is the set as a key of a map.
func (r rules) key() string {
	var b strings.Builder
	for _, word := range r {
		for shift := 0; shift < 64; shift += 8 {
			b.WriteByte(byte(word >> shift))
		}
	}
	return b.String()
}

// firstOfBoth returns the first rule that is in both sets, otherwise if there is none.
func firstOfBoth(a, b rules, otherwise int32) int32 {
	for i := range a {
		if both := a[i] & b[i]; both != 0 {
			return int32(64*i + bits.TrailingZeros64(both))
		}
	}
	return otherwise
}

// interner numbers texts.
type interner map[string]int32

// number returns the number of a text, and whether it is new.
func (n interner) number(text string) (int32, bool) {
	i, known := n[text]
	if !known {
		i = int32(len(n))
		n[text] = i
	}
	return i, !known
}

// facts is what is known of subjects and targets: their classes, and the keys that limits
// count by.
type facts struct {
	subjectIDs, targetIDs interner
	users, namespaces     interner
	subjects              []subjectFacts
	targets               []targetFacts
	// A class is the rules that hold for the subject, or for the target.
	subjectClassIDs, targetClassIDs interner
	subjectClasses, targetClasses   []rules
	// table holds the rule for each class of subjects and class of targets.
	table [][]int32
}

type subjectFacts struct{ class, user int32 }

type targetFacts struct{ class, namespace int32 }

func newFacts() facts {
	return facts{
		subjectIDs: interner{}, targetIDs: interner{}, users: interner{}, namespaces: interner{},
		subjectClassIDs: interner{}, targetClassIDs: interner{},
	}
}

// separator stands between texts that are joined to a key. No name has it.
const separator = "\x00"

// Subject interns who asks. The same gives the same.
func (g *Gateway) Subject(user string, groups []string) SubjectID {
	f := &g.facts
	// One separator for each group: no group is not the group "".
	key := user
	for _, group := range groups {
		key += separator + group
	}
	id, fresh := f.subjectIDs.number(key)
	if !fresh {
		return SubjectID(id)
	}
	hold := newRules(len(g.cfg.Rules))
	for i := range g.cfg.Rules {
		if g.cfg.Rules[i].Match.subject(Subject{user, groups}) {
			hold.add(i)
		}
	}
	class, newClass := f.subjectClassIDs.number(hold.key())
	if newClass {
		// One more row, about all classes of targets that are known by now.
		f.subjectClasses = append(f.subjectClasses, hold)
		row := make([]int32, len(f.targetClasses))
		for i, t := range f.targetClasses {
			row[i] = firstOfBoth(hold, t, g.otherwise())
		}
		f.table = append(f.table, row)
	}
	number, _ := f.users.number(user)
	f.subjects = append(f.subjects, subjectFacts{class, number})
	return SubjectID(id)
}

// Target interns what is asked. The same gives the same.
func (g *Gateway) Target(t Target) TargetID {
	f := &g.facts
	id, fresh := f.targetIDs.number(strings.Join(
		[]string{t.Verb, t.APIGroup, t.Resource, t.Subresource, t.Namespace, t.Path}, separator))
	if !fresh {
		return TargetID(id)
	}
	hold := newRules(len(g.cfg.Rules))
	for i := range g.cfg.Rules {
		if g.cfg.Rules[i].Match.target(t) {
			hold.add(i)
		}
	}
	class, newClass := f.targetClassIDs.number(hold.key())
	if newClass {
		// One more column, about all classes of subjects.
		f.targetClasses = append(f.targetClasses, hold)
		for i, s := range f.subjectClasses {
			f.table[i] = append(f.table[i], firstOfBoth(s, hold, g.otherwise()))
		}
	}
	number, _ := f.namespaces.number(t.Namespace)
	f.targets = append(f.targets, targetFacts{class, number})
	return TargetID(id)
}

// otherwise is the number of the rule for what none matches.
func (g *Gateway) otherwise() int32 { return int32(len(g.cfg.Rules)) }

// rule returns the rule of a request.
func (f *facts) rule(s SubjectID, t TargetID) int32 {
	return f.table[f.subjects[s].class][f.targets[t].class]
}

// key returns the number by which a limit counts a request. Users are counted by their names:
// the same user with other groups shares the limit. Requests without a namespace are those
// of the namespace "".
func (f *facts) key(per Key, s SubjectID, t TargetID) int32 {
	switch per {
	case PerUser:
		return f.subjects[s].user
	case PerNamespace:
		return f.targets[t].namespace
	}
	return 0
}

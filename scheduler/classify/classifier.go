package classify

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// SubjectID names an interned pair of a user and groups, from 0 without gaps.
type SubjectID int32

// TargetID names an interned Target, from 0 without gaps.
type TargetID int32

// subject is who makes a request.
type subject struct {
	user   string
	groups []string
}

// Classifier classifies requests by the FlowSchemas that it was made with, or was given
// last.
//
// All rules of all schemas, in matching order, are numbered through. Rule r is bit r
// of a subject if the rule's subjects accept it, and bit r of a target if the rest of
// the rule accepts that. So the first schema that matches is the one that owns the
// lowest common bit.
//
// It keeps what it has interned for ever: its memory grows with the number of
// distinct subjects and targets, not with the number of requests.
type Classifier struct {
	schemas []FlowSchema
	rules   []Rule
	// owner is the schema of each rule.
	owner []int32
	// words is how many 64-bit words hold one bit for each rule, at least 1.
	words int
	index ruleIndex
	once  []uint64 // scratch bits of a subject and a target

	subjects    []subject
	subjectID   map[string]SubjectID
	subjectBits []uint64 // words for each subject
	subjectKey  []byte   // reused to look a subject up
	groups      []string // of all subjects, one after another
	userOf      []int32
	users       numbering

	targets     []Target
	targetID    map[Target]TargetID
	targetBits  []uint64 // words for each target
	namespaceOf []int32
	namespaces  numbering
}

// New returns a classifier for the schemas, which may be in any order. It sorts a
// copy by precedence and then by name and adds none. A schema that refers to a
// missing priority level must be left out by the caller, as it is by upstream. The
// rules are shared with the caller, who must not change them any more.
func New(schemas []FlowSchema) *Classifier {
	c := &Classifier{
		subjectID: make(map[string]SubjectID),
		targetID:  make(map[Target]TargetID),
	}
	c.install(schemas)
	return c
}

// Schemas returns the schemas in matching order; Classify answers with indexes into
// it, until Reconfigure. The caller must not change it.
func (c *Classifier) Schemas() []FlowSchema { return c.schemas }

// Classify returns the index of the first schema that accepts a request of the
// subject for the target, -1 if none does. It allocates nothing.
func (c *Classifier) Classify(s SubjectID, t TargetID) int32 {
	if c.words == 1 {
		if common := c.subjectBits[s] & c.targetBits[t]; common != 0 {
			return c.owner[bits.TrailingZeros64(common)]
		}
		return -1
	}
	return c.lowest(c.subjectBits[int(s)*c.words:], c.targetBits[int(t)*c.words:])
}

// lowest is Classify for more than 64 rules: the owner of the lowest common bit of the
// first words. It is apart so that the common case can be inlined.
func (c *Classifier) lowest(subject, target []uint64) int32 {
	subject, target = subject[:c.words], target[:c.words]
	for w, word := range subject {
		if common := word & target[w]; common != 0 {
			return c.owner[w*64+bits.TrailingZeros64(common)]
		}
	}
	return -1
}

// Find classifies a request without keeping anything of it: for who asks about many
// different requests once each. Its answer is that of Classify for the interned ones. It
// allocates nothing.
func (c *Classifier) Find(user string, groups []string, t *Target) int32 {
	clear(c.once)
	subject, target := c.once[:c.words], c.once[c.words:]
	c.index.setSubject(subject, user, groups)
	c.index.setTarget(target, t)
	return c.lowest(subject, target)
}

// Subject interns a user with groups. The same user with the same groups in the same
// order has the same id for ever, and finding it allocates nothing. Neither the
// strings nor the slice are kept.
func (c *Classifier) Subject(user string, groups []string) SubjectID {
	c.subjectKey = appendSubject(c.subjectKey[:0], user, groups)
	if id, ok := c.subjectID[string(c.subjectKey)]; ok {
		return id
	}
	id := SubjectID(len(c.subjects))
	key := string(c.subjectKey)
	who := c.subjectOf(key, len(groups))
	c.subjects = append(c.subjects, who)
	c.subjectID[key] = id
	c.userOf = append(c.userOf, c.users.of(who.user))
	var bits []uint64
	c.subjectBits, bits = c.grow(c.subjectBits)
	c.index.setSubject(bits, who.user, who.groups)
	return id
}

// appendSubject appends an encoding of the subject that no other subject has: every
// string goes with its length.
func appendSubject(key []byte, user string, groups []string) []byte {
	key = binary.AppendUvarint(key, uint64(len(user)))
	key = append(key, user...)
	for _, g := range groups {
		key = binary.AppendUvarint(key, uint64(len(g)))
		key = append(key, g...)
	}
	return key
}

// subjectOf reads a subject with so many groups from its encoding. The names are parts of
// that text, which is kept as a key in any case, and the groups of all subjects lie in a
// few large arrays: most of what a new subject costs would be to allocate them apart.
func (c *Classifier) subjectOf(key string, groups int) subject {
	next := func() string {
		length, n := binary.Uvarint([]byte(key[:min(len(key), binary.MaxVarintLen64)]))
		name := key[n : n+int(length)]
		key = key[n+int(length):]
		return name
	}
	who := subject{user: next()}
	first := len(c.groups)
	for range groups {
		c.groups = append(c.groups, next())
	}
	who.groups = c.groups[first:len(c.groups):len(c.groups)]
	return who
}

// Target interns a target. Equal targets have the same id for ever, and finding it
// allocates nothing. The strings are not kept.
func (c *Classifier) Target(t Target) TargetID {
	if id, ok := c.targetID[t]; ok {
		return id
	}
	t = t.clone()
	id := TargetID(len(c.targets))
	c.targets = append(c.targets, t)
	c.targetID[t] = id
	c.namespaceOf = append(c.namespaceOf, c.namespaces.of(t.Namespace))
	var bits []uint64
	c.targetBits, bits = c.grow(c.targetBits)
	c.index.setTarget(bits, &t)
	return id
}

// clone copies the strings, which may be parts of a buffer much larger than they are, into
// one text that holds them all.
func (t Target) clone() Target {
	rest := t.Verb + t.APIGroup + t.Resource + t.Subresource + t.Namespace + t.Path
	next := func(s string) string {
		part := rest[:len(s)]
		rest = rest[len(s):]
		return part
	}
	// Evaluated from left to right, in the order of the text.
	return Target{
		Verb: next(t.Verb), APIGroup: next(t.APIGroup), Resource: next(t.Resource),
		Subresource: next(t.Subresource), Namespace: next(t.Namespace), Path: next(t.Path),
	}
}

// grow appends one bit for every rule, none of them set, and returns these too.
func (c *Classifier) grow(words []uint64) (all, added []uint64) {
	n := len(words)
	all = slices.Grow(words, c.words)[:n+c.words]
	added = all[n:]
	clear(added)
	return all, added
}

// User returns the name of a subject's user.
func (c *Classifier) User(s SubjectID) string { return c.subjects[s].user }

// Asked returns a target.
func (c *Classifier) Asked(t TargetID) Target { return c.targets[t] }

// UserOf returns a number for the subject's user name, the same for subjects with
// the same user and different groups. The numbers count from 0 without gaps, so that
// flows by user can be kept in a slice.
func (c *Classifier) UserOf(id SubjectID) int32 { return c.userOf[id] }

// NamespaceOf returns a number for the target's namespace, "" included. The numbers
// count from 0 without gaps, so that flows by namespace can be kept in a slice.
func (c *Classifier) NamespaceOf(id TargetID) int32 { return c.namespaceOf[id] }

// FlowDistinguisher returns the string that tells the flow of such a request from
// the other flows of a schema with that method.
func (c *Classifier) FlowDistinguisher(d Distinguisher, s SubjectID, t TargetID) string {
	switch d {
	case None:
		return ""
	case ByUser:
		return c.subjects[s].user
	case ByNamespace:
		return c.targets[t].Namespace
	}
	panic(fmt.Sprintf("classify: distinguisher %d is none of None (0), ByUser (1), ByNamespace (2)", d))
}

// numbering numbers strings in the order in which they first come.
type numbering struct {
	number map[string]int32
}

// of returns the number of s and keeps s if it is new.
func (x *numbering) of(s string) int32 {
	if n, ok := x.number[s]; ok {
		return n
	}
	if x.number == nil {
		x.number = make(map[string]int32)
	}
	n := int32(len(x.number))
	x.number[s] = n
	return n
}

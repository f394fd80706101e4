package workload

import (
	"strings"

	"github.com/apfsim/apfsim/workload/traceline"
)

// optionsMax bounds the table of options. They are reduced to what decides the width of a
// request (see optionsKey), so only the limits of lists can make many of them.
const optionsMax = 1 << 16

// interner gives small numbers to the subjects, targets and options of a trace, so that a
// record is a few numbers, and whoever replays it looks up each of them once.
//
// The tables grow with the number of different users and targets, as what the simulated
// server itself knows of flows does; they do not grow with the number of requests.
type interner struct {
	subjects []TraceSubject
	targets  []TraceTarget
	options  []RawOptions

	subjectIDs map[string]int32
	targetIDs  map[string]int32
	optionIDs  map[optionsKey]int32
	key        []byte
}

func newInterner() interner {
	return interner{
		options:    []RawOptions{{}},
		subjectIDs: map[string]int32{},
		targetIDs:  map[string]int32{},
		optionIDs:  map[optionsKey]int32{{}: 0},
	}
}

// keySeparator stands between the parts of a key. It is not in any of them, since they are
// UTF-8.
const keySeparator = 0xff

// subject returns the number of the user and groups of a line.
func (n *interner) subject(l *traceline.Line) int32 {
	key := append(n.key[:0], l.Text[traceline.User]...)
	for _, g := range l.Groups {
		key = append(append(key, keySeparator), g...)
	}
	n.key = key
	id, known := n.subjectIDs[string(key)]
	if !known {
		id = int32(len(n.subjects))
		n.subjectIDs[string(key)] = id
		s := TraceSubject{User: string(l.Text[traceline.User])}
		for _, g := range l.Groups {
			s.Groups = append(s.Groups, string(g))
		}
		n.subjects = append(n.subjects, s)
	}
	return id
}

// target returns the number of what a line asks for.
func (n *interner) target(l *traceline.Line) int32 {
	key := n.key[:0]
	for _, f := range [...]traceline.Field{
		traceline.Verb, traceline.APIGroup, traceline.Resource,
		traceline.Subresource, traceline.Namespace, traceline.Path,
	} {
		key = append(append(key, l.Text[f]...), keySeparator)
	}
	n.key = key
	id, known := n.targetIDs[string(key)]
	if !known {
		id = int32(len(n.targets))
		n.targetIDs[string(key)] = id
		parts := strings.Split(string(key), string([]byte{keySeparator}))
		n.targets = append(n.targets, TraceTarget{parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]})
	}
	return id
}

// option returns the number of the options of a line, or false if there are too many
// different ones.
func (n *interner) option(l *traceline.Line) (int32, bool) {
	key := makeOptionsKey(l)
	if key == (optionsKey{}) {
		return 0, true
	}
	id, known := n.optionIDs[key]
	if !known {
		id = int32(len(n.options))
		if id == optionsMax {
			return 0, false
		}
		n.optionIDs[key] = id
		n.options = append(n.options, key.raw())
	}
	return id, true
}

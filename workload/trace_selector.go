package workload

import (
	"bytes"
	"slices"

	"github.com/apfsim/apfsim/internal/selector"
	"github.com/apfsim/apfsim/workload/traceline"
)

// fieldSelector is what matters of a field selector.
type fieldSelector struct {
	kind selectorKind
	// name is what it demands of metadata.name, empty if nothing, or nothing that can be
	// the name of an object.
	name []byte
}

// selectorOf reads the field selector of a line.
//
// The grammar is that of k8s.io/apimachinery/pkg/fields: terms "field=value",
// "field==value" and "field!=value" between commas, with a backslash before a comma, equals
// sign or backslash of a value. The terms are taken in the order of their text. A selector
// that cannot be read still is a selector, but demands nothing; nor does one beside a label
// selector that cannot be read, since the server reads both at once. It is the name that makes
// selectors many, one for each object; and so it is taken out here, as RequestInfo does,
// and does not get into the table of options.
func selectorOf(l *traceline.Line) fieldSelector {
	text := l.Text[traceline.FieldSelector]
	if len(text) == 0 || !listsOrWatches(l) {
		return fieldSelector{}
	}
	s := fieldSelector{kind: selectorOther}
	var name, node []byte
	var terms [8][]byte // almost always enough to stay off the heap
	for _, term := range splitTerms(terms[:0], text) {
		if len(term) == 0 {
			continue
		}
		field, value, equal, ok := splitTerm(term)
		if !ok {
			return s
		}
		if !equal {
			continue
		}
		if name == nil && string(field) == "metadata.name" {
			name = value
		}
		if node == nil && string(field) == "spec.nodeName" {
			node = value
		}
	}
	if len(node) == 0 && len(name) == 0 || !selector.ValidLabels(string(l.Text[traceline.LabelSelector])) {
		return s
	}
	if len(node) > 0 && string(node) != noNode {
		s.kind = selectorNode
	}
	if isPathSegment(name) {
		s.name = name
	}
	return s
}

// noNode is the name of a node by which upstream's watch tracker marks that there is none.
const noNode = "<unset>"

// splitTerms appends the terms of a selector to terms, in the order of their text.
func splitTerms(terms [][]byte, text []byte) [][]byte {
	begin, escaped := 0, false
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == ',':
			terms = append(terms, text[begin:i])
			begin = i + 1
		}
	}
	terms = append(terms, text[begin:])
	slices.SortFunc(terms, bytes.Compare)
	return terms
}

// splitTerm splits a term at its first operator. It returns a value that is not nil, or
// false if there is no operator or the value is not well escaped.
func splitTerm(term []byte) (field, value []byte, equal, ok bool) {
	at := bytes.IndexByte(term, '=')
	if at < 0 {
		return nil, nil, false, false
	}
	field, value, equal = term[:at], term[at+1:], true
	switch {
	case at > 0 && term[at-1] == '!':
		field, equal = term[:at-1], false
	case len(value) > 0 && value[0] == '=':
		value = value[1:]
	}
	value, ok = unescape(value)
	return field, value, equal, ok
}

// unescape takes the backslashes out of a value.
func unescape(value []byte) ([]byte, bool) {
	if !bytes.ContainsAny(value, `\,=`) {
		return value, true
	}
	plain := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c == ',' || c == '=' {
			return nil, false
		}
		if c == '\\' {
			i++
			if i == len(value) || !bytes.Contains([]byte(`\,=`), value[i:i+1]) {
				return nil, false
			}
			c = value[i]
		}
		plain = append(plain, c)
	}
	return plain, true
}

// isPathSegment tells whether a name could stand in a URL
// (k8s.io/apimachinery/pkg/api/validate/content.IsPathSegmentName); the empty one is none.
func isPathSegment(name []byte) bool {
	switch string(name) {
	case "", ".", "..":
		return false
	}
	return !bytes.ContainsAny(name, "/%")
}

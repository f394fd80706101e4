package estimate

import "strings"

// nameFromSelector returns the object name that a field selector asks for, if it is
// valid, requires metadata.name to have one value, and that value could be a name.
// It looks at the field selector alone; RawListOptions.Name also knows that a bad
// label selector spoils it.
func nameFromSelector(fieldSelector string) (name string, ok bool) {
	name, ok = requiredValue(fieldSelector, "metadata.name")
	if !ok || name == "" || !isPathSegment(name) {
		return "", false
	}
	return name, true
}

// isPathSegment tells whether a name may be part of a URL path, which is all that
// upstream asks of a name here (apimachinery's IsPathSegmentName).
func isPathSegment(name string) bool {
	return name != "." && name != ".." && !strings.ContainsAny(name, "/%")
}

// requiredValue returns the value that a field selector requires of a field exactly,
// which may be "". The selector is a list of terms with commas between,
//
//	field = value   field == value   field != value
//
// in which a backslash takes the meaning from a comma, an equals sign or a backslash
// in a value (apimachinery's fields.ParseSelector, pkg/fields/selector.go). ok is false
// where there is no such term, and where the selector is invalid in any of its terms:
// upstream parses it as a whole before it asks for a field.
func requiredValue(selector, field string) (value string, ok bool) {
	first := "" // the term that the value comes from
	for rest := selector; rest != ""; {
		var term string
		term, rest = cutTerm(rest)
		if term == "" {
			continue
		}
		name, equal, text, valid := splitTerm(term)
		if !valid {
			return "", false
		}
		v, valid := unescape(text)
		if !valid {
			return "", false
		}
		// Upstream sorts the terms and takes the first that requires the field.
		if name == field && equal && (!ok || term < first) {
			value, ok, first = v, true, term
		}
	}
	return value, ok
}

// cutTerm splits a selector after its first term, at a comma without a backslash
// before it.
func cutTerm(selector string) (term, rest string) {
	escaped := false
	for i := 0; i < len(selector); i++ {
		switch {
		case escaped:
			escaped = false
		case selector[i] == '\\':
			escaped = true
		case selector[i] == ',':
			return selector[:i], selector[i+1:]
		}
	}
	return selector, ""
}

// splitTerm splits a term at the first operator. Nothing can be escaped before it.
func splitTerm(term string) (field string, equal bool, value string, ok bool) {
	for i := range len(term) {
		switch {
		case strings.HasPrefix(term[i:], "!="):
			return term[:i], false, term[i+2:], true
		case strings.HasPrefix(term[i:], "=="):
			return term[:i], true, term[i+2:], true
		case term[i] == '=':
			return term[:i], true, term[i+1:], true
		}
	}
	return "", false, "", false
}

// unescape takes the backslashes away. A comma or equals sign without one, and a
// backslash before anything else, are invalid.
func unescape(s string) (string, bool) {
	if !strings.ContainsAny(s, `\,=`) {
		return s, true
	}
	var b strings.Builder
	escaped := false
	for _, c := range s {
		special := strings.ContainsRune(`\,=`, c)
		switch {
		case !escaped && c == '\\':
			escaped = true
		case escaped != special:
			return "", false
		default:
			b.WriteRune(c)
			escaped = false
		}
	}
	return b.String(), !escaped
}

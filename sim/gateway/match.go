package gateway

import (
	"slices"
	"strings"
)

// Subject is who asks.
type Subject struct {
	User   string
	Groups []string
}

// Target is what is asked, in the words of RequestInfo: a resource, or a path instead.
type Target struct {
	Verb, APIGroup, Resource, Subresource, Namespace, Path string
}

// Match says which requests a rule is for. Within a field one entry is enough; all fields
// that have entries must hold. "*" is every value, and a "*" at the end every value that
// begins so: "system:serviceaccount:agents:*".
//
// Fields of resources leave non-resource requests out, and Paths leave resource requests
// out; a match with both kinds takes either. One without any takes all.
type Match struct {
	// Users and Groups are about the subject, of whose groups one is enough.
	Users, Groups []string
	// Verbs are whole, or "*".
	Verbs []string
	// APIGroups are whole, or "*"; "" is the core group.
	APIGroups []string
	// Resources are written as in a FlowSchema: "pods" is without any subresource,
	// "pods/status" with that one. "pods/*" is any subresource of pods, "*/status" that of
	// any resource, "*" everything.
	Resources []string
	// Namespaces are those of the request; "" is no namespace.
	Namespaces []string
	// Paths are those of non-resource requests.
	Paths []string
}

// holds tells whether a value satisfies a pattern.
func holds(pattern, value string) bool {
	if prefix, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(value, prefix)
	}
	return pattern == value
}

// anyHolds tells whether one of the patterns holds for a value, or there are none.
func anyHolds(patterns []string, value string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return holds(p, value) })
}

// subject tells whether the match holds for who asks.
func (m *Match) subject(s Subject) bool {
	if !anyHolds(m.Users, s.User) {
		return false
	}
	return len(m.Groups) == 0 || slices.ContainsFunc(s.Groups, func(g string) bool { return anyHolds(m.Groups, g) })
}

// target tells whether the match holds for what is asked.
func (m *Match) target(t Target) bool {
	switch {
	case !anyHolds(m.Verbs, t.Verb):
		return false
	case t.Path != "":
		return m.takesPaths() && anyHolds(m.Paths, t.Path)
	}
	return m.takesResources() && anyHolds(m.APIGroups, t.APIGroup) && anyHolds(m.Namespaces, t.Namespace) &&
		m.resource(t.Resource, t.Subresource)
}

// aboutResources tells whether any field is about resources.
func (m *Match) aboutResources() bool { return len(m.APIGroups)+len(m.Resources)+len(m.Namespaces) > 0 }

// takesPaths tells whether the match can hold for a non-resource request: it names paths, or
// says nothing that only resources have.
func (m *Match) takesPaths() bool { return len(m.Paths) > 0 || !m.aboutResources() }

// takesResources tells whether the match can hold for a resource request: it says something
// about resources, or names no paths.
func (m *Match) takesResources() bool { return len(m.Paths) == 0 || m.aboutResources() }

// resource tells whether the resources of the match have this one.
func (m *Match) resource(resource, subresource string) bool {
	return len(m.Resources) == 0 || slices.ContainsFunc(m.Resources, func(entry string) bool {
		return entryHolds(entry, resource, subresource)
	})
}

// entryHolds tells whether one entry of Resources has a resource with a subresource, "" for
// none. "*" alone is more than "*/*", which wants a subresource.
func entryHolds(entry, resource, subresource string) bool {
	if entry == "*" {
		return true
	}
	r, s, _ := strings.Cut(entry, "/")
	return (r == "*" || r == resource) && (s == subresource || s == "*" && subresource != "")
}

// covers tells that every request which o matches is matched by m too. It may say no where
// that is so for a reason that needs several entries together.
func (m *Match) covers(o *Match) bool {
	if !cover(m.Users, o.Users) || !coverGroups(m.Groups, o.Groups) || !cover(m.Verbs, o.Verbs) {
		return false
	}
	if o.takesPaths() && !(m.takesPaths() && cover(m.Paths, o.Paths)) {
		return false
	}
	return !o.takesResources() || m.takesResources() && cover(m.APIGroups, o.APIGroups) &&
		cover(m.Namespaces, o.Namespaces) && coverResources(m.Resources, o.Resources)
}

// cover tells that each value of the second patterns satisfies one of the first.
func cover(wide, narrow []string) bool {
	return slices.Contains(wide, "*") || coverGroups(wide, narrow)
}

// coverGroups is cover for groups, where "*" says something: a subject may be in no group.
func coverGroups(wide, narrow []string) bool {
	if len(wide) == 0 {
		return true
	}
	// What the narrow pattern stands for is covered by a pattern that its own text, star and
	// all, satisfies: "a:*" is covered by "a*", which has a prefix of "a:*" before its star.
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, func(n string) bool { return !anyHolds(wide, n) })
}

// coverResources is cover for resources. As with other patterns, the text of the narrow entry
// is taken for a value: "pods/*" is a subresource "*" of pods to "pods/*" and to "*/*", and
// to no entry that names another one.
func coverResources(wide, narrow []string) bool {
	if len(wide) == 0 || slices.Contains(wide, "*") {
		return true
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, func(n string) bool {
		r, s, _ := strings.Cut(n, "/")
		return n == "*" || !slices.ContainsFunc(wide, func(w string) bool { return entryHolds(w, r, s) })
	})
}

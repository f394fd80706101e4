package lint

import (
	"iter"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
)

// The groups that the authenticators and the API server itself put users into.
const (
	groupMasters         = "system:masters"
	groupNodes           = "system:nodes"
	groupAuthenticated   = "system:authenticated"
	groupUnauthenticated = "system:unauthenticated"
	groupAccounts        = "system:serviceaccounts"
	userAnonymous        = "system:anonymous"
	accountPrefix        = "system:serviceaccount:"
	nodePrefix           = "system:node:"
)

const wildcard = "*"

// everyone tells whether a subject accepts all requests.
func everyone(s scheduler.SubjectRule) bool {
	return s.Kind != scheduler.ServiceAccount && s.Name == wildcard
}

// canonical writes a user name of a service account as the service account.
func canonical(s scheduler.SubjectRule) scheduler.SubjectRule {
	if s.Kind != scheduler.User {
		return s
	}
	if namespace, name, ok := accountOf(s.Name); ok {
		return scheduler.SubjectRule{Kind: scheduler.ServiceAccount, Namespace: namespace, Name: name}
	}
	return s
}

// accountOf takes the user name of a service account apart.
func accountOf(user string) (namespace, name string, ok bool) {
	rest, ok := strings.CutPrefix(user, accountPrefix)
	if !ok {
		return "", "", false
	}
	namespace, name, ok = strings.Cut(rest, ":")
	return namespace, name, ok && namespace != "" && name != "" && !strings.ContainsAny(rest, wildcard) && !strings.Contains(name, ":")
}

// memberships are the groups that everybody whom a subject accepts is in for certain.
func memberships(s scheduler.SubjectRule) []string {
	switch s.Kind {
	case scheduler.Group:
		switch {
		case s.Name == groupUnauthenticated:
			return []string{groupUnauthenticated}
		case strings.HasPrefix(s.Name, groupAccounts+":"):
			return []string{s.Name, groupAccounts, groupAuthenticated}
		}
		return []string{s.Name, groupAuthenticated}
	case scheduler.ServiceAccount:
		return []string{groupAccounts + ":" + s.Namespace, groupAccounts, groupAuthenticated}
	}
	switch {
	case s.Name == userAnonymous:
		return []string{groupUnauthenticated}
	case strings.HasPrefix(s.Name, nodePrefix):
		return []string{groupNodes, groupAuthenticated}
	}
	return []string{groupAuthenticated}
}

// implies tells whether t accepts everybody whom s accepts. It may be false where that
// depends on who is in a group.
func implies(s, t scheduler.SubjectRule) bool {
	s, t = canonical(s), canonical(t)
	if everyone(t) || s == t {
		return true
	}
	if everyone(s) {
		return false
	}
	switch t.Kind {
	case scheduler.Group:
		return slices.Contains(memberships(s), t.Name)
	case scheduler.ServiceAccount:
		if t.Name != wildcard {
			return false // s is another one, or a group
		}
		return s.Kind == scheduler.ServiceAccount && s.Namespace == t.Namespace ||
			s.Kind == scheduler.Group && s.Name == groupAccounts+":"+t.Namespace
	}
	return false
}

// halves splits a subject that accepts everyone into the two groups of which everyone
// is in one.
func halves(s scheduler.SubjectRule) []scheduler.SubjectRule {
	if !everyone(s) {
		return []scheduler.SubjectRule{s}
	}
	return []scheduler.SubjectRule{
		{Kind: scheduler.Group, Name: groupAuthenticated},
		{Kind: scheduler.Group, Name: groupUnauthenticated},
	}
}

// all tells whether a list is the wildcard.
func all(list []string) bool { return len(list) == 1 && list[0] == wildcard }

// admits tells whether a list accepts an element of another one. The element "*" of a
// list that is the wildcard stands for all names that nobody mentions.
func admits(list []string, element string) bool {
	return all(list) || element != wildcard && slices.Contains(list, element)
}

// cell is one combination of the elements of a resource rule. Everything that the rule
// matches is in one of its cells.
type cell struct {
	verb, group, resource, namespace string
	// cluster is set for requests in no namespace; namespace is then empty.
	cluster bool
}

// cells goes through the combinations of a resource rule.
func cells(r *scheduler.ResourceRule) iter.Seq[cell] {
	return func(yield func(cell) bool) {
		for _, v := range r.Verbs {
			for _, g := range r.APIGroups {
				for _, res := range r.Resources {
					for _, ns := range r.Namespaces {
						if !yield(cell{verb: v, group: g, resource: res, namespace: ns}) {
							return
						}
					}
					if r.ClusterScope && !yield(cell{verb: v, group: g, resource: res, cluster: true}) {
						return
					}
				}
			}
		}
	}
}

// holds tells whether a resource rule matches all requests of a cell.
func holds(r *scheduler.ResourceRule, c cell) bool {
	if !admits(r.Verbs, c.verb) || !admits(r.APIGroups, c.group) || !admits(r.Resources, c.resource) {
		return false
	}
	if c.cluster {
		return r.ClusterScope
	}
	return admits(r.Namespaces, c.namespace)
}

// holdsPath tells whether a URL of a rule matches all paths that another one matches:
// that path itself, and what lies below it. All paths begin with "/".
func holdsPath(url, other string) bool {
	if other == wildcard {
		return url == wildcard || below(url) == "/"
	}
	return matchesPath(url, other) && matchesPath(url, below(other)+"x")
}

// below is the beginning of the paths that a URL matches beside itself.
func below(url string) string {
	prefix := strings.TrimSuffix(url, wildcard)
	if !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	return prefix
}

// matchesPath asks the classifier.
func matchesPath(url, path string) bool {
	s := scheduler.FlowSchema{Rules: []scheduler.Rule{{
		Subjects:     []scheduler.SubjectRule{{Kind: scheduler.User, Name: wildcard}},
		NonResources: []scheduler.NonResourceRule{{Verbs: []string{wildcard}, URLs: []string{url}}},
	}}}
	return classify.Matches(&s, "", nil, &scheduler.Target{Verb: "get", Path: path})
}

// part is one way for a schema to match: one of the subjects of a rule, with one of its
// resource rules or non-resource rules. The other of the two is nil.
type part struct {
	subject  scheduler.SubjectRule
	resource *scheduler.ResourceRule
	path     *scheduler.NonResourceRule
}

// coverers returns which of the earlier schemas take the requests of a part, in order.
// It returns false unless they take all of them.
func coverers(p part, earlier []*schema) ([]*schema, bool) {
	taken := map[*schema]bool{}
	for _, half := range halves(p.subject) {
		rivals := rivalsOf(half, earlier)
		if p.resource != nil {
			for c := range cells(p.resource) {
				i := slices.IndexFunc(rivals, func(r rival) bool { return r.resource != nil && holds(r.resource, c) })
				if i < 0 {
					return nil, false
				}
				taken[rivals[i].schema] = true
			}
			continue
		}
		for _, v := range p.path.Verbs {
			for _, url := range p.path.URLs {
				i := slices.IndexFunc(rivals, func(r rival) bool { return r.path != nil && r.holdsPath(v, url) })
				if i < 0 {
					return nil, false
				}
				taken[rivals[i].schema] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(earlier), func(s *schema) bool { return !taken[s] }), true
}

// rival is what an earlier schema takes from everybody whom a subject accepts.
type rival struct {
	schema   *schema
	resource *scheduler.ResourceRule
	path     *scheduler.NonResourceRule
}

func (r rival) holdsPath(verb, url string) bool {
	return admits(r.path.Verbs, verb) && slices.ContainsFunc(r.path.URLs, func(u string) bool { return holdsPath(u, url) })
}

// rivalsOf lists what the earlier schemas take from the requests of a subject, in the
// order of matching.
func rivalsOf(subject scheduler.SubjectRule, earlier []*schema) []rival {
	var out []rival
	for _, s := range earlier {
		for i := range s.spec.Rules {
			r := &s.spec.Rules[i]
			if !slices.ContainsFunc(r.Subjects, func(t scheduler.SubjectRule) bool { return implies(subject, t) }) {
				continue
			}
			for j := range r.Resources {
				out = append(out, rival{s, &r.Resources[j], nil})
			}
			for j := range r.NonResources {
				out = append(out, rival{s, nil, &r.NonResources[j]})
			}
		}
	}
	return out
}

// overlap tells whether two parts match a common request for certain.
func overlap(a, b part) bool {
	if !implies(a.subject, b.subject) && !implies(b.subject, a.subject) {
		return false
	}
	if a.resource != nil && b.resource != nil {
		x, y := a.resource, b.resource
		return meet(x.Verbs, y.Verbs) && meet(x.APIGroups, y.APIGroups) && meet(x.Resources, y.Resources) &&
			(meet(x.Namespaces, y.Namespaces) || x.ClusterScope && y.ClusterScope)
	}
	if a.path != nil && b.path != nil {
		return meet(a.path.Verbs, b.path.Verbs) && slices.ContainsFunc(a.path.URLs, func(u string) bool {
			return slices.ContainsFunc(b.path.URLs, func(w string) bool { return holdsPath(u, w) || holdsPath(w, u) })
		})
	}
	return false
}

// meet tells whether two lists accept a common name.
func meet(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	return all(a) || all(b) || slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

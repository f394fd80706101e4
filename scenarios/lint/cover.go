package lint

import (
	"cmp"
	"iter"
	"maps"
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

// canonical writes a user name of a service account as the service account, and all who
// accept everyone alike.
func canonical(s scheduler.SubjectRule) scheduler.SubjectRule {
	if everyone(s) {
		return everyoneRule
	}
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

// everyoneRule is the one form in which wider and tried know a subject that accepts all.
var everyoneRule = scheduler.SubjectRule{Kind: scheduler.User, Name: wildcard}

// wider lists the subjects that accept everybody whom s accepts, for certain, in their
// canonical form.
func wider(s scheduler.SubjectRule) []scheduler.SubjectRule {
	s = canonical(s)
	out := []scheduler.SubjectRule{everyoneRule}
	if everyone(s) {
		return out
	}
	out = append(out, s)
	for _, g := range memberships(s) {
		if t := (scheduler.SubjectRule{Kind: scheduler.Group, Name: g}); t != s {
			out = append(out, t)
		}
	}
	namespace, named := s.Namespace, s.Kind == scheduler.ServiceAccount && s.Name != wildcard
	if s.Kind == scheduler.Group {
		namespace, named = strings.CutPrefix(s.Name, groupAccounts+":")
	}
	if named {
		out = append(out, scheduler.SubjectRule{Kind: scheduler.ServiceAccount, Namespace: namespace, Name: wildcard})
	}
	return out
}

// implies tells whether t accepts everybody whom s accepts. It may be false where that
// depends on who is in a group.
func implies(s, t scheduler.SubjectRule) bool {
	return slices.Contains(wider(s), canonical(t))
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
func coverers(p part, earlier *tried) ([]*schema, bool) {
	taken := map[*schema]bool{}
	for _, half := range halves(p.subject) {
		rivals := earlier.rivals(half)
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
	return inOrder(taken), true
}

// inOrder lists a set of schemas in the order of matching.
func inOrder(set map[*schema]bool) []*schema {
	return slices.SortedFunc(maps.Keys(set), func(a, b *schema) int { return a.index - b.index })
}

// tried are the schemas in force that are tried before a certain one. They are found by
// whom they accept, as with thousands of schemas to look at each takes minutes.
type tried struct {
	rules map[scheduler.SubjectRule][]triedRule
	count int
}

// triedRule is a rule of a schema.
type triedRule struct {
	schema *schema
	rule   int
}

func newTried(schemas ...*schema) *tried {
	t := &tried{rules: map[scheduler.SubjectRule][]triedRule{}}
	for _, s := range schemas {
		t.add(s)
	}
	return t
}

// add adds a schema that comes after all that are there.
func (t *tried) add(s *schema) {
	t.count++
	for i := range s.spec.Rules {
		for _, subject := range s.spec.Rules[i].Subjects {
			key := canonical(subject)
			t.rules[key] = append(t.rules[key], triedRule{s, i})
		}
	}
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

// rivals lists what the schemas take from the requests of a subject, in the order of
// matching.
func (t *tried) rivals(subject scheduler.SubjectRule) []rival {
	var rules []triedRule
	for _, key := range wider(subject) {
		rules = append(rules, t.rules[key]...)
	}
	slices.SortFunc(rules, func(a, b triedRule) int {
		return cmp.Or(a.schema.index-b.schema.index, a.rule-b.rule)
	})
	var out []rival
	for _, r := range slices.Compact(rules) { // once, though several of its subjects do
		rule := &r.schema.spec.Rules[r.rule]
		for j := range rule.Resources {
			out = append(out, rival{r.schema, &rule.Resources[j], nil})
		}
		for j := range rule.NonResources {
			out = append(out, rival{r.schema, nil, &rule.NonResources[j]})
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

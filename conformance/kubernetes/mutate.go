package kubernetes

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// tree is a value of JSON: map[string]any, []any, string, json.Number, bool or nil.
type tree = any

// decodeTree reads JSON, and keeps numbers as they are written.
func decodeTree(text []byte) (tree, error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var t tree
	err := d.Decode(&t)
	return t, err
}

// mutator changes objects at random. What it makes is mostly wrong in some way, and the
// way is mostly one that a person could err in.
type mutator struct {
	rand *rand.Rand
	// names are all field names of the types, and some that none has.
	names []string
}

func newMutator(r *rand.Rand) *mutator {
	return &mutator{r, []string{
		"apiVersion", "kind", "metadata", "name", "namespace", "annotations", "labels", "finalizers", "creationTimestamp", "generation", "spec", "status",
		"matchingPrecedence", "priorityLevelConfiguration", "distinguisherMethod", "type", "rules", "subjects", "user", "group", "serviceAccount",
		"resourceRules", "nonResourceRules", "verbs", "apiGroups", "resources", "namespaces", "clusterScope", "nonResourceURLs",
		"limited", "exempt", "assuredConcurrencyShares", "nominalConcurrencyShares", "lendablePercent", "borrowingLimitPercent",
		"limitResponse", "queuing", "queues", "handSize", "queueLengthLimit", "conditions", "color", "Name", "verb"}}
}

// nasty are strings that some rule tells apart from others.
var nasty = []string{"", "*", " ", "a", "A", "a-b", "-a", "a-", "a.b", "a..b", "a_b", ".", "..", "a/b", "/", "//", "/*", "/a", "/a/", "/a*", "/a/*", "/a/*/b", "/*/*",
	"/a b", "a b", "é", "/é", "\t", "/a\tb", "a\nb", "yes", "null", "~", "0", "1e3", "true", "exempt", "catch-all", "workload-low", "Exempt", "Limited", "Queue", "Reject", "queue",
	"User", "Group", "ServiceAccount", "ByUser", "ByNamespace", "byuser", "get", "GET", "list", "post", "proxy", "deletecollection", "watch",
	"system:masters", "system:serviceaccount:a:b", "2023-01-01T00:00:00Z", "2023-01-01", "v1", "FlowSchema",
	strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 253), strings.Repeat("a", 254), strings.Repeat("a.", 126) + "a"}

// numbers are those at the edges of the rules and of the types.
var numbers = []json.Number{"0", "-0", "1", "-1", "2", "5", "8", "9", "10", "11", "30", "50", "63", "64", "65", "99", "100", "101", "500", "9999", "10000", "10001",
	"9999999", "10000000", "10000001", "67108864", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967296", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "1e2", "1E2", "1.0", "1.5", "-1.0", "1e400", "1e-1"}

func (m *mutator) pick(n int) int { return m.rand.IntN(n) }

// scalar returns a random value without members.
func (m *mutator) scalar() tree {
	switch m.pick(12) {
	case 0:
		return nil
	case 1:
		return m.pick(2) == 0
	case 2:
		return map[string]any{}
	case 3:
		return []any{}
	case 4:
		return []any{nil}
	case 5, 6, 7:
		return numbers[m.pick(len(numbers))]
	}
	return nasty[m.pick(len(nasty))]
}

// like returns a random value of the kind that another one has, or any one.
func (m *mutator) like(t tree) tree {
	if m.pick(4) > 0 {
		switch t.(type) {
		case string:
			return nasty[m.pick(len(nasty))]
		case json.Number:
			return numbers[m.pick(len(numbers))]
		case bool:
			return m.pick(2) == 0
		}
	}
	return m.scalar()
}

// site is a place within an object where a value stands.
type site struct {
	get tree
	set func(tree)
	// drop removes the member or the item; nil for the object itself.
	drop func()
	// rename gives the member another name; nil for items.
	rename func(string)
}

// sites lists the places within t. Names are in order, so that a seed gives the same
// mutations always.
func sites(t tree, set func(tree), out []site) []site {
	switch t := t.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(t)) {
			v := t[name]
			put := func(v tree) { t[name] = v }
			out = append(out, site{v, put, func() { delete(t, name) }, func(to string) { delete(t, name); t[to] = v }})
			out = sites(v, put, out)
		}
	case []any:
		for i, v := range t {
			put := func(v tree) { t[i] = v }
			out = append(out, site{v, put, func() { set(slices.Delete(slices.Clone(t), i, i+1)) }, nil})
			out = sites(v, put, out)
		}
	}
	return out
}

func clone(t tree) tree {
	switch t := t.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, v := range t {
			out[name] = clone(v)
		}
		return out
	case []any:
		out := make([]any, len(t))
		for i, v := range t {
			out[i] = clone(v)
		}
		return out
	}
	return t
}

// mutate returns a copy of an object with one change, now and then several.
func (m *mutator) mutate(object tree) tree {
	t := clone(object)
	for more := true; more; more = m.pick(3) == 0 {
		m.step(t)
	}
	return t
}

func (m *mutator) step(t tree) {
	all := sites(t, func(tree) {}, nil)
	if len(all) == 0 {
		return
	}
	s, other := all[m.pick(len(all))], all[m.pick(len(all))]
	switch m.pick(9) {
	case 0:
		s.drop()
	case 1:
		m.rename(s)
	case 2: // swap two values
		a, b := clone(s.get), clone(other.get)
		s.set(b)
		other.set(a)
	case 3: // graft one over the other
		s.set(clone(other.get))
	case 4, 5:
		m.extend(s)
	default:
		m.replace(s)
	}
}

// replace puts another value in the place of one. Mappings and lists are mostly spared: an
// object without its spec says little.
func (m *mutator) replace(s site) {
	switch s.get.(type) {
	case map[string]any, []any:
		if m.pick(5) > 0 {
			m.extend(s)
			return
		}
	}
	s.set(m.like(s.get))
}

// rename gives a member the name of another field, or its own in another case.
func (m *mutator) rename(s site) {
	if s.rename != nil {
		s.rename(m.names[m.pick(len(m.names))])
	}
}

// extend adds a member or an item.
func (m *mutator) extend(s site) {
	switch t := s.get.(type) {
	case map[string]any:
		t[m.names[m.pick(len(m.names))]] = m.scalar()
	case []any:
		if len(t) > 0 && m.pick(2) == 0 {
			s.set(append(slices.Clone(t), clone(t[m.pick(len(t))])))
		} else {
			s.set(append(slices.Clone(t), m.scalar()))
		}
	default:
		s.set(m.like(t))
	}
}

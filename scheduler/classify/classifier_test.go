package classify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// everything returns the rule parts that the built-in schemas call all: resources and
// other paths alike.
func everything(subjects ...SubjectRule) []Rule {
	return []Rule{{
		Subjects:     subjects,
		Resources:    []ResourceRule{everyResource()},
		NonResources: []NonResourceRule{{Verbs: all(), URLs: all()}},
	}}
}

func group(name string) SubjectRule { return SubjectRule{Kind: Group, Name: name} }
func user(name string) SubjectRule  { return SubjectRule{Kind: User, Name: name} }

// builtIn returns the schemas of release 1.37, out of order.
func builtIn() []FlowSchema {
	leases := func(verbs ...string) ResourceRule {
		return ResourceRule{Verbs: verbs, APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Namespaces: all()}
	}
	nodes := ResourceRule{Verbs: all(), APIGroups: []string{""}, Resources: []string{"nodes", "nodes/status"}, Namespaces: all(), ClusterScope: true}
	anyone := []SubjectRule{group("system:unauthenticated"), group("system:authenticated")}
	kubeSystem := SubjectRule{ServiceAccount, "*", "kube-system"}
	return []FlowSchema{
		{"catch-all", 10000, "catch-all", ByUser, everything(anyone...)},
		{"global-default", 9900, "global-default", ByUser, everything(anyone...)},
		{"service-accounts", 9000, "workload-low", ByUser, everything(group("system:serviceaccounts"))},
		{"kube-system-service-accounts", 900, "workload-high", ByNamespace, everything(kubeSystem)},
		{"kube-scheduler", 800, "workload-high", ByNamespace, everything(user("system:kube-scheduler"))},
		{"kube-controller-manager", 800, "workload-high", ByNamespace, everything(user("system:kube-controller-manager"))},
		{"system-nodes", 500, "system", ByUser, everything(group("system:nodes"))},
		{"system-node-high", 400, "node-high", ByUser, []Rule{
			{Subjects: []SubjectRule{group("system:nodes")}, Resources: []ResourceRule{nodes, leases("*")}}}},
		{"system-leader-election", 100, "leader-election", ByUser, []Rule{{
			Subjects:  []SubjectRule{user("system:kube-controller-manager"), user("system:kube-scheduler"), kubeSystem},
			Resources: []ResourceRule{leases("get", "create", "update")},
		}}},
		{"probes", 2, "exempt", None, []Rule{{
			Subjects:     anyone,
			NonResources: []NonResourceRule{{Verbs: []string{"get"}, URLs: []string{"/healthz", "/readyz", "/livez"}}},
		}}},
		{"exempt", 1, "exempt", None, everything(group("system:masters"))},
	}
}

func TestBuiltInSchemas(t *testing.T) {
	authenticated := []string{"system:authenticated"}
	node := []string{"system:nodes", "system:authenticated"}
	account := []string{"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"}
	lease := Target{Verb: "update", APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "kube-system"}
	pods := Target{Verb: "list", Resource: "pods"}
	c := New(builtIn())
	for _, r := range []struct {
		user   string
		groups []string
		target Target
		want   string
	}{
		{"admin", []string{"system:masters", "system:authenticated"}, pods, "exempt"},
		{"admin", []string{"system:masters"}, Target{Verb: "get", Path: "/readyz"}, "exempt"},
		{"x", authenticated, Target{Verb: "get", Path: "/readyz/etcd"}, "probes"},
		{"system:anonymous", []string{"system:unauthenticated"}, Target{Verb: "get", Path: "/livez"}, "probes"},
		{"x", authenticated, Target{Verb: "post", Path: "/readyz"}, "global-default"},
		{"x", authenticated, Target{Verb: "get", Path: "/readyzz"}, "global-default"},
		{"system:kube-scheduler", authenticated, lease, "system-leader-election"},
		{"system:kube-scheduler", authenticated, pods, "kube-scheduler"},
		{"system:kube-controller-manager", authenticated, pods, "kube-controller-manager"},
		{"system:serviceaccount:kube-system:a", account, lease, "system-leader-election"},
		{"system:serviceaccount:kube-system:a", account, pods, "kube-system-service-accounts"},
		{"system:serviceaccount:kube:a", account, lease, "service-accounts"},
		{"system:node:n1", node, lease, "system-node-high"},
		{"system:node:n1", node, Target{Verb: "patch", Resource: "nodes", Subresource: "status"}, "system-node-high"},
		{"system:node:n1", node, Target{Verb: "patch", Resource: "nodes", Subresource: "proxy"}, "system-nodes"},
		{"system:node:n1", node, Target{Verb: "get", Path: "/healthz"}, "probes"},
		{"system:node:n1", node, pods, "system-nodes"},
		{"x", authenticated, pods, "global-default"},
		{"x", []string{"nobody"}, pods, ""},
		{"x", nil, pods, ""},
	} {
		got := ""
		if i := c.Classify(c.Subject(r.user, r.groups), c.Target(r.target)); i >= 0 {
			got = c.Schemas()[i].Name
		}
		if got != r.want {
			t.Errorf("%s of %q, %+v: %q, want %q", r.user, r.groups, r.target, got, r.want)
		}
	}
}

func TestSchemasAreInMatchingOrder(t *testing.T) {
	given := []FlowSchema{{Name: "b", Precedence: 7}, {Name: "z", Precedence: 1}, {Name: "a", Precedence: 7}, {Name: "B", Precedence: 7}, {Name: "y", Precedence: 10000}}
	before := slices.Clone(given)
	var names []string
	for _, s := range New(given).Schemas() {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"z", "B", "a", "b", "y"}, names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, given); diff != "" {
		t.Errorf("the caller's schemas have changed:\n%s", diff)
	}
}

// Small vocabularies, so that drawn rules and requests meet often.
var (
	drawUser      = rapid.SampledFrom([]string{"*", "", "ann", "bob", "system:serviceaccount:ns:sa", "system:serviceaccount:ns:sb", "system:serviceaccount:n:sa"})
	drawGroup     = rapid.SampledFrom([]string{"*", "", "g1", "g2", "ann"})
	drawVerb      = rapid.SampledFrom([]string{"*", "get", "list", "watch"})
	drawAPIGroup  = rapid.SampledFrom([]string{"*", "", "apps"})
	drawResource  = rapid.SampledFrom([]string{"*", "pods", "nodes", "pods/log"})
	drawNamespace = rapid.SampledFrom([]string{"*", "", "ns", "n"})
	drawPath      = rapid.SampledFrom([]string{"*", "/", "/a", "/a/", "/a/*", "/a/b", "/ab", "/ab/c"})
)

// drawList draws a list of a rule; more than one element makes "*" literal.
func drawList(t *rapid.T, from *rapid.Generator[string], name string) []string {
	return rapid.OneOf(rapid.Just(all()), rapid.SliceOfN(from, 0, 3)).Draw(t, name)
}

func drawRule(t *rapid.T) Rule {
	var r Rule
	for range rapid.IntRange(0, 2).Draw(t, "subjects") {
		s := SubjectRule{Kind: rapid.SampledFrom([]SubjectKind{User, Group, ServiceAccount}).Draw(t, "kind")}
		switch s.Kind {
		case User:
			s.Name = drawUser.Draw(t, "user")
		case Group:
			s.Name = drawGroup.Draw(t, "group")
		case ServiceAccount:
			s.Name = rapid.SampledFrom([]string{"*", "sa"}).Draw(t, "account")
			s.Namespace = drawNamespace.Draw(t, "namespace")
		}
		r.Subjects = append(r.Subjects, s)
	}
	for range rapid.IntRange(0, 2).Draw(t, "resources") {
		r.Resources = append(r.Resources, ResourceRule{
			Verbs: drawList(t, drawVerb, "verbs"), APIGroups: drawList(t, drawAPIGroup, "groups"),
			Resources: drawList(t, drawResource, "names"), Namespaces: drawList(t, drawNamespace, "namespaces"),
			ClusterScope: rapid.Bool().Draw(t, "clusterScope"),
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "nonResources") {
		r.NonResources = append(r.NonResources, NonResourceRule{Verbs: drawList(t, drawVerb, "verbs"), URLs: drawList(t, drawPath, "urls")})
	}
	return r
}

func drawSchemas(t *rapid.T) []FlowSchema {
	var schemas []FlowSchema
	// Up to 120 rules, which take two words.
	for i := range rapid.OneOf(rapid.IntRange(1, 8), rapid.IntRange(40, 60)).Draw(t, "schemas") {
		schemas = append(schemas, FlowSchema{
			Name:       fmt.Sprintf("s%02d", i),
			Precedence: rapid.Int32Range(1, 5).Draw(t, "precedence"),
			Rules:      rapid.SliceOfN(rapid.Custom(drawRule), 0, 2).Draw(t, "rules"),
		})
	}
	return schemas
}

func drawTarget(t *rapid.T) Target {
	if rapid.Bool().Draw(t, "nonResource") {
		return Target{Verb: drawVerb.Draw(t, "verb"), Path: drawPath.Draw(t, "path")}
	}
	return Target{
		Verb: drawVerb.Draw(t, "verb"), APIGroup: drawAPIGroup.Draw(t, "apiGroup"),
		Resource:    rapid.SampledFrom([]string{"pods", "nodes", "*"}).Draw(t, "resource"),
		Subresource: rapid.SampledFrom([]string{"", "log"}).Draw(t, "subresource"),
		Namespace:   drawNamespace.Draw(t, "namespace"),
	}
}

// first is the definition: the schemas in order, the first that matches.
func first(schemas []FlowSchema, user string, groups []string, t *Target) int32 {
	for i := range schemas {
		if Matches(&schemas[i], user, groups, t) {
			return int32(i)
		}
	}
	return -1
}

func TestClassifierAgreesWithMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(drawSchemas(t))
		for range 20 {
			user, groups := drawUser.Draw(t, "user"), rapid.SliceOfN(drawGroup, 0, 2).Draw(t, "groups")
			target := drawTarget(t)
			want := first(c.Schemas(), user, groups, &target)
			if got := c.Classify(c.Subject(user, groups), c.Target(target)); got != want {
				t.Fatalf("%q of %q, %+v: schema %d, want %d", user, groups, target, got, want)
			}
			if got := c.Find(user, groups, &target); got != want {
				t.Fatalf("%q of %q, %+v: found schema %d, want %d", user, groups, target, got, want)
			}
		}
	})
}

// With one schema for each of many users, every bit of every word has to be found.
func TestManyRules(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 128, 129, 300} {
		var schemas []FlowSchema
		for i := range n {
			schemas = append(schemas, FlowSchema{Name: "s", Precedence: int32(i), Rules: everything(user(fmt.Sprint(i)))})
		}
		c := New(schemas)
		target := c.Target(Target{Verb: "get", Resource: "pods"})
		for i := range n {
			if got := c.Classify(c.Subject(fmt.Sprint(i), nil), target); got != int32(i) {
				t.Errorf("%d schemas: user %d got schema %d", n, i, got)
			}
		}
		if got := c.Classify(c.Subject("nobody", nil), target); got != -1 {
			t.Errorf("%d schemas: nobody got schema %d", n, got)
		}
	}
}

func TestNoSchemas(t *testing.T) {
	c := New(nil)
	if got := c.Classify(c.Subject("ann", nil), c.Target(Target{Verb: "get", Resource: "pods"})); got != -1 {
		t.Errorf("schema %d, want -1", got)
	}
}

func TestInterning(t *testing.T) {
	c := New(builtIn())
	groups := []string{"a", "b"}
	ann := c.Subject("ann", groups)
	for _, other := range []struct {
		user   string
		groups []string
	}{{"ann", nil}, {"ann", []string{"b", "a"}}, {"ann", []string{"ab"}}, {"anna", []string{"b"}}, {"", []string{"ann", "a", "b"}}} {
		if id := c.Subject(other.user, other.groups); id == ann {
			t.Errorf("%+v is the same as ann of a and b", other)
		}
	}
	groups[0] = "changed"
	if id := c.Subject("ann", []string{"a", "b"}); id != ann {
		t.Errorf("ann of a and b is %d, was %d", id, ann)
	}
	if who := c.subjects[ann]; who.user != "ann" || !slices.Equal(who.groups, []string{"a", "b"}) {
		t.Errorf("ann of a and b is kept as %+v", who)
	}
	target := Target{Verb: "get", Resource: "pods", Namespace: "ns"}
	id := c.Target(target)
	if c.Target(target) != id || c.targets[id] != target {
		t.Errorf("%+v is %d, then %d, for %+v", target, id, c.Target(target), c.targets[id])
	}
	target.Subresource = "log"
	if c.Target(target) == id {
		t.Error("a subresource is the same as its resource")
	}
	if len(c.subjects) != 6 || len(c.targets) != 2 {
		t.Errorf("%d subjects and %d targets, want 6 and 2", len(c.subjects), len(c.targets))
	}
}

func TestUsersAndNamespacesAreNumbered(t *testing.T) {
	c := New(builtIn())
	a, b, a2 := c.Subject("a", nil), c.Subject("b", nil), c.Subject("a", []string{"g"})
	if got := []int32{c.UserOf(a), c.UserOf(b), c.UserOf(a2)}; !slices.Equal(got, []int32{0, 1, 0}) {
		t.Errorf("users %v, want 0 1 0", got)
	}
	x, none := c.Target(Target{Verb: "get", Namespace: "x"}), c.Target(Target{Verb: "get"})
	x2, path := c.Target(Target{Verb: "list", Namespace: "x"}), c.Target(Target{Verb: "get", Path: "/"})
	got := []int32{c.NamespaceOf(x), c.NamespaceOf(none), c.NamespaceOf(x2), c.NamespaceOf(path)}
	if !slices.Equal(got, []int32{0, 1, 0, 1}) {
		t.Errorf("namespaces %v, want 0 1 0 1", got)
	}
}

func TestFlowDistinguisher(t *testing.T) {
	c := New(builtIn())
	s, target := c.Subject("ann", []string{"g"}), c.Target(Target{Verb: "get", Resource: "pods", Namespace: "ns"})
	for d, want := range map[Distinguisher]string{None: "", ByUser: "ann", ByNamespace: "ns"} {
		if got := c.FlowDistinguisher(d, s, target); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "distinguisher 3") {
			t.Errorf("distinguisher 3 panicked with %v", r)
		}
	}()
	c.FlowDistinguisher(3, s, target)
}

func TestFindingAllocatesNothing(t *testing.T) {
	c := New(builtIn())
	groups := []string{"system:serviceaccounts", "system:authenticated"}
	target := Target{Verb: "list", APIGroup: "apps", Resource: "deployments", Namespace: "ns"}
	c.Subject("ann", groups)
	c.Target(target)
	if n := testing.AllocsPerRun(100, func() {
		c.Classify(c.Subject("ann", groups), c.Target(target))
		c.Find("somebody else", groups, &target)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkClassify(b *testing.B) {
	for _, extra := range []int{0, 100} {
		b.Run(fmt.Sprintf("rules=%d", len(builtIn())+extra), func(b *testing.B) {
			schemas := builtIn()
			for i := range extra {
				schemas = append(schemas, FlowSchema{Name: "x", Precedence: int32(5000 + i), Rules: everything(user(fmt.Sprint(i)))})
			}
			c := New(schemas)
			s := c.Subject("ann", []string{"system:authenticated"})
			t := c.Target(Target{Verb: "list", Resource: "pods"})
			for b.Loop() {
				c.Classify(s, t)
			}
		})
	}
}

func BenchmarkIntern(b *testing.B) {
	c := New(builtIn())
	groups := []string{"system:serviceaccounts", "system:authenticated"}
	target := Target{Verb: "list", APIGroup: "apps", Resource: "deployments", Namespace: "ns"}
	for b.Loop() {
		c.Subject("system:serviceaccount:ci:bot-1", groups)
		c.Target(target)
	}
}

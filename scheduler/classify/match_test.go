package classify

import "testing"

// forResources makes a schema of one rule that accepts everybody for those resources.
func forResources(rules ...ResourceRule) *FlowSchema {
	return &FlowSchema{Rules: []Rule{{Subjects: anybody(), Resources: rules}}}
}

func anybody() []SubjectRule { return []SubjectRule{{Kind: User, Name: "*"}} }

// all returns the list that stands for everything.
func all() []string { return []string{"*"} }

func everyResource() ResourceRule {
	return ResourceRule{Verbs: all(), APIGroups: all(), Resources: all(), Namespaces: all(), ClusterScope: true}
}

func TestSubjects(t *testing.T) {
	for _, c := range []struct {
		name    string
		subject SubjectRule
		user    string
		groups  []string
		want    bool
	}{
		{"user by name", SubjectRule{Kind: User, Name: "ann"}, "ann", nil, true},
		{"another user", SubjectRule{Kind: User, Name: "ann"}, "anna", nil, false},
		{"a group is no user", SubjectRule{Kind: User, Name: "ann"}, "bob", []string{"ann"}, false},
		{"every user", SubjectRule{Kind: User, Name: "*"}, "", nil, true},
		{"group", SubjectRule{Kind: Group, Name: "ops"}, "ann", []string{"dev", "ops"}, true},
		{"not in the group", SubjectRule{Kind: Group, Name: "ops"}, "ops", []string{"dev"}, false},
		{"no group is implied", SubjectRule{Kind: Group, Name: "system:authenticated"}, "ann", nil, false},
		{"every group, even of none", SubjectRule{Kind: Group, Name: "*"}, "ann", nil, true},
		{"service account", SubjectRule{ServiceAccount, "sa", "ns"}, "system:serviceaccount:ns:sa", nil, true},
		{"another name", SubjectRule{ServiceAccount, "sa", "ns"}, "system:serviceaccount:ns:sa2", nil, false},
		{"another namespace", SubjectRule{ServiceAccount, "sa", "ns"}, "system:serviceaccount:ns2:sa", nil, false},
		{"not one at all", SubjectRule{ServiceAccount, "sa", "ns"}, "ns:sa", nil, false},
		{"all of a namespace", SubjectRule{ServiceAccount, "*", "ns"}, "system:serviceaccount:ns:sa", nil, true},
		{"the namespace is not a prefix", SubjectRule{ServiceAccount, "*", "kube"}, "system:serviceaccount:kube-system:sa", nil, false},
		{"all, even of no name", SubjectRule{ServiceAccount, "*", "ns"}, "system:serviceaccount:ns:", nil, true},
		{"all needs the colon", SubjectRule{ServiceAccount, "*", "ns"}, "system:serviceaccount:ns", nil, false},
		{"a namespace of * is literal", SubjectRule{ServiceAccount, "*", "*"}, "system:serviceaccount:ns:sa", nil, false},
		{"no such kind", SubjectRule{Kind: 9, Name: "*"}, "ann", nil, false},
	} {
		schema := &FlowSchema{Rules: []Rule{{Subjects: []SubjectRule{c.subject}, Resources: []ResourceRule{everyResource()}}}}
		if got := Matches(schema, c.user, c.groups, &Target{Verb: "get", Resource: "pods"}); got != c.want {
			t.Errorf("%s: %+v and user %q, groups %q: %v", c.name, c.subject, c.user, c.groups, got)
		}
	}
}

func TestResources(t *testing.T) {
	pods := func(edit func(*ResourceRule)) ResourceRule {
		r := ResourceRule{Verbs: []string{"get", "list"}, APIGroups: []string{""}, Resources: []string{"pods"}, Namespaces: []string{"a", "b"}}
		edit(&r)
		return r
	}
	same := func(*ResourceRule) {}
	for _, c := range []struct {
		name   string
		rule   ResourceRule
		target Target
		want   bool
	}{
		{"all lists fit", pods(same), Target{Verb: "get", Resource: "pods", Namespace: "a"}, true},
		{"another verb", pods(same), Target{Verb: "watch", Resource: "pods", Namespace: "a"}, false},
		{"another group", pods(same), Target{Verb: "get", APIGroup: "x", Resource: "pods", Namespace: "a"}, false},
		{"another resource", pods(same), Target{Verb: "get", Resource: "nodes", Namespace: "a"}, false},
		{"another namespace", pods(same), Target{Verb: "get", Resource: "pods", Namespace: "c"}, false},
		{"a version is no group", pods(func(r *ResourceRule) { r.APIGroups = []string{"apps/v1"} }),
			Target{Verb: "get", APIGroup: "apps", Resource: "pods", Namespace: "a"}, false},

		{"no namespace needs cluster scope", pods(same), Target{Verb: "get", Resource: "pods"}, false},
		{"all namespaces are not the cluster", pods(func(r *ResourceRule) { r.Namespaces = all() }), Target{Verb: "get", Resource: "pods"}, false},
		{"cluster scope", pods(func(r *ResourceRule) { r.ClusterScope = true }), Target{Verb: "get", Resource: "pods"}, true},
		{"cluster scope does not widen namespaces", pods(func(r *ResourceRule) { r.ClusterScope = true }),
			Target{Verb: "get", Resource: "pods", Namespace: "c"}, false},
		{"cluster scope without namespaces", pods(func(r *ResourceRule) { r.ClusterScope, r.Namespaces = true, nil }),
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, false},
		{"every namespace", pods(func(r *ResourceRule) { r.Namespaces = all() }), Target{Verb: "get", Resource: "pods", Namespace: "c"}, true},

		{"a resource is not its subresources", pods(same), Target{Verb: "get", Resource: "pods", Subresource: "log", Namespace: "a"}, false},
		{"a subresource by name", pods(func(r *ResourceRule) { r.Resources = []string{"pods/log"} }),
			Target{Verb: "get", Resource: "pods", Subresource: "log", Namespace: "a"}, true},
		{"a subresource is not its resource", pods(func(r *ResourceRule) { r.Resources = []string{"pods/log"} }),
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, false},
		{"no wildcard within a name", pods(func(r *ResourceRule) { r.Resources = []string{"pods/*"} }),
			Target{Verb: "get", Resource: "pods", Subresource: "log", Namespace: "a"}, false},
		{"every resource has subresources too", pods(func(r *ResourceRule) { r.Resources = all() }),
			Target{Verb: "get", Resource: "pods", Subresource: "log", Namespace: "a"}, true},

		{"* beside others is literal: verb", pods(func(r *ResourceRule) { r.Verbs = []string{"*", "get"} }),
			Target{Verb: "list", Resource: "pods", Namespace: "a"}, false},
		{"but the others count", pods(func(r *ResourceRule) { r.Verbs = []string{"*", "get"} }),
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, true},
		{"and so does the literal", pods(func(r *ResourceRule) { r.Verbs = []string{"get", "*"} }),
			Target{Verb: "*", Resource: "pods", Namespace: "a"}, true},
		{"* beside others is literal: group", pods(func(r *ResourceRule) { r.APIGroups = []string{"*", "x"} }),
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, false},
		{"* beside others is literal: resource", pods(func(r *ResourceRule) { r.Resources = []string{"*", "x"} }),
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, false},
		{"* beside others is literal: namespace", pods(func(r *ResourceRule) { r.Namespaces = []string{"*", "x"} }),
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, false},
		{"an empty list fits nothing", pods(func(r *ResourceRule) { r.Verbs = nil }), Target{Verb: "get", Resource: "pods", Namespace: "a"}, false},
	} {
		if got := Matches(forResources(c.rule), "ann", nil, &c.target); got != c.want {
			t.Errorf("%s: %+v and %+v: %v", c.name, c.rule, c.target, got)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		url, path string
		want      bool
	}{
		{"*", "/anything", true},
		{"*", "*", true},
		{"*", "no-slash", true},
		{"/healthz", "/healthz", true},
		{"/healthz", "/healthz/etcd", true},
		{"/healthz", "/healthz/poststarthook/x", true},
		{"/healthz", "/healthz2", false},
		{"/healthz", "/health", false},
		{"/healthz/", "/healthz/etcd", true},
		{"/healthz/", "/healthz", false},
		{"/healthz/*", "/healthz/etcd", true},
		{"/healthz/*", "/healthz/", true},
		{"/healthz/*", "/healthz", false},
		{"/healthz*", "/healthz/etcd", true}, // not legal, but this is what it does
		{"/healthz*", "/healthz2", false},
		{"/healthz*", "/healthz", false},
		{"/", "/", true},
		{"/", "/version", true},
		{"/*", "/version", true},
	} {
		schema := &FlowSchema{Rules: []Rule{{Subjects: anybody(), NonResources: []NonResourceRule{{Verbs: all(), URLs: []string{"/other", c.url}}}}}}
		if got := Matches(schema, "ann", nil, &Target{Verb: "get", Path: c.path}); got != c.want {
			t.Errorf("URL %q and path %q: %v", c.url, c.path, got)
		}
	}
}

func TestPathsHaveVerbsToo(t *testing.T) {
	for _, c := range []struct {
		verbs []string
		verb  string
		want  bool
	}{
		{[]string{"get"}, "get", true},
		{[]string{"get"}, "post", false},
		{[]string{"*"}, "post", true},
		{[]string{"*", "get"}, "post", false},
		{nil, "get", false},
	} {
		schema := &FlowSchema{Rules: []Rule{{Subjects: anybody(), NonResources: []NonResourceRule{{Verbs: c.verbs, URLs: all()}}}}}
		if got := Matches(schema, "ann", nil, &Target{Verb: c.verb, Path: "/version"}); got != c.want {
			t.Errorf("verbs %q and %q: %v", c.verbs, c.verb, got)
		}
	}
}

func TestRulesForResourcesAndOthersAreApart(t *testing.T) {
	resources := forResources(everyResource())
	others := &FlowSchema{Rules: []Rule{{Subjects: anybody(), NonResources: []NonResourceRule{{Verbs: all(), URLs: all()}}}}}
	resource, other := Target{Verb: "get", Resource: "pods"}, Target{Verb: "get", Path: "/api"}
	for _, c := range []struct {
		schema *FlowSchema
		target Target
		want   bool
	}{{resources, resource, true}, {resources, other, false}, {others, resource, false}, {others, other, true}} {
		if got := Matches(c.schema, "ann", nil, &c.target); got != c.want {
			t.Errorf("%+v and %+v: %v", c.schema, c.target, got)
		}
	}
}

// A rule is a subject and a target together: a subject of one rule and a target of
// another are nothing.
func TestSubjectAndTargetBelongToOneRule(t *testing.T) {
	pods, nodes := everyResource(), everyResource()
	pods.Resources, nodes.Resources = []string{"pods"}, []string{"nodes"}
	schema := &FlowSchema{Rules: []Rule{
		{Subjects: []SubjectRule{{Kind: User, Name: "ann"}}, Resources: []ResourceRule{pods}},
		{Subjects: []SubjectRule{{Kind: User, Name: "bob"}}, Resources: []ResourceRule{nodes}},
	}}
	for _, c := range []struct {
		user, resource string
		want           bool
	}{{"ann", "pods", true}, {"ann", "nodes", false}, {"bob", "pods", false}, {"bob", "nodes", true}} {
		if got := Matches(schema, c.user, nil, &Target{Verb: "get", Resource: c.resource}); got != c.want {
			t.Errorf("%s and %s: %v", c.user, c.resource, got)
		}
	}
	if Matches(&FlowSchema{}, "ann", nil, &Target{Verb: "get", Resource: "pods"}) {
		t.Error("a schema without rules matches")
	}
}

func TestLongRunning(t *testing.T) {
	for _, c := range []struct {
		target Target
		want   bool
	}{
		{Target{Verb: "get", Resource: "pods"}, false},
		{Target{Verb: "list", Resource: "pods"}, false},
		{Target{Verb: "watch", Resource: "pods"}, false},
		{Target{Verb: "watch", Resource: "pods", Subresource: "log"}, false},
		{Target{Verb: "watch", Path: "/debug/pprof/x"}, false},
		{Target{Verb: "proxy", Resource: "nodes"}, true},
		{Target{Verb: "get", Resource: "pods", Subresource: "log"}, true},
		{Target{Verb: "create", Resource: "pods", Subresource: "exec"}, true},
		{Target{Verb: "create", Resource: "pods", Subresource: "attach"}, true},
		{Target{Verb: "create", Resource: "pods", Subresource: "portforward"}, true},
		{Target{Verb: "get", Resource: "services", Subresource: "proxy"}, true},
		{Target{Verb: "get", Resource: "pods", Subresource: "status"}, false},
		{Target{Verb: "get", Resource: "exec"}, false},
		{Target{Verb: "get", Path: "/debug/pprof/heap"}, true},
		{Target{Verb: "get", Path: "/debug/pprof/"}, true},
		{Target{Verb: "get", Path: "/debug/pprof"}, false},
		{Target{Verb: "get", Path: "/version"}, false},
		{Target{Verb: "get", Path: "/version", Subresource: "exec"}, false},
	} {
		if got := LongRunning(c.target); got != c.want {
			t.Errorf("%+v: %v", c.target, got)
		}
	}
}

func TestNamesAreThoseOfTheAPI(t *testing.T) {
	for got, want := range map[string]string{
		None.String(): "", ByUser.String(): "ByUser", ByNamespace.String(): "ByNamespace",
		User.String(): "User", Group.String(): "Group", ServiceAccount.String(): "ServiceAccount",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package classify

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestExplainEqualsClassify holds that the first verdict that matches is Classify's
// answer, that each verdict is that of Matches, and that what it points to does decide.
func TestExplainEqualsClassify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(drawSchemas(t))
		for range 10 {
			user, groups := drawUser.Draw(t, "user"), rapid.SliceOfN(drawGroup, 0, 2).Draw(t, "groups")
			target := drawTarget(t)
			verdicts := c.Explain(user, groups, &target)
			first := int32(-1)
			for i, v := range verdicts {
				schema := &c.Schemas()[i]
				if v.Matches() != Matches(schema, user, groups, &target) {
					t.Fatalf("%q of %q, %+v: %+v of %+v", user, groups, target, v, schema)
				}
				if v.Matches() && first < 0 {
					first = int32(i)
				}
				checkVerdict(t, v, schema, user, groups, &target)
			}
			if got := c.Classify(c.Subject(user, groups), c.Target(target)); got != first {
				t.Fatalf("%q of %q, %+v: explained %d, classified %d", user, groups, target, first, got)
			}
		}
	})
}

// checkVerdict reduces the schema to the very subject and line that a verdict names: it
// has to accept the request if the verdict matches, and to fail for no other part.
func checkVerdict(t *rapid.T, v Verdict, schema *FlowSchema, user string, groups []string, target *Target) {
	if v.Rule < 0 {
		if len(schema.Rules) != 0 {
			t.Fatalf("no rule of %+v is named", schema)
		}
		return
	}
	from := schema.Rules[v.Rule]
	rule := Rule{Subjects: []SubjectRule{{Kind: User, Name: wildcard}}}
	if v.Subject >= 0 {
		rule.Subjects = from.Subjects[v.Subject : v.Subject+1]
	}
	if (v.Subject < 0) != v.Failed.Has(PartSubject) || (v.Line < 0) != v.Failed.Has(PartKind) {
		t.Fatalf("%+v names what failed, or does not name what did not", v)
	}
	if v.Line < 0 {
		return
	}
	if target.Path == "" {
		rule.Resources = []ResourceRule{mend(from.Resources[v.Line], v.Failed, target)}
	} else {
		line := from.NonResources[v.Line]
		if v.Failed.Has(PartVerb) {
			line.Verbs = all()
		}
		if v.Failed.Has(PartPath) {
			line.URLs = all()
		}
		rule.NonResources = []NonResourceRule{line}
	}
	if !Matches(&FlowSchema{Rules: []Rule{rule}}, user, groups, target) {
		t.Fatalf("%+v does not name all that fails of %+v for %+v", v, from, target)
	}
}

// mend returns a line of which the failed parts, and these alone, accept the target.
func mend(r ResourceRule, failed Parts, target *Target) ResourceRule {
	if failed.Has(PartVerb) {
		r.Verbs = all()
	}
	if failed.Has(PartAPIGroup) {
		r.APIGroups = all()
	}
	if failed.Has(PartResource) {
		r.Resources = all()
	}
	if failed.Has(PartNamespace) {
		r.Namespaces, r.ClusterScope = all(), true
	}
	return r
}

func TestNearestMiss(t *testing.T) {
	pods := ResourceRule{Verbs: []string{"get", "list"}, APIGroups: []string{""}, Resources: []string{"pods"}, Namespaces: []string{"a"}}
	apps := pods
	apps.APIGroups, apps.Resources = []string{"apps"}, []string{"deployments"}
	healthz := NonResourceRule{Verbs: []string{"get"}, URLs: []string{"/healthz"}}
	ann, bob := []SubjectRule{user("ann")}, []SubjectRule{user("bob")}
	for _, c := range []struct {
		name   string
		rules  []Rule
		target Target
		want   Verdict
	}{
		{"a match", []Rule{{Subjects: append(bob, ann...), Resources: []ResourceRule{apps, pods}}},
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, Verdict{0, 0, 1, 1}},
		{"the second rule matches", []Rule{{Subjects: bob, Resources: []ResourceRule{pods}}, {Subjects: ann, Resources: []ResourceRule{pods}}},
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, Verdict{0, 1, 0, 0}},
		{"the verb", []Rule{{Subjects: ann, Resources: []ResourceRule{apps, pods}}},
			Target{Verb: "delete", Resource: "pods", Namespace: "a"}, Verdict{PartVerb, 0, 0, 1}},
		{"the namespace", []Rule{{Subjects: ann, Resources: []ResourceRule{pods}}},
			Target{Verb: "get", Resource: "pods", Namespace: "b"}, Verdict{PartNamespace, 0, 0, 0}},
		{"the scope", []Rule{{Subjects: ann, Resources: []ResourceRule{pods}}},
			Target{Verb: "list", Resource: "pods"}, Verdict{PartNamespace, 0, 0, 0}},
		{"a subresource", []Rule{{Subjects: ann, Resources: []ResourceRule{pods}}},
			Target{Verb: "get", Resource: "pods", Subresource: "status", Namespace: "a"}, Verdict{PartResource, 0, 0, 0}},
		{"the subject is nearer than two parts", []Rule{{Subjects: ann, Resources: []ResourceRule{apps}}, {Subjects: bob, Resources: []ResourceRule{pods}}},
			Target{Verb: "get", Resource: "pods", Namespace: "a"}, Verdict{PartSubject, 1, -1, 0}},
		{"of equally far ones the one for the user", []Rule{{Subjects: bob, Resources: []ResourceRule{pods}}, {Subjects: ann, Resources: []ResourceRule{apps}}},
			Target{Verb: "get", APIGroup: "apps", Resource: "pods", Namespace: "a"}, Verdict{PartResource, 1, 0, 0}},
		{"no line for paths", []Rule{{Subjects: ann, Resources: []ResourceRule{pods}}},
			Target{Verb: "get", Path: "/healthz"}, Verdict{PartKind, 0, 0, -1}},
		{"the path and the verb", []Rule{{Subjects: ann, NonResources: []NonResourceRule{healthz}}},
			Target{Verb: "post", Path: "/version"}, Verdict{PartVerb | PartPath, 0, 0, 0}},
		{"no rule", nil, Target{Verb: "get", Path: "/"}, Verdict{PartSubject | PartKind, -1, -1, -1}},
	} {
		got := Explain(&FlowSchema{Rules: c.rules}, "ann", nil, &c.target)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

package classify

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Words that only a rule or a request that nobody has checked can have.
var (
	oddUser = rapid.SampledFrom([]string{"system:serviceaccount:", "system:serviceaccount::sa", "system:serviceaccount:n:s:a",
		"system:serviceaccount:n", "system:serviceaccountsa", "system:serviceaccount:*:sa", ":", "system:serviceaccount:ns:"})
	oddNamespace = rapid.SampledFrom([]string{"n:s", "", "*", ":"})
	oddAccount   = rapid.SampledFrom([]string{"*", "", "s:a", "sa", ":"})
	oddPath      = rapid.SampledFrom([]string{"", "a", "a/", "/a*", "//", "/a//b", "**", "/a/**", "*/", "/a/b/c"})
)

// drawOddRule draws a rule with up to four lines of each kind and words that validation
// would refuse.
func drawOddRule(t *rapid.T) Rule {
	r := drawRule(t)
	for range rapid.IntRange(0, 2).Draw(t, "odd subjects") {
		r.Subjects = append(r.Subjects, SubjectRule{ServiceAccount, oddAccount.Draw(t, "account"), oddNamespace.Draw(t, "namespace")})
	}
	for range rapid.IntRange(0, 2).Draw(t, "odd paths") {
		r.NonResources = append(r.NonResources, NonResourceRule{Verbs: drawList(t, drawVerb, "verbs"), URLs: drawList(t, oddPath, "urls")})
	}
	r.Resources = append(r.Resources, drawRule(t).Resources...)
	return r
}

// TestIndexEqualsScan holds that the index says of every single rule what the plain
// tests say of it, and not only which one comes first.
func TestIndexEqualsScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.OneOf(rapid.IntRange(0, 6), rapid.IntRange(60, 70), rapid.IntRange(125, 140))
		rules := rapid.SliceOfN(rapid.Custom(drawOddRule), sizes.Draw(t, "rules"), -1).Draw(t, "list")
		words := wordsFor(len(rules))
		x := newRuleIndex(rules, words)
		for range 10 {
			user := rapid.OneOf(drawUser, oddUser).Draw(t, "user")
			groups := rapid.SliceOfN(drawGroup, 0, 3).Draw(t, "groups")
			target := drawTarget(t)
			if target.Path != "" {
				target.Path = rapid.OneOf(drawPath, rapid.SampledFrom([]string{"a", "//", "/a//b/c", "/a/b/c", "*/x"})).Draw(t, "path")
			}
			subject, asked := make([]uint64, words), make([]uint64, words)
			x.setSubject(subject, user, groups)
			x.setTarget(asked, &target)
			for r := range rules {
				if got, want := subject[r/64]>>(r%64)&1 == 1, matchesSubjects(rules[r].Subjects, user, groups); got != want {
					t.Fatalf("%q of %q: rule %d %v, want %v: %+v", user, groups, r, got, want, rules[r].Subjects)
				}
				if got, want := asked[r/64]>>(r%64)&1 == 1, matchesTarget(&rules[r], &target); got != want {
					t.Fatalf("%+v: rule %d %v, want %v: %+v", target, r, got, want, rules[r])
				}
			}
			for r := len(rules); r < words*64; r++ {
				if (subject[r/64]|asked[r/64])>>(r%64)&1 == 1 {
					t.Fatalf("rule %d of %d is set", r, len(rules))
				}
			}
		}
	})
}

// tenants returns the built-in schemas and so many more between them: for one service
// account's pods, for a namespace's service accounts, and for a user, in turn.
func tenants(n int) []FlowSchema {
	schemas := builtIn()
	for i := range n {
		name := fmt.Sprintf("tenant-%d", i)
		rules := everything(SubjectRule{ServiceAccount, "*", name})
		switch i % 3 {
		case 1:
			rules = everything(user(name))
		case 2:
			rules = []Rule{{Subjects: []SubjectRule{{ServiceAccount, "bot", name}}, Resources: []ResourceRule{{
				Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"pods"}, Namespaces: []string{name}}}}}
		}
		schemas = append(schemas, FlowSchema{Name: name, Precedence: 5000, Rules: rules})
	}
	return schemas
}

// BenchmarkFind classifies a request of which neither the user nor the namespace has been
// seen before.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{0, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("schemas=%d", len(builtIn())+n), func(b *testing.B) {
			c := New(tenants(n))
			groups := []string{"system:serviceaccounts", "system:authenticated"}
			target := Target{Verb: "list", Resource: "pods", Namespace: "tenant-77"}
			for b.Loop() {
				c.Find("system:serviceaccount:tenant-77:bot", groups, &target)
			}
		})
	}
}

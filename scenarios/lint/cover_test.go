package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
)

// person is a user with the groups that the authenticators give it.
type person struct {
	user   string
	groups []string
}

// people has somebody of every kind that the drawn subjects tell apart, and for each
// group somebody about whom no rule says more.
func people() []person {
	accounts := func(namespace, name string) person {
		return person{accountPrefix + namespace + ":" + name, []string{groupAccounts, groupAccounts + ":" + namespace, groupAuthenticated}}
	}
	return []person{
		{userAnonymous, []string{groupUnauthenticated}}, {"impersonated", []string{groupUnauthenticated}},
		{"ann", []string{groupAuthenticated}}, {"ann", []string{"staff", groupAuthenticated}},
		{"somebody", []string{groupAuthenticated}}, {"somebody", []string{"staff", groupAuthenticated}},
		// Nobody has such a name, and a rule may have it.
		{accountPrefix + "a:*", []string{groupAccounts, groupAccounts + ":a", groupAuthenticated}},
		accounts("a", "x"), accounts("a", "other"), accounts("b", "x"), accounts("other", "other"),
		{nodePrefix + "n", []string{groupNodes, groupAuthenticated}},
		{nodePrefix + "other", []string{groupNodes, groupAuthenticated}},
	}
}

var drawnSubjects = []scheduler.SubjectRule{
	{Kind: scheduler.User, Name: "*"}, {Kind: scheduler.Group, Name: "*"},
	{Kind: scheduler.Group, Name: groupAuthenticated}, {Kind: scheduler.Group, Name: groupUnauthenticated},
	{Kind: scheduler.Group, Name: groupAccounts}, {Kind: scheduler.Group, Name: groupAccounts + ":a"},
	{Kind: scheduler.Group, Name: groupNodes}, {Kind: scheduler.Group, Name: "staff"},
	{Kind: scheduler.User, Name: "ann"}, {Kind: scheduler.User, Name: nodePrefix + "n"},
	{Kind: scheduler.User, Name: accountPrefix + "a:x"}, {Kind: scheduler.User, Name: accountPrefix + "a:*"}, {Kind: scheduler.User, Name: userAnonymous},
	{Kind: scheduler.ServiceAccount, Namespace: "a", Name: "x"}, {Kind: scheduler.ServiceAccount, Namespace: "a", Name: "*"},
	{Kind: scheduler.ServiceAccount, Namespace: "b", Name: "x"},
}

// everyTarget lists requests with every combination of the drawn names and of others.
func everyTarget() (out []scheduler.Target) {
	for _, verb := range []string{"get", "list", "other"} {
		for _, group := range []string{"", "apps", "other"} {
			for _, resource := range []string{"pods", "nodes", "other"} {
				for _, namespace := range []string{"", "a", "b", "other"} {
					out = append(out, scheduler.Target{Verb: verb, APIGroup: group, Resource: resource, Namespace: namespace})
				}
			}
		}
		for _, path := range []string{"/", "/p", "/p/q", "/p/q/r", "/p/other", "/pq", "/other"} {
			out = append(out, scheduler.Target{Verb: verb, Path: path})
		}
	}
	return out
}

// drawList draws a list of names, or the wildcard.
func drawList(t *rapid.T, label string, names ...string) []string {
	if rapid.IntRange(0, 2).Draw(t, label+" wild") == 0 {
		return []string{"*"}
	}
	return rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 2, rapid.ID[string]).Draw(t, label)
}

func drawRule(t *rapid.T) scheduler.Rule {
	r := scheduler.Rule{Subjects: rapid.SliceOfN(rapid.SampledFrom(drawnSubjects), 1, 2).Draw(t, "subjects")}
	for range rapid.IntRange(0, 2).Draw(t, "resource rules") {
		r.Resources = append(r.Resources, scheduler.ResourceRule{
			Verbs: drawList(t, "verbs", "get", "list"), APIGroups: drawList(t, "groups", "", "apps"),
			Resources: drawList(t, "resources", "pods", "nodes"), Namespaces: drawList(t, "namespaces", "a", "b"),
			ClusterScope: rapid.Bool().Draw(t, "cluster"),
		})
	}
	for range rapid.IntRange(0, 1).Draw(t, "path rules") {
		r.NonResources = append(r.NonResources, scheduler.NonResourceRule{
			Verbs: drawList(t, "verbs", "get", "list"), URLs: drawList(t, "urls", "/", "/*", "/p", "/p/*", "/p/q", "/other"),
		})
	}
	return r
}

// What is said to be taken by earlier schemas is taken by them, each request by one of
// those that are named, and everything that they take is found. The classifier's
// definition is asked about every request of a small world.
func TestCoverersAgreeWithTheClassifier(t *testing.T) {
	world := everyTarget()
	rapid.Check(t, func(t *rapid.T) {
		var earlier []*schema
		for i := range rapid.IntRange(1, 3).Draw(t, "schemas") {
			s := &schema{index: i, spec: scheduler.FlowSchema{Name: fmt.Sprint(i)}}
			for range rapid.IntRange(1, 2).Draw(t, "rules") {
				s.spec.Rules = append(s.spec.Rules, drawRule(t))
			}
			earlier = append(earlier, s)
		}
		rule := drawRule(t)
		s := &schema{spec: scheduler.FlowSchema{Rules: []scheduler.Rule{rule}}}
		for _, p := range slices.Concat(s.parts(0)...) {
			by, covered := coverers(p, newTried(earlier...))
			alone := scheduler.FlowSchema{Rules: []scheduler.Rule{{Subjects: []scheduler.SubjectRule{p.subject}}}}
			if p.resource != nil {
				alone.Rules[0].Resources = []scheduler.ResourceRule{*p.resource}
			} else {
				alone.Rules[0].NonResources = []scheduler.NonResourceRule{*p.path}
			}
			free := ""
			for _, who := range people() {
				for i := range world {
					if !classify.Matches(&alone, who.user, who.groups, &world[i]) {
						continue
					}
					first := slices.IndexFunc(earlier, func(e *schema) bool { return classify.Matches(&e.spec, who.user, who.groups, &world[i]) })
					if first < 0 {
						free = fmt.Sprintf("%s %v %+v", who.user, who.groups, world[i])
					} else if covered && !slices.Contains(by, earlier[first]) && !takenLater(by, earlier[first:], who, &world[i]) {
						t.Fatalf("schema %d takes a request and is not named", first)
					}
				}
			}
			// Of a name that nobody has less is known, and that is enough.
			nobody := p.subject.Name == accountPrefix+"a:*"
			if covered && free != "" || !covered && free == "" && !nobody {
				t.Fatalf("part %+v: covered %v, and free is %q", p, covered, free)
			}
		}
	})
}

// takenLater tells whether one of the schemas that are named takes a request too.
func takenLater(by, later []*schema, who person, target *scheduler.Target) bool {
	return slices.ContainsFunc(later, func(e *schema) bool {
		return slices.Contains(by, e) && classify.Matches(&e.spec, who.user, who.groups, target)
	})
}

// The advice that a schema never matches is right for every request of the small world.
func TestOverlapIsReal(t *testing.T) {
	world := everyTarget()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawRule(t), drawRule(t)
		x := &schema{spec: scheduler.FlowSchema{Rules: []scheduler.Rule{a}}}
		y := &schema{spec: scheduler.FlowSchema{Rules: []scheduler.Rule{b}}}
		if !common(x, y) {
			return
		}
		for _, who := range people() {
			for i := range world {
				if classify.Matches(&x.spec, who.user, who.groups, &world[i]) && classify.Matches(&y.spec, who.user, who.groups, &world[i]) {
					return
				}
			}
		}
		t.Fatalf("%+v and %+v have no request in common", a, b)
	})
}

// A part of a schema that never matches is found in pieces as large as can be.
func TestDeadParts(t *testing.T) {
	text := func(subjects, rules string) string {
		return `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: mixed}
spec:
  matchingPrecedence: 1000
  distinguisherMethod: {type: ByUser}
  priorityLevelConfiguration: {name: workload-low}
  rules:
  - subjects: [{kind: Group, group: {name: staff}}]
    nonResourceRules: [{verbs: ["*"], nonResourceURLs: ["*"]}]
  - subjects: [` + subjects + `]
` + rules
	}
	const (
		staff = `{kind: Group, group: {name: staff}}`
		mine  = `{kind: ServiceAccount, serviceAccount: {namespace: kube-system, name: agent}}`
		every = `    resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true}]
`
		probes = `    nonResourceRules: [{verbs: [get], nonResourceURLs: [/healthz]}]
`
	)
	for _, c := range []struct{ name, text, want string }{
		{"a rule", text(mine, every), "spec.rules[1]"},
		{"a subject", text(staff+", "+mine, every), "spec.rules[1].subjects[1]"},
		{"a non-resource rule", text(staff, every+probes), "spec.rules[1].nonResourceRules[0]"},
		{"nothing", text(staff, every), ""},
	} {
		cfg, faults := scenarios.LoadConfiguration([]string{"a.yaml"}, memory{"a.yaml": c.text}, scenarios.ConfigurationOptions{})
		if cfg == nil {
			t.Fatalf("%s: %s", c.name, faults)
		}
		var got []string
		for _, s := range newChecker(cfg, Options{Seats: stock}).schemas {
			if s.name() != "mixed" {
				continue
			}
			for _, d := range Check(cfg, Options{Seats: stock}) {
				if d.Code == "APF002" && s.At(c.want).String() == d.Position() {
					got = append(got, c.want)
				} else {
					got = append(got, d.String())
				}
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: want %q, got %q", c.name, c.want, got)
		}
	}
}

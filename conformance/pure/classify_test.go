package pure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	flowcontrolapi "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/user"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/apiserver/pkg/util/apihelpers"
	"k8s.io/apiserver/pkg/util/flowcontrol"

	"github.com/apfsim/apfsim/scheduler/classify"
)

// longRunning is the check that kube-apiserver configures.
var longRunning = filters.BasicLongRunningRequestCheck(
	sets.NewString("watch", "proxy"), sets.NewString("attach", "exec", "proxy", "log", "portforward"))

// TestClassifyEqualsUpstream draws schemas and requests from a small vocabulary, so
// that about half of the rules match something, and compares which schema takes each
// request, whether a schema alone matches it, its flow, and whether APF sees it.
func TestClassifyEqualsUpstream(t *testing.T) {
	r := random(t, 30)
	var matched, unmatched, bypassed int
	for range 6_000 * *times {
		schemas := randomSchemas(r)
		ordered := slices.Clone(schemas)
		sort.Sort(apihelpers.FlowSchemaSequence(ordered))
		ours := make([]classify.FlowSchema, len(schemas))
		for i, s := range schemas {
			ours[i] = ourSchema(s)
		}
		classifier := classify.New(ours)
		for range 50 {
			who, info := randomSubject(r), randomInfo(r)
			digest := flowcontrol.RequestDigest{RequestInfo: info, User: who}
			want := slices.IndexFunc(ordered, func(s *flowcontrolapi.FlowSchema) bool { return matchesFlowSchema(digest, s) })
			target := ourTarget(info)
			subjectID, targetID := classifier.Subject(who.Name, who.Groups), classifier.Target(target)
			got := int(classifier.Classify(subjectID, targetID))
			if got != want {
				t.Fatalf("%+v, %+v: schema %d, want %d of %+v", who, info, got, want, ordered)
			}
			one := r.IntN(len(ordered))
			if got, want := classify.Matches(&classifier.Schemas()[one], who.Name, who.Groups, &target), matchesFlowSchema(digest, ordered[one]); got != want {
				t.Fatalf("%+v, %+v: Matches %t, want %t by %+v", who, info, got, want, ordered[one])
			}
			if bypass := longRunning(nil, info) && info.Verb != "watch"; classify.LongRunning(target) != bypass {
				t.Fatalf("%+v: long-running %t, want %t", info, !bypass, bypass)
			} else if bypass {
				bypassed++
			}
			if want < 0 {
				unmatched++
				continue
			}
			matched++
			compareFlow(t, classifier, ordered[want], digest, subjectID, targetID)
		}
	}
	if matched < 50_000 || unmatched < 50_000 || bypassed < 5_000 {
		t.Errorf("%d requests matched, %d did not, %d are long-running", matched, unmatched, bypassed)
	}
}

func compareFlow(t *testing.T, c *classify.Classifier, schema *flowcontrolapi.FlowSchema, digest flowcontrol.RequestDigest, s classify.SubjectID, target classify.TargetID) {
	t.Helper()
	want := computeFlowDistinguisher(digest, schema.Spec.DistinguisherMethod)
	if got := c.FlowDistinguisher(ourSchema(schema).Distinguisher, s, target); got != want {
		t.Fatalf("%+v, %+v: flow %q, want %q", digest.User, digest.RequestInfo, got, want)
	}
}

func randomSchemas(r *rand.Rand) []*flowcontrolapi.FlowSchema {
	schemas := make([]*flowcontrolapi.FlowSchema, 1+r.IntN(pick(r, 5, 30)))
	for i, name := range r.Perm(len(schemas)) {
		s := &flowcontrolapi.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("schema-%d", name)}}
		s.Spec.MatchingPrecedence = int32(1 + r.IntN(5))
		s.Spec.PriorityLevelConfiguration.Name = "level"
		switch r.IntN(3) {
		case 0:
			s.Spec.DistinguisherMethod = &flowcontrolapi.FlowDistinguisherMethod{Type: flowcontrolapi.FlowDistinguisherMethodByUserType}
		case 1:
			s.Spec.DistinguisherMethod = &flowcontrolapi.FlowDistinguisherMethod{Type: flowcontrolapi.FlowDistinguisherMethodByNamespaceType}
		}
		for range r.IntN(4) {
			s.Spec.Rules = append(s.Spec.Rules, randomRule(r))
		}
		schemas[i] = s
	}
	return schemas
}

// The vocabulary of rules and requests.
var (
	verbs        = []string{"get", "list", "watch", "create", "delete", "proxy"}
	apiGroups    = []string{"", "apps", "coordination.k8s.io"}
	resources    = []string{"pods", "nodes", "leases"}
	subresources = []string{"status", "log", "exec", "proxy", "portforward", "attach"}
	namespaces   = []string{"prod", "dev", "kube-system"}
	paths        = []string{"/", "/healthz", "/healthz/", "/healthz/etcd", "/healthzz", "/livez", "/debug/pprof/", "/debug/pprof", "/debug/pprof/heap", "/a/b", "/a"}
	users        = []string{"alice", "*", "", "system:serviceaccount:prod:app", "system:serviceaccount:prod:", "system:serviceaccount:prod:a:b",
		"system:serviceaccount:prod", "system:serviceaccount::app", "system:serviceaccount:prod-2:app", "system:serviceaccount:dev:app"}
	groups = []string{"system:masters", "system:authenticated", "*", ""}
)

// some draws a list: the wildcard alone, words, or both together.
func some(r *rand.Rand, words []string) []string {
	list := []string{}
	switch r.IntN(5) {
	case 0:
		return []string{"*"}
	case 1:
		list = append(list, "*")
	}
	for range r.IntN(4) {
		list = append(list, pick(r, words...))
	}
	return list
}

func randomRule(r *rand.Rand) flowcontrolapi.PolicyRulesWithSubjects {
	var rule flowcontrolapi.PolicyRulesWithSubjects
	for range 1 + r.IntN(3) {
		rule.Subjects = append(rule.Subjects, randomSubjectRule(r))
	}
	full := slices.Clone(resources)
	for _, s := range subresources {
		full = append(full, "pods/"+s)
	}
	for range r.IntN(3) {
		rule.ResourceRules = append(rule.ResourceRules, flowcontrolapi.ResourcePolicyRule{
			Verbs: some(r, verbs), APIGroups: some(r, apiGroups), Resources: some(r, full),
			Namespaces: some(r, append([]string{""}, namespaces...)), ClusterScope: oneIn(r, 2),
		})
	}
	patterns := []string{"/*", "/healthz/*", "/healthz*", "/a/", "a", ""}
	for range r.IntN(3) {
		rule.NonResourceRules = append(rule.NonResourceRules, flowcontrolapi.NonResourcePolicyRule{
			Verbs: some(r, verbs), NonResourceURLs: some(r, append(patterns, paths...)),
		})
	}
	return rule
}

func randomSubjectRule(r *rand.Rand) flowcontrolapi.Subject {
	switch r.IntN(3) {
	case 0:
		return flowcontrolapi.Subject{Kind: flowcontrolapi.SubjectKindUser, User: &flowcontrolapi.UserSubject{Name: pick(r, users...)}}
	case 1:
		return flowcontrolapi.Subject{Kind: flowcontrolapi.SubjectKindGroup, Group: &flowcontrolapi.GroupSubject{Name: pick(r, groups...)}}
	default:
		return flowcontrolapi.Subject{Kind: flowcontrolapi.SubjectKindServiceAccount, ServiceAccount: &flowcontrolapi.ServiceAccountSubject{
			Namespace: pick(r, "prod", "dev", "", "*"), Name: pick(r, "app", "*", "", "a:b"),
		}}
	}
}

func randomSubject(r *rand.Rand) *user.DefaultInfo {
	who := &user.DefaultInfo{Name: pick(r, users...)}
	for range r.IntN(3) {
		who.Groups = append(who.Groups, pick(r, groups...))
	}
	return who
}

func randomInfo(r *rand.Rand) *apirequest.RequestInfo {
	if oneIn(r, 3) {
		return &apirequest.RequestInfo{Verb: pick(r, verbs...), Path: pick(r, paths...)}
	}
	return &apirequest.RequestInfo{
		IsResourceRequest: true, Verb: pick(r, verbs...), APIGroup: pick(r, apiGroups...), Resource: pick(r, resources...),
		Subresource: pick(r, append([]string{"", ""}, subresources...)...), Namespace: pick(r, append([]string{""}, namespaces...)...),
	}
}

// ourTarget translates a RequestInfo.
func ourTarget(i *apirequest.RequestInfo) classify.Target {
	if !i.IsResourceRequest {
		return classify.Target{Verb: i.Verb, Path: i.Path}
	}
	return classify.Target{Verb: i.Verb, APIGroup: i.APIGroup, Resource: i.Resource, Subresource: i.Subresource, Namespace: i.Namespace}
}

// ourSchema translates a FlowSchema on its own account: the translation that the
// simulator uses is compared by the whole runs.
func ourSchema(o *flowcontrolapi.FlowSchema) classify.FlowSchema {
	s := classify.FlowSchema{
		Name: o.Name, Precedence: o.Spec.MatchingPrecedence, PriorityLevel: o.Spec.PriorityLevelConfiguration.Name,
	}
	if m := o.Spec.DistinguisherMethod; m != nil {
		s.Distinguisher = map[flowcontrolapi.FlowDistinguisherMethodType]classify.Distinguisher{
			flowcontrolapi.FlowDistinguisherMethodByUserType:      classify.ByUser,
			flowcontrolapi.FlowDistinguisherMethodByNamespaceType: classify.ByNamespace,
		}[m.Type]
	}
	for _, from := range o.Spec.Rules {
		var rule classify.Rule
		for _, s := range from.Subjects {
			switch s.Kind {
			case flowcontrolapi.SubjectKindUser:
				rule.Subjects = append(rule.Subjects, classify.SubjectRule{Kind: classify.User, Name: s.User.Name})
			case flowcontrolapi.SubjectKindGroup:
				rule.Subjects = append(rule.Subjects, classify.SubjectRule{Kind: classify.Group, Name: s.Group.Name})
			default:
				rule.Subjects = append(rule.Subjects, classify.SubjectRule{
					Kind: classify.ServiceAccount, Namespace: s.ServiceAccount.Namespace, Name: s.ServiceAccount.Name,
				})
			}
		}
		for _, r := range from.ResourceRules {
			rule.Resources = append(rule.Resources, classify.ResourceRule{
				Verbs: r.Verbs, APIGroups: r.APIGroups, Resources: r.Resources, Namespaces: r.Namespaces, ClusterScope: r.ClusterScope,
			})
		}
		for _, r := range from.NonResourceRules {
			rule.NonResources = append(rule.NonResources, classify.NonResourceRule{Verbs: r.Verbs, URLs: r.NonResourceURLs})
		}
		s.Rules = append(s.Rules, rule)
	}
	return s
}

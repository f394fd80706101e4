package scenarios

import (
	"testing"

	"github.com/apfsim/apfsim/scheduler/classify"
)

// TestWhatMatches follows shapes of real files to the requests that match in the end:
// what looks like one thing in the file and is another one to the server.
func TestWhatMatches(t *testing.T) {
	text := `
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchemaList
items:
- metadata: {name: a-group-with-its-version}
  spec:
    matchingPrecedence: 10
    priorityLevelConfiguration: {name: workload-high}
    rules: [{subjects: [{kind: User, user: {name: ann}}], resourceRules: [{verbs: [get], apiGroups: [apps/v1], resources: [deployments], namespaces: ["*"]}]}]
- metadata: {name: cluster-only}
  spec:
    matchingPrecedence: 11
    priorityLevelConfiguration: {name: workload-high}
    rules: [{subjects: [{kind: User, user: {name: ann}}], resourceRules: [{verbs: [get], apiGroups: [""], resources: [pods], namespaces: [], clusterScope: true}]}]
- metadata: {name: health}
  spec:
    matchingPrecedence: 12
    priorityLevelConfiguration: {name: workload-high}
    rules: [{subjects: [{kind: User, user: {name: ann}}], nonResourceRules: [{verbs: [get], nonResourceURLs: [/version]}]}]
- metadata: {name: aaa-same-precedence}
  spec:
    matchingPrecedence: 9000
    priorityLevelConfiguration: {name: workload-high}
    rules: [{subjects: [{kind: ServiceAccount, serviceAccount: {namespace: shop, name: "*"}}], resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"]}]}]
- metadata: {name: zzz-same-precedence}
  spec:
    matchingPrecedence: 9000
    priorityLevelConfiguration: {name: workload-high}
    rules: [{subjects: [{kind: ServiceAccount, serviceAccount: {namespace: mart, name: "*"}}], resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"]}]}]
`
	c, ds := LoadConfiguration([]string{"a.yaml"}, memoryFiles{"a.yaml": text}, ConfigurationOptions{})
	if c == nil || len(ds) > 0 {
		t.Fatal(ds)
	}
	classifier := classify.New(c.Compile().FlowSchemas)
	account := []string{"system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"}
	pods := classify.Target{Verb: "get", Resource: "pods", Namespace: "shop"}
	for _, r := range []struct {
		what, user string
		groups     []string
		target     classify.Target
		want       string
	}{
		{"apps/v1 is no group", "ann", nil, classify.Target{Verb: "get", APIGroup: "apps", Resource: "deployments", Namespace: "x"}, "global-default"},
		{"clusterScope is for requests without a namespace", "ann", nil, pods, "global-default"},
		{"and for those", "ann", nil, classify.Target{Verb: "get", Resource: "pods"}, "cluster-only"},
		{"a path is also what lies below it", "ann", nil, classify.Target{Verb: "get", Path: "/version/openshift"}, "health"},
		{"and not what begins alike", "ann", nil, classify.Target{Verb: "get", Path: "/versions"}, "global-default"},
		{"equal precedence: the name decides, and a comes before service-accounts", "system:serviceaccount:shop:x", account, pods, "aaa-same-precedence"},
		{"and z after it", "system:serviceaccount:mart:x", account, pods, "service-accounts"},
	} {
		i := classifier.Find(r.user, append(r.groups, "system:authenticated"), &r.target)
		if got := classifier.Schemas()[i].Name; got != r.want {
			t.Errorf("%s: want %s, got %s", r.what, r.want, got)
		}
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"
)

// manySchemas makes manifests of so many FlowSchemas, each for ten users of its own.
func manySchemas(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: team-%d}
spec:
  matchingPrecedence: 2000
  priorityLevelConfiguration: {name: workload-low}
  rules:
  - resourceRules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"], namespaces: ["*"], clusterScope: true}]
    subjects:
`, i)
		for j := range 10 {
			fmt.Fprintf(&b, "    - {kind: User, user: {name: user-%d-%d}}\n", i, j)
		}
	}
	return b.String()
}

// A text lists some of very many requests and says how many more there are; a large
// configuration is no trouble.
func TestDiffOfManySchemas(t *testing.T) {
	p := newProcess(map[string]string{"teams.yaml": manySchemas(500)}, "diff", "teams.yaml")
	if code := run(&p.Process); code != exitDifferent {
		t.Fatalf("exit code %d, stderr %q", code, p.err.String())
	}
	out := p.out.String()
	for _, want := range []string{
		"Requests: 5,000 of 5,065 go elsewhere, 5,000 of them to another level\n",
		"  user-0-0: get configmaps in default\n", "\n  and 4960 kinds more; -o json lists all\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

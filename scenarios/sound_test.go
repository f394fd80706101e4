package scenarios

import (
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scheduler/release"
)

const halfSound = `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: refused}
spec: {type: Limited, limited: {limitResponse: {type: Wait}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: twice, name: again}
spec: {type: Limited, limited: {limitResponse: {type: Reject}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: workload-low}
spec: {type: Limited, limited: {nominalConcurrencyShares: -1, limitResponse: {type: Reject}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: kept}
spec: {priorityLevelConfiguration: {name: refused}}
`

// Objects that the server would refuse leave what was there before, and hide no other
// one.
func TestKeepSound(t *testing.T) {
	files := memoryFiles{"a.yaml": halfSound}
	options := ConfigurationOptions{Release: release.Last}
	if c, faults := LoadConfiguration([]string{"a.yaml"}, files, options); c != nil || !faults.HasErrors() {
		t.Fatalf("a configuration was made of faulty objects, with\n%s", faults)
	}
	options.KeepSound = true
	c, faults := LoadConfiguration([]string{"a.yaml"}, files, options)
	if c == nil {
		t.Fatal("no configuration")
	}
	errors := slices.DeleteFunc(slices.Clone(faults), func(d Diagnostic) bool { return d.Severity != Error })
	if len(errors) != 3 {
		t.Errorf("want one error for each refused object, got\n%s", faults)
	}
	for _, l := range c.Levels {
		if !l.BuiltIn {
			t.Errorf("the level %s was kept", l.Object.Name)
		}
	}
	i := slices.IndexFunc(c.Schemas, func(s FlowSchema) bool { return s.Object.Name == "kept" })
	if i < 0 || !c.Schemas[i].Dangling {
		t.Fatalf("the sound schema is missing or not dangling")
	}
	first, last := c.Schemas[i].Extent()
	if first.Line != 16 || last.Line != 19 {
		t.Errorf("its extent is %s to %s", first, last)
	}
	if got := strings.Join(c.Lines("a.yaml")[15:16], ""); got != "apiVersion: flowcontrol.apiserver.k8s.io/v1" {
		t.Errorf("line 16 is %q", got)
	}
}

package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scenarios"
)

// BenchmarkCheck shows that twice the schemas take about twice the time: one for each
// namespace of a large cluster is no reason to wait for minutes.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{2_000, 4_000} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "---\napiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: FlowSchema\nmetadata: {name: s%d}\n"+
				"spec: {matchingPrecedence: 8000, priorityLevelConfiguration: {name: workload-low}, rules: [{\n"+
				"  subjects: [{kind: ServiceAccount, serviceAccount: {namespace: n%d, name: \"*\"}}],\n"+
				"  nonResourceRules: [{verbs: [get], nonResourceURLs: [/version]}]}]}\n", i, i)
		}
		cfg, faults := scenarios.LoadConfiguration([]string{"a.yaml"}, memory{"a.yaml": text.String()}, scenarios.ConfigurationOptions{})
		if cfg == nil {
			b.Fatal(faults)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Check(cfg, Options{Seats: 600})
			}
		})
	}
}

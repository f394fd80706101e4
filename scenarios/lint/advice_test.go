package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

const header = "apiVersion: flowcontrol.apiserver.k8s.io/v1\n"

// wrap puts what a script shows into the objects that it belongs to: a subject, a
// resource rule, a non-resource rule, the rules of a schema, or spec.limited of a level.
func wrap(command, input string) string {
	schema := header + `kind: FlowSchema
metadata: {name: test}
spec:
  matchingPrecedence: 1500
  distinguisherMethod: {type: ByUser}
  priorityLevelConfiguration: {name: workload-low}
  rules:
`
	const everything = `    resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true}]
`
	const staff = "  - subjects: [{kind: Group, group: {name: staff}}]\n"
	switch command {
	case "subject":
		return schema + "  - subjects: [" + input + "]\n" + everything
	case "resources":
		return schema + staff + "    resourceRules: [" + input + "]\n"
	case "paths":
		return schema + staff + "    nonResourceRules: [" + input + "]\n"
	case "level":
		return header + "kind: PriorityLevelConfiguration\nmetadata: {name: test}\nspec: {type: Limited, limited: " + input + "}\n---\n" +
			strings.Replace(schema, "workload-low", "test", 1) + staff + everything
	case "objects":
		var b strings.Builder
		for _, part := range strings.Split(input, "---\n") {
			b.WriteString("---\n" + header + part + "\n")
		}
		return b.String()
	}
	panic("no such command: " + command)
}

// newestServed is the newest version of the API that a release serves.
func newestServed(t *testing.T, v release.Version) string {
	for _, version := range []string{"v1", "v1beta3", "v1beta2", "v1beta1"} {
		if full := "flowcontrol.apiserver.k8s.io/" + version; scenarios.Serves(v, full) {
			return full
		}
	}
	t.Fatalf("%s serves no version", v)
	return ""
}

// The scripts in testdata/advice show small pieces of configuration and what is said of
// them.
func TestAdvice(t *testing.T) {
	datadriven.Walk(t, "testdata/advice", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			v := release.Last
			if d.HasArg("release") {
				var text string
				d.ScanArgs(t, "release", &text)
				parsed, err := release.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				v = parsed
			}
			var b strings.Builder
			for _, a := range check(t, strings.ReplaceAll(wrap(d.Cmd, d.Input), header, "apiVersion: "+newestServed(t, v)+"\n"), v) {
				word := string(a.Code)
				if a.Severity != scenarios.Warning {
					word += " " + string(a.Severity)
				}
				fmt.Fprintf(&b, "%s: %s\n", word, a.Message)
				if a.Hint != "" {
					fmt.Fprintf(&b, "  %s\n", a.Hint)
				}
			}
			if b.Len() == 0 {
				return "ok\n"
			}
			return b.String()
		})
	})
}

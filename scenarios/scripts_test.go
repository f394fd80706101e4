package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scheduler"
)

// TestScripts runs the scripts in testdata/scripts. They are made to be read; run with -rewrite
// to write what comes out, and read the difference before you commit it.
//
//	file NAME        gives a file that later commands can read, until reset
//	load             loads the input as the scenario test.yaml
//	patch            loads a small legal scenario in which the input replaces the fields
//	                 that it begins with
//	manifest         loads a small legal scenario with the input as its manifest
//	expand           prints the input expanded
//	builtin          prints the built-in objects
//
// With the argument raw, escapes such as \t in the input stand for their bytes.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		files := memoryFiles{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			input := d.Input
			if d.HasArg("raw") {
				input = unescaped(input)
			}
			switch d.Cmd {
			case "reset":
				clear(files)
				return ""
			case "file":
				files[d.CmdArgs[0].Key] = input
				return ""
			case "load":
				return loadScript(files, input)
			case "patch":
				return loadScript(files, patched(input))
			case "manifest":
				files["apf.yaml"] = input
				return manifestScript(files)
			case "expand":
				return expandScript(t, files, input)
			case "builtin":
				s, _ := Load("test.yaml", memoryFiles{"test.yaml": minimal})
				return strings.Join(flowLines(&s.Config.Scheduler), "")
			}
			return "unknown command " + d.Cmd
		})
	})
}

func loadScript(files memoryFiles, text string) string {
	files["test.yaml"] = text
	s, ds := Load("test.yaml", files)
	out := ds.String()
	if s != nil {
		out += "ok\n"
	}
	return out
}

// minimal is a legal scenario, one top-level field a paragraph.
const minimal = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: test}
duration: 1m
clients: [{name: a, user: alice, groups: ["system:authenticated"], requests: [{verb: get, resource: pods}], arrivals: {poisson: {rate: 1}}, duration: {constant: 1ms}}]
`

// patched puts fields in the place of those of the minimal scenario. They come first, so
// that their lines are those of the script.
func patched(fields string) string {
	out := fields + "\n"
	for _, line := range strings.SplitAfter(minimal, "\n") {
		name, _, _ := strings.Cut(line, ":")
		if !strings.HasPrefix(fields, name+":") && !strings.Contains(fields, "\n"+name+":") {
			out += line
		}
	}
	return out
}

func manifestScript(files memoryFiles) string {
	files["test.yaml"] = patched("flowControl: {manifests: [apf.yaml]}")
	s, ds := Load("test.yaml", files)
	out := ds.String()
	if s != nil {
		out += describeFlowControl(&s.Config.Scheduler)
	}
	return out
}

// describeFlowControl prints what differs from the built-in objects, one line each.
func describeFlowControl(cfg *scheduler.Config) string {
	builtin, _ := Load("test.yaml", memoryFiles{"test.yaml": minimal})
	known := map[string]bool{}
	for _, line := range flowLines(&builtin.Config.Scheduler) {
		known[line] = true
	}
	var out strings.Builder
	for _, line := range flowLines(cfg) {
		if !known[line] {
			out.WriteString(line)
		}
	}
	if out.Len() == 0 {
		return "ok, only built-in objects\n"
	}
	return out.String()
}

func flowLines(cfg *scheduler.Config) []string {
	var out []string
	for _, l := range cfg.PriorityLevels {
		line := fmt.Sprintf("level %s: shares %d, lendable %d%%, borrowing %d%%", l.Name, l.Shares, l.LendablePercent, l.BorrowingLimitPercent)
		switch {
		case l.Exempt:
			line += ", exempt"
		case l.Queuing == nil:
			line += ", reject"
		default:
			line += fmt.Sprintf(", queues %d, hand %d, length %d", l.Queuing.Queues, l.Queuing.HandSize, l.Queuing.QueueLengthLimit)
		}
		out = append(out, line+"\n")
	}
	for _, s := range cfg.FlowSchemas {
		line := fmt.Sprintf("schema %s: precedence %d, level %s, distinguisher %q\n", s.Name, s.Precedence, s.PriorityLevel, s.Distinguisher)
		for _, r := range s.Rules {
			for _, u := range r.Subjects {
				line += fmt.Sprintf("  %s %s/%s\n", u.Kind, u.Namespace, u.Name)
			}
			for _, rr := range r.Resources {
				line += fmt.Sprintf("  resources %q %q %q namespaces %q cluster %t\n", rr.Verbs, rr.APIGroups, rr.Resources, rr.Namespaces, rr.ClusterScope)
			}
			for _, nr := range r.NonResources {
				line += fmt.Sprintf("  paths %q %q\n", nr.Verbs, nr.URLs)
			}
		}
		out = append(out, line)
	}
	return out
}

func expandScript(t *testing.T, files memoryFiles, text string) string {
	files["test.yaml"] = text
	s, ds := Load("test.yaml", files)
	if s == nil {
		return ds.String()
	}
	out, err := s.Expanded()
	if err != nil {
		t.Fatal(err)
	}
	sameRun(t, s, files, out)
	return ds.String() + string(out)
}

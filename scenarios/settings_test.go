package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload"
)

// setScript applies the lines of the input as settings to the scenario base.yaml, or to the
// minimal one, and prints what that changes.
func setScript(t *testing.T, files memoryFiles, input string) string {
	base, ok := files["base.yaml"]
	if !ok {
		base = minimal
	}
	files["test.yaml"] = base
	before, ds := Load("test.yaml", files)
	if before == nil {
		return ds.String()
	}
	var o Options
	for line := range strings.Lines(input) {
		o.Settings = append(o.Settings, Setting{"--set", strings.TrimSuffix(line, "\n")})
	}
	after, ds := LoadWith("test.yaml", files, o)
	out := ds.String()
	if after == nil {
		return out
	}
	out += lineDifference(expandedText(t, before), expandedText(t, after))
	flows := difference(&before.Config.Scheduler, &after.Config.Scheduler)
	if flows != "no difference\n" {
		out += flows
	}
	if len(before.Config.Changes) > 0 {
		last := len(before.Config.Changes) - 1
		out += "last change:\n" + difference(laterConfig(before, last), laterConfig(after, last))
	}
	if out == "" {
		return "no difference\n"
	}
	return out
}

func laterConfig(s *Scenario, change int) *scheduler.Config {
	c := &s.Config.Changes[change]
	return &scheduler.Config{PriorityLevels: c.PriorityLevels, FlowSchemas: c.FlowSchemas}
}

func expandedText(t *testing.T, s *Scenario) string {
	text, err := s.Expanded()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lineDifference prints the lines of one text that the other lacks.
func lineDifference(from, to string) string {
	var out strings.Builder
	before, after := strings.Split(from, "\n"), strings.Split(to, "\n")
	for _, line := range before {
		if !slices.Contains(after, line) {
			fmt.Fprintf(&out, "- %s\n", line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			fmt.Fprintf(&out, "+ %s\n", line)
		}
	}
	return out.String()
}

// TestSettingsOfEveryRelease: the short names of fields lead to those of each release.
func TestSettingsOfEveryRelease(t *testing.T) {
	for minor := release.First.Minor; minor <= release.Last.Minor; minor++ {
		o := Options{Settings: []Setting{
			{"--set", fmt.Sprintf("kubernetesVersion=1.%d", minor)},
			{"--set", "priorityLevel/workload-low.queues=32"},
			{"--set", "priorityLevel/workload-low.shares=77"},
			{"--set", "flowSchema/service-accounts.matchingPrecedence=8999"},
		}}
		s, ds := LoadWith("test.yaml", memoryFiles{"test.yaml": minimal}, o)
		if len(ds) > 0 {
			t.Errorf("1.%d: %s", minor, ds)
			continue
		}
		found := 0
		for _, l := range s.Config.Scheduler.PriorityLevels {
			if l.Name == "workload-low" && l.Shares == 77 && l.Queuing.Queues == 32 {
				found++
			}
		}
		for _, f := range s.Config.Scheduler.FlowSchemas {
			if f.Name == "service-accounts" && f.Precedence == 8999 {
				found++
			}
		}
		if found != 2 {
			t.Errorf("1.%d: %d of 2 objects have the values that were set", minor, found)
		}
	}
}

// TestReplacedManifests: manifests in place of those of a scenario are read from where the
// user is, and the scenario's own are not.
func TestReplacedManifests(t *testing.T) {
	level := func(queues int) string {
		return fmt.Sprintf("apiVersion: %s/v1\nkind: PriorityLevelConfiguration\nmetadata: {name: own}\nspec: {type: Limited, limited: {limitResponse: {type: Queue, queuing: {queues: %d}}}}\n", flowGroup, queues)
	}
	files := memoryFiles{
		"far/test.yaml": strings.Replace(minimal, "duration: 1m", "duration: 1m\nflowControl: {manifests: [missing.yaml]}", 1),
		"new/a.yaml":    level(12), "new/b.txt": "not read",
	}
	s, ds := LoadWith("far/test.yaml", files, Options{Manifests: []string{"new"}, ManifestFiles: files})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	if len(s.Sources) != 2 || s.Sources[1].Name != "new/a.yaml" {
		t.Errorf("the sources are %v", s.Sources)
	}
	if lines := strings.Join(flowLines(&s.Config.Scheduler), ""); !strings.Contains(lines, "level own: shares 30, lendable 0%, borrowing -1%, queues 12,") {
		t.Errorf("the level is not there:\n%s", lines)
	}
	_, ds = LoadWith("far/test.yaml", files, Options{Manifests: []string{"nwe/a.yaml"}, ManifestFiles: files})
	if len(ds) != 1 || ds[0].Position() != "nwe/a.yaml:1:1" || ds[0].Code != CodeUnreadable {
		t.Errorf("a missing manifest: %v", ds)
	}
}

// FuzzSettings: whatever a setting says, it is applied or it has a fault with a place in it.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		"server.maxRequestsInflight=800", "clients/a.arrivals.poisson.rate=3", "clients[0].count=2", "clients[=", "priorityLevel/x=1",
		"priorityLevel/workload-low.queues=", "flowSchema[system-nodes].matchingPrecedence=5", "a=[", "=", "clients/a.preset=mice", "objects/pods.count=5",
		"priorityLevel/exempt.lendablePercent=5", "priorityLevel/workload-low.spec=3", "flowSchema/probes.rules[0].subjects=x", "metadata=x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, ds := LoadWith("test.yaml", memoryFiles{"test.yaml": minimal}, Options{Settings: []Setting{{"--set", text}}})
		if (s == nil) != ds.HasErrors() {
			t.Fatalf("%q: a scenario in spite of errors, or none without:\n%s", text, ds)
		}
	})
}

// TestKnownTraces holds that a trace that has been opened is not read again, and still counts.
func TestKnownTraces(t *testing.T) {
	files := memoryFiles{
		"s.yaml":  "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: s}\nclients:\n- name: recorded\n  trace: {file: t.jsonl}\n",
		"t.jsonl": `{"arrival":"1s","duration":"1ms","user":"u","verb":"get","resource":"pods"}` + "\n",
	}
	s, faults := Load("s.yaml", files)
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	trace := s.Config.Populations[0].Trace
	delete(files, "t.jsonl")
	if _, faults := Load("s.yaml", files); !faults.HasErrors() {
		t.Fatal("the trace is gone, and was read")
	}
	again, faults := LoadWith("s.yaml", files, Options{Traces: map[string]*workload.Trace{trace.Name(): trace}})
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	if again.Config.Populations[0].Trace != trace {
		t.Error("the trace is another one")
	}
}

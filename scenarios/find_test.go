package scenarios

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFindScenarios: the scenarios of a folder and of those within are found by what they hold, in
// the order of their names, beside whatever else is there.
func TestFindScenarios(t *testing.T) {
	const (
		scenario = "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: a}\n"
		manifest = "apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: FlowSchema\nmetadata: {name: a}\n"
	)
	files := memoryFiles{
		"in/b.yaml":            scenario,
		"in/a/deep/c.yml":      scenario,
		"in/z.yaml":            manifest + "---\n" + scenario,
		"in/manifest.yaml":     manifest,
		"in/a/values.yml":      "replicas: 3\n",
		"in/empty.yaml":        "",
		"in/notes.txt":         scenario,
		"in/scenario.yaml.bak": scenario,
		"in/.hidden.yaml":      scenario,
		"in/.git/x.yaml":       scenario,
		"beside/d.yaml":        scenario,
	}
	found, faults := FindScenarios("in", files)
	if len(faults) > 0 {
		t.Fatalf("faults: %v", faults)
	}
	want := []string{filepath.Join("in", "a", "deep", "c.yml"), filepath.Join("in", "b.yaml"), filepath.Join("in", "z.yaml")}
	if !slices.Equal(found.Files, want) || found.Others != 3 {
		t.Errorf("found %q and %d others, want %q and 3", found.Files, found.Others, want)
	}
}

// TestFindScenariosTells of what cannot be read: it might be a scenario that nobody runs.
func TestFindScenariosTells(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"in/broken.yaml", "a: [1, 2\nb: }\n", filepath.Join("in", "broken.yaml") + ":"},
		{"elsewhere/a.yaml", "", "in:1:1: "},
	} {
		found, faults := FindScenarios("in", memoryFiles{c.name: c.text})
		if len(found.Files) > 0 || !faults.HasErrors() || !strings.HasPrefix(faults[0].String(), c.want) {
			t.Errorf("%s: found %q with %v, want a fault of %s", c.name, found.Files, faults, c.want)
		}
	}
}

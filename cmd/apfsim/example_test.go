package main

import (
	"io/fs"
	"os"
	"testing"
)

// filesOfExample are the files of an example of the documentation.
func filesOfExample(t *testing.T, name string) map[string]string {
	t.Helper()
	root := os.DirFS("../../docs/examples/" + name)
	files := map[string]string{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestExampleOfRegression holds that the example of the documentation passes as it is, and that a
// FlowSchema which takes the leases away is told: what, where, and by how much.
func TestExampleOfRegression(t *testing.T) {
	t.Parallel()
	files := filesOfExample(t, "leader-election")
	newProcess(files, "test", ".").want(t, exitOK, "PASS  leader-election.yaml: 3 of 3 expectations hold, 2 of 2 tests pass\n", "")

	files["apf/broad.yaml"] = files["broad.yaml"]
	for _, part := range []string{
		"want priorityLevel leader-election, got workload-low; spec.rules[0] of FlowSchema all-service-accounts takes it (precedence 90, apf/broad.yaml:11:5) (leader-election.yaml:",
		"failed: lostLeases of client operators equal to 0: 20 (n=602; 20 off) (leader-election.yaml:",
		"failed: wait p99 of client operators below 100ms: 1.25s (n=1,248; 1.15s or 1150% too much) (leader-election.yaml:",
	} {
		newProcess(files, "test", ".").want(t, exitExpectation, part, "")
	}
}

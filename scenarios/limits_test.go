package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
)

// TestBillionLaughs: aliases that multiply are stopped before they fill the memory.
func TestBillionLaughs(t *testing.T) {
	var b strings.Builder
	b.WriteString("x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "x%d: &x%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i-1), 10), ", "))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, ds := Load("a.yaml", memoryFiles{"a.yaml": b.String()})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("reading took %d MiB of allocations", used>>20)
	}
	if !strings.Contains(ds.String(), "the aliases of this document expand to more than 50000 values") {
		t.Errorf("no word of the aliases:\n%.1000s", ds)
	}
}

// TestNesting: depth is bounded, in blocks, in flow style and below the YAML library's
// own bound.
func TestNesting(t *testing.T) {
	for name, text := range map[string]string{
		"lists":    "metadata: " + strings.Repeat("[", 500) + strings.Repeat("]", 500),
		"mappings": "metadata: " + strings.Repeat("{a: ", 500) + strings.Repeat("}", 500),
		"blocks":   strings.Repeat("- ", 500) + "a",
		"deepest":  strings.Repeat("[", 20_000),
	} {
		_, ds := Load("a.yaml", memoryFiles{"a.yaml": text})
		if !ds.HasErrors() {
			t.Errorf("%s: no fault", name)
		}
		if s := ds.String(); name != "deepest" && !strings.Contains(s, "nested more than 100 levels deep") {
			t.Errorf("%s: no word of the depth:\n%.500s", name, s)
		}
	}
}

// TestSyntaxErrorInHugeFile: to locate the fault costs a bounded amount of work.
func TestSyntaxErrorInHugeFile(t *testing.T) {
	text := "a: \"never closed\n" + strings.Repeat("  b: some text that goes on\n", 30_000)
	_, ds := Load("a.yaml", memoryFiles{"a.yaml": text})
	if len(ds) != 1 || ds[0].Code != CodeSyntax {
		t.Errorf("want one syntax error, got:\n%.500s", ds)
	}
}

// TestWatchesTogether: many entries cannot add up to more than the scheduler takes.
func TestWatchesTogether(t *testing.T) {
	watches := "watches:\n" + strings.Repeat("- {resource: pods, count: 1000000000}\n", 1000)
	if _, ds := Load("a.yaml", memoryFiles{"a.yaml": patched(watches)}); len(ds) != 0 {
		t.Errorf("1000 entries of the largest count:\n%.500s", ds)
	}
	_, ds := Load("a.yaml", memoryFiles{"a.yaml": patched(watches + "- {resource: pods, count: 1}\n")})
	if len(ds) != 1 || ds[0].Code != CodeOutOfRange || ds[0].Message != "watches is out of range: 1000000000001" {
		t.Errorf("one more watch:\n%.500s", ds)
	}
}

// TestDiagnosticsAsJSON: the machine form has everything that the text has.
func TestDiagnosticsAsJSON(t *testing.T) {
	_, ds := Load("a.yaml", memoryFiles{"a.yaml": patched("seeed: 1")})
	got, err := json.Marshal(ds)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"file":"a.yaml","line":1,"column":1,"code":"SC010","severity":"error","field":"seeed","message":"unknown field \"seeed\"",` +
		`"legal":"apiVersion, kind, metadata, kubernetesVersion, duration, warmup, seed, replications, resolution, server, operations, balancer, gateway, backend, flowControl, changes, objects, watches, start, clients, expect, tune, tests",` +
		`"hint":"did you mean \"seed\"?","snippet":"seeed: 1"}]`
	if string(got) != want {
		t.Errorf("want %s\ngot  %s", want, got)
	}
}

// TestExplanations: each code is explained once, and none twice.
func TestExplanations(t *testing.T) {
	seen := map[Code]bool{}
	last := Code("")
	for _, e := range Explanations() {
		if seen[e.Code] || e.Code < last || !strings.HasSuffix(e.Text, ".") {
			t.Errorf("%s is explained twice, out of order or without an end: %q", e.Code, e.Text)
		}
		seen[e.Code], last = true, e.Code
	}
	for _, c := range []Code{CodeUnreadable, CodeNoEffect, CodeNotObject, CodeRenamedField, CodeReference, CodeTrace} {
		if !seen[c] {
			t.Errorf("%s is not explained", c)
		}
	}
}

// brokenFiles fail in a way that no test of missing files shows.
type brokenFiles struct{ memoryFiles }

var errBroken = errors.New("input/output error")

func (b brokenFiles) ReadFile(name string) ([]byte, error) {
	if name == "broken.yaml" {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errBroken}
	}
	return b.memoryFiles.ReadFile(name)
}

// TestReadErrors: what the file system says reaches the user, without Go's own words.
func TestReadErrors(t *testing.T) {
	_, ds := Load("broken.yaml", brokenFiles{})
	if got, want := ds.String(), "broken.yaml:1:1: cannot read broken.yaml: input/output error [SC001]\n"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
	_, ds = Load("a.yaml", brokenFiles{memoryFiles{"a.yaml": patched("flowControl: {manifests: [broken.yaml]}")}})
	if got, want := ds.String(), "a.yaml:1:27: cannot read broken.yaml: input/output error [SC001]\n"; !strings.HasPrefix(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
	_, ds = Load("scenraio.yaml", memoryFiles{"scenario.yaml": minimal})
	if got, want := ds.String(), "scenraio.yaml:1:1: cannot read scenraio.yaml: file does not exist [SC001]\n  hint: did you mean \"scenario.yaml\"?\n"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
}

// TestRelativePaths: what a scenario names lies beside the scenario.
func TestRelativePaths(t *testing.T) {
	files := memoryFiles{
		"deep/er/a.yaml": patched("flowControl: {manifests: [apf, ../b.yaml]}"),
		"deep/er/apf/level.yaml": "apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: PriorityLevelConfiguration\n" +
			"metadata: {name: a}\nspec: {type: Limited, limited: {limitResponse: {type: Reject}}}\n",
		"deep/b.yaml": "apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: FlowSchema\n" +
			"metadata: {name: b}\nspec: {priorityLevelConfiguration: {name: a}, bad: 1}\n",
	}
	_, ds := Load("deep/er/a.yaml", files)
	if len(ds) != 1 || ds[0].Position() != "deep/b.yaml:4:47" {
		t.Errorf("want one fault at deep/b.yaml:4:47, got:\n%s", ds)
	}
}

// TestFaultWithoutPosition: to report one is a fault of the program.
func TestFaultWithoutPosition(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a fault without a position was taken")
		}
	}()
	newCollector().error(Place{"a.yaml", 0, 1}, fault{code: CodeSyntax, message: "lost"})
}

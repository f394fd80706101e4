package lint

import (
	"strconv"
	"strings"
	"testing"
)

// layer is one top-level package and what it may import beside the standard library
// and its own sub-packages.
type layer struct {
	dir string
	// module lists folders of this repository.
	module []string
	// outside lists import path prefixes of other modules.
	outside []string
}

// layers is the picture of docs/ARCHITECTURE.md as a table. An arrow that is missing
// here is missing on purpose: the scheduler knows nothing of simulated time, clients or
// files, so that it can be judged against kube-apiserver on its own.
var layers = []layer{
	{dir: "scheduler"},
	// Before workload, which it lies in: what records tell is read as flow control takes it.
	{dir: "workload/recording", module: []string{"workload", "scheduler"}, outside: []string{
		"github.com/go-json-experiment/json", "github.com/klauspost/compress"}},
	{dir: "workload", outside: []string{
		"gonum.org/v1/gonum", "github.com/go-json-experiment/json", "github.com/klauspost/compress"}},
	{dir: "sim", module: []string{"scheduler", "workload"}},
	// Before scenarios, which it lies in: the tests hold its parser against that of Prometheus.
	{dir: "scenarios/observed", module: []string{"scenarios", "sim", "workload", "scheduler"}, outside: []string{
		"github.com/klauspost/compress", "github.com/prometheus/common", "github.com/prometheus/client_model/go"}},
	{dir: "scenarios", module: []string{"sim", "workload", "scheduler"}, outside: []string{
		"gopkg.in/yaml.v3", "k8s.io/api", "k8s.io/apimachinery"}},
	{dir: "reports", module: []string{"sim", "workload", "scheduler"}, outside: []string{
		"gonum.org/v1/gonum", "gonum.org/v1/plot", "github.com/HdrHistogram/hdrhistogram-go", "gopkg.in/yaml.v3",
		"github.com/prometheus/common", "github.com/prometheus/client_model/go"}},
	// Before cmd/apfsim, which it lies in: the resources are compared with the official types.
	{dir: "cmd/apfsim/kubectl", module: []string{"scenarios"}, outside: []string{
		"github.com/spf13/pflag", "k8s.io/api", "k8s.io/apimachinery"}},
	// Likewise: the tests read the objects strictly into the official types.
	{dir: "cmd/apfsim/indexedjob", module: []string{"reports"}, outside: []string{"k8s.io/api", "k8s.io/apimachinery"}},
	{dir: "cmd/apfsim", module: []string{"scenarios", "reports", "sim", "workload", "scheduler"}, outside: []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/vbauerster/mpb", "golang.org/x/term",
		"github.com/go-json-experiment/json", "github.com/rogpeppe/go-internal/diff"}},
	{dir: "internal"},
}

// testModules may be imported by any test file of the root module: the test libraries,
// and gonum for what theory predicts.
var testModules = []string{
	"github.com/santhosh-tekuri/jsonschema/v6",
	"gonum.org/v1/gonum",
	"github.com/google/go-cmp",
	"pgregory.net/rapid",
	"github.com/cockroachdb/datadriven",
	"github.com/rogpeppe/go-internal",
}

// layerOf finds the layer of a folder.
func layerOf(dir string) (layer, bool) {
	for _, l := range layers {
		if under(dir, l.dir) {
			return l, true
		}
	}
	return layer{}, false
}

// importPath is the unquoted path of an import.
func importPath(literal string) string {
	p, err := strconv.Unquote(literal)
	if err != nil {
		panic("the parser let a bad import path through: " + literal)
	}
	return p
}

// standard tells whether an import path is of the standard library: no dot in its
// first element.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// mayImport judges one import of a file in a layer.
func mayImport(l layer, importPath string, test bool) bool {
	if standard(importPath) {
		return true
	}
	if dir, ours := strings.CutPrefix(importPath, modulePath+"/"); ours {
		return under(dir, l.dir) || underAny(dir, l.module) || under(dir, "internal")
	}
	return underAny(importPath, l.outside) || test && underAny(importPath, testModules)
}

// layering is the rule that packages import only what their layer may.
func layering(f *file) []finding {
	if under(f.path, "conformance") {
		return nil // a module of its own, which may see everything
	}
	l, ok := layerOf(f.dir())
	if !ok {
		return []finding{f.find(f.syntax.Package,
			"put it under a layer, or give it one in internal/lint and in docs/ARCHITECTURE.md",
			"the folder %s belongs to no layer", f.dir())}
	}
	var found []finding
	for _, spec := range f.syntax.Imports {
		p := importPath(spec.Path.Value)
		if !mayImport(l, p, f.test()) {
			found = append(found, f.find(spec.Pos(),
				"move the code to the layer that may know it, or pass what is needed in as a value",
				"%s/ must not import %s", l.dir, p))
		}
	}
	return found
}

func TestLayering(t *testing.T) { checkTree(t, layering) }

func TestLayeringFinds(t *testing.T) {
	checkRule(t, layering, []ruleCase{
		{"upwards", "scheduler/a.go", "package a\nimport _ \"github.com/apfsim/apfsim/sim\"", "must not import"},
		{"sideways", "reports/a.go", "package a\nimport _ \"github.com/apfsim/apfsim/scenarios\"", "must not import"},
		{"foreign", "sim/a.go", "package a\nimport _ \"gopkg.in/yaml.v3\"", "must not import"},
		{"test library", "sim/a.go", "package a\nimport _ \"pgregory.net/rapid\"", "must not import"},
		{"a name that only begins alike", "scheduler/a.go",
			"package a\nimport _ \"github.com/apfsim/apfsim/schedulers\"", "must not import"},
		{"no layer", "tools/a.go", "package a", "belongs to no layer"},
		{"test library in a test", "sim/a_test.go", "package a\nimport _ \"pgregory.net/rapid\"", ""},
		{"downwards", "sim/a.go", "package a\nimport _ \"github.com/apfsim/apfsim/scheduler/fairqueue\"", ""},
		{"standard library", "scheduler/shuffle/a.go", "package a\nimport _ \"math/big\"", ""},
		{"conformance", "conformance/a.go", "package a\nimport _ \"k8s.io/apiserver/pkg/util/flowcontrol\"", ""},
	})
}

package lint

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// known are the direct dependencies that the design names. Any other needs a line on
// why in docs/decisions/.
var known = []string{
	"github.com/spf13/cobra",
	"gopkg.in/yaml.v3",
	"gonum.org/v1/gonum",
	"gonum.org/v1/plot",
	"k8s.io/api",
	"k8s.io/apimachinery",
	"github.com/HdrHistogram/hdrhistogram-go",
	"github.com/prometheus/common",
	"github.com/prometheus/client_model",
	"github.com/vbauerster/mpb/v8",
	"github.com/google/go-cmp",
	"pgregory.net/rapid",
	"github.com/cockroachdb/datadriven",
	"github.com/rogpeppe/go-internal",
}

// required lists the module paths that a go.mod requires.
func required(gomod []byte) []string {
	var paths []string
	block := false
	for scanner := bufio.NewScanner(bytes.NewReader(gomod)); scanner.Scan(); {
		words := strings.Fields(scanner.Text())
		switch {
		case len(words) >= 2 && words[0] == "require" && words[1] == "(":
			block = true
		case len(words) == 1 && words[0] == ")":
			block = false
		case len(words) >= 3 && words[0] == "require":
			paths = append(paths, words[1])
		case block && len(words) >= 2 && !strings.HasPrefix(words[0], "//"):
			paths = append(paths, words[0])
		}
	}
	return paths
}

// moduleOf finds the module that an import path belongs to: the longest that is a
// prefix of it, "" if none is.
func moduleOf(importPath string, modules []string) string {
	best := ""
	for _, m := range modules {
		if under(importPath, m) && len(m) > len(best) {
			best = m
		}
	}
	return best
}

// direct lists the modules whose packages the files of the root module import.
func direct(files []*file, modules []string) []string {
	used := map[string]bool{}
	for _, f := range files {
		if under(f.path, "conformance") {
			continue
		}
		for _, spec := range f.syntax.Imports {
			if p := importPath(spec.Path.Value); !standard(p) && !under(p, modulePath) {
				used[moduleOf(p, modules)] = true
			}
		}
	}
	return sorted(used)
}

// TestDependencies holds that every direct dependency is one that the design names or
// that a decision gives a reason for.
func TestDependencies(t *testing.T) {
	root := os.DirFS("../..")
	gomod, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := fs.Glob(root, "docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var decisions []byte
	for _, page := range pages {
		text, err := fs.ReadFile(root, page)
		if err != nil {
			t.Fatal(err)
		}
		decisions = append(decisions, text...)
	}
	for _, module := range direct(tree(t), required(gomod)) {
		if !slices.Contains(known, module) && !bytes.Contains(decisions, []byte("`"+module+"`")) {
			t.Errorf("go.mod: %s is imported without a reason <- name it in a page of docs/decisions/,"+
				" with a line on why, or do without it", module)
		}
	}
}

func TestModuleOf(t *testing.T) {
	modules := required([]byte("module m\n\nrequire a.b/c v1.0.0\n\nrequire (\n\ta.b/c/v2 v2.0.0 // indirect\n\tx.y/z v0.1.0\n)\n"))
	if want := []string{"a.b/c", "a.b/c/v2", "x.y/z"}; !slices.Equal(modules, want) {
		t.Fatalf("required: got %q, want %q", modules, want)
	}
	for path, want := range map[string]string{
		"a.b/c": "a.b/c", "a.b/c/d": "a.b/c", "a.b/c/v2/d": "a.b/c/v2", "x.y/z/w": "x.y/z", "a.b/cc": "",
	} {
		if got := moduleOf(path, modules); got != want {
			t.Errorf("moduleOf(%q) = %q, want %q", path, got, want)
		}
	}
}

package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listed is what this test needs of `go list -json`.
type listed struct {
	ImportPath string
	Export     string
	GoFiles    []string
	Dir        string
	Standard   bool
}

// list asks the go command for the packages of the module and all that they import,
// with the compiled export data that type checking reads.
func list() (map[string]listed, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,Dir,Standard", "./...")
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	packages := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages[p.ImportPath] = p
	}
}

// orderComment is what a comment on the line of a range over a map, or on the line
// before it, begins with to say why the order reaches nothing.
const orderComment = "// Any order: "

// mapRanges finds the loops of a type-checked file whose order is that of a map.
func mapRanges(f *file, info *types.Info) []finding {
	excused := map[int]bool{}
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, orderComment) && len(c.Text) > len(orderComment) {
				excused[f.line(c.Pos())] = true
				excused[f.line(group.End())+1] = true
			}
		}
	}
	var found []finding
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if ok && mapOrdered(loop.X, info) && !excused[f.line(loop.Pos())] {
			found = append(found, f.find(loop.Pos(),
				"range over slices.Sorted(maps.Keys(m)), or write \""+orderComment+"<why it reaches no decision and no output>\" above it",
				"a loop in the order of a map"))
		}
		return true
	})
	return found
}

// mapOrdered tells whether ranging over an expression visits a map in its own order:
// the map itself, or maps.Keys, maps.Values or maps.All of one.
func mapOrdered(x ast.Expr, info *types.Info) bool {
	if t := info.TypeOf(x); t != nil {
		if _, ok := t.Underlying().(*types.Map); ok {
			return true
		}
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "maps"
}

// typed gives the types that the expressions of a package have.
func typed(path string, fset *token.FileSet, files []*ast.File, imports types.Importer) (*types.Info, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports}
	_, err := config.Check(path, fset, files, info)
	return info, err
}

// exportImporter reads imports from the export data of compiled packages.
func exportImporter(fset *token.FileSet, packages map[string]listed) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		p, ok := packages[path]
		if !ok || p.Export == "" {
			return nil, fmt.Errorf("no export data for %q", path)
		}
		return os.Open(p.Export)
	})
}

// TestMapOrder holds that nothing the program decides or prints follows the order of a
// map, which differs from run to run.
func TestMapOrder(t *testing.T) {
	packages, err := list()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, path := range sorted(packages) {
		p := packages[path]
		if p.Standard || !under(path, modulePath) {
			continue
		}
		checked += checkPackage(t, p, packages)
	}
	if checked == 0 {
		t.Fatal("no file was checked")
	}
}

// checkPackage applies the rule to one package and returns the number of its files.
func checkPackage(t *testing.T, p listed, packages map[string]listed) int {
	t.Helper()
	fset := token.NewFileSet()
	var files []*file
	var syntax []*ast.File
	for _, name := range p.GoFiles {
		source, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parseInto(fset, strings.TrimPrefix(p.ImportPath, modulePath+"/")+"/"+name, source)
		if err != nil {
			t.Fatal(err)
		}
		files, syntax = append(files, f), append(syntax, f.syntax)
	}
	info, err := typed(p.ImportPath, fset, syntax, exportImporter(fset, packages))
	if err != nil {
		t.Fatalf("%s: %v", p.ImportPath, err)
	}
	for _, f := range files {
		for _, d := range mapRanges(f, info) {
			t.Error(d)
		}
	}
	return len(files)
}

func TestMapOrderFinds(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"a map", "for k := range m { _ = k }", 1},
		{"its values", "for v := range maps.Values(m) { _ = v }", 1},
		{"sorted", "for _, k := range slices.Sorted(maps.Keys(m)) { _ = k }", 0},
		{"a slice", "for range []int{} {}", 0},
		{"excused", "// Any order: the sum is the same.\nfor range m {}", 0},
		{"excused without a reason", "// Any order: \nfor range m {}", 1},
		{"another comment", "// Sum them.\nfor range m {}", 1},
	} {
		source := "package a\nimport (\n\"maps\"\n\"slices\"\n)\nvar _ = slices.Sorted[int]\nvar _ = maps.Keys[map[int]int]\nfunc f(m map[string]int) {\n" + c.body + "\n}\n"
		f, err := parse("a.go", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		info, err := typed("a", f.fset, []*ast.File{f.syntax}, importer.ForCompiler(f.fset, "source", nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := mapRanges(f, info); len(got) != c.want {
			t.Errorf("%s: want %d findings, got %v", c.name, c.want, got)
		}
	}
}

package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// modulePath is the import path of the root module.
const modulePath = "github.com/apfsim/apfsim"

// file is one parsed Go file of the repository.
type file struct {
	path   string // relative to the root, with slashes
	source []byte
	fset   *token.FileSet
	syntax *ast.File
}

// dir is the folder of the file, "." for the root.
func (f *file) dir() string { return path.Dir(f.path) }

// test tells whether the file is compiled for tests only.
func (f *file) test() bool { return strings.HasSuffix(f.path, "_test.go") }

// line is the line of a position in the file.
func (f *file) line(p token.Pos) int { return f.fset.Position(p).Line }

// finding is one breach of a rule.
type finding struct {
	path   string
	line   int
	what   string
	remedy string
}

// String gives the finding as editors and people read it.
func (d finding) String() string {
	return fmt.Sprintf("%s:%d: %s <- %s", d.path, d.line, d.what, d.remedy)
}

// find makes a finding at a position of the file.
func (f *file) find(p token.Pos, remedy, format string, args ...any) finding {
	return finding{path: f.path, line: f.line(p), what: fmt.Sprintf(format, args...), remedy: remedy}
}

// parse reads one source; tests of the rules use it on sources that are no files.
func parse(name string, source []byte) (*file, error) {
	return parseInto(token.NewFileSet(), name, source)
}

// parseInto reads one source into a file set that it shares with its package.
func parseInto(fset *token.FileSet, name string, source []byte) (*file, error) {
	syntax, err := parser.ParseFile(fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &file{path: name, source: source, fset: fset, syntax: syntax}, nil
}

// loadTree parses every Go file of the repository, once, in the order of the paths.
var loadTree = sync.OnceValues(func() ([]*file, error) {
	var files []*file
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := parse(name, source)
		if err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	return files, err
})

// tree gives the files of the repository, or ends the test.
func tree(t *testing.T) []*file {
	t.Helper()
	files, err := loadTree()
	if err != nil {
		t.Fatalf("the repository does not parse: %v", err)
	}
	if len(files) == 0 {
		t.Fatal("no Go files found")
	}
	return files
}

// checkTree applies a rule to every file and reports all findings.
func checkTree(t *testing.T, rule func(*file) []finding) {
	t.Helper()
	for _, f := range tree(t) {
		for _, d := range rule(f) {
			t.Error(d)
		}
	}
}

// ruleCase is a source and the words that the rule's only finding must hold; no words
// mean that the rule must be silent.
type ruleCase struct {
	name   string
	path   string
	source string
	want   string
}

// checkRule proves that a rule finds what it is for and nothing else.
func checkRule(t *testing.T, rule func(*file) []finding, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		f, err := parse(c.path, []byte(c.source))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := rule(f)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: want no finding, got %v", c.name, got)
		case c.want != "" && len(got) != 1:
			t.Errorf("%s: want one finding with %q, got %v", c.name, c.want, got)
		case c.want != "" && !strings.Contains(got[0].String(), c.want):
			t.Errorf("%s: want a finding with %q, got %v", c.name, c.want, got[0])
		case c.want != "" && got[0].remedy == "":
			t.Errorf("%s: the finding has no remedy: %v", c.name, got[0])
		}
	}
}

// under tells whether a slash path is the folder or lies in it.
func under(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

// underAny tells whether a slash path is in one of the folders.
func underAny(name string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return under(name, folder) })
}

// lines counts the lines of a source.
func lines(source []byte) int {
	n := bytes.Count(source, []byte("\n"))
	if len(source) > 0 && source[len(source)-1] != '\n' {
		n++
	}
	return n
}

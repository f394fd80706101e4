package lint

import (
	"go/ast"
	"strings"
	"testing"
)

// outsideWorld lists the packages that reach the machine. Only cmd/ may import them;
// the other layers are given readers, times and seeds.
var outsideWorld = []string{
	"os", "net", "net/http", "syscall", "log", "flag", "math/rand", "crypto/rand", "golang.org/x/term",
}

// osFiles are the files of cmd/apfsim that turn the real process into a value. All
// other files of the command see only that value, so that whole commands run in memory.
var osFiles = []string{"cmd/apfsim/main.go", "cmd/apfsim/osprocess.go"}

// banned maps package and name of a function to what to do instead of calling it.
var banned = map[string]map[string]string{
	"time": {
		"Now": passNow, "Since": passNow, "Until": passNow, "Sleep": passNow, "After": passNow,
		"Tick": passNow, "NewTimer": passNow, "NewTicker": passNow, "AfterFunc": passNow,
	},
	"fmt": {
		"Print": passWriter, "Println": passWriter, "Printf": passWriter,
		"Scan": passReader, "Scanln": passReader, "Scanf": passReader,
	},
	"filepath": {"Walk": passFS, "WalkDir": passFS, "Glob": passFS, "Abs": passFS, "EvalSymlinks": passFS},
	"debug":    {"ReadBuildInfo": "take the build information as a value"},
	"runtime":  {"NumCPU": "take the number of workers as an argument", "GOMAXPROCS": "take the number of workers as an argument"},
}

const (
	passNow    = "take the time as an argument (virtual time since the start); in a test use testing/synctest"
	passWriter = "write to an io.Writer that the caller gives"
	passReader = "read from an io.Reader that the caller gives"
	passFS     = "take the folder or an fs.FS from the caller"
	seedRandom = "draw from a named stream (workload.Stream) that is derived from the seed"
)

// seededRandom are the names of math/rand/v2 that do not use the global source.
var seededRandom = map[string]bool{
	"New": true, "NewPCG": true, "NewChaCha8": true, "NewZipf": true,
	"Rand": true, "PCG": true, "ChaCha8": true, "Source": true, "Zipf": true,
}

// purity is the rule that only cmd/ touches the clock, the environment, the terminal
// and files by name. Tests may read their testdata, but no clock and no unseeded
// random numbers, except within a bubble of testing/synctest.
func purity(f *file) []finding {
	if under(f.path, "conformance") || f.path == osFiles[0] || f.path == osFiles[1] {
		return nil
	}
	var found []finding
	names := map[string]string{} // the name of an import in this file -> last element of its path
	bubble := false
	for _, spec := range f.syntax.Imports {
		p := importPath(spec.Path.Value)
		bubble = bubble || p == "testing/synctest"
		names[localName(spec)] = baseName(p)
		if p == "math/rand" || !f.test() && reaches(p) {
			found = append(found, f.find(spec.Pos(),
				"take what is needed as a value; the real process is behind "+osFiles[1],
				"import of %s outside cmd/'s process files", p))
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				if remedy := remedyFor(names[x.Name], sel.Sel.Name); remedy != "" && !(bubble && names[x.Name] == "time") {
					found = append(found, f.find(sel.Pos(), remedy, "%s.%s", x.Name, sel.Sel.Name))
				}
			}
		}
		return true
	})
	return append(found, builtinPrints(f)...)
}

// remedyFor says what to use instead of a package's function, "" if it is fine.
func remedyFor(pkg, name string) string {
	if pkg == "rand/v2" && !seededRandom[name] {
		return seedRandom
	}
	return banned[pkg][name]
}

// reaches tells whether a package touches the machine. math/rand/v2 and net/url do not;
// os/signal and log/slog do.
func reaches(importPath string) bool {
	for _, p := range outsideWorld {
		if importPath == p || (p == "os" || p == "log") && under(importPath, p) {
			return true
		}
	}
	return false
}

// baseName is the name by which a package is used, with the version kept where two
// versions have to be told apart.
func baseName(importPath string) string {
	if importPath == "math/rand/v2" {
		return "rand/v2"
	}
	return importPath[strings.LastIndex(importPath, "/")+1:]
}

// localName is the name of an import in its file.
func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return strings.TrimSuffix(baseName(importPath(spec.Path.Value)), "/v2")
}

// builtinPrints finds calls of print and println, which write to the real stderr.
func builtinPrints(f *file) []finding {
	var found []finding
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
				found = append(found, f.find(call.Pos(), passWriter, "the built-in %s", id.Name))
			}
		}
		return true
	})
	return found
}

// singleGoroutine are the layers whose results must not depend on Go's scheduler.
var singleGoroutine = []string{"scheduler", "workload", "sim"}

// noGoroutines is the rule that the simulated world starts no goroutine: replications
// run side by side, but each of them is one goroutine from its first event to its last.
func noGoroutines(f *file) []finding {
	if f.test() || !underAny(f.path, singleGoroutine) {
		return nil
	}
	var found []finding
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, f.find(n.Pos(), "schedule an event, or let the caller run it", "a go statement"))
		case *ast.SelectStmt:
			found = append(found, f.find(n.Pos(), "order the events by (time, class, sequence)", "a select statement"))
		}
		return true
	})
	return found
}

func TestPurity(t *testing.T)       { checkTree(t, purity) }
func TestNoGoroutines(t *testing.T) { checkTree(t, noGoroutines) }

func TestPurityFinds(t *testing.T) {
	checkRule(t, purity, []ruleCase{
		{"clock", "sim/a.go", "package a\nimport \"time\"\nvar _ = time.Now()", "take the time as an argument"},
		{"clock under another name", "sim/a.go", "package a\nimport t \"time\"\nvar _ = t.Since", "take the time as an argument"},
		{"clock in a test", "sim/a_test.go", "package a\nimport \"time\"\nfunc f() { time.Sleep(1) }", "synctest"},
		{"files", "scenarios/a.go", "package a\nimport _ \"os\"", "import of os"},
		{"signals", "reports/a.go", "package a\nimport _ \"os/signal\"", "import of os/signal"},
		{"other files of cmd", "cmd/apfsim/run.go", "package main\nimport _ \"os\"", "import of os"},
		{"global random", "sim/a.go", "package a\nimport \"math/rand/v2\"\nvar _ = rand.Int()", "named stream"},
		{"old random in a test", "sim/a_test.go", "package a\nimport _ \"math/rand\"", "import of math/rand"},
		{"stdout", "reports/a.go", "package a\nimport \"fmt\"\nfunc f() { fmt.Println() }", "io.Writer"},
		{"built-in", "sim/a.go", "package a\nfunc f() { println() }", "built-in println"},
		{"walk", "scenarios/a.go", "package a\nimport \"path/filepath\"\nvar _ = filepath.WalkDir", "fs.FS"},
		{"durations", "sim/a.go", "package a\nimport \"time\"\nvar _ = time.Second", ""},
		{"seeded random", "sim/a_test.go", "package a\nimport \"math/rand/v2\"\nvar _ = rand.New(rand.NewPCG(1, 2))", ""},
		{"testdata", "sim/a_test.go", "package a\nimport _ \"os\"", ""},
		{"bubble", "sim/a_test.go", "package a\nimport (\n\"time\"\n_ \"testing/synctest\")\nvar _ = time.Now", ""},
		{"the process", "cmd/apfsim/osprocess.go", "package main\nimport _ \"os\"", ""},
		{"net/url only parses", "scenarios/a.go", "package a\nimport _ \"net/url\"", ""},
	})
	checkRule(t, noGoroutines, []ruleCase{
		{"go", "scheduler/a.go", "package a\nfunc f() { go f() }", "a go statement"},
		{"select", "sim/a.go", "package a\nfunc f() { select {} }", "a select statement"},
		{"cmd may", "cmd/apfsim/a.go", "package a\nfunc f() { go f() }", ""},
	})
}

package lint

import (
	"strings"
	"testing"
)

func TestSizesFind(t *testing.T) {
	checkRule(t, sizes, []ruleCase{
		{"a function of 71 lines", "a.go", "package a\nfunc f() {\n" + strings.Repeat("f()\n", 69) + "}\n", "f has 71 lines"},
		{"a function of 70 lines", "a.go", "package a\nfunc f() {\n" + strings.Repeat("f()\n", 68) + "}\n", ""},
		{"a file of 501 lines", "a.go", "package a\n" + strings.Repeat("// x\n", 500), "the file has 501 lines"},
		{"a file of 500 lines", "a.go", "package a\n" + strings.Repeat("// x\n", 499), ""},
	})
}

func TestFormattedFinds(t *testing.T) {
	checkRule(t, formatted, []ruleCase{
		{"spaces", "a.go", "package a\n\nvar  x int\n", "not formatted"},
		{"clean", "a.go", "package a\n\nvar x int\n", ""},
	})
}

func TestFinishedFinds(t *testing.T) {
	checkRule(t, finished, []ruleCase{
		{"mark", "a.go", "package a\n// TODO: more\n", "TODO in a comment"},
		{"skipped", "a_test.go", "package a\nfunc f(t T) { t.Skipf(\"\") }", "t.Skipf"},
		{"a longer word", "a.go", "package a\n// TODOS\n", ""},
		{"an input turned away", "a_test.go", "package a\nfunc f() { rapid.Check(t, func(t *rapid.T) { t.Skip() }) }", ""},
		{"in a helper", "a_test.go", "package a\nfunc draw(t *rapid.T) { t.Skip() }", ""},
		{"by the fuzzer", "a_test.go", "package a\nfunc f(f F) { f.Fuzz(func(t *testing.T) { t.Skip() }) }", ""},
		{"in a helper of any test", "a_test.go", "package a\nfunc draw(t *testing.T) { t.Skip() }", "t.Skip"},
		{"another Skip", "a.go", "package a\nfunc f(d D) { d.Skip() }", ""},
	})
}

func TestDocumentedFinds(t *testing.T) {
	checkRule(t, documented, []ruleCase{
		{"function", "a.go", "package a\nfunc F() {}", "F has no doc comment"},
		{"method", "a.go", "package a\nfunc (p *P[T]) F() {}", "F has no doc comment"},
		{"type", "a.go", "package a\ntype T int", "T has no doc comment"},
		{"type in a group", "a.go", "package a\n// Some.\ntype (\nT int\n)", "T has no doc comment"},
		{"constant", "a.go", "package a\nconst (\nA = 1\n// B is.\nB = 2\n)", "A has no doc comment"},
		{"group", "a.go", "package a\n// The letters.\nconst (\nA = 1\nB = 2\n)", ""},
		{"method of a hidden type", "a.go", "package a\nfunc (p p) F() {}", ""},
		{"hidden", "a.go", "package a\nfunc f() {}", ""},
		{"test", "a_test.go", "package a\nfunc F() {}", ""},
	})
}

func TestPackageCommentsFind(t *testing.T) {
	var files []*file
	for path, source := range map[string]string{
		"said/a.go": "// Package a is.\npackage a", "said/b.go": "package a",
		"silent/a.go": "package a", "silent/a_test.go": "// Package a is.\npackage a",
	} {
		f, err := parse(path, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	got := packageComments(files)
	if len(got) != 1 || got[0].path != "silent/a.go" {
		t.Errorf("want one finding in silent/a.go, got %v", got)
	}
}

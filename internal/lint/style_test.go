package lint

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"regexp"
	"slices"
	"testing"
)

// The size budget. Long functions hide state and long files hide structure; the limits
// are far above what a function or a file usually needs.
const (
	functionLinesMax = 70
	fileLinesMax     = 500
)

// sizes is the rule on the length of functions and files.
func sizes(f *file) []finding {
	var found []finding
	if n := lines(f.source); n > fileLinesMax {
		found = append(found, f.find(f.syntax.Package, "split it where a reader would look for the parts",
			"the file has %d lines, at most %d are allowed", n, fileLinesMax))
	}
	for _, decl := range f.syntax.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := f.line(fn.End()) - f.line(fn.Pos()) + 1; n > functionLinesMax {
			found = append(found, f.find(fn.Pos(), "move the steps into functions with names",
				"%s has %d lines, at most %d are allowed", fn.Name.Name, n, functionLinesMax))
		}
	}
	return found
}

// formatted is the rule that gofmt would change nothing.
func formatted(f *file) []finding {
	out, err := format.Source(f.source)
	if err != nil || !bytes.Equal(out, f.source) {
		return []finding{f.find(f.syntax.Package, "run gofmt -w on it", "not formatted")}
	}
	return nil
}

// leftOver matches the marks of unfinished work.
var leftOver = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)

// finished is the rule that no comment puts work off and no test is skipped.
func finished(f *file) []finding {
	if under(f.path, "internal/lint") {
		return nil // it has to name the marks
	}
	var found []finding
	for _, group := range f.syntax.Comments {
		for _, c := range group.List {
			if mark := leftOver.FindString(c.Text); mark != "" {
				found = append(found, f.find(c.Pos(), "do it now, or open an issue and say here what holds today", "%s in a comment", mark))
			}
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if drawsItsInput(n) {
			return false
		}
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Skip" && sel.Sel.Name != "Skipf" && sel.Sel.Name != "SkipNow" {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && (x.Name == "t" || x.Name == "b") {
			found = append(found, f.find(sel.Pos(), "make the test run everywhere, or remove it", "%s.%s", x.Name, sel.Sel.Name))
		}
		return true
	})
	return found
}

// drawsItsInput tells whether a node is a property or fuzz test, or a helper of one. In
// those, Skip means that the drawn input is outside what the property speaks of.
func drawsItsInput(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return takesRapid(n.Type)
	case *ast.FuncLit:
		return takesRapid(n.Type)
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Fuzz"
	}
	return false
}

// takesRapid tells whether a function has a parameter of type *rapid.T.
func takesRapid(fn *ast.FuncType) bool {
	return slices.ContainsFunc(fn.Params.List, func(p *ast.Field) bool {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok {
			return false
		}
		sel, ok := star.X.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		pkg, ok := sel.X.(*ast.Ident)
		return ok && pkg.Name == "rapid"
	})
}

// documented is the rule that every exported symbol has a doc comment. A comment on a
// group of constants or variables counts for its members.
func documented(f *file) []finding {
	if f.test() {
		return nil
	}
	const remedy = "say what it promises, its units and its errors"
	var found []finding
	for _, decl := range f.syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
				found = append(found, f.find(d.Pos(), remedy, "%s has no doc comment", d.Name.Name))
			}
		case *ast.GenDecl:
			for _, name := range undocumented(d) {
				found = append(found, f.find(name.Pos(), remedy, "%s has no doc comment", name.Name))
			}
		}
	}
	return found
}

// exportedReceiver tells whether a function is reachable from outside: no receiver, or
// one of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// undocumented lists the exported names of a declaration without any doc comment.
func undocumented(d *ast.GenDecl) []*ast.Ident {
	var names []*ast.Ident
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && s.Doc == nil && (d.Doc == nil || d.Lparen != token.NoPos) {
				names = append(names, s.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

func TestSizes(t *testing.T)      { checkTree(t, sizes) }
func TestFormatted(t *testing.T)  { checkTree(t, formatted) }
func TestFinished(t *testing.T)   { checkTree(t, finished) }
func TestDocumented(t *testing.T) { checkTree(t, documented) }

// TestPackageComments holds that every package says what it is for.
func TestPackageComments(t *testing.T) {
	for _, d := range packageComments(tree(t)) {
		t.Error(d)
	}
}

// packageComments finds the packages in which no file, test files aside, has a package
// comment.
func packageComments(files []*file) []finding {
	first := map[string]*file{}
	said := map[string]bool{}
	var order []string
	for _, f := range files {
		if f.test() {
			continue
		}
		if first[f.dir()] == nil {
			first[f.dir()] = f
			order = append(order, f.dir())
		}
		said[f.dir()] = said[f.dir()] || f.syntax.Doc != nil
	}
	var found []finding
	for _, dir := range order {
		if !said[dir] {
			f := first[dir]
			found = append(found, f.find(f.syntax.Package, "say in doc.go what the package is for", "package %s has no package comment", f.syntax.Name.Name))
		}
	}
	return found
}

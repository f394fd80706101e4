package reports

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// modelFiles are the files with the types that a result is made of, for the comments in them.
//
//go:embed model*.go number.go judge*.go diagnose.go changes.go caveats.go
var modelFiles embed.FS

// docs are the comments on types and their fields, and the words that a type of text can be, by the names of
// types with their packages.
type docs struct {
	types map[string]typeDoc
	words map[string][]string
}

// typeDoc is what the comments say of a type and of its fields.
type typeDoc struct {
	text   string
	fields []fieldDoc
}

// fieldDoc is the comment above a field.
type fieldDoc struct{ name, text string }

// modelDocs reads the comments of the model.
func modelDocs() *docs {
	d := &docs{types: map[string]typeDoc{}, words: map[string][]string{}}
	d.read("reports", modelFiles)
	return d
}

// docName is how the comments call a type: its package and its name.
func docName(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }

// read reads the comments in the files of a package.
func (d *docs) read(pkg string, from fs.FS) {
	files, err := fs.ReadDir(from, ".")
	if err != nil {
		panic(fmt.Sprintf("reports: the sources of %s: %v", pkg, err))
	}
	for _, f := range files {
		source, err := fs.ReadFile(from, f.Name())
		if err != nil {
			panic(fmt.Sprintf("reports: %s: %v", f.Name(), err))
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), source, parser.ParseComments)
		if err != nil {
			panic(fmt.Sprintf("reports: %s: %v", f.Name(), err))
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				d.declaration(pkg, g)
			}
		}
	}
}

// declaration takes what a declaration says.
func (d *docs) declaration(pkg string, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			t := typeDoc{text: sentence(spec.Doc)}
			if spec.Doc == nil {
				t.text = sentence(g.Doc)
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				t.fields = fieldDocs(s)
			}
			d.types[pkg+"."+spec.Name.Name] = t
		case *ast.ValueSpec:
			d.word(pkg, g.Tok, spec)
		}
	}
}

// word takes a constant of a type of text.
func (d *docs) word(pkg string, tok token.Token, spec *ast.ValueSpec) {
	of, ok := spec.Type.(*ast.Ident)
	if tok != token.CONST || !ok || len(spec.Values) != 1 {
		return
	}
	if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if text, err := strconv.Unquote(lit.Value); err == nil {
			d.words[pkg+"."+of.Name] = append(d.words[pkg+"."+of.Name], text)
		}
	}
}

// fieldDocs lists the fields of a struct with their comments.
func fieldDocs(s *ast.StructType) []fieldDoc {
	var out []fieldDoc
	for _, f := range s.Fields.List {
		for _, name := range f.Names {
			out = append(out, fieldDoc{name.Name, sentence(f.Doc)})
		}
	}
	return out
}

// sentence is a comment with each paragraph in one line.
func sentence(c *ast.CommentGroup) string {
	var paragraphs []string
	for p := range strings.SplitSeq(c.Text(), "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			paragraphs = append(paragraphs, p)
		}
	}
	return strings.Join(paragraphs, "\n")
}

// goName is a word that may be the name of a field in Go.
var goName = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]*\b`)

// field returns what the comments say of a field: the one above it, or the first in its struct
// that speaks of it. Fields are called as JSON has them.
func (d *docs) field(t reflect.Type, f reflect.StructField) string {
	doc := d.types[docName(t)]
	text := ""
	for _, own := range doc.fields {
		if own.name == f.Name {
			text = own.text
		}
	}
	for _, other := range doc.fields {
		if text == "" && mentions(other.text, f.Name) {
			text = other.text
		}
	}
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); text == "" {
		return plainFields[name]
	}
	return goName.ReplaceAllStringFunc(text, func(word string) string {
		if named, ok := t.FieldByName(word); ok {
			if name, _, _ := strings.Cut(named.Tag.Get("json"), ","); name != "" {
				return name
			}
		}
		return word
	})
}

// mentions tells whether a text has a word.
func mentions(text, word string) bool {
	for _, found := range goName.FindAllString(text, -1) {
		if found == word {
			return true
		}
	}
	return false
}

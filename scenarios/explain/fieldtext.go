package explain

import (
	"io"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
)

// WriteField writes what is known of a field and of those below it for a person.
func WriteField(w io.Writer, f *scenarios.Field) error {
	p := &page{}
	p.row("field", f.Path)
	p.detail("type", f.Type)
	p.detail("default", f.Default)
	p.detail("legal", f.Legal)
	for i, paragraph := range paragraphs(f.Text) {
		label := "meaning"
		if i > 0 {
			label = ""
			p.gap()
		}
		p.detail(label, paragraph)
	}
	if len(f.Fields) > 0 {
		p.gap()
		p.row("fields", fieldsHead(f))
	}
	for i := range f.Fields {
		inner := &f.Fields[i]
		name := strings.TrimPrefix(inner.Path, f.Path+".")
		kind := inner.Type
		if inner.Default != "" {
			kind += ", default " + inner.Default
		}
		if strings.HasPrefix(inner.Default, "required") {
			kind = inner.Type + ", " + inner.Default
		}
		p.detail(name, kind)
		p.row("", firstSentence(inner.Text))
	}
	_, err := io.WriteString(w, p.text())
	return err
}

// fieldsHead says whose fields follow.
func fieldsHead(f *scenarios.Field) string {
	switch {
	case strings.HasPrefix(f.Type, "a list of"):
		return "of each entry of the list"
	case strings.HasPrefix(f.Type, "a mapping of"):
		return "of each entry of the mapping"
	}
	return "of the mapping"
}

// paragraphs splits a text at its empty lines.
func paragraphs(text string) []string {
	var out []string
	for _, part := range strings.Split(text, "\n\n") {
		if strings.TrimSpace(part) != "" {
			out = append(out, part)
		}
	}
	return out
}

// firstSentence is the beginning of a text up to the full stop that ends a sentence of
// some length: "e.g." and the like do not.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for i := range len(text) - 1 {
		if i > 20 && text[i] == '.' && text[i+1] == ' ' {
			return text[:i+1]
		}
	}
	return text
}

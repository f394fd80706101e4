package explain

import (
	"io"
	"slices"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scenarios/lint"
)

// Code is what is known of the code of a diagnostic.
type Code struct {
	Code scenarios.Code `json:"code"`
	// Title says what is found; for the codes of faults it is all there is to say.
	Title string `json:"title"`
	// Severity is that of advice.
	Severity scenarios.Severity `json:"severity,omitempty"`
	// Text says why it matters, in paragraphs of Markdown. Bad is a manifest that gets the
	// advice, Good one that gets none. All of these belong to advice alone.
	Text string `json:"text,omitempty"`
	Bad  string `json:"bad,omitempty"`
	Good string `json:"good,omitempty"`
}

// Codes returns all codes in order: those of faults, and those of advice.
func Codes() []Code {
	var out []Code
	for _, e := range scenarios.Explanations() {
		out = append(out, Code{Code: e.Code, Title: strings.TrimSuffix(e.Text, ".")})
	}
	for _, r := range lint.Catalogue() {
		out = append(out, Code{Code: r.Code, Title: r.Title, Severity: r.Severity, Text: r.Text, Bad: r.Bad, Good: r.Good})
	}
	slices.SortFunc(out, func(a, b Code) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return out
}

// FindCode returns the code of that name, in any case.
func FindCode(name string) (Code, bool) {
	all := Codes()
	i := slices.IndexFunc(all, func(c Code) bool { return strings.EqualFold(string(c.Code), name) })
	if i < 0 {
		return Code{}, false
	}
	return all[i], true
}

// WriteText writes the code for a person.
func (c *Code) WriteText(w io.Writer) error {
	p := &page{}
	p.row("code", string(c.Code))
	p.detail("meaning", c.Title)
	if c.Text == "" {
		_, err := io.WriteString(w, p.text())
		return err
	}
	p.detail("severity", string(c.Severity))
	for _, paragraph := range paragraphs(c.Text) {
		p.gap()
		p.paragraph(paragraph)
	}
	for _, example := range []struct{ head, text string }{{"Bad:", c.Bad}, {"Good:", c.Good}} {
		if example.text == "" {
			continue
		}
		p.b.WriteString("\n" + example.head + "\n\n")
		for line := range strings.Lines(strings.TrimRight(example.text, "\n") + "\n") {
			p.b.WriteString("  " + line)
		}
	}
	_, err := io.WriteString(w, p.text())
	return err
}

// paragraph writes text over the whole width; a list keeps its lines, a table and a block
// of code theirs.
func (p *page) paragraph(text string) {
	verbatim := strings.HasPrefix(text, "|") || strings.HasPrefix(text, "```") || strings.HasPrefix(text, "    ")
	if verbatim || strings.HasPrefix(text, "- ") {
		p.b.WriteString(strings.TrimRight(text, "\n") + "\n")
		return
	}
	for _, line := range wrap(text, pageWidth) {
		p.b.WriteString(line + "\n")
	}
}

package scenarios

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Place is a position in a file. Lines and columns count from 1, columns in characters.
type Place struct {
	File         string
	Line, Column int
}

// String returns "file:line:column".
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// before tells whether the place comes before another one of its file.
func (p Place) before(q Place) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// fault is a diagnostic before it has a place.
type fault struct {
	code                 Code
	message, legal, hint string
	field                string // path of the field, if the fault has one
}

// collector gathers the diagnostics of one load. It knows the text of every file
// read so far, for the snippets, and the order in which they were read.
type collector struct {
	list  Diagnostics
	lines map[string][]string
	ranks map[string]int
}

func newCollector() *collector {
	return &collector{lines: map[string][]string{}, ranks: map[string]int{}}
}

// source makes the text of a file known, before any fault in it is reported.
func (c *collector) source(file string, text []byte) {
	c.rank(file)
	c.lines[file] = strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
}

func (c *collector) rank(file string) int {
	r, ok := c.ranks[file]
	if !ok {
		r = len(c.ranks)
		c.ranks[file] = r
	}
	return r
}

func (c *collector) error(p Place, f fault)   { c.add(p, f, Error) }
func (c *collector) warning(p Place, f fault) { c.add(p, f, Warning) }

func (c *collector) add(p Place, f fault, s Severity) {
	if p.File == "" || p.Line < 1 || p.Column < 1 {
		panic(fmt.Sprintf("scenarios: fault without a position: %s: %s", p, f.message))
	}
	c.list = append(c.list, Diagnostic{
		File: p.File, Line: p.Line, Column: p.Column,
		Code: f.code, Severity: s, Field: f.field, Message: f.message, Legal: f.legal, Hint: f.hint,
		Snippet: c.snippet(p), rank: c.rank(p.File),
	})
}

// maxSnippet is the longest line, in characters, that is shown as a snippet: a
// whole JSON document on one line helps nobody.
const maxSnippet = 160

func (c *collector) snippet(p Place) string {
	lines := c.lines[p.File]
	if p.Line > len(lines) {
		return ""
	}
	line := strings.TrimRight(lines[p.Line-1], " \t")
	if !utf8.ValidString(line) || utf8.RuneCountInString(line) > maxSnippet {
		return ""
	}
	for _, r := range line {
		if r < ' ' && r != '\t' {
			return ""
		}
	}
	return line
}

// column returns the first column of a line that is not blank, 1 for a blank line.
func (c *collector) column(file string, line int) int {
	lines := c.lines[file]
	if line < 1 || line > len(lines) {
		return 1
	}
	text := lines[line-1]
	trimmed := strings.TrimLeft(text, " \t")
	if trimmed == "" {
		return 1
	}
	return len(text) - len(trimmed) + 1
}

// errors tells whether any error was reported.
func (c *collector) errors() bool { return c.list.HasErrors() }

package scenarios

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// place is a position in a file, counted from 1.
type place struct {
	file         string
	line, column int
}

func (p place) String() string { return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.column) }

// fault is a diagnostic before it has a place.
type fault struct {
	code                 Code
	message, legal, hint string
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

func (c *collector) error(p place, f fault)   { c.add(p, f, Error) }
func (c *collector) warning(p place, f fault) { c.add(p, f, Warning) }

func (c *collector) add(p place, f fault, s Severity) {
	if p.file == "" || p.line < 1 || p.column < 1 {
		panic(fmt.Sprintf("scenarios: fault without a position: %s: %s", p, f.message))
	}
	c.list = append(c.list, Diagnostic{
		File: p.file, Line: p.line, Column: p.column,
		Code: f.code, Severity: s, Message: f.message, Legal: f.legal, Hint: f.hint,
		Snippet: c.snippet(p), rank: c.rank(p.file),
	})
}

// maxSnippet is the longest line, in characters, that is shown as a snippet: a
// whole JSON document on one line helps nobody.
const maxSnippet = 160

func (c *collector) snippet(p place) string {
	lines := c.lines[p.file]
	if p.line > len(lines) {
		return ""
	}
	line := strings.TrimRight(lines[p.line-1], " \t")
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

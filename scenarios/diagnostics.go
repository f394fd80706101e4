package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity tells whether a diagnostic stops the run.
type Severity string

// The severities.
const (
	// Error stops the run: the input cannot mean what was written.
	Error Severity = "error"
	// Warning does not: the input is legal, and does less than it seems to say.
	Warning Severity = "warning"
	// Note does not either: the input is legal, and it is good to know what it does.
	Note Severity = "note"
)

// Diagnostic is one fault in the user's input. File, Line and Column are always
// set; lines and columns count from 1, columns in characters.
type Diagnostic struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	// Field is the path of the field within its object, as the API server writes it, such
	// as spec.rules[0].subjects; empty where a whole file or document is meant.
	Field string `json:"field,omitempty"`
	// Message tells what is wrong, in one sentence without a full stop.
	Message string `json:"message"`
	// Legal tells what would have been accepted.
	Legal string `json:"legal,omitempty"`
	// Hint tells what was probably meant, or what to do.
	Hint string `json:"hint,omitempty"`
	// Snippet is the line of the file, empty where there is none.
	Snippet string `json:"snippet,omitempty"`

	rank int // place of the file in the order of reading
}

// Position returns "file:line:column".
func (d Diagnostic) Position() string {
	return fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Column)
}

// String renders the diagnostic for a person, without a newline at the end.
func (d Diagnostic) String() string {
	var b strings.Builder
	b.WriteString(d.Position())
	b.WriteString(": ")
	if d.Severity != Error {
		fmt.Fprintf(&b, "%s: ", d.Severity)
	}
	fmt.Fprintf(&b, "%s [%s]", d.Message, d.Code)
	if d.Snippet != "" {
		fmt.Fprintf(&b, "\n  %4d | %s", d.Line, d.Snippet)
		fmt.Fprintf(&b, "\n       | %s^", blank(d.Snippet, d.Column-1))
	}
	if d.Legal != "" {
		fmt.Fprintf(&b, "\n  legal: %s", d.Legal)
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "\n  hint: %s", d.Hint)
	}
	return b.String()
}

// blank returns white space as wide as the first n characters of line. Tabs stay
// tabs, so that a caret below lines up however wide a tab is shown.
func blank(line string, n int) string {
	var b strings.Builder
	for i, r := range []rune(line) {
		if i >= n {
			break
		}
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	for i := utf8.RuneCountInString(line); i < n; i++ {
		b.WriteByte(' ')
	}
	return b.String()
}

// Diagnostics are the faults of one input, in the order of reading: the scenario
// first, then the files that it names, each from top to bottom.
type Diagnostics []Diagnostic

// HasErrors tells whether any of them stops the run.
func (ds Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// String renders all of them, each with a newline at the end.
func (ds Diagnostics) String() string {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(d.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Sorted returns the diagnostics in the order of reading, each once.
func (ds Diagnostics) Sorted() Diagnostics { return ds.sorted() }

// sorted returns the diagnostics in order of position, each once: a value that is
// used in several places through an alias has its fault once.
func (ds Diagnostics) sorted() Diagnostics {
	out := slices.Clone(ds)
	slices.SortStableFunc(out, func(a, b Diagnostic) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		if a.Column != b.Column {
			return a.Column - b.Column
		}
		return strings.Compare(string(a.Code)+a.Message, string(b.Code)+b.Message)
	})
	return slices.CompactFunc(out, func(a, b Diagnostic) bool {
		a.Field = b.Field // one place may stand for several fields
		return a == b
	})
}

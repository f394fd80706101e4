package lint

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
)

// Annotations of GitHub Actions: workflow commands on the standard output of a step,
// which GitHub shows at the lines of a pull request.

// annotationsMax is how many annotations of a kind GitHub takes from a step. It drops
// the others without a word.
const annotationsMax = 10

// githubKinds are the commands in order of severity.
var githubKinds = []struct {
	severity      scenarios.Severity
	command, noun string
}{
	{scenarios.Error, "error", "error"},
	{scenarios.Warning, "warning", "warning"},
	{scenarios.Note, "notice", "note"},
}

// WriteGitHub writes the result as annotations of GitHub Actions, those that GitHub would
// drop as lines of the log, and the summary.
func WriteGitHub(w io.Writer, r *Result) error {
	var b strings.Builder
	for _, kind := range githubKinds {
		n := 0
		var rest []string
		for _, d := range r.Diagnostics {
			if d.Severity != kind.severity {
				continue
			}
			if n++; n > annotationsMax {
				rest = append(rest, fmt.Sprintf("%s [%s]", d.Position(), d.Code))
				continue
			}
			fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", kind.command,
				property(d.File), d.Line, d.Column, property(string(d.Code)), data(annotation(d)))
		}
		if len(rest) > 0 {
			fmt.Fprintf(&b, "%s more than GitHub shows: %s\n", count(len(rest), kind.noun), strings.Join(rest, ", "))
		}
	}
	fmt.Fprintln(&b, r.line())
	_, err := io.WriteString(w, b.String())
	return err
}

// annotation is the text of a diagnostic where its place is known.
func annotation(d scenarios.Diagnostic) string {
	lines := []string{d.Message}
	if d.Legal != "" {
		lines = append(lines, "legal: "+d.Legal)
	}
	if d.Hint != "" {
		lines = append(lines, "hint: "+d.Hint)
	}
	return strings.Join(lines, "\n")
}

// data and property escape the two kinds of text in a workflow command.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func data(text string) string     { return dataEscapes.Replace(text) }
func property(text string) string { return propertyEscapes.Replace(text) }

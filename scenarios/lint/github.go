package lint

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/internal/actions"
	"github.com/apfsim/apfsim/scenarios"
)

// Annotations of GitHub Actions: workflow commands on the standard output of a step,
// which GitHub shows at the lines of a pull request.

// githubKinds are the commands in order of severity.
var githubKinds = []struct {
	severity scenarios.Severity
	level    actions.Level
	noun     string
}{
	{scenarios.Error, actions.LevelError, "error"},
	{scenarios.Warning, actions.LevelWarning, "warning"},
	{scenarios.Note, actions.LevelNotice, "note"},
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
			if n++; n > actions.Most {
				rest = append(rest, fmt.Sprintf("%s [%s]", d.Position(), d.Code))
				continue
			}
			fmt.Fprintln(&b, actions.Annotation{
				Level: kind.level, File: d.File, Line: d.Line, Column: d.Column, Title: string(d.Code), Message: annotation(d),
			})
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

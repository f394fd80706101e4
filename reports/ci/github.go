package ci

import (
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/internal/actions"
	"github.com/apfsim/apfsim/reports"
)

// WriteAnnotations writes workflow commands, the errors first. Where there are more of a level
// than GitHub takes, the last of those that it takes says so, and the others are lines of the log.
func WriteAnnotations(w io.Writer, annotations []actions.Annotation) error {
	var b strings.Builder
	for _, level := range []actions.Level{actions.LevelError, actions.LevelWarning, actions.LevelNotice} {
		var of, rest []actions.Annotation
		for _, a := range annotations {
			if a.Level == level {
				of = append(of, a)
			}
		}
		if len(of) > actions.Most {
			of, rest = of[:actions.Most-1:actions.Most-1], of[actions.Most-1:]
			of = append(of, actions.Annotation{Level: level, Title: "apfsim",
				Message: fmt.Sprintf("and %d more, in the log of the step and in its summary", len(rest))})
		}
		for _, a := range of {
			fmt.Fprintln(&b, a)
		}
		for _, a := range rest {
			fmt.Fprintln(&b, actions.Plain(a.Title+": "+a.Message))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Annotations tells what is wrong with results: an error for each expectation that did not pass,
// or test of the configuration, and a warning for each that passed on too few samples, or perhaps
// by chance, and for a run that was interrupted.
func Annotations(results []*reports.Result) []actions.Annotation {
	var out []actions.Annotation
	for _, r := range results {
		if r.Partial {
			out = append(out, actions.Annotation{Level: actions.LevelWarning, File: sourceFile(r), Title: title(r), Message: "The run was interrupted, and its figures are partial."})
		}
		for i := range r.Expectations {
			j := &r.Expectations[i]
			a := actions.Annotation{File: fileOf(j), Line: lineOf(j), Column: j.Column, Title: title(r), Message: j.Verdict}
			switch {
			case j.Outcome != reports.Passed:
				a.Level = actions.LevelError
			case j.FewSamples, j.Warning != "":
				a.Level = actions.LevelWarning
			default:
				continue
			}
			out = append(out, a)
		}
		for i := range r.Tests {
			t := &r.Tests[i]
			if line, column := t.At(); t.Outcome != reports.Passed {
				out = append(out, actions.Annotation{Level: actions.LevelError, File: file(t.File), Line: line, Column: column, Title: title(r), Message: t.Verdict})
			}
		}
	}
	return out
}

// title is that of the annotations of a result.
func title(r *reports.Result) string { return "apfsim: " + r.Metadata.Name }

// WriteGitHub writes the annotations of results, and those that are about none of them, and a line
// on each result for the log of the step.
func WriteGitHub(w io.Writer, results []*reports.Result, beside ...actions.Annotation) error {
	if err := WriteAnnotations(w, append(Annotations(results), beside...)); err != nil {
		return err
	}
	for _, r := range results {
		if _, err := io.WriteString(w, actions.Plain(title(r)+": "+verdict(r))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// verdict says in a few words how a result does.
func verdict(r *reports.Result) string { return r.Tally() }

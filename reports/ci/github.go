package ci

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apfsim/apfsim/reports"
)

// Level is how much an annotation matters.
type Level string

// The levels, as GitHub's workflow commands name them.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNotice  Level = "notice"
)

// Annotation is a message that GitHub Actions shows, at a line of a file if it knows one.
type Annotation struct {
	Level Level
	// File is relative to the top of the repository; Line and Column begin with 1.
	File         string
	Line, Column int
	Title        string
	Message      string
}

// GitHub's limits: so many annotations of each level a step, and so long a title. What is more
// it drops without a word.
const (
	annotationsMax = 10
	titleMax       = 255
)

// The escapes of workflow commands. In properties two characters more are special.
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// WriteAnnotations writes workflow commands. Where there are more of a level than GitHub shows,
// the last of those that it shows says how many there are.
func WriteAnnotations(w io.Writer, annotations []Annotation) error {
	var b strings.Builder
	for _, level := range []Level{LevelError, LevelWarning, LevelNotice} {
		var of []Annotation
		for _, a := range annotations {
			if a.Level == level {
				of = append(of, a)
			}
		}
		if left := len(of) - annotationsMax; left > 0 {
			of = of[:annotationsMax-1]
			of = append(of, Annotation{Level: level, Title: "apfsim",
				Message: fmt.Sprintf("and %d more, which the step summary and the other forms of the result show", left+1)})
		}
		for i := range of {
			b.WriteString(of[i].command() + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// command is the workflow command of an annotation.
func (a *Annotation) command() string {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+propertyEscapes.Replace(value))
	}
	if a.File != "" {
		add("file", a.File)
		if a.Line > 0 {
			add("line", strconv.Itoa(a.Line))
		}
		if a.Line > 0 && a.Column > 0 {
			add("col", strconv.Itoa(a.Column))
		}
	}
	if a.Title != "" {
		add("title", shortened(a.Title, titleMax))
	}
	return "::" + string(a.Level) + " " + strings.Join(properties, ",") + "::" + dataEscapes.Replace(a.Message)
}

// shortened cuts a text to so many characters.
func shortened(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}

// Annotations tells what is wrong with results: an error for each expectation that did not pass,
// and a warning for each that passed on too few samples and for a run that was interrupted.
func Annotations(results []*reports.Result) []Annotation {
	var out []Annotation
	for _, r := range results {
		if r.Partial {
			out = append(out, Annotation{Level: LevelWarning, File: sourceFile(r), Title: title(r), Message: "The run was interrupted, and its figures are partial."})
		}
		for i := range r.Expectations {
			j := &r.Expectations[i]
			a := Annotation{File: fileOf(j), Line: lineOf(j), Column: j.Column, Title: title(r), Message: j.Verdict}
			switch {
			case j.Outcome != reports.Passed:
				a.Level = LevelError
			case j.FewSamples:
				a.Level = LevelWarning
			default:
				continue
			}
			out = append(out, a)
		}
	}
	return out
}

// title is that of the annotations of a result.
func title(r *reports.Result) string { return "apfsim: " + r.Metadata.Name }

// WriteGitHub writes the annotations of results, and a line on each result for the log of the
// step.
func WriteGitHub(w io.Writer, results []*reports.Result) error {
	if err := WriteAnnotations(w, Annotations(results)); err != nil {
		return err
	}
	for _, r := range results {
		if _, err := io.WriteString(w, plain(title(r)+": "+verdict(r))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// plain makes a text one line that holds no workflow command of either syntax.
func plain(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ", "##[", "## [").Replace(text)
}

// verdict says in a few words how a result does.
func verdict(r *reports.Result) string {
	n, passed := len(r.Expectations), 0
	for i := range r.Expectations {
		if r.Expectations[i].Outcome == reports.Passed {
			passed++
		}
	}
	if n == 0 {
		return "nothing is expected"
	}
	return fmt.Sprintf("%d of %d expectations hold", passed, n)
}

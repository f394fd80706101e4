package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Tuning is what should hold in a scenario, and what may be changed for that. The texts are those of the flags
// of apfsim tune; who can read them checks them.
type Tuning struct {
	// Goals say what figures have to be, Knobs which settings may take which values, and Minimize
	// which prices are to be small. Each may be empty.
	Goals, Knobs, Minimize []Written
}

// Written is a text of a scenario, and where it stands.
type Written struct {
	Text string
	// Place is where it begins.
	Place Place
	// Field is its path, such as tune.goals[0].
	Field string

	// exact tells that the text stands in the file as it is, so that each of its characters has a place.
	exact   bool
	snippet string
	rank    int
}

// Fault is a fault at a byte of the text.
func (w *Written) Fault(at int, code Code, message, legal, hint string) Diagnostic {
	d := Diagnostic{File: w.Place.File, Line: w.Place.Line, Column: w.Place.Column, Code: code, Severity: Error,
		Field: w.Field, Message: message, Legal: legal, Hint: hint, Snippet: w.snippet, rank: w.rank}
	if w.exact {
		d.Column += utf8.RuneCountInString(w.Text[:min(max(at, 0), len(w.Text))])
	}
	return d
}

// tuneSpec is what `apfsim tune` is to do.
type tuneSpec struct {
	Goals    []string `json:"goals,omitempty"`
	Knobs    []string `json:"knobs,omitempty"`
	Minimize []string `json:"minimize,omitempty"`
}

// Examples of the texts.
const (
	goalLegal     = "a figure and what it has to be, such as wait{leader-election,p99} < 100ms"
	knobLegal     = "a path and its values, such as priorityLevel/workload-low.shares=50..200:10"
	minimizeLegal = "a figure, such as seats or distance"
)

// tuning checks that the texts are there, each once. What they mean is read elsewhere.
func (l *loader) tuning(s *tuneSpec) Tuning {
	if s == nil {
		return Tuning{}
	}
	if !slices.ContainsFunc([]string{"goals", "knobs", "minimize"}, func(name string) bool { return l.has(join("tune", name)) }) && !l.strange["tune"] {
		l.refuse("tune", fault{code: CodeMissing, message: "tune says nothing", legal: "goals, knobs, minimize"})
	}
	return Tuning{
		Goals:    l.texts("tune.goals", s.Goals, goalLegal),
		Knobs:    l.texts("tune.knobs", s.Knobs, knobLegal),
		Minimize: l.texts("tune.minimize", s.Minimize, minimizeLegal),
	}
}

// texts makes the texts of a list.
func (l *loader) texts(path string, texts []string, legal string) []Written {
	if l.has(path) && len(texts) == 0 {
		l.refuse(path, fault{code: CodeMissing, message: path + " is empty", legal: legal, hint: "give it a value, or remove the line"})
	}
	var out []Written
	for i, text := range texts {
		at := index(path, i)
		switch {
		case strings.TrimSpace(text) == "":
			l.refuse(at, fault{code: CodeMissing, message: at + " is empty", legal: legal})
		case slices.Contains(texts[:i], text):
			l.refuse(at, fault{code: CodeSameName, message: fmt.Sprintf("%s: %s is there twice", at, shorten(text))})
		}
		w := Written{Text: text, Place: l.at(at), Field: at}
		w.snippet, w.rank = l.c.snippet(w.Place), l.c.rank(w.Place.File)
		w.begin()
		out = append(out, w)
	}
	return out
}

// begin finds the first character of the text after a quote, and whether the text is there as it is.
func (w *Written) begin() {
	line := []rune(w.snippet)
	from := w.Place.Column - 1
	if from >= len(line) {
		return
	}
	if line[from] == '"' || line[from] == '\'' {
		from++
	}
	if w.exact = strings.HasPrefix(string(line[from:]), w.Text); w.exact {
		w.Place.Column = from + 1
	}
}

package reports

import (
	"fmt"
	"strings"
)

// Tested is a test of the configuration under one release, and what became of it.
type Tested struct {
	Name              string `json:"name"`
	KubernetesVersion string `json:"kubernetesVersion"`
	// Request says in words what was asked for, and by whom.
	Request string  `json:"request"`
	Outcome Outcome `json:"outcome"`
	// Verdict is the whole in one line.
	Verdict string `json:"verdict"`
	// Checks are all that the test demands.
	Checks []Checked `json:"checks"`
	// Cause says what decided on the request.
	Cause string `json:"cause"`
	// File, Line and Column are where the scenario has the test.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Checked is one demand of a test, and what is so.
type Checked struct {
	// Field is that of the test: flowSchema, initialSeats and so on.
	Field   string  `json:"field"`
	Want    string  `json:"want"`
	Got     string  `json:"got"`
	Outcome Outcome `json:"outcome"`
	// Hint says what may have been meant, "" for nothing.
	Hint string `json:"hint,omitempty"`
	// File, Line and Column are where the scenario demands it.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Judge sets the outcome and the verdict from the checks, which know all but their own outcome.
func (t *Tested) Judge() {
	t.Outcome = Passed
	var missed []string
	for i := range t.Checks {
		c := &t.Checks[i]
		if c.Outcome = Passed; c.Want == c.Got {
			continue
		}
		c.Outcome, t.Outcome = Failed, Failed
		text := fmt.Sprintf("want %s %s, got %s", c.Field, c.Want, c.Got)
		if c.Hint != "" {
			text += " (" + c.Hint + ")"
		}
		missed = append(missed, text)
	}
	t.Verdict = fmt.Sprintf("%s: test %q with Kubernetes %s", t.Outcome, t.Name, t.KubernetesVersion)
	if t.Outcome != Passed {
		t.Verdict += ": " + strings.Join(missed, "; ") + "; " + t.Cause
	}
}

// String is the verdict in one line; one that did not pass says where the scenario asks for it.
func (t *Tested) String() string {
	if t.Outcome == Passed {
		return t.Verdict
	}
	line, column := t.Line, t.Column
	for i := range t.Checks {
		if c := &t.Checks[i]; c.Outcome != Passed {
			line, column = c.Line, c.Column
			break
		}
	}
	return fmt.Sprintf("%s (%s:%d:%d)", t.Verdict, t.File, line, column)
}

package reports

import (
	"fmt"
	"strings"
)

// Tested is a test of the configuration under one release, and what became of it.
type Tested struct {
	Name string `json:"name"`
	// KubernetesVersion is the release of the server.
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
	Field string `json:"field"`
	// Want is what the test demands, Got what is so.
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

// At is where the scenario demands what is not so, or has the test.
func (t *Tested) At() (line, column int) {
	for i := range t.Checks {
		if c := &t.Checks[i]; c.Outcome != Passed {
			return c.Line, c.Column
		}
	}
	return t.Line, t.Column
}

// String is the verdict in one line; one that did not pass says where the scenario asks for it.
func (t *Tested) String() string {
	if t.Outcome == Passed {
		return t.Verdict
	}
	line, column := t.At()
	return fmt.Sprintf("%s (%s:%d:%d)", t.Verdict, t.File, line, column)
}

// Tally says in a few words how the expectations and tests of a result do.
func (r *Result) Tally() string {
	held, passed := 0, 0
	for i := range r.Expectations {
		if r.Expectations[i].Outcome == Passed {
			held++
		}
	}
	for i := range r.Tests {
		if r.Tests[i].Outcome == Passed {
			passed++
		}
	}
	var parts []string
	if n := len(r.Expectations); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d expectations hold", held, n))
	}
	if n := len(r.Tests); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d tests pass", passed, n))
	}
	if len(parts) == 0 {
		return "nothing is expected"
	}
	return strings.Join(parts, ", ")
}

// NewTestsResult returns a result of tests alone, without any replication.
func NewTestsResult(info Info, tests []Tested) *Result {
	return &Result{
		APIVersion: APIVersion, Kind: Kind, Metadata: Metadata{Name: info.Scenario}, KubernetesVersion: info.KubernetesVersion,
		Replications: []Replication{}, PriorityLevels: []PriorityLevel{}, FlowSchemas: []FlowSchema{}, Populations: []Population{},
		Traffic: []Traffic{}, Flows: Flows{Listed: []Flow{}}, Figures: Figures{}, Tests: tests,
	}
}

// TestsAlone tells that nothing was simulated.
func (r *Result) TestsAlone() bool { return len(r.Replications) == 0 && len(r.Tests) > 0 }

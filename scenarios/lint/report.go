package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/apfsim/apfsim/scenarios"
)

// The apiVersion and kind of a Result.
const (
	APIVersion = "apfsim.dev/v1alpha1"
	Kind       = "LintResult"
)

// Result is what was found in some files, and for which server. All forms of output are
// rendered from it. Its JSON is a public format.
type Result struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// KubernetesVersion and Seats are those of the server that the advice is for.
	KubernetesVersion string `json:"kubernetesVersion"`
	Seats             int    `json:"seats"`
	// Files are those that were read, in that order, and Objects how many FlowSchemas and
	// PriorityLevelConfigurations they hold.
	Files   []string `json:"files"`
	Objects int      `json:"objects"`
	Summary Summary  `json:"summary"`
	// Diagnostics are in the order of the files.
	Diagnostics scenarios.Diagnostics `json:"diagnostics"`
}

// Summary counts diagnostics by severity.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
}

// NewResult makes a result of what CheckWith found in a configuration.
func NewResult(cfg *scenarios.Configuration, found scenarios.Diagnostics, o Options) *Result {
	r := &Result{APIVersion: APIVersion, Kind: Kind, KubernetesVersion: cfg.Release.String(), Seats: o.Seats,
		Files: append([]string{}, cfg.Files()...), Objects: cfg.Objects, Diagnostics: append(scenarios.Diagnostics{}, found...)}
	for _, d := range found {
		switch d.Severity {
		case scenarios.Error:
			r.Summary.Errors++
		case scenarios.Warning:
			r.Summary.Warnings++
		default:
			r.Summary.Notes++
		}
	}
	return r
}

// String is the summary in a few words, with what there is none of left out.
func (s Summary) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Notes, "note"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n, p.noun))
		}
	}
	if len(parts) == 0 {
		return "nothing to report"
	}
	return strings.Join(parts, ", ")
}

// line says in one line what came out.
func (r *Result) line() string {
	return fmt.Sprintf("%s in %s for Kubernetes %s with %s: %s", count(r.Objects, "object"), count(len(r.Files), "file"), r.KubernetesVersion, count(r.Seats, "seat"), r.Summary)
}

// WriteText writes the result for people: each diagnostic with its line of the file, and
// at the end how many there are and who tells more.
func WriteText(w io.Writer, r *Result) error {
	more := ""
	for _, d := range r.Diagnostics {
		if _, advice := Lookup(d.Code); advice { // the messages of faults say all there is
			more = fmt.Sprintf("apfsim explain %s tells more, and so for each code\n", d.Code)
			break
		}
	}
	_, err := fmt.Fprintf(w, "%s%s\n%s", r.Diagnostics, r.line(), more)
	return err
}

// WriteJSON writes the result as indented JSON.
func WriteJSON(w io.Writer, r *Result) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// Package verdict says in a line what becomes of a flow control object that is sent to a
// server of some release: accepted, or refused because of which fields. It holds the table
// of objects by which package scenarios is measured against kube-apiserver: the test here
// asks scenarios, the one in conformance/kubernetes asks the code of each release, and both
// must give the lines of testdata.
package verdict

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Outcome is the stage that an object reaches.
type Outcome string

// The outcomes, in the order in which a server comes to them.
const (
	// NotServed: the release does not serve the version of the object, or no longer.
	NotServed Outcome = "not served"
	// Unreadable: a value has the wrong type. No server takes the object, however lenient.
	Unreadable Outcome = "unreadable"
	// Strict: strict decoding finds fields that do not exist.
	Strict Outcome = "unknown fields"
	// Refused: the object can be read and validation refuses it.
	Refused Outcome = "refused"
	// Accepted: the object is stored.
	Accepted Outcome = "accepted"
)

// Verdict is what becomes of an object.
type Verdict struct {
	Outcome Outcome
	// Fields are the paths of the faults in order, each once. Only Strict and Refused have
	// them: where a value cannot be read, servers name types of Go.
	Fields []string
	// Spec is the spec in version v1 after defaulting, as JSON, if the object is accepted.
	Spec string
}

// ownerIndex is what the paths of owner references have since 1.37 only. The check is that
// of the library which scenarios shares with 1.37; the number says nothing of a rule.
var ownerIndex = regexp.MustCompile(`^(metadata\.ownerReferences)\[\d+\]`)

// New makes a verdict, and brings the fields into order.
func New(o Outcome, fields ...string) Verdict {
	for i, f := range fields {
		fields[i] = ownerIndex.ReplaceAllString(f, "$1")
	}
	slices.Sort(fields)
	return Verdict{Outcome: o, Fields: slices.Compact(fields)}
}

// String is a line without its end. The spec is not in it.
func (v Verdict) String() string {
	if len(v.Fields) == 0 {
		return string(v.Outcome)
	}
	return fmt.Sprintf("%s: %s", v.Outcome, strings.Join(v.Fields, ", "))
}

// Line is the verdict as a line of the table, without its end. With spec, it tells the
// spec of an accepted object too.
func (v Verdict) Line(spec bool) string {
	if spec && v.Outcome == Accepted {
		return v.String() + " " + v.Spec
	}
	return v.String()
}

// Render joins the lines of Minors on one object: one for each run of releases that agree,
// and no release named where all do.
func Render(lines []string) string {
	var out strings.Builder
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines) && lines[end] == lines[i] {
			end++
		}
		if end-i < len(lines) {
			fmt.Fprintf(&out, "%s: ", span(Minors[i], Minors[end-1]))
		}
		out.WriteString(lines[i] + "\n")
		i = end
	}
	return out.String()
}

func span(first, last int) string {
	if first == last {
		return fmt.Sprintf("1.%d", first)
	}
	return fmt.Sprintf("1.%d to 1.%d", first, last)
}

var rendered = regexp.MustCompile(`^(?:1\.(\d+)(?: to 1\.(\d+))?: )?(.*)$`)

// Parse is the inverse of Render. A release that the text does not tell of gets "".
func Parse(text string) []string {
	lines := make([]string, len(Minors))
	for line := range strings.Lines(text) {
		m := rendered.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		first, last := Minors[0], Minors[len(Minors)-1]
		if m[1] != "" {
			first, _ = strconv.Atoi(m[1]) // digits, by the pattern
			last = first
		}
		if m[2] != "" {
			last, _ = strconv.Atoi(m[2])
		}
		for i, minor := range Minors {
			if minor >= first && minor <= last {
				lines[i] = m[3]
			}
		}
	}
	return lines
}

package lint

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

// faulty has findings of all severities, and characters that some forms have to escape.
const faulty = `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: agents}
spec:
  priorityLevelConfiguration: {name: workload-low}
  rules:
  - subjects:
    - {kind: User, user: {name: "ö:*,%"}}
    resourceRules:
    - {verbs: [list, update], apiGroups: [apps/v1], resources: [pods], namespaces: ["*"]}
    - {verbs: [list, update], apiGroups: [""], resources: [pods], namespaces: ["*"]}
    nonResourceRules:
    - {verbs: [get], nonResourceURLs: ["/metrics/*", "/a", "/a/b"]}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: refused}
spec:
  priorityLevelConfiguration: {name: "100%"}
`

// many has more warnings of one kind than GitHub shows.
func many() string {
	var b strings.Builder
	b.WriteString(`apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: clients}
spec:
  distinguisherMethod: {type: ByUser}
  priorityLevelConfiguration: {name: workload-low}
  rules:
  - nonResourceRules:
    - {verbs: [get], nonResourceURLs: ["*"]}
    subjects:
`)
	for i := range 14 {
		fmt.Fprintf(&b, "    - {kind: User, user: {name: \"team-%d-*\"}}\n", i)
	}
	return b.String()
}

func resultOf(file, text string) *Result {
	cfg, faults := scenarios.LoadConfiguration([]string{file}, memory{file: text},
		scenarios.ConfigurationOptions{Release: release.Last, KeepSound: true})
	o := Options{Seats: stock}
	return NewResult(cfg, CheckWith(cfg, faults, o), o)
}

// finding is what every form tells of a diagnostic.
type finding struct {
	file         string
	line, column int
	code         string
	severity     string
	message      string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d:%d %s %s %q", f.file, f.line, f.column, f.code, f.severity, f.message)
}

func sorted(found []finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.String())
	}
	slices.Sort(out)
	return out
}

var textLine = regexp.MustCompile(`(?m)^(\S.*?):(\d+):(\d+): (?:(warning|note): )?(.*) \[([A-Z0-9]+)\]$`)

func readText(t *testing.T, text string) (out []finding) {
	for _, m := range textLine.FindAllStringSubmatch(text, -1) {
		out = append(out, finding{m[1], number(t, m[2]), number(t, m[3]), m[6], severityOf(m[4]), m[5]})
	}
	return out
}

func severityOf(word string) string {
	switch word {
	case "":
		return "error"
	case "notice":
		return "note"
	}
	return word
}

func number(t *testing.T, text string) int {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func readJSON(t *testing.T, text string) (out []finding) {
	var r Result
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		out = append(out, finding{d.File, d.Line, d.Column, string(d.Code), string(d.Severity), d.Message})
	}
	return out
}

func readSARIF(t *testing.T, text string) (out []finding) {
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	for _, r := range run.Results {
		place := r.Locations[0].PhysicalLocation
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s is rule %d, which is %s", r.RuleID, r.RuleIndex, run.Tool.Driver.Rules[r.RuleIndex].ID)
		}
		file, err := url.PathUnescape(place.ArtifactLocation.URI)
		if err != nil {
			t.Fatal(err)
		}
		if place.Region.EndColumn <= place.Region.StartColumn {
			t.Errorf("the region %+v is empty", place.Region)
		}
		message, _, _ := strings.Cut(r.Message.Text, "\n")
		out = append(out, finding{file, place.Region.StartLine, place.Region.StartColumn, r.RuleID, r.Level, message})
	}
	return out
}

var githubLine = regexp.MustCompile(`(?m)^::(error|warning|notice) file=([^,:]*),line=(\d+),col=(\d+),title=([^,:]*)::(.*)$`)

func readGitHub(t *testing.T, text string) (out []finding) {
	unescape := strings.NewReplacer("%0A", "\n", "%0D", "\r", "%3A", ":", "%2C", ",", "%25", "%")
	for _, m := range githubLine.FindAllStringSubmatch(text, -1) {
		message, _, _ := strings.Cut(unescape.Replace(m[6]), "\n")
		out = append(out, finding{unescape.Replace(m[2]), number(t, m[3]), number(t, m[4]), unescape.Replace(m[5]), severityOf(m[1]), message})
	}
	return out
}

// All forms tell the same.
func TestFormsAgree(t *testing.T) {
	r := resultOf("dir/a, 100% b.yaml", faulty)
	var text, asJSON, sarif, github strings.Builder
	for _, err := range []error{WriteText(&text, r), WriteJSON(&asJSON, r), WriteSARIF(&sarif, r, "v1"), WriteGitHub(&github, r)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := sorted(readJSON(t, asJSON.String()))
	if r.Summary.Errors == 0 || r.Summary.Warnings == 0 || r.Summary.Notes == 0 || len(want) != len(r.Diagnostics) {
		t.Fatalf("the example has %s", r.Summary)
	}
	for form, got := range map[string][]finding{
		"text": readText(t, text.String()), "sarif": readSARIF(t, sarif.String()), "github": readGitHub(t, github.String()),
	} {
		if got := sorted(got); !slices.Equal(got, want) {
			t.Errorf("%s has\n%s\nand JSON\n%s", form, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	for form, got := range map[string]string{"text": text.String(), "github": github.String()} {
		if !strings.Contains(got, "seats: "+r.Summary.String()+"\n") {
			t.Errorf("%s has no summary:\n%s", form, got)
		}
	}
}

// GitHub shows ten annotations of a kind. The others must not vanish.
func TestGitHubShowsTen(t *testing.T) {
	r := resultOf("a.yaml", many())
	var b strings.Builder
	if err := WriteGitHub(&b, r); err != nil {
		t.Fatal(err)
	}
	if n := len(readGitHub(t, b.String())); n != 10 {
		t.Errorf("%d annotations\n%s", n, b.String())
	}
	want := "4 warnings more than GitHub shows: a.yaml:21:33 [APF006], a.yaml:22:33 [APF006], a.yaml:23:33 [APF006], a.yaml:24:33 [APF006]\n"
	if !strings.Contains(b.String(), want) {
		t.Errorf("want the line\n%sin\n%s", want, b.String())
	}
}

// A finding keeps its fingerprint when lines are added above it, and no two have the
// same.
func TestFingerprints(t *testing.T) {
	prints := func(text string) []string {
		var b strings.Builder
		if err := WriteSARIF(&b, resultOf("a.yaml", text), ""); err != nil {
			t.Fatal(err)
		}
		var log sarifLog
		if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range log.Runs[0].Results {
			out = append(out, r.PartialFingerprints[fingerprintName])
		}
		return out
	}
	before, after := prints(faulty), prints("# one\n# two\n"+faulty)
	if !slices.Equal(before, after) {
		t.Errorf("fingerprints changed:\n%q\n%q", before, after)
	}
	slices.Sort(before)
	if len(slices.Compact(before)) != len(after) || len(after) < 5 {
		t.Errorf("%d fingerprints of %d findings", len(before), len(after))
	}
}

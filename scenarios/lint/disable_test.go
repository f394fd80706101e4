package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

// flawed is a file with the same two findings in each of two objects of a list. The marks
// are where comments can be put in.
const flawed = `@top
apiVersion: v1
kind: List
items:
@above1
- apiVersion: flowcontrol.apiserver.k8s.io/v1@first1
  kind: FlowSchema
  metadata: {name: one}
  spec:
    priorityLevelConfiguration: {name: workload-low}
    rules:
    - subjects: [{kind: User, user: {name: one}}]
      resourceRules:
      - verbs: [list]
@line1
        apiGroups: ["", apps/v1]@end1
        resources: [pods]
        namespaces: ["*"]
- apiVersion: flowcontrol.apiserver.k8s.io/v1
  kind: FlowSchema
  metadata: {name: two}
  spec:
    priorityLevelConfiguration: {name: workload-low}
    rules:
    - subjects: [{kind: User, user: {name: two}}]
      resourceRules:
      - verbs: [list]
        apiGroups: ["", apps/v1]
        resources: [pods]
        namespaces: ["*"]
`

// found lists the codes of a file with comments at some marks, in order.
func found(t *testing.T, comments map[string]string, disable ...scenarios.Code) string {
	t.Helper()
	text := flawed
	for _, mark := range []string{"top", "above1", "first1", "line1", "end1"} {
		comment := comments[mark]
		if comment == "" && !strings.Contains("first1 end1", mark) {
			text = strings.Replace(text, "@"+mark+"\n", "", 1)
			continue
		}
		text = strings.Replace(text, "@"+mark, comment, 1)
	}
	var codes []string
	for _, d := range check(t, text, release.Last, disable...) {
		codes = append(codes, strings.TrimPrefix(string(d.Code), "APF0"))
	}
	return strings.Join(codes, " ")
}

func TestDisable(t *testing.T) {
	for _, c := range []struct{ name, mark, comment, want string }{
		{"nothing", "", "", "07 12 07 12"},
		{"at the end of the line", "end1", "  # apfsim:disable=APF007", "12 07 12"},
		{"above the line", "line1", "        # apfsim:disable=APF007", "12 07 12"},
		{"further above, within a comment", "line1", "  # apfsim:disable=APF007\n  # the version is for people", "12 07 12"},
		{"another code", "end1", "  # apfsim:disable=APF012", "07 12 07 12"},
		{"on the first line of the object", "first1", "  # apfsim:disable=APF012", "07 07 12"},
		{"above the object", "above1", "# apfsim:disable=APF012,APF007", "07 12"},
		{"several, with blanks", "above1", "#apfsim:disable= APF012 , APF007", "07 12"},
		{"above the list, which is no object", "top", "# apfsim:disable=APF012", "07 12 07 12"},
		{"an unknown code", "top", "# apfsim:disable=APF12", "31 07 12 07 12"},
		{"an unknown code beside one", "end1", "  # apfsim:disable=APF007,APF999", "31 12 07 12"},
		{"another word", "top", "# apfsim:ignore=APF012", "31 07 12 07 12"},
		{"no code", "top", "# apfsim:disable", "31 07 12 07 12"},
		{"no comment at all", "top", "xapfsim: '#apfsim:disable'", "07 12 07 12"},
		{"the advice on comments itself", "top", "# apfsim:disable=APF12,APF031", "07 12 07 12"},
	} {
		if got := found(t, map[string]string{c.mark: c.comment}); got != c.want {
			t.Errorf("%s: want %q, got %q", c.name, c.want, got)
		}
	}
	if got, want := found(t, nil, "APF007", "APF001"), "12 12"; got != want {
		t.Errorf("disabled by the caller: want %q, got %q", want, got)
	}
}

// Errors cannot be disabled, and warnings of the reading can.
func TestDisableErrors(t *testing.T) {
	const text = `# apfsim:disable=FC004,FC007
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: one}
spec: {priorityLevelConfiguration: {name: missing}}
---
# apfsim:disable=FC004
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: two}
spec: {matchingPrecedence: 1, priorityLevelConfiguration: {name: workload-low}}
`
	var got []string
	for _, d := range check(t, text, release.Last, "FC004", "APF003") {
		got = append(got, string(d.Code))
	}
	if !slices.Equal(got, []string{"FC004"}) {
		t.Errorf("got %q", got)
	}
}

// Manifests of other kinds are no reason to fail a strict check.
func TestForeignKindsAreANote(t *testing.T) {
	got := check(t, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n---\n"+Catalogue()[0].Good, release.Last)
	if len(got) != 1 || got[0].Code != scenarios.CodeForeign || got[0].Severity != scenarios.Note {
		t.Errorf("got\n%s", got)
	}
}

// FuzzCheck gives advice on any text without a panic, each at a place in its file.
func FuzzCheck(f *testing.F) {
	for _, r := range Catalogue() {
		f.Add(r.Bad, uint8(r.Release.Minor), uint16(stock))
		f.Add(r.Good, uint8(r.Release.Minor), uint16(1))
	}
	f.Add(flawed, uint8(28), uint16(7))
	f.Fuzz(func(t *testing.T, text string, minor uint8, seats uint16) {
		if len(text) > 1<<14 {
			return
		}
		v := release.Version{Minor: release.First.Minor + int(minor)%(release.Last.Minor-release.First.Minor+1), Patch: release.Newest}
		cfg, faults := scenarios.LoadConfiguration([]string{"a.yaml"}, memory{"a.yaml": text},
			scenarios.ConfigurationOptions{Release: v, KeepSound: true})
		o := Options{Seats: 1 + int(seats)}
		for _, d := range CheckWith(cfg, faults, o) {
			if d.File != "a.yaml" || d.Line < 1 || d.Column < 1 || d.Line > strings.Count(text, "\n")+2 {
				t.Errorf("%s: %s", d.Position(), d.Message)
			}
		}
	})
}

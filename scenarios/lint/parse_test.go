package lint

import (
	"strings"
	"testing"
)

// A rule file that says less or more than it should is refused: the program would not
// start.
func TestParseRule(t *testing.T) {
	const good = "# Title\nseverity: note\nrelease: 1.23\n\nText.\n\nMore.\n\nBad:\n\n```yaml\na: 1\n```\n\nGood:\n\n```yaml\na: 2\n```\n"
	r, err := parseRule("APF999", good)
	if err != nil {
		t.Fatal(err)
	}
	if r.Code != "APF999" || r.Title != "Title" || r.Severity != "note" || r.Text != "Text.\n\nMore." ||
		r.Bad != "a: 1\n" || r.Good != "a: 2\n" || r.Release.String() != "1.23" {
		t.Errorf("got %+v", r)
	}
	for _, change := range [][3]string{
		{"# Title", "Title", "no heading"},
		{"severity: note", "severity: error", `severity is "error"`},
		{"severity: note", "grade: note", "unknown setting"},
		{"release: 1.23", "release: 2.0", "no version"},
		{"Bad:\n\n", "", "no bad example"},
		{"```yaml\na: 1", "a: 1", "does not begin"},
		{"a: 1\n```\n", "a: 1\n", "no good example"},
		{"Good:\n\n", "", "no good example"},
		{"a: 2\n```\n", "a: 2\n", "no end"},
		{"a: 2\n```\n", "a: 2\n```\nmore", "more after"},
	} {
		_, err := parseRule("APF999", strings.Replace(good, change[0], change[1], 1))
		if err == nil || !strings.Contains(err.Error(), change[2]) {
			t.Errorf("%q for %q: %v, want %q", change[1], change[0], err, change[2])
		}
	}
}

// The table of resources holds what the rules rely on.
func TestResources(t *testing.T) {
	if n := len(resources()); n < 80 {
		t.Fatalf("%d resources", n)
	}
	for _, c := range []struct {
		group, name string
		namespaced  bool
		sub         string
	}{
		{"", "pods", true, "status"}, {"", "nodes", false, "status"}, {"apps", "deployments", true, "scale"},
		{"coordination.k8s.io", "leases", true, ""}, {"policy", "podsecuritypolicies", false, ""}, {"", "serviceaccounts", true, "token"},
	} {
		found := named(c.name, []string{c.group})
		if len(found) != 1 || found[0].group != c.group || found[0].namespaced != c.namespaced {
			t.Errorf("%s of %q: %+v", c.name, c.group, found)
			continue
		}
		if _, ok := found[0].sub(c.sub); ok != (c.sub != "") {
			t.Errorf("%s/%s: %v", c.name, c.sub, ok)
		}
	}
}

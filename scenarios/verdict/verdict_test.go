package verdict

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestTable holds the verdicts of package scenarios against the table. The lines of the
// table are those of kube-apiserver: to change one, change or add the object, and let the
// test of conformance/kubernetes write what the server says:
//
//	cd conformance/kubernetes && go test -run '^TestTable$' . -rewrite
//
// A command is an object; see Expand. Its arguments:
//
//	version=V    the version of the object, in all releases
//	name=N       the name of the object
//	lenient      fields that do not exist are left out, as with kubectl --validate=ignore
//	show         prints the spec, defaulted and converted to v1
func TestTable(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var faults []string // reported at the end: a file is not left at its first one
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var version, name string
			d.MaybeScanArgs(t, "version", &version)
			d.MaybeScanArgs(t, "name", &name)
			cases, err := Expand(d.Cmd, version, name, d.Input)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			want := Parse(d.Expected)
			check := func(c Case, want string) {
				c.Lenient = d.HasArg("lenient")
				if got := Ours(c).Line(d.HasArg("show")); got != want {
					faults = append(faults, fmt.Sprintf("%s: 1.%d: %s, want %s, of\n%s", d.Pos, c.Minor, got, want, c.Text))
				}
			}
			for i, c := range cases {
				check(c, want[i])
			}
			for _, minor := range slices.Sorted(maps.Keys(alike)) {
				i := slices.Index(Minors, alike[minor])
				check(Case{Minor: minor, Text: cases[i].Text}, want[i])
			}
			return d.Expected
		})
		for _, f := range faults {
			t.Error(f)
		}
	})
}

func TestParse(t *testing.T) {
	lines := []string{"a", "a", "b: x", "a", "accepted {}", "accepted {}", "c", "c", "c", "c"}
	text := Render(lines)
	if want := "1.20 to 1.22: a\n1.25: b: x\n1.26: a\n1.28 to 1.29: accepted {}\n1.31 to 1.37: c\n"; text != want {
		t.Errorf("Render: %q, want %q", text, want)
	}
	if got := Parse(text); !slices.Equal(got, lines) {
		t.Errorf("Parse: %q, want %q", got, lines)
	}
	same := slices.Repeat([]string{"refused: spec"}, len(Minors))
	if got := Parse(Render(same)); !slices.Equal(got, same) {
		t.Errorf("Parse: %q, want %q", got, same)
	}
}

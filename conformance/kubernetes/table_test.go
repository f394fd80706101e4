package kubernetes

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/apfsim/apfsim/scenarios/verdict"
)

var releases = flag.String("releases", strconv.Itoa(inProcess), "the minor numbers of the releases to ask, or all")

// TestMain silences the server's code, which logs what it finds odd about odd objects.
func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

// asked returns the servers that the flag names.
func asked(t *testing.T) []server {
	t.Helper()
	minors := verdict.Minors
	if *releases != "all" {
		minors = nil
		for word := range strings.SplitSeq(*releases, ",") {
			minor, err := strconv.Atoi(strings.TrimPrefix(word, "1."))
			if err != nil || !slices.Contains(verdict.Minors, minor) {
				t.Fatalf("-releases: %q is none of %v", word, verdict.Minors)
			}
			minors = append(minors, minor)
		}
	}
	var servers []server
	for _, minor := range minors {
		s, err := build(minor, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	return servers
}

const tableFolder = "../../scenarios/verdict/testdata"

// casesOf are the cases of one command of the table, in the order of verdict.Minors.
func casesOf(t *testing.T, d *datadriven.TestData) []verdict.Case {
	t.Helper()
	var version, name string
	d.MaybeScanArgs(t, "version", &version)
	d.MaybeScanArgs(t, "name", &name)
	cases, err := verdict.Expand(d.Cmd, version, name, d.Input)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	for i := range cases {
		cases[i].Lenient = d.HasArg("lenient")
	}
	return cases
}

// tableCases are all cases of the table for one release.
func tableCases(t *testing.T, minor int) []verdict.Case {
	t.Helper()
	var out []verdict.Case
	datadriven.Walk(t, tableFolder, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out = append(out, casesOf(t, d)[slices.Index(verdict.Minors, minor)])
			return d.Expected
		})
	})
	return out
}

// TestTable holds the table of package scenarios/verdict against the code of kubernetes:
// of 1.37, or of the releases that the flag names. Run with -rewrite to write the table
// anew; the lines of releases that are not asked stay.
func TestTable(t *testing.T) {
	answers := map[verdict.Case]verdict.Verdict{}
	for _, s := range asked(t) {
		cases := tableCases(t, s.minor)
		verdicts, err := askAll(s, cases)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			answers[c] = verdicts[i]
		}
	}
	datadriven.Walk(t, tableFolder, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			lines := verdict.Parse(d.Expected)
			for i, c := range casesOf(t, d) {
				if v, ok := answers[c]; ok {
					lines[i] = v.Line(d.HasArg("show"))
				}
			}
			return verdict.Render(lines)
		})
	})
}

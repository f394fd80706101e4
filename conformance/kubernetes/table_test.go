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

// TestTable holds the table of package scenarios/verdict against the code of kubernetes:
// of 1.37, or of the releases that the flag names. Run with -rewrite to write the table
// anew; the lines of releases that are not asked stay.
func TestTable(t *testing.T) {
	servers := asked(t)
	datadriven.Walk(t, "../../scenarios/verdict/testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var version, name string
			d.MaybeScanArgs(t, "version", &version)
			d.MaybeScanArgs(t, "name", &name)
			cases, err := verdict.Expand(d.Cmd, version, name, d.Input)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			lines := verdict.Parse(d.Expected)
			for _, s := range servers {
				i := slices.Index(verdict.Minors, s.minor)
				verdicts, err := askAll(s, []string{cases[i].Text})
				if err != nil {
					d.Fatalf(t, "1.%d: %v\n%s", s.minor, err, cases[i].Text)
				}
				lines[i] = verdicts[0].Line(d.HasArg("show"))
			}
			return verdict.Render(lines)
		})
	})
}

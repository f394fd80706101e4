package lint

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

// memory gives files that are in memory.
type memory map[string]string

var _ scenarios.Files = memory{}

func (m memory) fs() fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range m {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func (m memory) ReadFile(name string) ([]byte, error)       { return fs.ReadFile(m.fs(), name) }
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(m.fs(), name) }
func (m memory) Open(name string) (io.ReadCloser, error)    { return m.fs().Open(name) }

// stock is the size of a server with the default flags.
const stock = 600

// check lints one file on a stock server.
func check(t *testing.T, text string, v release.Version, disable ...scenarios.Code) scenarios.Diagnostics {
	t.Helper()
	cfg, faults := scenarios.LoadConfiguration([]string{"a.yaml"}, memory{"a.yaml": text},
		scenarios.ConfigurationOptions{Release: v, KeepSound: true})
	return CheckWith(cfg, faults, Options{Seats: stock, Disable: disable})
}

// marks lists the advice that the comments of an example ask for.
func marks(text string) []string {
	var out []string
	for i, line := range strings.Split(text, "\n") {
		if _, code, ok := strings.Cut(line, "# <- "); ok {
			out = append(out, fmt.Sprintf("%d %s", i+1, code))
		}
	}
	return out
}

// given lists the advice of diagnostics as marks does.
func given(ds scenarios.Diagnostics) []string {
	var out []string
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%d %s", d.Line, d.Code))
	}
	return out
}

// The bad example of each rule gets its advice where it says so, and the good one none.
func TestExamples(t *testing.T) {
	for _, r := range Catalogue() {
		t.Run(string(r.Code), func(t *testing.T) {
			got := check(t, r.Bad, r.Release)
			want := marks(r.Bad)
			if len(want) == 0 || slices.ContainsFunc(want, func(m string) bool { return !strings.HasSuffix(m, " "+string(r.Code)) }) {
				t.Fatalf("the bad example asks for %q", want)
			}
			if !slices.Equal(given(got), want) {
				t.Errorf("the bad example: want %q, got\n%s", want, got)
			}
			if !slices.ContainsFunc(got, func(d scenarios.Diagnostic) bool { return d.Severity == r.Severity }) {
				t.Errorf("the bad example gets nothing of the severity %s", r.Severity)
			}
			if got := check(t, r.Good, r.Release); len(got) > 0 {
				t.Errorf("the good example:\n%s", got)
			}
		})
	}
}

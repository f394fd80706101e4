package lint

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apfsim/apfsim/scheduler/release"
)

// The files in testdata/field have the shapes of configurations that people publish. Each
// gets the advice that its comments ask for; most get none.
func TestField(t *testing.T) {
	names, err := filepath.Glob("testdata/field/*.yaml")
	if err != nil || len(names) < 12 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := check(t, string(text), release.Last)
			if want := marks(string(text)); !slices.Equal(given(got), want) {
				t.Errorf("want %q, got\n%s", want, got)
			}
		})
	}
}

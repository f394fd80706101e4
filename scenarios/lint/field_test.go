package lint

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler/release"
)

// The files in testdata/field have the shapes of configurations that people publish. Each
// gets the advice that its comments ask for; most get none.
func TestField(t *testing.T) {
	names, err := fs.Glob(os.DirFS("testdata/field"), "*.yaml")
	if err != nil || len(names) < 12 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/field/" + name)
			if err != nil {
				t.Fatal(err)
			}
			for minor := 29; minor <= release.Last.Minor; minor++ { // those that serve v1
				got := check(t, string(text), release.Version{Minor: minor, Patch: release.Newest})
				if want := marks(string(text)); !slices.Equal(given(got), want) {
					t.Errorf("1.%d: want %q, got\n%s", minor, want, got)
				}
			}
		})
	}
}

// The built-in objects of every release get nothing, as a cluster of that release gives
// them.
func TestBuiltInObjects(t *testing.T) {
	names, err := fs.Glob(os.DirFS("../builtin"), "*.yaml")
	if err != nil || len(names) < 5 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		v, err := release.Parse(strings.TrimSuffix(name, ".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile("../builtin/" + name)
		if err != nil {
			t.Fatal(err)
		}
		// In a server of 20 seats most of them are too small, which nobody can help.
		for _, seats := range []int{stock, 20} {
			cfg, faults := scenarios.LoadConfiguration([]string{name}, memory{name: string(text)},
				scenarios.ConfigurationOptions{Release: v, NoDefaults: seats != stock})
			got := CheckWith(cfg, faults, Options{Seats: seats, Disable: []scenarios.Code{"APF032"}})
			if len(got) > 0 {
				t.Errorf("%s with %d seats\n%s", v, seats, got)
			}
		}
	}
}

package mutation

import (
	"context"
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	// What is built here is no import of this package. These are, so that a result is
	// not taken from the cache after a change of what it is about.
	_ "github.com/apfsim/apfsim/conformance/fullrun"
	_ "github.com/apfsim/apfsim/conformance/queueset/ours"
)

var (
	operations = flag.Int("ops", 400_000, "random operations that a wrong queue set may survive")
	patience   = flag.Duration("patience", time.Minute, "time that a mutant may take; one that hangs has been noticed")
	update     = flag.Bool("update", false, "rewrite MUTANTS.md")
)

// repository returns the root of the repository.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestTable holds that MUTANTS.md is the list of the mutants.
func TestTable(t *testing.T) {
	if *update {
		if err := os.WriteFile("MUTANTS.md", []byte(Table()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("MUTANTS.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Table() {
		t.Error("MUTANTS.md is not up to date: go test ./mutation -run Table -update")
	}
}

// TestEditsApply holds that the text which each mutant changes is there, once. It builds
// nothing, so it is quick to ask after a change of the product.
func TestEditsApply(t *testing.T) {
	root := repository(t)
	for _, g := range append(slices.Clone(QueueSet), Others...) {
		for i := range g.Mutants {
			if _, err := g.Mutants[i].patched(root); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestQueueSet builds all wrong queue sets, and one that is right, and drives them
// through random operations: each wrong one must differ from upstream, the right one
// must not.
func TestQueueSet(t *testing.T) {
	right := Mutant{Name: "right"}
	mutants := []Mutant{right}
	for _, g := range QueueSet {
		mutants = append(mutants, g.Mutants...)
	}
	o := newOverlay(repository(t), t.TempDir())
	path, err := o.program(mutants)
	if err != nil {
		t.Fatal(err)
	}
	list, err := o.write()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "built")
	if out, err := command(t, ".", 10*time.Minute, "go", "build", "-overlay", list, "-o", program, path); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	t.Run("each", func(t *testing.T) {
		for _, m := range mutants {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				out, err := command(t, ".", *patience, program, m.Name, strconv.Itoa(*operations))
				judge(t, &m, out, err, m.Name != right.Name)
			})
		}
	})
}

// TestOthers builds each of the other mutants with the test that has to fail. The same
// tests have to pass as things are.
func TestOthers(t *testing.T) {
	tests := map[string][]string{} // patterns by package
	for _, g := range Others {
		for _, m := range g.Mutants {
			tests[m.Package] = append(tests[m.Package], m.Run)
			t.Run(m.Name, func(t *testing.T) {
				root := repository(t)
				patched, err := m.patched(root)
				if err != nil {
					t.Fatal(err)
				}
				o := newOverlay(root, t.TempDir())
				for path, text := range patched {
					if err := o.put(path, text); err != nil {
						t.Fatal(err)
					}
				}
				list, err := o.write()
				if err != nil {
					t.Fatal(err)
				}
				out, err := test(t, &m, "-overlay", list)
				judge(t, &m, out, err, true)
			})
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(tests)) {
		t.Run("right in "+strings.TrimLeft(pkg, "./"), func(t *testing.T) {
			right := Mutant{Package: pkg, Run: strings.Join(tests[pkg], "|")}
			if strings.Contains(right.Run, "/") { // levels of subtests cannot be joined
				right.Run = tests[pkg][0]
			}
			out, err := test(t, &right)
			judge(t, &right, out, err, false)
		})
	}
}

// test runs the test that has to notice a mutant. It fails if there is no such test or
// it does not build.
func test(t *testing.T, m *Mutant, flags ...string) (string, error) {
	t.Helper()
	dir, pkg := "..", m.Package
	if rest, outside := strings.CutPrefix(m.Package, "../"); outside {
		dir, pkg = repository(t), "./"+rest
	}
	args := append([]string{"test", "-vet=off", "-run", m.Run}, flags...)
	out, err := command(t, dir, 5*time.Minute, "go", append(args, pkg)...)
	if err != nil && !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:") {
		t.Fatalf("%s in %s did not run:\n%s", m.Run, m.Package, out)
	}
	if strings.Contains(out, "no tests to run") {
		t.Fatalf("no test matches %s in %s", m.Run, m.Package)
	}
	return out, err
}

// judge decides whether a mutant was noticed: by a difference, a panic, or because it
// went on for ever.
func judge(t *testing.T, m *Mutant, out string, err error, wrong bool) {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil && wrong:
		t.Errorf("nothing noticed that this is wrong: %s", m.Detail)
	case err != nil && !wrong:
		t.Errorf("what is right does not pass: %v\n%s", err, out)
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, context.DeadlineExceeded):
		t.Errorf("did not run: %v", err)
	case err != nil:
		t.Logf("noticed: %s", firstLine(out))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// command runs a command in a folder and returns what it prints.
func command(t *testing.T, dir string, limit time.Duration, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	// Failures are wanted here; none of them should be kept and tried again.
	c.Env = append(os.Environ(), "RAPID_NOFAILFILE=1")
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(out), err
}

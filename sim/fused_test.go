package sim_test

import (
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestNothingIsFused compiles the simulator for arm64 and holds that no multiplication has been
// fused with an addition, as package workload does for itself: figures would be rounded
// otherwise there. The remedy is float64(x*y) around the product.
func TestNothingIsFused(t *testing.T) {
	// Without this go test would take the result from its cache: on amd64 it is the same program,
	// fused or not.
	for _, pattern := range []string{"*.go", "*/*.go"} {
		files, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no sources", err)
		}
		for _, f := range files {
			if _, err := os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	build := exec.Command("go", "build", "-gcflags=-S", "./...")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	if !regexp.MustCompile(`\bFMULD\b`).Match(listing) {
		t.Fatal("the listing has no multiplication: it is not what this test thinks it is")
	}
	for _, line := range regexp.MustCompile(`(?m)^.*\bFN?M(ADD|SUB)[SD]\b.*$`).FindAll(listing, -1) {
		t.Errorf("a fused operation: %s", line)
	}
}

package workload_test

import (
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// fused matches the instructions of arm64 that multiply and add with one rounding.
var fused = regexp.MustCompile(`(?m)^.*\bFN?M(ADD|SUB)[SD]\b.*$`)

// TestNothingIsFused compiles the package for arm64 and holds that no multiplication has
// been fused with an addition: the samples would differ from those of amd64 in their last
// bits. The remedy is float64(x*y) around the product.
func TestNothingIsFused(t *testing.T) {
	// Without this go test would take the result from its cache: on amd64 it is the same program,
	// fused or not.
	for _, pattern := range []string{"*.go", "detmath/*.go"} {
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
	build := exec.Command("go", "build", "-gcflags=-S", ".", "./detmath")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	if !regexp.MustCompile(`\bFMULD\b`).Match(listing) {
		t.Fatal("the listing has no multiplication: it is not what this test thinks it is")
	}
	for _, line := range fused.FindAll(listing, -1) {
		t.Errorf("a fused operation: %s", line)
	}
}

package scenarios

import (
	"os"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/scheduler"
)

// checkLoaded holds what Load promises for any input: a scenario or errors, never both
// nor neither; every fault with a position; and a scenario that can be run and expanded.
func checkLoaded(t *testing.T, name string, files memoryFiles) {
	s, ds := Load(name, files)
	if (s == nil) != ds.HasErrors() {
		t.Fatalf("scenario %t, errors %t:\n%s", s != nil, ds.HasErrors(), ds)
	}
	for _, d := range ds {
		if d.File == "" || d.Line < 1 || d.Column < 1 || d.Message == "" || d.Code == "" || d.Severity == "" {
			t.Fatalf("incomplete diagnostic: %+v", d)
		}
	}
	if s == nil {
		return
	}
	if _, err := scheduler.New(s.Config.Scheduler, 0); err != nil {
		t.Fatalf("the scheduler refuses what was accepted: %v", err)
	}
	for i := range s.Config.Populations {
		if errs := s.Config.Populations[i].Validate(); len(errs) > 0 {
			t.Fatalf("the workload refuses what was accepted: %v", errs)
		}
	}
	expanded, err := s.Expanded()
	if err != nil {
		t.Fatal(err)
	}
	sameRun(t, s, files, expanded)
}

const scripts = "testdata/scripts/"

// seeds are the inputs of the scripts: every fault that is known.
func seeds(f *testing.F, commands ...string) {
	entries, err := os.ReadDir(scripts)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(scripts + e.Name())
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\n\n") {
			input, _, _ := strings.Cut(part, "\n----")
			for strings.HasPrefix(input, "#") {
				_, input, _ = strings.Cut(input, "\n")
			}
			command, input, _ := strings.Cut(input, "\n")
			for _, c := range commands {
				if strings.HasPrefix(command, c) {
					f.Add(unescaped(input))
				}
			}
		}
	}
}

func FuzzLoad(f *testing.F) {
	seeds(f, "load", "expand")
	f.Fuzz(func(t *testing.T, text string) {
		checkLoaded(t, "fuzz.yaml", memoryFiles{
			"fuzz.yaml":    text,
			"t.jsonl":      `{"arrival":"0s","duration":"1ms","user":"alice","verb":"get","resource":"pods"}`,
			"apf/a.yaml":   "",
			"incident.txt": "",
		})
	})
}

func FuzzPatch(f *testing.F) {
	seeds(f, "patch")
	f.Fuzz(func(t *testing.T, text string) {
		checkLoaded(t, "fuzz.yaml", memoryFiles{
			"fuzz.yaml": patched(text),
			"t.jsonl":   `{"arrival":"0s","duration":"1ms","user":"alice","verb":"get","resource":"pods"}`,
		})
	})
}

func FuzzManifests(f *testing.F) {
	seeds(f, "manifest", "file")
	f.Fuzz(func(t *testing.T, text string) {
		checkLoaded(t, "fuzz.yaml", memoryFiles{
			"fuzz.yaml": patched("flowControl: {manifests: [apf.yaml]}"),
			"apf.yaml":  text,
		})
	})
}

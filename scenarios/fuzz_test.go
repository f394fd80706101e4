package scenarios

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	if err := s.Config.Validate(); err != nil {
		t.Fatalf("the simulation refuses what was accepted: %v", err)
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
	for _, text := range seedTexts(f, commands...) {
		f.Add(text)
	}
}

func seedTexts(f *testing.F, commands ...string) []string {
	var out []string
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
					out = append(out, unescaped(input))
				}
			}
		}
	}
	return out
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
	seeds(f, "patch", "operations")
	f.Fuzz(func(t *testing.T, text string) {
		checkLoaded(t, "fuzz.yaml", memoryFiles{
			"fuzz.yaml": patched(text),
			"t.jsonl":   `{"arrival":"0s","duration":"1ms","user":"alice","verb":"get","resource":"pods"}`,
		})
	})
}

func FuzzManifests(f *testing.F) {
	seeds(f, "manifest", "file", "configuration")
	f.Fuzz(func(t *testing.T, text string) {
		checkLoaded(t, "fuzz.yaml", memoryFiles{
			"fuzz.yaml": patched("flowControl: {manifests: [apf.yaml]}"),
			"apf.yaml":  text,
		})
	})
}

// readings are ways to read a manifest, of which a byte selects one: each row of the
// table of releases, in each strictness, stored or not.
func readings(selector uint16) ConfigurationOptions {
	row := &apiReleases[int(selector>>4)%len(apiReleases)]
	return ConfigurationOptions{
		Release: row.from, Validate: []Validate{ValidateStrict, ValidateWarn, ValidateIgnore}[int(selector&3)%3],
		Stored: selector&4 != 0, NoDefaults: selector&8 != 0,
	}
}

// FuzzConfiguration reads manifests of all versions as all releases do.
func FuzzConfiguration(f *testing.F) {
	for _, text := range seedTexts(f, "manifest", "file", "configuration") {
		f.Add(text, uint16(len(text)*37))
		f.Add(text, uint16(len(apiReleases)-1)<<4)
	}
	f.Fuzz(func(t *testing.T, text string, selector uint16) {
		checkConfiguration(t, text, readings(selector))
	})
}

// checkConfiguration holds what LoadConfiguration promises for any input.
func checkConfiguration(t *testing.T, text string, o ConfigurationOptions) {
	files := memoryFiles{"apf.yaml": text}
	c, ds := LoadConfiguration([]string{"apf.yaml"}, files, o)
	if (c == nil) != ds.HasErrors() {
		t.Fatalf("configuration %t, errors %t:\n%s", c != nil, ds.HasErrors(), ds)
	}
	for _, d := range ds {
		if d.File == "" || d.Line < 1 || d.Column < 1 || d.Message == "" || d.Code == "" || d.Severity == "" {
			t.Fatalf("incomplete diagnostic: %+v", d)
		}
	}
	kept := o
	kept.KeepSound = true
	sound, _ := LoadConfiguration([]string{"apf.yaml"}, files, kept)
	if sound == nil {
		t.Fatal("no configuration in spite of KeepSound")
	}
	runs(t, sound)
	if c == nil {
		return
	}
	runs(t, c)
	for _, l := range c.Levels {
		if l.At("spec").File == "" || l.APIVersion == "" {
			t.Fatalf("level %s has no place or no version", l.Object.Name)
		}
	}
	// What is fine for the strictest reader is the same for all others.
	if o.Validate != ValidateStrict || c.Scenario != "" {
		return
	}
	for _, other := range []ConfigurationOptions{{Release: o.Release, Validate: ValidateWarn}, {Release: o.Release, Validate: ValidateIgnore}, {Release: o.Release, Stored: true}} {
		other.NoDefaults = o.NoDefaults
		again, ds := LoadConfiguration([]string{"apf.yaml"}, files, other)
		if again == nil {
			t.Fatalf("read by %+v, refused by %+v:\n%s", o, other, ds)
		}
		if diff := cmp.Diff(c.Compile(), again.Compile()); diff != "" && !o.Stored {
			t.Fatalf("%+v reads it otherwise than %+v:\n%s", other, o, diff)
		}
	}
}

// runs checks that the scheduler takes a configuration.
func runs(t *testing.T, c *Configuration) {
	cfg := c.Compile()
	cfg.Seats, cfg.RequestTimeout = 600, DefaultRequestTimeout
	if _, err := scheduler.New(cfg, 0); err != nil {
		t.Fatalf("the scheduler refuses what was accepted: %v", err)
	}
}

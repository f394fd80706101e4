package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchemasAreCurrent holds that the published schemas are those of the code.
func TestSchemasAreCurrent(t *testing.T) {
	for _, s := range schemas {
		p := newProcess(nil, "schema", s.name)
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("%s: exit code %d: %s", s.name, code, p.err.String())
		}
		file := "../../docs/schema/" + s.name + ".json"
		if *update {
			if err := os.WriteFile(file, []byte(p.out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		published, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(published) != p.out.String() {
			t.Errorf("%s is not what apfsim schema %s prints: go test ./cmd/apfsim -run TestSchemasAreCurrent -update", file, s.name)
		}
	}
}

// published compiles a published schema.
func published(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestResultsAreValid holds that the results of runs of all kinds are valid, alone and as a list,
// and that others are not.
func TestResultsAreValid(t *testing.T) {
	t.Parallel()
	s := published(t, "result")
	for _, names := range [][]string{
		{"elephants-and-mice"}, {"webhook-deadlock"}, {"one-server-of-three"}, {"lists-never-read"}, {"new-level-under-load"},
		{"nodes-retry-at-once"}, {"slow-backend"}, {"daemonset-restart"}, {"leader-election", "events-on-catch-all"},
	} {
		if len(names) == 1 && names[0] != "webhook-deadlock" && names[0] != "new-level-under-load" && !*everything {
			continue
		}
		p := newProcess(nil, slices.Concat([]string{"run", "-o", "json", "--replications", "2"}, names)...)
		run(&p.Process)
		text := p.out.String()
		if err := validJSON(s, text); err != nil {
			t.Errorf("%s: %v", names, err)
		}
		for old, faulty := range map[string]string{ // Any order: each is by itself.
			`"seed": 1`:          `"seed": -1`,
			`"kind": "Result"`:   `"kind": "Results"`,
			`"configuration": "`: `"configuratoin": "`,
			`"partial": false`:   `"partial": "no"`,
			`"end": "`:           `"end": "1 minute and `,
			`"metric": "wait"`:   `"metric": "waits"`,
		} {
			if changed := strings.Replace(text, old, faulty, 1); changed == text || validJSON(s, changed) == nil {
				t.Errorf("%s: %s is valid, or was not there", names, faulty)
			}
		}
	}
}

func validJSON(s *jsonschema.Schema, text string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestSchemaVerb(t *testing.T) {
	newProcess(nil, "schema").want(t, exitOK, "scenario     a scenario file", "")
	newProcess(nil, "schema", "-o", "name").want(t, exitOK, "scenario\nresult\nsweep\nproposal\ncalibration\ngrowth\n", "")
	newProcess(nil, "schema", "results").want(t, exitUsage, "", "there is no schema \"results\"\n  hint: did you mean result?")
	newProcess(nil, "schema", "result", "scenario").want(t, exitUsage, "", "schema takes one name, got 2")
	newProcess(nil, "schema", "result", "-o", "name").want(t, exitUsage, "", "a schema is JSON")
}

// TestDocumentsAreValid holds that what sweep, tune, plan and calibrate write is valid, with and without an answer, and that
// others are not.
func TestDocumentsAreValid(t *testing.T) {
	t.Parallel()
	knob := "server.maxRequestsInflight=20,40"
	files := maps.Clone(oneLevel)
	files["seen.jsonl"] = `{"arrival":"9s","duration":"500ms","user":"u","groups":["system:authenticated"],"verb":"get","resource":"pods","code":200}`
	for _, x := range []struct {
		schema string
		code   int
		words  []string
		old    map[string]string
	}{
		{"sweep", exitOK, []string{"sweep", "mmc.yaml", "--vary", knob, "--vary", "priorityLevel/work.queues=1,0"},
			map[string]string{`"kind": "Sweep"`: `"kind": "Sweeps"`, `"kind": "Study"`: `"kind": "Sweep"`, `"point": 0`: `"point": "0"`}},
		{"proposal", exitOK, []string{"tune", "mmc.yaml", "--goal", "wait{client=work,p99} < 1s", "--goal", "seats < 100", "--knob", knob},
			map[string]string{`"kind": "Proposal"`: `"kind": "Proposals"`, `"verdict": "met"`: `"verdict": 1`, `"outcome": `: `"outcom": `}},
		{"proposal", exitExpectation, []string{"tune", "mmc.yaml", "--goal", "wait{client=work,p99} < 1ns", "--knob", "server.maxRequestsInflight=20,21"},
			map[string]string{`"obstacles": [`: `"obstacle": [`}},
		{"calibration", exitOK, []string{"calibrate", "mmc.yaml", "--observed", "seen.jsonl"},
			map[string]string{`"kind": "Calibration"`: `"kind": "Calibrations"`, `"verdict": "differs"`: `"verdict": "differ"`, `"recorded": `: `"record": `}},
		{"growth", exitOK, []string{"plan", "mmc.yaml", "--goal", "wait{client=work,p99} < 100ms", "--factors", "1,2", "--refine", "0"},
			map[string]string{`"kind": "Growth"`: `"kind": "Grown"`, `"status": "`: `"status": "in`}},
	} {
		words := append(slices.Clone(x.words), "--replications", "2", "--set", "duration=10s", "-o", "json")
		p := newProcess(files, words...)
		if code := run(&p.Process); code != x.code {
			t.Errorf("apfsim %q: exit code %d: %s", words, code, p.err.String())
			continue
		}
		s, text := published(t, x.schema), p.out.String()
		if err := validJSON(s, text); err != nil {
			t.Errorf("apfsim %q: %v", words, err)
		}
		for old, faulty := range x.old { // Any order: each is by itself.
			if changed := strings.Replace(text, old, faulty, 1); changed == text || validJSON(s, changed) == nil {
				t.Errorf("%s: %s is valid, or was not there", x.schema, faulty)
			}
		}
	}
}

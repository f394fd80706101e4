package fullrun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/apfsim/apfsim/conformance/quiet"
)

// vectorFolder holds recorded runs of kube-apiserver; its README tells what each
// one exercises.
const vectorFolder = "../testdata/vectors"

func TestMain(m *testing.M) {
	// Upstream logs every adjustment, and every request that no schema matches.
	quiet.Klog()
	os.Exit(m.Run())
}

// vector is one recorded run.
type vector struct {
	folder   string
	scenario *Scenario
	trace    []Request
	want     []Decision
}

func loadVector(t *testing.T, folder string) *vector {
	t.Helper()
	v := &vector{folder: folder}
	sc, file, err := LoadScenario(folder)
	if err != nil {
		t.Fatal(err)
	}
	v.scenario = sc
	if v.trace, err = ReadTrace(file); err != nil {
		t.Fatal(err)
	}
	if v.want, err = ReadDecisions(filepath.Join(folder, "decisions.jsonl.gz")); err != nil {
		t.Fatal(err)
	}
	if len(v.trace) == 0 || len(v.trace) != len(v.want) {
		t.Fatalf("%s: %d requests and %d decisions", folder, len(v.trace), len(v.want))
	}
	return v
}

// TestVectors compares every vector in three ways. The real server has to take the
// recorded decisions again: that proves the harness. The simulator has to take them
// too. And the two have to agree on what a recorded log does not tell: flows, queues,
// reasons, and the demand statistics and limits of every adjustment.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectorFolder, "*", scenarioFile))
	if err != nil || len(files) != 13 {
		t.Fatalf("found %d vectors, want 13 (%v)", len(files), err)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			v := loadVector(t, folder)
			ours := v.simulate(t)
			if d := CompareDecisions(v.want, ours.Decisions); d != "" {
				t.Errorf("the simulator against the record: %s", d)
			}
			if testing.Short() && len(v.trace) > 12_000 {
				return
			}
			real := Replay(t, v.scenario, v.trace)
			if d := CompareDecisions(v.want, real.Decisions); d != "" {
				t.Errorf("the real server against the record: %s", d)
			}
			if d := CompareRuns(real, &ours.Run); d != "" {
				t.Errorf("the simulator against the real server: %s", d)
			}
		})
	}
}

func (v *vector) simulate(t *testing.T) *Simulated {
	t.Helper()
	config, err := LoadOurs(v.folder)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := Simulate(config)
	if err != nil {
		t.Fatal(err)
	}
	return ours
}

package fullrun

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/klog/v2"
)

// vectorFolder holds recorded runs of kube-apiserver; its README tells what each
// one exercises.
const vectorFolder = "../testdata/vectors"

func TestMain(m *testing.M) {
	// Upstream logs every adjustment, and every request that no schema matches.
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	for _, quiet := range []string{"-logtostderr=false", "-stderrthreshold=FATAL"} {
		if err := flags.Parse([]string{quiet}); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

// vector is one recorded run.
type vector struct {
	name     string
	scenario *Scenario
	trace    []Request
	want     []Decision
}

func loadVectors(t *testing.T) []vector {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(vectorFolder, "*", "scenario.yaml"))
	if err != nil || len(files) != 13 {
		t.Fatalf("found %d vectors, want 13 (%v)", len(files), err)
	}
	var vectors []vector
	for _, file := range files {
		vectors = append(vectors, loadVector(t, filepath.Dir(file)))
	}
	return vectors
}

func loadVector(t *testing.T, folder string) vector {
	t.Helper()
	v := vector{name: filepath.Base(folder)}
	sc, traceFile, err := LoadScenario(folder)
	if err != nil {
		t.Fatal(err)
	}
	v.scenario = sc
	if v.trace, err = ReadTrace(traceFile); err != nil {
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

// TestReplayReproducesVectors proves the harness: decisions that were recorded
// elsewhere, from the same release of kube-apiserver, come out again.
func TestReplayReproducesVectors(t *testing.T) {
	for _, v := range loadVectors(t) {
		if testing.Short() && len(v.trace) > 12_000 {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			run := Replay(t, v.scenario, v.trace)
			if d := CompareDecisions(v.want, run.Decisions); d != "" {
				t.Error(d)
			}
		})
	}
}

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/scenarios"
)

const fingerprintFile = "testdata/fingerprints.txt"

const fingerprintHead = `# The fingerprint of the trajectory of each library scenario: one line for each seed and
# replication. It changes if any request of the run is decided differently, or at another
# time. To rewrite this file: go test ./cmd/apfsim -run TestFingerprints -update
# Commit a change only with the reason in the commit message.
#
# scenario  seed  replication  fingerprint
`

// oneOfEachKind are scenarios that have all parts of the simulation between them.
var oneOfEachKind = []string{
	"elephants-and-mice", "leader-election", "list-storm", "new-level-under-load", "one-user-floods-global-default",
	"one-server-of-three", "relist-after-restart-paced", "three-servers-one-hot", "webhook-deadlock",
}

// fewFingerprints tells that some scenarios of the library are enough.
func fewFingerprints() bool { return testing.Short() || !*everything && !*update }

// fingerprintSeeds are the seeds in the table: the one that scenarios have, and another.
var fingerprintSeeds = []uint64{1, 2}

// judgeLibrary holds a scenario of the library against what it expects.
func judgeLibrary(t *testing.T, s *scenarios.Scenario, result *reports.Result) {
	if len(s.Expect) == 0 {
		t.Errorf("%s expects nothing", s.Name)
	}
	for i := range result.Expectations {
		if j := &result.Expectations[i]; j.Outcome != reports.Passed {
			t.Errorf("%s: %s", s.Name, j)
		}
	}
}

// TestFingerprints holds the table of fingerprints, which is the same on every
// platform, and that the scenarios, which have the seed 1, meet their expectations. With
// -short it runs the first replication of that seed alone, of one scenario of each kind: for
// builds that check invariants, which cost more than the runs.
func TestFingerprints(t *testing.T) {
	t.Parallel() // with TestDocs, the other one that takes long
	var b strings.Builder
	seeds := fingerprintSeeds
	if fewFingerprints() {
		seeds = seeds[:1]
	} else {
		b.WriteString(fingerprintHead)
	}
	for _, entry := range scenarios.Library() {
		if fewFingerprints() && !slices.Contains(oneOfEachKind, entry.Name) {
			continue
		}
		for _, seed := range seeds {
			s, ok := scenarios.LoadLibrary(entry.Name)
			if !ok {
				t.Fatalf("%s is not in the library", entry.Name)
			}
			s.Config.Seed = seed
			if fewFingerprints() {
				s.Replications = 1
			}
			p := newProcess(nil)
			r := &runner{process: &p.Process, workers: 2}
			result, err := r.one(s)
			if err != nil {
				t.Fatal(err)
			}
			if seed == 1 && !fewFingerprints() {
				judgeLibrary(t, s, result)
			}
			for _, replication := range result.Replications {
				fmt.Fprintf(&b, "%s  %d  %d  %s\n", entry.Name, seed, replication.Replication, replication.Fingerprint)
			}
		}
	}
	if *update {
		if err := os.WriteFile(fingerprintFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(fingerprintFile)
	if err != nil {
		t.Fatal(err)
	}
	if fewFingerprints() {
		for line := range strings.Lines(b.String()) {
			if !strings.Contains(string(want), line) {
				t.Errorf("the fingerprint %q differs from %s", line, fingerprintFile)
			}
		}
		return
	}
	if got := b.String(); got != string(want) {
		t.Errorf("the fingerprints differ from %s; got\n%s", fingerprintFile, got)
	}
}

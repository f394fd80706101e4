package kubernetes

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/apfsim/apfsim/scenarios/verdict"
)

var (
	mutants = flag.Int("mutants", 3000, "how many mutated objects to compare, for each release")
	seed    = flag.Uint64("seed", 1, "of the first mutated object")
)

// seeds are the objects of the table for one release, as JSON.
func seeds(t *testing.T, minor int) []tree {
	t.Helper()
	var out []tree
	datadriven.Walk(t, "../../scenarios/verdict/testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var version, name string
			d.MaybeScanArgs(t, "version", &version)
			d.MaybeScanArgs(t, "name", &name)
			cases, err := verdict.Expand(d.Cmd, version, name, d.Input)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			for _, c := range cases {
				if c.Minor != minor {
					continue
				}
				if text, err := sent(c.Text); err == nil {
					if object, err := decodeTree(text); err == nil {
						out = append(out, object)
					}
				}
			}
			return d.Expected
		})
	})
	return out
}

// addressed tells whether an object says that it is of the group and of one of its kinds.
// What becomes of other objects is no question of flow control.
func addressed(object tree) bool {
	fields, mapping := object.(map[string]any)
	version, text := fields["apiVersion"].(string)
	return mapping && text && strings.HasPrefix(version, "flowcontrol.apiserver.k8s.io/v") &&
		(fields["kind"] == "FlowSchema" || fields["kind"] == "PriorityLevelConfiguration")
}

// mutantsOf returns the texts of the mutants of one release, and their seeds.
func mutantsOf(t *testing.T, minor int) (texts []string, numbers []uint64) {
	t.Helper()
	from := seeds(t, minor)
	for n := *seed; n < *seed+uint64(*mutants); n++ {
		r := rand.New(rand.NewPCG(n, 0))
		object := newMutator(r).mutate(from[r.IntN(len(from))])
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatalf("seed %d: %v", n, err)
		}
		if addressed(object) {
			texts, numbers = append(texts, string(text)+"\n"), append(numbers, n)
		}
	}
	return texts, numbers
}

// TestMutants compares the verdicts on objects that are changed at random: the outcome, the
// fields of the faults, and the spec if there are none.
func TestMutants(t *testing.T) {
	for _, s := range asked(t) {
		texts, numbers := mutantsOf(t, s.minor)
		wants, err := askAll(s, texts)
		if err != nil {
			t.Fatal(err)
		}
		counts, differ := map[verdict.Outcome]int{}, 0
		for i, want := range wants {
			counts[want.Outcome]++
			got := verdict.Ours(verdict.Case{Minor: s.minor, Text: texts[i]})
			if got.Line(true) == want.Line(true) {
				continue
			}
			if differ++; differ <= 20 {
				t.Errorf("1.%d, seed %d:\n  scenarios says  %s\n  kubernetes says %s\n  of %s", s.minor, numbers[i], got.Line(true), want.Line(true), texts[i])
			}
		}
		t.Logf("1.%d: %d objects, %v, %d differ", s.minor, len(texts), counts, differ)
		for _, o := range []verdict.Outcome{verdict.Accepted, verdict.Refused, verdict.Strict, verdict.Unreadable} {
			if counts[o] < *mutants/50 {
				t.Errorf("1.%d: only %d of %d mutants are %s; the mutations are worth little", s.minor, counts[o], *mutants, o)
			}
		}
	}
}

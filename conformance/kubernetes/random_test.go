package kubernetes

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

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
	for _, c := range tableCases(t, minor) {
		text, err := sent(c.Text)
		if err != nil {
			continue // nothing that could be mutated
		}
		object, err := decodeTree(text)
		if err != nil {
			t.Fatalf("%v, of %s", err, text)
		}
		out = append(out, object)
	}
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

// mutantsOf returns cases of the mutants of one release, and the seed of each. Every other
// one comes from a lenient client, for which unknown fields are no fault.
func mutantsOf(t *testing.T, minor int) (cases []verdict.Case, numbers []uint64) {
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
			cases = append(cases, verdict.Case{Minor: minor, Text: string(text) + "\n", Lenient: n%2 == 0})
			numbers = append(numbers, n)
		}
	}
	return cases, numbers
}

// TestMutants compares the verdicts on objects that are changed at random: the outcome, the
// fields of the faults, and the spec if there are none.
func TestMutants(t *testing.T) {
	for _, s := range asked(t) {
		cases, numbers := mutantsOf(t, s.minor)
		wants, err := askAll(s, cases)
		if err != nil {
			t.Fatal(err)
		}
		counts, differ := map[verdict.Outcome]int{}, 0
		for i, want := range wants {
			counts[want.Outcome]++
			if want.Outcome == verdict.NotServed && cases[i].Lenient {
				continue // the code that reads the version is gone, and scenarios keeps it
			}
			got := verdict.Ours(cases[i])
			if got.Line(true) == want.Line(true) {
				continue
			}
			if differ++; differ <= 20 {
				t.Errorf("1.%d, seed %d, lenient %t:\n  scenarios says  %s\n  kubernetes says %s\n  of %s", s.minor, numbers[i], cases[i].Lenient,
					got.Line(true), want.Line(true), cases[i].Text)
			}
		}
		t.Logf("1.%d: %d objects, %v, %d differ", s.minor, len(cases), counts, differ)
		for _, o := range []verdict.Outcome{verdict.Accepted, verdict.Refused, verdict.Strict, verdict.Unreadable} {
			if counts[o] < *mutants/50 {
				t.Errorf("1.%d: only %d of %d mutants are %s; the mutations are worth little", s.minor, counts[o], *mutants, o)
			}
		}
	}
}

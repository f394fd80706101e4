package kubernetes

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apfsim/apfsim/conformance/kubernetes/oracle/judge"
	"github.com/apfsim/apfsim/scenarios/verdict"
)

const autoUpdate = "apf.kubernetes.io/autoupdate-spec"

// annotations are values that strconv.ParseBool takes, and some that it does not.
var annotations = []tree{nil, "true", "false", "T", "0", "1", "TRUE", "yes", "", "tru"}

// change makes a variant of a built-in object as somebody may have left it in a cluster.
func change(r *rand.Rand, object map[string]any) {
	metadata := object["metadata"].(map[string]any)
	spec := object["spec"].(map[string]any)
	delete(metadata, "annotations")
	if a := annotations[r.IntN(len(annotations))]; a != nil {
		metadata["annotations"] = map[string]any{autoUpdate: a}
	}
	delete(metadata, "generation")
	if g := r.IntN(4); g > 0 {
		metadata["generation"] = g
	}
	switch r.IntN(5) {
	case 0: // as it was
	case 1:
		metadata["name"] = fmt.Sprintf("%s-%d", metadata["name"], r.IntN(3))
		delete(spec, "exempt")
		if object["kind"] == "PriorityLevelConfiguration" {
			spec["type"], spec["limited"] = "Limited", map[string]any{"limitResponse": map[string]any{"type": "Reject"}}
		} else {
			spec["matchingPrecedence"] = 2 + r.IntN(5000)
		}
	default:
		changeSpec(r, spec)
	}
}

// changeSpec changes a spec so that it stays valid.
func changeSpec(r *rand.Rand, spec map[string]any) {
	limited, isLimited := spec["limited"].(map[string]any)
	switch {
	case isLimited:
		for _, shares := range []string{"assuredConcurrencyShares", "nominalConcurrencyShares"} {
			if limited[shares] != nil {
				limited[shares] = 1 + r.IntN(50)
			}
		}
	case spec["type"] == "Exempt":
		delete(spec, "exempt")
		if r.IntN(3) > 0 {
			spec["exempt"] = map[string]any{"nominalConcurrencyShares": r.IntN(50), "lendablePercent": r.IntN(101)}
		}
	default:
		spec["matchingPrecedence"] = 2 + r.IntN(5000)
	}
}

// builtins are the objects that the server of a release puts into an empty cluster.
func builtins(t *testing.T, s server) []json.RawMessage {
	t.Helper()
	replies, err := s.ask([]judge.Question{{}})
	if err != nil {
		t.Fatal(err)
	}
	if replies[0].Ensured.Fault != "" {
		t.Fatal(replies[0].Ensured.Fault)
	}
	return replies[0].Ensured.Objects
}

// variant is a cluster of a few changed objects.
func variant(t *testing.T, n uint64, from []json.RawMessage) []json.RawMessage {
	t.Helper()
	r := rand.New(rand.NewPCG(n, 1))
	objects := map[string]json.RawMessage{}
	for range 1 + r.IntN(4) {
		object, err := decodeTree(from[r.IntN(len(from))])
		if err != nil {
			t.Fatal(err)
		}
		fields := object.(map[string]any)
		change(r, fields)
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		objects[fmt.Sprint(fields["kind"], fields["metadata"].(map[string]any)["name"])] = text
	}
	var out []json.RawMessage
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		out = append(out, objects[key])
	}
	return out
}

// lines are the objects of a cluster, one a line: kind, name and spec in version v1.
func lines(minor int, objects []json.RawMessage) ([]string, error) {
	var out []string
	for _, text := range objects {
		var o struct {
			Kind     string
			Metadata struct{ Name string }
		}
		if err := json.Unmarshal(text, &o); err != nil {
			return nil, fmt.Errorf("decode %s: %w", text, err)
		}
		spec, err := specV1(minor, text)
		if err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%s %s %s", o.Kind, o.Metadata.Name, spec))
	}
	slices.Sort(out)
	return out, nil
}

// TestEnsurer compares what is in force after the server has looked after the built-in
// objects: which of the changed ones it restores, keeps and deletes, and which it adds. An
// empty cluster shows that the built-in objects are those of the release.
func TestEnsurer(t *testing.T) {
	for _, s := range asked(t) {
		if s.minor < 22 {
			continue // no ensurer that can be called
		}
		from := builtins(t, s)
		questions := []judge.Question{{}}
		for n := range uint64(*mutants / 10) {
			questions = append(questions, judge.Question{Cluster: variant(t, *seed+n, from)})
		}
		replies, err := s.ask(questions)
		if err != nil {
			t.Fatal(err)
		}
		differ := 0
		for i, r := range replies {
			want, err := lines(s.minor, r.Ensured.Objects)
			if err != nil || r.Ensured.Fault != "" {
				t.Fatal(err, r.Ensured.Fault)
			}
			var text strings.Builder
			for _, o := range questions[i].Cluster {
				fmt.Fprintf(&text, "---\n%s\n", o)
			}
			if got := verdict.InForce(s.minor, text.String()); !slices.Equal(got, want) {
				if differ++; differ <= 10 {
					t.Errorf("1.%d, seed %d:\n%s  of\n%s", s.minor, *seed+uint64(i)-1, difference(got, want), text.String())
				}
			}
		}
		t.Logf("1.%d: %d clusters, %d differ", s.minor, len(replies), differ)
	}
}

// difference lists the lines that only one side has.
func difference(ours, theirs []string) string {
	var out strings.Builder
	for _, line := range ours {
		if !slices.Contains(theirs, line) {
			fmt.Fprintf(&out, "  scenarios:  %s\n", line)
		}
	}
	for _, line := range theirs {
		if !slices.Contains(ours, line) {
			fmt.Fprintf(&out, "  kubernetes: %s\n", line)
		}
	}
	return out.String()
}

package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scheduler/release"
)

// TestAPIReleases prints the table of releases in another form, which is easier to hold
// against the release notes: what each minor release and each patch that matters has.
func TestAPIReleases(t *testing.T) {
	var got strings.Builder
	for _, text := range []string{
		"1.20.0", "1.20.6", "1.20.7", "1.20", "1.21.0", "1.21.1", "1.21", "1.22", "1.23", "1.24", "1.25", "1.26", "1.27", "1.28.4",
		"1.28", "1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37",
	} {
		v, err := release.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		a := apiOf(v)
		fmt.Fprintf(&got, "%s %s %s", text, a.builtin, strings.Join(a.served, "+"))
		for _, trait := range []struct {
			name string
			has  bool
		}{{"keeps", a.keepsSuggested}, {"borrowing", a.borrowing}, {"exempt", a.freeExempt}, {"tells0", a.tellsZero}, {"takes0", a.takesZero}, {"declares", a.declares}} {
			if trait.has {
				got.WriteString(" " + trait.name)
			}
		}
		got.WriteString("\n")
	}
	want := `1.20.0 1.20.0 v1beta1
1.20.6 1.20.0 v1beta1
1.20.7 1.20.7 v1beta1
1.20 1.20.7 v1beta1
1.21.0 1.20.0 v1beta1
1.21.1 1.20.7 v1beta1
1.21 1.20.7 v1beta1
1.22 1.22 v1beta1 keeps
1.23 1.22 v1beta1+v1beta2 keeps
1.24 1.24 v1beta1+v1beta2 keeps
1.25 1.24 v1beta1+v1beta2 keeps
1.26 1.26 v1beta2+v1beta3 keeps borrowing
1.27 1.26 v1beta2+v1beta3 keeps borrowing
1.28.4 1.28 v1beta2+v1beta3 keeps borrowing exempt
1.28 1.28 v1beta2+v1beta3 keeps borrowing exempt
1.29 1.28 v1beta3+v1 keeps borrowing exempt tells0
1.30 1.28 v1beta3+v1 keeps borrowing exempt tells0 takes0
1.31 1.28 v1beta3+v1 keeps borrowing exempt tells0 takes0
1.32 1.28 v1 keeps borrowing exempt tells0 takes0
1.33 1.28 v1 keeps borrowing exempt tells0 takes0
1.34 1.34 v1 keeps borrowing exempt tells0 takes0
1.35 1.34 v1 keeps borrowing exempt tells0 takes0
1.36 1.34 v1 keeps borrowing exempt tells0 takes0
1.37 1.34 v1 keeps borrowing exempt tells0 takes0 declares
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

// TestServedBy says for each version which releases serve it, as people would.
func TestServedBy(t *testing.T) {
	for version, want := range map[string]string{
		"v1alpha1": "", "v1beta1": "1.20 to 1.25", "v1beta2": "1.23 to 1.28", "v1beta3": "1.26 to 1.31", "v1": "1.29 and later",
	} {
		if got := servedBy(version); got != want {
			t.Errorf("%s: want %q, got %q", version, want, got)
		}
	}
}

// TestVersions: all minor releases are known, and the default is one of them.
func TestVersions(t *testing.T) {
	got := Versions()
	if got[0] != "1.20" || got[len(got)-1] != "1.37" || len(got) != 18 || !slices.Contains(got, DefaultVersion) {
		t.Errorf("%v", got)
	}
}

// TestSourceOfOlderVersion: the places of an object are found by the paths of v1, and by
// those that its file has.
func TestSourceOfOlderVersion(t *testing.T) {
	files := memoryFiles{"a.yaml": "apiVersion: flowcontrol.apiserver.k8s.io/v1beta2\nkind: PriorityLevelConfiguration\nmetadata: {name: a}\n" +
		"spec:\n  type: Limited\n  limited:\n    limitResponse: {type: Reject}\n    assuredConcurrencyShares: 7\n"}
	c, ds := LoadConfiguration([]string{"a.yaml"}, files, ConfigurationOptions{Release: release.Version{Minor: 25}})
	if c == nil {
		t.Fatal(ds)
	}
	i := slices.IndexFunc(c.Levels, func(l PriorityLevel) bool { return l.Object.Name == "a" })
	l := c.Levels[i]
	for _, path := range []string{"spec.limited.nominalConcurrencyShares", "spec.limited.assuredConcurrencyShares"} {
		if at := l.At(path); !l.Has(path) || at != (Place{"a.yaml", 8, 31}) {
			t.Errorf("%s: there %t, at %s", path, l.Has(path), at)
		}
	}
	if l.Has("spec.limited.lendablePercent") || l.At("spec.limited.lendablePercent") != (Place{"a.yaml", 6, 3}) {
		t.Errorf("lendablePercent: at %s", l.At("spec.limited.lendablePercent"))
	}
	if got := l.Written("spec.limited.nominalConcurrencyShares"); got != "spec.limited.assuredConcurrencyShares" {
		t.Errorf("written as %s", got)
	}
	if l.APIVersion != "flowcontrol.apiserver.k8s.io/v1beta2" || l.BuiltIn || *l.Object.Spec.Limited.NominalConcurrencyShares != 7 {
		t.Errorf("%+v", l)
	}
	for _, other := range c.Levels {
		if other.Object.Name != "a" && !other.BuiltIn {
			t.Errorf("%s is not built in", other.Object.Name)
		}
	}
}

func TestParseValidate(t *testing.T) {
	for text, want := range map[string]Validate{"strict": ValidateStrict, "true": ValidateStrict, "warn": ValidateWarn, "ignore": ValidateIgnore, "false": ValidateIgnore} {
		if got, err := ParseValidate(text); got != want || err != nil {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	if _, err := ParseValidate("lax"); err == nil || err.Error() != `"lax" is none of strict, warn, ignore` {
		t.Errorf("lax: %v", err)
	}
}

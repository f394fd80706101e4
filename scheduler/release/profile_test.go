package release

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// flatten lists the fields of a profile, each as "Estimate.Lists 2".
func flatten(prefix string, v reflect.Value, into map[string]string) {
	if v.Kind() != reflect.Struct {
		into[prefix] = fmt.Sprint(v.Interface())
		return
	}
	for i := range v.NumField() {
		flatten(strings.TrimPrefix(prefix+"."+v.Type().Field(i).Name, "."), v.Field(i), into)
	}
}

// difference tells in what two profiles differ, as "Estimate.Lists 1 -> 2".
func difference(before, after Profile) []string {
	a, b := map[string]string{}, map[string]string{}
	flatten("", reflect.ValueOf(before), a)
	flatten("", reflect.ValueOf(after), b)
	var all []string
	for name := range a {
		if a[name] != b[name] {
			all = append(all, name+" "+a[name]+" -> "+b[name])
		}
	}
	slices.Sort(all)
	return all
}

// parse reads a version that is right.
func parse(t *testing.T, text string) Version {
	t.Helper()
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestDifferences tells for each release, and for each patch that brought something back,
// in what it differs from the one before it: in that and nothing else. These are the facts
// of a page on what changed from release to release, which the table is written after, in
// the other direction.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          []string
	}{
		{"1.20", "1.21", []string{"Waiting.ClientTimeouts false -> true"}},
		{"1.21", "1.22", []string{"WatchesBypass true -> false"}},
		{"1.22", "1.23.0", []string{"Estimate.Lists 0 -> 1", "Estimate.UnknownWidest false -> true", "Queues.SeatSeconds false -> true", "Waiting.Expired ejected -> cancelled"}},
		{"1.23.5", "1.23.6", []string{"Estimate.UnknownWidest true -> false"}},
		{"1.23.12", "1.23.13", []string{"Estimate.NamedOneSeat false -> true"}},
		{"1.23.15", "1.23.16", []string{"Queues.BoundsExpiry false -> true"}},
		{"1.23", "1.24", []string{"Estimate.Writes false -> true"}},
		{"1.24.6", "1.24.7", []string{"Estimate.NamedOneSeat false -> true"}},
		{"1.24.9", "1.24.10", []string{"Queues.BoundsExpiry false -> true"}},
		{"1.24", "1.25.12", nil},
		{"1.25.2", "1.25.3", []string{"Estimate.NamedOneSeat false -> true"}},
		{"1.25.5", "1.25.6", []string{"Queues.BoundsExpiry false -> true"}},
		{"1.25.12", "1.25.13", []string{"Borrowing.BoundsWidth false -> true"}},
		{"1.25.12", "1.26.7", []string{"Borrowing.Lending false -> true", "Borrowing.NaNStays false -> true", "Estimate.TokensSilent false -> true"}},
		{"1.26.7", "1.26.8", []string{"Borrowing.BoundsWidth false -> true"}},
		{"1.26.12", "1.26.13", []string{"Borrowing.NaNStays true -> false"}},
		{"1.26", "1.27", []string{"Estimate.Storage 0 -> 1"}},
		{"1.27.4", "1.27.5", []string{"Borrowing.BoundsWidth false -> true"}},
		{"1.27.9", "1.27.10", []string{"Borrowing.NaNStays true -> false"}},
		{"1.27", "1.28.4", []string{"AdaptiveRetryAfter false -> true", "Borrowing.Exempt 0 -> 1", "Borrowing.NaNStays false -> true", "ExemptBypasses true -> false"}},
		{"1.28.4", "1.28.5", []string{"Waiting.Expired cancelled -> time-out", "Waiting.LimitedAtArrival true -> false"}},
		{"1.28.5", "1.28.6", []string{"Borrowing.NaNStays true -> false"}},
		{"1.28", "1.29", nil},
		{"1.29", "1.30", nil},
		{"1.30", "1.31", []string{"Borrowing.Exempt 1 -> 2", "Cache.RejectsUnready false -> true", "Estimate.ConsistentReads false -> true", "Estimate.Storage 1 -> 2"}},
		{"1.31", "1.32", []string{"Estimate.Watches 0 -> 1"}},
		{"1.32", "1.33", []string{"Cache.AdaptiveRetryAfter false -> true", "Estimate.Storage 2 -> 3", "Estimate.Watches 1 -> 0"}},
		{"1.33", "1.34", []string{"Estimate.Lists 1 -> 2", "Estimate.NamedOneSeat true -> false", "Estimate.Watches 0 -> 1"}},
		{"1.34", "1.35", []string{"Estimate.Watches 1 -> 2"}},
		{"1.35", "1.36", nil},
		{"1.36", "1.37", nil},
	} {
		got := difference(For(parse(t, c.before)), For(parse(t, c.after)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("from %s to %s (-want +got):\n%s", c.before, c.after, diff)
		}
	}
}

// TestPatchesOfAMinorRelease: a patch never takes back what an earlier one of the same minor
// release has, and only those change anything that the history names.
func TestPatchesOfAMinorRelease(t *testing.T) {
	named := map[Version]bool{}
	for _, change := range history {
		for _, v := range change.Since {
			named[v] = true
		}
	}
	for minor := First.Minor; minor <= Last.Minor; minor++ {
		for patch := 1; patch < 30; patch++ {
			v := Version{minor, patch}
			diff := difference(For(Version{minor, patch - 1}), For(v))
			if len(diff) > 0 != named[v] {
				t.Errorf("%s differs from the patch before in %v; named in the history: %t", v, diff, named[v])
			}
		}
		if diff := difference(For(Version{minor, 29}), For(Version{minor, Newest})); len(diff) > 0 {
			t.Errorf("the newest patch of 1.%d differs from 1.%d.29 in %v", minor, minor, diff)
		}
	}
}

// TestHistoryIsInOrder: the table can be read as a history, and each change changes
// something in the first version that has it.
func TestHistoryIsInOrder(t *testing.T) {
	var p Profile
	last := First
	for _, c := range history {
		first := c.Since[len(c.Since)-1]
		if oldest := c.Since[0]; oldest.Less(First) || first.Less(Version{last.Minor, 0}) && len(c.Since) == 1 {
			t.Errorf("%q is of %s, after a change of %s", c.Text, first, last)
		}
		if len(c.Since) == 1 {
			last = first
		}
		before := p
		c.apply(&p)
		if p == before {
			t.Errorf("%q (%s) changes nothing", c.Text, first)
		}
		if !strings.HasSuffix(c.Text, ".") || strings.Contains(c.Text, "  ") {
			t.Errorf("%q is no sentence", c.Text)
		}
	}
	if p != For(Last) {
		t.Errorf("all changes together are not the newest release: %v", difference(p, For(Last)))
	}
}

func TestForPanicsOutsideOfWhatIsKnown(t *testing.T) {
	for _, v := range []Version{{19, 0}, {38, 0}, {}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("For(%s) did not panic", v)
				}
			}()
			For(v)
		}()
	}
}

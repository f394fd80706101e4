package vary

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestParse holds which values texts stand for.
func TestParse(t *testing.T) {
	for text, want := range map[string][]string{
		"a=1":                              {"1"},
		"a=32,64,128":                      {"32", "64", "128"},
		"a= 1 , 2":                         {"1", "2"},
		"a=200..800:300":                   {"200", "500", "800"},
		"a=200..799:300":                   {"200", "500"},
		"a=3..5":                           {"3", "4", "5"},
		"a=-2..0":                          {"-2", "-1", "0"},
		"a=7..7":                           {"7"},
		"a=0.1..0.5:0.1":                   {"0.1", "0.2", "0.3", "0.4", "0.5"},
		"a=0.10..0.30:0.10":                {"0.1", "0.2", "0.3"},
		"a=1..2:0.25":                      {"1", "1.25", "1.5", "1.75", "2"},
		"a=1s..2s:500ms":                   {"1s", "1.5s", "2s"},
		"a=100ms..1s:*2":                   {"100ms", "200ms", "400ms", "800ms"},
		"a=1m..2m:30s":                     {"1m0s", "1m30s", "2m0s"},
		"a=16..512:*2":                     {"16", "32", "64", "128", "256", "512"},
		"a=1..10:*1.5":                     {"1", "2", "3", "5", "8"},
		"a=8,16..64:*2,100":                {"8", "16", "32", "64", "100"},
		"a={poisson: {rate: 3}}":           {"{poisson: {rate: 3}}"},
		"a={a: 1, b: [1, 2]},{a: 2}":       {"{a: 1, b: [1, 2]}", "{a: 2}"},
		`a="x, y",'z, {'`:                  {`"x, y"`, `'z, {'`},
		`a="1..3"`:                         {`"1..3"`},
		"clients[0].count=1,2":             {"1", "2"},
		"priorityLevel/x.shares=10..20:10": {"10", "20"},
	} {
		f, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if path, _, _ := strings.Cut(text, "="); f.Path != path {
			t.Errorf("%s: the path is %q", text, f.Path)
		}
		if diff := cmp.Diff(want, f.Values); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestParseFaults holds what is refused, and where the fault lies.
func TestParseFaults(t *testing.T) {
	for _, c := range []struct {
		text    string
		at      int
		message string
	}{
		{"", 0, "a path and its values are needed"},
		{"a", 0, "a path and its values are needed"},
		{"=1", 0, "a path and its values are needed"},
		{"a=", 2, "a value is missing here"},
		{"a=1,,2", 4, "a value is missing here"},
		{"a=1,2,", 6, "a value is missing here"},
		{"a=1,2,1", 6, "the value 1 is there twice"},
		{"a=1..3,2", 7, "the value 2 is there twice"},
		{"a=5..3", 5, "the range ends at 3, before it begins"},
		{"a=x..3", 2, `"x" is no number`},
		{"a=1..y", 5, `"y" is no number`},
		{"a=1..3:z", 7, `"z" is no number`},
		{"a=1..3:0", 7, "a step has to be more than 0"},
		{"a=1..3:-1", 7, "a step has to be more than 0"},
		{"a=0.1..0.5", 10, "a range of numbers that are not whole needs a step"},
		{"a=1s..5s", 8, "a range of numbers that are not whole needs a step"},
		{"a=1s..5:1s", 6, `"5" is no duration, and the range begins with one`},
		{"a=1s..5s:2", 9, `"2" is no duration, and the range begins with one`},
		{"a=1..5s", 5, `"5s" is no number`},
		{"a=1..8:*1", 7, `"1" is nothing to multiply with`},
		{"a=1..8:*x", 7, `"x" is nothing to multiply with`},
		{"a=0..8:*2", 2, "a range that is multiplied has to begin above 0"},
		{"a=1e3..2e3", 2, `"1e3" is no number`},
		{"a=0..100000", 11, "the range has more than 10000 values"},
		{"a=9,0..9999,20000..20001", 4, "the value 9 is there twice"},
		{"a=1ns..2ns:*1.00001", 11, "the range has more than 10000 values"},
		{"a=0..9999,20000..20001", 10, "these are more than 10000 values"},
	} {
		_, err := Parse(c.text)
		fault := (*Fault)(nil)
		if !errors.As(err, &fault) {
			t.Errorf("%q: %v is no fault", c.text, err)
			continue
		}
		if fault.Text != c.text || fault.At != c.at || fault.Message != c.message {
			t.Errorf("%q: at %d of %q: %q\nwant at %d: %q", c.text, fault.At, fault.Text, fault.Message, c.at, c.message)
		}
	}
}

// TestRangesAreExact holds that steps of decimals hit every value, as adding floating-point numbers
// does not.
func TestRangesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, step, n := rapid.IntRange(0, 1000).Draw(t, "from"), rapid.IntRange(1, 50).Draw(t, "step"), rapid.IntRange(1, 200).Draw(t, "n")
		hundredths := func(i int) string { return fmt.Sprintf("%d.%02d", i/100, i%100) }
		f, err := Parse(fmt.Sprintf("a=%s..%s:%s", hundredths(from), hundredths(from+step*(n-1)), hundredths(step)))
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Values) != n {
			t.Fatalf("%d values, want %d", len(f.Values), n)
		}
		for i, v := range f.Values {
			want := strings.TrimSuffix(strings.TrimRight(hundredths(from+i*step), "0"), ".")
			if v != want {
				t.Fatalf("value %d is %s, want %s", i, v, want)
			}
		}
	})
}

// drawn are some factors with different numbers of values.
func drawn(t *rapid.T) []Factor {
	var out []Factor
	for i := range rapid.IntRange(1, 4).Draw(t, "factors") {
		f := Factor{Path: fmt.Sprintf("path%d", i)}
		for v := range rapid.IntRange(1, 7).Draw(t, "values") {
			f.Values = append(f.Values, fmt.Sprint(v))
		}
		out = append(out, f)
	}
	return out
}

// TestGridCoversAll holds that a grid has every combination once, the last factor changing fastest.
func TestGridCoversAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factors := drawn(t)
		d := Grid(factors)
		want := 1
		for i := range factors {
			want *= len(factors[i].Values)
		}
		if n, ok := Size(factors); n != want || !ok || len(d.Points) != want {
			t.Fatalf("%d points, size %d, want %d", len(d.Points), n, want)
		}
		for i := 1; i < len(d.Points); i++ {
			if slices.Compare(d.Points[i-1], d.Points[i]) >= 0 {
				t.Fatalf("point %d is %v after %v", i, d.Points[i], d.Points[i-1])
			}
		}
		for _, p := range d.Points {
			for f, v := range p {
				if v < 0 || v >= len(factors[f].Values) {
					t.Fatalf("the point %v", p)
				}
			}
		}
	})
}

// TestLatin holds that each value is as often there as any other, give or take one, that of more values than
// points no stratum is left out, and that the seed alone decides.
func TestLatin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factors, n, seed := drawn(t), rapid.IntRange(1, 40).Draw(t, "n"), rapid.Uint64().Draw(t, "seed")
		d := Latin(factors, n, seed)
		if diff := cmp.Diff(d, Latin(factors, n, seed)); diff != "" {
			t.Fatal(diff)
		}
		if len(d.Points) != n {
			t.Fatalf("%d points, want %d", len(d.Points), n)
		}
		for f := range factors {
			values := len(factors[f].Values)
			seen := make([]int, values)
			for _, p := range d.Points {
				seen[p[f]]++
			}
			if least, most := slices.Min(seen), slices.Max(seen); most-least > 1 {
				t.Fatalf("of %d points over %d values some are there %d times and some %d: %v", n, values, least, most, seen)
			}
			strata := map[int]bool{}
			for _, p := range d.Points {
				strata[p[f]*n/values] = true
			}
			if n <= values && len(strata) < n/2 {
				t.Fatalf("%d points are in %d strata alone", n, len(strata))
			}
		}
	})
	factors := []Factor{{"a", []string{"1", "2", "3", "4", "5"}}, {"b", []string{"1", "2", "3", "4", "5"}}}
	if cmp.Diff(Latin(factors, 5, 1), Latin(factors, 5, 2)) == "" {
		t.Error("two seeds give the same points")
	}
}

// TestSizeBound holds where a grid is too large, also where its size is beyond all numbers.
func TestSizeBound(t *testing.T) {
	wide := Factor{Path: "a"}
	for i := range 1000 {
		wide.Values = append(wide.Values, fmt.Sprint(i))
	}
	if n, ok := Size([]Factor{wide, wide}); n != MaxPoints || !ok {
		t.Errorf("1000 x 1000 has the size %d, %v", n, ok)
	}
	if _, ok := Size([]Factor{wide, wide, {Path: "b", Values: []string{"1", "2"}}}); ok {
		t.Error("2000000 points are allowed")
	}
	many := make([]Factor, 40)
	for i := range many {
		many[i] = wide
	}
	if n, ok := Size(many); ok || n > math.MaxInt32 {
		t.Errorf("1000^40 points have the size %d, %v", n, ok)
	}
}

// TestSettings holds how a point becomes settings.
func TestSettings(t *testing.T) {
	d := Grid([]Factor{{"a", []string{"1", "2"}}, {"b", []string{"x"}}})
	got := d.Settings("--vary", d.Points[1])
	if len(got) != 2 || got[0].Text != "a=2" || got[1].Text != "b=x" || got[0].Flag != "--vary" {
		t.Errorf("%+v", got)
	}
}

// TestReadPlan holds what a plan says.
func TestReadPlan(t *testing.T) {
	d, faults := ReadPlan("plan.csv", strings.NewReader("\ufeffa, b\n# a comment\n1, x\n\n2,\"{c: 1, d: 2}\"\n1,x\n"))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := &Design{
		Factors: []Factor{{"a", []string{"1", "2"}}, {"b", []string{"x", "{c: 1, d: 2}"}}},
		Points:  []Point{{0, 0}, {1, 1}, {0, 0}},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

// TestReadPlanFaults holds that all mistakes of a plan are found, each with its place.
func TestReadPlanFaults(t *testing.T) {
	for text, want := range map[string][]string{
		"":                     {"1:1: the plan has no points"},
		"a,b\n":                {"1:1: the plan has no points"},
		"a,,a\n1,2,3\n":        {"1:3: a path is missing here", "1:4: the path a is there twice"},
		"a,b\n1\n1,2,3\n4,5\n": {"2:1: the row has 1 values, and there are 2 paths", "3:1: the row has 3 values, and there are 2 paths"},
		"a,b\n1,2\n 3 ,\n,4\n": {"3:5: a value is missing here", "4:1: a value is missing here"},
		"a\n\"1\n":             {"2:4: the plan is no table in CSV"},
		"a\n1\"2\n":            {"2:2: the plan is no table in CSV"},
	} {
		d, faults := ReadPlan("plan.csv", strings.NewReader(text))
		if d != nil || len(faults) != len(want) {
			t.Errorf("%q: %v", text, faults)
			continue
		}
		for i, f := range faults {
			if got := fmt.Sprintf("%d:%d: %s", f.Line, f.Column, f.Message); !strings.HasPrefix(got, want[i]) || f.File != "plan.csv" {
				t.Errorf("%q: %s: %s\nwant %s", text, f.File, got, want[i])
			}
		}
	}
}

// failing is a reader that cannot read.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

// TestReadPlanFails holds that a plan that cannot be read is a fault.
func TestReadPlanFails(t *testing.T) {
	if _, faults := ReadPlan("plan.csv", failing{}); len(faults) != 1 || !strings.Contains(faults[0].Message, "the disk is gone") {
		t.Errorf("%v", faults)
	}
}

// TestReadPlanBound holds that a plan has no more points than a sweep may have.
func TestReadPlanBound(t *testing.T) {
	if _, faults := ReadPlan("plan.csv", strings.NewReader("a\n"+strings.Repeat("1\n", MaxPoints+1))); len(faults) != 1 || faults[0].Line != MaxPoints+2 {
		t.Errorf("%v", faults)
	}
}

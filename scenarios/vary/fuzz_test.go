package vary

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParse holds that whatever is read as a factor has values, each once, within the bounds; that
// a value by itself is read as itself; and that faults lie within the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"a=1", "a=1,2,3", "a=200..800:100", "a=0.1..0.5:0.1", "a=1s..10s:500ms", "a=16..512:*2", "a={b: 1, c: [2, 3]},x", `a="x,y"`,
		"a=..", "a=1..:", "a=1..2:*", "a=,", "=", "a=9223372036854775807..9223372036854775809", "a=1ns..2ns:*1.1", "a=0.5..3:*1.5", "a=-5..5:0.5", "a=]},{",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		factor, err := Parse(text)
		if err != nil {
			fault := (*Fault)(nil)
			if !errors.As(err, &fault) || fault.Text != text || fault.At < 0 || fault.At > len(text) || fault.Message == "" {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if len(factor.Values) == 0 || len(factor.Values) > MaxValues+MaxValues || !strings.HasPrefix(text, factor.Path+"=") {
			t.Fatalf("%q: %d values of %q", text, len(factor.Values), factor.Path)
		}
		seen := map[string]bool{}
		for _, v := range factor.Values {
			if v == "" || seen[v] {
				t.Fatalf("%q: the value %q is empty or there twice", text, v)
			}
			seen[v] = true
		}
	})
}

// FuzzReadPlan holds that whatever is read as a plan has points of its factors' values, and that faults
// have a place.
func FuzzReadPlan(f *testing.F) {
	for _, text := range []string{"", "a\n1\n", "a,b\n1,2\n3,4\n", "\ufeffa\n1", "a,a\n1,2", "a,b\n1\n", "a\n\"1\n", "#x\na\n#y\n1\n", "a,b\n1,\n", "a\r\n1\r\n", "\"a\"\"b\"\n1\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, faults := ReadPlan("plan.csv", strings.NewReader(text))
		for _, fault := range faults {
			if fault.Line < 1 || fault.Column < 1 || fault.Message == "" {
				t.Fatalf("%q: %v", text, fault)
			}
		}
		if d == nil {
			if len(faults) == 0 {
				t.Fatalf("%q: no plan and no fault", text)
			}
			return
		}
		if len(d.Points) == 0 || len(d.Factors) == 0 {
			t.Fatalf("%q: %+v", text, d)
		}
		for _, p := range d.Points {
			if len(p) != len(d.Factors) {
				t.Fatalf("%q: the point %v", text, p)
			}
			for i, v := range p {
				if d.Factors[i].Values[v] == "" {
					t.Fatalf("%q: the value %d of %s is empty", text, v, d.Factors[i].Path)
				}
			}
		}
	})
}

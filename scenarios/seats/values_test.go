package seats

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parsed reads JSON.
func parsed(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCompareValues(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"nothing", `{"a":1,"b":["x"]}`, `{"b":["x"],"a":1}`, ``},
		{"a number", `{"a":1}`, `{"a":2}`, `s.a: 1 → 2`},
		{"a field more", `{"a":{}}`, `{"a":{"b":true}}`, `s.a.b: - → true`},
		{"a field less", `{"a":{"b":"x"}}`, `{"a":{}}`, `s.a.b: x → -`},
		{"another type", `{"a":["x"]}`, `{"a":"x"}`, `s.a: ["x"] → x`},
		{"text that reads as nothing", `{"a":"null"}`, `{}`, `s.a: null → -`},
		{"an element in front", `["b","c"]`, `["a","b","c"]`, `s[0]: - → a`},
		{"an element in the middle gone", `["a","b","c"]`, `["a","c"]`, `s[1]: b → -`},
		{"an element that became another", `["a","b","c"]`, `["a","x","c"]`, `s[1]: b → x`},
		{"all gone", `["a","b"]`, `[]`, `s[0]: a → -; s[1]: b → -`},
		{"one put in front of one that changes a little",
			`[{"k":"1","l":"2","m":"3"}]`, `[{"k":"7","l":"8","m":"9"},{"k":"1","l":"2","m":"4"}]`,
			`s[0]: - → {"k":"7","l":"8","m":"9"}; s[1].m: 3 → 4`},
	} {
		var got []string
		for _, f := range compareValues("s", parsed(t, c.a), parsed(t, c.b)) {
			before, after := "-", "-"
			if f.Before != nil {
				before = ValueText(f.Before)
			}
			if f.After != nil {
				after = ValueText(f.After)
			}
			got = append(got, f.Path+": "+before+" → "+after)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

// An alignment names each element of both lists once, in order, and costs no more than
// any of the obvious ones: to remove all and add all, and to pair in order.
func TestAlign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Custom(func(t *rapid.T) any {
			if rapid.Bool().Draw(t, "map") {
				return map[string]any{"k": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "k"), "l": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "l")}
			}
			return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "text")
		})
		a, b := rapid.SliceOfN(value, 0, 6).Draw(t, "a"), rapid.SliceOfN(value, 0, 6).Draw(t, "b")
		i, j, cost := 0, 0, 0
		for _, p := range align(a, b) {
			if p.a >= 0 && p.a != i || p.b >= 0 && p.b != j || p.a < 0 && p.b < 0 {
				t.Fatalf("pair %v where (%d, %d) are next", p, i, j)
			}
			switch {
			case p.a < 0:
				cost, j = cost+size(b[j]), j+1
			case p.b < 0:
				cost, i = cost+size(a[i]), i+1
			default:
				cost, i, j = cost+distance(a[i], b[j]), i+1, j+1
			}
		}
		if i != len(a) || j != len(b) {
			t.Fatalf("the alignment ends at (%d, %d)", i, j)
		}
		inOrder := 0
		for k := range max(len(a), len(b)) {
			switch {
			case k >= len(a):
				inOrder += size(b[k])
			case k >= len(b):
				inOrder += size(a[k])
			default:
				inOrder += distance(a[k], b[k])
			}
		}
		if all := size(a) + size(b); cost > min(all, inOrder) {
			t.Fatalf("the alignment costs %d, and all anew %d, in order %d", cost, all, inOrder)
		}
		if (cost == 0) != reflect.DeepEqual(a, b) && len(a)+len(b) > 0 {
			t.Fatalf("cost %d of %v and %v", cost, a, b)
		}
	})
}

// Long lists are paired in order and cost no table.
func TestAlignLongLists(t *testing.T) {
	a, b := make([]any, 2000), make([]any, 2001)
	for i := range b {
		b[i] = json.Number("1")
	}
	for i := range a {
		a[i] = json.Number("2")
	}
	pairs := align(a, b)
	if len(pairs) != len(b) || pairs[1999] != (pair{1999, 1999}) || pairs[2000] != (pair{-1, 2000}) {
		t.Errorf("%d pairs, the last %v", len(pairs), pairs[len(pairs)-1])
	}
}

package yaml

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

func TestForm(t *testing.T) {
	var b strings.Builder
	err := Write(&b, json.RawMessage(`{"b":1,"a":"1.10","list":[1,2.50,null],"e":[],"o":{},"t":"yes","lines":"a\n  b\n","items":[{"x":true},{"x":"~"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `b: 1
a: "1.10"
list: [1, 2.50, null]
e: []
o: {}
t: "yes"
lines: |
  a
    b
items:
  - x: true
  - x: "~"
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// value draws a JSON value.
func value(t *rapid.T, depth int) any {
	kinds := 7
	if depth == 0 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.String().Draw(t, "text")
	case 1:
		return rapid.StringOf(rapid.SampledFrom([]rune("a0.:-#'\"|>%@&*!{}[],?`~\\ \t\n\r\u0085\u2028\ufeff\x00\x7f="))).Draw(t, "special")
	case 2:
		return rapid.Float64Range(-1e12, 1e12).Draw(t, "number")
	case 3:
		return rapid.Bool().Draw(t, "bool")
	case 4:
		return nil
	case 5:
		list := []any{}
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			list = append(list, value(t, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "fields") {
		object[rapid.StringMatching(`[a-zA-Z<.:{-]{1,5}`).Draw(t, "name")] = value(t, depth-1)
	}
	return object
}

// normal makes whole floats of whole numbers, as JSON has one kind of numbers.
func normal(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		out := map[string]any{}
		for name, inner := range v { // Any order: the result is a map.
			out[name] = normal(inner)
		}
		return out
	case float64:
		if math.Abs(v) < 1 {
			return v
		}
	}
	return v
}

// TestSameAsJSON holds that reading the YAML gives what reading the JSON gives.
func TestSameAsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := map[string]any{"v": value(t, 3)}
		var b strings.Builder
		if err := Write(&b, v); err != nil {
			t.Fatal(err)
		}
		var got any
		if err := yaml.Unmarshal([]byte(b.String()), &got); err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(normal(got), want) {
			t.Fatalf("got %#v\nwant %#v\nin\n%s", got, want, b.String())
		}
	})
}

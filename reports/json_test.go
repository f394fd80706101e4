package reports

import (
	"strings"
	"testing"
)

// TestListsOfPlainValuesTakeOneLine, whatever is in the words.
func TestListsOfPlainValuesTakeOneLine(t *testing.T) {
	var b strings.Builder
	v := map[string]any{
		"a": []int{1, 2, 3}, "b": []string{"x [", "y {", "<]"}, "c": [][]int{{}, {1}, {2, 3}}, "d": []any{map[string]int{"e": 1}}, "f": []int{},
	}
	if err := WriteIndented(&b, v); err != nil {
		t.Fatal(err)
	}
	want := `{
  "a": [1, 2, 3],
  "b": ["x [", "y {", "<]"],
  "c": [
    [],
    [1],
    [2, 3]
  ],
  "d": [
    {
      "e": 1
    }
  ],
  "f": []
}
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

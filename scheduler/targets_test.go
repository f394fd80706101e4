package scheduler

import "testing"

// TestRequestName holds that lists and watches without a name of their own, and nothing
// else, are named by their field selector.
func TestRequestName(t *testing.T) {
	named := RawListOptions{FieldSelector: "type=a,metadata.name=b"}
	for _, c := range []struct {
		verb, name string
		options    RawListOptions
		want       string
	}{
		{"list", "", named, "b"},
		{"watch", "", named, "b"},
		{"list", "a", named, "a"},
		{"watch", "a", named, "a"},
		{"list", "", RawListOptions{}, ""},
		{"list", "", RawListOptions{FieldSelector: named.FieldSelector, LabelSelector: "a b"}, ""},
		{"get", "a", named, "a"},
		{"get", "", named, ""},
		{"create", "", named, ""},
		{"deletecollection", "", named, ""},
	} {
		if got := RequestName(c.verb, c.name, c.options); got != c.want {
			t.Errorf("%s %q %+v: the name is %q, want %q", c.verb, c.name, c.options, got, c.want)
		}
	}
}

package estimate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		raw  RawListOptions
		want ListOptions
	}{
		{RawListOptions{}, ListOptions{}},
		{RawListOptions{Limit: 500, ResourceVersion: "0"}, ListOptions{Limit: 500, Version: VersionZero}},
		{RawListOptions{ResourceVersion: "00", ResourceVersionMatch: "Exact"}, ListOptions{Version: VersionGiven, Match: MatchExact}},
		{RawListOptions{ResourceVersionMatch: "NotOlderThan"}, ListOptions{Match: MatchNotOlderThan}},
		{RawListOptions{ResourceVersionMatch: "notOlderThan"}, ListOptions{Match: MatchUnknown}},
		{RawListOptions{Continue: "x", SendInitialEvents: true}, ListOptions{Continue: true, SendInitialEvents: true}},
		{RawListOptions{FieldSelector: "a=b"}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "???"}, ListOptions{Selector: true}},
		{RawListOptions{LabelSelector: "a"}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName=n"}, ListOptions{Selector: true, NodeSelector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName="}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName!=n"}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName=<unset>"}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName=n", LabelSelector: "app in (x)"}, ListOptions{Selector: true, NodeSelector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName=n", LabelSelector: "app in"}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName=n", LabelSelector: "="}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "metadata.name=x,spec.nodeName=n"}, ListOptions{Selector: true, NodeSelector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName=n,oops"}, ListOptions{Selector: true}},
		{RawListOptions{FieldSelector: "spec.nodeName=n,spec.nodeName=<unset>"}, ListOptions{Selector: true}}, // sorted
		{RawListOptions{FieldSelector: "spec.nodeName=n,spec.nodeName=zz"}, ListOptions{Selector: true, NodeSelector: true}},
	} {
		if diff := cmp.Diff(c.want, c.raw.Parse()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.raw, diff)
		}
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct {
		field, label, want string
	}{
		{"", "", ""},
		{"metadata.name=x", "", "x"},
		{"metadata.name=x", "app=y", "x"},
		{"metadata.name=x", "app=y z", ""}, // the server then decodes neither
		{"metadata.name=a/b", "", ""},
		{"metadata.name=x,spec.nodeName=n", "", "x"},
		{"metadata.name=x,spec.nodeName=n", "app in (a)", "x"},
		{"metadata.name=x,spec.nodeName=n", "app in (a", ""},
		{"metadata.name=x", "=", ""},
		{"metadata.name=x,oops", "app", ""},
		{"", "app=x", ""},
	} {
		if got := (RawListOptions{FieldSelector: c.field, LabelSelector: c.label}).Name(); got != c.want {
			t.Errorf("field selector %q, label selector %q: name %q, want %q", c.field, c.label, got, c.want)
		}
	}
}

func TestNameFromSelector(t *testing.T) {
	for _, c := range []struct {
		selector, want string
	}{
		{"metadata.name=x", "x"},
		{"metadata.name==x", "x"},
		{"metadata.name=x,status.phase!=Running", "x"},
		{"status.phase=Running,metadata.name=x,", "x"},
		{",,metadata.name=x", "x"},
		{"metadata.name!=x", ""},
		{"metadata.name!==x", ""}, // a value of =x is not legal
		{"metadata.name=", ""},
		{"metadata.name", ""},
		{"", ""},
		{",,", ""},
		{"metadata.namespace=x", ""},
		{"a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,metadata.name=x", "x"},
		{" metadata.name=x", ""}, // spaces are part of the field
		{"metadata.name= x", " x"},
		{"metadata.name=x,oops", ""}, // one bad term spoils all
		{"oops,metadata.name=x", ""},
		{`metadata.name=x,a=\b`, ""},
		{"metadata.name=x,a=b=c", ""},
		{`metadata.name=a\,b`, "a,b"},
		{`metadata.name=a\=b`, "a=b"},
		{`metadata.name=a\\b`, `a\b`},
		{`metadata.name=a\,b\=c\\d`, `a,b=c\d`},
		{`metadata.name=a\xb`, ""},
		{`metadata.name=a\`, ""},
		{`metadata.name=a\é`, ""},
		{`metadata.name=é\=`, "é="},
		{`metadata.name\=x`, ""}, // nothing can be escaped before the operator
		{"metadata.name=.", ""},
		{"metadata.name=..", ""},
		{"metadata.name=...", "..."},
		{"metadata.name=a/b", ""},
		{"metadata.name=a%b", ""},
		{"metadata.name=b,metadata.name=a", "a"},   // the first in sorted order
		{"metadata.name=a,metadata.name==z", "z"},  // and "=" sorts before "a"
		{"metadata.name=,metadata.name=a", ""},     // the empty one is first
		{"metadata.name=a/b,metadata.name=c", ""},  // an impossible name is none
		{"metadata.name!=a,metadata.name=b", "b"},  // what is not required does not count
		{"metadata.name=b,=,spec.nodeName=n", "b"}, // a term of nothing is legal
	} {
		got, ok := nameFromSelector(c.selector)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q, %v; want %q", c.selector, got, ok, c.want)
		}
	}
}

// Whatever a name is, escaping it as clients do brings it back.
func TestNameSurvivesEscaping(t *testing.T) {
	escape := strings.NewReplacer(`\`, `\\`, `,`, `\,`, `=`, `\=`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune(`ab\,=!.é/%`))).Draw(t, "name")
		want := name
		if !isPathSegment(name) {
			want = ""
		}
		selector := "a!=b,metadata.name=" + escape.Replace(name) + ",status.phase=x"
		if got, _ := nameFromSelector(selector); got != want {
			t.Fatalf("%q: %q, want %q", selector, got, want)
		}
	})
}

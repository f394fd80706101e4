package workload

import (
	"slices"
	"strings"
	"testing"
)

// TestFieldSelectors holds what is taken out of a field selector: RequestInfo's name, and
// whether a node is demanded.
func TestFieldSelectors(t *testing.T) {
	for _, c := range []struct {
		selector string
		name     string
		reduced  string
	}{
		{"", "", ""},
		{"metadata.name=x", "x", otherSelector},
		{"metadata.name==x", "x", otherSelector},
		{"metadata.name!=x", "", otherSelector},
		{"metadata.name!==x", "", otherSelector}, // not well escaped: = is left of the value
		{"type=Warning,metadata.name=x", "x", otherSelector},
		{"metadata.name=y,metadata.name=x", "x", otherSelector}, // terms are sorted
		{"spec.nodeName=n1", "", nodeSelector},
		{"spec.nodeName=", "", otherSelector},
		{"spec.nodeName!=n1", "", otherSelector},
		{"metadata.name=x,spec.nodeName=n1", "x", nodeSelector},
		{"metadata.name=", "", otherSelector},
		{"metadata.name=a/b", "", otherSelector},
		{"metadata.name=..", "", otherSelector},
		{"metadata.name=a%2fb", "", otherSelector},
		{`metadata.name=a\,b\=c\\d`, `a,b=c\d`, otherSelector},
		{`metadata.name=a\xb`, "", otherSelector},
		{`metadata.name=a\`, "", otherSelector},
		{"metadata.name=x,nonsense", "", otherSelector},
		{"metadata.name", "", otherSelector},
		{",,metadata.name=x,", "x", otherSelector},
		{"a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,metadata.name=x", "x", otherSelector},
	} {
		for _, verb := range []string{"list", "watch", "deletecollection"} {
			r, all := readAll(t, traceOf(t, `{"arrival":"1s","user":"u","verb":"`+verb+`","resource":"pods","fieldSelector":"`+
				strings.ReplaceAll(c.selector, `\`, `\\`)+`"}`))
			name, reduced := c.name, c.reduced
			if verb == "deletecollection" {
				name, reduced = "", "" // RequestInfo looks at lists and watches only
			}
			if got := r.Options()[all[0].Options].FieldSelector; string(all[0].Name) != name || got != reduced {
				t.Errorf("%s %q: the name is %q and the selector %q, want %q and %q", verb, c.selector, all[0].Name, got, name, reduced)
			}
		}
	}
}

// TestNameBeforeSelector holds that a name of its own comes before that of the selector.
func TestNameBeforeSelector(t *testing.T) {
	_, all := readAll(t, traceOf(t, `{"arrival":"1s","user":"u","verb":"watch","resource":"pods","name":"a","fieldSelector":"metadata.name=b"}`))
	if string(all[0].Name) != "a" {
		t.Errorf("the name is %q", all[0].Name)
	}
}

// TestOptionsAreReduced holds that options which the API server does not tell apart become
// one entry of the table, and all others stay apart.
func TestOptionsAreReduced(t *testing.T) {
	line := func(verb, options string) string {
		return `{"arrival":"1s","user":"u","verb":"` + verb + `","resource":"pods"` + options + "}\n"
	}
	for _, c := range []struct {
		lines []string
		want  RawOptions
	}{
		{[]string{line("list", ""), line("watch", `,"resourceVersion":""`), line("list", `,"limit":-5`), line("get", `,"limit":5,"resourceVersion":"3"`),
			line("deletecollection", `,"labelSelector":"a=b","continue":"x"`), line("list", `,"sendInitialEvents":false`)}, RawOptions{}},
		{[]string{line("list", `,"resourceVersion":"0"`)}, RawOptions{ResourceVersion: "0"}},
		{[]string{line("list", `,"resourceVersion":"17"`), line("watch", `,"resourceVersion":"x"`), line("list", `,"resourceVersion":"00"`)},
			RawOptions{ResourceVersion: "1"}},
		{[]string{line("list", `,"continue":"abc"`), line("list", `,"continue":"d"`)}, RawOptions{Continue: "c"}},
		{[]string{line("list", `,"labelSelector":"a=b"`), line("list", `,"labelSelector":"c in (d)"`)}, RawOptions{LabelSelector: "l"}},
		{[]string{line("list", `,"resourceVersionMatch":"Exact"`)}, RawOptions{ResourceVersionMatch: "Exact"}},
		{[]string{line("list", `,"resourceVersionMatch":"NotOlderThan"`)}, RawOptions{ResourceVersionMatch: "NotOlderThan"}},
		{[]string{line("list", `,"resourceVersionMatch":"exact"`), line("list", `,"resourceVersionMatch":"x"`)}, RawOptions{ResourceVersionMatch: "Unknown"}},
		{[]string{line("list", `,"limit":500`)}, RawOptions{Limit: 500}},
		{[]string{line("list", `,"limit":501`)}, RawOptions{Limit: 501}},
		{[]string{line("watch", `,"sendInitialEvents":true`)}, RawOptions{SendInitialEvents: true}},
		{[]string{line("list", `,"limit":1,"resourceVersion":"9","resourceVersionMatch":"Exact","continue":"x","fieldSelector":"a=b","labelSelector":"y","sendInitialEvents":true`)},
			RawOptions{1, "1", "Exact", "c", "f=v", "l", true}},
	} {
		r, all := readAll(t, traceOf(t, strings.Join(c.lines, "")))
		want := []RawOptions{{}}
		if c.want != (RawOptions{}) {
			want = append(want, c.want)
		}
		if !slices.Equal(r.Options(), want) || int(all[len(all)-1].Options) != len(want)-1 {
			t.Errorf("%s\n got %+v\nwant %+v", c.lines, r.Options(), want)
		}
	}
}

// TestInterning holds that keys cannot run into each other.
func TestInterning(t *testing.T) {
	r, all := readAll(t, traceOf(t, strings.Join([]string{
		`{"arrival":"1s","user":"a","groups":["b"],"verb":"get","resource":"x","namespace":"y"}`,
		`{"arrival":"1s","user":"ab","verb":"get","resource":"xy"}`,
		`{"arrival":"1s","user":"a","groups":["b",""],"verb":"get","resource":"x","subresource":"y"}`,
		`{"arrival":"1s","user":"a","groups":["","b"],"verb":"get","apiGroup":"x","resource":"y"}`,
		`{"arrival":"1s","user":"\u0061","groups":["\u0062"],"verb":"g\u0065t","resource":"x","namespace":"y"}`,
	}, "\n")))
	var subjects, targets []int32
	for _, rec := range all {
		subjects, targets = append(subjects, rec.Subject), append(targets, rec.Target)
	}
	if want := []int32{0, 1, 2, 3, 0}; !slices.Equal(subjects, want) || !slices.Equal(targets, want) {
		t.Errorf("the subjects are %v and the targets %v, want %v", subjects, targets, want)
	}
	if len(r.Subjects()) != 4 || len(r.Targets()) != 4 {
		t.Errorf("%d subjects and %d targets", len(r.Subjects()), len(r.Targets()))
	}
}

// TestBadLabelSelectorSpoilsFieldSelector holds that a field selector demands nothing
// beside a label selector that the server cannot read.
func TestBadLabelSelectorSpoilsFieldSelector(t *testing.T) {
	for _, c := range []struct{ fields, labels, name, reduced string }{
		{"metadata.name=x,spec.nodeName=n", "app in (a)", "x", nodeSelector},
		{"metadata.name=x,spec.nodeName=n", "app in (a", "", otherSelector},
		{"spec.nodeName=n", "=", "", otherSelector},
		{"spec.nodeName=<unset>", "", "", otherSelector}, // upstream's word for no node
	} {
		r, all := readAll(t, traceOf(t, `{"arrival":"1s","user":"u","verb":"list","resource":"pods","fieldSelector":"`+
			c.fields+`","labelSelector":"`+c.labels+`"}`))
		if got := r.Options()[all[0].Options].FieldSelector; string(all[0].Name) != c.name || got != c.reduced {
			t.Errorf("%q beside %q: the name is %q and the selector %q, want %q and %q", c.fields, c.labels, all[0].Name, got, c.name, c.reduced)
		}
	}
}

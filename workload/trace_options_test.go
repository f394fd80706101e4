package workload

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSelectorsComeThrough holds that a record has the selectors of a list or watch as
// they are, good or bad, and its own name only.
func TestSelectorsComeThrough(t *testing.T) {
	for _, c := range []struct {
		line                 string // what follows the verb
		name, fields, labels string
	}{
		{``, "", "", ""},
		{`,"fieldSelector":"metadata.name=x"`, "", "metadata.name=x", ""},
		{`,"name":"a","fieldSelector":"metadata.name=b"`, "a", "metadata.name=b", ""},
		{`,"labelSelector":"app in (x"`, "", "", "app in (x"},
		{`,"fieldSelector":"oops","labelSelector":"="`, "", "oops", "="},
		{`,"fieldSelector":"b=1,a==2,,","labelSelector":" app = x "`, "", "b=1,a==2,,", " app = x "},
		{`,"fieldSelector":"a=\\,\u00e9","labelSelector":"\u0000"`, "", `a=\,é`, "\x00"}, // JSON's escapes are undone, no others
		{`,"fieldSelector":"a=` + strings.Repeat("x", 100000) + `"`, "", "a=" + strings.Repeat("x", 100000), ""},
		{`,"fieldSelector":"","labelSelector":null`, "", "", ""},
	} {
		for _, verb := range []string{"list", "watch", "get", "deletecollection"} {
			r, all := readAll(t, traceOf(t, `{"arrival":"1s","user":"u","resource":"pods","verb":"`+verb+`"`+c.line+"}"))
			fields, labels := c.fields, c.labels
			if verb != "list" && verb != "watch" {
				fields, labels = "", "" // the server looks at those of lists and watches only
			}
			got := all[0]
			if string(got.Name) != c.name || string(got.FieldSelector) != fields || string(got.LabelSelector) != labels {
				t.Errorf("%s %.200s:\n got %.200q", verb, c.line, [][]byte{got.Name, got.FieldSelector, got.LabelSelector})
			}
			if len(r.Options()) != 1 || got.Options != 0 {
				t.Errorf("%s %.200s: selectors are among the options: %.200s", verb, c.line, fmt.Sprint(r.Options()))
			}
		}
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
			line("deletecollection", `,"labelSelector":"a=b","continue":"x"`), line("list", `,"sendInitialEvents":false`),
			line("list", `,"fieldSelector":"metadata.name=x"`), line("watch", `,"labelSelector":"a=b"`)}, RawOptions{}},
		{[]string{line("list", `,"resourceVersion":"0"`)}, RawOptions{ResourceVersion: "0"}},
		{[]string{line("list", `,"resourceVersion":"17"`), line("watch", `,"resourceVersion":"x"`), line("list", `,"resourceVersion":"00"`)},
			RawOptions{ResourceVersion: "1"}},
		{[]string{line("list", `,"continue":"abc"`), line("list", `,"continue":"d"`)}, RawOptions{Continue: "c"}},
		{[]string{line("list", `,"resourceVersionMatch":"Exact"`)}, RawOptions{ResourceVersionMatch: "Exact"}},
		{[]string{line("list", `,"resourceVersionMatch":"NotOlderThan"`)}, RawOptions{ResourceVersionMatch: "NotOlderThan"}},
		{[]string{line("list", `,"resourceVersionMatch":"exact"`), line("list", `,"resourceVersionMatch":"x"`)}, RawOptions{ResourceVersionMatch: "Unknown"}},
		{[]string{line("list", `,"limit":500`)}, RawOptions{Limit: 500}},
		{[]string{line("list", `,"limit":501`)}, RawOptions{Limit: 501}},
		{[]string{line("watch", `,"sendInitialEvents":true`)}, RawOptions{SendInitialEvents: true}},
		{[]string{line("list", `,"limit":1,"resourceVersion":"9","resourceVersionMatch":"Exact","continue":"x","fieldSelector":"a=b","labelSelector":"y","sendInitialEvents":true`)},
			RawOptions{Limit: 1, ResourceVersion: "1", ResourceVersionMatch: "Exact", Continue: "c", SendInitialEvents: true}},
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

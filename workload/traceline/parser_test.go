package traceline

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"
)

const full = `{"arrival":"12.000345678s","duration":"3ms","timeout":"1m","user":"u","groups":["a","b"],"verb":"list",` +
	`"apiGroup":"apps","resource":"deployments","subresource":"scale","namespace":"n","name":"x","limit":500,` +
	`"resourceVersion":"7","resourceVersionMatch":"Exact","continue":"c","fieldSelector":"f=v","labelSelector":"l",` +
	`"left":"2s","life":"7m","endsLast":true,"sendInitialEvents":true,"server":2,"code":200,"waited":"5ms","client":"c","flowSchema":"s","priorityLevel":"p","flowHash":"s/00c0ffee00c0ffee"}`

func TestParse(t *testing.T) {
	var p Parser
	var l Line
	if faults := p.Parse([]byte(full), &l); len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	if l.Arrival != 12000345678 || l.Duration != 3*time.Millisecond || l.Timeout != time.Minute {
		t.Errorf("the times are %d, %d and %d", l.Arrival, l.Duration, l.Timeout)
	}
	got := fmt.Sprintf("%s %s %d %v %v %d %d %s %s %s", l.Text, l.Groups, l.Limit, l.SendInitialEvents, l.EndsLast, l.Server, l.Code, l.Waited, l.Left, l.Life)
	const want = "[12.000345678s 3ms 1m u list apps deployments scale n x  7 Exact c f=v l 2s 7m 5ms c s p s/00c0ffee00c0ffee] [a b] 500 true true 2 200 5ms 2s 7m0s"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if faults := p.Parse([]byte(`{"arrival":"1s","user":"v","verb":"get","path":"/a"}`), &l); len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	if got := fmt.Sprintf("%s %s %d %v %v %d %d %d %d", l.Text, l.Groups, l.Limit, l.SendInitialEvents, l.EndsLast, l.Duration, l.Server, l.Code, l.Waited+l.Left+l.Life); got != "[1s   v get      /a            ] [] 0 false false 0 -1 0 -1" {
		t.Errorf("the line before shows through: %s", got)
	}
}

// TestFaults holds where each fault is found, and what is said of it.
func TestFaults(t *testing.T) {
	line := func(rest string) string {
		return `{"arrival":"1s","user":"u","verb":"get","resource":"pods"` + rest
	}
	const objects, needs = "one JSON object on each line", "a line needs arrival, user and verb"
	const spans = "if an object spans several lines, write it on one: jq -c . FILE"
	for _, c := range []struct {
		text string
		want []Fault
	}{
		{"hello", []Fault{{0, Syntax, "not JSON: invalid character 'h' at start of value", objects, ""}}},
		{"{", []Fault{{1, Syntax, "the line ends within the object", objects, spans}}},
		{line(""), []Fault{{57, Syntax, "the line ends within the object", objects, spans}}},
		{line(`} {}`), []Fault{{59, Syntax, "text after the end of the object", objects, ""}}},
		{line(`,}`), []Fault{{57, Syntax, "not JSON: invalid character ',' at start of value", objects, ""}}},
		{" [1]", []Fault{{1, Syntax, "an array and not an object", objects, ""}}},
		{"null", []Fault{{0, Syntax, "null and not an object", objects, ""}}},
		{"\xef\xbb\xbf{}", []Fault{{0, Syntax, "not JSON: invalid character '\\ufeff' at start of value", objects, "the file begins with a byte order mark: save it as plain UTF-8"}}},
		{line(`,"nmae":"x"}`), []Fault{{58, UnknownField, `unknown field "nmae"`, "the fields of a trace line", `did you mean "name"?`}}},
		{line(`,"Name":"x"}`), []Fault{{58, UnknownField, `unknown field "Name"`, "the fields of a trace line", `did you mean "name"?`}}},
		{line(`,"colour":{"a":[1]}}`), []Fault{{58, UnknownField, `unknown field "colour"`, "the fields of a trace line", ""}}},
		{line(`,"user":"v"}`), []Fault{{58, DuplicateField, `field "user" is there twice`, "each field once", ""}}},
		{line(`,"name":5}`), []Fault{{65, WrongType, "name: a value of the wrong type: a number", "a string", ""}}},
		{line(`,"groups":{}}`), []Fault{{67, WrongType, "groups: a value of the wrong type: an object", "an array of strings", ""}}},
		{line(`,"groups":["a", 1]}`), []Fault{{73, WrongType, "groups: a value of the wrong type: a number", "an array of strings", ""}}},
		{line(`,"limit":"5"}`), []Fault{{66, WrongType, "limit: a value of the wrong type: a string", "a whole number, as in 500", ""}}},
		{line(`,"limit":5e2}`), []Fault{{66, WrongType, "limit: 5e2 is not a whole number of 64 bits", "a whole number, as in 500", ""}}},
		{line(`,"sendInitialEvents":"true"}`), []Fault{{78, WrongType, "sendInitialEvents: a value of the wrong type: a string", "true or false", ""}}},
		{line(`,"duration":"5 ms"}`), []Fault{{69, BadDuration, `duration: "5 ms" is no duration`, "a Go duration, as in 12.000345678s or 1m30s", ""}}},
		{line(`,"timeout":"-5ms"}`), []Fault{{68, BadDuration, "timeout: -5ms is negative", "0 or more", ""}}},
		{line(`,"duration":"2000000h"}`), []Fault{{69, BadDuration, "duration: 2000000h is too long", "at most 640511h56m49.213693952s", ""}}},
		{line(`,"duration":"640511h56m49.213693953s"}`), []Fault{{69, BadDuration, "duration: 640511h56m49.213693953s is too long", "at most 640511h56m49.213693952s", ""}}},
		{line(`,"duration":"640511h56m49.213693952s"}`), nil},
		{line(`,"flowHash":"s/00c0ffee00c0ffee"}`), nil},
		{line(`,"flowHash":"s/00c0ffee00c0ffeg"}`), []Fault{{69, BadHash, `flowHash: "s/00c0ffee00c0ffeg" is no hash of a flow`, "the name of a FlowSchema, a slash and 16 hexadecimal digits, as in service-accounts/00c0ffee00c0ffee", ""}}},
		{line(`,"flowHash":"/00c0ffee00c0ffee"}`), []Fault{{69, BadHash, `flowHash: "/00c0ffee00c0ffee" is no hash of a flow`, "the name of a FlowSchema, a slash and 16 hexadecimal digits, as in service-accounts/00c0ffee00c0ffee", ""}}},
		{line(`,"flowHash":"s/00c0ffee"}`), []Fault{{69, BadHash, `flowHash: "s/00c0ffee" is no hash of a flow`, "the name of a FlowSchema, a slash and 16 hexadecimal digits, as in service-accounts/00c0ffee00c0ffee", ""}}},
		{line(`,"path":"/x"}`), []Fault{{51, Conflict, "both path and resource", "a path or a resource, not both", ""}}},
		{"{}", []Fault{
			{1, MissingField, "arrival is missing", needs, ""}, {1, MissingField, "user is missing", needs, ""},
			{1, MissingField, "verb is missing", needs, ""}, {1, MissingField, "neither resource nor path", "the resource that is asked for, or a path", ""}}},
		{`{"arrival":null,"user":"","verb":7,"resource":8}`, []Fault{
			{33, WrongType, "verb: a value of the wrong type: a number", "a string", ""},
			{46, WrongType, "resource: a value of the wrong type: a number", "a string", ""},
			{47, MissingField, "arrival is missing", needs, ""}, {23, MissingField, "user is empty", needs, ""}}},
		{`{"arrival":"1s","user":"u","verb":"lists","resource":"pods"}`, []Fault{{34, BadVerb, `verb: "lists" is no verb of a resource`,
			"get, list, watch, create, update, patch, delete, deletecollection, proxy", `did you mean "list"?`}}},
		{`{"arrival":"1s","user":"u","verb":"watch","path":"x"}`, []Fault{
			{49, BadPath, `path: "x" does not begin with a slash`, "a path, as in /healthz", ""},
			{34, BadVerb, `verb: "watch" is no verb of a path`, "get, head, post, put, patch, delete, options",
				"requests for a path have verbs of HTTP, those for a resource have verbs of the API"}}},
	} {
		var p Parser
		var l Line
		if got := p.Parse([]byte(c.text), &l); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %+v\nwant %+v", c.text, got, c.want)
		}
	}
}

// TestParseDoesNotAllocate holds for good lines in the steady state, escaped ones too.
func TestParseDoesNotAllocate(t *testing.T) {
	lines := [][]byte{
		[]byte(full), []byte(seeds[0]), []byte(seeds[5]), []byte(seeds[8]),
		[]byte(`{"arrival":"1h2m3.456789012s","duration":"4.5µs","timeout":"1m0s","user":"u","verb":"get","resource":"pods"}`),
	}
	var p Parser
	var l Line
	parse := func() {
		for _, text := range lines {
			if len(p.Parse(text, &l)) > 0 {
				t.Fatalf("%s: %+v", text, p.faults)
			}
		}
	}
	parse()
	if n := testing.AllocsPerRun(100, parse); n != 0 {
		t.Errorf("%v allocations for %d lines", n, len(lines))
	}
}

// BenchmarkTraceLine reports lines per second, and what encoding/json does with the same
// line.
func BenchmarkTraceLine(b *testing.B) {
	text := []byte(seeds[0])
	report := func(b *testing.B, parse func() bool) {
		for b.Loop() {
			if !parse() {
				b.Fatal("refused")
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
	}
	b.Run("traceline", func(b *testing.B) {
		var p Parser
		var l Line
		report(b, func() bool { return len(p.Parse(text, &l)) == 0 })
	})
	b.Run("encoding-json", func(b *testing.B) {
		report(b, func() bool {
			var s standard
			return json.Unmarshal(text, &s) == nil
		})
	})
}

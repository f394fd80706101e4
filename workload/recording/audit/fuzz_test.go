package audit

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
	"github.com/apfsim/apfsim/workload/traceline"
)

// FuzzReader reads arbitrary bytes as an audit log: it must come to an end, count what it cannot
// use, give the same whatever the pieces in which the bytes come, and give lines that are good
// lines of a trace.
func FuzzReader(f *testing.F) {
	f.Add([]byte(events))
	f.Add([]byte(strings.NewReplacer("{", "{\n", ",", ",\n").Replace(events)))
	f.Add([]byte(`{"items":[` + strings.ReplaceAll(strings.TrimSpace(events), "\n", ",") + `],"kind":"EventList"}`))
	f.Add([]byte(at("a", "Panic", "01.0", "01.1", waited("1ms"))[:200] + "\n[1]\n{}\n{\"message\":\"{}\"}"))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Add([]byte(`{"hits":{"hits":[{"_source":{"auditID":"a","stage":"ResponseComplete"}}]}} ] } {"log":"{\"log\":\"{}\"}"}`))
	f.Add([]byte("@timestamp,@message\nx,\"" + strings.ReplaceAll(strings.TrimSpace(events), `"`, `""`) + "\",y\n\"{\"\"auditID"))
	f.Add([]byte(`{"results":[[{"field":"@message","value":"{\"auditID\":\"a\",\"stage\":\"ResponseComplete\"}"}],5,"auditID",{"a":{"auditID":"b","stage":"Panic"}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(nil)
		if err := r.Read("f", -1, strings.NewReader(string(text))); err != nil {
			t.Fatal(err)
		}
		got := goodLines(t, r)
		if int64(strings.Count(got, "\n")) != r.Account.Requests {
			t.Fatalf("%d requests are counted, and there are %d", r.Account.Requests, strings.Count(got, "\n"))
		}
		slow := NewReader(nil)
		if err := slow.Read("f", -1, iotest.OneByteReader(strings.NewReader(string(text)))); err != nil {
			t.Fatal(err)
		}
		if again := goodLines(t, slow); again != got || account(&slow.Account) != account(&r.Account) {
			t.Fatalf("byte by byte it gives\n%s%s\nand at once\n%s%s", again, account(&slow.Account), got, account(&r.Account))
		}
	})
}

// goodLines takes all requests, and holds that what arrives after the start makes a good line.
func goodLines(t *testing.T, r *Reader) string {
	t.Helper()
	var all strings.Builder
	var parser traceline.Parser
	var line traceline.Line
	for {
		var q recording.Request
		more, err := r.Next(&q)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return all.String()
		}
		text := recording.AppendTail(recording.AppendHead(nil, time.Duration(q.Received-r.Account.First)), &q)
		if q.Received-r.Account.First <= 1<<61 {
			if faults := parser.Parse(text, &line); len(faults) > 0 {
				t.Fatalf("%s: %+v", text, faults)
			}
		}
		all.Write(append(text, '\n'))
	}
}

// FuzzScanner holds that good JSON is gone through to its end, and that nothing else than an event
// comes of an object without auditID.
func FuzzScanner(f *testing.F) {
	f.Add([]byte(`{"a":{"b":["}",1e5,null,{"c":"\\\""}]}, "auditID" : "x" , "stage":"y\u0041","user":{"groups":["a",5]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) != nil || members == nil {
			return
		}
		p := parser{}
		p.text, p.lines = text, true
		switch err := p.object(); {
		case err == errList:
		case err != nil:
			t.Fatalf("%s: %v", text, err)
		case strings.TrimSpace(string(text[p.at:])) != "":
			t.Fatalf("%s: the end is taken to be before %q", text, text[p.at:])
		}
	})
}

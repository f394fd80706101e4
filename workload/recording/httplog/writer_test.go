package httplog

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/release"
	"github.com/apfsim/apfsim/workload/recording"
)

// written is the line of a request as a server of a release writes it.
func written(t *testing.T, q recording.Request, minor int) string {
	t.Helper()
	q.Received = time.Date(2026, 11, 30, 9, 59, 59, 900e6, time.UTC).UnixNano()
	var b strings.Builder
	w := NewWriter(&b, 1)
	v := release.Version{Minor: minor}
	w.Stage(recording.StageReceived, &q, v)
	if b.Len() > 0 {
		t.Errorf("a line before the end: %s", b.String())
	}
	w.Stage(recording.StageComplete, &q, v)
	if w.Err() != nil || !strings.HasSuffix(b.String(), "\n") {
		t.Errorf("%v after %q", w.Err(), b.String())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// list is a LIST that waited for 100 ms and executed for as long.
func list() recording.Request {
	return recording.Request{
		ID: 1, Verb: "list", Resource: "pods", Client: `a "b"/1`, Total: 200 * time.Millisecond, Waited: 100 * time.Millisecond, Execution: 100 * time.Millisecond,
		Code: 200, Handled: true, FlowSchema: "global-default", PriorityLevel: "global-default", InitialSeats: 5, FinalSeats: 0,
	}
}

// What releases write differs: the verb, the keys and the line of the source.
func TestLinesOfReleases(t *testing.T) {
	const head, id, class, width = `I1130 10:00:00.100000       1 httplog.go:`, ` audit-ID="e220a839-7b1d-4daf-9bd1-1c5f8a9a0c1e"`,
		` apf_pl="global-default" apf_fs="global-default"`, ` apf_iseats=5 apf_fseats=0 apf_additionalLatency="0s" apf_execution_time="100ms"`
	for minor, want := range map[int]string{
		20: head + `94] "HTTP" verb="GET" URI="/api/v1/pods" latency="200ms" userAgent="a \"b\"/1" srcIP=@ resp=200`,
		22: head + `109] "HTTP" verb="LIST" URI="/api/v1/pods" latency="200ms" userAgent="a \"b\"/1"` + id + ` srcIP=@ resp=200`,
		23: head + `129] "HTTP" verb="LIST" URI="/api/v1/pods" latency="200ms" userAgent="a \"b\"/1"` + id + ` srcIP=@` + class + ` resp=200`,
		24: head + `131] "HTTP" verb="LIST" URI="/api/v1/pods" latency="200ms" userAgent="a \"b\"/1"` + id + ` srcIP=@` + class + width + ` resp=200`,
		37: head + `135] "HTTP" verb="LIST" URI="/api/v1/pods" latency="200ms" userAgent="a \"b\"/1" contentType=""` + id + ` srcIP=@` + class + width + ` resp=200`,
	} {
		got := written(t, list(), minor)
		got = replaceValue(replaceValue(got, ` srcIP="`, `@`), ` audit-ID="`, ``)
		if want = replaceValue(want, ` audit-ID="`, ``); got != want {
			t.Errorf("1.%d\ngot  %s\nwant %s", minor, got, want)
		}
	}
}

// replaceValue puts another text in the place of the quoted value of a key that ends with a quote.
func replaceValue(line, key, value string) string {
	front, rest, ok := strings.Cut(line, key)
	if !ok {
		return line
	}
	_, rest, _ = strings.Cut(rest, `"`)
	return front + strings.TrimSuffix(key, `"`) + value + rest
}

// What is special of a request shows in its line.
func TestLinesOfRequests(t *testing.T) {
	for name, c := range map[string]struct {
		change        func(q *recording.Request)
		has, hasNever string
	}{
		"rejected": {func(q *recording.Request) { q.Code, q.Handled = 429, false }, `apf_additionalLatency="0s" resp=429`, "apf_execution_time"},
		"watch":    {func(q *recording.Request) { q.Verb, q.Execution = "watch", time.Millisecond }, `apf_init_latency="1ms" apf_execution_time="1ms"`, `verb="LIST"`},
		"exec": {func(q *recording.Request) {
			q.Verb, q.Name, q.Subresource, q.Code, q.PriorityLevel = "create", "x", "exec", 101, ""
		}, `verb="CONNECT"`, "resp="},
		"exec, its end": {func(q *recording.Request) { q.Verb, q.Name, q.Subresource, q.Code = "create", "x", "exec", 101 }, " hijacked=true", "resp="},
		"path":          {func(q *recording.Request) { q.Verb, q.Resource, q.Path = "get", "", "/readyz" }, `verb="GET" URI="/readyz"`, "LIST"},
		"long name":     {func(q *recording.Request) { q.FlowSchema = strings.Repeat("x", 70) }, `apf_fs="` + strings.Repeat("x", 64) + `"`, strings.Repeat("x", 65)},
		"quoted":        {func(q *recording.Request) { q.Verb, q.Path = "get", "/a\"b" }, `URI="/a%22b"`, `\"b" lat`},
	} {
		q := list()
		c.change(&q)
		if got := written(t, q, 37); !strings.Contains(got, c.has) || strings.Contains(got, c.hasNever) {
			t.Errorf("%s: %s\nhas to have %s and not %s", name, got, c.has, c.hasNever)
		}
	}
}

// What is written of any release is read as it was, as far as lines tell.
func TestLinesAreReadAsTheyWere(t *testing.T) {
	for minor := 20; minor <= 37; minor++ {
		r := newReader()
		if err := r.Read("f", -1, strings.NewReader(written(t, list(), minor)+"\n")); err != nil {
			t.Fatal(err)
		}
		var q recording.Request
		if more, err := r.Next(&q); !more || err != nil {
			t.Fatalf("1.%d: %v, %v", minor, r.Account, err)
		}
		want := list()
		if q.Verb != want.Verb || q.Resource != want.Resource || q.Client != want.Client || q.Total != want.Total || q.Code != want.Code {
			t.Errorf("1.%d: read %+v", minor, q)
		}
		if minor >= widthSince && (q.Waited != want.Waited || q.Execution != want.Execution || q.FlowSchema != want.FlowSchema || q.InitialSeats != 5) {
			t.Errorf("1.%d: read %+v", minor, q)
		}
	}
}

// full is a disk that is full.
type full struct{ writes int }

var errFull = errors.New("the disk is full")

func (f *full) Write([]byte) (int, error) { f.writes++; return 0, errFull }

// After an error nothing more is written, and the error stays.
func TestWriterKeepsItsError(t *testing.T) {
	var f full
	w := NewWriter(&f, 1)
	for range 3 {
		q := list()
		w.Stage(recording.StageComplete, &q, release.Version{Minor: 37})
	}
	if w.Err() != errFull || f.writes != 1 {
		t.Errorf("%v after %d writes", w.Err(), f.writes)
	}
}

package httplog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// at is an HTTP line that was written so many seconds after 10:00, with keys after srcIP.
func at(seconds, verb, uri, latency, keys string) string {
	return fmt.Sprintf(`I1130 10:00:%s       1 httplog.go:131] "HTTP" verb=%q URI=%q latency=%q userAgent="a/1" audit-ID="x" srcIP="10.0.0.1:4" %s`,
		seconds, verb, uri, latency, keys)
}

const pods = "/api/v1/pods"

// class are the keys of flow control of servers of 1.24 and later, without an execution time.
const class = `apf_pl="global-default" apf_fs="global-default" apf_iseats=1 apf_fseats=0 apf_additionalLatency="0s" `

// executed are the keys of a request that executed.
func executed(d string) string { return class + `apf_execution_time="` + d + `" ` }

// ok is a line of a list that arrived at 1 s and took 100 ms, all of it executing.
var ok = at("01.100000", "LIST", pods, "100ms", executed("100ms")+"resp=200")

// okRequest is what becomes of it.
const okRequest = `"1s","duration":"100ms","verb":"list","resource":"pods","code":200`

// brief makes a trace short: without what all requests of these tests share.
func brief(trace string) []string {
	var all []string
	for line := range strings.Lines(trace) {
		for _, drop := range []string{
			`{"arrival":`, `"user":"a@10.0.0.1",`, `"groups":["system:authenticated"],`, `,"waited":"0s"`, `,"client":"a/1"`,
			`,"flowSchema":"global-default","priorityLevel":"global-default"`, "}\n",
		} {
			line = strings.Replace(line, drop, "", 1)
		}
		all = append(all, line)
	}
	return all
}

// trap is something in which a reader may be caught.
type trap struct {
	name, text string
	want       []string
	// told are lines that the account has to have, each with its count or place.
	told []string
}

func (c *trap) check(t *testing.T) {
	t.Helper()
	r := newReader()
	if d := cmp.Diff(c.want, brief(trace(t, r, c.text))); d != "" {
		t.Error(d)
	}
	got := told(r)
	for _, want := range c.told {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("got\n%swithout %s", got, want)
		}
	}
	if len(c.told) == 0 && r.Account.Malformed > 0 {
		t.Errorf("malformed: %s", got)
	}
}

func run(t *testing.T, traps []trap) {
	for _, c := range traps {
		t.Run(c.name, c.check)
	}
}

// What requests may have in their lines.
func TestCourses(t *testing.T) {
	run(t, []trap{
		{"1.20", `I1130 10:00:01.100000       1 httplog.go:94] "HTTP" verb="GET" URI="/api/v1/pods?limit=5" latency="100ms" userAgent="a/1" srcIP="10.0.0.1:4" resp=200`,
			[]string{`"1s","duration":"100ms","verb":"list","resource":"pods","limit":5,"code":200`}, []string{"upper bound 1"}},
		{"1.23 has no execution times", at("01.100000", "LIST", pods, "100ms", `apf_pl="global-default" apf_fs="global-default" resp=200`),
			[]string{okRequest}, []string{"upper bound 1"}},
		{"waited", at("01.100000", "LIST", pods, "100ms", executed("40.5µs")+"resp=200"),
			[]string{`"1s","duration":"40.5µs","verb":"list","resource":"pods","code":200,"waited":"99.9595ms"`}, []string{"recorded 1"}},
		{"rejected", ok + "\n" + at("17.000000", "LIST", pods, "15s", class+"resp=429"),
			[]string{okRequest, `"2s","duration":"100ms","verb":"list","resource":"pods","code":429,"waited":"15s"`}, []string{"assumed 1", "1: " + assumedRejected}},
		{"rejected at once by a busy server", ok + "\n" + at("02.099000", "LIST", pods, "99ms", class+"resp=429"),
			[]string{okRequest, `"2s","duration":"100ms","verb":"list","resource":"pods","code":429,"waited":"99ms"`}, []string{"assumed 1", "1: " + assumedRejected}},
		{"given up in its queue", ok + "\n" + at("04.000000", "LIST", pods, "2s", class+"resp=429"),
			[]string{okRequest, `"2s","duration":"100ms","left":"2s","verb":"list","resource":"pods","code":429,"waited":"2s"`}, []string{"1: " + assumedLeft, "1: " + assumedRejected}},
		{"a handler's 429", at("01.100000", "POST", "/api/v1/namespaces/n/pods/x/eviction", "100ms", executed("100ms")+"resp=429"),
			[]string{`"1s","duration":"100ms","verb":"create","resource":"pods","subresource":"eviction","namespace":"n","name":"x","code":429`}, []string{"recorded 1"}},
		{"written before the handler returned", ok + "\n" + at("02.500000", "LIST", pods, "500ms", class+"resp=504"),
			[]string{okRequest, `"2s","duration":"500ms","verb":"list","resource":"pods","code":504`}, []string{"upper bound 1", "1: " + assumedNoEnd}},
		{"a watch of 1.20", ok + "\n" + at("11.000000", "GET", pods+"?watch=true&timeout=9s", "10s", "resp=200"),
			[]string{okRequest}, []string{"1: " + leftBefore}},
		{"a watch without its initialisation", at("11.000000", "WATCH", pods+"?watch=1&timeoutSeconds=9", "10s", "resp=200"),
			[]string{`"1s","duration":"10ms","life":"10s","verb":"watch","resource":"pods","code":200`}, []string{"1: " + assumedWatch}},
		{"a watch of 1.23", at("11.000000", "WATCH", pods+"?watch", "10s", `apf_pl="global-default" apf_fs="global-default" apf_init_latency="3ms" resp=200`),
			[]string{`"1s","duration":"3ms","life":"10s","verb":"watch","resource":"pods","code":200`}, []string{"recorded 1"}},
		{"exec", at("11.000000", "CONNECT", "/api/v1/namespaces/n/pods/x/exec?command=ls", "10s", "hijacked=true"),
			[]string{`"1s","duration":"10s","verb":"create","resource":"pods","subresource":"exec","namespace":"n","name":"x","code":101`}, []string{"derived 1", "1: " + noteConnect}},
		{"log", at("11.000000", "CONNECT", "/api/v1/namespaces/n/pods/x/log?follow=true", "10s", "resp=200"),
			[]string{`"1s","duration":"10s","verb":"get","resource":"pods","subresource":"log","namespace":"n","name":"x","code":200`}, nil},
		{"refused", at("01.100000", "LIST", pods, "1ms", "resp=401"), nil, []string{"1: " + leftNobody}},
		{"an unknown method", at("01.100000", "OPTIONS", pods, "1ms", executed("1ms")+"resp=405"), nil, []string{"1: " + leftVerb}},
		{"no flow control, unlike others", ok + "\n" + at("02.000000", "LIST", pods, "1ms", "resp=503"), []string{okRequest}, []string{"1: " + leftBefore}},
		{"the client was gone", at("01.100000", "LIST", pods, "100ms", executed("100ms")+"resp=0"), []string{`"1s","duration":"100ms","verb":"list","resource":"pods"`}, []string{"recorded 1"}},
		{"garbled execution", at("01.100000", "LIST", pods, "100ms", executed("-2562047h47m16.854775808s")+"resp=200"), []string{okRequest}, []string{"1: " + noteGarbled, "upper bound 1"}},
		{"executed for longer than it took", at("01.100000", "LIST", pods, "100ms", executed("1m0.003s")+"resp=200"), []string{okRequest}, []string{"1: " + noteBackwards}},
	})
}

// What is asked for: the verbs of metrics become RequestInfo's.
func TestVerbs(t *testing.T) {
	target := func(verb, uri, want string) trap {
		return trap{verb + " " + uri, at("01.100000", verb, uri, "100ms", executed("100ms")+"resp=200"), []string{`"1s","duration":"100ms",` + want + `,"code":200`}, nil}
	}
	run(t, []trap{
		target("APPLY", "/apis/apps/v1/namespaces/n/deployments/d", `"verb":"patch","apiGroup":"apps","resource":"deployments","namespace":"n","name":"d"`),
		target("PUT", "/apis/apps/v1/namespaces/n/deployments/d/status", `"verb":"update","apiGroup":"apps","resource":"deployments","subresource":"status","namespace":"n","name":"d"`),
		target("POST", "/api/v1/namespaces", `"verb":"create","resource":"namespaces"`),
		target("DELETE", "/api/v1/namespaces/n", `"verb":"delete","resource":"namespaces","namespace":"n","name":"n"`),
		target("DELETE", "/api/v1/namespaces/n/pods?labelSelector=a", `"verb":"deletecollection","resource":"pods","namespace":"n"`),
		target("HEAD", "/healthz", `"verb":"head","path":"/healthz"`),
		target("GET", "/readyz?verbose", `"verb":"get","path":"/readyz"`),
		target("GET", "/apis/apps/v1", `"verb":"get","path":"/apis/apps/v1"`),
		target("GET", "/api/v1/watch/pods", `"life":"100ms","verb":"watch","resource":"pods"`),
		target("GET", "/api/v1/pods?watch=false", `"verb":"list","resource":"pods"`),
		target("LIST", "/api/v1/pods?fieldSelector=metadata.name%3Dx", `"verb":"list","resource":"pods","fieldSelector":"metadata.name=x"`),
	})
}

// What is wrong with lines.
func TestMalformed(t *testing.T) {
	bad := func(name, text, problem string) trap {
		return trap{name, ok + "\n" + text + "\n" + ok, []string{okRequest, okRequest}, []string{"file-0:2: " + problem}}
	}
	run(t, []trap{
		bad("cut off within a text", ok[:strings.Index(ok, "userAgent")+12], cutOff),
		bad("cut off between", ok[:strings.Index(ok, " apf_pl")], noCode),
		bad("cut off within a key", ok[:strings.Index(ok, "_pl")], strangeText),
		bad("no latency", strings.Replace(ok, `latency="100ms"`, "", 1), noLatency),
		bad("a latency that is none", strings.Replace(ok, `latency="100ms"`, `latency="-2562047h47m16.854775808s"`, 1), badLatency),
		bad("no verb", strings.Replace(ok, `verb="LIST"`, "", 1), noVerb),
		bad("no URI", strings.Replace(ok, `URI="/api/v1/pods"`, "", 1), noURI),
		bad("a code that is none", strings.Replace(ok, "resp=200", "resp=2000", 1), badCode),
		bad("two in one line", "I1130 10:00:0"+ok, "an HTTP line without the head of klog"),
		bad("a date that is none", strings.Replace(ok, "I1130", "I1330", 1), "an HTTP line without the head of klog"),
		bad("JSON that ends", `{"log":"I1130 10:00:`, notJSON),
		bad("too long", strings.Repeat("x", LineMax+1), "a line of more than 4 MiB"),
	})
}

package audit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/workload/recording"
)

// at makes an event of a request of ann for pods: what the members in rest do not say.
func at(id, stage, received, staged, rest string) string {
	e := fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":%q,"stage":%q,"requestReceivedTimestamp":"2026-11-30T10:00:%sZ","stageTimestamp":"2026-11-30T10:00:%sZ"`,
		id, stage, received, staged)
	for _, member := range []string{`"requestURI":"/api/v1/pods"`, `"verb":"list"`, `"user":{"username":"ann"}`, `"responseStatus":{"metadata":{},"code":200}`} {
		if name, _, _ := strings.Cut(member, ":"); !strings.Contains(rest, name) && !(stage == "RequestReceived" && name == `"responseStatus"`) {
			e += "," + member
		}
	}
	if rest != "" {
		e += "," + rest
	}
	return e + "}\n"
}

func waited(text string) string {
	return `"annotations":{"authorization.k8s.io/decision":"allow","apiserver.latency.k8s.io/apf-queue-wait":"` + text + `"}`
}

const listed = `,"verb":"list","resource":"pods","code":200`

// traps has an entry for everything that audit logs are known to trip readers with.
var traps = []struct {
	name, text string
	// want is the trace, but for the user of each line, and account what is counted.
	want    []string
	account string
}{
	{"a wait of microseconds", at("a", "ResponseComplete", "01.0", "01.001000", waited("250.5µs")),
		[]string{`"1s","duration":"749.5µs"` + listed + `,"waited":"250.5µs"`}, "derived 1"},
	{"a wait of microseconds, with the other letter", at("a", "ResponseComplete", "01.0", "01.001000", waited(`250.5\u03bcs`)),
		[]string{`"1s","duration":"749.5µs"` + listed + `,"waited":"250.5µs"`}, "derived 1"},
	{"a wait of minutes", at("a", "ResponseComplete", "00.0", "59.9", waited("58.003s")),
		[]string{`"0s","duration":"1.897s"` + listed + `,"waited":"58.003s"`}, "derived 1"},
	{"a wait of a minute and some", strings.Replace(at("a", "ResponseComplete", "00.0", "59.9", waited("1m0.003s")), "10:00:59.9", "10:01:01", 1),
		[]string{`"0s","duration":"997ms"` + listed + `,"waited":"1m0.003s"`}, "derived 1"},
	{"a wait of nothing", at("a", "ResponseComplete", "01.0", "01.001000", waited("0s")),
		[]string{`"1s","duration":"1ms"` + listed + `,"waited":"0s"`}, "derived 1"},
	{"a garbled wait", at("a", "ResponseComplete", "01.0", "03.0", waited("-2562047h47m16.854775808s")),
		[]string{`"1s","duration":"2s"` + listed}, "upper bound 1; note 1: " + noteGarbled},
	{"a wait that is no duration", at("a", "ResponseComplete", "01.0", "03.0", waited("long")),
		[]string{`"1s","duration":"2s"` + listed}, "upper bound 1; note 1: " + noteGarbled},
	{"a wait longer than the request", at("a", "ResponseComplete", "01.0", "03.0", waited("2562047h47m16s")),
		[]string{`"1s","duration":"2s"` + listed}, "upper bound 1; note 1: " + noteGarbled},
	{"no annotation, on a fast request", at("a", "ResponseComplete", "01.0", "01.4", ""),
		[]string{`"1s","duration":"400ms"` + listed}, "upper bound 1"},
	{"no wait on a slow request, of a server that tells waits elsewhere",
		at("a", "ResponseComplete", "01.0", "02.0", "") + at("b", "ResponseComplete", "03.0", "04.0", waited("900ms")) + at("c", "ResponseComplete", "05.0", "05.4", ""),
		[]string{`"1s","duration":"1s"` + listed + `,"waited":"0s"`, `"3s","duration":"100ms"` + listed + `,"waited":"900ms"`, `"5s","duration":"400ms"` + listed}, "derived 2, upper bound 1"},
	{"no wait beside an annotation that only servers have that tell waits",
		at("a", "ResponseComplete", "01.0", "02.0", `"annotations":{"apiserver.latency.k8s.io/authentication":"20µs"}`),
		[]string{`"1s","duration":"1s"` + listed + `,"waited":"0s"`}, "derived 1"},
	{"504 for the client and 429 in the log", at("a", "ResponseComplete", "01.0", "16.1", `"responseStatus":{"metadata":{},"code":429},`+waited("15s")) + at("b", "ResponseComplete", "01.1", "01.2", ""),
		[]string{`"1s","duration":"100ms","verb":"list","resource":"pods","code":429,"waited":"15s"`, `"1.1s","duration":"100ms"` + listed},
		"upper bound 1, assumed 1; assumed 1: " + assumedRejected},
	{"429 that a handler gave", at("a", "ResponseComplete", "01.0", "01.1", `"verb":"create","requestURI":"/api/v1/namespaces/n/pods/x/eviction","responseStatus":{"metadata":{},"status":"Failure","reason":"TooManyRequests","code":429}`),
		[]string{`"1s","duration":"100ms","verb":"create","resource":"pods","subresource":"eviction","namespace":"n","name":"x","code":429`}, "upper bound 1"},
	{"the same stage twice", at("a", "ResponseComplete", "01.0", "01.1", "") + at("a", "ResponseComplete", "01.0", "01.1", ""),
		[]string{`"1s","duration":"100ms"` + listed}, "upper bound 1; note 1: " + noteDuplicate},
	{"the same auditID at an aggregated server", at("a", "ResponseComplete", "01.0", "01.1", "") + at("a", "ResponseComplete", "01.02", "01.05", ""),
		[]string{`"1s","duration":"100ms"` + listed}, "upper bound 1; left out 1: " + leftRelayed},
	{"the panic of a handler", at("a", "RequestReceived", "01.0", "01.0", "") + at("a", "Panic", "01.0", "01.1", `"responseStatus":{"code":500}`),
		[]string{`"1s","duration":"100ms","verb":"list","resource":"pods","code":500`}, "upper bound 1"},
	{"no end, at the end of the record", at("a", "RequestReceived", "01.0", "01.0", "") + at("b", "RequestReceived", "03.0", "03.0", ""),
		[]string{`"1s","duration":"2.000001s","verb":"list","resource":"pods"`, `"3s","duration":"1µs","verb":"list","resource":"pods"`}, "assumed 2; assumed 2: " + assumedUnfinished},
	{"no end, long before the end of the record",
		at("a", "RequestReceived", "01.0", "01.0", "") + strings.Replace(at("b", "ResponseComplete", "03.0", "03.1", ""), "T10:00:03.1", "T10:02:03", 1),
		[]string{`"1s","duration":"2m0s","verb":"list","resource":"pods"`, `"3s","duration":"2m0s"` + listed}, "upper bound 1, assumed 1; assumed 1: " + assumedLost},
	{"a server that stops",
		at("a", "ResponseComplete", "00.0", "00.1", "") + at("b", "RequestReceived", "01.0", "01.0", "") + at("c", "RequestReceived", "02.0", "02.0", "") +
			at("d", "ResponseComplete", "12.0", "12.1", "") + strings.Replace(at("e", "ResponseComplete", "50.0", "50.1", ""), "T10:00:50", "T10:03:50", 2),
		[]string{`"0s","duration":"100ms"` + listed, `"1s","duration":"11s","verb":"list","resource":"pods"`, `"2s","duration":"10s","verb":"list","resource":"pods"`, `"12s","duration":"100ms"` + listed, `"3m50s","duration":"100ms"` + listed},
		"upper bound 3, assumed 2; assumed 2: " + assumedStopped + "; stop of -1 with 2, 10s"},
	{"a line that was lost before hours of the log",
		at("a", "ResponseComplete", "00.0", "00.1", "") + at("b", "RequestReceived", "01.0", "01.0", "") + strings.Replace(at("d", "ResponseComplete", "12.0", "12.1", ""), "T10:", "T14:", 2),
		[]string{`"0s","duration":"100ms"` + listed, `"1s","duration":"1m0s","verb":"list","resource":"pods"`, `"4h0m12s","duration":"100ms"` + listed},
		"upper bound 2, assumed 1; assumed 1: " + assumedStopped + "; note 1: " + noteThin + "; stop of -1 with 1, 4h0m11s"},
	{"a policy that omits the ends of all requests",
		at("a", "RequestReceived", "00.0", "00.0", "") + at("b", "RequestReceived", "10.0", "10.0", "") + strings.Replace(at("c", "RequestReceived", "00.0", "00.0", ""), "T10:00", "T10:02", 2),
		[]string{`"0s","duration":"10ms","verb":"list","resource":"pods"`, `"10s","duration":"10ms","verb":"list","resource":"pods"`, `"2m0s","duration":"1µs","verb":"list","resource":"pods"`},
		"assumed 3; assumed 2: " + assumedLost + "; assumed 1: " + assumedUnfinished},
	{"a line that was lost while other requests were executing",
		at("a", "ResponseComplete", "00.0", "11.0", "") + at("b", "RequestReceived", "01.0", "01.0", "") + at("d", "ResponseComplete", "12.0", "12.1", "") +
			strings.Replace(at("e", "ResponseComplete", "13.0", "50.1", ""), "T10:00:50", "T10:01:50", 1),
		[]string{`"0s","duration":"11s"` + listed, `"1s","duration":"1m37.1s","verb":"list","resource":"pods"`, `"12s","duration":"100ms"` + listed, `"13s","duration":"1m37.1s"` + listed},
		"upper bound 3, assumed 1; assumed 1: " + assumedLost},
	{"an end that comes after an arrival of the same microsecond", at("b", "RequestReceived", "02.0", "02.0", "") + at("a", "ResponseComplete", "01.0", "02.0", "") + at("c", "ResponseComplete", "01.5", "02.1", "") + at("b", "ResponseComplete", "02.0", "02.2", ""),
		[]string{`"1s","duration":"1s","endsLast":true` + listed, `"1.5s","duration":"600ms"` + listed, `"2s","duration":"200ms"` + listed}, "upper bound 3"},
	{"an end that comes before an arrival of the same microsecond", at("a", "ResponseComplete", "01.0", "02.0", "") + at("b", "ResponseComplete", "02.0", "02.0", ""),
		[]string{`"1s","duration":"1s"` + listed, `"2s"` + listed}, "upper bound 2"},
	{"an end that comes after a rejection of the same microsecond", at("a", "ResponseComplete", "01.0", "16.0", `"responseStatus":{"metadata":{},"code":429},`+waited("15s")) + at("b", "ResponseComplete", "00.0", "16.0", ""),
		[]string{`"0s","duration":"16s","endsLast":true` + listed + `,"waited":"0s"`, `"1s","duration":"16s","verb":"list","resource":"pods","code":429,"waited":"15s"`}, "derived 1, assumed 1; assumed 1: " + assumedRejected},
	{"a watch that is initialised after an arrival of the same microsecond, and ends so",
		at("b", "RequestReceived", "01.02", "01.02", "") + at("a", "ResponseStarted", "01.0", "01.02", `"verb":"watch"`) + at("b", "ResponseComplete", "01.02", "01.5", "") +
			at("c", "ResponseComplete", "05.0", "05.0", "") + at("a", "ResponseComplete", "01.0", "05.0", `"verb":"watch"`),
		[]string{`"1s","duration":"20ms","life":"4s","endsLast":true,"verb":"watch","resource":"pods","code":200`, `"1.02s","duration":"480ms"` + listed, `"5s"` + listed}, "upper bound 3; assumed 1: " + assumedWatchStart},
	{"a watch that goes on", at("a", "ResponseStarted", "01.0", "01.02", `"verb":"watch","requestURI":"/api/v1/pods?watch=true&resourceVersion=7&timeoutSeconds=500&timeout=5m&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan"`),
		[]string{`"1s","duration":"20ms","life":"20ms","verb":"watch","resource":"pods","resourceVersion":"7","resourceVersionMatch":"NotOlderThan","sendInitialEvents":true,"code":200`},
		"upper bound 1; assumed 1: " + assumedOpen + "; assumed 1: " + assumedWatchStart},
	{"a watch that has ended, with its wait", at("a", "ResponseStarted", "01.0", "01.02", `"verb":"watch"`) + at("a", "ResponseComplete", "01.0", "59.0", `"verb":"watch",`+waited("15ms")),
		[]string{`"1s","duration":"5ms","life":"58s","verb":"watch","resource":"pods","code":200,"waited":"15ms"`}, "derived 1; assumed 1: " + assumedWatchStart},
	{"a watch of which only the end is told", at("a", "ResponseStarted", "01.0", "01.02", `"verb":"watch"`) + at("b", "ResponseComplete", "02.0", "59.0", `"verb":"watch"`),
		[]string{`"1s","duration":"20ms","life":"58s","verb":"watch","resource":"pods","code":200`, `"2s","duration":"20ms","life":"57s","verb":"watch","resource":"pods","code":200`},
		"upper bound 1, assumed 1; assumed 1: " + assumedWatch + "; assumed 1: " + assumedOpen + "; assumed 1: " + assumedWatchStart},
	{"what flow control does not see", at("a", "ResponseComplete", "01.0", "31.0", `"verb":"create","requestURI":"/api/v1/namespaces/n/pods/x/exec?command=sh"`) +
		at("b", "ResponseStarted", "02.0", "02.1", `"verb":"get","requestURI":"/api/v1/namespaces/n/pods/x/log?follow=true"`),
		[]string{`"1s","duration":"30s","verb":"create","resource":"pods","subresource":"exec","namespace":"n","name":"x","code":200`,
			`"2s","duration":"29.000001s","verb":"get","resource":"pods","subresource":"log","namespace":"n","name":"x","code":200`},
		"derived 1, assumed 1; assumed 1: " + assumedLongLived},
	{"refused by authentication", at("a", "ResponseStarted", "01.0", "01.1", `"user":{},"responseStatus":{"code":401}`), nil, "; left out 1: " + leftNobody},
	{"a method that is no verb", at("a", "ResponseComplete", "01.0", "01.1", `"verb":""`) + at("b", "ResponseComplete", "01.0", "01.1", `"verb":"list","requestURI":"/metrics"`), nil, "; left out 2: " + leftVerb},
	{"neither URI nor reference", at("a", "ResponseComplete", "01.0", "01.1", `"requestURI":""`), nil, "; left out 1: " + leftTarget},
	{"no URI", at("a", "ResponseComplete", "01.0", "01.1", `"verb":"create","requestURI":"","objectRef":{"resource":"deployments","namespace":"n","name":"x","apiGroup":"apps","apiVersion":"v1"}`),
		[]string{`"1s","duration":"100ms","verb":"create","apiGroup":"apps","resource":"deployments","namespace":"n","code":200`}, "upper bound 1"},
	{"system users that are left out", at("a", "ResponseComplete", "01.0", "01.1", "") + strings.Replace(at("b", "ResponseComplete", "01.0", "01.1", ""), "T10:00:01.0Z", "T09:50:01.0Z", 1),
		[]string{`"-9m59s","duration":"10m0.1s"` + listed, `"1s","duration":"100ms"` + listed}, "upper bound 2; note 1: " + noteThin},
	{"a stage before the arrival", at("a", "ResponseComplete", "01.0", "00.9", ""), []string{`"1s"` + listed}, "upper bound 1; note 1: " + noteBackwards},
	{"members that are null or of another type", at("a", "ResponseComplete", "01.0", "01.1", `"annotations":null,"objectRef":null,"impersonatedUser":null,"responseStatus":{"code":"200","reason":5},"userAgent":7,"sourceIPs":[null]`),
		[]string{`"1s","duration":"100ms","verb":"list","resource":"pods"`}, "upper bound 1"},
}

// TestTraps holds what comes of each trap, and what is said of it.
func TestTraps(t *testing.T) {
	for _, c := range traps {
		got, r := trace(t, c.text)
		var want strings.Builder
		for _, line := range c.want {
			if at, rest, ok := strings.Cut(line, ","); ok {
				fmt.Fprintf(&want, "{\"arrival\":%s,\"user\":\"ann\",%s}\n", at, rest)
			}
		}
		if d := cmp.Diff(want.String(), got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if got := account(&r.Account); got != c.account {
			t.Errorf("%s: the account is\n%s, want\n%s", c.name, got, c.account)
		}
	}
}

// TestQuietServers: where few ask a silence says nothing of a line that was lost, but one that is much longer
// than the others does.
func TestQuietServers(t *testing.T) {
	for _, c := range []struct {
		hour int
		want string
	}{{0, assumedLost}, {2, assumedStopped}} {
		var text strings.Builder
		for i := range 120 {
			minute := fmt.Sprintf("T%02d:%02d", 10+i/60, i%60)
			if i == 119 {
				minute = fmt.Sprintf("T%02d:59", 11+c.hour)
			}
			for n, stage := range []string{"RequestReceived", "ResponseComplete"} {
				if lost := i == 118 && n == 1; !lost {
					text.WriteString(strings.ReplaceAll(at(fmt.Sprint(i), stage, "00.0", fmt.Sprintf("00.%d", n), ""), "T10:00", minute))
				}
			}
		}
		_, r := trace(t, text.String())
		if got := r.Account.Assumed[c.want]; got != 1 || len(r.Account.Assumed) != 1 {
			t.Errorf("%d hours later: %v", c.hour, r.Account.Assumed)
		}
	}
}

// TestSystemUsers that are there keep an account quiet.
func TestSystemUsers(t *testing.T) {
	long := strings.Replace(at("b", "ResponseComplete", "01.0", "01.1", ""), "T10:00:01.0Z", "T09:50:01.0Z", 1)
	for _, user := range []string{"system:node:n", "system:kube-scheduler", "system:kube-controller-manager"} {
		_, r := trace(t, long+strings.Replace(at("a", "ResponseComplete", "01.0", "01.1", ""), "ann", user, 1))
		if len(r.Account.Notes) > 0 {
			t.Errorf("%s: %v", user, r.Account.Notes)
		}
	}
}

// account writes an account on one line.
func account(a *recording.Account) string {
	var evidence, parts []string
	for e, n := range a.Evidence {
		if n > 0 {
			evidence = append(evidence, fmt.Sprint(recording.Evidence(e), " ", n))
		}
	}
	parts = append(parts, strings.Join(evidence, ", "))
	for _, list := range []struct {
		name   string
		counts map[string]int64
	}{{"left out", a.LeftOut}, {"assumed", a.Assumed}, {"note", a.Notes}} {
		for _, e := range recording.Entries(list.counts) {
			parts = append(parts, fmt.Sprintf("%s %d: %s", list.name, e.Count, e.Reason))
		}
	}
	for _, s := range a.Stops {
		parts = append(parts, fmt.Sprintf("stop of %d with %d, %v", s.Server, s.Lost, time.Duration(s.Next-s.Last)))
	}
	for _, f := range a.Faults {
		parts = append(parts, fmt.Sprintf("%s:%d: %s: %.30s", f.File, f.Line, f.Problem, f.Text))
	}
	return strings.Join(parts, "; ")
}

// TestFaults holds what is said of text that is no event, and that what is around it is read.
func TestFaults(t *testing.T) {
	good := at("a", "ResponseComplete", "01.0", "01.1", "")
	late := at("z", "ResponseComplete", "02.0", "02.1", "")
	pretty := strings.NewReplacer("{", "{\n  ", ",", ",\n  ").Replace(good)
	for _, c := range []struct {
		name, text, want string
		requests         int64
	}{
		{"a line cut off within a string", good + late[:20] + "\n" + late, `file-0:2: the line ends within an object: {"kind":"Event","api`, 2},
		{"a line cut off after a colon", good + late[:15] + "\n" + late, `file-0:2: the line ends within an object: {"kind":"Event"`, 2},
		{"a line cut off after a comma", good + late[:16] + "\n" + late, `file-0:2: the line ends within an object: {"kind":"Event",`, 2},
		{"the last line cut off", good + late[:100], `file-0:2: the text ends within an object: {"kind":"Event","apiVersion":"`, 1},
		{"an object over several lines cut off", pretty[:100] + "\n" + late, `note 4: lines passed over after a malformed one; file-0:1: the line ends within an object: {`, 1},
		{"other text", "hello\n" + good + "I1130 10:00:00.000000  1 httplog.go:1] x\n", "file-0:1: not JSON: hello; file-0:3: not JSON: I1130 10:00:00.000000  1 httpl", 1},
		{"another object", `{"kind":"Status","apiVersion":"v1"}` + "\n" + good, `file-0:1: no audit event: neither auditID nor stage: {"kind":"Status","apiVersion":`, 1},
		{"an event of the core group", `{"kind":"Event","apiVersion":"v1","message":"Pulled","source":{"component":"kubelet"}}` + "\n", `file-0:1: no audit event: neither auditID nor stage: {"component":"kubelet"}`, 0},
		{"Google Cloud", `{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","methodName":"io.k8s.core.v1.pods.list"},"timestamp":"x"}` + "\n",
			"file-0:1: an entry of Google Cloud's audit log, which tells no times of stages: it cannot be imported: ", 0},
		{"an unknown stage", at("a", "Later", "01.0", "01.1", ""), "file-0:1: an unknown stage: Later", 0},
		{"no time of arrival", strings.Replace(good, "requestReceivedTimestamp", "timestamp", 1), "file-0:1: requestReceivedTimestamp is no time: ", 0},
		{"no time of the stage", strings.Replace(good, "stageTimestamp", "t", 1), "file-0:1: stageTimestamp is no time: ", 0},
		{"a bad escape", strings.Replace(good, "ann", `a\x`, 1) + late, `file-0:1: a string with an escape that JSON does not have: {"kind":"Event","apiVersion":"`, 1},
		{"a member without a name", "{5:1}\n" + late, "file-0:1: no name where one must be: {5:1}", 1},
		{"cut off gzip", zipped(t, strings.Repeat(good, 50))[:100], "", -1},
		{"another answer of a log store", `{"results":[[{"field":"@query","value":"fields auditID"}]]}` + "\n" + late, `file-0:1: no audit event: neither auditID nor stage: {"results":[[{"field":"@query"`, 1},
		{"an event cut off in an answer of a log store", `{"results":[["{\"auditID\":\"x\",\"st"],[` + quoted(strings.TrimSpace(good)) + `]]}` + "\n" + late,
			`note 1: events taken out of objects of a log shipper; file-0:1: within an object of a log shipper: the text ends within an object: "st`, 2},
		{"bad JSON in an answer of a log store", `{"results":[[` + quoted(strings.TrimSpace(good)) + `],[5,auditID]]}` + "\n" + late,
			`note 1: events taken out of objects of a log shipper; file-0:1: within an object of a log shipper: no comma between two elements: ID]`, 2},
		{"CSV of several objects", "a,b\n\"{\"\"auditIDs\"\":1}\",\"{\"\"x\"\":1}\",\"" + strings.ReplaceAll(strings.TrimSpace(good), `"`, `""`) + "\"\n" + late, "", 2},
		{"CSV that is cut off", "a,b\n1,\"" + strings.ReplaceAll(good[:60], `"`, `""`) + "\n" + late, `file-0:2: not JSON: 1,"{""kind"":""Event"",""apiVe`, 1},
		{"a message that is no event", `{"message":"{\"a\":"}` + "\n" + late, `file-0:1: within an object of a log shipper: the text ends within an object: {"a":`, 1},
	} {
		_, r := trace(t, c.text)
		got := account(&r.Account)
		got = strings.TrimPrefix(strings.TrimPrefix(got, fmt.Sprint("upper bound ", r.Account.Requests)), "; ")
		if c.requests == -1 {
			if !strings.Contains(got, "the compressed text is cut off") {
				t.Errorf("%s: %s", c.name, got)
			}
			continue
		}
		if got != c.want || r.Account.Requests != c.requests {
			t.Errorf("%s: %d requests, and the account is\n%s, want\n%s", c.name, r.Account.Requests, got, c.want)
		}
	}
}

// TestFields takes no fields of an event, which log stores put beside it, for the event.
func TestFields(t *testing.T) {
	const flat = `"auditID":"f","stage":"ResponseComplete","verb":"get","user_username":"u"`
	event := strings.TrimSpace(at("a", "ResponseComplete", "01.0", "01.1", ""))
	prefixed := quoted("2026-11-30T10:00:01.2Z stdout F " + event)
	want, _ := trace(t, event)
	for name, text := range map[string]string{
		"Loki":    `{"data":{"result":[{"stream":{` + flat + `},"values":[["1",` + prefixed + `]]}]}}`,
		"Splunk":  `{"results":[{` + flat + `,"_raw":` + quoted(event) + `}]}`,
		"lines":   `{"preview":false,"result":{` + flat + `,"_raw":` + quoted(event) + `}}`,
		"Grafana": `"{""job"":""x""}",1,"2026-11-30T10:00:01.2Z stdout F ` + strings.ReplaceAll(event, `"`, `""`) + `"`,
	} {
		if got, r := trace(t, text); got != want || r.Account.Malformed != 0 || r.Account.Lines != 1 {
			t.Errorf("%s: %s, want %s; %+v", name, got, want, r.Account)
		}
	}
}

func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}

package audit

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/workload/recording"
)

// trace reads texts of one server and returns the lines of a trace that begins at
// 2026-11-30T10:00:00Z, with the reader.
func trace(t *testing.T, texts ...string) (string, *Reader) {
	t.Helper()
	r := NewReader(nil)
	for i, text := range texts {
		if err := r.Read(fmt.Sprint("file-", i), -1, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	return lines(t, r), r
}

func lines(t *testing.T, r *Reader) string {
	t.Helper()
	start := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC).UnixNano()
	var out []byte
	for {
		var q recording.Request
		more, err := r.Next(&q)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return string(out)
		}
		out = recording.AppendTail(recording.AppendHead(out, time.Duration(q.Received-start)), &q)
		out = append(out, '\n')
	}
}

// events holds three requests in five events, with escapes, in the form that kube-apiserver writes.
const events = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a1","stage":"RequestReceived","requestURI":"/api/v1/namespaces/prod/pods?limit=500\u0026labelSelector=app%3Dweb","verb":"list","user":{"username":"ann","groups":["system:authenticated"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.37.2","objectRef":{"resource":"pods","namespace":"prod","apiVersion":"v1"},"requestReceivedTimestamp":"2026-11-30T10:00:00.250000Z","stageTimestamp":"2026-11-30T10:00:00.250000Z"}
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a2","stage":"RequestReceived","requestURI":"/healthz?verbose","verb":"get","user":{"username":"b\"o\"b","groups":["g1","g2"]},"sourceIPs":["10.0.0.1"],"requestReceivedTimestamp":"2026-11-30T10:00:00.251000Z","stageTimestamp":"2026-11-30T10:00:00.251000Z"}
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a2","stage":"ResponseComplete","requestURI":"/healthz?verbose","verb":"get","user":{"username":"b\"o\"b","groups":["g1","g2"]},"sourceIPs":["10.0.0.1"],"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-11-30T10:00:00.251000Z","stageTimestamp":"2026-11-30T10:00:00.261000Z"}
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"a3","stage":"ResponseComplete","requestURI":"/apis/apps/v1/namespaces/prod/deployments?timeout=5s","verb":"create","user":{"username":"ann","groups":["system:authenticated"]},"impersonatedUser":{"username":"carol","groups":["dev","system:authenticated"]},"userAgent":"kubectl/v1.37.2","objectRef":{"resource":"deployments","namespace":"prod","name":"web","apiGroup":"apps","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":201},"requestObject":{"metadata":{"name":"web","annotations":{"a":"}]\\\""}},"spec":[{"x":{}},[]]},"requestReceivedTimestamp":"2026-11-30T12:00:00.200000+02:00","stageTimestamp":"2026-11-30T10:00:00.240000Z"}
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a1","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/prod/pods?limit=500\u0026labelSelector=app%3Dweb","verb":"list","user":{"username":"ann","groups":["system:authenticated"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.37.2","objectRef":{"resource":"pods","namespace":"prod","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-11-30T10:00:00.250000Z","stageTimestamp":"2026-11-30T10:00:01.261000Z","annotations":{"apiserver.latency.k8s.io/apf-queue-wait":"800.5ms","apiserver.latency.k8s.io/total":"1.011s","authorization.k8s.io/decision":"allow"}}
`

const sampleTrace = `{"arrival":"200ms","user":"carol","duration":"40ms","timeout":"5s","groups":["dev","system:authenticated"],"verb":"create","apiGroup":"apps","resource":"deployments","namespace":"prod","code":201,"client":"kubectl/v1.37.2"}
{"arrival":"250ms","user":"ann","duration":"210.5ms","groups":["system:authenticated"],"verb":"list","resource":"pods","namespace":"prod","limit":500,"labelSelector":"app=web","code":200,"waited":"800.5ms","client":"kubectl/v1.37.2"}
{"arrival":"251ms","user":"b\"o\"b","duration":"10ms","groups":["g1","g2"],"verb":"get","path":"/healthz","code":200}
`

// decoded are the events one by one.
func decoded(t *testing.T) []json.RawMessage {
	t.Helper()
	var all []json.RawMessage
	for line := range strings.Lines(events) {
		all = append(all, json.RawMessage(strings.TrimSpace(line)))
	}
	return all
}

func encode(t *testing.T, v any, indent string) string {
	t.Helper()
	var text []byte
	var err error
	if indent == "" {
		text, err = json.Marshal(v)
	} else {
		text, err = json.MarshalIndent(v, "", indent)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// each writes each event by a function.
func each(t *testing.T, write func(event json.RawMessage) string) string {
	t.Helper()
	var b strings.Builder
	for _, e := range decoded(t) {
		b.WriteString(write(e) + "\n")
	}
	return b.String()
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestForms reads the events in every form that logs have, each with the same result.
func TestForms(t *testing.T) {
	list := map[string]any{"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": map[string]any{}, "items": decoded(t)}
	var sources, records, messages, fields, values, rows []any
	columns := "@timestamp,@message,@log\n"
	for _, e := range decoded(t) {
		sources = append(sources, map[string]any{"_source": e})
		records = append(records, map[string]any{"category": "kube-audit", "properties": map[string]any{"log": string(e)}})
		messages = append(messages, map[string]any{"timestamp": 1, "message": string(e), "eventId": "x"})
		fields = append(fields, []any{map[string]any{"field": "@message", "value": string(e)}, map[string]any{"field": "@ptr", "value": "x"}})
		values = append(values, []any{"1764496800000000000", string(e)})
		rows = append(rows, []any{"2026-11-30T10:00:00Z", string(e), nil})
		columns += `2026-11-30 10:00:00.250,"` + strings.ReplaceAll(string(e), `"`, `""`) + `",1:group` + "\n"
	}
	wrap := func(name string) string {
		return each(t, func(e json.RawMessage) string {
			return encode(t, map[string]any{"@timestamp": "x", name: string(e) + "\n"}, "")
		})
	}
	twice := zipped(t, events[:strings.Index(events, "\n")+1]) + zipped(t, events[strings.Index(events, "\n")+1:])
	for _, c := range []struct{ name, text string }{
		{"JSON Lines", events},
		{"carriage returns", strings.ReplaceAll(events, "\n", "\r\n")},
		{"no newline at the end", strings.TrimSpace(events)},
		{"a byte order mark", "\xef\xbb\xbf" + events},
		{"blank lines", "\n \n" + strings.ReplaceAll(events, "\n", "\n\n\t\n")},
		{"one line", strings.ReplaceAll(events, "\n", "")},
		{"over several lines", each(t, func(e json.RawMessage) string { return encode(t, e, "    ") })},
		{"gzip", zipped(t, events)},
		{"two members of gzip", twice},
		{"EventList", encode(t, list, "")},
		{"EventList over several lines", encode(t, list, "  ")},
		{"two lists", encode(t, list, "") + "\n" + encode(t, map[string]any{"items": []any{}}, "")},
		{"array", encode(t, decoded(t), "")},
		{"array over several lines", encode(t, decoded(t), "\t")},
		{"CRI", each(t, func(e json.RawMessage) string { return "2026-11-30T10:00:00.25Z stdout F " + string(e) })},
		{"fluentd", wrap("message")},
		{"docker", wrap("log")},
		{"Loki", wrap("line")},
		{"Elasticsearch", encode(t, map[string]any{"took": 1, "hits": map[string]any{"total": 5, "hits": sources}}, "")},
		{"Azure", encode(t, map[string]any{"records": records}, "")},
		{"CloudWatch", encode(t, map[string]any{"events": messages, "nextToken": "x"}, "  ")},
		{"CloudWatch Insights", encode(t, map[string]any{"results": fields, "status": "Complete"}, "    ")},
		{"CSV of CloudWatch Insights", columns},
		{"Loki's query_range", encode(t, map[string]any{"data": map[string]any{"result": []any{map[string]any{"stream": map[string]any{"job": "x"}, "values": values}}}}, "")},
		{"Splunk", encode(t, map[string]any{"results": decoded(t)}, "")},
		{"lines of Splunk", each(t, func(e json.RawMessage) string {
			return encode(t, map[string]any{"preview": false, "result": map[string]any{"_raw": string(e)}}, "")
		})},
		{"Azure's Log Analytics", encode(t, map[string]any{"tables": []any{map[string]any{"name": "PrimaryResult", "rows": rows}}}, "")},
		{"subscription of CloudWatch", encode(t, map[string]any{"messageType": "DATA_MESSAGE", "logEvents": messages}, "")},
	} {
		got, r := trace(t, c.text)
		if d := cmp.Diff(sampleTrace, got); d != "" || r.Account.Malformed != 0 {
			t.Errorf("%s: %s\n%+v", c.name, d, r.Account)
		}
	}
	reversed := decoded(t)
	var b strings.Builder
	for i := range reversed {
		b.WriteString(string(reversed[len(reversed)-1-i]) + "\n")
	}
	if got, _ := trace(t, b.String()); got != sampleTrace {
		t.Errorf("out of order: %s", cmp.Diff(sampleTrace, got))
	}
}

// TestReadDoesNotAllocate for each event in the steady state.
func TestReadDoesNotAllocate(t *testing.T) {
	r := NewReader(nil)
	read := func(text string) func() {
		from := strings.NewReader(text)
		return func() {
			from.Reset(text)
			if err := r.Read("f", -1, from); err != nil {
				t.Fatal(err)
			}
		}
	}
	read(strings.Repeat(events, 4000))() // so that there is room
	once, often := testing.AllocsPerRun(20, read(events)), testing.AllocsPerRun(20, read(strings.Repeat(events, 20)))
	if often > once+1 {
		t.Errorf("%v allocations for 5 events, %v for 100", once, often)
	}
}

// BenchmarkStandard decodes the same lines by encoding/json into the members that are needed.
func BenchmarkStandard(b *testing.B) {
	text := strings.Repeat(events, 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for line := range strings.Lines(text) {
			var e struct {
				AuditID, Stage, RequestURI, Verb, UserAgent, RequestReceivedTimestamp, StageTimestamp string
				User, ImpersonatedUser                                                                struct {
					Username string
					Groups   []string
				}
				ResponseStatus struct{ Code int }
				Annotations    map[string]string
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				b.Fatal(err)
			}
		}
	}
}

package httplog

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/workload/recording"
)

// schemas are a few of the FlowSchemas of a server.
func schemas() []classify.FlowSchema {
	all := []classify.ResourceRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true}}
	paths := []classify.NonResourceRule{{Verbs: []string{"*"}, URLs: []string{"*"}}}
	schema := func(name string, precedence int32, subjects ...classify.SubjectRule) classify.FlowSchema {
		return classify.FlowSchema{Name: name, Precedence: precedence, Rules: []classify.Rule{{Subjects: subjects, Resources: all, NonResources: paths}}}
	}
	return []classify.FlowSchema{
		schema("exempt", 1, classify.SubjectRule{Kind: classify.Group, Name: "system:masters"}),
		schema("system-nodes", 500, classify.SubjectRule{Kind: classify.Group, Name: "system:nodes"}),
		schema("kube-scheduler", 800, classify.SubjectRule{Kind: classify.User, Name: "system:kube-scheduler"}),
		schema("kube-system-service-accounts", 900, classify.SubjectRule{Kind: classify.Group, Name: "system:serviceaccounts:kube-system"}),
		schema("service-accounts", 9000, classify.SubjectRule{Kind: classify.Group, Name: "system:serviceaccounts"}),
		schema("global-default", 9900, classify.SubjectRule{Kind: classify.Group, Name: "system:unauthenticated"}, classify.SubjectRule{Kind: classify.Group, Name: "system:authenticated"}),
	}
}

// newReader returns a reader of a log of 2026 in UTC.
func newReader() *Reader {
	r := NewReader(NewUsers(schemas()), nil)
	r.Year, r.Zone = 2026, time.UTC
	return r
}

// trace reads texts of one server and returns the lines of a trace that begins at
// 2026-11-30T10:00:00Z.
func trace(t *testing.T, r *Reader, texts ...string) string {
	t.Helper()
	for i, text := range texts {
		if err := r.Read(fmt.Sprint("file-", i), -1, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
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

// told is what an account says, as far as it is of requests and lines.
func told(r *Reader) string {
	var b strings.Builder
	for e, n := range r.Account.Evidence {
		if n > 0 {
			fmt.Fprintf(&b, "%s %d\n", recording.Evidence(e), n)
		}
	}
	for _, counts := range []map[string]int64{r.Account.LeftOut, r.Account.Assumed, r.Account.Notes} {
		for _, e := range recording.Entries(counts) {
			if e.Reason != assumedUsers {
				fmt.Fprintf(&b, "%d: %s\n", e.Count, e.Reason)
			}
		}
	}
	for _, f := range r.Account.Faults {
		fmt.Fprintf(&b, "%s:%d: %s\n", f.File, f.Line, f.Problem)
	}
	return b.String()
}

const sample = `Log file created at: 2026/11/30 09:59:59
I1130 10:00:00.000000       1 server.go:200] Version: v1.37.2
I1130 10:00:00.350000       1 httplog.go:135] "HTTP" verb="LIST" URI="/api/v1/namespaces/prod/pods?labelSelector=app%3Dweb&limit=500" latency="150ms" userAgent="kubectl/v1.37.2" contentType="" audit-ID="a1" srcIP="10.0.0.1:40001" apf_pl="global-default" apf_fs="global-default" apf_iseats=5 apf_fseats=0 apf_additionalLatency="0s" apf_execution_time="100ms" resp=200
I1130 10:00:00.400000       1 httplog.go:135] "HTTP" verb="GET" URI="/api/v1/namespaces/prod/pods/p1?timeout=5s" latency="50ms" userAgent="kubelet/v1.37.2 (linux/amd64) kubernetes/abc" contentType="" audit-ID="a2" srcIP="10.0.0.2:40001" apf_pl="system" apf_fs="system-nodes" apf_iseats=1 apf_fseats=0 apf_additionalLatency="0s" resp=429
I1130 10:00:01.400000       1 httplog.go:135] "HTTP" verb="GET" URI="/api/v1/namespaces/prod/pods/p1?timeout=5s" latency="21ms" userAgent="kubelet/v1.37.2 (linux/amd64) kubernetes/abc" contentType="" audit-ID="a2" srcIP="10.0.0.2:40001" apf_pl="system" apf_fs="system-nodes" apf_iseats=1 apf_fseats=0 apf_additionalLatency="0s" apf_execution_time="20ms" resp=200
I1130 10:05:00.300000       1 httplog.go:135] "HTTP" verb="WATCH" URI="/api/v1/pods?allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=300&watch=true" latency="5m0s" userAgent="kube-scheduler/v1.37.2 (linux/amd64) kubernetes/abc/scheduler" contentType="" audit-ID="a3" srcIP="[::1]:40001" apf_pl="workload-high" apf_fs="kube-scheduler" apf_iseats=1 apf_fseats=0 apf_additionalLatency="0s" apf_init_latency="2ms" apf_execution_time="2.1ms" resp=200
`

const sampleTrace = `{"arrival":"200ms","user":"kubectl@10.0.0.1","duration":"100ms","groups":["system:authenticated"],"verb":"list","resource":"pods","namespace":"prod","limit":500,"labelSelector":"app=web","code":200,"waited":"50ms","client":"kubectl/v1.37.2","flowSchema":"global-default","priorityLevel":"global-default"}
{"arrival":"300ms","user":"system:kube-scheduler","duration":"2ms","life":"5m0s","groups":["system:authenticated"],"verb":"watch","resource":"pods","resourceVersion":"7","code":200,"client":"kube-scheduler/v1.37.2 (linux/amd64) kubernetes/abc/scheduler","flowSchema":"kube-scheduler","priorityLevel":"workload-high"}
{"arrival":"350ms","user":"system:node:kubelet@10.0.0.2","duration":"20ms","timeout":"5s","groups":["system:nodes","system:authenticated"],"verb":"get","resource":"pods","namespace":"prod","name":"p1","code":429,"waited":"50ms","client":"kubelet/v1.37.2 (linux/amd64) kubernetes/abc","flowSchema":"system-nodes","priorityLevel":"system"}
{"arrival":"1.379s","user":"system:node:kubelet@10.0.0.2","duration":"20ms","timeout":"5s","groups":["system:nodes","system:authenticated"],"verb":"get","resource":"pods","namespace":"prod","name":"p1","code":200,"waited":"1ms","client":"kubelet/v1.37.2 (linux/amd64) kubernetes/abc","flowSchema":"system-nodes","priorityLevel":"system"}
`

func TestReader(t *testing.T) {
	r := newReader()
	if d := cmp.Diff(sampleTrace, trace(t, r, sample)); d != "" {
		t.Error(d)
	}
	want := "recorded 3\nassumed 1\n1: " + assumedRejected + "\n4: " + noteYear + "\n1: " + noteForeign + "\n1: " + noteOther + "\n"
	if d := cmp.Diff(want, told(r)); d != "" {
		t.Error(d)
	}
}

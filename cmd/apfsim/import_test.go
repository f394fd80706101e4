package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
)

// auditExample is an audit log of some requests, one of which was answered 429.
const auditExample = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a1","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/prod/pods?limit=500","verb":"list","user":{"username":"ann","groups":["system:authenticated"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.37.2","responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-11-30T10:00:00.250000Z","stageTimestamp":"2026-11-30T10:00:00.300000Z"}
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a2","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/prod/pods?limit=500","verb":"list","user":{"username":"ann","groups":["system:authenticated"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.37.2","responseStatus":{"metadata":{},"code":429},"requestReceivedTimestamp":"2026-11-30T10:00:01.250000Z","stageTimestamp":"2026-11-30T10:00:01.300000Z"}
{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a3","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/prod/pods/web","verb":"get","user":{"username":"ann","groups":["system:authenticated"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.37.2","responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-11-30T10:00:02.250000Z","stageTimestamp":"2026-11-30T10:00:02.260000Z"}
`

// httplogExample is what an API server has logged of a request.
const httplogExample = `I1130 10:00:00.000000       1 server.go:200] Version: v1.37.2
I1130 10:00:00.350000       1 httplog.go:135] "HTTP" verb="LIST" URI="/api/v1/namespaces/prod/pods?limit=500" latency="150ms" userAgent="kubectl/v1.37.2" contentType="" audit-ID="a1" srcIP="10.0.0.1:40001" apf_pl="global-default" apf_fs="global-default" apf_iseats=5 apf_fseats=0 apf_additionalLatency="0s" apf_execution_time="100ms" resp=200
`

// busyLog is an audit log of service accounts, users and a node that crowd a small server, by user
// and by namespace, with some names that Kubernetes gives.
func busyLog() string {
	start := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	random := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for i := range 1500 {
		team, who := random.IntN(9), random.IntN(40)
		user, groups := fmt.Sprintf("system:serviceaccount:team-%d:bot-%d", team, who), fmt.Sprintf(`"system:serviceaccounts","system:serviceaccounts:team-%d","system:authenticated"`, team)
		switch i % 5 {
		case 0:
			user, groups = fmt.Sprintf("jane-%d@example.com", who), `"developers","system:authenticated"`
		case 1:
			user, groups = fmt.Sprintf("system:node:node-%d.example.com", who), `"system:nodes","system:authenticated"`
		}
		arrival := start.Add(time.Duration(i) * 3 * time.Millisecond)
		took := time.Duration(random.IntN(400_000)) * time.Microsecond
		fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"id-%d","stage":"ResponseComplete","verb":"list","requestURI":"/api/v1/namespaces/team-%d/pods?fieldSelector=metadata.name%%3Dpod-%d&labelSelector=app%%3Dsecret","user":{"username":%q,"groups":[%s]},"userAgent":"secret-operator/v1","responseStatus":{"code":200},"requestReceivedTimestamp":%q,"stageTimestamp":%q}`+"\n",
			i, team, who, user, groups, arrival.Format(time.RFC3339Nano), arrival.Add(took).Format(time.RFC3339Nano))
	}
	return b.String()
}

const byNamespace = `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: by-namespace}
spec:
  matchingPrecedence: 500
  priorityLevelConfiguration: {name: workload-low}
  distinguisherMethod: {type: ByNamespace}
  rules:
  - subjects: [{kind: Group, group: {name: developers}}]
    resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"]}]
`

// TestAnonymizeKeepsDecisions runs a trace with its names and without: everything is decided the
// same, queue by queue, and no name is left.
func TestAnonymizeKeepsDecisions(t *testing.T) {
	files := map[string]string{"audit.log": busyLog(), "apf.yaml": byNamespace}
	decide := func(trace string) string {
		files["t.jsonl"] = trace
		files["run.yaml"] = "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: x}\nserver: {maxRequestsInflight: 16, maxMutatingRequestsInflight: 0}\n" +
			"flowControl: {manifests: [apf.yaml]}\nclients:\n- name: recorded\n  trace: {file: t.jsonl}\n"
		p := newProcess(files, "run", "run.yaml", "--decisions", "d.jsonl")
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("exit code %d: %s", code, p.err.String())
		}
		return regexp.MustCompile(`"flow":"[^"]*",?`).ReplaceAllString(p.fs.files["d.jsonl"], "")
	}
	var traces []string
	for _, anonymize := range []bool{false, true} {
		args := []string{"import", "audit", "audit.log", "-o", "trace=t.jsonl"}
		if anonymize {
			args = append(args, "--anonymize", "-f", "apf.yaml")
		}
		p := newProcess(files, args...)
		if code := run(&p.Process); code != exitOK {
			t.Fatalf("exit code %d: %s", code, p.err.String())
		}
		traces = append(traces, p.fs.files["t.jsonl"])
	}
	for _, name := range []string{"team", "bot", "jane", "example", "secret", "pod-", "node-1"} {
		if strings.Contains(traces[1], name) {
			t.Errorf("%q is in the anonymized trace", name)
		}
	}
	named, nameless := decide(traces[0]), decide(traces[1])
	if named != nameless {
		t.Error("the decisions are others")
	}
	if decide(regexp.MustCompile(`,"flowHash":"[^"]*"`).ReplaceAllString(traces[1], "")) == named {
		t.Error("the decisions do not depend on the hashes, so that nothing was shown")
	}
	if strings.Count(named, `"reason"`) < 10 || strings.Count(named, `"queue"`) < 1000 || !strings.Contains(named, "by-namespace") {
		t.Errorf("the log does not crowd the server")
	}
}

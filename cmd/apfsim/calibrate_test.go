package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apfsim/apfsim/reports/calibration"
)

// desk is where the tests of calibration work: files, and commands that read and write them.
type desk struct {
	t     *testing.T
	files map[string]string
}

func newDesk(t *testing.T, files map[string]string) *desk {
	t.Helper()
	return &desk{t, maps.Clone(files)}
}

// do runs a command, which may find that an expectation fails.
func (d *desk) do(args ...string) string {
	d.t.Helper()
	p := newProcess(d.files, args...)
	if code := run(&p.Process); code > 1 {
		d.t.Fatalf("apfsim %s: exit code %d: %s", strings.Join(args, " "), code, p.err.String())
	}
	maps.Copy(d.files, p.fs.files)
	return p.out.String()
}

// calibrate holds a scenario against a record.
func (d *desk) calibrate(args ...string) *calibration.Calibration {
	d.t.Helper()
	var c calibration.Calibration
	text := d.do(append([]string{"calibrate", "-o", "json"}, args...)...)
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		d.t.Fatal(err)
	}
	if err := validJSON(published(d.t, "calibration"), text); err != nil {
		d.t.Errorf("calibrate %q: %v", args, err)
	}
	return &c
}

// record runs a scenario, and imports its audit log as record.jsonl, with a scenario that replays it. spoil
// may change the log before.
func (d *desk) record(scenario string, spoil func(log string) string, flags ...string) {
	d.t.Helper()
	d.do(append([]string{"run", scenario, "--replications", "1", "-o", "audit=audit.log"}, flags...)...)
	if spoil != nil {
		d.files["audit.log"] = spoil(d.files["audit.log"])
	}
	d.do("import", "audit", "audit.log", "--from", "2020-01-01T00:00:00Z", "-o", "trace=record.jsonl", "-o", "replay=replay.yaml")
}

// without leaves lines out.
func without(log string, of func(line string) bool) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(log, "\n"), of), "")
}

var (
	receivedAt = regexp.MustCompile(`"requestReceivedTimestamp":"([^"]*)"`)
	stageAt    = regexp.MustCompile(`"stageTimestamp":"([^"]*)"`)
	waitFor    = regexp.MustCompile(`"apiserver.latency.k8s.io/apf-queue-wait":"([^"]*)"`)
)

// stretched lets executions last longer by a factor that depends on when they arrive.
func stretched(t *testing.T, log string, factor func(since time.Duration) float64) string {
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	var b strings.Builder
	for line := range strings.Lines(log) {
		if strings.Contains(line, `"ResponseComplete"`) && !strings.Contains(line, `"code":429`) {
			received, err := time.Parse(time.RFC3339Nano, receivedAt.FindStringSubmatch(line)[1])
			if err != nil {
				t.Fatal(err)
			}
			end, err := time.Parse(time.RFC3339Nano, stageAt.FindStringSubmatch(line)[1])
			if err != nil {
				t.Fatal(err)
			}
			wait := time.Duration(0)
			if m := waitFor.FindStringSubmatch(line); m != nil {
				if wait, err = time.ParseDuration(m[1]); err != nil {
					t.Fatal(err)
				}
			}
			execution := time.Duration(float64(end.Sub(received)-wait) * factor(received.Sub(start)))
			line = stageAt.ReplaceAllString(line, `"stageTimestamp":"`+received.Add(wait+execution).Format("2006-01-02T15:04:05.000000Z")+`"`)
		}
		b.WriteString(line)
	}
	return b.String()
}

// tenants is a scenario in which a level of a small server is full for a while.
const tenants = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: tenants}
duration: 30s
resolution: 1us
server: {maxRequestsInflight: 200, maxMutatingRequestsInflight: 100}
objects:
  pods: {count: 20000, averageBytes: 4000}
clients:
- name: operators
  count: 20
  user: system:serviceaccount:operator-{index}:operator
  groups: [system:serviceaccounts, system:authenticated]
  requests: [{verb: get, resource: configmaps, namespace: "operator-{index}", name: settings}]
  arrivals: {poisson: {rate: 2}}
  duration: {exponential: {mean: 20ms}}
- name: tenants
  count: 60
  user: system:serviceaccount:tenant-{index}:sync
  groups: [system:serviceaccounts, system:authenticated]
  requests: [{verb: list, resource: pods, resourceVersion: "0"}]
  arrivals: {poisson: {rate: 0.5}}
  duration: {lognormal: {p50: 500ms, p99: 4s}}
- name: kubelets
  count: 100
  user: system:node:node-{index}
  groups: [system:nodes, system:authenticated]
  requests: [{verb: get, resource: nodes, name: "node-{index}"}]
  arrivals: {poisson: {rate: 0.5}}
  duration: {exponential: {mean: 10ms}}
`

// busy is the same with four times as many LISTs.
var busy = strings.Replace(tenants, "rate: 0.5}", "rate: 2}", 1)

// threeServers are three, with clients that ask any of them.
const threeServers = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: servers}
duration: 30s
server: {count: 3}
clients:
- name: apps
  count: 60
  user: system:serviceaccount:app-{index}:app
  groups: [system:serviceaccounts, system:authenticated]
  requests: [{verb: get, resource: configmaps, namespace: "app-{index}", name: settings}]
  arrivals: {poisson: {rate: 2}}
  duration: {exponential: {mean: 20ms}}
`

// otherSchema is a FlowSchema that takes the requests of the tenants elsewhere.
const otherSchema = `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: tenants}
spec:
  matchingPrecedence: 500
  priorityLevelConfiguration: {name: global-default}
  distinguisherMethod: {type: ByUser}
  rules:
  - subjects: [{kind: Group, group: {name: "system:serviceaccounts"}}]
    resourceRules: [{verbs: [list], apiGroups: [""], resources: [pods], clusterScope: true, namespaces: ["*"]}]
`

// faults are what can be wrong between a scenario and a record: each makes exactly that fault happen, and
// returns the calibration.
var calibrationFaults = []struct {
	name string
	code calibration.Code
	make func(t *testing.T, d *desk) *calibration.Calibration
}{
	{"a backend that slows down", calibration.Drift, func(t *testing.T, d *desk) *calibration.Calibration {
		d.record("tenants.yaml", func(log string) string {
			return stretched(t, log, func(since time.Duration) float64 { return 1 + since.Seconds()/30 })
		}, "--all-waits")
		return d.calibrate("tenants.yaml", "--observed", "record.jsonl")
	}},
	{"a backend that is slower throughout", calibration.OtherDurations, func(t *testing.T, d *desk) *calibration.Calibration {
		d.record("tenants.yaml", func(log string) string {
			return stretched(t, log, func(time.Duration) float64 { return 1.6 })
		}, "--all-waits")
		return d.calibrate("tenants.yaml", "--observed", "record.jsonl")
	}},
	{"the users who held the seats are not in the record", calibration.MissingTraffic, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("leader-election", func(log string) string {
			return without(log, func(line string) bool { return !strings.Contains(line, `"leases"`) })
		})
		return d.calibrate("replay.yaml", "--observed", "record.jsonl")
	}},
	{"nobody tells how many objects are stored", calibration.NoObjects, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("busy.yaml", nil)
		return d.calibrate("replay.yaml", "--observed", "record.jsonl")
	}},
	{"a sample", calibration.Thinned, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("tenants.yaml", nil)
		d.do("import", "audit", "audit.log", "--sample", "0.4", "-o", "trace=sample.jsonl")
		return d.calibrate("tenants.yaml", "--observed", "sample.jsonl")
	}},
	{"a scenario of a sample", calibration.Scaled, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("tenants.yaml", nil)
		d.do("import", "audit", "audit.log", "--sample", "0.4", "-o", "trace=sample.jsonl", "-o", "scenario=fit.yaml", "--config", "tenants.yaml")
		return d.calibrate("fit.yaml", "--observed", "record.jsonl")
	}},
	{"a managed service leaves the nodes out", calibration.RecordLacks, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("tenants.yaml", func(log string) string {
			return without(log, func(line string) bool { return strings.Contains(line, `"system:node:`) })
		})
		return d.calibrate("tenants.yaml", "--observed", "record.jsonl")
	}},
	{"the scenario has not all clients", calibration.ScenarioLacks, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("tenants.yaml", nil)
		text, _, _ := strings.Cut(d.files["tenants.yaml"], "- name: kubelets")
		d.files["fewer.yaml"] = text
		return d.calibrate("fewer.yaml", "--observed", "record.jsonl")
	}},
	{"another configuration", calibration.OtherClassification, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.do("run", "tenants.yaml", "--manifests", "schema.yaml", "--replications", "1", "-o", "httplog=server.log")
		d.do("import", "httplog", "server.log", "-f", "schema.yaml", "-o", "trace=record.jsonl")
		return d.calibrate("tenants.yaml", "--observed", "record.jsonl")
	}},
	{"metrics of another configuration", calibration.OtherClassification, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.do("run", "tenants.yaml", "--manifests", "schema.yaml", "--replications", "1", "-o", "prometheus=m-{at}.prom", "--at", "10s", "--at", "25s")
		d.do("import", "metrics", "m-10s.prom", "m-25s.prom", "-o", "observed=observed.json")
		return d.calibrate("tenants.yaml", "--observed", "observed.json", "--offset", "10s")
	}},
	{"metrics of a server with other shares", calibration.OtherLimits, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.do("run", "tenants.yaml", "--set", "priorityLevel/workload-low.shares=30", "--replications", "1", "-o", "prometheus=m-{at}.prom", "--at", "10s", "--at", "25s")
		d.do("import", "metrics", "m-10s.prom", "m-25s.prom", "-o", "observed=observed.json")
		return d.calibrate("tenants.yaml", "--observed", "observed.json", "--offset", "10s")
	}},
	{"a larger server", calibration.LargerServer, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("busy.yaml", nil, "--set", "server.maxRequestsInflight=2000")
		return d.calibrate("busy.yaml", "--observed", "record.jsonl")
	}},
	{"another time-out", calibration.LongerWaits, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("busy.yaml", nil, "--set", "server.requestTimeout=2m")
		return d.calibrate("busy.yaml", "--observed", "record.jsonl")
	}},
	{"clients that ask for short time-outs", calibration.OtherTimeouts, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.files["short.yaml"] = strings.Replace(busy, "p99: 4s}}", "p99: 4s}}\n  timeout: 20s", 1)
		d.record("short.yaml", nil)
		return d.calibrate("busy.yaml", "--observed", "record.jsonl")
	}},
	{"one of three servers", calibration.OneServer, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.do("run", "servers.yaml", "--replications", "1", "-o", "audit=audit-{server}.log")
		d.do("import", "audit", "audit-1.log", "-o", "trace=record.jsonl")
		return d.calibrate("servers.yaml", "--observed", "record.jsonl")
	}},
	{"one server has the connections of two", calibration.OtherBalance, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.do("run", "servers.yaml", "--replications", "1", "-o", "audit=audit-{server}.log")
		d.do("import", "audit", "a=audit-0.log", "b=audit-1.log", "b=audit-2.log", "-o", "trace=record.jsonl")
		return d.calibrate("servers.yaml", "--observed", "record.jsonl")
	}},
	{"a burst where the scenario has a steady rate", calibration.Bursts, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.files["burst.yaml"] = strings.Replace(tenants, "{poisson: {rate: 2}}", "{burst: {at: 16s, count: 60, over: 4s}}", 1)
		d.record("burst.yaml", nil)
		return d.calibrate("tenants.yaml", "--observed", "record.jsonl")
	}},
	{"one client asks more", calibration.OtherRates, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.files["more.yaml"] = strings.Replace(tenants, "rate: 2}", "rate: 5}", 1)
		d.record("more.yaml", nil)
		return d.calibrate("tenants.yaml", "--observed", "record.jsonl")
	}},
	{"waits that the log does not tell", calibration.HiddenWaits, func(_ *testing.T, d *desk) *calibration.Calibration {
		head, _, _ := strings.Cut(threeServers, "clients:")
		d.files["narrow.yaml"] = head + "clients:\n"
		for second := 16; second < 30; second++ {
			d.files["narrow.yaml"] += fmt.Sprintf(`- {name: at-%d, count: 90, user: "system:serviceaccount:app-{index}:app", groups: [system:serviceaccounts, system:authenticated],
  requests: [{verb: get, resource: configmaps, namespace: "app-{index}"}], arrivals: {burst: {at: %ds, count: 1, over: 1ms}}, duration: {constant: 100ms}}
`, second, second)
		}
		small := []string{"--set", "server.count=1", "--set", "server.maxRequestsInflight=30", "--set", "server.maxMutatingRequestsInflight=6", "--set", "warmup=15s"}
		d.record("narrow.yaml", nil, small...)
		return d.calibrate(append([]string{"replay.yaml", "--observed", "record.jsonl"}, small...)...)
	}},
	{"a full level that has other queues", calibration.AtTheLimit, func(_ *testing.T, d *desk) *calibration.Calibration {
		d.record("busy.yaml", nil, "--set", "priorityLevel/workload-low.queues=4", "--set", "priorityLevel/workload-low.handSize=1", "--set", "priorityLevel/workload-low.queueLengthLimit=5")
		return d.calibrate("busy.yaml", "--observed", "record.jsonl")
	}},
}

// TestCalibrationFindsReasons makes each fault happen, and nothing else: its reason comes first.
func TestCalibrationFindsReasons(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"tenants.yaml": tenants, "servers.yaml": threeServers, "schema.yaml": otherSchema,
		"busy.yaml": busy,
	}
	for _, f := range calibrationFaults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			c := f.make(t, newDesk(t, files))
			var codes []string
			for _, r := range c.Reasons {
				codes = append(codes, fmt.Sprintf("%s %s: %s", r.Code, r.PriorityLevel, r.Evidence))
			}
			if len(c.Reasons) == 0 || c.Reasons[0].Code != f.code {
				t.Errorf("%d figures agree and %d differ; the reasons are\n%s", c.Counts.Agree, c.Counts.Differ, strings.Join(codes, "\n"))
			}
			t.Logf("%s", strings.Join(codes, "\n"))
		})
	}
}

// TestCalibrationAgrees holds scenarios against records of themselves: nothing is to be said, of
// other seeds nothing but what chance makes of a few figures.
func TestCalibrationAgrees(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tenants.yaml": tenants, "servers.yaml": threeServers}
	d := newDesk(t, files)
	d.record("tenants.yaml", nil, "--all-waits")
	if c := d.calibrate("replay.yaml", "--observed", "record.jsonl",
		"--set", "server.maxRequestsInflight=200", "--set", "server.maxMutatingRequestsInflight=100", "--set", "objects.pods.count=20000", "--set", "objects.pods.averageBytes=4000"); !c.Agrees() {
		t.Errorf("of a replay %d figures differ: %+v", c.Counts.Differ, c.Reasons)
	}
	for seed := range 4 {
		d.record("tenants.yaml", nil, "--seed", fmt.Sprint(seed+100))
		c := d.calibrate("tenants.yaml", "--observed", "record.jsonl")
		// Of figures that agree with 95 % some do not, and those of a level go together.
		if part := float64(c.Counts.Differ) / float64(c.Counts.Agree+c.Counts.Differ); part > 0.15 {
			t.Errorf("seed %d: %d figures agree and %d differ: %+v", seed, c.Counts.Agree, c.Counts.Differ, c.Reasons)
		}
	}
}

// incidentExample is a scenario, incidentTrace and observedExample what was recorded of its like.
const (
	incidentExample = `apiVersion: apfsim.dev/v1alpha1
kind: Scenario
metadata: {name: incident}
duration: 1m
clients:
- {name: mice, preset: mice, count: 10}
`
	incidentTrace = `{"arrival":"1s","user":"ann","verb":"get","resource":"pods","duration":"20ms","code":200}
{"arrival":"2s","user":"ann","verb":"get","resource":"pods","duration":"20ms","code":429}
`
	observedExample = `{
  "apiVersion": "apfsim.dev/v1alpha1",
  "kind": "Observed",
  "source": "metrics",
  "servers": [{"intervals": [{"from": "0s", "until": "30s", "cells": [
    {"flowSchema": "service-accounts", "priorityLevel": "workload-low", "arrivals": 300, "executed": 290, "rejected": {"queue-full": 10}}]}]}]
}
`
)

// TestCalibrateRefuses holds what cannot be calibrated, and what is said then.
func TestCalibrateRefuses(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"incident.yaml": incidentExample, "incident.jsonl": incidentTrace, "observed.json": observedExample,
		"plain.jsonl":  `{"arrival":"1s","user":"ann","verb":"get","resource":"pods"}` + "\n",
		"empty.jsonl":  "",
		"late.jsonl":   strings.Replace(incidentTrace, `"1s"`, `"1h"`, 1),
		"short.json":   strings.Replace(observedExample, `"30s"`, `"2h"`, 1),
		"wrong.json":   strings.Replace(observedExample, `"until": "30s"`, `"until": "0s"`, 1),
		"broken.json":  strings.Replace(observedExample, `"servers"`, `servers`, 1),
		"odd.json":     strings.Replace(observedExample, `"executed": 290`, `"executed": 290, "wait": {"bounds": [1], "counts": [1]}`, 1),
		"replay.yaml":  "apiVersion: apfsim.dev/v1alpha1\nkind: Scenario\nmetadata: {name: replay}\nclients: [{name: recorded, trace: {file: incident.jsonl}}]\n",
		"warmup.yaml":  strings.Replace(incidentExample, "duration: 1m", "duration: 1m\nwarmup: 30s", 1),
		"nothing.json": "{",
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"incident.yaml"}, exitUsage, "--observed is missing"},
		{[]string{"--observed", "incident.jsonl"}, exitUsage, "0 scenarios to calibrate"},
		{[]string{"incident.yaml", "--observed", "none.jsonl"}, exitInput, "none.jsonl: cannot read the file"},
		{[]string{"incident.yaml", "--observed", "empty.jsonl"}, exitInput, "it holds no request"},
		{[]string{"incident.yaml", "--observed", "nothing.json"}, exitInput, "nothing.json:1:"},
		{[]string{"incident.yaml", "--observed", "plain.jsonl"}, exitInput, "the field code is missing"},
		{[]string{"incident.yaml", "--observed", "short.json"}, exitInput, "ends at 1m0s, and the record at 2h0m0s"},
		{[]string{"incident.yaml", "--observed", "wrong.json"}, exitInput, "not in the order of their times"},
		{[]string{"incident.yaml", "--observed", "broken.json"}, exitInput, "cannot be read as JSON"},
		{[]string{"incident.yaml", "--observed", "odd.json"}, exitInput, "a histogram needs rising bounds"},
		{[]string{"replay.yaml", "--observed", "observed.json"}, exitInput, "it has no duration"},
		{[]string{"warmup.yaml", "--observed", "incident.jsonl"}, exitInput, "have no time in common"},
		{[]string{"incident.yaml", "--observed", "incident.jsonl", "--within", "0%"}, exitUsage, "--within 0%"},
		{[]string{"incident.yaml", "--observed", "incident.jsonl", "--within", "NaN"}, exitUsage, "--within NaN"},
		{[]string{"incident.yaml", "--observed", "incident.jsonl", "--window", "1ns"}, exitUsage, "1000 are the most"},
		{[]string{"incident.yaml", "--observed", "incident.jsonl", "--offset", "1s"}, exitUsage, "--offset has no meaning"},
		{[]string{"incident.yaml", "--observed", "observed.json", "--window", "1s"}, exitUsage, "--window has no meaning"},
		{[]string{"incident.yaml", "--observed", "incident.jsonl", "--workers", "0"}, exitUsage, "--workers 0"},
		{[]string{"-", "--observed", "-"}, exitUsage, "- is there twice"},
		{[]string{"incident.yaml", "--observed", "incident.jsonl", "--replications", "2"}, exitOK, ""},
		{[]string{"incident.yaml", "--observed", "observed.json", "--replications", "2"}, exitOK, ""},
	} {
		p := newProcess(files, append([]string{"calibrate"}, c.args...)...)
		if code := run(&p.Process); code != c.code || !strings.Contains(p.err.String(), c.want) {
			t.Errorf("%v: exit code %d: %s", c.args, code, p.err.String())
		}
	}
}

// TestCalibrationOfServers holds metrics of three servers, whatever they are called, against as many simulated ones.
func TestCalibrationOfServers(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]string{"servers.yaml": threeServers})
	d.do("run", "servers.yaml", "--seed", "5", "--replications", "1", "-o", "prometheus=m-{at}.prom", "--at", "10s", "--at", "25s")
	d.do("import", "metrics", "m-10s.prom", "m-25s.prom", "-o", "observed=observed.json")
	d.files["observed.json"] = strings.ReplaceAll(d.files["observed.json"], `"name": "apiserver-`, `"name": "10.0.0.`)
	c := d.calibrate("servers.yaml", "--observed", "observed.json", "--offset", "10s")
	if c.Counts.Differ > 2 || len(c.Reasons) > 0 || !slices.ContainsFunc(c.Rows, func(r calibration.Row) bool { return r.Server == "server 2" && *r.Recorded > 0 }) {
		t.Errorf("%+v, %+v", c.Counts, c.Reasons)
	}
}

// TestCalibrationForms holds that all forms tell the same figures, that text keeps to its width, and that the
// number of workers makes no difference.
func TestCalibrationForms(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]string{"tenants.yaml": tenants})
	d.record("tenants.yaml", nil, "--seed", "9")
	args := []string{"calibrate", "tenants.yaml", "--observed", "record.jsonl", "--set", "objects.pods.count=0", "--replications", "3"}
	text := d.do(append(args, "--all", "--workers", "1", "-o", "markdown=c.md", "-o", "html=c.html", "-o", "json=c.json", "-o", "text")...)
	for line := range strings.Lines(text) {
		if len([]rune(strings.TrimRight(line, "\n"))) > 80 {
			t.Errorf("more than 80 columns: %s", line)
		}
	}
	for _, name := range []string{"c.md", "c.html", "c.json"} {
		if !strings.Contains(d.files[name], "no-stored-objects") && !strings.Contains(d.files[name], "how many objects are stored") {
			t.Errorf("%s does not tell the reason", name)
		}
	}
	if again := d.do(append(args, "--all", "--workers", "3")...); again != text {
		t.Error("with three workers the text is another")
	}
	if !strings.Contains(d.files["c.html"], "Likely reasons") || !strings.Contains(d.files["c.md"], "| workload-low |") {
		t.Error("the page or the Markdown lacks a table")
	}
}

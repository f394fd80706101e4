package explain

import (
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/apfsim/apfsim/scenarios"
	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/classify"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/release"
)

//go:embed testdata/ci.yaml
var ciManifest string

// memoryFiles are files in memory.
type memoryFiles struct{ fstest.MapFS }

func (m memoryFiles) Open(name string) (io.ReadCloser, error)    { return m.MapFS.Open(name) }
func (m memoryFiles) ReadDir(name string) ([]fs.DirEntry, error) { return m.MapFS.ReadDir(name) }
func (m memoryFiles) ReadFile(name string) ([]byte, error)       { return m.MapFS.ReadFile(name) }

// configuration loads ci.yaml, in the version that a release serves, over its built-in
// objects.
func configuration(t fataler, v release.Version) *scenarios.Configuration {
	text := ciManifest
	for _, old := range []struct {
		until           int
		version, shares string
	}{{22, "v1beta1", "assured"}, {25, "v1beta2", "assured"}, {28, "v1beta3", "nominal"}} {
		if v.Minor <= old.until {
			text = strings.ReplaceAll(text, "k8s.io/v1\n", "k8s.io/"+old.version+"\n")
			text = strings.ReplaceAll(text, "nominalConcurrencyShares", old.shares+"ConcurrencyShares")
			break
		}
	}
	files := memoryFiles{fstest.MapFS{"ci.yaml": {Data: []byte(text)}}}
	c, faults := scenarios.LoadConfiguration([]string{"ci.yaml"}, files, scenarios.ConfigurationOptions{Release: v})
	if faults.HasErrors() {
		t.Fatalf("%s", faults)
	}
	return c
}

type fataler interface {
	Fatalf(format string, args ...any)
}

// stockServer is a server with 600 seats and what the requests of the tests are about.
func stockServer(c *scenarios.Configuration) scheduler.Config {
	cfg := c.Compile()
	cfg.Seats, cfg.RequestTimeout, cfg.ConsistentReadsFromCache = 600, time.Minute, true
	cfg.Objects = []scheduler.ObjectCount{
		{Resource: "pods", Count: 50_000, AverageBytes: 4000},
		{Resource: "events", Count: 3000, Stale: true},
		{Group: "apps", Resource: "deployments", Count: 120},
	}
	cfg.Watches = []scheduler.WatchCount{
		{Resource: "pods", Count: 7}, {Resource: "pods", Namespace: "ci", Count: 430},
		{Resource: "pods", Namespace: "ci", Name: "web-0", Count: 3}, {Group: "apps", Resource: "deployments", Count: 35},
	}
	return cfg
}

func explainer(t fataler, version string) *Explainer {
	v, err := release.Parse(version)
	if err != nil {
		t.Fatalf("%v", err)
	}
	c := configuration(t, v)
	e, err := New(c, stockServer(c))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return e
}

// releases are some on both sides of each change.
var releases = []string{"1.20", "1.21", "1.22", "1.23.5", "1.23.17", "1.24.6", "1.24", "1.25.2", "1.25", "1.26.7", "1.26", "1.27.4", "1.27",
	"1.28.4", "1.28", "1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37"}

func drawRequest(t *rapid.T) Request {
	one := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	r := Request{
		User:    one("user", "alice", "system:serviceaccount:ci:bot", "system:node:n1", "system:anonymous", "system:kube-scheduler"),
		Groups:  rapid.SliceOfN(rapid.SampledFrom([]string{authenticated, "system:masters", accountsGroup, nodesGroup, unauthenticated}), 0, 2).Draw(t, "groups"),
		Verb:    one("verb", "get", "list", "list", "list", "watch", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy"),
		Timeout: rapid.SampledFrom([]time.Duration{0, time.Second, 2 * time.Minute}).Draw(t, "timeout"),
	}
	if one("kind", "path", "resource", "resource", "resource") == "path" {
		r.Verb, r.Path = one("method", "get", "post", "patch", "delete"), one("path", "/healthz", "/livez/etcd", "/metrics", "/debug/pprof/heap")
		return r
	}
	r.Resource = one("resource", "pods", "events", "deployments", "leases", "serviceaccounts", "unknown")
	r.APIGroup = map[string]string{"deployments": "apps", "leases": "coordination.k8s.io"}[r.Resource]
	r.Namespace, r.Name = one("namespace", "", "ci", "prod", "kube-system"), one("name", "", "", "web-0")
	r.Subresource = one("subresource", "", "", "", "status", "log", "token")
	if r.Verb == "list" || r.Verb == "watch" {
		r.Limit = rapid.SampledFrom([]int64{0, 0, 1, 500, 100_000}).Draw(t, "limit")
		r.ResourceVersion, r.ResourceVersionMatch = one("version", "", "", "0", "77"), one("match", "", "", "", "Exact", "NotOlderThan", "Neither")
		r.Continue, r.FieldSelector = one("continue", "", "", "", "token"), one("field", "", "", "metadata.name=web-0", "spec.nodeName=n1")
		r.LabelSelector, r.SendInitialEvents = one("label", "", "", "app=x"), rapid.Bool().Draw(t, "initial")
	}
	return r
}

// TestExplanationsFollowTheServer explains random requests to servers of all releases.
// That the arithmetic leads to the server's own seats is held by Explain itself, which
// panics otherwise; here the rest is compared with the packages that decide.
func TestExplanationsFollowTheServer(t *testing.T) {
	explainers := map[string]*Explainer{}
	for _, v := range releases {
		explainers[v] = explainer(t, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom(releases).Draw(t, "release")
		e, r := explainers[version], drawRequest(t)
		x := e.Explain(r)
		if bypass := classify.LongRunning(r.target()) || r.Verb == "watch" && (version == "1.20" || version == "1.21"); (x.Bypass != "") != bypass {
			t.Fatalf("%s %+v: bypass %q", version, r, x.Bypass)
		}
		checkWidth(t, x)
		if x.Bypass != "" {
			return
		}
		checkClassification(t, e, x)
		checkLevel(t, e, x)
		checkSource(t, e, x)
		checkWait(t, x)
	})
}

// checkClassification compares with the plain scan of the schemas.
func checkClassification(t *rapid.T, e *Explainer, x *Explanation) {
	target := x.Request.target()
	want, accepting := "catch-all", 0
	for i := len(e.server.FlowSchemas) - 1; i >= 0; i-- {
		s := &e.server.FlowSchemas[i]
		if !e.configuration.Schemas[i].Dangling && classify.Matches(s, x.Request.User, x.Request.Groups, &target) {
			want = s.Name
			accepting++
		}
	}
	if x.Match.FlowSchema != want || x.Match.Fallback != (accepting == 0) {
		t.Fatalf("%+v: taken by %+v, want %s of %d", x.Request, x.Match, want, accepting)
	}
	if len(x.Others) != len(e.server.FlowSchemas)-1 {
		t.Fatalf("%d others of %d", len(x.Others), len(e.server.FlowSchemas))
	}
	for _, o := range x.Others {
		if o.Earlier && o.Accepts && !o.Dangling || len(o.Why) == 0 || !o.Accepts && len(o.Failed) == 0 {
			t.Fatalf("%+v: %+v was tried before %s", x.Request, o, want)
		}
	}
}

// checkLevel holds that the arithmetic of the nominal seats is right.
func checkLevel(t *rapid.T, e *Explainer, x *Explanation) {
	l := x.Level
	if l.Response == "exempt" {
		return
	}
	var seats, shares, sum int
	if n, err := fmt.Sscanf(l.NominalArithmetic, "ceil(%d × %d / %d)", &seats, &shares, &sum); n != 3 {
		t.Fatalf("%q: %v", l.NominalArithmetic, err)
	}
	if got := int(math.Ceil(float64(seats) * float64(shares) / float64(sum))); got != l.NominalSeats {
		t.Fatalf("%s is %d, and not %d", l.NominalArithmetic, got, l.NominalSeats)
	}
	if (len(x.Flow.Hand) > 0) != (l.Queues > 1) || x.Flow.Hashed != (l.Queues > 1) || len(x.Flow.Hand) != l.HandSize {
		t.Fatalf("%+v of %+v", x.Flow, l)
	}
	if !slices.ContainsFunc(e.configuration.Levels, func(p scenarios.PriorityLevel) bool { return p.Object.Name == l.Name && p.BuiltIn == l.BuiltIn }) {
		t.Fatalf("no such level: %+v", l)
	}
}

// checkWait holds that the arithmetic of the wait is right.
func checkWait(t *rapid.T, x *Explanation) {
	w := x.Wait
	if w.Limit == "" {
		if waits := x.Level.Response == "Queue"; waits != (w.Arithmetic != "") || waits && x.Request.Verb != "watch" {
			t.Fatalf("%+v: %+v", x.Request, w)
		}
		return
	}
	limit, err := time.ParseDuration(w.Limit)
	if err != nil {
		t.Fatal(err)
	}
	want := time.Minute
	if x.Request.Timeout > 0 && x.Request.Timeout < want && !strings.Contains(w.Arithmetic, "whatever") {
		want = x.Request.Timeout
	}
	if whole, _, quarter := strings.Cut(w.Arithmetic, " / 4, by "); quarter {
		if d, err := time.ParseDuration(whole); err != nil || d != want {
			t.Fatalf("%+v: %s, want %s", x.Request, w.Arithmetic, want)
		}
		want /= 4
	}
	if limit != want {
		t.Fatalf("%+v: limit %s, want %s", x.Request, limit, want)
	}
}

// checkSource compares where a LIST is read with what the estimator does with so many
// objects that the two sources differ in their seats.
func checkSource(t *rapid.T, e *Explainer, x *Explanation) {
	if x.Seats.Estimator != "list" || x.Request.Name != "" {
		return
	}
	rules := release.For(e.configuration.Release).Estimate
	o := scheduler.ParseListOptions(x.Request.options())
	if rules.Lists == estimate.ListsBySize {
		// One object that is larger than what the cache holds at once.
		stats := estimate.Stats{State: estimate.Known, Count: 10, AverageBytes: 9_000_000}
		if got := rules.List(o, false, stats, 0, true).InitialSeats > 10; got != (x.Seats.Source == "storage") {
			t.Fatalf("%+v: source %s", x.Request, x.Seats.Source)
		}
		return
	}
	// 150 objects: 2 seats from the cache; with a limit of at least as many 3 from storage.
	o.Limit = min(o.Limit, 150)
	if o.Limit > 0 && o.Limit < 150 {
		return
	}
	stats := estimate.Stats{State: estimate.Known, Count: 150}
	if got := rules.List(o, false, stats, 0, true).InitialSeats == 3; got != (x.Seats.Source == "storage") {
		t.Fatalf("%+v: source %s", x.Request, x.Seats.Source)
	}
}

// checkWidth holds that no line is wider than the page, but for words that are.
func checkWidth(t *rapid.T, x *Explanation) {
	for _, all := range []bool{false, true} {
		var b strings.Builder
		if err := x.WriteText(&b, TextOptions{All: all}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			words := strings.Fields(line)
			if utf8.RuneCountInString(line) > pageWidth && len(words) > 2 || strings.TrimRight(line, " ") != line {
				t.Fatalf("%q", line)
			}
		}
	}
}

package backend

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/release"
)

// server has 1000 pods of 5000 bytes on 10 nodes, and configmaps of a size that is not known.
func server(t *testing.T, v release.Version) *scheduler.Server {
	t.Helper()
	s, err := scheduler.New(scheduler.Config{
		Release:                  v,
		Seats:                    100,
		RequestTimeout:           time.Minute,
		ConsistentReadsFromCache: true,
		PriorityLevels: []scheduler.PriorityLevel{
			{Name: scheduler.Exempt, Exempt: true, BorrowingLimitPercent: -1},
			{Name: scheduler.CatchAll, Shares: 5, BorrowingLimitPercent: -1},
		},
		FlowSchemas: []scheduler.FlowSchema{{Name: scheduler.CatchAll, Precedence: 10000, PriorityLevel: scheduler.CatchAll}},
		Objects: []scheduler.ObjectCount{
			{Resource: "pods", Count: 1000, AverageBytes: 5000},
			{Resource: "nodes", Count: 10, AverageBytes: 10_000},
			{Resource: "configmaps", Count: 7},
		},
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFacts(t *testing.T) {
	c := Default(release.Last)
	c.Objects = Objects{Bytes: 2000, Selected: 0.1, Namespaces: []NamespaceObjects{{Resource: "pods", Namespace: "big", Count: 900}}}
	s := server(t, release.Last)
	p := NewPrices(&c, s)
	pods := func(verb string) scheduler.Target { return scheduler.Target{Verb: verb, Resource: "pods"} }
	in := func(namespace string) scheduler.Target {
		return scheduler.Target{Verb: "list", Resource: "pods", Namespace: namespace}
	}
	type raw = scheduler.RawListOptions
	cache, exact := raw{ResourceVersion: "0"}, raw{ResourceVersion: "5", ResourceVersionMatch: "Exact"}
	with := func(o raw, limit int64, selector string) raw {
		o.Limit, o.LabelSelector = limit, selector
		return o
	}
	byNode := func(o raw) raw { o.FieldSelector = "spec.nodeName=n1"; return o }
	for _, c := range []struct {
		name    string
		target  scheduler.Target
		options raw
		want    Facts
	}{
		{"from the cache", pods("list"), cache, Facts{Read: 1000, Returned: 1000}},
		{"consistent", pods("list"), raw{}, Facts{Read: 1000, Returned: 1000, ReadsStorage: true}},
		{"from storage", pods("list"), exact, Facts{Read: 1000, Returned: 1000, FromStorage: true, ReadsStorage: true}},
		{"a page", pods("list"), with(exact, 50, ""), Facts{Read: 50, Returned: 50, FromStorage: true, ReadsStorage: true}},
		{"a page is no page at version 0", pods("list"), with(cache, 50, ""), Facts{Read: 1000, Returned: 1000}},
		{"a page of the latest, from the cache", pods("list"), with(raw{}, 50, ""), Facts{Read: 50, Returned: 50, ReadsStorage: true}},
		{"a selector", pods("list"), with(cache, 0, "a=b"), Facts{Read: 1000, Returned: 100}},
		{"a selector, from storage", pods("list"), with(exact, 0, "a=b"), Facts{Read: 1000, Returned: 100, FromStorage: true, ReadsStorage: true}},
		{"a page of a selector", pods("list"), with(exact, 7, "a=b"), Facts{Read: 70, Returned: 7, FromStorage: true, ReadsStorage: true}},
		{"a page of more than there are", pods("list"), with(exact, 700, "a=b"), Facts{Read: 1000, Returned: 100, FromStorage: true, ReadsStorage: true}},
		{"a node's pods have an index", pods("list"), byNode(cache), Facts{Read: 100, Returned: 100}},
		{"but not in storage", pods("list"), byNode(exact), Facts{Read: 1000, Returned: 100, FromStorage: true, ReadsStorage: true}},
		{"one, by a field selector", pods("list"), raw{ResourceVersion: "0", FieldSelector: "metadata.name=x"}, Facts{Read: 1, Returned: 1}},
		{"a namespace", in("big"), cache, Facts{Read: 900, Returned: 900}},
		{"another namespace", in("small"), cache, Facts{Read: 1000, Returned: 1000}},
		{"of a resource that nobody knows", scheduler.Target{Verb: "list", Resource: "widgets", APIGroup: "example.com"}, cache, Facts{}},
		{"of a size that nobody knows", scheduler.Target{Verb: "list", Resource: "configmaps"}, cache, Facts{Read: 7, Returned: 7}},
		{"watch", pods("watch"), exact, Facts{}},
		{"watch with initial events", pods("watch"), raw{SendInitialEvents: true, ResourceVersionMatch: "NotOlderThan"}, Facts{Read: 1000, Returned: 1000, Streamed: true}},
		{"get", pods("get"), raw{}, Facts{Read: 1, Returned: 1, FromStorage: true, ReadsStorage: true}},
		{"get from the cache", pods("get"), cache, Facts{Read: 1, Returned: 1}},
		{"create", pods("create"), raw{}, Facts{Returned: 1, Written: 1}},
		{"delete", pods("delete"), raw{}, Facts{Read: 1, FromStorage: true, ReadsStorage: true, Returned: 1, Written: 1}},
		{"delete many", pods("deletecollection"), with(exact, 0, "a=b"), Facts{Read: 1000, FromStorage: true, ReadsStorage: true, Returned: 100, Written: 100}},
		{"a path", scheduler.Target{Verb: "get", Path: "/healthz"}, raw{}, Facts{}},
		{"a review", scheduler.Target{Verb: "create", APIGroup: "authorization.k8s.io", Resource: "subjectaccessreviews"}, raw{}, Facts{}},
		{"a token", scheduler.Target{Verb: "create", Resource: "serviceaccounts", Subresource: "token"}, raw{}, Facts{}},
	} {
		c.want.Verb, c.want.ObjectBytes = c.target.Verb, 5000
		if c.target.Resource != "pods" {
			c.want.ObjectBytes = 2000
		}
		name := scheduler.RequestName(c.target.Verb, "", c.options)
		known := s.ReadFacts(c.target, name, scheduler.ParseListOptions(c.options))
		if got := p.Facts(&c.target, &known); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestCost has prices of which no two add up to the same.
func TestCost(t *testing.T) {
	c := Config{
		CPU: CPUConfig{Request: 1, Verbs: []VerbWork{{"list", 20}, {"create", 30}}, Object: 1000, Decode: 100_000_000, Encode: 7_000_000},
		Etcd: Etcd{
			Reads:  Operations{Latency: 5, Object: 10, Megabyte: 1_000_000},
			Writes: Operations{Latency: 50, Object: 10, Megabyte: 2_000_000},
		},
		Memory: MemoryConfig{CacheFactor: 2, StorageFactor: 5},
	}
	streamed := c
	streamed.Memory.Streamed = true
	for _, k := range []struct {
		name   string
		config *Config
		facts  Facts
		want   Cost
	}{
		{"nothing", &c, Facts{Verb: "get"}, Cost{Before: 1}},
		{"cached", &c, Facts{Verb: "list", Read: 10, Returned: 3, ObjectBytes: 100}, Cost{Before: 21, After: 10_000 + 300*7, Held: 600}},
		{"consistent", &c, Facts{Verb: "list", Read: 10, Returned: 3, ObjectBytes: 100, ReadsStorage: true},
			Cost{Before: 21, After: 10_000 + 300*7, Read: 5, Reads: true, Held: 600}},
		{"stored", &c, Facts{Verb: "list", Read: 10, Returned: 3, ObjectBytes: 100, FromStorage: true, ReadsStorage: true},
			Cost{Before: 21, After: 10_000 + 300*7 + 1000*100, Read: 5 + 9*10 + 1000, Reads: true, Held: 5000}},
		{"written", &c, Facts{Verb: "create", Written: 1, Returned: 1, ObjectBytes: 100},
			Cost{Before: 31 + 700, After: 700, Write: 50 + 200, Writes: true, Held: 200}},
		{"three written", &c, Facts{Verb: "deletecollection", Written: 3, ObjectBytes: 100},
			Cost{Before: 1 + 700, Write: 3 * (50 + 200), Writes: true}},
		{"watched", &c, Facts{Verb: "watch", Read: 10, Returned: 10, ObjectBytes: 100}, Cost{Before: 1, After: 10_000 + 7000}},
		{"not streamed", &c, Facts{Verb: "list", Returned: 1000, ObjectBytes: 10_000}, Cost{Before: 21, After: 70_000_000, Held: 20_000_000}},
		{"streamed", &streamed, Facts{Verb: "list", Returned: 1000, ObjectBytes: 10_000}, Cost{Before: 21, After: 70_000_000, Held: StreamedBytes}},
		{"of all bytes there are", &c, Facts{Verb: "list", Read: 1 << 40, Returned: 1 << 40, ObjectBytes: 1 << 40, FromStorage: true, ReadsStorage: true},
			Cost{Before: 21, After: 1<<40*1000 + 2*costMax, Read: costMax, Reads: true, Held: bytesMax}},
	} {
		p := Prices{c: k.config}
		if got := p.Of(&k.facts); got != k.want {
			t.Errorf("%s: got %+v, want %+v", k.name, got, k.want)
		}
	}
}

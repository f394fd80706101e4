package seats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"github.com/apfsim/apfsim/scheduler/release"
)

// compare makes a diff.
func compare(t testing.TB, before, after Input, requests []Request) *Diff {
	t.Helper()
	d, err := Compare(Side{"before", before}, Side{"after", after}, requests)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Nothing differs from itself, in any release, and what differs in one direction differs
// in the other.
func TestCompareIsSymmetric(t *testing.T) {
	newest := input(t, "1.37", 400, 200, agentSandbox)
	for minor := release.First.Minor; minor <= release.Last.Minor; minor++ {
		in := input(t, fmt.Sprintf("1.%d", minor), 300, 100)
		if d := compare(t, in, in, nil); d.Different {
			t.Errorf("1.%d differs from itself: %+v", minor, d)
		}
		there, back := compare(t, in, newest, nil), compare(t, newest, in, nil)
		if !there.Different || !back.Different {
			t.Errorf("1.%d: no difference", minor)
		}
		if len(there.Objects) != len(back.Objects) || len(there.Behaviour) != len(back.Behaviour) ||
			len(there.Levels) != len(back.Levels) || len(there.Requests.Changed) != len(back.Requests.Changed) ||
			len(there.Costs.Changed) != len(back.Costs.Changed) {
			t.Errorf("1.%d: %+v and %+v", minor, there, back)
		}
		for i, c := range back.Levels {
			if diff := cmp.Diff(LevelChange{c.Name, c.After, c.Before}, there.Levels[i], cmp.AllowUnexported(Level{})); diff != "" {
				t.Errorf("1.%d: %s", minor, diff)
			}
		}
	}
}

// Requests of a trace alone are looked at if there are any, with their counts.
func TestCompareRequests(t *testing.T) {
	sandbox := account("agent-sandbox-system", "agent-sandbox-controller")
	requests := []Request{
		requestOf(sandbox, in("default", "update", "extensions.agents.x-k8s.io", "sandboxclaims")),
		requestOf(pod, in("default", "get", "", "pods")),
		requestOf(sandbox, sub("default", "get", "", "pods", "log")),
	}
	requests[0].Count, requests[1].Count = 5, 7
	d := compare(t, input(t, "1.37", 400, 200), input(t, "1.37", 400, 200, agentSandbox), requests).Requests
	if d.Kinds != 3 || d.Count != 13 || d.Moved() != 5 || len(d.Changed) != 1 {
		t.Fatalf("%+v", d)
	}
	user := sandbox.user
	want := RequestChange{requests[0], Classification{FlowSchema: "service-accounts", PriorityLevel: "workload-low", Flow: user},
		Classification{FlowSchema: "agent-sandbox-critical", PriorityLevel: "agent-sandbox-critical", Flow: user}}
	if diff := cmp.Diff(want, d.Changed[0]); diff != "" {
		t.Error(diff)
	}
}

// The requests that an overlay's schemas are written for are among those compared.
func TestOwnRequests(t *testing.T) {
	d := compare(t, input(t, "1.37", 400, 200), input(t, "1.37", 400, 200, agentSandbox), nil)
	var got []string
	for _, c := range d.Requests.Changed {
		what := strings.TrimPrefix(c.What, "system:serviceaccount:agent-sandbox-system:agent-sandbox-controller: ")
		got = append(got, fmt.Sprintf("%s: %s → %s", what, c.Before.PriorityLevel, c.After.PriorityLevel))
	}
	want := []string{
		"get configmaps in default: workload-low → agent-sandbox-bulk",
		"get /version: workload-low → agent-sandbox-bulk",
		"get sandboxclaims.extensions.agents.x-k8s.io in default: workload-low → agent-sandbox-critical",
		"get sandboxes.agents.x-k8s.io in default: workload-low → agent-sandbox-critical",
		"get leases.coordination.k8s.io in default: workload-low → agent-sandbox-critical",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A schema whose level goes away dangles, and what it took falls to the next one.
func TestDangling(t *testing.T) {
	schemas := agentSandbox[strings.Index(agentSandbox, "apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: FlowSchema"):]
	d := compare(t, input(t, "1.37", 400, 200, agentSandbox), input(t, "1.37", 400, 200, schemas), nil)
	for _, o := range d.Objects {
		if o.Kind == schemaKind && (!o.Dangling || o.Change != Changed || len(o.Fields) > 0) {
			t.Errorf("%+v", o)
		}
	}
	if n := len(d.Requests.Changed); n != 5 {
		t.Errorf("%d requests are classified otherwise, want 5", n)
	}
}

// The typical requests, and where they go. Each is there once.
func TestTypical(t *testing.T) {
	datadriven.RunTest(t, "testdata/typical.txt", func(t *testing.T, d *datadriven.TestData) string {
		var version string
		d.ScanArgs(t, "release", &version)
		c, err := newClassifier(input(t, version, 400, 200).Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		list := typicalRequests()
		if n := len(distinct(typicalRequests())); n != len(list) || n < 40 {
			t.Errorf("%d typical requests, %d of them distinct", len(list), n)
		}
		for i := range list {
			to := c.classify(&list[i])
			fmt.Fprintf(&b, "%s: ", list[i].What)
			if to.Bypasses {
				fmt.Fprintln(&b, "bypasses")
				continue
			}
			fmt.Fprintf(&b, "%s, %s", to.FlowSchema, to.PriorityLevel)
			if to.Flow != "" {
				fmt.Fprintf(&b, ", flow %s", to.Flow)
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}

// What typical requests cost in each level.
func TestCosts(t *testing.T) {
	datadriven.RunTest(t, "testdata/costs.txt", func(t *testing.T, d *datadriven.TestData) string {
		var version string
		d.ScanArgs(t, "release", &version)
		p, all, err := costs(input(t, version, 400, 200).Scheduler)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, c := range costly {
			fmt.Fprintf(&b, "%s\n", c.what)
			for level, info := range p.levels {
				fmt.Fprintf(&b, "  %s: %s\n", info.Name, all[i][level])
			}
		}
		return b.String()
	})
}

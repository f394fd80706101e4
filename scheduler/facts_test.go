package scheduler

import (
	"testing"
	"time"

	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/release"
)

// factsServer has 300 pods of 40,000 bytes: a LIST of all of them is 3 seats wide from the
// cache and 6 from storage by count; 10 and 100 by size.
func factsServer(t *testing.T, v release.Version, consistentReads bool) *Server {
	t.Helper()
	s, err := New(Config{
		Release:                  v,
		Seats:                    1000,
		RequestTimeout:           time.Minute,
		ConsistentReadsFromCache: consistentReads,
		PriorityLevels: []PriorityLevel{
			{Name: Exempt, Exempt: true, BorrowingLimitPercent: -1},
			{Name: CatchAll, Shares: 5, BorrowingLimitPercent: -1},
		},
		FlowSchemas: []FlowSchema{{Name: CatchAll, Precedence: 10000, PriorityLevel: CatchAll}},
		Objects:     []ObjectCount{{Resource: "pods", Count: 300, AverageBytes: 40_000}},
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestReadFactsAgreeWithTheEstimate holds, for all releases and options, that a LIST is said
// to come from storage exactly where its width is that of one from storage.
func TestReadFactsAgreeWithTheEstimate(t *testing.T) {
	versions := []string{"", "0", "7"}
	matches := []string{"", "NotOlderThan", "Exact", "Nonsense"}
	stored := 0
	for _, text := range []string{"1.23", "1.26", "1.27", "1.28", "1.30", "1.31", "1.32", "1.33", "1.34", "1.37"} {
		v, err := release.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, consistent := range []bool{false, true} {
			s := factsServer(t, v, consistent)
			storedSeats := 6
			if s.profile.Estimate.Lists == estimate.ListsBySize {
				storedSeats = 100
			}
			for i := range len(versions) * len(matches) * 4 {
				raw := RawListOptions{
					ResourceVersion:      versions[i%3],
					ResourceVersionMatch: matches[i/3%4],
					Limit:                1000 * int64(i/12%2), // more than there are
				}
				if i >= 24 {
					raw.Continue = "token"
				}
				o := ParseListOptions(raw)
				target := Target{Verb: "list", Resource: "pods"}
				width := s.profile.Estimate.List(o, false, s.targets[s.Target(target)].stats, 0, consistent).InitialSeats
				facts := s.ReadFacts(target, "", o)
				if facts.FromStorage != (width == storedSeats) {
					t.Errorf("%v, consistent reads %v, %+v: from storage %v, and %d seats", v, consistent, raw, facts.FromStorage, width)
				}
				if facts.FromStorage && facts.Consistent {
					t.Errorf("%v, %+v: from storage, and yet the cache asks for the version", v, raw)
				}
				if facts.FromStorage {
					stored++
				}
			}
		}
	}
	if stored < 100 {
		t.Errorf("%d of the reads are from storage", stored)
	}
}

func TestReadFacts(t *testing.T) {
	s := factsServer(t, release.Last, true)
	known := func(f ReadFacts) ReadFacts {
		f.Known, f.Count, f.ObjectBytes = true, 300, 40_000
		return f
	}
	for _, c := range []struct {
		name    string
		target  Target
		options RawListOptions
		want    ReadFacts
	}{
		{"the latest", Target{Verb: "list", Resource: "pods"}, RawListOptions{Limit: 5}, known(ReadFacts{Consistent: true, Limit: 5})},
		{"any version", Target{Verb: "list", Resource: "pods"}, RawListOptions{Limit: 5, ResourceVersion: "0"}, known(ReadFacts{})},
		{"another resource", Target{Verb: "list", APIGroup: "apps", Resource: "pods"}, RawListOptions{ResourceVersion: "0"}, ReadFacts{}},
		{"a node's", Target{Verb: "list", Resource: "pods"}, RawListOptions{ResourceVersion: "0", FieldSelector: "spec.nodeName=a"},
			known(ReadFacts{Selector: true, NodeSelector: true})},
		{"many are deleted", Target{Verb: "deletecollection", Resource: "pods"}, RawListOptions{LabelSelector: "a=b"},
			known(ReadFacts{Selector: true, Consistent: true})},
		{"get", Target{Verb: "get", Resource: "pods"}, RawListOptions{}, known(ReadFacts{FromStorage: true})},
		{"get of any version", Target{Verb: "get", Resource: "pods"}, RawListOptions{ResourceVersion: "0"}, known(ReadFacts{})},
		{"watch", Target{Verb: "watch", Resource: "pods"}, RawListOptions{ResourceVersion: "7"}, known(ReadFacts{})},
		{"watch from the beginning", Target{Verb: "watch", Resource: "pods"}, RawListOptions{}, known(ReadFacts{Initial: true})},
		{"watch with initial events", Target{Verb: "watch", Resource: "pods"}, RawListOptions{ResourceVersion: "7", SendInitialEvents: true},
			known(ReadFacts{Initial: true})},
	} {
		if got := s.ReadFacts(c.target, "", ParseListOptions(c.options)); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
	if named := s.ReadFacts(Target{Verb: "list", Resource: "pods"}, "x", ListOptions{}); !named.Named {
		t.Error("a name makes no difference")
	}
	if n, ok := s.StoredObjects("", "pods"); n != 300 || !ok {
		t.Errorf("%d pods, known %v", n, ok)
	}
	if _, ok := s.StoredObjects("", "nodes"); ok {
		t.Error("the number of nodes is known")
	}
}

package recording

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// memory is a scratch file in memory.
type memory struct {
	text   []byte
	closed bool
}

func (m *memory) Write(b []byte) (int, error) {
	m.text = append(m.text, b...)
	return len(b), nil
}

func (m *memory) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(m.text).ReadAt(b, at)
}
func (m *memory) Close() error { m.closed = true; return nil }

// copyOf is a request that shares nothing with its reader.
func copyOf(r *Request) Request {
	c := *r
	c.Groups = nil
	for _, g := range r.Groups {
		c.Groups = append(c.Groups, strings.Clone(g))
	}
	for _, s := range []*string{
		&c.User, &c.Client, &c.Verb, &c.APIGroup, &c.Resource, &c.Subresource, &c.Namespace, &c.Name, &c.Path, &c.FlowSchema, &c.PriorityLevel,
		&c.Options.ResourceVersion, &c.Options.ResourceVersionMatch, &c.Options.Continue, &c.Options.FieldSelector, &c.Options.LabelSelector,
	} {
		*s = strings.Clone(*s)
	}
	return c
}

// drawn is a request of which every field is set, some texts too long for the table.
func drawn(random *rand.Rand, i int) Request {
	n := random.Int64N(1000)
	long := strings.Repeat("x", int(random.Int64N(2))*internTextMax)
	return Request{
		Received: n / 5, Server: int32(n % 3), Stages: StageStarted,
		User: fmt.Sprint("user-", n%50, long), Groups: []string{fmt.Sprint("g", n%7), "system:authenticated" + long},
		Client: "c", Verb: "list", APIGroup: "apps", Resource: "deployments", Subresource: "s", Namespace: fmt.Sprint(n % 9), Name: fmt.Sprint(i), Path: "/p",
		Options: Options{Limit: n % 2, ResourceVersion: "0", FieldSelector: long, SendInitialEvents: n%4 == 0},
		Timeout: 1, Left: 6, Execution: 2, HowExecution: Assumed, Waited: Unknown, Started: 3, Total: 4, Code: 200, Handled: n%2 == 0,
		FlowSchema: "f", PriorityLevel: "p", InitialSeats: -1, FinalSeats: 10, AdditionalLatency: 5,
	}
}

// TestSorterSorts adds requests in any order, and expects them by arrival and then as they were
// added, whether they fit into memory or not.
func TestSorterSorts(t *testing.T) {
	for _, bound := range []int{0, 1, 50000} {
		random := rand.New(rand.NewPCG(1, uint64(bound)))
		scratch := &memory{}
		s := Sorter{Bound: bound, Open: func() (Scratch, error) { return scratch, nil }}
		var want []Request
		for i := range 400 {
			r := drawn(random, i)
			want = append(want, copyOf(&r))
			if err := s.Add(&r); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortStableFunc(want, func(a, b Request) int { return int(a.Received - b.Received) })
		got := drain(t, &s)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("bound %d: %s", bound, d)
		}
		if s.Close() != nil || scratch.closed != (bound > 0) {
			t.Errorf("bound %d: the scratch file is closed: %v", bound, scratch.closed)
		}
	}
}

func drain(t *testing.T, s *Sorter) []Request {
	t.Helper()
	var all []Request
	for {
		var r Request
		more, err := s.Next(&r)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return all
		}
		all = append(all, copyOf(&r))
	}
}

// TestSorterJoins adds the parts of requests in any order: each request comes once, with what all
// of its parts told, at the place of its first part.
func TestSorterJoins(t *testing.T) {
	for _, bound := range []int{0, 1, 50000} {
		random := rand.New(rand.NewPCG(2, uint64(bound)))
		s := Sorter{
			Bound: bound, Open: func() (Scratch, error) { return &memory{}, nil },
			Join: func(into, part *Request) {
				into.Code += part.Code
				into.Groups = append([]string{"joined"}, part.Groups...)
			},
		}
		type place struct {
			received int64
			id       uint64
		}
		sums := map[place]int{}
		var first []place
		for i := range 600 {
			p := place{random.Int64N(20), 1 + random.Uint64N(10)}
			if sums[p] == 0 {
				first = append(first, p)
			}
			sums[p] += i + 1
			if err := s.Add(&Request{Received: p.received, ID: p.id, Code: i + 1, Groups: []string{strings.Repeat("g", 2000)}}); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortStableFunc(first, func(a, b place) int { return int(a.received - b.received) })
		got := drain(t, &s)
		if len(got) != len(first) {
			t.Fatalf("bound %d: %d requests, want %d", bound, len(got), len(first))
		}
		for i, p := range first {
			if got[i].Received != p.received || got[i].ID != p.id || got[i].Code != sums[p] || len(got[i].Groups[len(got[i].Groups)-1]) != 2000 {
				t.Fatalf("bound %d: request %d arrives at %d with ID %d and code %d, want %+v with %d", bound, i, got[i].Received, got[i].ID, got[i].Code, p, sums[p])
			}
		}
	}
}

// TestSorterTellsFaults of the scratch file.
func TestSorterTellsFaults(t *testing.T) {
	scratch := &memory{}
	s := Sorter{Bound: 1, Open: func() (Scratch, error) { return scratch, nil }}
	for i := range 3 {
		s.Add(&Request{Received: int64(i)})
	}
	scratch.text = scratch.text[:len(scratch.text)-3]
	var r Request
	var err error
	for more := true; more && err == nil; {
		more, err = s.Next(&r)
	}
	if err == nil {
		t.Error("a scratch file that is cut off is read as if it were whole")
	}
}

// TestSorterDoesNotAllocate in the steady state.
func TestSorterDoesNotAllocate(t *testing.T) {
	s := Sorter{Bound: 1 << 30}
	s.held, s.entries = make([]byte, 0, 1<<22), make([]entry, 0, 1<<14)
	r := drawn(rand.New(rand.NewPCG(3, 3)), 0)
	add := func() { s.Add(&r) }
	add()
	if n := testing.AllocsPerRun(1000, add); n != 0 {
		t.Errorf("%v allocations for each request", n)
	}
	s.Next(&r)
	if n := testing.AllocsPerRun(500, func() { s.Next(&r) }); n > 0.1 {
		t.Errorf("%v allocations for each request that comes out", n)
	}
}

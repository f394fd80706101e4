package estimate

import (
	"testing"

	"pgregory.net/rapid"
)

func TestInterestedWatches(t *testing.T) {
	var w WatchCounts
	w.Add(w.Scope("", "secrets", ""), "", 100)
	w.Add(w.Scope("", "secrets", "prod"), "", 20)
	w.Add(w.Scope("", "secrets", "prod"), "p1", 3)
	w.Add(w.Scope("", "secrets", ""), "p1", 4000)     // by name, in no namespace
	w.Add(w.Scope("apps", "secrets", ""), "", 50_000) // of another group
	for _, c := range []struct {
		group, resource, namespace, name string
		want                             int
	}{
		{"", "secrets", "prod", "p1", 123},
		{"", "secrets", "prod", "p2", 120},
		{"", "secrets", "prod", "", 120}, // a create has no name in its path
		{"", "secrets", "dev", "p1", 100},
		{"", "secrets", "", "p1", 4100},
		{"", "secrets", "", "", 100},
		{"apps", "secrets", "prod", "p1", 50_000},
		{"", "configmaps", "prod", "p1", 0},
	} {
		if got := w.Interested(w.Scope(c.group, c.resource, c.namespace), c.name); got != c.want {
			t.Errorf("a write to %+v interests %d, want %d", c, got, c.want)
		}
	}
}

func TestScopesStayValid(t *testing.T) {
	var w WatchCounts
	pods := w.Scope("", "pods", "a")
	w.Register(pods, "", ListOptions{})
	for _, namespace := range []string{"b", "c", "d", "e", "f"} {
		w.Register(w.Scope("", "pods", namespace), "", ListOptions{})
	}
	if pods != w.Scope("", "pods", "a") {
		t.Error("the same place has two scopes")
	}
	if got := w.Interested(pods, ""); got != 1 {
		t.Errorf("%d, want 1", got)
	}
}

// A watch of the pods of one node is found through an index and not counted, for any
// group's pods, and for nothing else than pods.
func TestWatchesOfOneNodesPods(t *testing.T) {
	node := RawListOptions{FieldSelector: "spec.nodeName=n1"}.Parse()
	for _, c := range []struct {
		group, resource string
		options         ListOptions
		want            int
	}{
		{"", "pods", node, 0},
		{"x", "pods", node, 0},
		{"", "pods", ListOptions{Selector: true}, 1},
		{"", "nodes", node, 1},
	} {
		var w WatchCounts
		s := w.Scope(c.group, c.resource, "")
		w.Register(s, "", c.options)
		if got := w.Interested(s, ""); got != c.want {
			t.Errorf("%+v: %d, want %d", c, got, c.want)
		}
		w.Forget(s, "", c.options)
		if got := w.Interested(s, ""); got != 0 {
			t.Errorf("%+v: %d are left", c, got)
		}
	}
}

func TestForgettingTooMuchPanics(t *testing.T) {
	for _, name := range []string{"", "p1"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("name %q: no panic", name)
				}
			}()
			var w WatchCounts
			s := w.Scope("", "pods", "ns")
			w.Register(s, name, ListOptions{})
			w.Forget(s, name, ListOptions{})
			w.Forget(s, name, ListOptions{})
		}()
	}
}

func TestAskingAllocatesNothing(t *testing.T) {
	var w WatchCounts
	s := w.Scope("", "pods", "ns")
	w.Register(s, "p1", ListOptions{})
	w.Register(s, "", ListOptions{})
	if n := testing.AllocsPerRun(100, func() {
		if w.Interested(w.Scope("", "pods", "ns"), "p1") != 2 {
			t.Error("not 2")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// identity is the key of upstream's tracker: a watch is counted by all of it.
type identity struct{ group, resource, namespace, name string }

func drawIdentity(t *rapid.T) identity {
	return identity{
		rapid.SampledFrom([]string{"", "apps"}).Draw(t, "group"),
		rapid.SampledFrom([]string{"pods", "secrets"}).Draw(t, "resource"),
		rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "namespace"),
		rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "name"),
	}
}

// One map with one key for each watch says the same.
func TestAgainstOneMap(t *testing.T) {
	type watch struct {
		identity
		options ListOptions
	}
	rapid.Check(t, func(t *rapid.T) {
		var w WatchCounts
		counts := make(map[identity]int)
		var open []watch
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(open) > 0 && rapid.Bool().Draw(t, "close") {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				o := open[i]
				open = append(open[:i], open[i+1:]...)
				w.Forget(w.Scope(o.group, o.resource, o.namespace), o.name, o.options)
				if !(o.options.NodeSelector && o.resource == "pods") {
					counts[o.identity]--
				}
			} else {
				o := watch{drawIdentity(t), ListOptions{NodeSelector: rapid.Bool().Draw(t, "node")}}
				open = append(open, o)
				w.Register(w.Scope(o.group, o.resource, o.namespace), o.name, o.options)
				if !(o.options.NodeSelector && o.resource == "pods") {
					counts[o.identity]++
				}
			}
			q := drawIdentity(t)
			want := counts[identity{q.group, q.resource, "", ""}]
			if q.namespace != "" {
				want += counts[identity{q.group, q.resource, q.namespace, ""}]
			}
			if q.name != "" {
				want += counts[q]
			}
			if got := w.Interested(w.Scope(q.group, q.resource, q.namespace), q.name); got != want {
				t.Fatalf("a write to %+v interests %d, want %d", q, got, want)
			}
		}
	})
}

func BenchmarkInterested(b *testing.B) {
	var w WatchCounts
	s := w.Scope("", "pods", "ns")
	w.Register(s, "", ListOptions{})
	for b.Loop() {
		w.Interested(s, "p1")
	}
}

package classify

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestReconfigureEqualsNew draws schemas, requests and other schemas: a classifier that was
// given these later has to answer as one that was made with them, and all ids have to stay.
func TestReconfigureEqualsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(drawSchemas(t))
		names := rapid.SliceOfN(drawUser, 1, 4).Draw(t, "users")
		groups := rapid.SliceOfN(drawGroup, 0, 2).Draw(t, "groups")
		var subjects []SubjectID
		for _, name := range names {
			subjects = append(subjects, c.Subject(name, groups))
		}
		var targets []Target
		var ids []TargetID
		for range rapid.IntRange(1, 4).Draw(t, "targets") {
			target := drawTarget(t)
			targets, ids = append(targets, target), append(ids, c.Target(target))
		}
		later := drawSchemas(t)
		c.Reconfigure(later)
		fresh := New(later)
		if len(c.Schemas()) != len(later) {
			t.Fatalf("%d schemas of %d", len(c.Schemas()), len(later))
		}
		for i, name := range names {
			if id := c.Subject(name, groups); id != subjects[i] {
				t.Fatalf("subject %d is now %d", subjects[i], id)
			}
			for j, target := range targets {
				if id := c.Target(target); id != ids[j] {
					t.Fatalf("target %d is now %d", ids[j], id)
				}
				want := fresh.Classify(fresh.Subject(name, groups), fresh.Target(target))
				if got := c.Classify(subjects[i], ids[j]); got != want {
					t.Fatalf("%s %v %+v: schema %d, and a new classifier says %d", name, groups, target, got, want)
				}
			}
		}
	})
}

// TestReconfigureOverOneWord crosses the border of 64 rules both ways.
func TestReconfigureOverOneWord(t *testing.T) {
	c := New(builtIn())
	subject, target := c.Subject("tenant-100", nil), c.Target(Target{Verb: "get", Resource: "pods", Namespace: "x"})
	for range 2 {
		if got := c.Classify(subject, target); got != -1 {
			t.Fatalf("schema %d among the built-in ones", got)
		}
		c.Reconfigure(tenants(150))
		want := slices.IndexFunc(c.Schemas(), func(s FlowSchema) bool { return s.Name == "tenant-100" })
		if got := c.Classify(subject, target); int(got) != want {
			t.Fatalf("schema %d, want %d", got, want)
		}
		c.Reconfigure(builtIn())
	}
}

// TestReconfigureToOneRule goes to a single rule, and to another one, with a subject that has been seen.
func TestReconfigureToOneRule(t *testing.T) {
	one := func(name string) []FlowSchema {
		return []FlowSchema{{Name: name, Precedence: 1000, Rules: everything(user(name))}}
	}
	c := New(one("ann"))
	ann, bob := c.Subject("ann", nil), c.Subject("bob", nil)
	target := c.Target(Target{Verb: "get", Resource: "pods", Namespace: "x"})
	for _, name := range []string{"bob", "ann", "bob"} {
		c.Reconfigure(one(name))
		a, b := c.Classify(ann, target), c.Classify(bob, target)
		if (a == 0) != (name == "ann") || (b == 0) != (name == "bob") {
			t.Fatalf("the schema is for %s: ann gets %d, bob %d", name, a, b)
		}
	}
}

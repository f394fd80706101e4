package release

import (
	"slices"
	"testing"
)

// A patch that got a change has it before later minor releases do, and an upgrade that
// skips the patches of a backport does not bring it twice.
func TestBetween(t *testing.T) {
	parse := func(text string) Version {
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		from, to string
		want     int
	}{
		{"1.29", "1.30", 0}, {"1.37", "1.37", 0}, {"1.25.12", "1.25.13", 1}, {"1.25.13", "1.25.12", 1}, {"1.34", "1.35", 1},
	} {
		if got := Between(parse(c.from), parse(c.to)); len(got) != c.want {
			t.Errorf("from %s to %s: %d changes, want %d: %+v", c.from, c.to, len(got), c.want, got)
		}
	}
	// A bound that came to patches of both is lost between them.
	if lost := Between(parse("1.25.13"), parse("1.26.7")); !slices.ContainsFunc(lost, func(c Change) bool {
		return c.In(parse("1.25.13")) && !c.In(parse("1.26.7"))
	}) {
		t.Errorf("nothing is lost from 1.25.13 to 1.26.7: %+v", lost)
	}
	if all := Between(First, Last); len(all) < 10 {
		t.Errorf("only %d changes between the first and the last release", len(all))
	}
}

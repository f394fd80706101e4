package suggest

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	legal := []string{"replications", "seed", "workers", "decisions", "output"}
	for _, c := range []struct {
		word, want string
	}{
		{"replicatoins", "replications"},
		{"Seed", "seed"},
		{"sed", "seed"},
		{"worker", "workers"},
		{"elephants", ""},
		{"", ""},
	} {
		got, ok := Nearest(c.word, legal)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", c.word, got, ok, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1},
		{"kitten", "sitting", 3}, {"ca", "abc", 3},
	} {
		if got := Distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// The distance is symmetric, 0 for equal words alone, and never above the longer word.
func TestDistanceProperties(t *testing.T) {
	words := rapid.SliceOfN(rapid.RuneFrom([]rune("abé")), 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		d := Distance(a, b)
		if d != Distance(b, a) {
			t.Fatalf("not symmetric: %d and %d", d, Distance(b, a))
		}
		if (d == 0) != (string(a) == string(b)) || d > max(len(a), len(b)) {
			t.Fatalf("distance %d", d)
		}
	})
}

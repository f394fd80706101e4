package balance

import (
	"slices"
	"testing"

	"github.com/apfsim/apfsim/workload"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// fits fails the test if counts are unlikely for the given probabilities: a chi-square test at
// 1 in 10,000, with fixed seeds.
func fits(t *testing.T, counts []int, probabilities []float64) {
	t.Helper()
	n := 0
	for _, c := range counts {
		n += c
	}
	x := 0.0
	for i, c := range counts {
		want := probabilities[i] * float64(n)
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	limit := distuv.ChiSquared{K: float64(len(counts) - 1)}.Quantile(0.9999)
	if x > limit {
		t.Errorf("counts %v do not fit %v: chi-square %.1f, at most %.1f", counts, probabilities, x, limit)
	}
}

func allUp(n int) []bool { return slices.Repeat([]bool{true}, n) }

func uniform(n int) []float64 { return slices.Repeat([]float64{1 / float64(n)}, n) }

func TestRandomIsUniform(t *testing.T) {
	for _, n := range []int{2, 3, 7} {
		h := newHealth(&Health{}, allUp(n))
		c, random := NewChooser(Random, nil), workload.NewStream(1, uint64(n))
		counts := make([]int, n)
		for range 50_000 {
			s, _ := c.choose(&h, nil, &random)
			counts[s]++
		}
		fits(t, counts, uniform(n))
	}
}

// TestTwoChoices holds the odds of two draws with replacement: of n servers of different
// loads the i-th best is taken unless both draws, or one of them, are better.
func TestTwoChoices(t *testing.T) {
	h := newHealth(&Health{}, allUp(4))
	c, random := NewChooser(TwoChoices, nil), workload.NewStream(2, 2)
	loads := []int32{7, 1, 3, 3}
	counts := make([]int, 4)
	for range 100_000 {
		s, _ := c.choose(&h, loads, &random)
		counts[s]++
	}
	// Of equal ones the first that was drawn is taken, which is what Random would have taken.
	equal, plain, same := NewChooser(TwoChoices, nil), NewChooser(Random, nil), random
	for range 20 {
		got, _ := equal.choose(&h, make([]int32, 4), &random)
		if want, _ := plain.choose(&h, nil, &same); got != want {
			t.Fatalf("of equal loads server %d, want %d", got, want)
		}
		same.Uint64()
	}
	// 16 pairs: server 1 in 7 of them, 0 only with itself, 2 and 3 share the rest.
	fits(t, counts, []float64{1. / 16, 7. / 16, 4. / 16, 4. / 16})
}

// TestChoicesTakeTheirNumbers holds that how many numbers a choice takes does not depend on
// how many servers there are.
func TestChoicesTakeTheirNumbers(t *testing.T) {
	for policy, want := range map[Policy]int{Random: 1, RoundRobin: 0, LeastRequests: 0, TwoChoices: 2} {
		for n := 1; n <= 3; n++ {
			h := newHealth(&Health{}, allUp(n))
			c := NewChooser(policy, nil)
			used, plain := workload.NewStream(3, 4), workload.NewStream(3, 4)
			if _, ok := c.choose(&h, make([]int32, n), &used); !ok {
				t.Fatalf("%v finds no server of %d", policy, n)
			}
			for range want {
				plain.Uint64()
			}
			if used != plain {
				t.Errorf("%v among %d takes other than %d numbers", policy, n, want)
			}
		}
	}
}

func TestRoundRobin(t *testing.T) {
	h := newHealth(&Health{}, allUp(4))
	all, some := NewChooser(RoundRobin, nil), NewChooser(RoundRobin, []int{3, 1})
	next := func(c *Chooser) int32 {
		s, ok := c.choose(&h, nil, nil)
		if !ok {
			return none
		}
		return s
	}
	var got []int32
	for range 5 {
		got = append(got, next(&all))
	}
	h.set(10, 1, false)
	for range 4 {
		got = append(got, next(&all), next(&some))
	}
	h.set(20, 3, false)
	got = append(got, next(&some))
	h.set(30, 1, true)
	got = append(got, next(&some), next(&all))
	want := []int32{0, 1, 2, 3, 0, 2, 3, 3, 3, 0, 3, 2, 3, none, 1, 0}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestLeastRequests compares with the words of the definition, for any loads, rotations and
// subsets.
func TestLeastRequests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "servers")
		up := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "up")
		loads := rapid.SliceOfN(rapid.Int32Range(0, 4), n, n).Draw(t, "loads")
		subset := rapid.SliceOfDistinct(rapid.IntRange(0, n-1), rapid.ID[int]).Draw(t, "subset")
		if rapid.Bool().Draw(t, "all") {
			subset = nil
		}
		h := newHealth(&Health{}, up)
		c := NewChooser(LeastRequests, subset)
		got, ok := c.choose(&h, loads, nil)
		want := int32(none)
		for s := n - 1; s >= 0; s-- {
			may := up[s] && (subset == nil || slices.Contains(subset, s))
			if may && (want == none || loads[s] <= loads[want]) {
				want = int32(s)
			}
		}
		if got != want || ok != (want != none) {
			t.Fatalf("got %d, %v, want %d", got, ok, want)
		}
	})
}

func TestPolicyNames(t *testing.T) {
	for _, name := range Policies() {
		if p, ok := ParsePolicy(name); !ok || p.String() != name {
			t.Errorf("%q becomes %v, %v", name, p, ok)
		}
	}
	if p, ok := ParsePolicy("leastconn"); ok {
		t.Errorf("leastconn becomes %v", p)
	}
}

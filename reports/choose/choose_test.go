package choose

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// bench is a problem whose answer is known: a point meets the goal where level is at most 0.
type bench struct {
	sizes   []int
	level   func(Point) float64
	price   func(Point) float64
	noise   float64
	invalid func(Point) string
	// simulated tells that the price has to be run.
	simulated bool
	budget    int
	start     Point
	// asked are all that the search asked for, in its order.
	asked []string
}

// problem makes the problem.
func (b *bench) problem() *Problem {
	p := &Problem{Sizes: b.sizes, Start: b.start, Priced: !b.simulated, NeedsRuns: true, Cost: 1, First: 3, Full: 5, Budget: b.budget, Seed: 7}
	for range b.sizes {
		p.Ordered = append(p.Ordered, true)
	}
	p.Check = func(points []Point) ([]Known, error) {
		out := make([]Known, len(points))
		for i, q := range points {
			out[i].Prices = []float64{b.price(q)}
			if b.simulated {
				out[i].Prices[0] = math.NaN()
			}
			if b.invalid != nil {
				out[i].Invalid = b.invalid(q)
			}
		}
		return out, nil
	}
	p.Run = func(asks []Ask) ([]Score, error) {
		out := make([]Score, len(asks))
		for i, a := range asks {
			b.asked = append(b.asked, fmt.Sprint(a))
			out[i] = b.score(a)
		}
		return out, nil
	}
	return p
}

// score judges a point: the noise of a replication is the same at all points.
func (b *bench) score(a Ask) Score {
	s := Score{Verdict: Met, Prices: [][]float64{nil}}
	missed := 0
	for i := range a.Replications {
		noise := rand.New(rand.NewPCG(uint64(i), 3)).NormFloat64() * b.noise
		x := b.level(a.Point) + noise
		s.Excess = append(s.Excess, max(0, x))
		if x > 0 {
			missed++
		}
		if b.simulated {
			s.Prices[0] = append(s.Prices[0], b.price(a.Point)+noise)
		}
	}
	switch {
	case missed == a.Replications:
		s.Verdict = Missed
	case missed > 0:
		s.Verdict = Unclear
	}
	return s
}

// search searches, and compares the answer with the best of all points.
func (b *bench) search(t *testing.T) *Result {
	t.Helper()
	r, err := Search(b.problem())
	if err != nil {
		t.Fatal(err)
	}
	if r.Runs > b.budget {
		t.Errorf("%d runs, and the budget is %d", r.Runs, b.budget)
	}
	return r
}

// optimum is the cheapest point that meets the goal without noise.
func (b *bench) optimum() Point {
	s := &search{Problem: &Problem{Sizes: b.sizes}}
	var best Point
	for _, p := range s.all() {
		if b.level(p) <= 0 && (b.invalid == nil || b.invalid(p) == "") && (best == nil || b.price(p) < b.price(best)) {
			best = p
		}
	}
	return best
}

// erlangC is the chance that a request waits in an M/M/c queue of load a (Cooper, Introduction to Queueing
// Theory, section 3.5, by the recursion of Erlang's loss formula).
func erlangC(c int, a float64) float64 {
	loss := 1.0
	for n := 1; n <= c; n++ {
		loss = a * loss / (float64(n) + a*loss)
	}
	return float64(c) * loss / (float64(c) - a*(1-loss))
}

// TestBisectionFindsSeats finds the fewest seats of an M/M/c level whose requests wait at most so long,
// in a fifth of the runs of all points, and does not take the place of an end for the answer.
func TestBisectionFindsSeats(t *testing.T) {
	const load = 20
	for _, goal := range []float64{0.001, 0.01, 0.1, 0.4} {
		b := &bench{sizes: []int{80}, budget: 80, price: func(p Point) float64 { return float64(p[0]) }}
		b.level = func(p Point) float64 {
			c := load + 1 + p[0]
			return erlangC(c, load)/(float64(c)-load) - goal
		}
		r := b.search(t)
		if r.Method != "bisection" || r.Best == nil || !slices.Equal(r.Best.Point, b.optimum()) {
			t.Fatalf("goal %v: %s finds %+v, want %v", goal, r.Method, r.Best, b.optimum())
		}
		if grid := 80 * 5; r.Runs*5 > grid {
			t.Errorf("goal %v: %d runs, more than a fifth of %d", goal, r.Runs, grid)
		}
	}
}

// TestBisectionIsChecked walks all points where the goals are not monotone.
func TestBisectionIsChecked(t *testing.T) {
	b := &bench{sizes: []int{30}, budget: 200, price: func(p Point) float64 { return float64(p[0]) }}
	b.level = func(p Point) float64 { return math.Abs(float64(p[0])-12) - 1.5 }
	r := b.search(t)
	if r.Best == nil || r.Best.Point[0] != 11 || !strings.Contains(strings.Join(r.Notes, " "), "walked") {
		t.Errorf("best %+v, notes %q", r.Best, r.Notes)
	}
}

// TestWalkEndsAtTheCheapest takes the points in the order of the price and leaves those that cannot be
// out.
func TestWalkEndsAtTheCheapest(t *testing.T) {
	b := &bench{sizes: []int{6, 8}, budget: 48 * 3, price: func(p Point) float64 { return float64(p[0]*3 + p[1]) }}
	b.level = func(p Point) float64 { return float64(9 - p[0]*2 - p[1]) }
	b.invalid = func(p Point) string {
		if p[0] > 4 {
			return fmt.Sprintf("%d is too many", p[0])
		}
		return ""
	}
	r := b.search(t)
	if r.Method != "order of the price" || r.Best == nil || b.price(r.Best.Point) != b.price(b.optimum()) {
		t.Fatalf("%s finds %+v, want the price of %v", r.Method, r.Best, b.optimum())
	}
	if want := []Refusal{{"5 is too many", 8}}; !slices.Equal(r.Refused, want) {
		t.Errorf("refused %v, want %v", r.Refused, want)
	}
	for _, asked := range b.asked {
		if strings.HasPrefix(asked, "{[5 ") {
			t.Errorf("a point that cannot be was run: %s", asked)
		}
	}
}

// TestRaceDropsTheWorse finds the least of a simulated price, and gives few replications to points that are
// clearly worse.
func TestRaceDropsTheWorse(t *testing.T) {
	b := &bench{sizes: []int{5, 5}, budget: 100, noise: 0.05, simulated: true}
	b.price = func(p Point) float64 { return math.Pow(float64(p[0])-3, 2) + math.Pow(float64(p[1])-1, 2) }
	b.level = func(p Point) float64 { return float64(p[0]) - 2.5 } // so that [3 1] misses
	r := b.search(t)
	if r.Method != "race" || r.Best == nil || !slices.Equal(r.Best.Point, Point{2, 1}) {
		t.Fatalf("%s finds %+v, want [2 1]", r.Method, r.Best)
	}
	if r.Runs >= 25*4 {
		t.Errorf("%d runs: nothing was dropped", r.Runs)
	}
}

// TestEvolution finds a point near the optimum of a lattice that is far too large to look at.
func TestEvolution(t *testing.T) {
	b := &bench{sizes: []int{40, 40, 40, 40}, budget: 1500, price: func(p Point) float64 {
		return float64(p[0]+p[1]+p[2]+p[3]) / 10
	}}
	b.level = func(p Point) float64 { // each needs about 12 of 40
		worst := 0.0
		for _, x := range p {
			worst = max(worst, 12-float64(x))
		}
		return worst - 0.5
	}
	r := b.search(t)
	if r.Method != "CMA-ES" || r.Best == nil {
		t.Fatalf("%s finds %+v", r.Method, r.Best)
	}
	if price := b.price(r.Best.Point); price > 4.8*1.3 {
		t.Errorf("the price is %v at %v, and 4.8 would be enough", price, r.Best.Point)
	}
}

// TestSearchIsTheSameAgain asks for the same points in the same order.
func TestSearchIsTheSameAgain(t *testing.T) {
	make := func() *bench {
		b := &bench{sizes: []int{30, 30, 30}, budget: 400, noise: 0.3, price: func(p Point) float64 { return float64(p[0] + p[1] + p[2]) }}
		b.level = func(p Point) float64 { return 40 - float64(p[0]+p[1]*2+p[2]) }
		return b
	}
	first, second := make(), make()
	first.search(t)
	second.search(t)
	if !slices.Equal(first.asked, second.asked) {
		t.Error("the same problem was searched in another way")
	}
}

// TestImpossible tells that nothing meets the goals, and that a budget was too small.
func TestImpossible(t *testing.T) {
	b := &bench{sizes: []int{4, 4}, budget: 200, price: func(p Point) float64 { return float64(p[0]) }, level: func(Point) float64 { return 1 }}
	if r := b.search(t); r.Best != nil || r.Exhausted || len(r.Visited) != 16 {
		t.Errorf("best %v, exhausted %t, %d points", r.Best, r.Exhausted, len(r.Visited))
	}
	b.budget = 10
	if r := b.search(t); r.Best != nil || !r.Exhausted {
		t.Errorf("best %v, exhausted %t with a budget of 10", r.Best, r.Exhausted)
	}
}

// TestImpossibleAmongMany comes to the point that misses by the least, and tells that all around are further, and not
// that the budget has ended.
func TestImpossibleAmongMany(t *testing.T) {
	b := &bench{sizes: []int{40, 40, 40}, budget: 2500, price: func(p Point) float64 { return float64(p[0]) }}
	b.level = func(p Point) float64 {
		sum := 1.0
		for i, x := range p {
			sum += math.Abs(float64(x - 10*i - 5))
		}
		return sum
	}
	r := b.search(t)
	if r.Method != "CMA-ES" || r.Best != nil || r.Exhausted || !strings.Contains(strings.Join(r.Notes, " "), "miss the goals by more") {
		t.Errorf("%s: best %v, exhausted %t, notes %q", r.Method, r.Best, r.Exhausted, r.Notes)
	}
	if !slices.ContainsFunc(r.Visited, func(v *Visit) bool { return slices.Equal(v.Point, Point{5, 15, 25}) }) {
		t.Error("the nearest point was not looked at")
	}
	b.budget = 60
	if r := b.search(t); r.Best != nil || !r.Exhausted {
		t.Errorf("best %v, exhausted %t with a budget of 60", r.Best, r.Exhausted)
	}
}

// TestApproach finds the few points that meet the goals where CMA-ES comes near and not to them.
func TestApproach(t *testing.T) {
	b := &bench{sizes: []int{60, 60, 60}, budget: 2000, price: func(p Point) float64 { return float64(p[0]) }}
	b.level = func(p Point) float64 {
		sum := -0.5
		for i, x := range p {
			sum += math.Abs(float64(x - 20*i - 3))
		}
		return sum
	}
	if r := b.search(t); r.Best == nil || !slices.Equal(r.Best.Point, Point{3, 23, 43}) {
		t.Errorf("%s finds %v", r.Method, r.Best)
	}
}

// TestRaceCountsComparisons does not drop the best point because another one was luckier at first: among
// many points one always is.
func TestRaceCountsComparisons(t *testing.T) {
	s := &search{Problem: &Problem{First: 3, Full: 12}, comparisons: 1}
	visit := func(values ...float64) *Visit {
		return &Visit{Known: Known{Prices: []float64{math.NaN()}}, Score: Score{Prices: [][]float64{values}}}
	}
	lucky, best := visit(1.00, 1.01, 1.02), visit(1.10, 1.13, 1.11)
	if !s.worse(best, lucky) {
		t.Error("a single comparison does not tell")
	}
	if s.comparisons = 100; s.worse(best, lucky) {
		t.Error("one of a hundred comparisons tells as much as a single one")
	}
	if !s.worse(visit(2, 2.01, 2.02), lucky) {
		t.Error("a difference without noise does not tell")
	}
}

// TestFront keeps the points that no other one is better than.
func TestFront(t *testing.T) {
	var visits []*Visit
	for _, x := range [][2]float64{{3, 0}, {1, 5}, {2, 2}, {2, 3}, {3, 0}, {4, 0}} {
		visits = append(visits, &Visit{Point: Point{int(x[0])}, Known: Known{Prices: []float64{x[0]}}, Replications: 1, Score: Score{Excess: []float64{x[1]}}})
	}
	var got []string
	for _, v := range Front(visits) {
		got = append(got, fmt.Sprint(v.Known.Prices[0], v.Excess()))
	}
	if want := []string{"1 5", "2 2", "3 0"}; !slices.Equal(got, want) {
		t.Errorf("front %q, want %q", got, want)
	}
}

// TestLargeLattices searches one knob of very many values, and a lattice of which all is known without a run.
func TestLargeLattices(t *testing.T) {
	b := &bench{sizes: []int{9000}, budget: 300, start: Point{0}, price: func(p Point) float64 { return float64(p[0]) }}
	b.level = func(p Point) float64 { return 4000 - float64(p[0]) }
	if r := b.search(t); r.Best == nil || b.price(r.Best.Point) > 4400 {
		t.Errorf("%s finds %+v, and 4000 is enough", r.Method, r.Best)
	}
	b = &bench{sizes: []int{100, 100}, budget: 10, price: func(p Point) float64 { return float64(p[0] + p[1]) }}
	b.invalid = func(p Point) string {
		if p[0]+p[1] < 90 {
			return "too little"
		}
		return ""
	}
	p := b.problem()
	p.NeedsRuns = false
	p.Run = func([]Ask) ([]Score, error) { t.Error("something was run"); return nil, nil }
	r, err := Search(p)
	if err != nil || r.Best == nil || r.Runs != 0 || b.price(r.Best.Point) > 100 {
		t.Errorf("%+v, %v", r, err)
	}
}

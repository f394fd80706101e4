package choose

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Point is a point of the lattice: the number of the value of each knob.
type Point []int

// key is a text that is the same for equal points alone.
func (p Point) key() string { return fmt.Sprint([]int(p)) }

// Verdict is how a point does by the goals.
type Verdict int

// The verdicts: some goal is missed by its whole interval; some interval reaches over a bound; all
// goals are met by whole intervals.
const (
	Missed Verdict = iota
	Unclear
	Met
)

// Known is what is known of a point without a run.
type Known struct {
	// Invalid says why there can be no such point, and Missed which goal it misses; "" for neither.
	Invalid, Missed string
	// Prices are the objectives, NaN where it takes a run to know them.
	Prices []float64
}

// Score is what the replications of a point showed.
type Score struct {
	Verdict Verdict
	// Excess tells of each replication by how much the goals are missed: parts of their bounds, added
	// up; 0 where all hold.
	Excess []float64
	// Prices are the objectives, each in all replications.
	Prices [][]float64
}

// Ask is a point and how many replications of it are wanted, in all.
type Ask struct {
	Point        Point
	Replications int
}

// Problem is what is searched.
type Problem struct {
	// Sizes are how many values each knob has, and Ordered tells that they ascend.
	Sizes   []int
	Ordered []bool
	// Start is today's point; nil if it is not on the lattice.
	Start Point
	// Priced tells that all objectives are known without a run, and NeedsRuns that some goal or
	// objective is not.
	Priced, NeedsRuns bool
	// Check tells what is known of points, in their order.
	Check func([]Point) ([]Known, error)
	// Run runs points, in their order. A point is asked for again with more replications, the
	// first of which are those that it has had.
	Run func([]Ask) ([]Score, error)
	// Cost is how many runs one replication of a point takes: one for each scenario.
	Cost int
	// First is with how many replications a point begins, and Full how many tell enough.
	First, Full int
	// Budget bounds the runs.
	Budget int
	// Seed is where all chance comes from.
	Seed uint64
}

// Visit is a point that was looked at.
type Visit struct {
	Point        Point
	Known        Known
	Replications int
	Score        Score
}

// Price is the mean of an objective.
func (v *Visit) Price(i int) float64 {
	if !math.IsNaN(v.Known.Prices[i]) {
		return v.Known.Prices[i]
	}
	return mean(v.Score.Prices[i])
}

// Excess is the mean of by how much the goals are missed.
func (v *Visit) Excess() float64 { return mean(v.Score.Excess) }

// Refusal is why some points cannot be; of reasons that differ in numbers alone, the first one.
type Refusal struct {
	Why    string
	Points int
}

// Result is what a search found.
type Result struct {
	// Method is how it was searched, and Why because of what.
	Method, Why string
	// Notes tell what was noticed on the way.
	Notes []string
	// Points is how many there are, Screened how many of them were looked at without a run, and
	// Candidates how many were left of these.
	Points, Screened, Candidates int
	// Refused tells why points cannot be, and Missed which goals they miss for certain, the most
	// frequent reason first.
	Refused, Missed []Refusal
	// Visited are those that were run, in the order in which they were.
	Visited []*Visit
	// Best is the best one that meets all goals, nil if none does, and Met are all that do, the best
	// one first.
	Best *Visit
	Met  []*Visit
	// Runs is how many there were. Exhausted tells that the budget did not allow all that were wanted.
	Runs      int
	Exhausted bool
}

// MaxScreened is how many points are looked at without a run: all of them, or else those that the
// search comes by.
const MaxScreened = 4096

// ErrBudget ends a search when the budget is spent. Run may return it too, for a budget of its own.
var ErrBudget = errors.New("choose: the budget is spent")

// search is a search while it is done.
type search struct {
	*Problem
	result     Result
	known      map[string]*Known
	seen       map[string]*Visit
	candidates []Point
	// comparisons is how many there may be in a race.
	comparisons int
}

// Search searches. The error is one that Check or Run gave.
func Search(p *Problem) (*Result, error) {
	s := &search{Problem: p, known: map[string]*Known{}, seen: map[string]*Visit{}}
	s.result.Points = s.size()
	if err := s.screen(); err != nil {
		return nil, err
	}
	err := s.method()
	if err == nil {
		err = s.polish()
	}
	if errors.Is(err, ErrBudget) {
		s.result.Exhausted, err = true, nil
	}
	s.result.Met = s.met()
	s.result.Best = s.best()
	return &s.result, err
}

// method chooses the method by the shape of the problem, and applies it.
func (s *search) method() error {
	knobs := s.varied()
	all := s.result.Screened == s.result.Points
	fits := all && len(s.candidates)*s.First*s.Cost <= s.Budget
	choose := func(method, why string, do func() error) error {
		s.result.Method, s.result.Why = method, why
		return do()
	}
	switch {
	case all && len(s.candidates) == 0:
		return choose("analytic", "no point is left to be run", func() error { return nil })
	case !s.NeedsRuns && all:
		return choose("analytic", "goals and objectives are known without a run", s.analytic)
	case s.Priced && all && len(knobs) == 1 && s.Ordered[knobs[0]]:
		return choose("bisection", "one knob, and its price is known without a run", s.bisect)
	case s.Priced && fits:
		return choose("order of the price", "the price is known without a run, and the budget allows to look at each point", s.walk)
	case fits:
		return choose("race", "the objective has to be run, and the budget allows to look at each point", func() error { return s.race(s.candidates) })
	}
	return choose("CMA-ES", "there are more points than the budget allows to look at", s.evolve)
}

// analytic takes the cheapest point, of which all is known.
func (s *search) analytic() error {
	best := slices.MinFunc(s.candidates, s.compareKnown)
	s.visit(best).Score.Verdict = Met
	return nil
}

// best is the best of the points that meet all goals.
func (s *search) best() *Visit {
	if all := s.met(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// met are the points that meet all goals, the best one first.
func (s *search) met() []*Visit {
	var out []*Visit
	for _, v := range s.result.Visited {
		if s.meets(v) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, s.compare)
	return out
}

// meets tells whether a point meets all goals, in full.
func (s *search) meets(v *Visit) bool {
	return v.Score.Verdict == Met && v.Replications >= s.needed()
}

// needed is how many replications an answer needs.
func (s *search) needed() int {
	if !s.NeedsRuns {
		return 0
	}
	return s.Full
}

// compare orders points that were run: by the objectives, the first counting most, then by how
// many steps they are away from today's, then by their place.
func (s *search) compare(a, b *Visit) int {
	for i := range a.Known.Prices {
		if c := cmp.Compare(a.Price(i), b.Price(i)); c != 0 {
			return c
		}
	}
	return s.closer(a.Point, b.Point)
}

// compareKnown orders points by what is known of them without a run.
func (s *search) compareKnown(a, b Point) int {
	if c := slices.Compare(s.known[a.key()].Prices, s.known[b.key()].Prices); c != 0 && s.Priced {
		return c
	}
	return s.closer(a, b)
}

// closer orders points by the steps from today's, then by their place.
func (s *search) closer(a, b Point) int {
	if c := cmp.Compare(s.steps(a), s.steps(b)); c != 0 {
		return c
	}
	return slices.Compare(a, b)
}

// steps is how many steps a point is away from today's, 0 if that is not on the lattice.
func (s *search) steps(p Point) int {
	n := 0
	for i := range s.Start {
		n += max(p[i]-s.Start[i], s.Start[i]-p[i])
	}
	return n
}

// mean is the mean of some values; 0 of none.
func mean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(max(len(values), 1))
}

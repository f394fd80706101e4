package choose

import (
	"slices"

	"github.com/apfsim/apfsim/reports/stats"
)

// Stages are the numbers of replications that points are asked for, one after the other: the first
// few, twice as many, and so on up to all.
func Stages(first, full int) []int {
	var out []int
	for n := first; n < full; n *= 2 {
		out = append(out, n)
	}
	return append(out, full)
}

// visit is the point as it was looked at, which begins here.
func (s *search) visit(p Point) *Visit {
	v := s.seen[p.key()]
	if v == nil {
		v = &Visit{Point: p, Known: *s.known[p.key()]}
		s.seen[p.key()] = v
		s.result.Visited = append(s.result.Visited, v)
	}
	return v
}

// run brings points to so many replications, those that are affordable in their order. It returns
// ErrBudget if that is not all of them.
func (s *search) run(points []Point, replications int) error {
	var asks []Ask
	var visits []*Visit
	spent := false
	for _, p := range points {
		had := 0
		if v := s.seen[p.key()]; v != nil {
			had = v.Replications
		}
		if had >= replications {
			continue
		}
		if !s.NeedsRuns {
			s.visit(p).Score.Verdict = Met
			continue
		}
		runs := (replications - had) * s.Cost
		if spent = s.result.Runs+runs > s.Budget; spent {
			break
		}
		s.result.Runs += runs
		asks, visits = append(asks, Ask{p, replications}), append(visits, s.visit(p))
	}
	if len(asks) > 0 {
		scores, err := s.Run(asks)
		if err != nil {
			return err
		}
		for i, v := range visits {
			v.Replications, v.Score = replications, scores[i]
		}
	}
	if spent {
		return ErrBudget
	}
	return nil
}

// race lets points race: stage by stage those that are left get more replications. Whatever is compared
// on the way counts as one statement, which holds with the confidence of one.
func (s *search) race(points []Point) error {
	s.comparisons = max(1, (len(points)-1)*len(Stages(s.First, s.Full)))
	for _, n := range Stages(s.First, s.Full) {
		if err := s.run(points, n); err != nil {
			return err
		}
		points = s.survivors(points)
	}
	return nil
}

// survivors are the points that may still be the best: no goal is missed for certain, and none that
// meets the goals is clearly better.
func (s *search) survivors(points []Point) []Point {
	var leader *Visit
	for _, p := range points {
		if v := s.seen[p.key()]; v.Score.Verdict == Met && (leader == nil || s.compare(v, leader) < 0) {
			leader = v
		}
	}
	var out []Point
	for _, p := range points {
		v := s.seen[p.key()]
		if v.Score.Verdict == Missed || leader != nil && v != leader && s.worse(v, leader) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// worse tells that a point is clearly worse than another one: its first objective that clearly differs
// is larger, pair by pair of replications.
func (s *search) worse(v, leader *Visit) bool {
	if s.Priced {
		return s.compare(v, leader) > 0
	}
	for i := range v.Known.Prices {
		d := stats.Interval{Mean: v.Price(i) - leader.Price(i)}
		if a, b := prices(leader, i), prices(v, i); a != nil && b != nil {
			n := min(len(a), len(b))
			d = stats.MeanAmong(stats.Differences(a[:n], b[:n]), s.comparisons)
		}
		switch {
		case d.Low() > 0:
			return true
		case d.High() < 0 || d.Mean != 0:
			return false
		}
	}
	return false
}

// prices are an objective in all replications, nil if it is known without them.
func prices(v *Visit, i int) []float64 {
	if i >= len(v.Score.Prices) {
		return nil
	}
	return v.Score.Prices[i]
}

// walk looks at the points in the order of the price, in batches, until one meets the goals. A batch is
// larger than the one before, so that points that are far up are reached in a few stages.
func (s *search) walk() error {
	points := slices.Clone(s.candidates)
	slices.SortFunc(points, s.compareKnown)
	for size := 4; len(points) > 0; size = min(2*size, 32) {
		n := min(size, len(points))
		if err := s.race(points[:n]); err != nil {
			return err
		}
		// One that led with few replications may have fallen back since.
		if s.best() == nil {
			if err := s.sensitivity(points[:n]); err != nil {
				return err
			}
		}
		if s.best() != nil {
			return nil
		}
		points = points[n:]
	}
	return nil
}

// maxMoves bounds how often a better neighbour takes the place of the best point.
const maxMoves = 20

// polish looks at the neighbours of the best point, and goes on from a better one.
func (s *search) polish() error {
	for range maxMoves {
		best := s.best()
		if best == nil || !s.NeedsRuns {
			return nil
		}
		around, err := s.around(best.Point, 1)
		if err != nil {
			return err
		}
		if err := s.sensitivity(around); err != nil {
			return err
		}
		if s.best() == best {
			return nil
		}
	}
	return nil
}

// sensitivity runs points in full, but for those that miss a goal for certain before.
func (s *search) sensitivity(points []Point) error {
	for _, n := range Stages(s.First, s.Full) {
		if err := s.run(points, n); err != nil {
			return err
		}
		points = slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return s.seen[p.key()].Score.Verdict == Missed })
	}
	return nil
}

package choose

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// size is how many points there are, at most math.MaxInt.
func (s *search) size() int {
	n := 1
	for _, size := range s.Sizes {
		if n > math.MaxInt/size {
			return math.MaxInt
		}
		n *= size
	}
	return n
}

// varied are the knobs with more than one value.
func (s *search) varied() []int {
	var out []int
	for i, size := range s.Sizes {
		if size > 1 {
			out = append(out, i)
		}
	}
	return out
}

// all lists the points, the last knob changing fastest.
func (s *search) all() []Point {
	out := make([]Point, s.size())
	for i := range out {
		p, rest := make(Point, len(s.Sizes)), i
		for k := len(s.Sizes) - 1; k >= 0; k-- {
			p[k] = rest % s.Sizes[k]
			rest /= s.Sizes[k]
		}
		out[i] = p
	}
	return out
}

// screen looks at all points without a run, if they are not too many.
func (s *search) screen() error {
	if s.result.Points > MaxScreened {
		return nil
	}
	points := s.all()
	if err := s.learn(points); err != nil {
		return err
	}
	s.result.Screened = len(points)
	refused, missed := &tally{}, &tally{}
	for _, p := range points {
		switch k := s.known[p.key()]; {
		case k.Invalid != "":
			refused.add(k.Invalid)
		case k.Missed != "":
			missed.add(k.Missed)
		default:
			s.candidates = append(s.candidates, p)
		}
	}
	s.result.Candidates = len(s.candidates)
	s.result.Refused, s.result.Missed = refused.list(), missed.list()
	return nil
}

// tally counts reasons. Those that differ in their numbers alone are one, for which the first one stands.
type tally struct {
	kinds   []string
	reasons []Refusal
}

// numberless is a reason without its numbers.
func numberless(why string) string {
	return strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, why)
}

func (t *tally) add(why string) {
	kind := numberless(why)
	at := slices.Index(t.kinds, kind)
	if at < 0 {
		at = len(t.kinds)
		t.kinds, t.reasons = append(t.kinds, kind), append(t.reasons, Refusal{Why: why})
	}
	t.reasons[at].Points++
}

// list lists the reasons, the most frequent first.
func (t *tally) list() []Refusal {
	slices.SortStableFunc(t.reasons, func(a, b Refusal) int { return cmp.Compare(b.Points, a.Points) })
	return t.reasons
}

// learn makes known what there is to know of points without a run.
func (s *search) learn(points []Point) error {
	var unknown []Point
	for _, p := range points {
		if s.known[p.key()] == nil {
			s.known[p.key()] = &Known{}
			unknown = append(unknown, p)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	known, err := s.Check(unknown)
	if err != nil {
		return err
	}
	for i, p := range unknown {
		*s.known[p.key()] = known[i]
	}
	return nil
}

// sound tells that nothing speaks against a point that is known.
func (s *search) sound(p Point) bool {
	k := s.known[p.key()]
	return k.Invalid == "" && k.Missed == ""
}

// around are the points a step away, knob by knob, the lower one first: those that nothing speaks
// against.
func (s *search) around(p Point, step int) ([]Point, error) {
	var all []Point
	for i := range p {
		for _, to := range []int{p[i] - step, p[i] + step} {
			if to >= 0 && to < s.Sizes[i] {
				n := slices.Clone(p)
				n[i] = to
				all = append(all, n)
			}
		}
	}
	err := s.learn(all)
	return slices.DeleteFunc(all, func(p Point) bool { return !s.sound(p) }), err
}

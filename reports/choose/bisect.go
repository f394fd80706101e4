package choose

import (
	"fmt"
	"slices"
)

// bisect searches one knob. Where one end of it meets the goals and the other does not, there is a
// boundary between them, and the cheapest point on the good side of it is the answer, if the goals
// are monotone in the knob. That is checked: the neighbours of the answer are looked at, and if they
// tell otherwise, the points are walked in the order of the price.
func (s *search) bisect() error {
	points := slices.Clone(s.candidates)
	slices.SortFunc(points, slices.Compare)
	cheapest := slices.MinFunc(points, s.compareKnown)
	low, high := points[0], points[len(points)-1]
	if err := s.sensitivity([]Point{cheapest}); err != nil || s.good(cheapest) {
		return err
	}
	if err := s.decide(low, high); err != nil {
		return err
	}
	if s.good(low) == s.good(high) {
		s.note("both ends of the knob do the same by the goals: the points were walked in the order of the price")
		return s.walk()
	}
	good, err := s.boundary(points)
	if err != nil {
		return err
	}
	answer := slices.MinFunc(good, s.compareKnown)
	if err := s.sensitivity([]Point{answer}); err != nil {
		return err
	}
	return s.monotone(points, answer)
}

// boundary halves the points until those that meet the goals are told from the others.
func (s *search) boundary(points []Point) (good []Point, err error) {
	rising := s.good(points[len(points)-1])
	from, to := 0, len(points)-1 // of different verdicts, always
	for to-from > 1 {
		middle := (from + to) / 2
		if err := s.decide(points[middle]); err != nil {
			return nil, err
		}
		if s.good(points[middle]) == rising {
			to = middle
		} else {
			from = middle
		}
	}
	if rising {
		return points[to:], nil
	}
	return points[:to], nil
}

// monotone looks at the neighbours of an answer: it has to meet the goals, and no cheaper neighbour may.
func (s *search) monotone(points []Point, answer Point) error {
	at := slices.IndexFunc(points, func(p Point) bool { return slices.Equal(p, answer) })
	sound := s.good(answer)
	for _, i := range []int{at - 1, at + 1} {
		if i < 0 || i >= len(points) {
			continue
		}
		if err := s.decide(points[i]); err != nil {
			return err
		}
		sound = sound && !(s.compareKnown(points[i], answer) < 0 && s.good(points[i]))
	}
	if sound {
		s.note("the goals change once along the knob, as far as it was looked at: the neighbours of the answer were")
		return nil
	}
	s.note("the goals are not monotone in the knob: the points were walked in the order of the price")
	return s.walk()
}

// decide runs points until it is clear whether they meet the goals, or in full.
func (s *search) decide(points ...Point) error {
	for _, n := range Stages(s.First, s.Full) {
		if err := s.run(points, n); err != nil {
			return err
		}
		points = slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return s.seen[p.key()].Score.Verdict != Unclear })
	}
	return nil
}

// good tells whether a point that was run meets the goals, as far as it was run.
func (s *search) good(p Point) bool {
	v := s.seen[p.key()]
	return v != nil && v.Score.Verdict == Met
}

// note adds a note.
func (s *search) note(format string, args ...any) {
	s.result.Notes = append(s.result.Notes, fmt.Sprintf(format, args...))
}

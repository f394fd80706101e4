package choose

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/optimize"
)

const (
	// evolveStream is the second half of the seed of CMA-ES.
	evolveStream = 0x636d612d6573
	// evolveStep is the first step, as a part of the range of a knob: three of them reach from the
	// middle to beyond the ends.
	evolveStep = 0.2
	// evolveStale is how many generations in a row may bring nothing that was not known.
	evolveStale = 5
	// evolveFinal is how many of the best points are run in full, at a time.
	evolveFinal = 4
	// evolveStarts is from how many points it is gone down before there is said to be no answer.
	evolveStarts = 3
	// apartStream is the second half of the seed of these points, and evolveDraws among how many each is the
	// furthest.
	apartStream = 0x6170617274
	evolveDraws = 64
)

// evolve lets CMA-ES choose the points, runs the best ones in full, and goes down from the best of
// them in smaller and smaller steps. Half of the budget is for CMA-ES.
func (s *search) evolve() error {
	g := &generation{search: s, knobs: s.varied(), limit: s.result.Runs + (s.Budget-s.result.Runs)/2}
	dimensions := len(g.knobs)
	g.size = 4 + int(3*math.Log(float64(dimensions))) // Hansen, table 1
	g.gather = sync.NewCond(&g.mu)
	start := make([]float64, dimensions)
	for i, k := range g.knobs {
		start[i] = 0.5
		if s.Start != nil {
			start[i] = float64(s.Start[k]) / float64(s.Sizes[k]-1)
		}
	}
	_, err := optimize.Minimize(
		optimize.Problem{Func: g.value, Status: g.status},
		start,
		&optimize.Settings{Concurrent: g.size, Converger: optimize.NeverTerminate{}},
		&optimize.CmaEsChol{InitStepSize: evolveStep, Population: g.size, Src: rand.NewPCG(s.Seed, evolveStream)},
	)
	switch {
	case g.err != nil && !errors.Is(g.err, ErrBudget):
		return g.err
	case err != nil && g.err == nil:
		s.note("CMA-ES ended: %v", err)
	}
	if err := s.finals(); err != nil {
		return err
	}
	if s.best() == nil {
		if err := s.approaches(); err != nil || s.best() == nil {
			return err
		}
	}
	return s.descend()
}

// approaches goes down to points that miss the goals by less: from the one that misses them by the least, and from
// some that lie apart. If all of that comes to an end without meeting the goals, there is no answer.
func (s *search) approaches() error {
	var been []*Visit
	src := rand.New(rand.NewPCG(s.Seed, apartStream))
	for range evolveStarts {
		start, err := s.apart(been, src)
		if err != nil {
			return err
		}
		end, err := s.approach(start)
		if err != nil || s.best() != nil {
			return err
		}
		been = append(been, start, end)
	}
	s.note("Going down from %d points that lie apart ended where all neighbours miss the goals by more. Not all points were looked at", evolveStarts)
	return nil
}

// apart is the point of those that were run that misses the goals by the least, or else one that is far from
// where the search has been: of some by chance the furthest, which is run.
func (s *search) apart(been []*Visit, src *rand.Rand) (*Visit, error) {
	var best *Visit
	if len(been) == 0 {
		for _, v := range s.result.Visited {
			if best == nil || v.Excess() < best.Excess() {
				best = v
			}
		}
		if best == nil {
			return nil, ErrBudget
		}
		return best, nil
	}
	points := make([]Point, evolveDraws)
	for i := range points {
		points[i] = make(Point, len(s.Sizes))
		for k, size := range s.Sizes {
			points[i][k] = src.IntN(size)
		}
	}
	if err := s.learn(points); err != nil {
		return nil, err
	}
	points = slices.DeleteFunc(points, func(p Point) bool { return !s.sound(p) })
	if len(points) == 0 {
		return nil, ErrBudget
	}
	far := slices.MaxFunc(points, func(a, b Point) int { return cmp.Compare(s.distanceTo(been, a), s.distanceTo(been, b)) })
	if err := s.sensitivity([]Point{far}); err != nil {
		return nil, err
	}
	return s.seen[far.key()], nil
}

// distanceTo is how far a point is from the nearest of some others.
func (s *search) distanceTo(others []*Visit, p Point) float64 {
	least := math.Inf(1)
	for _, o := range others {
		least = math.Min(least, s.distance(p, o.Point))
	}
	return least
}

// distance is how far two points are from each other, with the knobs as parts of their ranges.
func (s *search) distance(a, b Point) float64 {
	sum := 0.0
	for _, k := range s.varied() {
		sum += math.Abs(float64(a[k]-b[k])) / float64(s.Sizes[k]-1)
	}
	return sum
}

// approach goes from a point to ones that miss the goals by less, in steps of a quarter of the values, of an
// eighth and so on, until one meets them or all around miss them by more. It returns where it ended.
func (s *search) approach(at *Visit) (*Visit, error) {
	for step := max(2, slices.Max(s.Sizes)/4); ; {
		points, err := s.around(at.Point, step)
		if step == 1 {
			points, err = s.rim(at.Excess())
		}
		if err != nil {
			return at, err
		}
		if err := s.sensitivity(points); err != nil || s.best() != nil {
			return at, err
		}
		next := at
		for _, p := range points {
			if v := s.seen[p.key()]; v.Excess() < next.Excess() {
				next = v
			}
		}
		switch {
		case next != at:
			at = next
		case step > 1:
			step /= 2
		case len(points) == 0:
			return at, nil
		}
	}
}

// rim are the neighbours that were not run of the points that miss the goals by so much: where knobs do
// nothing for a while, many do by the same.
func (s *search) rim(excess float64) ([]Point, error) {
	var out []Point
	for _, v := range s.result.Visited {
		if v.Excess() != excess {
			continue
		}
		around, err := s.around(v.Point, 1)
		if err != nil {
			return nil, err
		}
		for _, p := range around {
			if s.seen[p.key()] == nil {
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, slices.Compare)
	return slices.CompactFunc(out, slices.Equal), nil
}

// descend looks around the best point in steps of a quarter of the values, of an eighth and so on, and goes
// on from each point that is better. One step of one value is what polish does.
func (s *search) descend() error {
	for step := slices.Max(s.Sizes) / 4; step > 1; {
		best := s.best()
		around, err := s.around(best.Point, step)
		if err != nil {
			return err
		}
		if s.Priced { // only what is cheaper can be better
			around = slices.DeleteFunc(around, func(p Point) bool { return s.compareKnown(p, best.Point) >= 0 })
		}
		if err := s.sensitivity(around); err != nil {
			return err
		}
		if s.best() == best {
			step /= 2
		}
	}
	return nil
}

// finals runs the best points in full, a few at a time, until one meets the goals.
func (s *search) finals() error {
	visits := slices.Clone(s.result.Visited)
	slices.SortStableFunc(visits, func(a, b *Visit) int {
		x, y := s.height(a.Point), s.height(b.Point)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return s.closer(a.Point, b.Point)
	})
	for len(visits) > 0 && s.best() == nil {
		n := min(evolveFinal, len(visits))
		var points []Point
		for _, v := range visits[:n] {
			if v.Score.Verdict != Missed {
				points = append(points, v.Point)
			}
		}
		if err := s.sensitivity(points); err != nil {
			return err
		}
		visits = visits[n:]
	}
	return nil
}

// generation is a generation of CMA-ES. Its points come one by one, and are run together as soon as all
// are there, so that it does not matter in which order they come.
type generation struct {
	*search
	knobs []int
	size  int
	// limit is how many runs there may be in all.
	limit int

	mu     sync.Mutex
	gather *sync.Cond
	// number counts the generations, and points are those of the one that gathers.
	number int
	points []Point
	stale  int
	done   bool
	err    error
}

// value is the height of the point that is nearest to x, once all of its generation are known.
func (g *generation) value(x []float64) float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.point(x)
	g.points = append(g.points, p)
	mine := g.number
	if len(g.points) < g.size {
		for g.number == mine {
			g.gather.Wait()
		}
	} else {
		g.run()
		g.number, g.points = g.number+1, nil
		g.gather.Broadcast()
	}
	return g.height(p) + g.outside(x)
}

// status ends the search between two generations.
func (g *generation) status() (optimize.Status, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.done {
		return optimize.MethodConverge, nil
	}
	return optimize.NotTerminated, nil
}

// point is the point of the lattice that is nearest.
func (g *generation) point(x []float64) Point {
	p := make(Point, len(g.Sizes))
	for i, k := range g.knobs {
		last := g.Sizes[k] - 1
		p[k] = max(0, min(last, int(math.Round(x[i]*float64(last)))))
	}
	return p
}

// outside is how far x is outside of the lattice: it keeps the search from wandering off.
func (g *generation) outside(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += max(0, -v, v-1)
	}
	return sum
}

// run runs the points of a generation that are not known yet, in the order of the lattice.
func (g *generation) run() {
	if g.done {
		return
	}
	points := slices.Clone(g.points)
	slices.SortFunc(points, slices.Compare)
	points = slices.CompactFunc(points, slices.Equal)
	before := len(g.known)
	if g.err = g.learn(points); g.err != nil {
		g.done = true
		return
	}
	var open []Point
	for _, p := range points {
		if g.sound(p) && g.seen[p.key()] == nil && g.result.Runs+(len(open)+1)*g.First*g.Cost <= g.limit {
			open = append(open, p)
		}
	}
	g.stale++
	if len(g.known) > before {
		g.stale = 0
	}
	if len(open) > 0 {
		g.err = g.search.run(open, g.First)
	}
	g.done = g.err != nil || g.stale >= evolveStale || len(g.known) > MaxScreened || g.result.Runs+g.First*g.Cost > g.limit
}

// The heights of points: those that meet the goals lie between 0 and 1, by their first objective; those
// that miss them above, by how much; then those that nothing is known of.
const (
	missedHeight  = 1.0
	unknownHeight = 1e7
	invalidHeight = 2e7
)

// height is what CMA-ES minimizes. It looks at the order of heights alone.
func (s *search) height(p Point) float64 {
	k := s.known[p.key()]
	v := s.seen[p.key()]
	switch {
	case k == nil || k.Invalid != "":
		return invalidHeight
	case k.Missed != "" || v == nil:
		return unknownHeight
	case v.Score.Verdict != Met && v.Excess() > 0:
		return missedHeight + math.Min(v.Excess(), 1e6)
	}
	return 0.5 + math.Atan(v.Price(0))/math.Pi
}

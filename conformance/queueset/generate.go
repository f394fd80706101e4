package queueset

import (
	"cmp"
	"math/rand/v2"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// Generator draws the operations of one sequence. It looks at what is present, so
// that most operations find a request to act on.
type Generator struct {
	rand    *rand.Rand
	profile *profile
	hashes  []uint64
	// narrow is set if all requests are alike, so that ties abound.
	narrow *fairqueue.Estimate
	mood   mood
	pace   pace
	left   int // operations until mood and pace change
}

// NewGenerator draws the style of a sequence from its seed, and its beginning.
func NewGenerator(seed uint64) (*Generator, *Sequence) {
	r := rand.New(rand.NewPCG(seed, 0x61706673696d))
	total := 0
	for i := range profiles {
		total += profiles[i].weight
	}
	n := r.IntN(total)
	p := &profiles[0]
	for i := range profiles {
		if p = &profiles[i]; n < p.weight {
			break
		}
		n -= p.weight
	}
	g := &Generator{rand: r, profile: p}
	for range 1 + r.IntN(p.flows) {
		g.hashes = append(g.hashes, r.Uint64())
	}
	if r.IntN(4) == 0 {
		e := p.estimate(r)
		g.narrow = &e
	}
	return g, &Sequence{Seed: seed, Profile: p.name, Config: p.config(r), Limit: p.concurrency(r)}
}

// Length is how many operations the sequence should have.
func (g *Generator) Length() int { return g.profile.length }

// Next draws the next operation for a run in its present state.
func (g *Generator) Next(run *Runner) Operation {
	if g.left == 0 {
		g.left = 1 + g.rand.IntN(cmp.Or(g.profile.patience, 100))
		g.mood = g.profile.moods[g.rand.IntN(len(g.profile.moods))]
		g.pace = g.profile.paces[g.rand.IntN(len(g.profile.paces))]
	}
	g.left--
	o := Operation{Kind: g.kind(run), After: g.after(run), Pick: g.rand.Uint32()}
	switch o.Kind {
	case Arrive:
		o.Hash = g.hashes[g.rand.IntN(len(g.hashes))]
		o.Estimate = g.profile.estimate(g.rand)
		if g.narrow != nil {
			o.Estimate = *g.narrow
		}
	case Finish:
		o.Pick = g.which(len(run.executing))
	case SetLimit:
		o.Limit = g.limit(run)
	case Configure:
		o.Config, o.Limit = g.config(run), g.limit(run)
	}
	return o
}

// kind draws from the mood among the kinds that have something to act on.
func (g *Generator) kind(run *Runner) Kind {
	weights := g.mood
	if len(run.executing) == 0 {
		weights[Finish] = 0
	}
	if len(run.lingering) == 0 {
		weights[Release] = 0
	}
	if len(run.waiting) == 0 {
		weights[Expire] = 0
	}
	total := 0
	for _, w := range weights {
		total += w
	}
	n := g.rand.IntN(total)
	for kind, w := range weights {
		if n < w {
			return Kind(kind)
		}
		n -= w
	}
	panic("queueset: no kind drawn")
}

// after draws the time that passes. Sometimes it ends exactly when seats stop
// lingering, so that two things fall together.
func (g *Generator) after(run *Runner) time.Duration {
	if len(run.lingering) > 0 && g.rand.IntN(12) == 0 {
		next := run.nextRelease(0)
		if d := next.freeAt - run.now; d < time.Hour {
			return max(0, d)
		}
	}
	return g.pace(g.rand)
}

// which picks the oldest, the newest, or any.
func (g *Generator) which(n int) uint32 {
	switch g.rand.IntN(4) {
	case 0:
		return uint32(n) - 1
	case 1:
		return g.rand.Uint32()
	default:
		return 0
	}
}

// limit draws a new limit: any, the same, or one beside the present number of seats.
func (g *Generator) limit(run *Runner) int {
	switch g.rand.IntN(4) {
	case 0:
		return run.after.Limit
	case 1:
		return max(0, run.after.SeatsInUse+g.rand.IntN(3)-1)
	default:
		return g.profile.concurrency(g.rand)
	}
}

// config draws a new configuration: another one, or the present one changed in one
// parameter.
func (g *Generator) config(run *Runner) fairqueue.Config {
	c := run.cfg
	if c.Queues < 1 || g.rand.IntN(2) == 0 {
		return g.profile.config(g.rand)
	}
	switch g.rand.IntN(3) {
	case 0:
		c.HandSize = g.profile.handSize(g.rand, c.Queues)
	case 1:
		c.QueueLengthLimit = 1 + g.rand.IntN(g.profile.lengthLimit)
	default:
		c.Queues = max(1, c.Queues+g.rand.IntN(5)-2)
		c.HandSize = min(c.HandSize, largestHand(c.Queues))
	}
	return c
}

package balance

import (
	"math/bits"
	"slices"

	"github.com/apfsim/apfsim/workload"
)

// Chooser chooses servers by one policy, all of them or a subset. A balancer has one; a
// gateway may have more, one for each rule, on the same balancer.
type Chooser struct {
	policy Policy
	// subset is what may be chosen, nil for all.
	subset []int
	// cursor is the first server of the next round robin.
	cursor int32
	// candidates are those of the subset that are in rotation, as of a version of it.
	candidates []int32
	version    uint64
}

// NewChooser returns a chooser among some servers, by index; nil means all.
func NewChooser(policy Policy, servers []int) Chooser {
	return Chooser{policy: policy, subset: servers}
}

// among returns who may be chosen now. The list is worked out anew only if the rotation has
// changed.
func (c *Chooser) among(h *health) []int32 {
	if c.subset == nil {
		return h.rotation // nothing to work out, and nothing to keep
	}
	if c.version != h.version {
		c.version = h.version
		c.candidates = c.candidates[:0]
		for _, s := range h.rotation {
			if slices.Contains(c.subset, int(s)) {
				c.candidates = append(c.candidates, s)
			}
		}
	}
	return c.candidates
}

// choose returns a server, or false if none is in rotation. loads are those of all servers.
func (c *Chooser) choose(h *health, loads []int32, random *workload.Stream) (int32, bool) {
	candidates := c.among(h)
	if len(candidates) == 0 {
		return none, false
	}
	switch c.policy {
	case RoundRobin:
		return c.inTurn(candidates), true
	case LeastRequests:
		return leastOf(candidates, loads), true
	case TwoChoices:
		first, second := draw(candidates, random), draw(candidates, random)
		if loads[second] < loads[first] {
			return second, true
		}
		return first, true
	}
	return draw(candidates, random), true
}

// The cursor is a server and not a place in the list of candidates, so that a server which
// leaves the rotation or comes back does not make the others lose their turn.

// inTurn returns the first candidate from the cursor on, round the end.
func (c *Chooser) inTurn(candidates []int32) int32 {
	chosen := candidates[0]
	for _, s := range candidates {
		if s >= c.cursor {
			chosen = s
			break
		}
	}
	c.cursor = chosen + 1
	return chosen
}

// leastOf returns the candidate with the least load, the first of several.
func leastOf(candidates []int32, loads []int32) int32 {
	least := candidates[0]
	for _, s := range candidates[1:] {
		if loads[s] < loads[least] {
			least = s
		}
	}
	return least
}

// draw returns one candidate, each with the same chance to within n / 2^64. It takes one
// number from the stream.
func draw(candidates []int32, random *workload.Stream) int32 {
	i, _ := bits.Mul64(random.Uint64(), uint64(len(candidates)))
	return candidates[i]
}

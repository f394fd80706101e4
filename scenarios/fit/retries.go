package fit

import (
	"hash/fnv"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// policy is how clients send again what was rejected.
type policy int

const (
	// clientGo waits as Retry-After says: whole seconds.
	clientGo policy = iota
	// immediate waits for nothing.
	immediate
	policies
	// noRetry gives up.
	noRetry policy = -1
)

// String is the name that scenarios have for the policy.
func (p policy) String() string { return [...]string{"client-go", "immediate"}[p] }

const (
	// retryAfterMax is the longest that a server says, in seconds.
	retryAfterMax = 32
	// slack is how much later than it should a retry may come.
	slack = 20 * time.Millisecond
	// early is how much earlier it may seem to come, by the rounding of records.
	early = time.Millisecond
	// rejectedMax is how many rejected requests are remembered, and alikeMax how many for the same.
	rejectedMax = 1 << 16
	alikeMax    = 1 << 12
)

// rejection is a rejected request that may come again.
type rejection struct {
	what uint64
	end  int64
}

// rejections are those of late, in the order in which they were learned of.
type rejections struct {
	alike map[uint64]*alike
	line  []rejection
}

// alike are the ends of rejected requests for the same, in rising order: all of them, and by
// policy those that no retry has been found for.
type alike struct {
	ends []int64
	open [policies][]int64
}

// note remembers a rejected request.
func (q *rejections) note(what uint64, end int64) {
	if q.alike == nil {
		q.alike = map[uint64]*alike{}
	}
	if len(q.line) >= rejectedMax {
		q.drop()
	}
	a := q.alike[what]
	if a == nil {
		a = &alike{}
		q.alike[what] = a
	}
	if len(a.ends) >= alikeMax {
		return // nothing can be told of so many
	}
	a.ends = insert(a.ends, end)
	for p := range a.open {
		a.open[p] = insert(a.open[p], end)
	}
	q.line = append(q.line, rejection{what, end})
}

func insert(sorted []int64, v int64) []int64 {
	i, _ := slices.BinarySearch(sorted, v)
	return slices.Insert(sorted, i, v)
}

func remove(sorted []int64, v int64) []int64 {
	if i, found := slices.BinarySearch(sorted, v); found {
		return slices.Delete(sorted, i, i+1)
	}
	return sorted
}

// forget drops what nobody will send again.
func (q *rejections) forget(now int64) {
	for len(q.line) > 0 && q.line[0].end < now-int64((retryAfterMax+1)*time.Second) {
		q.drop()
	}
}

// drop drops the oldest.
func (q *rejections) drop() {
	old := q.line[0]
	q.line = q.line[1:]
	a := q.alike[old.what]
	a.ends = remove(a.ends, old.end)
	for p := range a.open {
		a.open[p] = remove(a.open[p], old.end)
	}
	if len(a.ends) == 0 {
		delete(q.alike, old.what)
	}
}

// signs are what an arrival tells of retries by one policy.
type signs struct {
	// folded tells whether it can be the retry of a rejected request that has none yet.
	folded bool
	// near counts the rejected requests that it comes as long after as a retry would, and beside those
	// that it comes half a second, or the slack, later: as often by chance.
	near, beside int64
}

// match tells what an arrival is by each policy.
func (q *rejections) match(what uint64, at int64) (out [policies]signs) {
	a := q.alike[what]
	if a == nil {
		return out
	}
	window := func(ends []int64, delay time.Duration) (from, until int) {
		from, _ = slices.BinarySearch(ends, at-int64(delay+slack))
		until, _ = slices.BinarySearch(ends, at-int64(delay-early))
		return from, until
	}
	look := func(p policy, delay, beside time.Duration) {
		s := &out[p]
		from, until := window(a.ends, delay)
		s.near += int64(until - from)
		from, until = window(a.ends, beside)
		s.beside += int64(until - from)
		if s.folded {
			return
		}
		if from, until = window(a.open[p], delay); from < until {
			s.folded = true
			a.open[p] = slices.Delete(a.open[p], from, from+1)
		}
	}
	look(immediate, 0, slack+early)
	for after := time.Second; after <= retryAfterMax*time.Second; after += time.Second {
		look(clientGo, after, after+time.Second/2)
	}
	return out
}

// whatOf is the hash of what a request asks for, and who.
func whatOf(r *recording.Request) uint64 {
	h := fnv.New64a()
	for _, s := range [...]string{
		r.User, r.Verb, r.APIGroup, r.Resource, r.Subresource, r.Namespace, r.Name, r.Path, r.Options.Continue, r.Options.FieldSelector,
	} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// tally sums signs.
type tally struct{ folded, near, beside int64 }

func (t *tally) add(s signs) {
	if s.folded {
		t.folded++
	}
	t.near += s.near
	t.beside += s.beside
}

// policyOf tells how a population sends again what was rejected: by the policy by which a quarter of
// it was sent again at least, more often than by chance. Where a user sends the same so often that
// something follows each rejection at any time, chance cannot be told.
func policyOf(rejected int64, by *[policies]tally) policy {
	best, found := 0.0, noRetry
	for p := range policies {
		t := &by[p]
		more := float64(t.near - t.beside)
		chance := t.near < 2*t.beside || more < 3*math.Sqrt(float64(t.near+t.beside))
		if more < 0.25*float64(rejected) || chance {
			continue
		}
		if more > best {
			best, found = more, p
		}
	}
	return found
}

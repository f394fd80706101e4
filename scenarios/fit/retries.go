package fit

import (
	"hash/fnv"
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
)

// String is the name that scenarios have for the policy.
func (p policy) String() string { return [...]string{"client-go", "immediate"}[p] }

const (
	// retryAfterMax is the longest that a server says, in seconds.
	retryAfterMax = 32
	// slack is how much later than it should a retry may come.
	slack = 50 * time.Millisecond
	// early is how much earlier it may seem to come, by the rounding of records.
	early = time.Millisecond
	// rejectedMax is how many rejected requests are remembered.
	rejectedMax = 1 << 16
)

// rejection is a rejected request that may come again.
type rejection struct {
	what uint64
	end  int64
}

// rejections are those of late, by what was asked for, and in the order of their arrivals.
type rejections struct {
	ends map[uint64][]int64
	line []rejection
}

// note remembers a rejected request.
func (q *rejections) note(what uint64, end int64) {
	if q.ends == nil {
		q.ends = map[uint64][]int64{}
	}
	if len(q.line) >= rejectedMax {
		q.drop()
	}
	q.ends[what] = append(q.ends[what], end)
	q.line = append(q.line, rejection{what, end})
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
	q.remove(old.what, old.end)
}

func (q *rejections) remove(what uint64, end int64) {
	ends := q.ends[what]
	for i, e := range ends {
		if e != end {
			continue
		}
		if len(ends) == 1 {
			delete(q.ends, what)
			return
		}
		q.ends[what] = append(ends[:i], ends[i+1:]...)
		return
	}
}

// match tells which rejected request an arrival may be the retry of, and by which policy. strays
// tells for which policies it came as near to being one as chance alone makes it as often: half
// a second beside.
func (q *rejections) match(what uint64, at int64) (end int64, by policy, found bool, strays [policies]bool) {
	for _, e := range q.ends[what] {
		d := time.Duration(at - e)
		switch {
		case onTheSecond(d):
			q.remove(what, e)
			return e, clientGo, true, strays
		case -early <= d && d < slack:
			q.remove(what, e)
			return e, immediate, true, strays
		case onTheSecond(d + time.Second/2):
			strays[clientGo] = true
		case slack <= d && d < 2*slack+early:
			strays[immediate] = true
		}
	}
	return 0, 0, false, strays
}

// onTheSecond tells whether a delay is what Retry-After can have said.
func onTheSecond(d time.Duration) bool {
	d += early
	return d >= time.Second && d < retryAfterMax*time.Second+slack && d%time.Second < slack+early
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

// policyOf tells how a population sends again what was rejected: by the policy that most of the
// rejected requests were sent again by, if that is no chance. again counts those of each policy.
func policyOf(rejected int64, again, strays [policies]int64) (by policy, retries bool) {
	best := int64(0)
	for p := range policies {
		if n := again[p] - strays[p]; n > best {
			best, by = n, p
		}
	}
	return by, best > 0 && 4*best >= rejected && again[by] >= 2*strays[by]
}

package recording

import (
	"math"
	"slices"
	"time"
)

// Silence is how long a server has to show no sign of life before it is thought of as having been
// away: nothing arrives, and nothing is executing that ends later. A server that starts again needs
// longer than that.
const Silence = 3 * time.Second

// spansMax bounds the memory of Lives, for each server.
const spansMax = 1 << 14

// Lives knows when servers showed signs of life. The zero value is ready.
type Lives struct {
	servers map[int32]*spans
}

// spans are times in which a server has lived, ascending, with more than silence between them.
type spans struct {
	silence int64
	list    []span
	// latest is the one that was used last, which is the one that is needed next in almost all logs.
	latest int
}

type span struct{ begin, end int64 }

// Add notes that a server was alive from one time to another, in nanoseconds since 1970.
func (l *Lives) Add(server int32, begin, end int64) {
	s := l.servers[server]
	if s == nil {
		if l.servers == nil {
			l.servers = map[int32]*spans{}
		}
		s = &spans{silence: int64(Silence)}
		l.servers[server] = s
	}
	s.add(span{begin, end})
}

func (s *spans) add(n span) {
	if s.latest < len(s.list) && s.list[s.latest].begin <= n.begin && n.end <= s.list[s.latest].end {
		return
	}
	// Those from first on do not end before n, and those from after on begin after it.
	first := s.search(n.begin - s.silence)
	after := first
	for after < len(s.list) && s.list[after].begin <= n.end+s.silence {
		n.begin, n.end = min(n.begin, s.list[after].begin), max(n.end, s.list[after].end)
		after++
	}
	s.list = slices.Replace(s.list, first, after, n)
	s.latest = first
	for len(s.list) > spansMax {
		s.coarsen()
	}
}

// search returns the first span that ends at a time or later.
func (s *spans) search(at int64) int {
	i, _ := slices.BinarySearchFunc(s.list, at, func(e span, at int64) int {
		if e.end < at {
			return -1
		}
		return 1
	})
	return i
}

// coarsen asks for silences that are twice as long, so that there are fewer of them.
func (s *spans) coarsen() {
	s.silence *= 2
	kept := s.list[:1]
	for _, e := range s.list[1:] {
		if last := &kept[len(kept)-1]; e.begin-last.end <= s.silence {
			last.end = max(last.end, e.end)
		} else {
			kept = append(kept, e)
		}
	}
	s.list, s.latest = kept, 0
}

// Never is a time that does not come.
const Never = math.MaxInt64

// After returns when a server showed its last sign of life before the first silence that follows a
// time, and its first one after that silence, Never if it is silent to the end.
func (l *Lives) After(server int32, at int64) (last, next int64) {
	s := l.servers[server]
	if s == nil {
		return at, Never
	}
	i := s.search(at)
	if i == len(s.list) {
		return at, Never
	}
	if i+1 == len(s.list) {
		return s.list[i].end, Never
	}
	return s.list[i].end, s.list[i+1].begin
}

// ordinaryFrom is how often a server has to be silent for so long until that is nothing out of the ordinary:
// more often than servers stop within a record.
const ordinaryFrom = 50

// Ordinary tells whether a server is silent for half as long, or longer, so often that a silence says nothing:
// where few ask, a server may be silent all night, and what has no end makes one silence of two.
func (l *Lives) Ordinary(server int32, silence int64) bool {
	s := l.servers[server]
	if s == nil {
		return false
	}
	n := 0
	for i := 1; i < len(s.list) && n < ordinaryFrom; i++ {
		if s.list[i].begin-s.list[i-1].end >= silence/2 {
			n++
		}
	}
	return n >= ordinaryFrom
}

// Stop is a silence of a server at whose beginning requests were in flight that have no end: the
// server stopped, or a part of its log is missing.
type Stop struct {
	// Server is its number, -1 for the only one. Last and Next are its last sign of life before and
	// the first one after, in nanoseconds since 1970; Next may be Never.
	Server     int32
	Last, Next int64
	// Lost counts the requests.
	Lost int64
}

// Stop counts a request that was in flight when a server fell silent.
func (a *Account) Stop(server int32, last, next int64) {
	i := slices.IndexFunc(a.Stops, func(s Stop) bool { return s.Server == server && s.Last == last })
	if i < 0 {
		i = len(a.Stops)
		a.Stops = append(a.Stops, Stop{Server: server, Last: last, Next: next})
	}
	a.Stops[i].Lost++
}

package calibration

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// Kind is what a subject is.
type Kind uint8

// The kinds of subjects, in the order in which they are shown.
const (
	OfLevel Kind = iota
	OfSchema
	OfUsers
	OfServer
	// usersAtLevel are users at a level, which only reasons look at.
	usersAtLevel
)

// String is the kind in words.
func (k Kind) String() string {
	return [...]string{"priority level", "flow schema", "users", "server", "users at a level"}[k]
}

// Subject is what figures are of: a priority level, what a flow schema sends to a level, users that
// are called alike, or a server.
type Subject struct {
	Kind Kind
	Name string
	// Level is that of a flow schema.
	Level string
}

// Why is why a request was rejected, as far as the record tells.
type Why uint8

// The reasons, as metrics have them, and the two that a record of single requests can tell
// apart: a rejection on arrival, and one after a wait in a queue.
const (
	QueueFull Why = iota
	ConcurrencyLimit
	TimeOut
	Cancelled
	AtOnce
	AfterWait
	whys
)

// String is the reason as a figure has it.
func (w Why) String() string {
	return [...]string{"queue-full", "concurrency-limit", "time-out", "cancelled", "at once", "after a wait"}[w]
}

// Span is a piece of time, since the start of the run.
type Span struct{ From, Until time.Duration }

// seconds is how long it is.
func (s Span) seconds() float64 { return (s.Until - s.From).Seconds() }

// Sum is what became of the requests of a subject in a span.
type Sum struct {
	Arrivals, Executed int64
	Rejected           [whys]int64
	// Wait and Execution are in seconds; nil is none. Alone is the execution as it was, whatever a
	// record tells of it; only simulations have it.
	Wait, Execution, Alone *recording.ObservedHistogram
	// GaveUp is how long those waited that were rejected after a wait, if that is told.
	GaveUp *recording.ObservedHistogram
	// SeatSeconds are those in use, without what lingers.
	SeatSeconds float64
	// All and Clean are the logarithms of executions, of users: of all requests, and of those that are
	// known to have waited for so long that nothing of the wait is in the execution.
	All, Clean Logs
}

// Logs are the logarithms of some times.
type Logs struct {
	N            int64
	Sum, Squares float64
}

// add adds the logarithm of a time.
func (l *Logs) add(d time.Duration) {
	x := math.Log(max(d.Seconds(), 1e-7))
	l.N++
	l.Sum += x
	l.Squares += float64(x * x)
}

// join adds those of somebody else.
func (l *Logs) join(o Logs) {
	l.N += o.N
	l.Sum += o.Sum
	l.Squares += o.Squares
}

// mean is their mean.
func (l *Logs) mean() float64 { return l.Sum / float64(l.N) }

// uncertainty is the variance of the mean.
func (l *Logs) uncertainty() float64 {
	n := float64(l.N)
	return max(l.Squares-float64(l.Sum*l.mean()), 0) / max(float64(n*(n-1)), 1)
}

// rejections are all of them.
func (s *Sum) rejections() int64 {
	n := int64(0)
	for _, r := range s.Rejected {
		n += r
	}
	return n
}

// add adds another sum.
func (s *Sum) add(o *Sum) {
	s.Arrivals += o.Arrivals
	s.Executed += o.Executed
	for i, n := range o.Rejected {
		s.Rejected[i] += n
	}
	s.Wait, s.Execution, s.Alone = plus(s.Wait, o.Wait), plus(s.Execution, o.Execution), plus(s.Alone, o.Alone)
	s.GaveUp = plus(s.GaveUp, o.GaveUp)
	s.SeatSeconds += o.SeatSeconds
	s.All.join(o.All)
	s.Clean.join(o.Clean)
}

// Told is of which requests a record tells how long they waited.
type Told uint8

// All requests, those that took more than SlowRequest, and none.
const (
	ToldAll Told = iota
	ToldSlow
	ToldNone
)

// SlowRequest is from when on the server annotates audit events with latencies: those of requests
// that took longer.
const SlowRequest = 500 * time.Millisecond

// Side is what was recorded, or what one replication has done.
type Side struct {
	// Spans are in the order of time.
	Spans []Span
	// Nominal are the nominal limits of levels, Least what they keep when all is lent, and Seats
	// those of all servers; of a record if it tells them.
	Nominal, Least map[string]int
	Seats          int
	// Servers is their number. Schemas are the names of the FlowSchemas that they have, of a
	// simulation.
	Servers int
	Schemas map[string]bool
	// Longest is the longest wait of a request of each level, in seconds, and WaitLimit the longest
	// that any could be.
	Longest   map[string]float64
	WaitLimit time.Duration
	sums      map[Subject][]Sum
}

// newSide makes an empty one.
func newSide(spans []Span) *Side {
	return &Side{
		Spans: spans, Nominal: map[string]int{}, Least: map[string]int{}, Longest: map[string]float64{}, sums: map[Subject][]Sum{},
	}
}

// of returns the sums of a subject, one for each span, which may be new.
func (s *Side) of(subject Subject) []Sum {
	sums := s.sums[subject]
	if sums == nil {
		sums = make([]Sum, len(s.Spans))
		s.sums[subject] = sums
	}
	return sums
}

// in returns the sum of a subject in a span; it is empty if there is nothing.
func (s *Side) in(subject Subject, span int) Sum {
	if sums := s.sums[subject]; sums != nil {
		return sums[span]
	}
	return Sum{}
}

// whole returns the sum over all spans.
func (s *Side) whole(subject Subject) Sum {
	var all Sum
	for i := range s.sums[subject] {
		all.add(&s.sums[subject][i])
	}
	return all
}

// span finds the span that a time lies in, -1 if there is none.
func (s *Side) span(at time.Duration) int {
	i, found := slices.BinarySearchFunc(s.Spans, at, func(p Span, at time.Duration) int { return cmp.Compare(p.From, at) })
	if !found {
		i--
	}
	if i < 0 || at >= s.Spans[i].Until {
		return -1
	}
	return i
}

// occupy spreads seats that are held from one time to another over the spans.
func (s *Side) occupy(sums []Sum, from, until time.Duration, seats int) {
	i := max(s.span(from), 0)
	for ; i < len(s.Spans) && s.Spans[i].From < until; i++ {
		p := s.Spans[i]
		if held := min(p.Until, until) - max(p.From, from); held > 0 {
			sums[i].SeatSeconds += float64(held.Seconds() * float64(seats))
		}
	}
}

// subjects lists what any of the sides tells of, in the order in which it is shown.
func subjects(sides ...*Side) []Subject {
	known := map[Subject]bool{}
	var out []Subject
	for _, s := range sides {
		// Any order: they are sorted below.
		for subject := range s.sums {
			if !known[subject] {
				known[subject] = true
				out = append(out, subject)
			}
		}
	}
	slices.SortFunc(out, func(a, b Subject) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Spans divides a time into so many parts.
func Spans(from, until time.Duration, parts int) []Span {
	out := make([]Span, parts)
	for i := range out {
		out[i] = Span{from + (until-from)*time.Duration(i)/time.Duration(parts), from + (until-from)*time.Duration(i+1)/time.Duration(parts)}
	}
	return out
}

// Know takes over what another side knows of the servers.
func (s *Side) Know(of *Side) {
	s.Nominal, s.Least, s.Seats, s.Servers, s.Schemas, s.WaitLimit = of.Nominal, of.Least, of.Seats, of.Servers, of.Schemas, of.WaitLimit
}

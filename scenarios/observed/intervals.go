package observed

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/apfsim/apfsim/workload/recording"
)

// What an account notes of intervals.
const (
	noteReset   = "intervals in which the server started again: what it had counted before, since the scrape, is lost"
	noteNoAge   = "scrapes that tell neither their time nor the age of the server"
	noteFlat    = "intervals between scrapes of the same time, left out"
	noteOverdue = "intervals whose length was taken from how long the server's histograms over time went on"
)

// Observe makes intervals of what was read, for each API server. every is the time between
// scrapes that do not tell theirs, 0 if it is not known; then it is taken from the server's own
// histograms over time. The last snapshots are for Fit.
func (r *Reader) Observe(every time.Duration) (*Observation, []string) {
	out := &Observation{Observed: recording.Observed{
		APIVersion: "apfsim.dev/v1alpha1", Kind: recording.ObservedKind, Source: "metrics",
	}}
	var problems []string
	for _, name := range r.Instances() {
		i := r.instances[name]
		o := observer{account: &r.Account, every: every}
		s, problem := o.server(i)
		if problem != "" {
			problems = append(problems, problem)
			continue
		}
		s.Name = name
		out.Servers = append(out.Servers, s)
		out.last = append(out.last, o.last)
		out.first = append(out.first, o.first)
		if out.Start == 0 || o.start < out.Start {
			out.Start = o.start
		}
	}
	return out, problems
}

// Observation is what was observed, and what the servers told last.
type Observation struct {
	recording.Observed
	first, last []*snapshot
}

// observer makes intervals of the scrapes of one server.
type observer struct {
	account *recording.Account
	every   time.Duration
	start   int64
	// clock is the end of the interval before, since the start.
	clock       recording.Moment
	first, last *snapshot
}

// server makes the intervals of an instance. One scrape is an interval from the start of the
// server; of several the first is a beginning only, unless the server had just started.
func (o *observer) server(i *instance) (out recording.ObservedServer, problem string) {
	scrapes := i.ordered()
	o.first, o.last = &scrapes[0].counters, &scrapes[len(scrapes)-1].counters
	if len(scrapes) == 1 {
		age := o.age(scrapes[0])
		if age <= 0 {
			return out, "of a single scrape the age of the server has to be known"
		}
		o.start = startOf(scrapes[0], age)
		o.first = &snapshot{}
		out.Intervals = append(out.Intervals, o.interval(&snapshot{}, o.last, age))
		return out, ""
	}
	if scrapes[0].at > 1e15 {
		o.start = scrapes[0].at
	}
	for n := 1; n < len(scrapes); n++ {
		length, known := o.length(scrapes[n-1], scrapes[n])
		if !known {
			return out, "the time between the scrapes is not known"
		}
		if length <= 0 {
			o.account.Note(noteFlat)
			continue
		}
		before := &scrapes[n-1].counters
		if before.reset(&scrapes[n].counters) {
			o.account.Note(noteReset)
			// The time since the start, if the server tells; the rest of the interval is not known.
			if age := scrapes[n].counters.elapsed(); age > 0 && age < length {
				o.clock += recording.Moment(length - age)
				length = age
			}
			before = &snapshot{}
		}
		out.Intervals = append(out.Intervals, o.interval(before, &scrapes[n].counters, length))
	}
	return out, ""
}

// startOf is the time of day at which a server of that age started, 0 if it is not known.
func startOf(s *scrape, age time.Duration) int64 {
	if s.at > 1e15 {
		return s.at - int64(age)
	}
	return 0
}

// age is how long a server had been running: as its histograms over time say, its start and the
// time of the scrape, or --every.
func (o *observer) age(s *scrape) time.Duration {
	if s.at != noTime && s.at < 1e15 {
		return time.Duration(s.at)
	}
	if age := s.counters.elapsed(); age > 0 {
		return age
	}
	if s.at != noTime && s.counters.started > 0 {
		return time.Duration(s.at - int64(s.counters.started*1e9))
	}
	return o.every
}

// length is the time between two scrapes: by their times, by --every, or by the server's
// histograms over time.
func (o *observer) length(a, b *scrape) (time.Duration, bool) {
	if a.at != noTime && b.at != noTime {
		return time.Duration(b.at - a.at), true
	}
	if o.every > 0 {
		return o.every, true
	}
	x, y := a.counters.elapsed(), b.counters.elapsed()
	if x > 0 && y > x {
		o.account.Note(noteOverdue)
		return y - x, true
	}
	if y > 0 { // it started again: the interval is at least as long as that
		return y, true
	}
	return 0, false
}

// elapsed is for how long the server has measured the seats of its levels: since its start. 0 if
// it tells of no such histogram.
func (s *snapshot) elapsed() time.Duration {
	most := 0.0
	for _, name := range sortedKeys(s.levels) {
		l := s.levels[name]
		for _, b := range [...]*buckets{&l.seats, &l.executing, &l.waiting} {
			most = max(most, float64(b.count*l.tick))
		}
	}
	if most > float64(math.MaxInt64/2) {
		return 0
	}
	return time.Duration(math.Round(most))
}

// reset tells whether the server started again between two scrapes: a counter fell, or it says so.
func (s *snapshot) reset(later *snapshot) bool {
	if s.started > 0 && later.started > 0 && s.started != later.started {
		return true
	}
	for _, c := range sortedCells(s.cells) {
		a, b := s.cells[c], later.cells[c]
		if b == nil {
			if a.dispatched > 0 {
				return true
			}
			continue
		}
		if b.dispatched < a.dispatched || b.regular.count < a.regular.count || b.wait.count < a.wait.count {
			return true
		}
		for _, reason := range sortedKeys(a.rejected) {
			if b.rejected[reason] < a.rejected[reason] {
				return true
			}
		}
	}
	return later.elapsed() < s.elapsed()
}

func sortedCells[V any](m map[cell]V) []cell {
	return slices.SortedFunc(maps.Keys(m), func(a, b cell) int {
		if a.level != b.level {
			if a.level < b.level {
				return -1
			}
			return 1
		}
		if a.schema < b.schema {
			return -1
		}
		if a.schema > b.schema {
			return 1
		}
		return 0
	})
}

// interval makes the interval between two snapshots.
func (o *observer) interval(a, b *snapshot, length time.Duration) recording.ObservedInterval {
	out := recording.ObservedInterval{From: o.clock, Until: o.clock + recording.Moment(length)}
	o.clock = out.Until
	for _, c := range sortedCells(b.cells) {
		before := a.cells[c]
		if before == nil {
			before = &cellCounts{}
		}
		if seen, any := difference(c, before, b.cells[c]); any {
			out.Cells = append(out.Cells, seen)
		}
	}
	for _, name := range sortedKeys(b.levels) {
		before := a.levels[name]
		if before == nil {
			before = &levelCounts{}
		}
		out.Levels = append(out.Levels, levelSeen(name, before, b.levels[name], b))
	}
	return out
}

// difference makes what happened in a cell between two times. any tells whether anything did.
func difference(c cell, a, b *cellCounts) (out recording.ObservedCell, any bool) {
	out = recording.ObservedCell{
		FlowSchema: c.schema, PriorityLevel: c.level,
		Executed: whole(b.dispatched - a.dispatched),
		Wait:     histogram(&a.wait, &b.wait), TurnedAway: histogram(&a.turnedAway, &b.turnedAway),
		Execution: histogram(&a.regular, &b.regular), Width: histogram(&a.width, &b.width), QueueLength: histogram(&a.queue, &b.queue),
	}
	out.WatchExecution = histogram(&a.watch, &b.watch)
	out.Arrivals = out.Executed
	for _, reason := range sortedKeys(b.rejected) {
		if n := whole(b.rejected[reason] - a.rejected[reason]); n > 0 {
			if out.Rejected == nil {
				out.Rejected = map[string]int64{}
			}
			out.Rejected[reason] = n
			out.Arrivals += n
		}
	}
	out.WaitingBefore, out.WaitingAfter = whole(a.inqueue), whole(b.inqueue)
	out.Arrivals = max(0, out.Arrivals+out.WaitingAfter-out.WaitingBefore)
	return out, out.Arrivals > 0 || out.Executed > 0 || out.Execution != nil
}

// whole rounds a count, and takes what is not known for 0.
func whole(v float64) int64 {
	if math.IsNaN(v) || math.Abs(v) > 1e18 {
		return 0
	}
	return int64(math.Round(v))
}

// histogram is what was counted between two times, nil if nothing was.
func histogram(a, b *buckets) *recording.ObservedHistogram {
	if !b.there || b.count <= a.count {
		return nil
	}
	h := &recording.ObservedHistogram{Sum: max(0, b.sum-a.sum)}
	below := 0.0
	for _, bound := range sortedKeys(b.counts) {
		if math.IsInf(bound, 1) {
			continue
		}
		n := max(below, b.counts[bound]-a.counts[bound])
		h.Bounds = append(h.Bounds, bound)
		h.Counts = append(h.Counts, whole(n-below))
		below = n
	}
	h.Counts = append(h.Counts, max(0, whole(b.count-a.count-below)))
	return h
}

// levelSeen makes what was seen of the seats of a level between two times.
func levelSeen(name string, a, b *levelCounts, all *snapshot) recording.ObservedLevel {
	out := recording.ObservedLevel{PriorityLevel: name, NominalSeats: known(b.nominal), CurrentSeats: known(b.current)}
	limit := b.current
	if math.IsNaN(limit) {
		limit = b.nominal
	}
	if !math.IsNaN(limit) {
		out.SeatsMean, out.SeatsMax = overTime(&a.seats, &b.seats, limit)
	}
	now, any := 0.0, false
	for _, c := range sortedCells(all.cells) {
		if c.level == name && !math.IsNaN(all.cells[c].inqueue) {
			now, any = now+all.cells[c].inqueue, true
		}
	}
	if any {
		out.WaitingAtEnd = &now
	}
	out.WaitingShare, _ = overTime(&a.waiting, &b.waiting, 1)
	return out
}

func known(v float64) *int64 {
	if math.IsNaN(v) || math.Abs(v) > 1e15 {
		return nil
	}
	n := int64(math.Round(v))
	return &n
}

// overTime is the mean of a value over time, and the bound that it did not exceed, if there is
// one: the histogram has shares of the limit.
func overTime(a, b *buckets, limit float64) (mean, most *float64) {
	h := histogram(a, b)
	if h == nil {
		return nil, nil
	}
	m := round6(h.Sum / float64(h.Count()) * limit)
	if _, high := h.Within(1); !math.IsInf(high, 1) {
		high = round6(high * limit)
		return &m, &high
	}
	return &m, nil
}

// round6 keeps six significant digits.
func round6(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// Sound tells whether there is an interval of each server.
func (o *Observation) Sound() bool {
	for i := range o.Servers {
		if len(o.Servers[i].Intervals) == 0 {
			return false
		}
	}
	return len(o.Servers) > 0
}

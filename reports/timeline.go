package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
)

// maxSlices bounds the slices of a timeline, heatSlices of them make one of a heat map.
const (
	maxSlices  = 300
	heatSlices = 3
)

// timeline keeps what happened over time, from the start of the run and whatever its window:
// running totals, and what these were at the end of each slice of time. The difference of two
// is what happened between them. So a request costs a few additions, a slice is a copy, and
// two slices become one by forgetting what the totals were between them.
//
// There is a track of totals for each population and column of cells that met. The figures of
// populations, schemas and levels are sums of tracks.
type timeline struct {
	width time.Duration // of a slice
	// slices are over, border is when the next one will be.
	slices int
	border time.Duration
	tracks []*track // populations x columns, nil before the first request
	levels []levelTrack
}

// track is the running totals of the requests of one population in one flow schema.
type track struct {
	tally   tallies
	seats   occupancy
	waiting occupancy
	waitMax time.Duration // of the slice
	rows    []row         // a row for each slice that is over
}

// tallies are counts of requests, and the sum of the waits that ended with a dispatch or
// because the time was over.
type tallies struct {
	arrivals, executed, cut int64
	rejected                [reasons]int64
	waits                   int64
	waitSum                 Total
}

// row is what the totals of a track are at the end of a slice, and the longest wait that ended
// in the slice.
type row struct {
	tallies
	seatTime, waitTime Total
	waitMax            time.Duration
}

// levelTrack is what is known of a level beside the tracks of its requests.
type levelTrack struct {
	rows []levelRow
	heat heat
}

// levelRow is what the gauge of a level shows at the end of a slice.
type levelRow struct {
	seatTime, waitTime     Total // from the start of the run
	seatsPeak, waitingPeak int64 // of the slice
	nominal, current       int64
}

// newTimeline returns a timeline of a run that is expected to take so long, 0 for not known.
func newTimeline(span time.Duration) *timeline {
	t := &timeline{width: sliceWidth(span)}
	t.border = t.width
	return t
}

// expectedSpan returns how long a run will be as far as its configuration tells, else 0.
func expectedSpan(cfg *sim.Config) (span time.Duration) {
	if cfg.Duration > 0 {
		return cfg.Duration
	}
	for i := range cfg.Populations {
		if trace := cfg.Populations[i].Trace; trace != nil {
			span = max(span, trace.LastArrival())
		}
	}
	return span
}

// sliceWidth returns the shortest width that people can read off a clock with which a span has
// no more than maxSlices slices: a second if the span is not known.
func sliceWidth(span time.Duration) time.Duration {
	if span == 0 {
		return time.Second
	}
	fits := func(width time.Duration) bool { return (span-1)/maxSlices < width }
	for width := time.Millisecond; width < time.Second; width *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if fits(n * width) {
				return n * width
			}
		}
	}
	for _, unit := range []time.Duration{time.Second, time.Minute} {
		for _, n := range []time.Duration{1, 2, 5, 10, 15, 30} {
			if fits(n * unit) {
				return n * unit
			}
		}
	}
	for width := time.Hour; ; width *= 2 {
		if fits(width) {
			return width
		}
	}
}

// addLevel makes room for one more level.
func (t *timeline) addLevel() {
	t.levels = append(t.levels, levelTrack{rows: make([]levelRow, t.slices), heat: heat{slices: t.slices / heatSlices}})
}

// of returns the track of a cell.
func (t *timeline) of(cell int) *track {
	if t.tracks[cell] == nil {
		t.tracks[cell] = &track{rows: make([]row, t.slices, maxSlices)}
	}
	return t.tracks[cell]
}

// arrived counts a request that waits from now on, unless it is none of APF's.
func (t *timeline) arrived(now time.Duration, cell int, r *sim.Request, s *serverStats) {
	k := t.of(cell)
	k.tally.arrivals++
	if r.Level >= 0 {
		k.waiting.take(now, 1)
		t.queued(now, r, s, 1)
	}
}

// dispatched counts an execution. The request waits no longer, and holds seats.
func (t *timeline) dispatched(now time.Duration, cell int, r *sim.Request, s *serverStats) {
	k := t.of(cell)
	k.tally.executed++
	if r.Level >= 0 {
		k.waiting.free(now, 1)
		k.waited(now - r.Arrival)
		k.seats.take(now, r.Estimate.Width())
		t.queued(now, r, s, -1)
	}
}

// rejected counts a rejection. The request waits no longer.
func (t *timeline) rejected(now time.Duration, cell int, r *sim.Request, s *serverStats) {
	k := t.of(cell)
	k.tally.rejected[r.Reason]++
	k.waiting.free(now, 1)
	if r.Reason.Waited() {
		k.waited(now - r.Arrival)
	}
	t.queued(now, r, s, -1)
}

// released notes that a request holds its seats no longer.
func (t *timeline) released(now time.Duration, cell int, r *sim.Request) {
	t.of(cell).seats.free(now, r.Estimate.Width())
}

// cut counts a request that went with its server. Its seats are released apart, and the queues
// go with the server as a whole.
func (t *timeline) cut(now time.Duration, cell int, r *sim.Request) {
	k := t.of(cell)
	if r.Finished < 0 {
		k.tally.cut++
	}
	if r.Level >= 0 && r.Dispatched < 0 {
		k.waiting.free(now, 1)
	}
}

// waited counts a wait.
func (k *track) waited(wait time.Duration) {
	k.tally.waits++
	k.tally.waitSum.add(wait)
	k.waitMax = max(k.waitMax, wait)
}

// close ends a slice of a track.
func (k *track) close(at time.Duration) {
	k.rows = append(k.rows, row{k.tally, k.seats.until(at), k.waiting.until(at), k.waitMax})
	k.waitMax = 0
}

// close ends a slice of a level.
func (l *levelTrack) close(at time.Duration, g *gauge) {
	g.advance(at)
	r := levelRow{seatTime: g.seatTime, waitTime: g.waitTime, nominal: g.nominal, current: g.limit}
	r.seatTime.plus(g.seatTimeBefore)
	r.waitTime.plus(g.waitTimeBefore)
	r.seatsPeak, r.waitingPeak = g.closeSlice()
	l.rows = append(l.rows, r)
}

// turn ends the slice whose end has come, or finds that there are too many and makes one of
// each two.
func (t *timeline) turn(levels []levelStats) {
	if t.slices == maxSlices {
		t.merge()
		t.border = time.Duration(t.slices+1) * t.width
		return
	}
	t.close(t.border, levels)
	t.border += t.width
}

// close ends a slice.
func (t *timeline) close(at time.Duration, levels []levelStats) {
	t.slices++
	for _, k := range t.tracks {
		if k != nil {
			k.close(at)
		}
	}
	for i := range t.levels {
		l := &t.levels[i]
		l.close(at, &levels[i].gauge)
		if t.slices%heatSlices == 0 {
			l.heat.close(at)
		}
	}
}

// merge makes one slice of each two, of which there are an even number.
func (t *timeline) merge() {
	t.slices /= 2
	t.width *= 2
	for _, k := range t.tracks {
		if k == nil {
			continue
		}
		for i := range t.slices {
			first, second := &k.rows[2*i], k.rows[2*i+1]
			second.waitMax = max(second.waitMax, first.waitMax)
			k.rows[i] = second
		}
		k.rows = k.rows[:t.slices]
	}
	for i := range t.levels {
		t.levels[i].merge(t.slices)
	}
}

// merge makes one slice of each two.
func (l *levelTrack) merge(slices int) {
	for i := range slices {
		first, second := &l.rows[2*i], l.rows[2*i+1]
		second.seatsPeak = max(second.seatsPeak, first.seatsPeak)
		second.waitingPeak = max(second.waitingPeak, first.waitingPeak)
		l.rows[i] = second
	}
	l.rows = l.rows[:slices]
	l.heat.merge()
}

// end closes the last slice, which may be shorter than the others. What happens at the very
// end of a run belongs to it.
func (t *timeline) end(at time.Duration, levels []levelStats) {
	switch {
	case t.slices > 0 && at == time.Duration(t.slices)*t.width:
		for _, k := range t.tracks {
			if k != nil {
				last := &k.rows[t.slices-1]
				last.tallies, last.waitMax = k.tally, max(last.waitMax, k.waitMax)
			}
		}
	case t.slices == maxSlices:
		t.merge()
		fallthrough
	default:
		t.close(at, levels)
	}
	if t.slices%heatSlices != 0 {
		for i := range t.levels {
			t.levels[i].heat.close(at)
		}
	}
}

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
// what the totals of the lanes were at the end of each slice of time. The difference of two
// is what happened between them. So a request costs nothing more, a slice is a copy, and
// two slices become one by forgetting what the totals were between them.
//
// There is a track for each population and column of cells that met. The figures of
// populations, schemas and levels are sums of tracks.
type timeline struct {
	width time.Duration // of a slice
	// slices are over, border is when the next one will be.
	slices int
	border time.Duration
	tracks []*track // those that have met
	levels []levelTrack
}

// track is the requests of one population in one flow schema: their lanes, one for each server,
// and a row for each slice that is over.
type track struct {
	population, column int
	lanes              []*lane
	rows               []row
}

// row is what the totals of a track are at the end of a slice. The longest wait is of those that
// ended in the slice.
type row struct {
	tallies
	seatTime, waitTime Total
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

// follow adds a lane, which is new, to its track.
func (t *timeline) follow(l *lane, population, column int) {
	for _, k := range t.tracks {
		if k.population == population && k.column == column {
			k.lanes = append(k.lanes, l)
			return
		}
	}
	t.tracks = append(t.tracks, &track{population, column, []*lane{l}, make([]row, t.slices, maxSlices)})
}

// row returns what the totals of a track are.
func (k *track) row(at time.Duration) row {
	var r row
	for _, l := range k.lanes {
		l.addTo(&r, at)
	}
	return r
}

// close ends a slice of a level.
func (l *levelTrack) close(at time.Duration, g *levelStats) {
	g.advance(at)
	r := levelRow{nominal: g.nominal, current: g.limit}
	r.seatTime, r.waitTime = g.integrals(at)
	r.seatsPeak, r.waitingPeak = g.closeSlice()
	l.rows = append(l.rows, r)
}

// turn ends the slice whose end has come, or finds that there are too many and makes one of
// each two.
func (t *timeline) turn(levels []*levelStats) {
	if t.slices == maxSlices {
		t.merge()
		t.border = time.Duration(t.slices+1) * t.width
		return
	}
	t.close(t.border, levels)
	t.border += t.width
}

// close ends a slice.
func (t *timeline) close(at time.Duration, levels []*levelStats) {
	t.slices++
	for _, k := range t.tracks {
		k.rows = append(k.rows, k.row(at))
	}
	for i := range t.levels {
		l := &t.levels[i]
		l.close(at, levels[i])
		if t.slices%heatSlices == 0 {
			l.heat.close(at, levels[i].stations)
		}
	}
}

// merge makes one slice of each two, of which there are an even number.
func (t *timeline) merge() {
	t.slices /= 2
	t.width *= 2
	for _, k := range t.tracks {
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
func (t *timeline) end(at time.Duration, levels []*levelStats) {
	switch {
	case t.slices > 0 && at == time.Duration(t.slices)*t.width:
		for _, k := range t.tracks {
			last := &k.rows[t.slices-1]
			longest := last.waitMax
			*last = k.row(at)
			last.waitMax = max(last.waitMax, longest)
		}
	case t.slices == maxSlices:
		t.merge()
		fallthrough
	default:
		t.close(at, levels)
	}
	if t.slices%heatSlices != 0 {
		for i := range t.levels {
			t.levels[i].heat.close(at, levels[i].stations)
		}
	}
}

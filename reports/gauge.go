package reports

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/scheduler"
)

// gauge follows the state of one priority level over time, of all servers together. Its
// values are those that last: what a state is within a moment, between two decisions, counts
// for nothing.
//
// It does not ask the servers, which would cost more than all the rest, but counts along,
// station by station.
type gauge struct {
	now                   time.Duration // of the latest call
	seats, waiting, limit int64
	nominal               int64
	// pausing is how many clients will come to the level again after a pause; backlog is of
	// them and of those that wait.
	pausing int64
	backlog peak

	// trimmed are the seats that requests would hold if servers had not trimmed them.
	trimmed occupancy

	// The integrals and extremes since the end of the warm-up. Those of seats and of waiting are
	// known at its end, by the lanes.
	seatTime, waitTime, limitTime Total
	seatPeak, waitPeak            int64
	limitLow, limitHigh           int64
	longestQueue                  int32
	// full tells that as many seats were in use as the limit of the time allowed.
	full bool
	// What those two were of the time before that.
	seatTimeBefore, waitTimeBefore Total
	// seatTop and waitTop are the most since somebody asked for it last: what the peaks of
	// different times are made of. The slice peaks are those of a timeline.
	seatTop, waitTop             int64
	sliceSeatPeak, sliceWaitPeak int64
	// periodStart is the last adjustment, or the end of the warm-up after it. periodPeak
	// is the most seats in use since then, openPeak what it was before the warm-up ended.
	periodStart          time.Duration
	periodPeak, openPeak int64
}

// newGauge returns the gauge of a level that no server has yet.
func newGauge(now time.Duration) gauge {
	g := gauge{now: now, periodStart: now}
	g.noLimit()
	return g
}

// station is a priority level at one server: what counting along needs to know of it. That is
// exact but for seats that the server trims at a dispatch; see trims.
type station struct {
	seats, limit, nominal int64
	// trimmed are the seats that its requests would hold beside those that they do.
	trimmed int64
	// floor is the lowest that the limit can be. A request with more final seats than the
	// limit is dispatched with fewer than its estimate said. Once a request could be, trims
	// is true, and the seats are taken from the server.
	floor int
	trims bool
	// asks tells that the level has lost queues, and the indexes of the others have moved.
	// The lengths of the queues are then taken from the server, too.
	asks bool
	// gone tells that the server has the level no more.
	gone bool
	// queues are those of the level. The request that arrived last, at fresh into freshQueue, may
	// be about to leave again at once.
	queues     []queue
	fresh      time.Duration
	freshQueue int32
	// blame tells who holds the seats while others wait.
	blame blame
}

// newStation returns an idle level of a server.
func newStation(info *scheduler.LevelInfo) *station {
	return &station{floor: info.Min, queues: make([]queue, info.Queues), freshQueue: -1, blame: newBlame()}
}

// lasting returns how long a queue is without the request that arrived last, if that is in it and may
// be about to leave again at once.
func (s *station) lasting(now time.Duration, queue int32) int32 {
	if queue == s.freshQueue && now == s.fresh {
		return s.queues[queue].length - 1
	}
	return s.queues[queue].length
}

// hold counts seats that a station has more, or with a negative number less.
func (g *gauge) hold(s *station, seats int64) {
	g.seats += seats
	s.seats += seats
}

// correct takes over the seats that are in use at a station.
func (g *gauge) correct(now time.Duration, s *station, seats int64) {
	if less := s.seats - seats; less != 0 {
		g.hold(s, -less)
		s.trimmed += less
		g.trimmed.change(now, less)
	}
}

// closeQueues looks at what still waits at the end.
func (g *gauge) closeQueues(s *station) {
	if s.asks {
		return
	}
	for i := range s.queues {
		g.longestQueue = max(g.longestQueue, s.queues[i].length)
	}
}

// sawQueue counts the length of a queue.
func (g *gauge) sawQueue(waiting int) { g.longestQueue = max(g.longestQueue, int32(waiting)) }

// reshape follows a change of the configuration. From then on the seats are taken from the
// server: what it dispatched at the change may have met a limit below the old floor.
func (g *gauge) reshape(s *station, info *scheduler.LevelInfo) {
	s.floor, s.trims = info.Min, true
	switch {
	case info.Queues < len(s.queues):
		g.closeQueues(s)
		s.asks = true
	case !s.asks:
		s.queues = append(s.queues, make([]queue, info.Queues-len(s.queues))...)
	}
}

// stop tells that the server of a station has stopped: nothing of it is there any more.
func (g *gauge) stop(now time.Duration, s *station) {
	g.advance(now)
	g.closeQueues(s)
	g.waiting -= s.blame.waiting
	s.blame.stop(now)
	g.hold(s, -s.seats)
	g.trimmed.change(now, -s.trimmed)
	g.setLimit(s, 0, 0)
	s.trimmed, s.freshQueue = 0, -1
	for i := range s.queues {
		s.queues[i].set(now, 0)
	}
}

// advance brings the extremes up to now; what was the state since the last call lasted until
// now.
func (g *gauge) advance(now time.Duration) {
	if now != g.now {
		g.pass(now)
	}
}

// pass lets the instant of the latest call be over: what is the state has lasted.
func (g *gauge) pass(now time.Duration) {
	g.backlog.lasted(g.now, g.waiting+g.pausing)
	g.now = now
	if g.seats > g.seatTop {
		g.seatTop = g.seats
	}
	if g.waiting > g.waitTop {
		g.waitTop = g.waiting
	}
}

// takeTops takes the most since the last call over into the peaks.
func (g *gauge) takeTops() {
	g.periodPeak, g.sliceSeatPeak = max(g.periodPeak, g.seatTop), max(g.sliceSeatPeak, g.seatTop)
	g.waitPeak, g.sliceWaitPeak = max(g.waitPeak, g.waitTop), max(g.sliceWaitPeak, g.waitTop)
	g.seatTop, g.waitTop = 0, 0
}

// closeSlice ends a slice of a timeline, up to which the gauge has been advanced, and returns
// the most seats in use and waiting requests in it.
func (g *gauge) closeSlice() (seats, waiting int64) {
	g.takeTops()
	seats, waiting = g.sliceSeatPeak, g.sliceWaitPeak
	g.sliceSeatPeak, g.sliceWaitPeak = 0, 0
	return seats, waiting
}

// closePeriod ends a period between adjustments, in which the limit was one, and
// returns the most seats that were in use in it.
func (g *gauge) closePeriod(now time.Duration) int64 {
	g.advance(now)
	g.takeTops()
	g.limitTime.addProduct(g.limit, now-g.periodStart)
	g.seatPeak = max(g.seatPeak, g.periodPeak)
	g.full = g.full || g.limit > 0 && g.periodPeak >= g.limit
	peak := max(g.openPeak, g.periodPeak)
	g.periodStart, g.periodPeak, g.openPeak = now, 0, 0
	return peak
}

// setLimit takes over the limits of a station that hold from now on.
func (g *gauge) setLimit(s *station, current, nominal int64) {
	g.limit += current - s.limit
	g.nominal += nominal - s.nominal
	s.limit, s.nominal = current, nominal
}

// lasted counts the limit among the extremes.
func (g *gauge) lasted() {
	g.limitLow, g.limitHigh = min(g.limitLow, g.limit), max(g.limitHigh, g.limit)
}

// noLimit tells that the level is gone, and that 0 is no limit.
func (g *gauge) noLimit() { g.limitLow, g.limitHigh = math.MaxInt64, 0 }

// begin forgets what has been, but not what is: the warm-up ends now.
func (l *levelStats) begin(now time.Duration) {
	l.advance(now)
	l.takeTops()
	l.seatTimeBefore, l.waitTimeBefore = l.integrals(now)
	l.openPeak, l.periodPeak = max(l.openPeak, l.periodPeak), 0
	l.limitTime = Total{}
	l.seatPeak, l.waitPeak, l.longestQueue, l.full = 0, 0, 0, false
	l.backlog = peak{}
	l.limitLow, l.limitHigh = l.limit, l.limit
	l.periodStart = now
}

// end closes the books of a level.
func (l *levelStats) end(now time.Duration) {
	l.seatTime, l.waitTime = l.integrals(now)
	l.seatTime.minus(l.seatTimeBefore)
	l.waitTime.minus(l.waitTimeBefore)
}

// integrals returns the seats in use, and the waiting requests, multiplied by the time, from the
// start of the run.
func (l *levelStats) integrals(at time.Duration) (seats, waiting Total) {
	for _, lane := range l.lanes {
		seats.plus(lane.seats.until(at))
		waiting.plus(lane.waiting.until(at))
	}
	seats.minus(l.trimmed.until(at))
	return seats, waiting
}

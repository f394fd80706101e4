package reports

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// gauge follows the state of one priority level over time, of all servers together. Its
// values are those that last: what a state is within a moment, between two decisions, counts
// for nothing.
//
// It does not ask the servers, which would cost more than all the rest, but counts along,
// station by station.
type gauge struct {
	now                   time.Duration // up to when the sums below go
	seats, waiting, limit int64
	nominal               int64
	// pausing is how many clients will come to the level again after a pause; backlog is of
	// them and of those that wait.
	pausing int64
	backlog peak

	// The integrals and extremes since the end of the warm-up.
	seatTime, waitTime, limitTime Total
	seatPeak, waitPeak            int64
	limitLow, limitHigh           int64
	longestQueue                  int32
	// full tells that as many seats were in use as the limit of the time allowed.
	full bool
	// What the integrals were of the time before that.
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
	seats, waiting, limit int64
	nominal               int64
	// floor is the lowest that the limit can be. A request with more final seats than the
	// limit is dispatched with fewer than its estimate said. Once a request could be, trims
	// is true, and the seats are taken from the server.
	floor int
	trims bool
	// asks tells that the level has lost queues, and the indexes of the others have moved.
	// The lengths of the queues are then taken from the server, too.
	asks bool
	// read are the lengths of the queues that were taken from the server last, for a timeline.
	read []int
	// gone tells that the server has the level no more.
	gone bool
	// queues counts the waiting requests of each queue. The one that arrived last, at fresh
	// into freshQueue, may be about to leave again at once.
	queues     []int32
	fresh      time.Duration
	freshQueue int32
	// blame tells who holds the seats while others wait.
	blame blame
}

// newStation returns an idle level of a server that so many populations may come to.
func newStation(info *scheduler.LevelInfo, populations int) station {
	return station{floor: info.Min, queues: make([]int32, info.Queues), freshQueue: -1, blame: newBlame(populations)}
}

// enter counts a request that arrives, into a queue or with -1 none. It waits, until
// leave.
func (g *gauge) enter(now time.Duration, s *station, queue int32) {
	g.advance(now)
	g.waiting++
	s.waiting++
	if queue >= 0 && !s.asks {
		n := &s.queues[queue]
		g.longestQueue = max(g.longestQueue, *n)
		*n++
		s.fresh, s.freshQueue = now, queue
	}
}

// leave counts a request that waits no longer.
func (g *gauge) leave(now time.Duration, s *station, queue int32) {
	g.advance(now)
	g.waiting--
	s.waiting--
	if queue >= 0 && !s.asks {
		n := &s.queues[queue]
		lasting := *n
		if queue == s.freshQueue && now == s.fresh {
			lasting--
		}
		g.longestQueue = max(g.longestQueue, lasting)
		*n--
	}
}

// take and free count seats.
func (g *gauge) take(s *station, e *fairqueue.Estimate) {
	g.correct(s, s.seats+int64(e.Width()))
	s.trims = s.trims || e.FinalSeats > s.floor
}

func (g *gauge) free(now time.Duration, s *station, e *fairqueue.Estimate) {
	g.advance(now)
	g.correct(s, s.seats-int64(e.Width()))
}

// correct takes over the seats that are in use at a station.
func (g *gauge) correct(s *station, seats int64) {
	g.seats += seats - s.seats
	s.seats = seats
}

// closeQueues looks at what still waits at the end.
func (g *gauge) closeQueues(s *station) {
	for _, n := range s.queues {
		g.longestQueue = max(g.longestQueue, n)
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
		s.queues, s.asks = nil, true
	case !s.asks:
		s.queues = append(s.queues, make([]int32, info.Queues-len(s.queues))...)
	}
}

// stop tells that the server of a station has stopped: nothing of it is there any more.
func (g *gauge) stop(now time.Duration, s *station) {
	g.advance(now)
	g.closeQueues(s)
	s.blame.stop(now)
	g.correct(s, 0)
	g.waiting -= s.waiting
	g.setLimit(s, 0, 0)
	s.waiting, s.freshQueue = 0, -1
	clear(s.queues)
}

// advance brings the sums up to now; what was the state since the last call lasted until
// now.
func (g *gauge) advance(now time.Duration) {
	d := now - g.now
	if d == 0 {
		return
	}
	g.backlog.lasted(g.now, g.waiting+g.pausing)
	g.now = now
	g.seatTime.addProduct(g.seats, d)
	g.waitTime.addProduct(g.waiting, d)
	g.seatTop = max(g.seatTop, g.seats)
	g.waitTop = max(g.waitTop, g.waiting)
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
func (g *gauge) begin(now time.Duration) {
	g.advance(now)
	g.takeTops()
	g.seatTimeBefore.plus(g.seatTime)
	g.waitTimeBefore.plus(g.waitTime)
	g.openPeak, g.periodPeak = max(g.openPeak, g.periodPeak), 0
	g.seatTime, g.waitTime, g.limitTime = Total{}, Total{}, Total{}
	g.seatPeak, g.waitPeak, g.longestQueue, g.full = 0, 0, 0, false
	g.backlog = peak{}
	g.limitLow, g.limitHigh = g.limit, g.limit
	g.periodStart = now
}

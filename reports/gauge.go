package reports

import (
	"math"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
)

// gauge follows the state of one priority level over time. Its values are those that
// last: what a state is within a moment, between two decisions, counts for nothing.
//
// It does not ask the server, which would cost more than all the rest, but counts along.
// That is exact but for seats that the server trims at a dispatch; see trims.
type gauge struct {
	now                   time.Duration // up to when the sums below go
	seats, waiting, limit int64
	// floor is the lowest that the limit can be. A request with more final seats than the
	// limit is dispatched with fewer than its estimate said. Once a request could be, trims
	// is true, and the seats are taken from the server.
	floor int
	trims bool
	// asks tells that the level has lost queues, and the indexes of the others have moved.
	// The lengths of the queues are then taken from the server, too.
	asks bool
	// queues counts the waiting requests of each queue. The one that arrived last, at fresh
	// into freshQueue, may be about to leave again at once.
	queues     []int32
	fresh      time.Duration
	freshQueue int32

	// The integrals and extremes since the end of the warm-up.
	seatTime, waitTime, limitTime Total
	seatPeak, waitPeak            int64
	limitLow, limitHigh           int64
	longestQueue                  int32
	// periodStart is the last adjustment, or the end of the warm-up after it. periodPeak
	// is the most seats in use since then, openPeak what it was before the warm-up ended.
	periodStart          time.Duration
	periodPeak, openPeak int64
}

// newGauge returns the gauge of an idle level that is new at now.
func newGauge(now time.Duration, info *scheduler.LevelInfo) gauge {
	return gauge{
		now:         now,
		periodStart: now,
		limit:       int64(info.Current),
		limitLow:    int64(info.Current),
		limitHigh:   int64(info.Current),
		floor:       info.Min,
		queues:      make([]int32, info.Queues),
		freshQueue:  -1,
	}
}

// enter counts a request that arrives, into a queue or with -1 none. It waits, until
// leave.
func (g *gauge) enter(now time.Duration, queue int32) {
	g.advance(now)
	g.waiting++
	if queue >= 0 && !g.asks {
		n := &g.queues[queue]
		g.longestQueue = max(g.longestQueue, *n)
		*n++
		g.fresh, g.freshQueue = now, queue
	}
}

// leave counts a request that waits no longer.
func (g *gauge) leave(now time.Duration, queue int32) {
	g.advance(now)
	g.waiting--
	if queue >= 0 && !g.asks {
		n := &g.queues[queue]
		lasting := *n
		if queue == g.freshQueue && now == g.fresh {
			lasting--
		}
		g.longestQueue = max(g.longestQueue, lasting)
		*n--
	}
}

// take and free count seats.
func (g *gauge) take(e *fairqueue.Estimate) {
	g.seats += int64(e.Width())
	g.trims = g.trims || e.FinalSeats > g.floor
}

func (g *gauge) free(now time.Duration, e *fairqueue.Estimate) {
	g.advance(now)
	g.seats -= int64(e.Width())
}

// closeQueues looks at what still waits at the end.
func (g *gauge) closeQueues() {
	for _, n := range g.queues {
		g.longestQueue = max(g.longestQueue, n)
	}
}

// sawQueue counts the length of a queue.
func (g *gauge) sawQueue(waiting int) { g.longestQueue = max(g.longestQueue, int32(waiting)) }

// reshape follows a change of the configuration. From then on the seats are taken from the
// server: what it dispatched at the change may have met a limit below the old floor.
func (g *gauge) reshape(info *scheduler.LevelInfo) {
	g.floor, g.trims = info.Min, true
	switch {
	case info.Queues < len(g.queues):
		g.closeQueues()
		g.queues, g.asks = nil, true
	case !g.asks:
		g.queues = append(g.queues, make([]int32, info.Queues-len(g.queues))...)
	}
}

// advance brings the sums up to now; what was the state since the last call lasted until
// now.
func (g *gauge) advance(now time.Duration) {
	d := now - g.now
	if d == 0 {
		return
	}
	g.now = now
	g.seatTime.addProduct(g.seats, d)
	g.waitTime.addProduct(g.waiting, d)
	g.periodPeak = max(g.periodPeak, g.seats)
	g.waitPeak = max(g.waitPeak, g.waiting)
}

// closePeriod ends a period between adjustments, in which the limit was one, and
// returns the most seats that were in use in it.
func (g *gauge) closePeriod(now time.Duration) int64 {
	g.advance(now)
	g.limitTime.addProduct(g.limit, now-g.periodStart)
	g.seatPeak = max(g.seatPeak, g.periodPeak)
	peak := max(g.openPeak, g.periodPeak)
	g.periodStart, g.periodPeak, g.openPeak = now, 0, 0
	return peak
}

// setLimit takes over the limit that holds from now on.
func (g *gauge) setLimit(limit int64) {
	g.limit = limit
	g.limitLow, g.limitHigh = min(g.limitLow, limit), max(g.limitHigh, limit)
}

// noLimit tells that the level is gone, and that 0 is no limit.
func (g *gauge) noLimit() { g.limitLow, g.limitHigh = math.MaxInt64, 0 }

// begin forgets what has been, but not what is: the warm-up ends now.
func (g *gauge) begin(now time.Duration) {
	g.advance(now)
	g.openPeak, g.periodPeak = max(g.openPeak, g.periodPeak), 0
	g.seatTime, g.waitTime, g.limitTime = Total{}, Total{}, Total{}
	g.seatPeak, g.waitPeak, g.longestQueue = 0, 0, 0
	g.limitLow, g.limitHigh = g.limit, g.limit
	g.periodStart = now
}

package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
)

// lane is the way of the requests of one population, in one flow schema, through one server. The
// figures of populations, schemas, levels and servers are sums of lanes, and so are the totals of a
// timeline and what blame is about. So what happens to a request is counted once, here, and any
// of them can be told apart by the others.
type lane struct {
	// number is that of the level, -1 for requests that APF does not concern. They have no level and
	// no station.
	number     int32
	level      *levelStats
	station    *station
	party      *party
	population *populationStats
	// waiting and seats are of all requests, from the start of the run. seatsBefore is what the
	// seats were until the time that counts began.
	waiting, seats occupancy
	seatsBefore    Total
	// cell is of the requests that count, early of the others: for a timeline, which is about all.
	cell
	early tallies
	// other is the lane of the same population and schema when that led to another level.
	other *lane
}

// tallies are counts of requests, and the number, sum and longest of the waits that ended with a
// dispatch or because the time was over.
type tallies struct {
	arrivals, executed, cut int64
	rejected                [reasons]int64
	waits                   int64
	waitSum                 Total
	waitMax                 time.Duration
}

// waited counts a wait.
func (t *tallies) waited(wait time.Duration) {
	t.waits++
	t.waitSum.add(wait)
	t.waitMax = max(t.waitMax, wait)
}

// enter counts a request that waits from now on.
func (l *lane) enter(now time.Duration, queue int32) {
	l.level.enter(now, l.station, queue)
	l.waiting.enter(now)
	l.population.backlog.change(now, 1)
}

// leave counts a request that waits no longer.
func (l *lane) leave(now time.Duration, queue int32) {
	l.level.leave(now, l.station, queue)
	l.waiting.leave(now)
	l.population.backlog.change(now, -1)
}

// take and free count seats.
func (l *lane) take(now time.Duration, width int) {
	l.seats.take(now, width)
	l.station.blame.change(l.party, int64(width))
	l.level.hold(l.station, int64(width))
}

func (l *lane) free(now time.Duration, width int) {
	l.level.advance(now)
	l.station.blame.advance(now)
	l.seats.free(now, width)
	l.station.blame.change(l.party, -int64(width))
	l.level.hold(l.station, -int64(width))
}

// addTo adds what has happened until a time to a row of a timeline. The longest wait is that since
// the last call.
func (l *lane) addTo(r *row, at time.Duration) {
	r.arrivals += l.arrivals + l.early.arrivals
	r.executed += l.executed + l.early.executed
	r.cut += l.cutWaiting + l.cutExecuting + l.early.cut
	for i := range r.rejected {
		r.rejected[i] += l.rejected[i] + l.early.rejected[i]
	}
	r.waitMax = max(r.waitMax, l.waits.takeRecent(), l.early.waitMax)
	l.early.waitMax = 0
	r.waits += l.waits.count() + l.early.waits
	r.waitSum.plus(l.waits.sum)
	r.waitSum.plus(l.early.waitSum)
	r.seatTime.plus(l.seats.until(at))
	r.waitTime.plus(l.waiting.until(at))
}

// lane returns the lane of a request, which may be new.
func (c *Collector) lane(r *sim.Request) *lane {
	if l := c.servers[r.Server].lanes[int(r.Population)*c.width+int(r.Schema)+1]; l != nil && l.number == r.Level {
		return l
	}
	return c.findLane(r)
}

func (c *Collector) findLane(r *sim.Request) *lane {
	s := &c.servers[r.Server]
	at := &s.lanes[int(r.Population)*c.width+int(r.Schema)+1]
	for *at != nil {
		if (*at).number == r.Level {
			return *at
		}
		at = &(*at).other
	}
	l := &lane{number: r.Level, population: &c.populations[r.Population]}
	*at = l
	if r.Level >= 0 {
		l.level, l.station = c.levels[r.Level], s.stations[r.Level]
		l.party = l.station.blame.party(r.Population)
		l.party.lanes = append(l.party.lanes, l)
		l.level.lanes = append(l.level.lanes, l)
	}
	column := int(c.columns.of(r.Schema, r.Level))
	c.lanes = append(c.lanes, placedLane{l, int(r.Server), int(r.Population), column})
	if c.timeline != nil {
		c.timeline.follow(l, int(r.Population), column)
	}
	return l
}

// widen makes room for the lanes of so many columns of a row.
func (c *Collector) widen(width int) {
	if width <= c.width {
		return
	}
	for i := range c.servers {
		lanes := make([]*lane, len(c.populations)*width)
		for p := range c.populations {
			copy(lanes[p*width:], c.servers[i].lanes[p*c.width:(p+1)*c.width])
		}
		c.servers[i].lanes = lanes
	}
	c.width = width
}

// placedLane is a lane, and where it belongs.
type placedLane struct {
	*lane
	server, population, column int
}

// takeLanes adds up the lanes: by population and column, and by server.
func (c *Collector) takeLanes() {
	cells := make([]cell, len(c.populations)*len(c.columns.list))
	for _, l := range c.lanes {
		l.waits.gather()
		if sum := &cells[l.population*len(c.columns.list)+l.column]; c.several {
			sum.merge(&l.cell)
		} else {
			*sum = l.cell
		}
		if s := &c.servers[l.server]; l.number >= 0 {
			s.counts.plus(&l.counts)
		} else {
			s.longRunning += l.arrivals
		}
	}
	c.out.cells = cells
	// What a result is made of needs none of that any more.
	c.lanes, c.levels = nil, nil
	for i := range c.servers {
		c.servers[i].lanes, c.servers[i].stations = nil, nil
	}
}

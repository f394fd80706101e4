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

// enter counts a request that waits from now on, in a queue or with -1 in none.
func (l *lane) enter(now time.Duration, queue int32) {
	g, s := &l.level.gauge, l.station
	g.advance(now)
	s.blame.advance(now)
	g.waiting++
	s.blame.waiting++
	l.waiting.enter(now)
	l.population.backlog.change(now, 1)
	if queue >= 0 && !s.asks {
		s.queues[queue].enter(now)
		s.fresh, s.freshQueue = now, queue
	}
}

// leave counts a request that waits no longer. A queue is longest before somebody leaves it, or in
// the end.
func (l *lane) leave(now time.Duration, queue int32) {
	g, s := &l.level.gauge, l.station
	g.advance(now)
	s.blame.advance(now)
	g.waiting--
	s.blame.waiting--
	l.waiting.leave(now)
	l.population.backlog.change(now, -1)
	if queue >= 0 && !s.asks {
		q := &s.queues[queue]
		if q.length > g.longestQueue {
			g.longestQueue = max(g.longestQueue, s.lasting(now, queue))
		}
		q.leave(now)
	}
}

// take counts seats at the time of a leave.
func (l *lane) take(now time.Duration, width int) {
	l.seats.take(now, width)
	l.station.blame.change(l.party, int64(width))
	l.level.hold(l.station, int64(width))
}

// free counts seats that are given back.
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

// lanes finds the lanes of requests. There is a place for each server, population and flow schema, and
// one more for the requests of a population that APF does not concern.
type lanes struct {
	places               []*lane // nil before the first request
	populations, schemas int
	list                 []placedLane
}

// placedLane is a lane, and where it belongs.
type placedLane struct {
	*lane
	server, population, column int
}

// newLanes returns the places of lanes that are to be met.
func newLanes(servers, populations, schemas int) lanes {
	schemas++
	return lanes{places: make([]*lane, servers*populations*schemas), populations: populations, schemas: schemas}
}

// widen makes room for more flow schemas.
func (l *lanes) widen(schemas int) {
	if schemas++; schemas <= l.schemas {
		return
	}
	places := make([]*lane, len(l.places)/l.schemas*schemas)
	for i, one := range l.places {
		places[i/l.schemas*schemas+i%l.schemas] = one
	}
	l.places, l.schemas = places, schemas
}

// place returns where the lane of a request is, or would be.
func (l *lanes) place(r *sim.Request) int {
	return (int(r.Server)*l.populations+int(r.Population))*l.schemas + int(r.Schema) + 1
}

// lane returns the lane of a request, which may be new.
func (c *Collector) lane(r *sim.Request) *lane {
	if l := c.lanes.places[c.lanes.place(r)]; l != nil && l.number == r.Level {
		return l
	}
	return c.findLane(r)
}

func (c *Collector) findLane(r *sim.Request) *lane {
	at := &c.lanes.places[c.lanes.place(r)]
	for *at != nil {
		if (*at).number == r.Level {
			return *at
		}
		at = &(*at).other
	}
	l := &lane{number: r.Level, population: &c.populations[r.Population]}
	*at = l
	if r.Level >= 0 {
		l.level, l.station = c.levels[r.Level], c.servers[r.Server].stations[r.Level]
		l.party = l.station.blame.party(r.Population)
		l.party.lanes = append(l.party.lanes, l)
		l.level.lanes = append(l.level.lanes, l)
	}
	column := int(c.columns.of(r.Schema, r.Level))
	c.lanes.list = append(c.lanes.list, placedLane{l, int(r.Server), int(r.Population), column})
	if c.timeline != nil {
		c.timeline.follow(l, int(r.Population), column)
	}
	return l
}

// takeLanes adds up the lanes: by population and column, and by server.
func (c *Collector) takeLanes() {
	cells := make([]cell, len(c.populations)*len(c.columns.list))
	for _, l := range c.lanes.list {
		l.close(l.number >= 0)
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
	c.lanes, c.levels = lanes{}, nil
	for i := range c.servers {
		c.servers[i].stations = nil
	}
}

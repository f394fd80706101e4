package reports

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// server is what collectors ask of a scheduler.Server, and what tests imitate.
type server interface {
	Levels() []scheduler.LevelInfo
	Schemas() []string
	SchemaLevel(schema int) int
	Flow(scheduler.FlowID) scheduler.FlowInfo
	LevelState(level int) fairqueue.State
	QueueState(level, queue int) fairqueue.QueueState
	Changes() []scheduler.Change
	Panics() int
}

// Collector observes one replication. Its memory follows the numbers of flows, of
// levels and their queues, of servers, and of populations and flow schemas that met, never the
// number of requests.
// The zero value is ready for one run.
type Collector struct {
	sim.Silent
	out     Collected
	servers []serverStats
	// several tells that there is more than one server, up that so many of them are there.
	several bool
	up      int
	warmup  time.Duration
	started bool
	// measuring is true once the warm-up is over.
	measuring   bool
	columns     columns
	cells       []cell // a row for each population
	levels      []levelStats
	flows       []flowStats
	flowNumbers map[flowKey]int32 // of several servers
	populations []populationStats
	failure     failure
	crowding    crowding
	deadlocks   []*sim.Deadlock
	behind      backend
	begun       *looks // what is behind the servers, when the warm-up was over
}

// levelStats is what is known of a level beside the cells of its flow schemas.
type levelStats struct {
	gauge
	series
	isGone bool
}

var _ sim.Observer = (*Collector)(nil)

// NewCollector returns a collector for one replication.
func NewCollector() *Collector { return &Collector{} }

// Start is called before the first event.
func (c *Collector) Start(w *sim.World) {
	servers, up := make([]server, w.Servers()), make([]bool, w.Servers())
	for i := range servers {
		servers[i], up[i] = w.ServerAt(int32(i)), w.Up(int32(i))
	}
	c.behind = w
	c.start(w.Config(), w.Replication(), servers, up)
}

func (c *Collector) start(cfg *sim.Config, replication int, servers []server, up []bool) {
	if c.started {
		panic("reports: a Collector observes one run, and this is its second")
	}
	c.started = true
	c.warmup, c.several = cfg.Warmup, len(servers) > 1
	c.out.describe(cfg, replication, servers)
	c.cells = make([]cell, len(cfg.Populations)*c.columns.meet(servers[0]))
	for i := range cfg.Populations {
		c.populations = append(c.populations, newPopulationStats(&cfg.Populations[i]))
	}
	if c.several {
		c.flowNumbers = map[flowKey]int32{}
	}
	for i := range servers {
		c.servers = append(c.servers, serverStats{apf: servers[i], up: up[i]})
		if up[i] {
			c.up++
		}
		c.addLevels(0, int32(i))
	}
}

// addLevels begins to follow the levels of a server that are new.
func (c *Collector) addLevels(now time.Duration, number int32) {
	s := &c.servers[number]
	levels := s.apf.Levels()
	for i := len(s.stations); i < len(levels); i++ {
		info := &levels[i]
		if i == len(c.levels) {
			c.levels = append(c.levels, levelStats{gauge: newGauge(now)})
			c.crowding.addLevel()
		}
		s.stations = append(s.stations, newStation(info))
		if s.up {
			c.setLimit(&c.levels[i], &s.stations[i], info)
		}
	}
}

// setLimit takes over the limit that a level has at a server. Of several servers, whose limits
// change one after the other within a moment, only sums that last are extremes.
func (c *Collector) setLimit(l *levelStats, s *station, info *scheduler.LevelInfo) {
	l.setLimit(s, int64(info.Current))
	if !c.several {
		l.lasted()
	}
}

// tick notices the end of the warm-up.
func (c *Collector) tick(now time.Duration) {
	if !c.measuring && now >= c.warmup {
		c.begin(now)
	}
}

// begin begins to measure, at the end of the warm-up.
func (c *Collector) begin(now time.Duration) {
	c.measuring = true
	c.begun = look(c.behind, now, len(c.servers))
	for i := range c.levels {
		l := &c.levels[i]
		l.begin(c.warmup)
		if l.isGone || c.several {
			l.noLimit()
		}
	}
	for i := range c.servers {
		s := &c.servers[i]
		s.begin(c.warmup)
		for level := range s.stations {
			if s.stations[level].asks {
				for queue := range s.apf.LevelState(level).Queues {
					c.levels[level].sawQueue(s.apf.QueueState(level, queue).Waiting)
				}
			}
		}
	}
	for i := range c.populations {
		c.populations[i].begin(c.warmup)
	}
	c.crowding.start = c.warmup
}

// counted tells whether a request belongs to the statistics.
func (c *Collector) counted(r *sim.Request) bool { return r.Arrival >= c.warmup }

// cell returns the cell of a request.
func (c *Collector) cell(r *sim.Request) *cell {
	return &c.cells[int(r.Population)*len(c.columns.list)+int(c.columns.of(r.Schema, r.Level))]
}

// Arrived counts an attempt.
func (c *Collector) Arrived(now time.Duration, r *sim.Request) {
	c.tick(now)
	width, server := 0, &c.servers[r.Server]
	if r.Attempt > 0 {
		c.resume(now, r.Population, r.Template)
	}
	if r.Level >= 0 {
		c.populations[r.Population].backlog.change(now, 1)
		width = r.Estimate.Width()
		l, s := &c.levels[r.Level], &server.stations[r.Level]
		l.enter(now, s, r.Queue)
		if s.asks && r.Queue >= 0 {
			l.sawQueue(server.apf.QueueState(int(r.Level), int(r.Queue)).Waiting)
		}
	}
	if !c.counted(r) {
		return
	}
	c.cell(r).arrived(r, width)
	server.arrived(r)
	if r.Flow >= 0 {
		c.flow(r).arrived(r, width)
	}
}

// Dispatched counts an execution and how long the request had waited for it.
func (c *Collector) Dispatched(now time.Duration, r *sim.Request) {
	c.tick(now)
	cell, server, counted := c.cell(r), &c.servers[r.Server], c.counted(r)
	if counted {
		cell.executed++
	}
	if r.Level < 0 {
		return
	}
	l, s := &c.levels[r.Level], &server.stations[r.Level]
	l.leave(now, s, r.Queue)
	c.populations[r.Population].backlog.change(now, -1)
	before := l.seats
	l.take(s, &r.Estimate)
	c.askSeats(r.Server, r.Level)
	if c.several {
		server.seatsChanged(now, l.seats-before)
	}
	width, from, wait := r.Estimate.Width(), max(now, c.warmup), now-r.Arrival
	cell.occupancy.take(from, width)
	if counted {
		cell.waited(wait)
		server.executed++
	}
	if r.Flow < 0 {
		return
	}
	f := c.flow(r)
	f.occupancy.take(from, width)
	if counted {
		f.executed++
		f.waits.record(wait, coarse)
	}
}

// askSeats takes the seats in use from the server, where counting along would miss what
// it trims.
func (c *Collector) askSeats(server, level int32) {
	s := &c.servers[server]
	if at := &s.stations[level]; at.trims {
		c.levels[level].correct(at, int64(s.apf.LevelState(int(level)).SeatsInUse))
	}
}

// Rejected counts a rejection, and the wait that ended in it: a request that ran out of
// time had waited, one that was turned away at once had not.
func (c *Collector) Rejected(now time.Duration, r *sim.Request) {
	c.tick(now)
	server := &c.servers[r.Server]
	c.levels[r.Level].leave(now, &server.stations[r.Level], r.Queue)
	c.populations[r.Population].backlog.change(now, -1)
	c.failed(r)
	if !c.counted(r) {
		return
	}
	cell := c.cell(r)
	cell.rejected[r.Reason]++
	server.rejected[r.Reason]++
	if r.Reason.Waited() {
		cell.waited(now - r.Arrival)
	}
	if r.Flow >= 0 {
		f := c.flow(r)
		f.rejected[r.Reason]++
		if r.Reason.Waited() {
			f.waits.record(now-r.Arrival, coarse)
		}
	}
}

// Finished counts the end of an execution.
func (c *Collector) Finished(now time.Duration, r *sim.Request) {
	if r.Status != workload.OK {
		c.failed(r)
	}
	c.populations[r.Population].executedInVain(now, r)
	if !c.counted(r) {
		return
	}
	c.cell(r).ended(r)
	if r.Level >= 0 {
		c.servers[r.Server].finished++
	}
	if r.Flow >= 0 {
		c.flow(r).finished++
	}
}

// Released notes that seats are free.
func (c *Collector) Released(now time.Duration, r *sim.Request) {
	c.tick(now)
	server, l := &c.servers[r.Server], &c.levels[r.Level]
	before := l.seats
	l.free(now, &server.stations[r.Level], &r.Estimate)
	c.askSeats(r.Server, r.Level)
	if c.several {
		server.seatsChanged(now, l.seats-before)
	}
	c.vacate(now, r)
}

// vacate notes that a request holds its seats no longer.
func (c *Collector) vacate(now time.Duration, r *sim.Request) {
	width, until := r.Estimate.Width(), max(now, c.warmup)
	c.cell(r).occupancy.free(until, width)
	if r.Flow >= 0 {
		c.flow(r).occupancy.free(until, width)
	}
}

// Cut counts what was in a server that has stopped. Its seats and places in queues went with
// the server.
func (c *Collector) Cut(now time.Duration, r *sim.Request) {
	c.tick(now)
	c.failed(r)
	switch {
	case r.Level < 0:
	case r.Dispatched >= 0:
		c.vacate(now, r)
	default:
		c.populations[r.Population].backlog.change(now, -1)
	}
	if !c.counted(r) || r.Finished >= 0 {
		return
	}
	c.cell(r).cut(r)
	if r.Level >= 0 {
		c.servers[r.Server].cut(r)
	}
	if r.Flow >= 0 {
		c.flow(r).cut(r)
	}
}

// Refused counts an attempt that has reached no server.
func (c *Collector) Refused(now time.Duration, r *sim.Request, why sim.Refusal) {
	c.tick(now)
	c.failed(r)
	if r.Attempt > 0 {
		c.resume(now, r.Population, r.Template)
	}
	if !c.counted(r) {
		return
	}
	c.populations[r.Population].refused[why]++
	if r.Server >= 0 {
		c.servers[r.Server].refused++
	}
}

// Adjusted notes the limits that hold from now on.
func (c *Collector) Adjusted(now time.Duration, server int32) {
	c.tick(now)
	c.closePeriod(now)
	s := &c.servers[server]
	for i, info := range s.apf.Levels() {
		if info.Status != scheduler.Gone {
			s.stations[i].gone = false
			c.setLimit(&c.levels[i], &s.stations[i], &info)
			c.adjusted(now, &c.levels[i])
		}
	}
}

// adjusted notes the limit of a level that is in use.
func (c *Collector) adjusted(now time.Duration, l *levelStats) {
	l.isGone = false
	l.advance(now)
	c.note(l, moment{time: now, limit: l.limit, seats: l.seats, queued: l.waiting})
}

// note appends to the series of a level.
func (c *Collector) note(l *levelStats, m moment) {
	if c.several {
		l.update(m)
	} else {
		l.add(m)
	}
}

// Reconfigured makes room for what is new, and notes what has changed.
func (c *Collector) Reconfigured(now time.Duration, server int32) {
	c.tick(now)
	c.closePeriod(now)
	s := &c.servers[server]
	had := len(c.columns.list)
	c.cells = widen(c.cells, len(c.populations), had, c.columns.meet(s.apf))
	c.addLevels(now, server)
	for i, info := range s.apf.Levels() {
		l, at := &c.levels[i], &s.stations[i]
		before := l.seats
		l.reshape(at, &info)
		if s.up {
			c.askSeats(server, int32(i))
			s.seatsChanged(now, l.seats-before)
		}
		switch {
		case info.Status != scheduler.Gone:
			at.gone = false
			if s.up {
				c.setLimit(l, at, &info)
			}
			c.adjusted(now, l)
		case !at.gone:
			at.gone = true
			l.setLimit(at, 0)
			c.gone(now, i)
		}
	}
	c.out.changed(now, s.apf)
}

// gone notes that a level has gone at one server, after which it may be gone at all.
func (c *Collector) gone(now time.Duration, level int) {
	l := &c.levels[level]
	l.advance(now)
	for i := range c.servers {
		if s := &c.servers[i]; level >= len(s.stations) || !s.stations[level].gone {
			c.note(l, moment{time: now, limit: l.limit, seats: l.seats, queued: l.waiting})
			return
		}
	}
	l.isGone = true
	c.note(l, moment{time: now, gone: true})
}

// closePeriod ends the period since the last adjustment.
func (c *Collector) closePeriod(now time.Duration) {
	if c.measuring {
		c.crowding.closePeriod(now, c.flows, c.levels)
	}
	for i := range c.levels {
		l := &c.levels[i]
		if c.several && c.up > 0 && !l.isGone && now > l.periodStart {
			l.lasted()
		}
		l.close(l.closePeriod(now))
	}
}

// End closes the books.
func (c *Collector) End(now time.Duration, partial bool) {
	c.tick(now)
	c.closePeriod(now)
	c.out.end, c.out.partial = now, partial
	c.out.window = max(now-c.warmup, 0)
	end := max(now, c.warmup)
	for i := range c.servers {
		s := &c.servers[i]
		c.out.panics += s.apf.Panics()
		s.end(end)
		for level := range s.stations {
			c.levels[level].closeQueues(&s.stations[level])
		}
	}
	for i := range c.cells {
		c.cells[i].occupancy.settle(end)
	}
	for i := range c.flows {
		c.flows[i].occupancy.settle(end)
	}
	c.out.columns, c.out.cells, c.out.populationStats, c.out.ended = c.columns.list, c.cells, c.populations, true
	for i := range c.populations {
		c.populations[i].end(end)
	}
	if c.begun != nil {
		c.out.machines, c.out.members = c.begun.uses(look(c.behind, now, len(c.servers)))
	}
	c.out.servers, c.out.deadlocks = c.servers, c.deadlocks
	c.out.takeLevels(c.levels, &c.crowding, c.servers)
	c.out.takeFlows(c.flows, c.servers)
}

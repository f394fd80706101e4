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
	started bool
	window
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
	begun       *looks    // what is behind the servers, when the warm-up was over
	timeline    *timeline // of the first replication
	untimed     bool      // there is to be none
}

// levelStats is what is known of a level beside the cells of its flow schemas.
type levelStats struct {
	gauge
	series
	isGone bool
}

var _ sim.Observer = (*Collector)(nil)

// NewCollector returns a collector for one replication: of all that comes after the warm-up,
// unless an option says otherwise.
func NewCollector(options ...Option) *Collector {
	c := &Collector{}
	for _, o := range options {
		o(c)
	}
	return c
}

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
	c.several = len(servers) > 1
	c.window.open(cfg.Warmup)
	c.out.describe(cfg, replication, servers)
	c.out.warmup = c.from
	c.cells = make([]cell, len(cfg.Populations)*c.columns.meet(servers[0]))
	if replication == 0 && !c.asked && !c.untimed {
		c.timeline = newTimeline(expectedSpan(cfg))
		c.timeline.tracks = make([]*track, len(c.cells))
		c.schedule()
	}
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
			if c.timeline != nil {
				c.timeline.addLevel()
			}
		}
		if c.timeline != nil {
			c.timeline.levels[i].heat.fit(info.Queues)
		}
		s.stations = append(s.stations, newStation(info, len(c.populations)))
		if s.up {
			c.setLimit(&c.levels[i], &s.stations[i], info)
		}
	}
}

// setLimit takes over the limit that a level has at a server. Of several servers, whose limits
// change one after the other within a moment, only sums that last are extremes.
func (c *Collector) setLimit(l *levelStats, s *station, info *scheduler.LevelInfo) {
	l.setLimit(s, int64(info.Current), int64(info.Nominal))
	if !c.several {
		l.lasted()
	}
}

// cellNumber returns the place of the cell of a request.
func (c *Collector) cellNumber(r *sim.Request) int {
	return int(r.Population)*len(c.columns.list) + int(c.columns.of(r.Schema, r.Level))
}

// cell returns the cell of a request.
func (c *Collector) cell(r *sim.Request) *cell { return &c.cells[c.cellNumber(r)] }

// Arrived counts an attempt.
func (c *Collector) Arrived(now time.Duration, r *sim.Request) {
	if !c.tick(now) {
		return // what arrives after the window is none of its business
	}
	c.entered(now, r)
	cell, server := c.cellNumber(r), &c.servers[r.Server]
	if c.timeline != nil {
		c.timeline.arrived(now, cell, r, server)
	}
	if !c.includes(r.Arrival) {
		return
	}
	width := 0
	if r.Level >= 0 {
		width = r.Estimate.Width()
	}
	c.cells[cell].arrived(r, width)
	server.arrived(r)
	if r.Flow >= 0 {
		c.flow(r).arrived(r, width)
	}
}

// entered notes what an arrival makes of the state of things: the request waits, until it is
// known to be dispatched or rejected.
func (c *Collector) entered(now time.Duration, r *sim.Request) {
	if r.Attempt > 0 {
		c.resume(now, r.Population, r.Template)
	}
	if r.Level < 0 {
		return
	}
	c.populations[r.Population].backlog.change(now, 1)
	server := &c.servers[r.Server]
	l, s := &c.levels[r.Level], &server.stations[r.Level]
	l.enter(now, s, r.Queue)
	s.blame.enter(now, r.Population)
	if s.asks && r.Queue >= 0 {
		l.sawQueue(server.apf.QueueState(int(r.Level), int(r.Queue)).Waiting)
	}
}

// Dispatched counts an execution and how long the request had waited for it.
func (c *Collector) Dispatched(now time.Duration, r *sim.Request) {
	open, counted := c.tick(now), c.includes(r.Arrival)
	if !open && !counted {
		return
	}
	number, server := c.cellNumber(r), &c.servers[r.Server]
	cell := &c.cells[number]
	if c.timeline != nil {
		c.timeline.dispatched(now, number, r, server)
	}
	if counted {
		cell.executed++
	}
	if r.Level < 0 {
		return
	}
	if open {
		c.seated(now, r, cell)
	}
	if !counted {
		return
	}
	wait := now - r.Arrival
	cell.waited(wait)
	server.executed++
	if r.Flow >= 0 {
		f := c.flow(r)
		f.executed++
		f.waits.record(wait, coarse)
	}
}

// seated notes that a request waits no longer, and holds seats.
func (c *Collector) seated(now time.Duration, r *sim.Request, cell *cell) {
	server := &c.servers[r.Server]
	l, s := &c.levels[r.Level], &server.stations[r.Level]
	l.leave(now, s, r.Queue)
	s.blame.leave(now, r.Population, r.Estimate.Width())
	c.populations[r.Population].backlog.change(now, -1)
	before := l.seats
	l.take(s, &r.Estimate)
	if s.trims {
		c.askSeats(server, r.Level)
	}
	if c.several {
		server.seatsChanged(now, l.seats-before)
	}
	width, from := r.Estimate.Width(), max(now, c.from)
	cell.occupancy.take(from, width)
	if r.Flow >= 0 {
		c.flow(r).occupancy.take(from, width)
	}
}

// askSeats takes the seats in use from the server, where counting along would miss what
// it trims.
func (c *Collector) askSeats(s *serverStats, level int32) {
	c.levels[level].correct(&s.stations[level], int64(s.apf.LevelState(int(level)).SeatsInUse))
}

// Rejected counts a rejection, and the wait that ended in it: a request that ran out of
// time had waited, one that was turned away at once had not.
func (c *Collector) Rejected(now time.Duration, r *sim.Request) {
	server := &c.servers[r.Server]
	if c.tick(now) {
		s := &server.stations[r.Level]
		c.levels[r.Level].leave(now, s, r.Queue)
		s.blame.leave(now, r.Population, 0)
		c.populations[r.Population].backlog.change(now, -1)
		c.failed(r)
	}
	if c.timeline != nil {
		c.timeline.rejected(now, c.cellNumber(r), r, server)
	}
	if !c.includes(r.Arrival) {
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
	if c.tick(now) {
		c.populations[r.Population].executedInVain(now, r)
	}
	if !c.includes(r.Arrival) {
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
	if !c.tick(now) {
		return
	}
	server, l := &c.servers[r.Server], &c.levels[r.Level]
	before, s := l.seats, &server.stations[r.Level]
	l.free(now, s, &r.Estimate)
	s.blame.free(now, r.Population, r.Estimate.Width())
	if s.trims {
		c.askSeats(server, r.Level)
	}
	if c.several {
		server.seatsChanged(now, l.seats-before)
	}
	c.vacate(now, r)
}

// vacate notes that a request holds its seats no longer.
func (c *Collector) vacate(now time.Duration, r *sim.Request) {
	width, until, cell := r.Estimate.Width(), max(now, c.from), c.cellNumber(r)
	c.cells[cell].occupancy.free(until, width)
	if c.timeline != nil {
		c.timeline.released(now, cell, r)
	}
	if r.Flow >= 0 {
		c.flow(r).occupancy.free(until, width)
	}
}

// Cut counts what was in a server that has stopped. Its seats and places in queues went with
// the server.
func (c *Collector) Cut(now time.Duration, r *sim.Request) {
	open := c.tick(now)
	c.failed(r)
	if c.timeline != nil {
		c.timeline.cut(now, c.cellNumber(r), r)
	}
	switch {
	case r.Level < 0 || !open:
	case r.Dispatched >= 0:
		c.vacate(now, r)
	default:
		c.populations[r.Population].backlog.change(now, -1)
	}
	if !c.includes(r.Arrival) || r.Finished >= 0 {
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
	c.failed(r)
	if c.tick(now) && r.Attempt > 0 {
		c.resume(now, r.Population, r.Template)
	}
	if !c.includes(r.Arrival) {
		return
	}
	c.populations[r.Population].refused[why]++
	if r.Server >= 0 {
		c.servers[r.Server].refused++
	}
}

// Adjusted notes the limits that hold from now on.
func (c *Collector) Adjusted(now time.Duration, server int32) {
	if !c.tick(now) {
		return
	}
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
	if !c.tick(now) {
		return
	}
	c.closePeriod(now)
	s := &c.servers[server]
	had := len(c.columns.list)
	c.cells = widen(c.cells, len(c.populations), had, c.columns.meet(s.apf))
	if c.timeline != nil {
		c.timeline.tracks = widen(c.timeline.tracks, len(c.populations), had, len(c.columns.list))
	}
	c.addLevels(now, server)
	for i, info := range s.apf.Levels() {
		l, at := &c.levels[i], &s.stations[i]
		before, queues := l.seats, at.queues
		l.reshape(at, &info)
		if c.timeline != nil {
			c.timeline.reshaped(now, i, s, queues)
		}
		if s.up {
			c.askSeats(s, int32(i))
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
			l.setLimit(at, 0, 0)
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
	if c.phase == measuring {
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
	open := c.tick(now)
	if c.timeline != nil {
		c.timeline.end(now, c.levels)
		c.out.timeline = c.timeline
	}
	if open {
		if c.phase == early { // the run was over before the window
			c.begin(now, now)
		}
		c.closeBooks(now, now)
	}
	for i := range c.servers {
		c.out.panics += c.servers[i].apf.Panics()
	}
	for i := range c.cells {
		c.cells[i].waits.gather()
	}
	c.out.partial, c.out.ended = partial, true
	c.out.columns, c.out.cells, c.out.populationStats = c.columns.list, c.cells, c.populations
	c.out.servers, c.out.deadlocks = c.servers, c.deadlocks
	c.out.takeFlows(c.flows, c.servers)
}

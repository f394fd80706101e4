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
	lanes       lanes
	levels      []*levelStats
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
	isGone   bool
	lanes    []*lane
	stations []*station
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
	c.columns.meet(servers[0])
	c.lanes = newLanes(len(servers), len(cfg.Populations), len(servers[0].Schemas()))
	if replication == 0 && !c.asked && !c.untimed {
		c.timeline = newTimeline(expectedSpan(cfg))
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
			c.levels = append(c.levels, &levelStats{gauge: newGauge(now)})
			c.crowding.addLevel()
			if c.timeline != nil {
				c.timeline.addLevel()
			}
		}
		if c.timeline != nil {
			c.timeline.levels[i].heat.fit(info.Queues)
		}
		s.stations = append(s.stations, newStation(info))
		c.levels[i].stations = append(c.levels[i].stations, s.stations[i])
		if s.up {
			c.setLimit(c.levels[i], s.stations[i], info)
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

// Arrived counts an attempt.
func (c *Collector) Arrived(now time.Duration, r *sim.Request) {
	if !c.tick(now) {
		return // what arrives after the window is none of its business
	}
	if r.Attempt > 0 {
		c.resume(now, r.Population, r.Template)
	}
	lane := c.lane(r)
	if r.Level >= 0 {
		lane.enter(now, r.Queue)
		if lane.station.asks {
			c.askQueue(now, r, lane)
		}
	}
	if !c.includes(r.Arrival) {
		lane.early.arrivals++
		return
	}
	width := 0
	if r.Level >= 0 {
		width = r.Estimate.Width()
	}
	lane.arrived(r, width)
	if r.Flow >= 0 {
		c.flow(r).arrived(r, width)
	}
}

// askQueue takes the length of the queue that a request has come to from the server.
func (c *Collector) askQueue(now time.Duration, r *sim.Request, l *lane) {
	if r.Queue >= 0 {
		l.level.sawQueue(c.servers[r.Server].apf.QueueState(int(r.Level), int(r.Queue)).Waiting)
	}
	c.readQueues(now, r)
}

// readQueues takes the lengths of all queues of a level from the server, for a heat map.
func (c *Collector) readQueues(now time.Duration, r *sim.Request) {
	if c.timeline != nil {
		c.timeline.readQueues(now, int(r.Level), &c.servers[r.Server])
	}
}

// Dispatched counts an execution and how long the request had waited for it.
func (c *Collector) Dispatched(now time.Duration, r *sim.Request) {
	open, counted := c.tick(now), c.includes(r.Arrival)
	if !open && !counted {
		return
	}
	lane := c.lane(r)
	if counted {
		lane.executed++
	} else {
		lane.early.executed++
	}
	if r.Level < 0 {
		return
	}
	if open {
		c.seated(now, r, lane)
	}
	wait := now - r.Arrival
	if !counted {
		lane.early.waited(wait)
		return
	}
	lane.cell.waited(wait)
	if r.Flow >= 0 {
		f := c.flow(r)
		f.executed++
		f.waits.record(wait, coarse)
	}
}

// seated notes that a request waits no longer, and holds seats.
func (c *Collector) seated(now time.Duration, r *sim.Request, l *lane) {
	s, before, width := l.station, l.level.seats, r.Estimate.Width()
	l.leave(now, r.Queue)
	l.take(now, width)
	if s.asks {
		c.readQueues(now, r)
	}
	s.trims = s.trims || r.Estimate.FinalSeats > s.floor
	if s.trims || c.several {
		c.settleSeats(now, r, l, before)
	}
	if r.Flow >= 0 {
		c.flow(r).occupancy.take(now, width)
	}
}

// settleSeats follows a change of the seats of a level, that were so many before, where counting
// along is not all.
func (c *Collector) settleSeats(now time.Duration, r *sim.Request, l *lane, before int64) {
	server := &c.servers[r.Server]
	if l.station.trims {
		c.askSeats(now, server, r.Level)
	}
	if c.several {
		server.seatsChanged(now, l.level.seats-before)
	}
}

// askSeats takes the seats in use from the server, where counting along would miss what
// it trims.
func (c *Collector) askSeats(now time.Duration, s *serverStats, level int32) {
	c.levels[level].correct(now, s.stations[level], int64(s.apf.LevelState(int(level)).SeatsInUse))
}

// Rejected counts a rejection, and the wait that ended in it: a request that ran out of
// time had waited, one that was turned away at once had not.
func (c *Collector) Rejected(now time.Duration, r *sim.Request) {
	open, counted := c.tick(now), c.includes(r.Arrival)
	if !open && !counted {
		return
	}
	lane := c.lane(r)
	if open {
		lane.leave(now, r.Queue)
		if lane.station.asks {
			c.readQueues(now, r)
		}
		c.failed(r)
	}
	if !counted {
		lane.early.rejected[r.Reason]++
		if r.Reason.Waited() {
			lane.early.waited(now - r.Arrival)
		}
		return
	}
	lane.rejected[r.Reason]++
	if r.Reason.Waited() {
		lane.cell.waited(now - r.Arrival)
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
	open, counted := c.tick(now), c.includes(r.Arrival)
	if open && (r.Status == workload.TimedOut || r.Late) {
		c.populations[r.Population].executedInVain(now, r)
	}
	if !counted {
		return
	}
	c.lane(r).ended(r)
	if r.Flow >= 0 {
		c.flow(r).finished++
	}
}

// Released notes that seats are free.
func (c *Collector) Released(now time.Duration, r *sim.Request) {
	if !c.tick(now) {
		return
	}
	lane, width := c.lane(r), r.Estimate.Width()
	before := lane.level.seats
	lane.free(now, width)
	if lane.station.trims || c.several {
		c.settleSeats(now, r, lane, before)
	}
	if r.Flow >= 0 {
		c.flow(r).occupancy.free(now, width)
	}
}

// Cut counts what was in a server that has stopped. Its seats and places in queues went with
// the server.
func (c *Collector) Cut(now time.Duration, r *sim.Request) {
	open, counted := c.tick(now), c.includes(r.Arrival)
	c.failed(r)
	if !open && !counted {
		return
	}
	lane := c.lane(r)
	if open && r.Level >= 0 {
		c.cutOff(now, r, lane)
	}
	switch {
	case r.Finished >= 0:
	case !counted:
		lane.early.cut++
	default:
		lane.cut(r)
		if r.Flow >= 0 {
			c.flow(r).cut(r)
		}
	}
}

// cutOff notes that a request that its server took with it waits no longer, or holds no seats.
func (c *Collector) cutOff(now time.Duration, r *sim.Request, l *lane) {
	if r.Dispatched < 0 {
		l.waiting.leave(now)
		l.population.backlog.change(now, -1)
		return
	}
	width := r.Estimate.Width()
	l.seats.free(now, width)
	if r.Flow >= 0 {
		c.flow(r).occupancy.free(now, width)
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
			c.setLimit(c.levels[i], s.stations[i], &info)
			c.adjusted(now, c.levels[i])
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
	c.columns.meet(s.apf)
	c.lanes.widen(len(s.apf.Schemas()))
	c.addLevels(now, server)
	for i, info := range s.apf.Levels() {
		l, at := c.levels[i], s.stations[i]
		before := l.seats
		l.reshape(at, &info)
		if c.timeline != nil {
			c.timeline.reshaped(now, i, s)
		}
		if s.up {
			c.askSeats(now, s, int32(i))
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
	l := c.levels[level]
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
		l := c.levels[i]
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
	c.takeLanes()
	c.out.partial, c.out.ended = partial, true
	c.out.columns, c.out.populationStats = c.columns.list, c.populations
	c.out.servers, c.out.deadlocks = c.servers, c.deadlocks
	c.out.takeFlows(c.flows, c.servers)
}

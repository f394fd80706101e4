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
// levels and their queues, and of populations and flow schemas that met, never the
// number of requests.
// The zero value is ready for one run.
type Collector struct {
	sim.Silent
	out     Collected
	server  server
	warmup  time.Duration
	started bool
	// measuring is true once the warm-up is over.
	measuring bool
	columns   columns
	cells     []cell // a row for each population
	levels    []levelStats
	flows     []flowStats
	clients   []clientStats
	crowding  crowding
}

// levelStats is what is known of a level beside the cells of its flow schemas.
type levelStats struct {
	gauge
	series
	isGone bool
}

// clientStats counts what happened to the clients of one population.
type clientStats struct{ retried, gaveUp, renewed, lost int64 }

func (c *clientStats) count(e sim.ClientEvent) {
	switch e {
	case workload.Retried:
		c.retried++
	case workload.GaveUp:
		c.gaveUp++
	case workload.LeaseRenewed:
		c.renewed++
	case workload.LeaseLost:
		c.lost++
	}
}

var _ sim.Observer = (*Collector)(nil)

func (c *clientStats) plus(d *clientStats) {
	c.retried += d.retried
	c.gaveUp += d.gaveUp
	c.renewed += d.renewed
	c.lost += d.lost
}

// NewCollector returns a collector for one replication.
func NewCollector() *Collector { return &Collector{} }

// Start is called before the first event.
func (c *Collector) Start(w *sim.World) {
	c.start(w.Config(), w.Replication(), w.Server())
}

func (c *Collector) start(cfg *sim.Config, replication int, s server) {
	if c.started {
		panic("reports: a Collector observes one run, and this is its second")
	}
	c.started = true
	c.server, c.warmup = s, cfg.Warmup
	c.out.describe(cfg, replication, s)
	c.cells = make([]cell, len(cfg.Populations)*c.columns.meet(s))
	c.clients = make([]clientStats, len(cfg.Populations))
	for _, info := range s.Levels() {
		c.addLevel(0, &info)
	}
}

// addLevel begins to follow a level that is new.
func (c *Collector) addLevel(now time.Duration, info *scheduler.LevelInfo) {
	c.levels = append(c.levels, levelStats{gauge: newGauge(now, info)})
	c.crowding.addLevel()
}

// tick notices the end of the warm-up.
func (c *Collector) tick(now time.Duration) {
	if !c.measuring && now >= c.warmup {
		c.begin()
	}
}

// begin begins to measure, at the end of the warm-up.
func (c *Collector) begin() {
	c.measuring = true
	for i := range c.levels {
		l := &c.levels[i]
		l.begin(c.warmup)
		if l.isGone {
			l.noLimit()
		}
		if l.asks {
			for queue := range c.server.LevelState(i).Queues {
				l.sawQueue(c.server.QueueState(i, queue).Waiting)
			}
		}
	}
	c.crowding.start = c.warmup
}

// counted tells whether a request belongs to the statistics.
func (c *Collector) counted(r *sim.Request) bool { return r.Arrival >= c.warmup }

// cell returns the cell of a request.
func (c *Collector) cell(r *sim.Request) *cell {
	return &c.cells[int(r.Population)*len(c.columns.list)+int(c.columns.of(r.Schema, r.Level))]
}

// flow returns the statistics of a flow, which may be new.
func (c *Collector) flow(id scheduler.FlowID) *flowStats {
	if int(id) >= len(c.flows) {
		c.meet(id)
	}
	return &c.flows[id]
}

// meet makes room for a flow.
func (c *Collector) meet(id scheduler.FlowID) {
	for int(id) >= len(c.flows) {
		c.flows = append(c.flows, flowStats{schema: -1, level: -1})
	}
}

// Arrived counts an attempt.
func (c *Collector) Arrived(now time.Duration, r *sim.Request) {
	c.tick(now)
	width := 0
	if r.Level >= 0 {
		width = r.Estimate.Width()
		l := &c.levels[r.Level]
		l.enter(now, r.Queue)
		if l.asks && r.Queue >= 0 {
			l.sawQueue(c.server.QueueState(int(r.Level), int(r.Queue)).Waiting)
		}
	}
	if !c.counted(r) {
		return
	}
	c.cell(r).arrived(r, width)
	if r.Flow >= 0 {
		c.flow(r.Flow).arrived(r, width)
	}
}

// Dispatched counts an execution and how long the request had waited for it.
func (c *Collector) Dispatched(now time.Duration, r *sim.Request) {
	c.tick(now)
	cell, counted := c.cell(r), c.counted(r)
	if counted {
		cell.executed++
	}
	if r.Level < 0 {
		return
	}
	l := &c.levels[r.Level]
	l.leave(now, r.Queue)
	l.take(&r.Estimate)
	c.askSeats(l, r.Level)
	width, from, wait := r.Estimate.Width(), max(now, c.warmup), now-r.Arrival
	cell.occupancy.take(from, width)
	if counted {
		cell.waited(wait)
	}
	if r.Flow < 0 {
		return
	}
	f := c.flow(r.Flow)
	f.occupancy.take(from, width)
	if counted {
		f.executed++
		f.waits.record(wait, flowDigits)
	}
}

// askSeats takes the seats in use from the server, where counting along would miss what
// it trims.
func (c *Collector) askSeats(l *levelStats, level int32) {
	if l.trims {
		l.seats = int64(c.server.LevelState(int(level)).SeatsInUse)
	}
}

// Rejected counts a rejection, and the wait that ended in it: a request that ran out of
// time had waited, one that was turned away at once had not.
func (c *Collector) Rejected(now time.Duration, r *sim.Request) {
	c.tick(now)
	c.levels[r.Level].leave(now, r.Queue)
	if !c.counted(r) {
		return
	}
	cell := c.cell(r)
	cell.rejected[r.Reason]++
	if r.Reason.Waited() {
		cell.waited(now - r.Arrival)
	}
	if r.Flow >= 0 {
		f := c.flow(r.Flow)
		f.rejected[r.Reason]++
		if r.Reason.Waited() {
			f.waits.record(now-r.Arrival, flowDigits)
		}
	}
}

// Finished counts the end of an execution.
func (c *Collector) Finished(_ time.Duration, r *sim.Request) {
	if !c.counted(r) {
		return
	}
	c.cell(r).finished++
	if r.Flow >= 0 {
		c.flow(r.Flow).finished++
	}
}

// Released notes that seats are free.
func (c *Collector) Released(now time.Duration, r *sim.Request) {
	c.tick(now)
	l := &c.levels[r.Level]
	l.free(now, &r.Estimate)
	c.askSeats(l, r.Level)
	width := r.Estimate.Width()
	until := max(now, c.warmup)
	c.cell(r).occupancy.free(until, width)
	if r.Flow >= 0 {
		c.flow(r.Flow).occupancy.free(until, width)
	}
}

// Adjusted notes the limits that hold from now on.
func (c *Collector) Adjusted(now time.Duration, _ int32) {
	c.tick(now)
	c.closePeriod(now)
	for i, info := range c.server.Levels() {
		if info.Status != scheduler.Gone {
			c.levels[i].adjusted(now, &info)
		}
	}
}

// adjusted notes the limit of a level that is in use.
func (l *levelStats) adjusted(now time.Duration, info *scheduler.LevelInfo) {
	l.setLimit(int64(info.Current))
	l.isGone = false
	l.advance(now)
	l.add(moment{time: now, limit: l.limit, seats: l.seats, queued: l.waiting})
}

// Reconfigured makes room for what is new, and notes what has changed.
func (c *Collector) Reconfigured(now time.Duration, _ int32) {
	c.tick(now)
	c.closePeriod(now)
	had := len(c.columns.list)
	c.cells = widen(c.cells, len(c.clients), had, c.columns.meet(c.server))
	for i, info := range c.server.Levels() {
		if i == len(c.levels) {
			c.addLevel(now, &info)
		}
		l := &c.levels[i]
		l.reshape(&info)
		c.askSeats(l, int32(i))
		switch {
		case info.Status != scheduler.Gone:
			l.adjusted(now, &info)
		case !l.isGone:
			l.gone(now)
		}
	}
	c.out.changed(now, c.server)
}

// gone notes that a level has no seats any more.
func (l *levelStats) gone(now time.Duration) {
	l.advance(now)
	l.limit, l.isGone = 0, true
	l.add(moment{time: now, gone: true})
}

// closePeriod ends the period since the last adjustment.
func (c *Collector) closePeriod(now time.Duration) {
	if c.measuring {
		c.crowding.closePeriod(now, c.flows, c.levels)
	}
	for i := range c.levels {
		c.levels[i].close(c.levels[i].closePeriod(now))
	}
}

// Client counts what happens to clients.
func (c *Collector) Client(now time.Duration, e sim.ClientEvent, population, _ int32, _ time.Duration) {
	if now >= c.warmup {
		c.clients[population].count(e)
	}
}

// End closes the books.
func (c *Collector) End(now time.Duration, partial bool) {
	c.tick(now)
	c.closePeriod(now)
	c.out.end, c.out.partial, c.out.panics = now, partial, c.server.Panics()
	c.out.window = max(now-c.warmup, 0)
	for i := range c.levels {
		c.levels[i].closeQueues()
	}
	end := max(now, c.warmup)
	for i := range c.cells {
		c.cells[i].occupancy.settle(end)
	}
	for i := range c.flows {
		c.flows[i].occupancy.settle(end)
	}
	c.out.columns, c.out.cells, c.out.clients, c.out.ended = c.columns.list, c.cells, c.clients, true
	c.out.takeLevels(c.levels, &c.crowding, c.server)
	c.out.takeFlows(c.flows, c.server)
}

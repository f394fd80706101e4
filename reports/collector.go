package reports

import (
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
)

// server is what collectors ask of a scheduler.Server, and what tests imitate.
type server interface {
	Levels() []scheduler.LevelInfo
	Schemas() []string
	SchemaLevel(schema int) int
	Flow(scheduler.FlowID) scheduler.FlowInfo
	LevelState(level int) fairqueue.State
}

// Collector observes one replication. Its memory follows the numbers of flows, of
// levels and their queues, and of populations and flow schemas that met, never the
// number of requests.
// The zero value is ready for one run.
type Collector struct {
	out     Collected
	server  server
	warmup  time.Duration
	columns int // of the matrix of cells: the flow schemas, and one for long-running requests
	started bool
	// measuring is true once the warm-up is over.
	measuring bool
	cells     []cell
	levels    []levelStats
	flows     []flowStats
	clients   []clientStats
	crowding  crowding
}

// levelStats is what is known of a level beside the cells of its flow schemas.
type levelStats struct {
	gauge
	series
}

// clientStats counts what happened to the clients of one population.
type clientStats struct{ retried, gaveUp, renewed, lost int64 }

func (c *clientStats) count(e sim.ClientEvent) {
	switch e {
	case sim.Retried:
		c.retried++
	case sim.GaveUp:
		c.gaveUp++
	case sim.LeaseRenewed:
		c.renewed++
	case sim.LeaseLost:
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
	c.columns = len(c.out.schemas) + 1
	c.cells = make([]cell, len(cfg.Populations)*c.columns)
	c.clients = make([]clientStats, len(cfg.Populations))
	c.levels = make([]levelStats, len(c.out.levels))
	c.crowding = newCrowding(len(c.out.levels))
	for i, info := range s.Levels() {
		c.levels[i].gauge = newGauge(&info)
	}
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
		c.levels[i].begin(c.warmup)
	}
	c.crowding.start = c.warmup
}

// counted tells whether a request belongs to the statistics.
func (c *Collector) counted(r *sim.Request) bool { return r.Arrival >= c.warmup }

// cell returns the cell of a request.
func (c *Collector) cell(r *sim.Request) *cell {
	return &c.cells[int(r.Population)*c.columns+int(r.Schema)+1]
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
		c.levels[r.Level].enter(now, r.Queue)
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
	if r.Reason == fairqueue.TimeOut {
		cell.waited(now - r.Arrival)
	}
	if r.Flow >= 0 {
		f := c.flow(r.Flow)
		f.rejected[r.Reason]++
		if r.Reason == fairqueue.TimeOut {
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
func (c *Collector) Adjusted(now time.Duration) {
	c.tick(now)
	c.closePeriod(now)
	for i, info := range c.server.Levels() {
		l := &c.levels[i]
		l.setLimit(int64(info.Current))
		l.advance(now)
		l.add(moment{time: now, limit: l.limit, seats: l.seats, queued: l.waiting})
	}
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
func (c *Collector) Client(now time.Duration, e sim.ClientEvent, population, _ int32) {
	if now >= c.warmup {
		c.clients[population].count(e)
	}
}

// End closes the books.
func (c *Collector) End(now time.Duration, partial bool) {
	c.tick(now)
	c.closePeriod(now)
	c.out.end, c.out.partial = now, partial
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
	c.out.cells, c.out.clients, c.out.ended = c.cells, c.clients, true
	c.out.takeLevels(c.levels, &c.crowding)
	c.out.takeFlows(c.flows, c.server)
}

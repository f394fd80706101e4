package exposition

import (
	"time"

	"github.com/apfsim/apfsim/reports"
	"github.com/apfsim/apfsim/sim"
)

// Observer counts what the servers of one run would tell in their metrics, and keeps what they would
// tell at each look (sim.Config.Looks) and at the end. Its memory follows the number of looks and the number of
// priority levels and flow schemas, never that of requests.
type Observer struct {
	sim.Silent
	world *sim.World
	// processes are those of the servers, nil for one that is down.
	processes []*process
	scrapes   []reports.Exposition
}

var _ sim.Observer = (*Observer)(nil)

// NewObserver returns an observer for one run.
func NewObserver() *Observer { return &Observer{} }

// Expositions returns what the servers that were up would have told, by time and then by the
// number of the server. The last time is the end of the run.
func (o *Observer) Expositions() []reports.Exposition { return o.scrapes }

// Start begins to count.
func (o *Observer) Start(w *sim.World) {
	o.world = w
	o.processes = make([]*process, w.Servers())
	for i := range o.processes {
		if w.Up(int32(i)) {
			o.processes[i] = newProcess(0, w.ServerAt(int32(i)))
		}
	}
}

// process returns the process that a request is with.
func (o *Observer) process(now time.Duration, server int32) *process {
	p := o.processes[server]
	if p != nil && now >= p.second {
		p.endSecond(now)
	}
	return p
}

// Arrived counts a request that has been estimated, and put into a queue if there is one.
func (o *Observer) Arrived(now time.Duration, r *sim.Request) {
	p := o.process(now, r.Server)
	if p == nil || r.Level < 0 {
		return
	}
	c := p.columnOf(r.Schema, r.Level)
	width := r.Estimate.Width()
	if width > 0 {
		c.width.observe(p.widths, int64(width))
	}
	a := p.apf.LastArrival()
	if a.Watchers >= 0 {
		c.watchers.observe(p.watchers, int64(a.Watchers))
	}
	if a.QueueLength == 0 {
		return
	}
	c.length.observe(p.lengths, int64(a.QueueLength))
	c.queued = true
	c.inqueue++
	c.inqueueSeats += int64(width)
	l := &p.levels[r.Level]
	l.waiting.add(now, 1)
	l.demand.add(now, width)
	p.kindOf(r).queue(now, 1)
}

// Dispatched counts a request that begins to execute.
func (o *Observer) Dispatched(now time.Duration, r *sim.Request) {
	p := o.process(now, r.Server)
	if p == nil || r.Level < 0 {
		return
	}
	c, l, k := p.columnOf(r.Schema, r.Level), &p.levels[r.Level], p.kindOf(r)
	c.dispatched++
	asked, width := r.Estimate.Width(), p.trim(r)
	if r.Queue >= 0 {
		c.inqueue--
		c.inqueueSeats -= int64(width)
		l.waiting.add(now, -1)
		l.demand.add(now, -width) // what a trimmed request asked for in vain stays: upstream's leak
		k.queue(now, -1)
	}
	k.execute(now, 1)
	if width == 0 { // an exempt request in a release that does not count those
		return
	}
	if width < asked {
		p.trimmed[requestKey{r.Population, r.ID}] = width
	}
	c.executed = true
	c.executing++
	c.executingSeats += int64(width)
	l.executing.add(now, 1)
	l.seats.add(now, width)
	l.demand.add(now, width)
	if p.measuresWait(r) {
		c.waited.observe(p.waits, int64(now-r.Arrival))
	}
}

// Rejected counts a request that is answered 429.
func (o *Observer) Rejected(now time.Duration, r *sim.Request) {
	p := o.process(now, r.Server)
	if p == nil {
		return
	}
	c := p.columnOf(r.Schema, r.Level)
	c.rejected[r.Reason]++
	k := p.kindOf(r)
	k.dropped++
	if !r.Reason.Waited() {
		c.turnedAway.observe(p.waits, 0)
		return
	}
	// Only those who were not put into a queue count as not executed.
	c.waited.observe(p.waits, int64(now-r.Arrival))
	width := r.Estimate.Width()
	c.inqueue--
	c.inqueueSeats -= int64(width)
	l := &p.levels[r.Level]
	l.waiting.add(now, -1)
	l.demand.add(now, -width)
	k.queue(now, -1)
}

// Finished counts an execution.
func (o *Observer) Finished(now time.Duration, r *sim.Request) {
	p := o.process(now, r.Server)
	if p == nil || r.Level < 0 {
		return
	}
	c := p.columnOf(r.Schema, r.Level)
	if r.Watch {
		c.watches.observe(p.executions, int64(now-r.Dispatched))
	} else {
		c.regular.observe(p.executions, int64(now-r.Dispatched))
	}
	p.kindOf(r).execute(now, -1)
	if r.Estimate.Width() > 0 {
		c.executing--
		p.levels[r.Level].executing.add(now, -1)
	}
}

// Released notes that seats are free.
func (o *Observer) Released(now time.Duration, r *sim.Request) {
	p := o.process(now, r.Server)
	width := r.Estimate.Width()
	if p == nil || width == 0 {
		return
	}
	if len(p.trimmed) > 0 {
		key := requestKey{r.Population, r.ID}
		if w, is := p.trimmed[key]; is {
			width = w
			delete(p.trimmed, key)
		}
	}
	p.columnOf(r.Schema, r.Level).executingSeats -= int64(width)
	l := &p.levels[r.Level]
	l.seats.add(now, -width)
	l.demand.add(now, -width)
}

// trim returns the seats that a request holds which has just been dispatched: final seats above
// the limit of its level are trimmed to it, unless it has no queue.
func (p *process) trim(r *sim.Request) int {
	width := r.Estimate.Width()
	if r.Queue < 0 || r.Estimate.FinalSeats <= 1 {
		return width
	}
	limit := p.apf.LevelState(int(r.Level)).Limit
	return max(r.Estimate.InitialSeats, min(r.Estimate.FinalSeats, limit))
}

// measuresWait tells whether the wait of a request is measured: not at exempt levels.
func (p *process) measuresWait(r *sim.Request) bool {
	return r.Queue >= 0 || !p.apf.Exempt(int(r.Level))
}

// Adjusted takes over the limits.
func (o *Observer) Adjusted(now time.Duration, server int32) {
	if p := o.process(now, server); p != nil {
		p.configured(now)
	}
}

// Reconfigured takes over the limits, and what is new.
func (o *Observer) Reconfigured(now time.Duration, server int32) { o.Adjusted(now, server) }

// Server begins and ends processes.
func (o *Observer) Server(now time.Duration, e sim.ServerEvent, server int32) {
	switch e {
	case sim.ServerStopped:
		o.processes[server] = nil
	case sim.ServerStarted:
		o.processes[server] = newProcess(now, o.world.ServerAt(server))
	}
}

// Look scrapes all servers.
func (o *Observer) Look(now time.Duration) {
	for i := range o.processes {
		if p := o.process(now, int32(i)); p != nil {
			o.scrapes = append(o.scrapes, reports.Exposition{Server: i, Time: reports.Duration(now), Families: p.families(now)})
		}
	}
}

// End scrapes all servers, unless that was done just now.
func (o *Observer) End(now time.Duration, _ bool) {
	if n := len(o.scrapes); n == 0 || o.scrapes[n-1].Time != reports.Duration(now) {
		o.Look(now)
	}
}

// queue and execute change how many requests of a kind wait and execute.
func (k *kindCounts) queue(now time.Duration, delta int) {
	k.waiting.add(now, delta)
	k.now[0] += int64(delta)
	k.highest[0] = max(k.highest[0], k.now[0])
}

func (k *kindCounts) execute(now time.Duration, delta int) {
	k.executing.add(now, delta)
	k.now[1] += int64(delta)
	k.highest[1] = max(k.highest[1], k.now[1])
}

// endSecond ends the seconds that are over: what was highest in the last one is shown until the next
// one is over. Only numbers at a change count, so after a second without one it is 0.
func (p *process) endSecond(now time.Duration) {
	over := (now-p.second)/time.Second + 1
	p.second += over * time.Second
	for i := range p.kinds {
		k := &p.kinds[i]
		if k.shown = k.highest; over > 1 {
			k.shown = [2]int64{}
		}
		k.highest = [2]int64{}
	}
}

package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// Server notes what happens to a server.
func (c *Collector) Server(now time.Duration, e sim.ServerEvent, server int32) {
	if !c.tick(now) {
		return
	}
	s := &c.servers[server]
	if c.phase == measuring {
		s.events[e]++
	}
	switch e {
	case sim.ServerStopped:
		c.closePeriod(now)
		s.seatsChanged(now, -s.seats)
		for i := range s.stations {
			c.levels[i].stop(now, s.stations[i])
		}
		s.up, s.stoppedAt = false, now
		c.up--
	case sim.ServerStarted:
		s.up = true
		s.downUntil(now)
		c.up++
	}
}

// Client counts what happens to clients.
func (c *Collector) Client(now time.Duration, e sim.ClientEvent, population, client int32, value time.Duration) {
	if !c.tick(now) {
		return
	}
	if e == workload.Retried {
		c.pause(now, population)
	}
	if e == workload.Throttled && now+value >= c.end() {
		c.populations[population].heldAtEnd++
	}
	c.populations[population].event(now, e, client, value, c.phase == measuring)
}

// Concluded counts what clients wanted and how that ended.
func (c *Collector) Concluded(now time.Duration, o *sim.Operation) {
	if c.tick(now) && o.Unsent && o.Attempts > 0 {
		c.resume(now, o.Population, o.Template)
	}
	c.populations[o.Population].concluded(now, o, c.includes(o.Began))
}

// Stuck keeps a deadlock.
func (c *Collector) Stuck(now time.Duration, d *sim.Deadlock) {
	if c.tick(now) && d.Number == len(c.deadlocks) {
		c.deadlocks = append(c.deadlocks, d)
	}
}

// Inverted counts a call that has waited in a queue while its caller held seats.
func (c *Collector) Inverted(now time.Duration, caller, called *sim.Request, wait time.Duration) {
	if c.includes(called.Arrival) {
		c.out.inverted(caller, called, wait)
	}
}

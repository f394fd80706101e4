package reports

import (
	"fmt"
	"math"
	"time"
)

// Option changes what a Collector is about.
type Option func(*Collector)

// Between makes a Collector be about a part of a run, and not about all that comes after the
// warm-up. The requests that arrive at from or later and before until count, with all that
// ever happens to them. Figures over time, and what happens to clients and servers, cover the
// time from from to until; a backlog that has not drained by then has not drained. An until of
// 0 is the end of the run. It panics if there is no time between the two.
//
// Windows that follow each other without a gap add up: to their counts, and to their sums over
// time, one collector of all of that time comes too.
func Between(from, until time.Duration) Option {
	if from < 0 || until != 0 && until <= from {
		panic(fmt.Sprintf("reports: no time lies between %v and %v", from, until))
	}
	return func(c *Collector) { c.window = window{from: from, until: until, asked: true} }
}

// Untimed makes a Collector keep no timeline, which nobody looks at where there are many runs.
func Untimed() Option { return func(c *Collector) { c.untimed = true } }

// window is the part of a run that a collector is about.
type window struct {
	from, until time.Duration
	// since is from, but the earliest time of all if the window begins with the run: what was there
	// before belongs to it, too.
	since time.Duration
	asked bool // and not what comes after the warm-up
	phase phase
	// next is when the phase ends, and due when that or a slice of the timeline does.
	next, due time.Duration
}

// phase tells where a run is: before the window, in it, or after it.
type phase uint8

const (
	early phase = iota
	measuring
	closed
)

// endless is the end of a window that ends with the run.
const endless = time.Duration(math.MaxInt64)

// open opens a window, which is what comes after the warm-up if nothing else was asked for.
func (w *window) open(warmup time.Duration) {
	if !w.asked {
		w.from = warmup
	}
	if w.until == 0 {
		w.until = endless
	}
	w.since = w.from
	if w.from == 0 {
		w.since = math.MinInt64
	}
	w.next, w.due = w.from, w.from
}

// includes tells whether something belongs to the window that happens at a time, such as the
// arrival of a request.
func (w *window) includes(t time.Duration) bool { return t >= w.since && t < w.until }

// end returns when the window ends, as far as it is known beforehand.
func (c *Collector) end() time.Duration {
	if c.out.duration > 0 {
		return min(c.until, c.out.duration)
	}
	return c.until
}

// tick notices that the window begins or ends. It tells whether it has not ended.
func (c *Collector) tick(now time.Duration) bool {
	if now >= c.due {
		c.turn(now)
	}
	return c.phase != closed
}

// turn lets the phases and the slices end that are over.
func (c *Collector) turn(now time.Duration) {
	for now >= c.due {
		switch {
		case c.timeline != nil && c.timeline.border == c.due:
			c.timeline.turn(c.levels)
		case c.phase == early:
			c.begin(now, c.from)
			c.phase, c.next = measuring, c.until
		default:
			c.closeBooks(now, c.until)
			c.phase, c.next = closed, endless
		}
		c.schedule()
	}
}

// schedule finds out what is due next.
func (c *Collector) schedule() {
	c.due = c.next
	if c.timeline != nil {
		c.due = min(c.due, c.timeline.border)
	}
}

// begin begins to measure at a time that has come by now.
func (c *Collector) begin(now, at time.Duration) {
	c.begun = look(c.behind, now, len(c.servers))
	for i := range c.levels {
		l := c.levels[i]
		l.begin(at)
		if l.isGone || c.several {
			l.noLimit()
		}
	}
	for i := range c.servers {
		s := &c.servers[i]
		s.begin(at)
		for level := range s.stations {
			s.stations[level].blame.begin(at)
			if s.stations[level].asks {
				for queue := range s.apf.LevelState(level).Queues {
					c.levels[level].sawQueue(s.apf.QueueState(level, queue).Waiting)
				}
			}
		}
	}
	for _, l := range c.lanes.list {
		l.seatsBefore = l.seats.until(at)
	}
	for i := range c.flows {
		c.flows[i].occupancy.restart(at)
	}
	for i := range c.populations {
		c.populations[i].begin(at)
	}
	c.crowding.start = at
}

// closeBooks ends, at a time that has come by now, all that is about the state over time. What
// becomes of the requests that count is still counted after that.
func (c *Collector) closeBooks(now, at time.Duration) {
	c.closePeriod(at)
	for i := range c.servers {
		s := &c.servers[i]
		s.end(at)
		for level := range s.stations {
			c.levels[level].closeQueues(s.stations[level])
			s.stations[level].blame.stop(at)
		}
	}
	for _, l := range c.levels {
		l.end(at)
	}
	for _, l := range c.lanes.list {
		l.seatTime = l.seats.until(at)
		l.seatTime.minus(l.seatsBefore)
	}
	for i := range c.flows {
		c.flows[i].occupancy.settle(at)
	}
	for i := range c.populations {
		c.populations[i].end(at)
	}
	if c.begun != nil {
		c.out.machines, c.out.members = c.begun.uses(look(c.behind, now, len(c.servers)))
	}
	c.out.takeLevels(c.levels, &c.crowding, c.servers)
	c.out.end, c.out.window = at, max(at, c.from)-c.from
}

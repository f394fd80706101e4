package reports

import (
	"time"

	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// peak is the largest value that a number had for some time, and what came after it. If it
// came back to that value after it had been 0, the later time counts.
type peak struct {
	value int64
	// at is since when it was so large, drained when it was 0 again after that; -1 is not yet.
	at, drained time.Duration
}

// lasted notes that the number had a value for some time from then on.
func (p *peak) lasted(from time.Duration, value int64) {
	switch {
	case value > p.value, value == p.value && value > 0 && p.drained >= 0:
		*p = peak{value, from, -1}
	case value == 0 && p.value > 0 && p.drained < 0:
		p.drained = from
	}
}

// larger merges the peaks of two replications: the larger one, and of two that are as large
// the one that took longer to drain.
func (p peak) larger(q peak) peak {
	switch {
	case p.value != q.value:
		if p.value > q.value {
			return p
		}
		return q
	case p.drained >= 0 && (q.drained < 0 || q.drained > p.drained):
		return q
	}
	return p
}

// backlog follows a number and its peak. Only values that last count.
type backlog struct {
	value int64
	since time.Duration
	peak  peak
}

// change adds to the number.
func (b *backlog) change(now time.Duration, by int64) {
	b.advance(now)
	b.value += by
}

// advance brings the peak up to now.
func (b *backlog) advance(now time.Duration) {
	if now != b.since {
		b.peak.lasted(b.since, b.value)
		b.since = now
	}
}

// begin forgets what has been before the end of the warm-up, but not what is.
func (b *backlog) begin(now time.Duration) {
	b.advance(now)
	b.peak = peak{}
}

// tally follows a number, its peak and its sum over time: how many nodes are not ready, say.
type tally struct {
	backlog
	// time is the number multiplied by the time.
	time Total
}

// change adds to the number.
func (t *tally) change(now time.Duration, by int64) {
	t.advance(now)
	t.value += by
}

// advance brings the tally up to now.
func (t *tally) advance(now time.Duration) {
	t.time.addProduct(t.value, now-t.since)
	t.backlog.advance(now)
}

// begin forgets what has been before the end of the warm-up, but not what is.
func (t *tally) begin(now time.Duration) {
	t.advance(now)
	t.peak, t.time = peak{}, Total{}
}

// pauses counts the clients of a population that wait between two attempts, by the request
// that they will send again: its template, and one more than that, as traces have none.
type pauses []pausing

// pausing is how many attempts at one request are to come, and the level that the latest one
// of them had come to; -1 is none.
type pausing struct {
	count int64
	level int32
}

// newPauses returns the pauses of a population.
func newPauses(def *workload.Population) pauses {
	p := make(pauses, len(def.Requests)+1)
	for i := range p {
		p[i].level = -1
	}
	return p
}

// failure is the attempt that has failed last: what a client does next is about that.
type failure struct {
	template, level int32
}

// failed notes an attempt that failed.
func (c *Collector) failed(r *sim.Request) {
	c.failure = failure{template: r.Template, level: r.Level}
}

// pause notes that a client will send its request again.
func (c *Collector) pause(now time.Duration, population int32) {
	p := &c.populations[population]
	t := &p.pauses[c.failure.template+1]
	if t.level != c.failure.level {
		c.pauseAt(now, t.level, -t.count)
		c.pauseAt(now, c.failure.level, t.count)
		t.level = c.failure.level
	}
	t.count++
	c.pauseAt(now, t.level, 1)
	p.backlog.change(now, 1)
}

// resume notes that a client pauses no longer.
func (c *Collector) resume(now time.Duration, population, template int32) {
	p := &c.populations[population]
	t := &p.pauses[template+1]
	if t.count == 0 {
		return // whoever tells this has not told of the pause
	}
	t.count--
	c.pauseAt(now, t.level, -1)
	p.backlog.change(now, -1)
}

// pauseAt counts clients among the backlog of a level.
func (c *Collector) pauseAt(now time.Duration, level int32, n int64) {
	if level >= 0 && n != 0 {
		l := c.levels[level]
		l.advance(now)
		l.pausing += n
	}
}

// barren is a time in which a population got nothing done: requests executed until their time
// was over, and not one operation succeeded.
type barren struct {
	from, until time.Duration
	// requests counts those that executed in vain.
	requests int64
}

// wasted notes that a request has executed in vain, since from.
func (b *barren) wasted(from, now, lastSuccess time.Duration) {
	if b.requests == 0 {
		b.from = max(from, lastSuccess)
	}
	b.requests++
	b.until = now
}

// longerThan compares times.
func (b *barren) longerThan(o *barren) bool { return b.until-b.from > o.until-o.from }

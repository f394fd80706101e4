package reports

import (
	"math/bits"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
)

// widthLabels are the buckets of apiserver_flowcontrol_work_estimated_seats in release
// 1.34 and later.
var widthLabels = [widthBuckets]string{"1", "2", "4", "8", "16", "32", "64", "100", "+Inf"}

const (
	widthBuckets = 9
	reasons      = fairqueue.Reasons
)

// widthBucket returns the index of the bucket that counts a width of at least 1: they
// end at powers of two, and at 100 instead of 128.
func widthBucket(width int) int {
	if width > 100 {
		return widthBuckets - 1
	}
	return bits.Len(uint(width - 1))
}

// counts are requests by what became of them.
type counts struct {
	arrivals, executed, finished int64
	rejected                     [reasons]int64 // by fairqueue.Reason
}

func (c *counts) plus(d *counts) {
	c.arrivals += d.arrivals
	c.executed += d.executed
	c.finished += d.finished
	for i := range c.rejected {
		c.rejected[i] += d.rejected[i]
	}
}

// refused returns all rejections.
func (c *counts) refused() (n int64) {
	for _, r := range c.rejected {
		n += r
	}
	return n
}

// occupancy is the integral of seats over time, for holders of seats that come and go.
// Seats that are taken at a and freed at b add seats times (b - a): as b is unknown at
// a, the parts are added apart, in modular arithmetic, and those who stay are settled
// at the end.
type occupancy struct {
	seats int64
	total Total
}

func (o *occupancy) take(at time.Duration, seats int) {
	o.seats += int64(seats)
	o.total.subProduct(int64(seats), at)
}

func (o *occupancy) free(at time.Duration, seats int) {
	o.seats -= int64(seats)
	o.total.addProduct(int64(seats), at)
}

// settle closes the integral at the end of the run.
func (o *occupancy) settle(end time.Duration) {
	o.free(end, int(o.seats))
}

// cell is what is known of the requests of one population in one flow schema. The
// figures of populations, schemas and levels are sums of cells, so that one update a
// request serves them all, and any of them can be told apart by the others.
type cell struct {
	counts
	first  int64 // arrivals that are no retries
	waits  waits
	bucket [waitBuckets]int64
	widths [widthBuckets]int64
	// widest and seatsAsked describe the widths: the largest and the sum.
	widest     int
	seatsAsked int64
	occupancy  occupancy
}

func (c *cell) arrived(r *sim.Request, width int) {
	c.arrivals++
	if r.Attempt == 0 {
		c.first++
	}
	if width > 0 {
		c.widths[widthBucket(width)]++
		c.seatsAsked += int64(width)
		c.widest = max(c.widest, width)
	}
}

// waited counts the wait of a request that was dispatched or ran out of time.
func (c *cell) waited(wait time.Duration) {
	c.waits.record(wait, cellDigits)
	c.bucket[waitBucket(wait)]++
}

// merge adds another cell to this one.
func (c *cell) merge(from *cell) {
	c.counts.plus(&from.counts)
	c.first += from.first
	c.waits.merge(&from.waits, cellDigits)
	for i := range c.bucket {
		c.bucket[i] += from.bucket[i]
	}
	for i := range c.widths {
		c.widths[i] += from.widths[i]
	}
	c.widest = max(c.widest, from.widest)
	c.seatsAsked += from.seatsAsked
	c.occupancy.total.plus(from.occupancy.total)
}

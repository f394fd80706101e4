package reports

import (
	"math/bits"
	"time"

	"github.com/apfsim/apfsim/scheduler/fairqueue"
	"github.com/apfsim/apfsim/sim"
	"github.com/apfsim/apfsim/workload"
)

// widthLabels are the buckets of apiserver_flowcontrol_work_estimated_seats in all releases.
var widthLabels = [widthBuckets]string{"1", "2", "4", "8", "10", "16", "32", "64", "100", "+Inf"}

const (
	widthBuckets = 10
	reasons      = fairqueue.Reasons
)

// widthBucket returns the index of the bucket that counts a width of at least 1: they
// end at powers of two, at 10, and at 100 instead of 128.
func widthBucket(width int) int {
	if width > 100 {
		return widthBuckets - 1
	}
	bucket := bits.Len(uint(width - 1))
	if width > 10 {
		bucket++
	}
	return bucket
}

// counts are requests by what became of them.
type counts struct {
	arrivals, executed, finished int64
	rejected                     [reasons]int64 // by fairqueue.Reason
	// cutWaiting and cutExecuting are what a server took with it when it stopped.
	cutWaiting, cutExecuting int64
}

// cut counts a request whose server has stopped before it had ended.
func (c *counts) cut(r *sim.Request) {
	if r.Dispatched < 0 {
		c.cutWaiting++
	} else {
		c.cutExecuting++
	}
}

func (c *counts) plus(d *counts) {
	c.arrivals += d.arrivals
	c.executed += d.executed
	c.finished += d.finished
	c.cutWaiting += d.cutWaiting
	c.cutExecuting += d.cutExecuting
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

// change takes seats, or with a negative number frees them.
func (o *occupancy) change(at time.Duration, seats int64) {
	if seats > 0 {
		o.take(at, int(seats))
	} else {
		o.free(at, -int(seats))
	}
}

// enter and leave are take and free of one seat.
func (o *occupancy) enter(at time.Duration) {
	o.seats++
	o.total.sub(at)
}

func (o *occupancy) leave(at time.Duration) {
	o.seats--
	o.total.add(at)
}

func (o *occupancy) take(at time.Duration, seats int) {
	o.seats += int64(seats)
	o.total.subProduct(int64(seats), at)
}

func (o *occupancy) free(at time.Duration, seats int) {
	o.seats -= int64(seats)
	o.total.addProduct(int64(seats), at)
}

// until returns the integral up to a time, which no holder comes after.
func (o *occupancy) until(at time.Duration) Total {
	sum := o.total
	sum.addProduct(o.seats, at)
	return sum
}

// restart forgets what has been until a time, but not who holds seats.
func (o *occupancy) restart(at time.Duration) {
	o.total = Total{}
	o.total.subProduct(o.seats, at)
}

// settle closes the integral at the end of the run.
func (o *occupancy) settle(end time.Duration) {
	o.free(end, int(o.seats))
}

// cell is what is known of the requests of one population in one flow schema. The
// figures of populations, schemas and levels are sums of cells.
type cell struct {
	counts
	first  int64 // arrivals that are no retries
	waits  waits
	bucket [waitBuckets]int64
	widths [widthBuckets]int64
	// widest and seatsAsked describe the widths: the largest and the sum. Requests of one seat are
	// not among any of the three before close.
	widest     int
	seatsAsked int64
	// seatTime is the seats that were in use multiplied by the time, of all requests.
	seatTime Total
	execution
}

// execution is how long requests executed that finished, without the time that they waited for
// their calls, against how long they would have taken on an idle server.
type execution struct {
	executing, unloaded Total
	// inStorage is the part of executing that was spent with etcd, other requests' turn included.
	inStorage Total
	// timedOut counts those whose time was over before they were done, whether the server took
	// notice or not, timedOutInCalls those of
	// which it was over while they waited for their calls.
	timedOut, timedOutInCalls int64
	// calls is what those that succeeded, succeeded in number, waited for their calls.
	calls     Total
	succeeded int64
}

// ended counts a request whose execution has ended.
func (c *cell) ended(r *sim.Request) {
	c.finished++
	c.executing.add(r.Finished - r.Dispatched - r.Calls)
	c.unloaded.add(r.Work())
	c.inStorage.add(r.InStorage)
	switch {
	case r.Late:
		c.timedOut++
	case r.Status == workload.OK:
		c.succeeded++
		c.calls.add(r.Calls)
	case r.Status == workload.TimedOut && r.Calls > 0 && r.Calls == r.Finished-r.Dispatched:
		c.timedOutInCalls++
	case r.Status == workload.TimedOut:
		c.timedOut++
	}
}

func (e *execution) plus(from *execution) {
	e.executing.plus(from.executing)
	e.unloaded.plus(from.unloaded)
	e.inStorage.plus(from.inStorage)
	e.timedOut += from.timedOut
	e.timedOutInCalls += from.timedOutInCalls
	e.calls.plus(from.calls)
	e.succeeded += from.succeeded
}

func (c *cell) arrived(r *sim.Request, width int) {
	c.arrivals++
	if r.Attempt == 0 {
		c.first++
	}
	if width > 1 {
		c.wide(width)
	}
}

// wide counts the width of a request.
func (c *cell) wide(width int) {
	c.widths[widthBucket(width)]++
	c.seatsAsked += int64(width)
	c.widest = max(c.widest, width)
}

// close brings all up to date in the end. It adds the requests of one seat, if there are seats.
func (c *cell) close(seats bool) {
	c.waits.gather()
	narrow := c.arrivals
	for _, n := range c.widths {
		narrow -= n
	}
	if seats && narrow > 0 {
		c.widths[0] = narrow
		c.seatsAsked += narrow
		c.widest = max(c.widest, 1)
	}
}

// waited counts the wait of a request that was dispatched or ran out of time.
func (c *cell) waited(wait time.Duration) {
	c.waits.record(wait, fine)
	c.bucket[waitBucket(wait)]++
}

// merge adds another cell to this one.
func (c *cell) merge(from *cell) {
	c.counts.plus(&from.counts)
	c.first += from.first
	c.waits.merge(&from.waits, fine)
	for i := range c.bucket {
		c.bucket[i] += from.bucket[i]
	}
	for i := range c.widths {
		c.widths[i] += from.widths[i]
	}
	c.widest = max(c.widest, from.widest)
	c.seatsAsked += from.seatsAsked
	c.seatTime.plus(from.seatTime)
	c.execution.plus(&from.execution)
}

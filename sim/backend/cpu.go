package backend

import (
	"fmt"
	"time"
)

// CPU is a number of cores that jobs share: each of n jobs advances at min(1, cores/n)
// of the speed of a core. It is the model of processor sharing for a multi-threaded server
// whose scheduler gives out slices that are short against the work of a request, as Go's
// (10 ms at most) and Linux' are.
//
// Every call tells the time, which must not go back, nor pass by the time that Next tells.
type CPU struct {
	pool pool
	// capacity is the cores in thousandths, as Kubernetes counts them.
	capacity uint64
	slow     Factor
	// used is the core time in thousandths of nanoseconds, of 128 bits.
	usedHigh, usedLow uint64
}

// NewCPU returns idle cores. milliCores are thousandths of cores, 1 to 1e9: with less than
// 1000, a job that is alone gets less than a core.
func NewCPU(milliCores int64) *CPU {
	if milliCores < 1 || milliCores > milliCoresMax {
		panic(fmt.Sprintf("backend: %d thousandths of cores", milliCores))
	}
	c := &CPU{capacity: uint64(milliCores), slow: Unchanged}
	c.repace()
	return c
}

// milliCoresMax is a million cores.
const milliCoresMax = 1e9

// perCore is the number of thousandths in a core.
const perCore = 1000

// Add starts a job. A job below 0 is one that nobody waits for: it takes its share, and is
// gone without notice when it is done. Another one must not be there already, and
// its work must not be negative.
func (c *CPU) Add(now time.Duration, job int32, work time.Duration) {
	c.advance(now)
	c.pool.add(job, work)
	c.repace()
}

// Remove takes a job out before it is done, and tells whether it was there.
func (c *CPU) Remove(now time.Duration, job int32) bool {
	c.advance(now)
	if !c.pool.has(job) {
		return false
	}
	c.pool.remove(job)
	c.repace()
	return true
}

// Next returns when the next job will be done if none comes or goes; false if there is none
// or the cores stand still. Jobs that nobody waits for count: Take has to be called for
// them too.
func (c *CPU) Next() (at time.Duration, ok bool) { return c.pool.next() }

// Take removes the jobs that are done by now, and returns those that are not below 0, in the
// order in which they had their work. Of jobs that had it at once, the one that came first
// is first. The result is good until the next call.
func (c *CPU) Take(now time.Duration) []int32 {
	c.advance(now)
	done := c.pool.take()
	c.repace()
	return done
}

// Clear removes all jobs: the server has died.
func (c *CPU) Clear(now time.Duration) {
	c.advance(now)
	for len(c.pool.heap) > 0 {
		c.pool.delete(len(c.pool.heap) - 1)
	}
	c.repace()
}

// Slow makes the cores slower by a factor from now on, also for jobs that are there.
func (c *CPU) Slow(now time.Duration, f Factor) {
	c.advance(now)
	c.slow = f
	c.repace()
}

// Jobs is how many jobs there are, with those that nobody waits for.
func (c *CPU) Jobs() int { return len(c.pool.heap) }

// Used is the core time that has been used until now, rounded down to nanoseconds. A core
// that is slowed down counts as used for as long as it has a job. It is what
// process_cpu_seconds_total shows.
func (c *CPU) Used(now time.Duration) time.Duration {
	c.advance(now)
	return time.Duration(div128(c.usedHigh, c.usedLow, perCore))
}

// Cores is the number of cores in thousandths.
func (c *CPU) Cores() int64 { return int64(c.capacity) }

// advance lets time pass.
func (c *CPU) advance(now time.Duration) {
	if d := now - c.pool.now; d > 0 {
		c.usedHigh, c.usedLow = addProduct(c.usedHigh, c.usedLow, uint64(d), c.occupied())
	}
	c.pool.advance(now)
}

// occupied is how many thousandths of cores have a job.
func (c *CPU) occupied() uint64 { return min(uint64(len(c.pool.heap))*perCore, c.capacity) }

// repace computes the pace of each job: its part of the cores, over the factor that they
// are slower by.
func (c *CPU) repace() {
	n := uint64(max(1, len(c.pool.heap)))
	c.pool.pace = c.slow.over(min(n*perCore, c.capacity), n*perCore)
}

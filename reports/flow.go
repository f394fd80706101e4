package reports

import (
	"slices"
	"time"

	"github.com/apfsim/apfsim/scheduler"
	"github.com/apfsim/apfsim/sim"
)

// flowStats is what is known of the requests of one flow.
type flowStats struct {
	counts
	schema, level int32 // -1 before the first request
	// server and id tell who knows what the flow is.
	server int32
	id     scheduler.FlowID
	// demand is the work, in seats multiplied by nanoseconds, that has been offered since
	// the last adjustment; offered and crowded are the sums of it over all periods and
	// over the periods in which the level was crowded.
	demand           int64
	offered, crowded Total
	// due is what of it the flow had a right to; see crowding.
	due       Total
	users     users
	occupancy occupancy
	waits     waits
}

// arrived counts an arrival and the work that it offers: the seats of the request for
// as long as it would hold them.
func (f *flowStats) arrived(r *sim.Request, width int) {
	f.schema, f.level = r.Schema, r.Level
	f.arrivals++
	f.users.add(r.Population)
	f.demand += int64(width) * int64(r.Work()+r.Estimate.AdditionalLatency)
}

// crowding finds the elephants of each level, period by period: between two
// adjustments the limit of a level is a constant, and so is the share of a flow in it.
//
// A period in which the flows of a level offer more work than its seats can do is
// crowded. Its fair share is the max-min one: the largest amount to which all flows can
// be cut so that what is left of them fits. A flow that offered more, over all crowded
// periods together, than the sum of those shares is an elephant; the others are mice.
// What a flow is due in a period is what it offers, but in a crowded one not more than the
// fair share.
type crowding struct {
	start time.Duration
	// fair is the sum of the fair shares of the crowded periods, by level, and count the
	// number of those periods.
	fair    []Total
	periods []int64
	demands [][]int64 // scratch: the demands of the period by level
	shares  []int64   // scratch: the fair shares of the period by level, -1 where it is not crowded
}

// addLevel makes room for one more level.
func (c *crowding) addLevel() {
	c.fair, c.periods = append(c.fair, Total{}), append(c.periods, 0)
	c.demands, c.shares = append(c.demands, nil), append(c.shares, -1)
}

// closePeriod ends a period, in which each level had the limit of its gauge.
func (c *crowding) closePeriod(now time.Duration, flows []flowStats, levels []*levelStats) {
	if now == c.start {
		return
	}
	for i := range c.demands {
		c.demands[i] = c.demands[i][:0]
	}
	for i := range flows {
		if f := &flows[i]; f.demand > 0 {
			c.demands[f.level] = append(c.demands[f.level], f.demand)
		}
	}
	for i, demands := range c.demands {
		capacity := levels[i].limit * int64(now-c.start)
		if share, crowded := fairShare(demands, capacity); crowded {
			c.fair[i].addProduct(share, 1)
			c.periods[i]++
			c.shares[i] = share
		} else {
			c.shares[i] = -1
		}
	}
	for i := range flows {
		f := &flows[i]
		if f.demand == 0 {
			continue
		}
		f.offered.addProduct(f.demand, 1)
		due := f.demand
		if share := c.shares[f.level]; share >= 0 {
			f.crowded.addProduct(f.demand, 1)
			due = min(due, share)
		}
		f.due.addProduct(due, 1)
		f.demand = 0
	}
	c.start = now
}

// fairShare returns the max-min fair share of a capacity: the largest amount, rounded
// down, such that the demands, each cut to it, fit into the capacity together. If they
// fit anyway, nobody has to be cut and crowded is false. It sorts the demands.
//
// This is the progressive filling of D. Bertsekas and R. Gallager, Data Networks, 2nd
// edition, section 6.5.2, for one link.
func fairShare(demands []int64, capacity int64) (share int64, crowded bool) {
	slices.Sort(demands)
	left := capacity
	for i, d := range demands {
		share = left / int64(len(demands)-i)
		if d > share {
			return share, true
		}
		left -= d
	}
	return 0, false
}

package observed

import (
	"math"

	"github.com/apfsim/apfsim/scheduler"
)

// crowd is a number of flows that are alike, with a share of the arrivals of their cell.
type crowd struct {
	suffix string
	flows  int
	share  float64
	// why says where the number comes from.
	why string
}

// What is said of the number of flows.
const (
	whyGiven   = "as --flows says"
	whyNothing = "an assumption: nothing tells how many users there are"
	whyOne     = "one: the schema makes one flow of all, or only one sender is known"
	whyQueues  = "from the lengths of the queues: so many flows fill as many of them"
	whyTried   = "; of what was tried, nearest to what was observed"
	whyShort   = "an assumption; these arrivals saw short queues, beside the long ones"
)

// crowds tells how many flows the requests of a cell are of. A queue is a flow's or of several; the
// hands of n flows cover of Q queues, h each,
//
//	Q x (1 - (1 - h/Q)^n)
//
// on average. How many queues are long follows from how many requests wait in them, and how long
// each one saw its own queue. Arrivals that saw a short queue while others are long are of other
// flows, which send little.
func crowds(t *total, level *scheduler.PriorityLevel, many bool, given, assumed int) []crowd {
	switch {
	case !many:
		return []crowd{{"", 1, 1, whyOne}}
	case given > 0:
		return []crowd{{"", given, 1, whyGiven}}
	case level.Queuing == nil || t.QueueLength.Count() == 0 || level.Queuing.Queues < 2:
		return []crowd{{"", assumed, 1, whyNothing}}
	}
	short, long, meanLong := lengths(t)
	if !twoHumps(t) {
		short, meanLong = 0, t.QueueLength.Sum/float64(t.QueueLength.Count())
	}
	if long < 0.05*float64(t.QueueLength.Count()) || meanLong < shortQueue {
		return []crowd{{"", assumed, 1, whyNothing}}
	}
	queues, hand := float64(level.Queuing.Queues), float64(level.Queuing.HandSize)
	covered := min(t.waiting/meanLong, queues-0.5)
	n := int(math.Round(math.Log(1-covered/queues) / math.Log(1-hand/queues)))
	heavy := crowd{"", max(1, n), 1, whyQueues}
	if part := short / float64(t.Arrivals); part > 0.01 {
		heavy.share = max(0, 1-part)
		return []crowd{heavy, {"-light", assumed, part, whyShort}}
	}
	return []crowd{heavy}
}

// shortQueue is the length up to which a queue is short: the first bucket of the server's
// histogram that has anything in it.
const shortQueue = 10

// twoHumps tells whether the lengths of the queues are of two kinds: short ones, and beyond a gap
// long ones. One kind of flows alone spreads over both without a gap.
func twoHumps(t *total) bool {
	h := t.QueueLength
	low, below := 0.0, 0.0
	for i, bound := range h.Bounds {
		n := float64(h.Counts[i])
		if bound > shortQueue {
			return n/(bound-low) < below/shortQueue/4
		}
		below, low = below+n, bound
	}
	return false
}

// lengths tells how many requests saw a short queue, how many a long one, and how long that was on
// average.
func lengths(t *total) (short, long, meanLong float64) {
	h := t.QueueLength
	for i, bound := range h.Bounds {
		if bound <= shortQueue {
			short += float64(h.Counts[i])
		}
	}
	long = float64(h.Count()) - short
	if long <= 0 {
		return short, 0, 0
	}
	return short, long, (h.Sum - 2*short) / long
}

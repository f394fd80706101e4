package lint

import (
	"fmt"
	"slices"
	"time"

	"github.com/apfsim/apfsim/scenarios/seats"
	"github.com/apfsim/apfsim/scheduler/estimate"
	"github.com/apfsim/apfsim/scheduler/shuffle"
)

// What the numbers of a level amount to on a server of the given size.

const (
	limitedPath = "spec.limited"
	sharesPath  = limitedPath + ".nominalConcurrencyShares"
	queuingPath = limitedPath + ".limitResponse.queuing"
)

// checkLevel gives all advice on a level.
func (c *checker) checkLevel(l *level) {
	if l.spec.Exempt {
		c.checkReserve(l)
		return
	}
	c.checkUse(l)
	c.checkSize(l)
	c.checkLending(l)
	c.checkBorrowing(l)
	c.checkQueues(l)
}

// checkReserve looks for seats that the exempt level keeps. Its own requests need none.
func (c *checker) checkReserve(l *level) {
	if l.Min == 0 {
		return
	}
	c.say(l.Source, "spec.exempt.nominalConcurrencyShares", advice{code: "APF033",
		message: fmt.Sprintf("%s of %d are kept from all other levels for exempt requests, which are executed in any case", count(l.Min, "seat"), c.compiled.Seats),
		hint:    "say lendablePercent: 100 to lend them while there are no exempt requests"})
}

// checkUse looks for a level that no request comes to.
func (c *checker) checkUse(l *level) {
	used := slices.ContainsFunc(l.schemas, func(s *schema) bool { return !s.dead })
	if used || l.Nominal == 0 {
		return
	}
	why := "no FlowSchema refers to it"
	if len(l.schemas) > 0 {
		why = fmt.Sprintf("the FlowSchemas that refer to it, such as %s, never match", l.schemas[0].name())
	}
	c.say(l.Source, sharesPath, advice{code: "APF004",
		message: fmt.Sprintf("no request comes to the level %s: %s; its %s of %d are taken from the other levels' shares", l.name(), why, count(l.Nominal, "seat"), c.compiled.Seats),
		hint:    "remove it, or let a FlowSchema name it"})
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// checkSize looks for levels with too few seats for what they are to do: the worst of
// what is wrong with each.
func (c *checker) checkSize(l *level) {
	q, nominal := l.spec.Queuing, l.Nominal
	switch {
	case nominal == 0:
		c.checkJail(l)
	case q == nil:
	case nominal == 1:
		c.say(l.Source, sharesPath, advice{code: "APF021",
			message: fmt.Sprintf("the level %s has one seat of %d: its requests are executed one after the other, and each waits for all that are before it", l.name(), c.compiled.Seats),
			hint:    "give it more shares, or send its requests to another level"})
	case l.WidestList*int(q.HandSize) > nominal:
		c.say(l.Source, queuingPath+".handSize", advice{code: "APF022",
			message: fmt.Sprintf("one flow can take all of the level %s: a hand of %d queues times %s is more than its %s",
				l.name(), q.HandSize, count(l.WidestList, "seat"), count(nominal, "seat")),
			hint: "give it a smaller hand or more shares"})
	case l.WidestList == 1 && c.profile.Estimate.Lists != estimate.ListsOneSeat:
		c.say(l.Source, sharesPath, advice{code: "APF023",
			message: fmt.Sprintf("in the level %s even the widest LIST counts as one seat of its %d: large lists and small requests weigh the same", l.name(), nominal),
			hint:    fmt.Sprintf("with a handSize of %d it takes %d seats for a width of 2", q.HandSize, max(7, 2*int(q.HandSize)))})
	}
}

// checkJail looks at a level without seats of its own.
func (c *checker) checkJail(l *level) {
	a := advice{code: "APF020", hint: "give it shares; to keep somebody out, take away their rights instead"}
	switch {
	case l.spec.Queuing == nil && *l.Alone == 0:
		a.message = fmt.Sprintf("the level %s has no seats and cannot borrow any: it executes one request at a time and rejects the others", l.name())
	case l.spec.Queuing == nil:
		a.message = fmt.Sprintf("the level %s has no seats: it executes one request at a time, and more every 10s as it borrows, up to %d while the other levels are idle", l.name(), *l.Alone)
		a.hint = "give it shares, or borrowingLimitPercent: 0 if one request at a time is meant; to keep somebody out, take away their rights instead"
	case *l.Alone == 0:
		a.message = fmt.Sprintf("the level %s has no seats and cannot borrow any: no request in its queues is ever executed", l.name())
	default:
		a.message = fmt.Sprintf("the level %s has no seats: requests wait in its queues until it can borrow some, up to 10s", l.name())
	}
	c.say(l.Source, sharesPath, a)
}

// checkLending looks for a level that lends so much that it has nothing when idle.
func (c *checker) checkLending(l *level) {
	if l.Nominal < 2 || *l.Idle > 0 {
		return
	}
	what := "its first requests wait until they are given back, up to 10s"
	if l.spec.Queuing == nil {
		what = "executes one request at a time, and more every 10s as some are given back"
	}
	c.say(l.Source, limitedPath+".lendablePercent", advice{code: "APF024",
		message: fmt.Sprintf("when idle the level %s lends all of its %s, and %s", l.name(), count(l.Nominal, "seat"), what),
		hint:    "lend less"})
}

// checkBorrowing looks for an upper limit that the other levels can never fill.
func (c *checker) checkBorrowing(l *level) {
	if l.spec.BorrowingLimitPercent <= 0 || l.Nominal == 0 {
		return
	}
	if reach := *l.Alone; l.Max > reach {
		c.say(l.Source, limitedPath+".borrowingLimitPercent", advice{code: "APF025",
			message: fmt.Sprintf("%d %% lets the level %s have %s, and it gets %d at most: the other levels lend no more even when idle",
				l.spec.BorrowingLimitPercent, l.name(), count(l.Max, "seat"), reach),
			hint: "leave it out where no limit is meant"})
	}
}

// The bounds beyond which queues are called too long, and a hand too weak.
const (
	// manyWaiting is about eight times what the largest built-in level can hold.
	manyWaiting = 50_000
	// strong and crowded are the odds, in percent, that one flow or four flows leave no
	// queue to another one. Those of the weakest built-in level are 0.05 and 19.
	strong, crowded = 1.0, 50.0
)

// checkQueues looks for queues that cost memory, and for hands that isolate nothing.
func (c *checker) checkQueues(l *level) {
	q := l.spec.Queuing
	if q == nil {
		return
	}
	if waiting := int64(q.Queues) * int64(q.QueueLengthLimit); waiting > manyWaiting {
		c.say(l.Source, queuingPath+".queueLengthLimit", advice{code: "APF026",
			message: fmt.Sprintf("%d requests can wait in the level %s, which may take %d GB of memory; to execute all within the %s that each may wait, its %s must execute %d a second",
				waiting, l.name(), waiting/1000*seats.DefaultBytesPerRequest/1_000_000, l.Queuing.WaitLimit, count(l.Nominal, "seat"), waiting/seconds(l.Queuing.WaitLimit)),
			hint: "queues are for bursts: the default of 50 for each queue is enough for most levels"})
	}
	if q.Queues == 1 {
		c.checkOneQueue(l)
		return
	}
	one := odds(q.Queues, q.HandSize, 1)
	four := odds(q.Queues, q.HandSize, 4)
	if one >= strong || four >= crowded {
		c.say(l.Source, queuingPath+".handSize", advice{code: "APF027",
			message: fmt.Sprintf("hands of %d out of %d queues keep few flows apart: one busy flow blocks another one entirely with odds of %.3g %%, four with %.3g %%",
				q.HandSize, q.Queues, one, four),
			hint: "take more queues: with 64 and a hand of 6 these odds are 0.000001 % and 0.07 %"})
	}
}

// seconds are the whole seconds of a duration, at least one.
func seconds(d seats.Duration) int64 { return max(1, int64(time.Duration(d)/time.Second)) }

// odds returns in percent how likely a number of busy flows leaves no queue to another.
func odds(queues, hand int32, elephants int) float64 {
	p, _ := shuffle.Covered(int(queues), int(hand), elephants).Float64()
	return 100 * p
}

// checkOneQueue looks for flows that share the only queue of a level.
func (c *checker) checkOneQueue(l *level) {
	i := slices.IndexFunc(l.schemas, func(s *schema) bool { return s.severalUsers() && !s.dead })
	if i < 0 {
		return
	}
	c.say(l.Source, queuingPath+".queues", advice{code: "APF027",
		message: fmt.Sprintf("the only queue of the level %s is shared by all users of %s: one busy user fills it for all", l.name(), l.schemas[i].name()),
		hint:    "take more queues to keep them apart"})
}

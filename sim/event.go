package sim

import (
	"math/bits"
	"time"
)

// class orders the events of one instant. The real server leaves that order to
// chance; ours is fixed so that what ends comes before what begins: seats and queue
// places that are free at an instant are free for a request that arrives at that
// instant, and a request that expires at an instant does not lose its turn to its
// own deadline while the seat it waits for is being freed.
type class uint8

const (
	// classFinish: an execution ends.
	classFinish class = iota
	// classRelease: the seats of a finished request are free.
	classRelease
	// classExpire: a wait limit is reached. A request that a finish of the same instant
	// dispatches is no longer waiting.
	classExpire
	// classAdjust: the limits of all levels are adjusted, knowing all that ended.
	classAdjust
	// classChange: the configuration changes, or a server stops or starts. The adjustment of the same instant is about
	// the time before, and what arrives meets the new configuration.
	classChange
	// classClient: something inside a client is due, such as a renew deadline.
	classClient
	// classArrive: a request arrives.
	classArrive
	// classLast: an execution ends of which a trace tells that it ended after what else happened
	// at that instant, such as the rejection of a call that it waited for.
	classLast
	// classLook: observers look at the state that an instant has left behind.
	classLook
)

// action tells what to do at an event, within its class.
type action uint8

const (
	actFinish      action = iota // ref is a request slot
	actStage                     // ref is a request slot: a stage of its execution ends
	actRelease                   // ref is a request slot
	actExpire                    // ref is an index of World.expiry
	actDeadline                  // ref is a request slot: its client or server gives it up
	actAdjust                    // ref is a server
	actChange                    // ref is an index of Config.Changes
	actOperation                 // ref is an index of Config.Operations
	actCPU                       // ref is a server: work on its CPU is done
	actStorage                   // ref is not used: the storage has done something
	actStall                     // ref is an index of behind.stalls
	actOutOfMemory               // ref is a server, to be killed
	actRestart                   // ref is a server that was killed
	actCacheReady                // ref is a server
	actWake                      // ref is an index of World.wakes
	actWithdraw                  // ref is an index of World.operations
	actAnswer                    // ref is an index of routing.answers
	actEndWatch                  // ref is an index of World.watches
	actOpen                      // ref is a client, its next open arrival is due
	actSend                      // ref is an index of World.drafts: a retry, or a closed client's next request
	actTrace                     // ref is an index of World.traces, its next line is due
	actDeliver                   // ref is a request slot: it comes to its server
	actLook                      // ref is an index of Config.Looks
)

// event is one entry of the event queue: 24 bytes, no pointers.
type event struct {
	at time.Duration
	// order is the class in the upper 8 bits and the sequence number below.
	order uint64
	ref   int32
	act   action
}

// before tells whether e comes first.
func (e *event) before(o *event) bool { return first(e, o) != 0 }

// first returns 1 if e comes before o, else 0. It is the borrow of a subtraction of two
// numbers of 128 bits: which of four siblings comes first is anybody's guess, and a
// processor that guesses branches loses.
func first(e, o *event) uint64 {
	_, borrow := bits.Sub64(e.order, o.order, 0)
	_, borrow = bits.Sub64(uint64(e.at), uint64(o.at), borrow)
	return borrow
}

// eventQueue is a 4-ary heap of events: half as deep as a binary one, with the four
// children of a node next to each other in memory.
//
// Most events are followed by exactly one new event (an arrival by the next arrival,
// a finish by the finish of who was dispatched). So pop leaves a hole at the root,
// and the next push fills it: one sift instead of two.
type eventQueue struct {
	events   []event
	hole     bool // events[0] has been taken
	sequence uint64
	// grain is Config.Resolution.
	grain time.Duration
}

// len counts the events in the queue.
func (q *eventQueue) len() int {
	if q.hole {
		return len(q.events) - 1
	}
	return len(q.events)
}

// push adds an event; among events of the same time and class, first in is first out. The
// sequence numbers count all events of a run, and have 56 bits for that.
// It returns the order of the event, by which whoever keeps it knows the event again.
func (q *eventQueue) push(at time.Duration, c class, a action, ref int32) uint64 {
	if q.grain > 0 && a.shows() {
		at = q.whole(at)
	}
	q.sequence++
	order := uint64(c)<<56 | q.sequence
	q.add(event{at: at, order: order, ref: ref, act: a})
	return order
}

// add adds an event that has its order already.
func (q *eventQueue) add(e event) {
	if q.hole {
		q.hole = false
		q.down(e)
		return
	}
	q.events = append(q.events, e)
	i := len(q.events) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&q.events[parent]) {
			break
		}
		q.events[i] = q.events[parent]
		i = parent
	}
	q.events[i] = e
}

// pop takes the first event. The queue must not be empty.
func (q *eventQueue) pop() event {
	q.settle()
	q.hole = true
	return q.events[0]
}

// settle closes the hole that the last pop left.
func (q *eventQueue) settle() {
	if !q.hole {
		return
	}
	q.hole = false
	last := len(q.events) - 1
	e := q.events[last]
	q.events = q.events[:last]
	if last > 0 {
		q.down(e)
	}
}

// down puts e at the root and lets it sink to its place.
func (q *eventQueue) down(e event) {
	events := q.events
	i := uint(0)
	for {
		child := firstChild(events, 4*i+1)
		if child == 0 || !events[child].before(&e) {
			break
		}
		events[i] = events[child]
		i = child
	}
	events[i] = e
}

// firstChild returns which of the siblings from c on comes first, 0 if there are none: the
// root is nobody's child. The case of all four siblings, which all but one of the inner
// nodes have, is a knock-out without a loop.
func firstChild(events []event, c uint) uint {
	if c+3 < uint(len(events)) {
		s := events[c : c+4 : c+4]
		left := uint(first(&s[1], &s[0]))
		right := 2 + uint(first(&s[3], &s[2]))
		return c + left + (right-left)*uint(first(&s[right], &s[left]))
	}
	if c >= uint(len(events)) {
		return 0
	}
	least := c
	for c++; c < uint(len(events)); c++ {
		least += (c - least) * uint(first(&events[c], &events[least]))
	}
	return least
}

package sim

import (
	"cmp"
	"slices"

	"github.com/apfsim/apfsim/workload"
)

// The wait-for graph has the levels of all servers as its nodes. A request that holds seats of
// a level and waits for a call leads from that level to the one where the call waits. Nothing of
// that is stored: what is kept up to date is, for each level, how many seats are held by such
// requests and how many calls wait there. A level can be part of a deadlock only if calls wait
// there and all its seats in use are of that kind, so these numbers tell after each event
// whether a search is worth while, and in worlds without calls there is nothing to look at.

// What a call waits for is found in three places: in a queue of its level; between two attempts,
// after a level has rejected it; or in the calls of its own, if it executes and has some. A call
// that is on its way, is held back by its client's limiter before it was sent at all, or does its
// own work, gets on by itself. So does a request that holds seats without calling, and so do
// seats that linger.

// levelRef is a level of a server.
type levelRef struct{ server, level int32 }

// levelWaits is what the graph knows of one level.
type levelWaits struct {
	// seats are those held by requests that wait for calls.
	seats int
	// calls counts the calls that wait in its queues, or were rejected and will be sent again.
	calls int
	// listed tells that the level is in waitGraph.listed.
	listed bool
	// may tells that it could be part of a deadlock, as its numbers were at the last look; stuck
	// that it is, as the last search has found.
	may, stuck bool
	// component is what deadlocks are told apart by, during a search.
	component int32
	// deadlock is the number of the one that the level belongs to, none for none.
	deadlock int32
}

// blockade is where a call waits.
type blockade struct {
	levelRef
	// kind tells whether it waits at all.
	kind blockadeKind
	// schema is the one that it was classified by, and width how many seats it needs.
	schema, width int32
}

type blockadeKind uint8

const (
	// notBlocked: it executes, or is on its way.
	notBlocked blockadeKind = iota
	// queued: it waits in a queue.
	queued
	// retrying: it was rejected, and will be sent again.
	retrying
)

// waitGraph looks for deadlocks.
type waitGraph struct {
	// used tells that there are calls in this world at all; busy that there is something to
	// look at after each event.
	used, busy bool
	// changed tells that a caller, a call or a limit has moved since the last search.
	changed bool
	// levels is by server and level; listed are those at which calls wait, and stuck those that
	// the last search has found, in their order.
	levels        [][]levelWaits
	listed, stuck []levelRef
	// deadlocks are those that are not over, or whose callers have not all gone on.
	deadlocks []occurrence
	found     int
	// breaker is what the event that is happening would end a deadlock by.
	breaker Breaker
}

// at returns what is known of a level.
func (g *waitGraph) at(ref levelRef) *levelWaits {
	for int(ref.server) >= len(g.levels) {
		g.levels = append(g.levels, nil)
	}
	levels := &g.levels[ref.server]
	for int(ref.level) >= len(*levels) {
		*levels = append(*levels, levelWaits{deadlock: none})
	}
	return &(*levels)[ref.level]
}

// Seats are counted by width, as the server counts them, so that both numbers can be compared.
// A request to an exempt level of a release that does not count those has no width.

// hold notes that a request begins or ends to wait for calls, by a sign.
func (g *waitGraph) hold(r *slotRecord, sign int) {
	if r.Level >= 0 {
		g.at(levelRef{r.Server, r.Level}).seats += sign * r.Estimate.Width()
		g.changed = true
	}
}

// breaks notes what would end a deadlock if one ends at this event. The first cause counts: what
// follows at the same event follows from it.
func (g *waitGraph) breaks(b Breaker) {
	if g.busy && g.breaker == NotBroken {
		g.breaker = b
	}
}

// compare orders levels by server and number.
func (a levelRef) compare(b levelRef) int {
	return cmp.Or(cmp.Compare(a.server, b.server), cmp.Compare(a.level, b.level))
}

// callOf returns the operation by which somebody who executes waits for a request, none if
// nobody does. The operation of a request that has been answered already may be another one's.
func (w *World) callOf(r *slotRecord) int32 {
	if !w.graph.used || r.answered || r.errand.operation == none || w.operations[r.errand.operation].caller == none {
		return none
	}
	return r.errand.operation
}

// callArrives notes that a call has come to a server, perhaps once more.
func (w *World) callArrives(r *slotRecord) {
	i := w.callOf(r)
	if i == none {
		return
	}
	if b := &w.operations[i].blockade; b.kind == retrying && b.server != r.Server {
		w.graph.breaks(BrokenByRoute)
	}
	w.leaveLevel(i)
}

// callWaits notes that a call waits in a queue of a level.
func (w *World) callWaits(r *slotRecord) {
	if i := w.callOf(r); i != none && r.Level >= 0 {
		w.blockCall(i, r, queued)
	}
}

// blockCall notes where a call waits. The level is listed until no call waits there any more, and
// is taken off the list at the next look: calls come and go in thousands at a level that is busy,
// and each look goes through the list once.
func (w *World) blockCall(i int32, r *slotRecord, kind blockadeKind) {
	b := &w.operations[i].blockade
	*b = blockade{levelRef{r.Server, r.Level}, kind, r.Schema, int32(r.Estimate.Width())}
	l := w.graph.at(b.levelRef)
	l.calls++
	if !l.listed {
		l.listed = true
		w.graph.listed = append(w.graph.listed, b.levelRef)
	}
	w.graph.changed, w.graph.busy = true, true
}

// A call that was rejected counts as waiting where it was until its next attempt has come to a
// server, which may be another one: in between its client pauses, waits for its own limiter, or
// passes a gateway, and none of that frees a seat.

// callRejected notes that a call that was rejected will be sent again, if its caller has not been
// told otherwise. Where a gateway delays the answer, that is not known yet; who never tries again
// has not been told of its failure then, and is not stuck.
func (w *World) callRejected(i int32, r *slotRecord) {
	if i == none || w.operations[i].caller == none {
		return
	}
	if w.operations[i].draft != none || w.populations[r.Population].def.Retry.Policy != workload.RetryNone {
		w.blockCall(i, r, retrying)
	}
}

// A request may be told of an answer twice: its client's patience is over, and later the server
// is done with it. Only the first one is about the call (slotRecord.answered).

// callMoves notes that a call does not wait in a queue any more.
func (w *World) callMoves(r *slotRecord) {
	if i := w.callOf(r); i != none {
		w.leaveLevel(i)
	}
}

// leaveLevel notes that the call of an operation does not wait where it did.
func (w *World) leaveLevel(i int32) {
	o := &w.operations[i]
	b := o.blockade
	if b.kind == notBlocked {
		return
	}
	o.blockade.kind = notBlocked
	w.graph.at(b.levelRef).calls--
	w.graph.changed = true
	if b.kind == queued {
		w.tellInversion(i)
	}
}

// An inversion is told when the wait is over, whichever way, so that observers need no books of
// their own. Calls that wait while they pause between two attempts hold up their callers, too,
// but nobody is served before them for that.

// tellInversion tells for how long a call has waited in a queue, and who for.
func (w *World) tellInversion(i int32) {
	o := &w.operations[i]
	called := &w.slots[o.slot].Request
	caller := &w.slots[w.callings[o.caller].slot].Request
	if wait := w.now - called.Arrival; wait > 0 && caller.Level >= 0 {
		w.observer.Inverted(w.now, caller, called, wait)
	}
}

// A level whose seats are all held by callers needs no search as long as no call waits there,
// and one where calls wait needs none as long as one seat is held by a request that works. Both
// alone are what every busy cluster looks like.

// candidates marks the levels that could be stuck, and tells whether there are any.
func (w *World) candidates() (any bool) {
	g := &w.graph
	g.listed = slices.DeleteFunc(g.listed, func(ref levelRef) bool {
		l := g.at(ref)
		may := l.calls > 0 && l.seats > 0 && w.servers[ref.server].apf.LevelState(int(ref.level)).SeatsInUse == l.seats
		g.changed = g.changed || may != l.may
		any = any || may
		l.may, l.listed = may, l.calls > 0
		return !l.listed
	})
	return any
}

// search finds the largest set of levels in which nothing can move: it begins with all those
// that could be in it, and takes out one after the other that has a caller which can go on.
//
// The union of two such sets is one, too, so there is a largest one. No level that is taken out
// can be in any of them: its caller gets on even if all levels that are left stay as they are.
// A level where calls wait and whose seats are all held by such callers leads to a level of the
// set, and there are finitely many levels: so what is left has a cycle.
func (w *World) search() {
	g := &w.graph
	for _, ref := range g.stuck {
		g.at(ref).stuck = false
	}
	g.stuck = g.stuck[:0]
	for _, ref := range g.listed {
		if l := g.at(ref); l.may {
			l.stuck = true
			g.stuck = append(g.stuck, ref)
		}
	}
	for w.prune() {
	}
	g.stuck = slices.DeleteFunc(g.stuck, func(ref levelRef) bool { return !g.at(ref).stuck })
	slices.SortFunc(g.stuck, levelRef.compare)
}

// A search looks at every caller for each level that it takes out. It is made only after events
// that have moved a caller or a call while some level could be stuck: so with calls that merely
// wait for their turn there is none.

// prune takes levels out of the set in which a caller can go on, and tells whether there were
// any.
func (w *World) prune() (some bool) {
	for i := range w.callings {
		if l := w.stuckLevel(int32(i)); l != nil && !w.blocked(int32(i)) {
			l.stuck, some = false, true
		}
	}
	return some
}

// stuckLevel returns the level in the set whose seats a caller holds, nil if there is none.
func (w *World) stuckLevel(i int32) *levelWaits {
	c := &w.callings[i]
	if c.slot == none || w.slots[c.slot].Level < 0 {
		return nil
	}
	if l := w.graph.at(w.levelOf(c.slot)); l.stuck {
		return l
	}
	return nil
}

func (w *World) levelOf(slot int32) levelRef {
	r := &w.slots[slot]
	return levelRef{r.Server, r.Level}
}

// Calls that call themselves make chains: a request holds seats of a first level and waits for
// one that holds seats of a second level and waits in a third. The second level needs not be
// stuck for that. The depth of such a chain is bounded, as no request calls for itself
// (validateCalls), so the two functions below may call each other.

// blocked tells whether a caller cannot go on as long as the levels of the set stay as they are.
// It waits for all calls that it has begun, so one of them is enough.
func (w *World) blocked(i int32) bool {
	for op := w.callings[i].open; op != none; op = w.operations[op].after {
		if w.callBlocked(op) {
			return true
		}
	}
	return false
}

// callBlocked is the same for a call: it waits at a level of the set, or executes and cannot go
// on itself.
func (w *World) callBlocked(op int32) bool {
	o := &w.operations[op]
	switch b := &o.blockade; b.kind {
	case queued:
		return w.graph.at(b.levelRef).stuck
	case retrying:
		return w.graph.at(b.levelRef).stuck && !w.fits(b)
	}
	nested := w.nested(op)
	return nested != none && w.blocked(nested)
}

// A request that comes while others wait goes into a queue like them. A level without queues, or
// one whose queue is empty because its waiting calls have run out of time and pause, takes what
// fits; a request that is wider than the limit itself waits until the level is empty.

// fits tells whether a call that is sent again would find room.
func (w *World) fits(b *blockade) bool {
	s := w.servers[b.server].apf.LevelState(int(b.level))
	return s.SeatsInUse == 0 || s.SeatsInUse+int(b.width) <= s.Limit
}

// nested returns the record of a call that executes and waits for calls of its own, none if it
// does not.
func (w *World) nested(op int32) int32 {
	if slot := w.operations[op].slot; slot != none && w.slots[slot].stage == stageCalls {
		return w.slots[slot].calling
	}
	return none
}
